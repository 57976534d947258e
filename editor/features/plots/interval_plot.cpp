#include "core/text/texts.h"
#include "core/text/ticks.h"
#include "features/plots/plot_frame.h"

namespace weir::editor {
namespace {

constexpr double kManyTimes = 5; ///< from this factor on, differences are shown as multiples instead of percentages

/// Convert a difference in percent to B as a multiple of A.
double multipleOf(double percent) { return std::max(1 + percent / 100, 1e-6); }

/// Return the largest distance of a difference from zero, in percent and as a factor.
std::pair<double, double> reachOf(const std::vector<Interval>& intervals, double threshold) {
    double percent = threshold * 1.5, factor = 1;
    const auto take = [&](double value) {
        percent = std::max(percent, std::abs(value));
        factor = std::max({factor, multipleOf(value), 1 / multipleOf(value)});
    };
    for (const Interval& interval : intervals) {
        take(interval.estimate);
        if (interval.range) {
            take(interval.range->first);
            take(interval.range->second);
        }
    }
    return {percent, factor};
}

/// Axis of differences. It is logarithmic if one difference is a large multiple: a linear axis would press all others
/// onto zero.
struct DifferenceAxis {
    Axis axis;

    DifferenceAxis(const std::vector<Interval>& intervals, double threshold, const QRectF& area) {
        const auto [percent, factor] = reachOf(intervals, threshold);
        const double reach = std::min(percent * 1.08, 1e6), top = factor * 1.2;
        axis = factor < kManyTimes ? Axis{-reach, reach, area.left(), area.right(), false}
                                   : Axis{1 / top, top, area.left(), area.right(), true};
    }
    double at(double percent) const { return axis.at(axis.logarithmic ? multipleOf(percent) : percent); }
    void addTicks(Frame& frame) const {
        const int most = std::clamp(static_cast<int>(frame.area.width() / kTickGap), 4, 9);
        if (axis.logarithmic) {
            for (const double tick : logarithmicTicks(axis.low, axis.high, most))
                frame.tickX(axis.at(tick), QStringLiteral("×") + tickText(tick));
            return;
        }
        for (const double tick : linearTicks(axis.low, axis.high, most))
            frame.tickX(axis.at(tick), (tick > 0 ? QStringLiteral("+") : QString()) + tickText(tick));
    }
    QString title() const {
        return axis.logarithmic ? ResultsText::tr("B as a multiple of A, logarithmic")
                                : ResultsText::tr("Difference of B from A, %");
    }
};

} // namespace

Drawing intervalPlot(const std::vector<Interval>& intervals, double threshold, QSizeF size, const PlotStyle& style,
                     bool isWorking) {
    Frame frame(size, style, 132);
    if (intervals.empty()) {
        frame.sayEmpty(isWorking ? ResultsText::tr("comparing…") : ResultsText::tr("There is nothing to compare."));
        return std::move(frame.drawing);
    }
    const DifferenceAxis x(intervals, threshold, frame.area);
    const double left = std::round(x.at(-threshold)), right = std::round(x.at(threshold));
    frame.drawing.add(
        Area{{left, frame.area.top(), std::max(right - left, 1.0), frame.area.height()}, style.grid, 0, {}});
    x.addTicks(frame);
    frame.line({std::round(x.at(0)), frame.area.top()}, {std::round(x.at(0)), frame.area.bottom()}, style.ink);
    frame.line(frame.area.bottomLeft(), frame.area.bottomRight(), style.axis);
    const double step = frame.area.height() / static_cast<double>(intervals.size());
    for (std::size_t row = 0; row < intervals.size(); ++row) {
        const Interval& interval = intervals[row];
        const double y = std::round(frame.area.top() + (static_cast<double>(row) + 0.5) * step);
        const QColor color = interval.tone > 0 ? style.good : interval.tone < 0 ? style.bad : style.ink;
        frame.text({frame.area.left() - 12, y}, interval.name, style.ink, Qt::AlignRight | Qt::AlignVCenter, row == 0);
        if (interval.range) {
            const double from = x.at(interval.range->first), to = x.at(interval.range->second);
            frame.line({from, y}, {to, y}, color, 2);
            for (const double end : {from, to})
                frame.line({std::round(end), y - 5}, {std::round(end), y + 5}, color, 2);
        }
        frame.drawing.add(
            Dot{{x.at(interval.estimate), y}, row == 0 ? 5.0 : 4.0, interval.range ? color : style.background, color});
    }
    frame.text({frame.area.center().x(), frame.drawing.size.height() - 4}, x.title(), style.ink,
               Qt::AlignHCenter | Qt::AlignBottom);
    const bool seen = right - left >= 4; // too narrow to see on an axis of multiples
    frame.text({frame.area.right(), 8},
               (seen ? ResultsText::tr("grey: ± %1 %, no difference") : ResultsText::tr("within ± %1 %: no difference"))
                   .arg(tickText(threshold)),
               style.muted, Qt::AlignRight | Qt::AlignTop);
    return std::move(frame.drawing);
}

} // namespace weir::editor
