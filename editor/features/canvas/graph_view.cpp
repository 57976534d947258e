#include "graph_view.h"

#include "canvas_gestures.h"
#include "view_transform.h"

#include <algorithm>
#include <cmath>

using namespace weir::editor;

namespace {

constexpr qreal kMinimumZoom = 0.05;
constexpr qreal kMaximumZoom = 4;
constexpr qreal kFitMargin = 60;
constexpr qreal kNearby = 40; ///< what is under or beside a block, such as a comment, shows before the block does
constexpr int kFewBlocks = 24; ///< so many follow every step of a gesture at once
constexpr int kFillMs = 6;     ///< of a frame, for the items of more
constexpr int kRestMs = 80;    ///< without a turn of the wheel

} // namespace

GraphView::GraphView(QQuickItem *parent) : QQuickItem(parent), m_gestures(new CanvasGestures(*this))
{
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
        showItems(Pace::Gesture);
        emit itemsChanged();
    });
}

void GraphView::setEditor(Editor *editor)
{
    if (m_editor == editor)
        return;
    m_editor = editor;
    connect(editor, &Editor::documentReplaced, this, [this] {
        m_gestures->cancel();
        fit();
    });
    connect(editor, &Editor::catalogChanged, this, &GraphView::fit);
    connect(editor->autoLayout(), &AutoLayout::arranged, this, &GraphView::fit);
    connect(editor->graph(), &GraphCommands::insertRequested, this, &GraphView::insertFromKeyboard);
    connect(editor->graph(), &GraphCommands::connectRequested, this, [this] {
        m_editor->setNotice(m_gestures->keyConnection().start(*m_editor, m_editor->selection().onlyBlock()));
    });
    connect(editor, &Editor::selectionChanged, this, &GraphView::focusFrameChanged);
    connect(&editor->scene(), &GraphScene::changed, this, &GraphView::focusFrameChanged);
    connect(&editor->scene(), &GraphScene::moved, this, &GraphView::focusFrameChanged);
    connect(this, &GraphView::viewChanged, this, &GraphView::focusFrameChanged);
    connect(editor, &Editor::revealRequested, this, &GraphView::reveal);
    emit editorChanged();
}

QRectF GraphView::focusFrame() const
{
    const bool shown = m_editor && m_usesKeys;
    const BlockView *block = shown ? m_editor->scene().block(m_editor->selection().onlyBlock()) : nullptr;
    return block ? QRectF(toView(block->rect.topLeft()), block->rect.size() * m_zoom) : QRectF();
}

void GraphView::setUsesKeys(bool keys)
{
    if (m_usesKeys == keys)
        return;
    m_usesKeys = keys;
    emit focusFrameChanged();
}

void GraphView::mousePressEvent(QMouseEvent *event)
{
    forceActiveFocus(Qt::MouseFocusReason);
    setUsesKeys(false);
    m_gestures->press(*event);
}

void GraphView::mouseMoveEvent(QMouseEvent *event)
{
    m_gestures->move(*event);
}

void GraphView::mouseReleaseEvent(QMouseEvent *event)
{
    m_gestures->release(*event);
}

void GraphView::mouseDoubleClickEvent(QMouseEvent *event)
{
    m_gestures->doubleClick(*event);
}

void GraphView::mouseUngrabEvent()
{
    m_gestures->cancel();
}

void GraphView::hoverMoveEvent(QHoverEvent *event)
{
    m_gestures->hover(event->position());
    m_editor->clipboard()->setPointer(toScene(event->position()));
}

void GraphView::hoverLeaveEvent(QHoverEvent *)
{
    m_gestures->hover({-1e6, -1e6});
    m_editor->clipboard()->setPointer({});
}

void GraphView::wheelEvent(QWheelEvent *event)
{
    if (event->modifiers() & Qt::ShiftModifier) {
        const int delta = event->angleDelta().y() ? event->angleDelta().y() : event->angleDelta().x();
        setView(m_offset + QPointF(delta / 2.0, 0), m_zoom, Pace::Gesture);
    } else {
        zoomAt(event->position(), std::pow(kZoomStep, event->angleDelta().y() / 120.0));
    }
    event->accept();
}

void GraphView::geometryChange(const QRectF &newGeometry, const QRectF &oldGeometry)
{
    QQuickItem::geometryChange(newGeometry, oldGeometry);
    if (!m_editor)
        return;
    if (m_fitWhenSized && !newGeometry.isEmpty()) {
        fit();
    } else {
        updateRegion();
        showItems(Pace::AtOnce);
    }
}

void GraphView::zoomBy(qreal factor)
{
    m_fitWhenSized = false;
    zoomAt(QPointF(width() / 2, height() / 2), factor);
}

void GraphView::resetZoom()
{
    zoomBy(1 / m_zoom);
}

void GraphView::fit()
{
    const QRectF bounds = m_editor->scene().bounds();
    m_fitWhenSized = true;
    if (size().isEmpty())
        return;
    if (bounds.isEmpty()) {
        setView({0, 0}, 1);
        return;
    }
    const QRectF wanted = bounds.adjusted(-kFitMargin, -kFitMargin, kFitMargin, kFitMargin);
    const qreal zoom = std::clamp(std::min(width() / wanted.width(), height() / wanted.height()), kMinimumZoom, 1.0);
    const QPointF offset = QPointF(width() / 2, height() / 2) - bounds.center() * zoom;
    // Whole pixels keep text and one-pixel lines sharp at 100 %.
    setView({std::round(offset.x()), std::round(offset.y())}, zoom);
    m_fitWhenSized = true;
}

void GraphView::reveal(const QString &block)
{
    const BlockView *view = m_editor->scene().block(block);
    if (!view)
        return;
    const QRectF shown(toScene({0, 0}), toScene({width(), height()}));
    if (!shown.contains(view->rect))
        setView(QPointF(width() / 2, height() / 2) - view->rect.center() * m_zoom, m_zoom);
}

void GraphView::centerOn(QPointF scene)
{
    const QPointF offset = QPointF(width() / 2, height() / 2) - scene * m_zoom;
    setView({std::round(offset.x()), std::round(offset.y())}, m_zoom);
}

void GraphView::zoomAt(QPointF fixed, qreal factor)
{
    const qreal zoom = std::clamp(m_zoom * factor, kMinimumZoom, kMaximumZoom);
    setView(fixed - toScene(fixed) * zoom, zoom, Pace::Gesture);
}

void GraphView::setView(QPointF offset, qreal zoom, Pace pace)
{
    if (pace == Pace::AtOnce)
        m_rest.stop();
    else if (zoom != m_zoom)
        m_rest.start();
    m_fitWhenSized = false;
    m_offset = offset;
    m_zoom = zoom;
    m_editor->decor()->setPlace(toScene({width() / 2, height() / 2}));
    updateRegion();
    showItems(pace);
    emit viewChanged();
}

void GraphView::showItems(Pace pace)
{
    BlockModel &blocks = m_editor->blockModel();
    blocks.setZoom(m_zoom);
    m_filling = pace == Pace::Gesture && blocks.wanted() > kFewBlocks;
    if (m_filling)
        polish();
    else
        blocks.fill();
}

/// Once in a frame.
void GraphView::updatePolish()
{
    if (!m_filling)
        return;
    m_filling = !m_editor->blockModel().fill(QDeadlineTimer(kFillMs), !isZooming());
    emit itemsChanged();
    if (m_filling)
        QMetaObject::invokeMethod(this, &GraphView::polish, Qt::QueuedConnection);
}

bool GraphView::isDetailed() const
{
    return m_zoom >= zoom::kFar;
}

void GraphView::updateRegion()
{
    if (!isDetailed()) {
        m_region = QRectF();
    } else {
        // New items are made as they come into view, a few at a time; those that left it stay for a while.
        const QRectF shown(toScene({0, 0}), toScene({width(), height()}));
        if (m_region.contains(shown) && m_region.width() < 3 * shown.width())
            return;
        const QRectF near = shown.adjusted(-shown.width() / 4, -shown.height() / 4, shown.width() / 4, shown.height() / 4);
        const QRectF wanted = shown.adjusted(-kNearby, -kNearby, kNearby, kNearby);
        m_region = m_region.isEmpty() ? wanted : (m_region | wanted) & (near | wanted);
    }
    m_editor->blockModel().setRegion(m_region);
}
