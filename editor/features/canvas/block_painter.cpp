#include "features/canvas/block_painter.h"

#include "core/look/look.h"
#include "core/problems/problem.h"
#include "features/canvas/name_lines.h"
#include "shell/icons/icons.h"

#include <QFontMetricsF>
#include <QImage>
#include <QPainter>

#include <algorithm>

namespace weir::editor {
namespace {

constexpr qreal kSignZoom = 0.16; ///< below this, even icons are unreadable
constexpr qreal kChip = 18;       ///< pixels, like the following
constexpr qreal kLine = 13;       ///< of a name
constexpr int kMostLines = 3;     ///< of a name: imported ones are long
constexpr qreal kEdge = 1.5;
constexpr qreal kStateEdge = 2.5; ///< of states that must be visible from two metres
constexpr qreal kBadge = 8;       ///< radius

/// Draw an icon in the centre of `place`.
void paintIcon(QPainter& painter, const QRectF& place, const QString& name, const QColor& color) {
    const qreal ratio = painter.device()->devicePixelRatioF();
    const int side = qRound(std::min(place.width(), place.height()));
    QImage mark = IconStore::get().image(name, color, QSize(side, side) * ratio);
    mark.setDevicePixelRatio(ratio);
    painter.drawImage((place.center() - QPointF(side, side) / 2).toPoint(), mark);
}

} // namespace

BlockPainter::State BlockPainter::state(const BlockView& block) const {
    const QString severity = m_marks.severities.value(block.id);
    if (severity == QLatin1String("error")) return State::Wrong;
    if (block.state == BlockState::Disabled || block.ghost) return State::Off;
    if (block.state == BlockState::Bypassed) return State::Bypassed;
    if (severity == QLatin1String("warning")) return State::Doubtful;
    if (severity == kUnfinished) return State::Unfinished;
    return m_marks.running ? State::Running : State::Plain;
}

QColor BlockPainter::stateColor(State state) const {
    switch (state) {
        case State::Wrong: return m_style.error;
        case State::Off: return m_style.text3;
        case State::Bypassed:
        case State::Unfinished: return m_style.label;
        case State::Doubtful: return m_style.warning;
        case State::Running: return m_style.ok;
        case State::Plain: break;
    }
    return {};
}

BlockPainter::Colors BlockPainter::colors(const BlockView& block, State state) const {
    const auto given = m_style.blockColors.constFind(block.id);
    const bool hasGiven = given != m_style.blockColors.constEnd();
    if (state == State::Wrong || hasGiven) {
        // A colour other than the category's fills the whole block.
        const QColor fill = state == State::Wrong ? m_style.error : given->value<QColor>();
        const QColor onFill = fill.lightnessF() > 0.55F ? QColor(Qt::black) : QColor(Qt::white);
        return {fill, CanvasStyle::mixed(fill, m_style.text, 0.7F), {}, onFill, onFill};
    }
    if (state == State::Off)
        return {m_style.canvas, m_style.text3, m_style.nodeBorder, m_style.chipText, m_style.text3};
    const QColor color = m_style.category(block.category);
    return {CanvasStyle::mixed(color, m_style.node, m_style.tint), color, color, m_style.chipText, m_style.text};
}

void BlockPainter::paint(QPainter& painter, const BlockView& block) const {
    const QRectF rect = m_view.map(block.rect);
    const State now = state(block);
    Colors colors = this->colors(block, now);
    if (m_view.zoom < kSignZoom) {
        const bool loud = now == State::Wrong || now == State::Doubtful;
        painter.fillRect(rect.toAlignedRect(), loud                    ? stateColor(now)
                                               : colors.chip.isValid() ? colors.chip
                                                                       : colors.fill);
        return;
    }
    qreal width = kEdge;
    if (now == State::Doubtful || now == State::Running) {
        colors.edge = stateColor(now);
        width = kStateEdge;
    }
    QPen pen(colors.edge, width);
    if (now == State::Off) pen.setDashPattern({3, 2});
    painter.setPen(pen);
    painter.setBrush(colors.fill);
    const qreal radius = std::max(3.0, look().block.radius * m_view.zoom);
    painter.drawRoundedRect(rect, radius, radius);
    paintFace(painter, block, rect, colors, now == State::Wrong);
    if (now != State::Plain && now != State::Wrong) paintBadge(painter, rect, now);
}

void BlockPainter::paintFace(QPainter& painter, const BlockView& block, const QRectF& rect, const Colors& colors,
                             bool wrong) const {
    const QFont font = m_style.font(11, QFont::DemiBold);
    const qreal side = std::clamp(rect.height() - 6, 8.0, kChip);
    const int most = std::min(static_cast<int>((rect.height() - 4) / kLine), kMostLines);
    QStringList name = nameLines(block.id, QFontMetricsF(font), rect.width() - side - 12, most);
    // Better its kind than nothing.
    if (name.isEmpty()) name = nameLines(block.title, QFontMetricsF(font), rect.width() - side - 12, most);
    const qreal left = name.isEmpty() ? rect.center().x() - side / 2 : rect.x() + 4;
    const QRectF place(left, rect.center().y() - side / 2, side, side);
    if (colors.chip.isValid()) {
        painter.setPen(Qt::NoPen);
        painter.setBrush(colors.chip);
        painter.drawRoundedRect(place, 4, 4);
    }
    paintIcon(painter, place,
              wrong ? QStringLiteral("exclaim")
                    : IconStore::get().known(QStringLiteral("block/") + block.type,
                                             QStringLiteral("category/") + block.category),
              colors.sign);
    painter.setFont(font);
    painter.setPen(colors.ink);
    QRectF line(place.right() + 4, rect.center().y() - name.size() * kLine / 2, rect.right() - place.right() - 4,
                kLine);
    for (const QString& part : name) {
        painter.drawText(line, Qt::AlignVCenter | Qt::AlignLeft | Qt::TextDontClip, part);
        line.translate(0, kLine);
    }
}

/// Draw a sign beside the colour, for colour-blind users. It is hollow for an unfinished block.
void BlockPainter::paintBadge(QPainter& painter, const QRectF& rect, State state) const {
    const QColor color = stateColor(state);
    const bool hollow = state == State::Unfinished;
    const qreal radius = std::min(kBadge, rect.height() / 2);
    const QPointF centre = rect.topRight().toPoint(); // whole pixels keep the sign sharp
    painter.setPen(QPen(hollow ? color : m_style.canvas, kEdge));
    painter.setBrush(hollow ? m_style.node : color);
    painter.drawEllipse(centre, radius, radius);
    const QString icon = state == State::Off          ? QStringLiteral("close")
                         : state == State::Bypassed   ? QStringLiteral("arrow_right")
                         : state == State::Doubtful   ? QStringLiteral("exclaim")
                         : state == State::Unfinished ? QStringLiteral("more")
                                                      : QStringLiteral("run");
    const qreal side = 2 * radius - 4;
    paintIcon(painter, QRectF(centre - QPointF(side, side) / 2, QSizeF(side, side)), icon,
              hollow ? color : m_style.chipText);
}

void BlockPainter::paintTitle(QPainter& painter, const BlockView& block, bool selected) const {
    const QRectF rect = m_view.map(block.rect);
    painter.setPen(QPen(selected ? m_style.accent : m_style.label, kStateEdge));
    painter.setBrush(Qt::NoBrush);
    const qreal away = selected ? 3 : 0;
    painter.drawRoundedRect(rect.adjusted(-away, -away, away, away), 5, 5);
    painter.setFont(m_style.font(12, QFont::DemiBold));
    const QFontMetricsF metrics(painter.font());
    const QSizeF size(metrics.horizontalAdvance(block.id) + 14, 20);
    const QRectF label(QPointF(rect.center().x() - size.width() / 2, rect.top() - size.height() - kBadge - 1), size);
    painter.setPen(QPen(m_style.nodeBorder, 1));
    painter.setBrush(m_style.node);
    painter.drawRoundedRect(label, 5, 5);
    painter.setPen(m_style.text);
    painter.drawText(label, Qt::AlignCenter, block.id);
}

} // namespace weir::editor
