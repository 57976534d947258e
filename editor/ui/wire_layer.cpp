#include "wire_layer.h"

#include "node_geometry.h"

#include <QPainter>
#include <QPainterPath>

#include <cmath>

using namespace weir::editor;

namespace {

constexpr qreal kCasing = 6;
constexpr qreal kDetailZoom = 0.5;

} // namespace

WireLayer::WireLayer(QQuickItem *parent) : QQuickPaintedItem(parent)
{
    setAntialiasing(true);
    connect(this, &WireLayer::coloursChanged, this, [this] { update(); });
}

void WireLayer::setView(GraphView *view)
{
    if (m_view == view)
        return;
    m_view = view;
    const auto repaint = [this] { update(); };
    connect(view, &GraphView::viewChanged, this, repaint);
    connect(view, &GraphView::gestureChanged, this, repaint);
    connect(view, &GraphView::hoverChanged, this, repaint);
    const auto follow = [this, repaint] {
        if (!m_view || !m_view->editor())
            return;
        connect(&m_view->editor()->scene(), &GraphScene::changed, this, repaint);
        connect(&m_view->editor()->selection(), &Selection::changed, this, repaint);
    };
    connect(view, &GraphView::editorChanged, this, follow);
    follow();
    emit viewChanged();
}

void WireLayer::paint(QPainter *painter)
{
    if (!m_view || !m_view->editor())
        return;
    painter->setRenderHint(QPainter::Antialiasing);
    paintGrid(*painter);
    painter->save();
    painter->translate(m_view->offsetX(), m_view->offsetY());
    painter->scale(m_view->zoom(), m_view->zoom());
    paintGroups(*painter);
    paintWires(*painter);
    if (!m_view->isDetailed())
        paintBlocks(*painter);
    painter->restore();
    paintPendingWire(*painter);
}

QColor WireLayer::typeColor(const QString &type) const
{
    const auto it = m_typeColors.constFind(type);
    return it == m_typeColors.constEnd() ? m_mutedColor : it->value<QColor>();
}

void WireLayer::paintGrid(QPainter &painter) const
{
    const qreal step = geometry::kGrid * (m_view->zoom() < kDetailZoom ? 5 : 1) * m_view->zoom();
    const auto first = [step](qreal offset) { return std::fmod(std::fmod(offset, step) + step, step); };
    QList<QPointF> dots;
    for (qreal y = first(m_view->offsetY()); y < height(); y += step)
        for (qreal x = first(m_view->offsetX()); x < width(); x += step)
            dots.append({x, y});
    painter.setPen(QPen(m_dotColor, 2, Qt::SolidLine, Qt::RoundCap));
    painter.drawPoints(dots.constData(), static_cast<int>(dots.size()));
}

void WireLayer::paintGroups(QPainter &painter) const
{
    QFont font = painter.font();
    font.setPixelSize(11);
    font.setWeight(QFont::Medium);
    painter.setFont(font);
    for (const GroupView &group : m_view->editor()->scene().groups()) {
        QColor fill = m_mutedColor;
        fill.setAlphaF(0.06F);
        painter.setBrush(fill);
        painter.setPen(QPen(m_dotColor, 1, Qt::DashLine));
        painter.drawRoundedRect(group.rect, 12, 12);
        painter.setPen(m_labelColor);
        painter.drawText(group.rect.topLeft() + QPointF(12, 20), group.label);
    }
}

void WireLayer::paintWires(QPainter &painter) const
{
    const GraphScene &scene = m_view->editor()->scene();
    const auto &selected = m_view->editor()->selection().wires();
    const QRectF shown(m_view->toScene({0, 0}), m_view->toScene({width(), height()}));
    const bool casing = m_view->zoom() >= kDetailZoom;
    painter.setBrush(Qt::NoBrush);
    for (const WireView &wire : scene.wires()) {
        const QPainterPath path = geometry::wirePath(wire.from, wire.to);
        if (!path.controlPointRect().adjusted(-4, -4, 4, 4).intersects(shown))
            continue;
        const bool isSelected = selected.contains(wire.connection);
        const bool isHovered = m_view->hoveredWire() == wire.connection;
        const bool dead = scene.blocks()[wire.source].state == BlockState::Disabled
                          || scene.blocks()[wire.target].state == BlockState::Disabled;
        const QColor color = isSelected ? m_accentColor : dead ? m_dotColor : typeColor(wire.itemType);
        if (isHovered) {
            QColor halo = color;
            halo.setAlphaF(0.2F);
            painter.strokePath(path, QPen(halo, 8, Qt::SolidLine, Qt::RoundCap));
        } else if (casing) {
            painter.strokePath(path, QPen(m_canvasColor, kCasing, Qt::SolidLine, Qt::FlatCap));
        }
        QPen pen(color, isSelected || isHovered ? 3 : dead ? 1.5 : 2, dead ? Qt::DashLine : Qt::SolidLine, Qt::RoundCap);
        painter.strokePath(path, pen);
    }
}

void WireLayer::paintBlocks(QPainter &painter) const
{
    Editor &editor = *m_view->editor();
    QSet<QString> wrong;
    for (const Problem &problem : editor.problemModel().problems())
        if (problem.severity == QLatin1String("error"))
            wrong.insert(problem.block);
    const QRectF shown(m_view->toScene({0, 0}), m_view->toScene({width(), height()}));
    const qreal line = 1 / m_view->zoom();
    for (const BlockView &block : editor.scene().blocks()) {
        if (!block.rect.intersects(shown))
            continue;
        const bool selected = editor.selection().blocks().contains(block.id);
        const bool marked = selected || wrong.contains(block.id);
        painter.setPen(QPen(selected ? m_accentColor : marked ? m_errorColor : m_dotColor, marked ? 2 * line : line));
        painter.setBrush(m_blockColor);
        painter.drawRoundedRect(block.rect, 8, 8);
        const QRectF band(block.rect.topLeft(), QSizeF(block.rect.width(), geometry::kHeader));
        painter.setPen(Qt::NoPen);
        painter.setBrush(block.ghost || block.state == BlockState::Disabled ? m_dotColor
                                                                            : m_categoryColors.value(block.category).value<QColor>());
        painter.drawRoundedRect(band.adjusted(line, line, -line, 0), 8, 8);
    }
}

void WireLayer::paintPendingWire(QPainter &painter) const
{
    const auto wire = m_view->pendingWire();
    if (!wire)
        return;
    const bool refused = !m_view->connectionHint().isEmpty();
    const QColor color = refused ? m_errorColor : typeColor(m_view->pendingType());
    painter.strokePath(geometry::wirePath(wire->first, wire->second),
                       QPen(color, 2, refused ? Qt::DashLine : Qt::SolidLine, Qt::RoundCap));
}
