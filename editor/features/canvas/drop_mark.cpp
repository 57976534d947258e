#include "features/canvas/drop_mark.h"

#include <QPainter>

namespace weir::editor {
namespace {

constexpr qreal kMarkWidth = 5;
constexpr qreal kMarkHalo = 18;
constexpr float kMarkStrength = 0.3F;

} // namespace

DropMark::DropMark(QQuickItem* parent) : QQuickPaintedItem(parent) {
    setAntialiasing(true);
    setVisible(false);
    connect(this, &DropMark::changed, this, [this] { update(); });
    connect(this, &DropMark::viewChanged, this, [this] {
        const auto follow = [this] {
            setVisible(m_view && m_view->isOverDropTarget());
            update();
        };
        connect(m_view, &GraphView::hoverChanged, this, follow);
        connect(m_view, &GraphView::viewChanged, this, follow);
    });
}

void DropMark::paint(QPainter* painter) {
    const WireView* wire = m_view ? m_view->session()->scene().wire(m_view->hoveredWireKey().toStdString()) : nullptr;
    if (!wire || !m_view->isOverDropTarget()) return;
    painter->setRenderHint(QPainter::Antialiasing);
    painter->translate(m_view->offsetX(), m_view->offsetY());
    painter->scale(m_view->zoom(), m_view->zoom());
    QColor halo = m_color;
    halo.setAlphaF(kMarkStrength);
    painter->strokePath(wire->path, QPen(halo, kMarkHalo / m_view->zoom(), Qt::SolidLine, Qt::RoundCap));
    painter->strokePath(wire->path, QPen(m_color, kMarkWidth / m_view->zoom(), Qt::SolidLine, Qt::RoundCap));
}

} // namespace weir::editor
