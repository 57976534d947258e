#include "features/mapping/bar_layout.h"

#include "core/text/texts.h"

#include <algorithm>
#include <cmath>

namespace weir::editor {
namespace {

using namespace lanes;

constexpr double kBetween = 12;
constexpr double kFrame = 6;        ///< from the last bar of a loop to its frame
constexpr double kDeepestFrames = 16; ///< above a bar, of all loops around it

/// Places bars one after the other, with the edges of loops between them.
class BarLine {
  public:
    BarLine(LaneRow& row, double top, double width)
        : m_row(row), m_right(barsRight(width)), m_y(top + kPadding), m_top(top) {
        std::size_t depth = 0;
        for (const LaneBar& bar : row.bars) depth = std::max(depth, bar.loops.size());
        m_step = depth == 0 ? 0 : std::clamp(std::floor(kDeepestFrames / static_cast<double>(depth)), 2.0, 5.0);
        row.lead = m_step * static_cast<double>(depth);
    }

    double place() {
        for (LaneBar& bar : m_row.bars) put(bar);
        closeDownTo(0);
        return m_y + height() + kPadding - m_top;
    }

  private:
    struct Open {
        LaneLoop loop;
        double left;
        bool begins;
    };

    double height() const { return kBar + 2 * m_row.lead; }

    void put(LaneBar& bar) {
        std::size_t common = 0;
        while (common < std::min(m_open.size(), bar.loops.size()) && m_open[common].loop == bar.loops[common]) ++common;
        closeDownTo(common);
        double labels = 0;
        for (std::size_t loop = common; loop < bar.loops.size(); ++loop)
            labels += labelWidth(bar.loops[loop]) + 2 * kFrame;
        const double wanted = std::min(widthOf(bar), m_right - barsLeft());
        if (m_x > barsLeft() && !m_first && m_x + labels + wanted > m_right) breakLine();
        while (m_open.size() < bar.loops.size()) open(bar.loops[m_open.size()]);
        bar.rect = {m_x, m_y + m_row.lead, std::max(std::min(wanted, m_right - m_x), kLeastBar), kBar};
        m_edge = bar.rect.right();
        m_x = m_edge + kBetween;
        m_first = false;
    }

    void open(const LaneLoop& loop) {
        m_open.push_back({loop, m_x, true});
        const double width = labelWidth(loop);
        LanePart part;
        part.kind = QStringLiteral("loop");
        part.key = QStringLiteral("%1 loop %2").arg(m_row.worker).arg(loop.number);
        part.title = MappingText::tr("%1 ×").arg(loop.times);
        part.rect = {m_x + kFrame, m_y + m_row.lead + (kBar - kLoopLabel) / 2, width, kLoopLabel};
        for (const LaneBar& bar : m_row.bars)
            if (std::find(bar.loops.begin(), bar.loops.end(), loop) != bar.loops.end())
                part.instances.append(bar.instances);
        part.instances.removeDuplicates();
        part.writers = part.instances;
        part.text = MappingText::tr("loop, repeated %n time(s)", nullptr, static_cast<int>(loop.times)) + u'\n' +
                    MappingText::tr("%n call(s) each time", nullptr, static_cast<int>(callsIn(loop)));
        m_row.parts.push_back(std::move(part));
        m_x += width + 2 * kFrame;
    }

    std::ptrdiff_t callsIn(const LaneLoop& loop) const {
        std::ptrdiff_t calls = 0;
        for (const LaneBar& bar : m_row.bars)
            if (const auto it = std::find(bar.loops.begin(), bar.loops.end(), loop); it != bar.loops.end()) {
                std::ptrdiff_t times = bar.together ? 1 : bar.instances.size();
                for (auto inner = std::next(it); inner != bar.loops.end(); ++inner) times *= inner->times;
                calls += times;
            }
        return calls;
    }

    void closeDownTo(std::size_t depth) {
        while (m_open.size() > depth) {
            m_edge += kFrame;
            frame(m_open.size() - 1, true);
            m_open.pop_back();
            m_x = m_edge + kBetween;
        }
    }

    void breakLine() {
        for (std::size_t depth = 0; depth < m_open.size(); ++depth) frame(depth, false);
        m_y += height() + kGap;
        m_x = barsLeft();
        for (Open& open : m_open) {
            open.left = m_x;
            open.begins = false;
            m_x += kFrame;
        }
        m_first = true;
    }

    void frame(std::size_t depth, bool ends) {
        const Open& open = m_open[depth];
        const double inset = m_step * static_cast<double>(depth);
        const double right = ends ? m_edge : m_edge + kFrame;
        m_row.frames.push_back({{open.left, m_y + inset, right - open.left, height() - 2 * inset}, open.begins, ends});
    }

    static double labelWidth(const LaneLoop& loop) {
        return 24 + 7 * static_cast<double>(QString::number(loop.times).size());
    }

    double widthOf(const LaneBar& bar) const {
        // Keep names readable, even if bars become wider than their share.
        const double percent = bar.share < 0 ? 0 : 40;
        const double times = bar.times == 0 ? 0 : 22 + 7 * static_cast<double>(QString::number(bar.times).size());
        const double name = 44.0 + 7.5 * static_cast<double>(bar.title.size()) + percent;
        const double most = std::max(220.0, (m_right - barsLeft()) / 3);
        const double text = std::clamp(name, kLeastBar, most) + times;
        return std::max(text, bar.share * (m_right - barsLeft() - 60));
    }

    LaneRow& m_row;
    std::vector<Open> m_open;
    double m_right;
    double m_step = 0;
    double m_x = barsLeft();
    double m_y;
    double m_top;
    double m_edge = barsLeft(); ///< right edge of the last placed bar
    bool m_first = true;        ///< true at the start of a line
};

} // namespace

std::vector<LaneBar> barsOf(const QStringList& instances, const InstanceIndex& known, const LaneInput& input) {
    std::vector<LaneBar> bars;
    QHash<QString, std::size_t> folded;
    for (const QString& name : instances) {
        const PlannedInstance* instance = known.value(name);
        const QString block = instance ? instance->block : name;
        const double share = input.measured.shareOf.value(name, -1);
        const auto it = folded.constFind(block);
        if (input.options.unfolded || it == folded.constEnd()) {
            folded.insert(block, bars.size());
            bars.push_back({{name}, block, name, {}, share, false});
            continue;
        }
        LaneBar& bar = bars[*it];
        bar.instances.append(name);
        bar.share = share < 0 || bar.share < 0 ? -1 : bar.share + share;
        bar.title = QStringLiteral("%1 × %2").arg(block).arg(bar.instances.size());
    }
    return bars;
}

double placeBars(LaneRow& row, double top, double width) { return BarLine(row, top, width).place(); }

double barsLeft() { return kHeader + kLabel; }

double barsRight(double width) { return std::max(width - 12, barsLeft() + 2 * kLeastBar); }

} // namespace weir::editor
