#include "features/plots/plots.h"

#include "core/text/texts.h"
#include "core/text/ticks.h"
#include "core/text/value_text.h"
#include "features/plots/plot_frame.h"

#include <algorithm>
#include <cmath>

namespace weir::editor {
namespace {

constexpr double kLine = 16; ///< line height in the legend and in the box at the pointer
constexpr int kMostNamed = 8;
constexpr int kBins = 60;

QString time(double ns) { return siText(ns * 1e-9, QStringLiteral("s")); }

/// Draw rows of colour, name and value in a box beside the pointer.
void addBox(Frame& frame, QPointF corner, const QString& title, const std::vector<Entry>& entries) {
    double names = frame.widthOf(title), values = 0;
    for (const Entry& entry : entries) {
        names = std::max(names, frame.widthOf(entry.name) + 18);
        values = std::max(values, frame.widthOf(entry.value, true));
    }
    const double width = names + (values > 0 ? values + 14 : 0) + 16;
    const double height = kLine * (static_cast<double>(entries.size()) + (title.isEmpty() ? 0 : 1)) + 10;
    const QRectF area = frame.area;
    corner.setX(corner.x() + width + 12 > area.right() ? corner.x() - width - 12 : corner.x() + 12);
    corner.setY(std::clamp(corner.y(), area.top() + 4, std::max(area.bottom() - height - 4, area.top() + 4)));
    corner = QPointF(std::round(corner.x()), std::round(corner.y()));
    frame.drawing.add(Area{{corner, QSizeF(width, height)}, frame.style.background, 4, frame.style.axis});
    double y = corner.y() + 13;
    if (!title.isEmpty()) {
        frame.text({corner.x() + 8, y}, title, frame.style.ink, Qt::AlignLeft | Qt::AlignVCenter, true);
        y += kLine;
    }
    for (const Entry& entry : entries) {
        frame.key({corner.x() + 8, std::round(y)}, entry);
        frame.text({corner.x() + width - 8, y}, entry.value, frame.style.ink, Qt::AlignRight | Qt::AlignVCenter, false,
                   true);
        y += kLine;
    }
}

std::vector<const Curve*> named(const std::vector<Curve>& curves) {
    std::vector<const Curve*> found;
    for (const Curve& curve : curves)
        if (!curve.thin) found.push_back(&curve);
    return found;
}

/// Draw the legend above the curves: beside the title of the axis, or in lines below that title.
void addLegend(Frame& frame, const std::vector<Curve>& curves, const QString& title) {
    const auto shown = named(curves);
    std::vector<Entry> entries;
    for (const Curve* curve : shown) {
        if (entries.size() == kMostNamed) {
            entries.push_back(
                {ResultsText::tr("and %n more", nullptr, static_cast<int>(shown.size() - kMostNamed)), {}, {}});
            break;
        }
        entries.push_back({curve->name, {}, frame.style.colour(curve->colour)});
    }
    const double left = 12, right = frame.drawing.size.width() - 8;
    double x = left + frame.widthOf(title) * 1.1 + 24, y = 15;
    for (const Entry& entry : entries) {
        const double width = frame.widthOf(entry.name) + 18;
        if (x > left && x + width > right) {
            x = left;
            y += kLine;
        }
        frame.key({std::round(x), y}, entry);
        x += width + 20;
    }
    frame.area.setTop(std::min(std::max(frame.area.top(), y + kLine), frame.area.bottom() - 10));
}

/// Map percentiles to the axis: 0, 0.9, 0.99, … become 0, 1, 2, …
double nines(double percentile) { return -std::log10(1 - percentile); }

QPolygonF curvePoints(const Hgrm& curve, const Axis& x, const Axis& y) {
    QPolygonF points;
    std::vector<HgrmPoint> known;
    std::copy_if(curve.points.begin(), curve.points.end(), std::back_inserter(known),
                 [end = curve.known()](const HgrmPoint& point) { return point.percentile < end; });
    known.push_back({curve.known(), curve.valueAt(curve.known()), 0});
    for (const HgrmPoint& point : known) {
        const QPointF place(x.at(nines(point.percentile)), y.at(point.value));
        // More than two points in one column of pixels would be invisible.
        if (points.size() >= 2 && std::abs(place.x() - points[points.size() - 2].x()) < 0.4) points.last() = place;
        else points.append(place);
    }
    return points;
}

Axis latencyAxis(double low, double high, bool logarithmic, double from, double to) {
    if (logarithmic && low > 0) {
        const double top = high > low ? high : low * 2;
        return {low / std::pow(top / low, 0.03), top * std::pow(top / low, 0.05), from, to, true};
    }
    return {0, high > 0 ? high * 1.05 : 1, from, to, false};
}

std::vector<double> ticksOf(const Axis& axis, const Scale& scale, int atMost) {
    return axis.logarithmic ? logarithmicTicks(axis.low / scale.factor, axis.high / scale.factor, atMost)
                            : linearTicks(axis.low / scale.factor, axis.high / scale.factor, atMost);
}

void addReading(Frame& frame, const std::vector<Curve>& curves, const Axis& x, const Axis& y, QPointF pointer) {
    const double pixel = std::clamp(pointer.x(), frame.area.left(), frame.area.right());
    const double percentile = 1 - std::pow(10.0, -x.valueAt(pixel));
    std::vector<Entry> entries;
    frame.line({std::round(pixel), frame.area.top()}, {std::round(pixel), frame.area.bottom()}, frame.style.axis, 1,
               {3, 3});
    for (const Curve* curve : named(curves)) {
        if (percentile > curve->distribution.known() + 1e-9) continue;
        const double value = curve->distribution.valueAt(percentile);
        frame.drawing.add(Dot{{pixel, y.at(value)}, 4, frame.style.colour(curve->colour), frame.style.background});
        if (entries.size() < 2 * kMostNamed)
            entries.push_back({curve->name, time(value), frame.style.colour(curve->colour)});
    }
    const double shown = std::max(percentile, 0.0);
    const int digits = std::clamp(static_cast<int>(std::ceil(x.valueAt(pixel))), 1, 7);
    addBox(frame, {pixel, pointer.y()},
           ResultsText::tr("%1 % of items within")
               .arg(percentileText(std::floor(shown * std::pow(10.0, digits + 2)) / std::pow(10.0, digits + 2))),
           entries);
}

struct Percentile {
    QString name;
    double pixel;  ///< NaN if the run has too few samples; its tables then omit the percentile, too
    double height; ///< of the name, from the top
};

/// Say above the bars why a percentile has no line.
void sayLacking(Frame& frame, const Curve& curve) {
    for (const auto& [share, value] : {std::pair(0.5, curve.p50), {0.99, curve.p99}})
        if (std::isnan(value)) {
            frame.text({12, frame.area.top() - 6}, tooFewText(share, curve.distribution.total), frame.style.muted,
                       Qt::AlignLeft | Qt::AlignTop);
            frame.area.setTop(frame.area.top() + kLine);
        }
}

/// Draw the line of a percentile, if the percentile is known.
void addPercentile(Frame& frame, const Percentile& it) {
    const double top = frame.area.top(), last = frame.area.right();
    if (std::isnan(it.pixel)) return;
    const double pixel = std::round(it.pixel);
    frame.line({pixel, top + it.height}, {pixel, frame.area.bottom()}, frame.style.ink, 1,
               {2, 3}); // the heights differ, so no line crosses another name
    const bool right = pixel > last - 40;
    frame.text({pixel + (right ? -4 : 4), top + it.height}, it.name, frame.style.ink,
               (right ? Qt::AlignRight : Qt::AlignLeft) | Qt::AlignTop, true);
}

} // namespace

Drawing percentilePlot(const std::vector<Curve>& curves, QSizeF size, const PlotStyle& style,
                       const PlotOptions& options) {
    Frame frame(size, style);
    double low = 0, high = 0, samples = 0, few = 0;
    for (const Curve& curve : curves) {
        few = std::max(few, curve.distribution.total);
        if (curve.distribution.known() == 0) continue;
        const double first = std::max(curve.distribution.points.front().value, 1.0);
        low = low > 0 ? std::min(low, first) : first;
        high = std::max(high, curve.distribution.valueAt(curve.distribution.known()));
        samples = std::max(samples, curve.distribution.total);
    }
    if (samples == 0) {
        frame.sayEmpty(few > 0 ? tooFewText(0.5, few) : ResultsText::tr("No latency was measured in this run."));
        return std::move(frame.drawing);
    }
    const Scale seconds = siScale(high * 1e-9, QStringLiteral("s"));
    const Scale scale{seconds.factor * 1e9, seconds.unit};
    const QString title = ResultsText::tr("Latency, %1").arg(scale.unit);
    addLegend(frame, curves, title);
    const Axis x{0, std::max(nines(Hgrm{{}, samples}.known()), 1.0), frame.area.left(), frame.area.right(), false};
    const Axis y = latencyAxis(low, high, options.logarithmic, frame.area.bottom(), frame.area.top());
    for (const double tick : ticksOf(y, scale, std::max(3, static_cast<int>(frame.area.height() / 26))))
        frame.tickY(y.at(tick * scale.factor), tickText(tick));
    const int stride = std::max(1, static_cast<int>(std::ceil(kTickGap * x.high / frame.area.width())));
    for (int count = 0; count <= x.high + 1e-9; count += stride)
        frame.tickX(x.at(count), percentileText(1 - std::pow(10.0, -count)));
    if (stride == 1 && x.at(std::log10(2.0)) - x.from > 28 && x.at(1) - x.at(std::log10(2.0)) > 28)
        frame.tickX(x.at(std::log10(2.0)), QStringLiteral("50"));
    frame.axes(ResultsText::tr("Percentile, %, without the 10 largest latencies"), title);
    // Draw the pooled curve last, so that it lies on top. It comes first in the list.
    for (auto curve = curves.rbegin(); curve != curves.rend(); ++curve) {
        QColor color = style.colour(curve->colour);
        if (curve->thin) color.setAlphaF(0.3F);
        if (curve->distribution.known() == 0) continue;
        const QPolygonF points = curvePoints(curve->distribution, x, y);
        const bool again = curve->colour >= style.series.size();
        frame.drawing.add(Stroke{points, color,
                                 curve->thin                  ? 1.0
                                 : curve == curves.rend() - 1 ? 2.5
                                                              : 1.75,
                                 again ? QList<qreal>{4, 2} : QList<qreal>{}});
    }
    if (options.pointer && frame.area.adjusted(-2, -2, 2, 2).contains(*options.pointer))
        addReading(frame, curves, x, y, *options.pointer);
    return std::move(frame.drawing);
}

Drawing histogramPlot(const std::vector<Curve>& curves, QSizeF size, const PlotStyle& style,
                      const PlotOptions& options) {
    Frame frame(size, style);
    const Curve* curve = curves.empty() ? nullptr : &curves.front();
    if (!curve || curve->distribution.isEmpty()) {
        frame.sayEmpty(ResultsText::tr("No latency was measured in this run."));
        return std::move(frame.drawing);
    }
    const Hgrm& all = curve->distribution;
    sayLacking(frame, *curve);
    const double least = std::max(all.points.front().value, 1.0);
    const double most = std::max(all.points.back().value, least * 1.2);
    const Axis x{least / std::pow(most / least, 0.02), most * std::pow(most / least, 0.02), frame.area.left(),
                 frame.area.right(), true};
    const int bins = std::clamp(static_cast<int>(frame.area.width() / 6), 10, kBins);
    std::vector<double> shares;
    double below = 0, tallest = 0;
    const auto edge = [&](int bin) { return x.valueAt(x.from + (x.to - x.from) * bin / bins); };
    for (int bin = 0; bin < bins; ++bin) {
        const double upTo = bin == bins - 1 ? all.total : all.countAt(edge(bin + 1));
        shares.push_back(100 * (upTo - below) / all.total);
        tallest = std::max(tallest, shares.back());
        below = upTo;
    }
    // A logarithmic axis shows rare values, too. It starts below the share of one sample.
    const double floor = std::max(100 / all.total / 2, 1e-6);
    // Leave room for the names of the percentiles above the bars.
    const double names = 2 * kLine / std::max(frame.area.height() - 2 * kLine, 4 * kLine);
    const Axis y = options.logarithmic ? Axis{floor, tallest * std::pow(tallest / floor, names), frame.area.bottom(),
                                              frame.area.top(), true}
                                       : Axis{0, tallest * (1 + names), frame.area.bottom(), frame.area.top(), false};
    for (const double tick : ticksOf(y, {}, std::max(3, static_cast<int>(frame.area.height() / 26))))
        frame.tickY(y.at(tick), tickText(tick));
    const int room = std::max(2, static_cast<int>(frame.area.width() / kTickGap));
    for (const double tick : logarithmicTicks(x.low, x.high, room))
        frame.tickX(x.at(tick),
                    time(tick).remove(QStringLiteral(".00")).replace(QStringLiteral(".0 "), QStringLiteral(" ")));
    const auto hovered = options.pointer && frame.area.contains(*options.pointer)
                             ? static_cast<int>((options.pointer->x() - x.from) / (x.to - x.from) * bins)
                             : -1;
    const QColor fill = style.colour(curve->colour);
    for (int bin = 0; bin < bins; ++bin) {
        // A bar below half an item comes from interpolation between two lines of the file, not from a measurement.
        if (shares[static_cast<std::size_t>(bin)] * all.total < 50) continue;
        const double left = std::round(x.from + (x.to - x.from) * bin / bins);
        const double right = std::round(x.from + (x.to - x.from) * (bin + 1) / bins);
        const double top = std::min(std::round(y.at(shares[static_cast<std::size_t>(bin)])), frame.area.bottom() - 1);
        QColor color = fill;
        if (bin != hovered) color.setAlphaF(0.75F);
        frame.drawing.add(Area{{left, top, std::max(right - left - 1, 1.0), frame.area.bottom() - top}, color, 0, {}});
    }
    frame.axes(ResultsText::tr("Latency"), ResultsText::tr("Share of items, %"));
    // The file does not say where samples lie within one of its lines. So put a percentile into the bar that reaches
    // it.
    const auto place = [&](double share, double value) {
        double sum = 0;
        for (int bin = 0; bin < bins; ++bin)
            if (sum += shares[static_cast<std::size_t>(bin)]; sum >= 100 * share - 1e-9)
                return std::isnan(value) ? value : std::clamp(x.at(value), x.at(edge(bin)), x.at(edge(bin + 1)) - 1);
        return x.at(value);
    };
    addPercentile(frame, {QStringLiteral("p50"), place(0.5, curve->p50), 2});
    addPercentile(frame, {QStringLiteral("p99"), place(0.99, curve->p99), 16});
    if (hovered >= 0 && hovered < bins)
        addBox(
            frame, *options.pointer, ResultsText::tr("%1 to %2").arg(time(edge(hovered)), time(edge(hovered + 1))),
            {{curve->name, QStringLiteral("%1 %").arg(measuredText(shares[static_cast<std::size_t>(hovered)])), fill}});
    return std::move(frame.drawing);
}

}  // namespace weir::editor
