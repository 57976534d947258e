#include "core/sweeping/sweep_outline.h"

#include "core/text/ticks.h"
#include "core/text/value_text.h"

#include <cmath>

namespace weir::editor {
namespace {

int countIn(const Json& object, const char* key) { return static_cast<int>(numberIn(object, key, 0)); }

SweepEstimate estimateOf(const Json& value) {
    SweepEstimate estimate{numberIn(value, "value"), {}, countIn(value, "rounds")};
    const Json& ends = list(member(value, "interval"));
    if (ends.size() == 2 && ends[0].is_number() && ends[1].is_number())
        estimate.interval = {ends[0].get<double>(), ends[1].get<double>()};
    return estimate;
}

int axisOf(const SweepOutline& outline, const QString& column) {
    for (std::size_t axis = 0; axis < outline.axes.size(); ++axis)
        if (outline.axes[axis].column == column) return static_cast<int>(axis);
    return -1;
}

std::vector<int> axesOf(const SweepOutline& outline, const Json* columns) {
    std::vector<int> axes;
    for (const QString& column : strings(columns))
        if (const int axis = axisOf(outline, column); axis >= 0) axes.push_back(axis);
    return axes;
}

SweepRunFact runOf(const Json& run, const std::vector<SweepQuantity>& quantities) {
    SweepRunFact fact{
        string(run, "directory"), string(run, "run_id"),      string(run, "status"),          string(run, "reasons"),
        countIn(run, "round"),    countIn(run, "repetition"), isTrue(run, "round_disturbed"), {}};
    for (const SweepQuantity& quantity : quantities)
        fact.values.push_back(numberIn(object(member(run, "values")), quantity.column.toStdString()));
    return fact;
}

SweepPoint pointOf(const Json& point, const SweepOutline& outline) {
    SweepPoint found{string(point, "name"), string(point, "deployment")};
    for (const SweepAxis& axis : outline.axes) {
        const Json* value = member(object(member(point, "values")), axis.column.toStdString());
        found.values.push_back(value ? *value : Json());
    }
    for (const SweepQuantity& quantity : outline.quantities) {
        const std::string column = quantity.column.toStdString();
        found.all.push_back(estimateOf(object(member(object(member(point, "all")), column))));
        found.undisturbed.push_back(estimateOf(object(member(object(member(point, "undisturbed")), column))));
    }
    for (const Json& run : list(member(point, "runs"))) found.runs.push_back(runOf(run, outline.quantities));
    return found;
}

} // namespace

std::optional<SweepOutline> sweepOutlineFrom(const Json& answer) {
    if (!member(answer, "points") || !member(answer, "figure")) return {};
    SweepOutline outline{string(answer, "id"), string(answer, "directory"), string(answer, "summary")};
    outline.remarks = strings(member(answer, "remarks"));
    outline.essence = string(answer, "essence");
    outline.complete = string(answer, "state") == QLatin1String("complete");
    const Json& rounds = object(member(answer, "rounds"));
    outline.roundsRequested = countIn(rounds, "requested");
    outline.roundsMeasured = countIn(rounds, "measured");
    outline.roundsDisturbed = countIn(rounds, "disturbed");
    for (const Json& axis : list(member(answer, "axes"))) {
        const Json& values = list(member(axis, "values"));
        outline.axes.push_back({text(member(axis, "key")), string(axis, "column"), {values.begin(), values.end()}});
    }
    const Json& figure = object(member(answer, "figure"));
    outline.x = axisOf(outline, string(figure, "x"));
    outline.lines = axesOf(outline, member(figure, "lines"));
    outline.figures = axesOf(outline, member(figure, "figures"));
    for (const Json& quantity : list(member(answer, "quantities")))
        outline.quantities.push_back({string(quantity, "column"), string(quantity, "words"), string(quantity, "unit")});
    for (const Json& point : list(member(answer, "points"))) outline.points.push_back(pointOf(point, outline));
    return outline;
}

QString labelOf(const SweepOutline& outline, const SweepPoint& point, const std::vector<int>& axes) {
    QStringList parts;
    for (const int axis : axes) {
        const auto place = static_cast<std::size_t>(axis);
        const QString value = shownText(point.values[place]);
        parts.append(outline.axes[place].key == "deployment" ? value : outline.axes[place].column + u'=' + value);
    }
    return parts.join(QStringLiteral(" · "));
}

int bestPoint(const SweepOutline& outline, int quantity) {
    if (quantity < 0 || quantity >= static_cast<int>(outline.quantities.size())) return -1;
    const auto place = static_cast<std::size_t>(quantity);
    const bool more = outline.quantities[place].isMoreBetter();
    int best = -1;
    double reached = 0;
    for (std::size_t point = 0; point < outline.points.size(); ++point) {
        const double value = outline.points[point].all[place].value;
        if (std::isnan(value) || (best >= 0 && (more ? value <= reached : value >= reached))) continue;
        best = static_cast<int>(point);
        reached = value;
    }
    return best;
}

QString quantityText(const SweepQuantity& quantity, double value) {
    if (std::isnan(value)) return kNotMeasured;
    return quantity.unit == QLatin1String("ns")        ? siText(value * 1e-9, QStringLiteral("s"))
           : quantity.unit == QLatin1String("items/s") ? throughputText(value)
                                                       : siText(value, quantity.unit);
}

} // namespace weir::editor
