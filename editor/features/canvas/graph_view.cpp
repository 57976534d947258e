#include "features/canvas/graph_view.h"

#include "features/canvas/canvas_gestures.h"
#include "features/canvas/view_transform.h"
#include "features/clipboard/clipboard.h"
#include "features/decor/decor_controller.h"

#include <QDir>
#include <QQuickWindow>
#include <QVector2D>
#include <QVector3D>

#include <algorithm>
#include <cmath>

namespace weir::editor {
namespace {

constexpr qreal kMaximumZoom = 4;
constexpr qreal kNearby = 40; ///< parts below or beside a block, such as a comment, come into view before the block
constexpr int kFewBlocks = 24; ///< up to this number, items follow every step of a gesture at once
constexpr int kFillMs = 6;     ///< of a frame, to make items if there are more
constexpr int kRestMs = 80;    ///< without a turn of the wheel

} // namespace

GraphView::GraphView(QQuickItem* parent) : QQuickItem(parent), m_gestures(new CanvasGestures(*this)) {
    m_glide.setEasingCurve(QEasingCurve::OutCubic);
    connect(&m_glide, &QVariantAnimation::stateChanged, this,
            [this](QAbstractAnimation::State state) { m_isGliding = state == QAbstractAnimation::Running; });
    connect(&m_glide, &QVariantAnimation::valueChanged, this, [this](const QVariant& value) {
        if (!m_isGliding) return; // it is being set up
        const auto at = value.value<QVector3D>();
        const bool fits = m_fitWhenSized;
        moveView(at.toVector2D().toPointF(), at.z(), Pace::Gesture);
        m_fitWhenSized = fits;
    });
    // Intermediate values have fewer digits.
    connect(&m_glide, &QVariantAnimation::finished, this, [this] {
        const bool fits = m_fitWhenSized;
        moveView(m_goal.offset, m_goal.zoom, Pace::Gesture);
        m_fitWhenSized = fits;
    });
    connect(m_gestures, &CanvasGestures::changed, this, &GraphView::gestureChanged);
    connect(m_gestures, &CanvasGestures::connectingChanged, this, &GraphView::connectingChanged);
    connect(m_gestures, &CanvasGestures::menuRequested, this, &GraphView::menuRequested);
    connect(m_gestures, &CanvasGestures::hoverChanged, this, &GraphView::hoverChanged);
    setAcceptedMouseButtons(Qt::LeftButton | Qt::MiddleButton | Qt::RightButton);
    setAcceptHoverEvents(true);
    setFlag(ItemIsFocusScope, false);
    setActiveFocusOnTab(true);
    setClip(true);
    m_rest.setSingleShot(true);
    m_rest.setInterval(kRestMs);
    connect(&m_rest, &QTimer::timeout, this, [this] {
        m_isTurning = false;
        showItems(Pace::Gesture);
        emit itemsChanged();
    });
}

void GraphView::setTools(CanvasTools* tools) {
    if (m_tools == tools || !tools) return;
    m_tools = tools;
    Session& session = tools->session();
    delete m_walk;
    m_walk = new KeyWalk(session, this);
    connect(m_walk, &KeyWalk::moved, this, &GraphView::focusFrameChanged);
    connect(m_walk, &KeyWalk::moved, this, &GraphView::walked);
    connect(m_walk, &KeyWalk::moved, this, &GraphView::tabWordsChanged);
    connect(&session, &Session::selectionChanged, this, &GraphView::tabWordsChanged);
    connect(&m_gestures->keyConnection(), &KeyConnection::changed, this, &GraphView::tabWordsChanged);
    connect(&session.scene(), &GraphScene::changed, this, &GraphView::tabWordsChanged);
    connect(&session, &Session::documentReplaced, this, [this] {
        m_gestures->cancel();
        showAll();
    });
    // Its port may be gone, or the user works elsewhere.
    const auto giveUpWire = [this] {
        if (m_gestures->isWireClicked()) m_gestures->cancel();
    };
    connect(&session.scene(), &GraphScene::changed, this, giveUpWire);
    connect(this, &QQuickItem::activeFocusChanged, this, [this, giveUpWire] {
        if (!hasActiveFocus()) giveUpWire();
    });
    connect(&session, &Session::catalogChanged, this, &GraphView::showAll);
    connect(tools->autoLayout(), &AutoLayout::arranged, this, &GraphView::showAll);
    connect(tools->graph(), &GraphCommands::insertRequested, this, [this] { insertFromKeyboard(m_usesKeys); });
    connect(tools->graph(), &GraphCommands::connectRequested, this, [this, &session] {
        session.setNotice(m_gestures->keyConnection().start(session, session.selection().onlyBlock()));
    });
    connect(&session, &Session::selectionChanged, this, &GraphView::focusFrameChanged);
    connect(&session.scene(), &GraphScene::changed, this, &GraphView::focusFrameChanged);
    connect(&session.scene(), &GraphScene::moved, this, &GraphView::focusFrameChanged);
    connect(this, &GraphView::viewChanged, this, &GraphView::focusFrameChanged);
    connect(&session.blockModel(), &BlockModel::factsChanged, this, [this] {
        fitAgain();
        emit focusFrameChanged();
    });
    connect(&session, &Session::revealRequested, this, &GraphView::reveal);
    emit toolsChanged();
}

QStringList GraphView::overlayFiles() {
    return QDir(QStringLiteral(":/qt/qml/Weir")).entryList({QStringLiteral("?*Overlay.qml")}, QDir::Files, QDir::Name);
}

void GraphView::setUsesKeys(bool keys) {
    if (m_usesKeys == keys) return;
    m_usesKeys = keys;
    emit focusFrameChanged();
    emit tabWordsChanged();
}

void GraphView::mousePressEvent(QMouseEvent* event) {
    forceActiveFocus(Qt::MouseFocusReason);
    setUsesKeys(false);
    m_gestures->press(*event);
}

void GraphView::mouseMoveEvent(QMouseEvent* event) { m_gestures->move(*event); }

void GraphView::mouseReleaseEvent(QMouseEvent* event) { m_gestures->release(*event); }

void GraphView::mouseDoubleClickEvent(QMouseEvent* event) { m_gestures->doubleClick(*event); }

void GraphView::mouseUngrabEvent() {
    if (!m_gestures->isWireClicked()) // a clicked wire lasts between two presses
        m_gestures->cancel();
}

void GraphView::hoverMoveEvent(QHoverEvent* event) {
    m_gestures->hover(event->position());
    m_tools->clipboard().setPointer(toScene(event->position()));
}

void GraphView::hoverLeaveEvent(QHoverEvent*) {
    m_gestures->hover({-1e6, -1e6});
    m_tools->clipboard().setPointer({});
}

void GraphView::wheelEvent(QWheelEvent* event) {
    if (event->modifiers() & Qt::ShiftModifier) {
        const int delta = event->angleDelta().y() ? event->angleDelta().y() : event->angleDelta().x();
        setView(m_offset + QPointF(delta / 2.0, 0), m_zoom, Pace::Gesture);
    } else {
        zoomAt(event->position(), std::pow(kZoomStep, event->angleDelta().y() / 120.0));
    }
    event->accept();
}

void GraphView::geometryChange(const QRectF& newGeometry, const QRectF& oldGeometry) {
    QQuickItem::geometryChange(newGeometry, oldGeometry);
    if (!m_tools) return;
    m_tools->autoLayout()->setRoom(size() - QSizeF(2 * kFitMargin, 2 * kFitMargin));
    if (isVisible()) followSize();
}

/// Follow the size when the view becomes visible: size changes while another page was shown had no effect.
void GraphView::itemChange(ItemChange change, const ItemChangeData& data) {
    QQuickItem::itemChange(change, data);
    if (change != ItemVisibleHasChanged || !data.boolValue || !m_tools || !window()) return;
    // The panes get their places with the next frame.
    connect(window(), &QQuickWindow::afterFrameEnd, this, &GraphView::followSize,
            Qt::ConnectionType(Qt::QueuedConnection | Qt::SingleShotConnection));
}

void GraphView::zoomBy(qreal factor) {
    m_fitWhenSized = false;
    zoomAt(QPointF(width() / 2, height() / 2), factor);
}

void GraphView::resetZoom() {
    const QPointF middle(width() / 2, height() / 2);
    glideTo({middle - toScene(middle), 1});
}

/// Glide straight: each point of the scene moves along a line.
void GraphView::glideTo(const ViewTransform& place) {
    m_glide.stop();
    if (m_motion <= 0 || !isVisible()) {
        setView(place.offset, place.zoom);
        return;
    }
    // One value holds offset and zoom, so both change at the same pace.
    m_glide.setDuration(m_motion);
    m_glide.setStartValue(QVector3D(QVector2D(m_offset), static_cast<float>(m_zoom)));
    m_glide.setEndValue(QVector3D(QVector2D(place.offset), static_cast<float>(place.zoom)));
    m_goal = place;
    m_glide.start();
}

void GraphView::centerOn(QPointF scene) {
    const QPointF offset = QPointF(width() / 2, height() / 2) - scene * m_zoom;
    setView({std::round(offset.x()), std::round(offset.y())}, m_zoom);
}

void GraphView::zoomAt(QPointF fixed, qreal factor) {
    const qreal zoom = std::clamp(m_zoom * factor, kMinimumZoom, kMaximumZoom);
    setView(fixed - toScene(fixed) * zoom, zoom, Pace::Gesture);
}

void GraphView::setView(QPointF offset, qreal zoom, Pace pace) {
    m_glide.stop();
    moveView(offset, zoom, pace);
}

void GraphView::moveView(QPointF offset, qreal zoom, Pace pace) {
    if (pace == Pace::AtOnce) {
        m_rest.stop();
        m_isTurning = false;
    } else if (zoom != m_zoom) {
        m_rest.start();
        m_isTurning = true;
    }
    m_fitWhenSized = false;
    m_offset = offset;
    m_zoom = zoom;
    m_tools->decor().setPlace(toScene({width() / 2, height() / 2}));
    updateRegion();
    showItems(pace);
    emit viewChanged();
}

void GraphView::showItems(Pace pace) {
    BlockModel& blocks = session()->blockModel();
    blocks.setZoom(m_zoom);
    m_filling = pace == Pace::Gesture && blocks.wanted() > kFewBlocks;
    if (m_filling) polish();
    else blocks.fill();
}

/// Runs once a frame.
void GraphView::updatePolish() {
    if (!m_filling) return;
    m_filling = !session()->blockModel().fill(QDeadlineTimer(kFillMs), !isZooming());
    emit itemsChanged();
    if (m_filling) QMetaObject::invokeMethod(this, &GraphView::polish, Qt::QueuedConnection);
}

bool GraphView::isDetailed() const { return m_zoom >= zoom::kFar; }

void GraphView::updateRegion() {
    if (!isDetailed()) {
        m_region = QRectF();
    } else {
        // Items are made as they come into view, a few at a time. Items out of view are kept for a while.
        const QRectF shown(toScene({0, 0}), toScene({width(), height()}));
        if (m_region.contains(shown) && m_region.width() < 3 * shown.width()) return;
        const QRectF near =
            shown.adjusted(-shown.width() / 4, -shown.height() / 4, shown.width() / 4, shown.height() / 4);
        const QRectF wanted = shown.adjusted(-kNearby, -kNearby, kNearby, kNearby);
        m_region = m_region.isEmpty() ? wanted : (m_region | wanted) & (near | wanted);
    }
    session()->blockModel().setRegion(m_region);
}

} // namespace weir::editor
