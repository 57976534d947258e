#include "features/design/response_plot.h"

#include "core/text/ticks.h"
#include "core/text/value_text.h"
#include "features/plots/plot_frame.h"

#include <algorithm>
#include <cmath>

namespace weir::editor {
namespace {

constexpr double kLeft = 42;
constexpr double kRange = 100, kStep = 20; ///< dB shown at least; the range ends at a multiple of the step
constexpr double kTick = 42;               ///< width of a label of the x axis in pixels, which is short here
constexpr double kLegend = 15;             ///< y of the reading above the curves

QPolygonF curve(const std::vector<double>& frequencies, const std::vector<double>& magnitudes, const Axis& x,
                const Axis& y) {
    QPolygonF points;
    for (std::size_t index = 0; index < std::min(frequencies.size(), magnitudes.size()); ++index)
        points.append({x.at(frequencies[index]), y.at(std::max(magnitudes[index], y.low))});
    return points;
}

/// Draw the transitions between pass bands and stop bands, and the cutoffs.
void addEdges(Frame& frame, const DesignAnswer& answer, const Axis& x) {
    std::vector<std::pair<double, double>> bands;
    for (const char* key : {"passband_hz", "stopband_hz"})
        for (const Json& band : list(member(answer.facts, key)))
            if (band.is_array() && band.size() == 2 && band[0].is_number() && band[1].is_number())
                bands.emplace_back(band[0].get<double>(), band[1].get<double>());
    std::sort(bands.begin(), bands.end());
    for (std::size_t index = 1; index < bands.size(); ++index) {
        const double left = x.at(bands[index - 1].second), right = x.at(bands[index].first);
        frame.drawing.add(
            Area{{left, frame.area.top(), std::max(right - left, 1.0), frame.area.height()}, frame.style.grid});
    }
    for (const char* key : {"cutoff", "low_cutoff", "high_cutoff"})
        if (const Json* edge = member(answer.design, key); edge && edge->is_number()) {
            const double pixel = std::round(x.at(edge->get<double>()));
            frame.line({pixel, frame.area.top()}, {pixel, frame.area.bottom()}, frame.style.ink, 1, {2, 3});
        }
}

void addReading(Frame& frame, const DesignAnswer& answer, const Axis& x, const Axis& y, const QString& unit,
                double pointer) {
    const double pixel = std::clamp(pointer, frame.area.left(), frame.area.right());
    const auto count = static_cast<double>(answer.frequencies.size());
    const auto index = static_cast<std::size_t>(std::clamp((pixel - x.from) / (x.to - x.from) * count, 0.0, count - 1));
    const double magnitude = answer.magnitudes[index];
    frame.line({std::round(pixel), frame.area.top()}, {std::round(pixel), frame.area.bottom()}, frame.style.axis, 1,
               {3, 3});
    frame.drawing.add(Dot{{pixel, y.at(std::max(magnitude, y.low))}, 4, frame.style.colour(0), frame.style.background});
    const QString frequency =
        unit.isEmpty() ? QString::number(answer.frequencies[index], 'f', 3) : siText(answer.frequencies[index], unit);
    frame.text({frame.area.right(), kLegend},
               FilterDesign::tr("%1: %2 dB").arg(frequency, QString::number(magnitude, 'f', 1)), frame.style.ink,
               Qt::AlignRight | Qt::AlignVCenter, false, true);
}

} // namespace

Drawing responsePlot(const std::optional<DesignAnswer>& answer, QSizeF size, const PlotStyle& style,
                     const PlotOptions& options) {
    Frame frame(size, style, kLeft);
    if (!answer || answer->magnitudes.empty() || answer->magnitudes.size() != answer->frequencies.size()) {
        frame.sayEmpty(FilterDesign::tr("No response yet"));
        return std::move(frame.drawing);
    }
    const DesignAnswer& shown = *answer;
    const double half = shown.frequencies.back() + shown.frequencies[1];
    const double top =
        std::ceil((*std::max_element(shown.magnitudes.begin(), shown.magnitudes.end()) + 2) / kStep) * kStep;
    const Json* lobes = member(shown.facts, "side_lobes_db");
    const double range =
        lobes && lobes->is_number() ? std::max(kRange, std::ceil(lobes->get<double>() / kStep + 2) * kStep) : kRange;
    const Axis x{0, half, frame.area.left(), frame.area.right(), false};
    const Axis y{top - range, top, frame.area.bottom(), frame.area.top(), false};
    const QString unit = shown.design.is_object() ? QStringLiteral("Hz") : QString();
    if (shown.design.is_object()) addEdges(frame, shown, x);
    for (double tick = top; tick >= y.low; tick -= range > kRange + kStep ? 2 * kStep : kStep)
        frame.tickY(y.at(tick), tickText(tick));
    const Scale scale = siScale(half, unit);
    for (const double tick :
         linearTicks(0, half / scale.factor, std::max(3, static_cast<int>(frame.area.width() / kTick))))
        frame.tickX(x.at(tick * scale.factor), tickText(tick));
    if (!shown.stored.empty() && !shown.agrees && shown.design.is_object())
        frame.drawing.add(Stroke{curve(shown.frequencies, shown.stored, x, y), style.muted, 1});
    frame.drawing.add(Stroke{curve(shown.frequencies, shown.magnitudes, x, y), style.colour(0), 1.5});
    frame.axes(unit.isEmpty() ? FilterDesign::tr("Frequency, share of the sample rate")
                              : FilterDesign::tr("Frequency, %1").arg(scale.unit),
               FilterDesign::tr("Magnitude, dB"));
    if (options.pointer) addReading(frame, shown, x, y, unit, options.pointer->x());
    return std::move(frame.drawing);
}

void ResponsePlot::setDesign(FilterDesign* design) {
    if (m_design == design) return;
    if (m_design) m_design->disconnect(this);
    m_design = design;
    if (design) connect(design, &FilterDesign::changed, this, &PlotItem::changed);
    emit designChanged();
    emit changed();
}

Drawing ResponsePlot::draw(QSizeF size, const PlotStyle& style, const PlotOptions& options) const {
    return responsePlot(m_design ? m_design->answer() : std::nullopt, size, style, options);
}

} // namespace weir::editor
