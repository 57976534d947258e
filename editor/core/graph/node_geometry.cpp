#include "core/graph/node_geometry.h"

#include <QFont>
#include <QFontMetricsF>
#include <QHash>

#include <algorithm>

namespace weir::editor::geometry {
namespace {

/// Cache of text widths: measuring text dominates the cost of a scene update, and texts recur.
class TextWidths {
  public:
    TextWidths(int pixelSize, QFont::Weight weight) : m_pixelSize(pixelSize), m_weight(weight) {}

    double operator()(const QString& text) {
        const auto known = m_known.constFind(text);
        if (known != m_known.constEnd()) return *known;
        if (m_known.size() > kMaximumKnown) m_known.clear();
        QFont font;
        font.setPixelSize(m_pixelSize);
        font.setWeight(m_weight);
        return *m_known.insert(text, QFontMetricsF(font).horizontalAdvance(text));
    }

  private:
    static constexpr qsizetype kMaximumKnown = 20000;

    int m_pixelSize;
    QFont::Weight m_weight;
    QHash<QString, double> m_known;
};

} // namespace

double portY(int index) { return look().block.header + look().block.gap + (index + 0.5) * look().ports.pitch; }

QSizeF blockSize(const BlockView& block) {
    const Look::Block& sizes = look().block;
    const Look::Rows& row = look().rows;
    static TextWidths name(sizes.name, QFont::DemiBold);
    static TextWidths pill(sizes.small, QFont::Medium);
    static TextWidths label(sizes.small, QFont::Normal);
    const double badge = block.badge.isEmpty() ? 0 : pill(block.badge) + sizes.pill;
    double wanted = sizes.left + std::max(name(block.id) + badge, label(block.title)) + sizes.right;
    for (const ParameterView& parameter : block.parameters)
        wanted = std::max(
            wanted, label(parameter.name) + row.advance * static_cast<double>(parameter.value.size()) + row.between);
    const auto width =
        std::find_if(sizes.widths.begin(), sizes.widths.end() - 1, [wanted](double w) { return w >= wanted; });
    const auto rows = static_cast<double>(std::max({block.inputs.size(), block.outputs.size(), qsizetype{1}}));
    const auto parameters = static_cast<double>(block.parameters.size() + (block.moreParameters > 0 ? 1 : 0));
    const double height = sizes.header + sizes.gap + rows * look().ports.pitch +
                          (parameters > 0 ? sizes.gap + parameters * row.pitch : 0) + sizes.foot;
    return {*width, height};
}

QPointF portOffset(const BlockView& block, int index, bool output) {
    return {output ? block.rect.width() : 0, portY(index)};
}

} // namespace weir::editor::geometry
