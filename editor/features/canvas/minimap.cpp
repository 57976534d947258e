#include "features/canvas/minimap.h"

#include <QMouseEvent>
#include <QPainter>
#include <QPainterPath>

#include <algorithm>

namespace weir::editor {
namespace {

constexpr qreal kPadding = 6;
constexpr qreal kMargin = 40;      ///< around the flowgraph, in the scene
constexpr qreal kSmallest = 1.5;   ///< of a block, in pixels
constexpr std::size_t kManyWires = 1500; ///< more are drawn as a grey cloud

} // namespace

Minimap::Minimap(QQuickItem* parent) : QQuickPaintedItem(parent) {
    setAntialiasing(true);
    setAcceptedMouseButtons(Qt::LeftButton);
    connect(this, &Minimap::viewChanged, this, &Minimap::followView);
    connect(this, &Minimap::styleChanged, this, [this] {
        m_style.take(m_colors);
        m_stale = true;
        update();
    });
}

void Minimap::followView() {
    connect(m_view, &GraphView::viewChanged, this, &Minimap::updateShown);
    connect(m_view, &GraphView::toolsChanged, this, &Minimap::followEditor);
    connect(m_view, &QQuickItem::widthChanged, this, &Minimap::updateShown);
    connect(m_view, &QQuickItem::heightChanged, this, &Minimap::updateShown);
    followEditor();
}

void Minimap::followEditor() {
    if (!m_view || !m_view->session()) return;
    const GraphScene& scene = m_view->session()->scene();
    connect(&scene, &GraphScene::changed, this, &Minimap::updateScene);
    connect(&scene, &GraphScene::moved, this, &Minimap::updateScene);
    updateScene();
}

void Minimap::geometryChange(const QRectF& newGeometry, const QRectF& oldGeometry) {
    QQuickPaintedItem::geometryChange(newGeometry, oldGeometry);
    m_stale = true;
}

void Minimap::updateScene() {
    const QRectF bounds = m_view->session()->scene().bounds();
    m_bounds = bounds.isEmpty() ? bounds : bounds.adjusted(-kMargin, -kMargin, kMargin, kMargin);
    m_stale = true;
    updateShown();
}

QRectF Minimap::shown() const {
    return {m_view->toScene({0, 0}), m_view->toScene({m_view->width(), m_view->height()})};
}

void Minimap::updateShown() {
    if (!m_view || !m_view->session() || m_view->width() <= 0) return;
    const bool exceeding = !m_bounds.isEmpty() && !shown().contains(m_view->session()->scene().bounds());
    if (exceeding != m_exceeding) {
        m_exceeding = exceeding;
        emit exceedingChanged();
    }
    if (isVisible()) update();
}

QPointF Minimap::toMap(QPointF scene) const {
    if (m_bounds.isEmpty()) return {};
    const QRectF inside = boundingRect().adjusted(kPadding, kPadding, -kPadding, -kPadding);
    const qreal scale = std::min(inside.width() / m_bounds.width(), inside.height() / m_bounds.height());
    return inside.center() + (scene - m_bounds.center()) * scale;
}

QRectF Minimap::shownOnMap() const {
    const QRectF part = shown();
    const QRectF frame = boundingRect().adjusted(1, 1, -1, -1);
    QRectF mapped = QRectF(toMap(part.topLeft()), toMap(part.bottomRight())) & frame;
    // Keep a view far outside visible at the edge.
    if (mapped.isEmpty()) {
        const QPointF centre = toMap(part.center());
        mapped = QRectF(0, 0, 6, 6);
        mapped.moveCenter({std::clamp(centre.x(), frame.left() + 4, frame.right() - 4),
                           std::clamp(centre.y(), frame.top() + 4, frame.bottom() - 4)});
    }
    return mapped;
}

void Minimap::paintBlocks(qreal pixelRatio) {
    m_blocks = QImage((size() * pixelRatio).toSize(), QImage::Format_ARGB32_Premultiplied);
    m_blocks.setDevicePixelRatio(pixelRatio);
    m_blocks.fill(Qt::transparent);
    m_stale = false;
    const GraphScene& scene = m_view->session()->scene();
    QPainter painter(&m_blocks);
    for (const FrameView& frame : scene.frames()) {
        QColor color = m_style.decorColor(frame.colour);
        color.setAlphaF(0.18F);
        painter.fillRect(QRectF(toMap(frame.rect.topLeft()), toMap(frame.rect.bottomRight())), color);
    }
    if (scene.wires().size() <= kManyWires) {
        painter.setPen(QPen(m_style.nodeBorder, 1));
        for (const WireView& wire : scene.wires()) painter.drawLine(toMap(wire.from), toMap(wire.to));
    }
    for (const BlockView& block : scene.blocks()) {
        QRectF rect(toMap(block.rect.topLeft()), toMap(block.rect.bottomRight()));
        rect.setSize(rect.size().expandedTo({kSmallest, kSmallest}));
        const auto given = m_blockColors.constFind(block.id);
        painter.fillRect(rect,
                         given != m_blockColors.constEnd() ? given->value<QColor>() : m_style.category(block.category));
    }
}

void Minimap::paint(QPainter* painter) {
    if (!m_view || !m_view->session() || m_bounds.isEmpty()) return;
    const qreal pixelRatio = painter->device()->devicePixelRatio();
    if (m_stale || m_blocks.devicePixelRatio() != pixelRatio) paintBlocks(pixelRatio);
    painter->setRenderHint(QPainter::Antialiasing);
    painter->setPen(QPen(m_style.nodeBorder, 1));
    painter->setBrush(m_style.pane);
    const QRectF frame = boundingRect().adjusted(0.5, 0.5, -0.5, -0.5);
    painter->drawRoundedRect(frame, 6, 6);
    painter->drawImage(QPointF(0, 0), m_blocks);

    // The hidden part is shaded; the frame has the accent colour in light and dark.
    const QRectF part = shownOnMap();
    QPainterPath shade;
    shade.addRoundedRect(frame.adjusted(0.5, 0.5, -0.5, -0.5), 6, 6);
    shade.addRect(part);
    painter->setPen(Qt::NoPen);
    QColor shaded = m_style.canvas;
    shaded.setAlphaF(0.45F);
    painter->setBrush(shaded);
    painter->drawPath(shade);
    painter->setPen(QPen(m_style.accent, 2));
    painter->setBrush(Qt::NoBrush);
    painter->drawRect(part.adjusted(1, 1, -1, -1));
}

void Minimap::mousePressEvent(QMouseEvent* event) {
    const QRectF part = shownOnMap();
    m_grip = part.contains(event->position()) ? event->position() - part.center() : QPointF();
    if (m_grip.isNull()) showAt(event->position());
}

void Minimap::mouseMoveEvent(QMouseEvent* event) { showAt(event->position() - m_grip); }

void Minimap::showAt(QPointF place) {
    const QPointF origin = toMap({0, 0});
    const qreal scale = toMap({1, 0}).x() - origin.x();
    if (scale > 0) m_view->centerOn((place - origin) / scale);
}

} // namespace weir::editor
