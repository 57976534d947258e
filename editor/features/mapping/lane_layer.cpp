#include "features/mapping/lane_layer.h"

#include <QPainter>

namespace weir::editor {

LaneLayer::LaneLayer(QQuickItem* parent) : QQuickPaintedItem(parent) {
    setAntialiasing(true);
    connect(this, &LaneLayer::changed, this, [this] { update(); });
}

void LaneLayer::setView(LaneView* view) {
    if (m_view == view) return;
    m_view = view;
    const auto repaint = [this] { update(); };
    connect(view, &LaneView::scrolled, this, repaint);
    connect(view, &LaneView::mappingChanged, this, repaint);
    emit changed();
}

/// Paint the frame of a loop, open at an end where the loop continues in another line.
void LaneLayer::paintFrame(QPainter* painter, const LaneFrame& frame) const {
    painter->save();
    painter->setClipRect(frame.rect.adjusted(-1, -1, 1, 1), Qt::IntersectClip);
    painter->setPen(QPen(m_innerWireColor, 1));
    constexpr qreal kRadius = 6;
    const qreal left = frame.begins ? 0.5 : -2 * kRadius;
    const qreal right = frame.ends ? -0.5 : 2 * kRadius;
    painter->drawRoundedRect(frame.rect.adjusted(left, 0.5, right, -0.5), kRadius, kRadius);
    painter->restore();
}

void LaneLayer::paint(QPainter* painter) {
    if (!m_view || !m_view->mapping()) return;
    const MappingController& mapping = *m_view->mapping();
    const QRectF shown(0, m_view->scrollY(), width(), height());
    painter->translate(0, -m_view->scrollY());
    bool other = false;
    for (const Lane& lane : mapping.allLanes()) {
        other = lane.heading.isEmpty() && !other;
        if (!lane.rect.adjusted(0, -lanes::kHeading, 0, 0).intersects(shown) || lane.kind == Lane::Kind::NewWorker)
            continue;
        painter->fillRect(lane.rect, other ? m_otherLaneColor : m_laneColor);
        painter->setPen(m_lineColor);
        painter->drawLine(QLineF(0, lane.rect.bottom() - 0.5, width(), lane.rect.bottom() - 0.5));
        for (const LaneRow& row : lane.rows)
            if (row.rect.top() > lane.rect.top())
                painter->drawLine(QLineF(lanes::kHeader, row.rect.top() - 0.5, width(), row.rect.top() - 0.5));
    }
    painter->setRenderHint(QPainter::Antialiasing);
    painter->setBrush(Qt::NoBrush);
    for (const Lane& lane : mapping.allLanes())
        for (const LaneRow& row : lane.rows)
            for (const LaneFrame& frame : row.frames)
                if (frame.rect.intersects(shown)) paintFrame(painter, frame);
    for (const LaneWire& wire : mapping.wires()) {
        if (!wire.path.controlPointRect().adjusted(-2, -2, 2, 2).intersects(shown)) continue;
        painter->strokePath(wire.path, wire.crosses
                                           ? QPen(wire.crossesNode ? m_warningColor : m_wireColor, 2,
                                                  wire.crossesNode ? Qt::DashLine : Qt::SolidLine, Qt::RoundCap)
                                           : QPen(m_innerWireColor, 1));
    }
}

} // namespace weir::editor
