#include "node_geometry.h"

#include <QFont>
#include <QFontMetricsF>
#include <QHash>

#include <algorithm>
#include <array>

namespace weir::editor::geometry {
namespace {

/// Measuring text takes longer than everything else that a change of the scene costs, and texts recur.
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

double portY(int index) { return kHeader + 4 + kPortPitch / 2 + index * kPortPitch; }

QSizeF blockSize(const BlockView& block) {
    static constexpr std::array<double, 5> kWidths{180, 200, 220, 240, 280};
    static TextWidths name(14, QFont::DemiBold);
    static TextWidths pill(11, QFont::Medium);
    static TextWidths label(11, QFont::Normal);
    const double badge = block.badge.isEmpty() ? 0 : pill(block.badge) + 24;
    double wanted = kNameX + std::max(name(block.id) + badge, label(block.title)) + 16;
    for (const ParameterView& parameter : block.parameters)
        wanted = std::max(wanted, label(parameter.name) + 7.3 * parameter.value.size() + 40);
    const auto width = std::find_if(kWidths.begin(), kWidths.end() - 1, [wanted](double w) { return w >= wanted; });
    const double rows = static_cast<double>(std::max({block.inputs.size(), block.outputs.size(), qsizetype{1}}));
    const double parameters = static_cast<double>(block.parameters.size() + (block.moreParameters > 0 ? 1 : 0));
    const double height = kHeader + 4 + rows * kPortPitch + (parameters > 0 ? 4 + parameters * kParameterPitch : 0) + 8;
    return {*width, height};
}

QPointF portOffset(const BlockView& block, int index, bool output) {
    return {output ? block.rect.width() : 0, portY(index)};
}

} // namespace weir::editor::geometry
