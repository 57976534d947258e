#include "features/compare/comparison.h"

#include "core/runs/run_record.h"
#include "core/text/prose.h"
#include "core/text/texts.h"
#include "core/text/ticks.h"
#include "core/text/value_text.h"

#include <QRegularExpression>

#include <algorithm>
#include <cmath>

namespace weir::editor {
namespace {

const Json& compared(const Json& answer) {
    const Json& all = list(member(answer, "comparisons"));
    return all.empty() ? object(nullptr) : all.front();
}

QString metricName(const QString& id) {
    static const QHash<QString, const char*> kNames{
        {QStringLiteral("throughput_items_per_s"), QT_TRANSLATE_NOOP("Results", "Throughput")},
        {QStringLiteral("mean_ns"), QT_TRANSLATE_NOOP("Results", "Mean latency")},
        {QStringLiteral("p50_ns"), QT_TRANSLATE_NOOP("Results", "p50 latency")},
        {QStringLiteral("p95_ns"), QT_TRANSLATE_NOOP("Results", "p95 latency")},
        {QStringLiteral("p99_ns"), QT_TRANSLATE_NOOP("Results", "p99 latency")},
        {QStringLiteral("p999_ns"), QT_TRANSLATE_NOOP("Results", "p99.9 latency")},
        {QStringLiteral("max_ns"), QT_TRANSLATE_NOOP("Results", "Largest latency")},
        {QStringLiteral("elapsed_s"), QT_TRANSLATE_NOOP("Results", "Elapsed time")}};
    const char* name = kNames.value(id);
    return name ? ResultsText::tr(name) : id;
}

/// Return the quantity as text; null if a side has no value.
QString quantity(double value, const QString& unit) {
    if (std::isnan(value)) return kNotMeasured;
    return unit == QLatin1String("ns")        ? siText(value * 1e-9, QStringLiteral("s"))
           : unit == QLatin1String("items/s") ? throughputText(value)
                                              : siText(value, unit);
}

/// Return whether rates come from windows under 0.2 s.
bool isUncertain(const Json& metric) { return numberOf(metric, "short_windows") > 0; }

/// Return whether latencies were measured on a side, even if too few for some percentile.
bool hasLatency(const Json& metrics, const char* side) {
    return std::any_of(metrics.begin(), metrics.end(), [side](const Json& metric) {
        return percentileOf(string(metric, "id")) > 0 && !std::isnan(numberOf(metric, side));
    });
}

/// Return the cell of a percentile that a side lacks, with the reason.
TableCell sideCell(const Json& metric, const char* side, const Json& metrics) {
    const double value = numberOf(metric, side), percentile = percentileOf(string(metric, "id"));
    TableCell cell{quantity(value, string(metric, "unit")), value};
    if (std::isnan(value) && percentile > 0 && hasLatency(metrics, side)) {
        cell.text = tooFewWords();
        cell.hint =
            ResultsText::tr(
                "p%1 needs at least %2 latencies in each run, so that 10 lie above the percentile. Run more items.")
                .arg(percentileText(percentile), tickText(neededFor(percentile)));
    }
    return cell;
}

/// Return the verdict on a metric, with a hint if a side has too few latencies for it.
TableCell verdictCell(const Json& metric, const TableCell& a, const TableCell& b) {
    const QString verdict = string(metric, "verdict");
    const QString hint = a.hint.isEmpty() ? b.hint : a.hint;
    if (verdict == QLatin1String("not measured") && !hint.isEmpty()) return {.text = tooFewWords(), .hint = hint};
    if (verdict == QLatin1String("in doubt"))
        return {.text = verdictText(verdict),
                .hint = ResultsText::tr("There is a difference, but interference may have caused it by slowing down "
                                        "the slower side. See the text above, and Remarks.")};
    if (verdict == QLatin1String("no difference"))
        return {.text = verdictText(verdict),
                .hint = ResultsText::tr("The interval includes differences below the threshold. It shows how large the "
                                        "difference can still be.")};
    const bool decided = verdict == QLatin1String("better") || verdict == QLatin1String("worse");
    return {verdictText(verdict) + (decided && isUncertain(metric) ? QStringLiteral(" *") : QString())};
}

double percentOf(double ratio) { return (ratio - 1) * 100; }

/// Return the interval of a ratio.
std::optional<std::pair<double, double>> rangeOf(const Json& metric) {
    const Json& interval = list(member(metric, "interval"));
    if (interval.size() != 2 || !interval[0].is_number() || !interval[1].is_number()) return {};
    return std::pair(interval[0].get<double>(), interval[1].get<double>());
}

/// Texts of a ratio and its interval.
struct Said {
    QString ratio;
    QString range; ///< `+1.20 % to +4.80 %`, `×1.40 to ×3.6`
};

Said saidOf(const Json& metric) {
    const double ratio = numberOf(metric, "ratio");
    const auto range = rangeOf(metric);
    const bool times = isMultiple(ratio) || (range && (isMultiple(range->first) || isMultiple(range->second)));
    const auto say = [times](double value) { return times ? timesText(value) : changeText(value); };
    return {say(ratio), range ? ResultsText::tr("%1 to %2").arg(say(range->first), say(range->second)) : kNotMeasured};
}

/// Return the tone of a metric; an uncertain metric gets no colour.
int toneOf(const Json& metric) {
    const QString verdict = string(metric, "verdict");
    return isUncertain(metric)                  ? 0
           : verdict == QLatin1String("better") ? 1
           : verdict == QLatin1String("worse")  ? -1
                                                : 0;
}

QString shortened(const QString& text) {
    constexpr int kMost = 200;
    return text.size() > kMost ? text.left(kMost) + QStringLiteral("…") : text;
}

/// Shorten the first remarks, and add the number of the rest of `all`.
QString headlineOf(const QStringList& lines, qsizetype all) {
    constexpr qsizetype kShown = 2;
    QStringList parts;
    for (const QString& line : lines.mid(0, kShown)) parts.append(firstWords(line));
    if (const qsizetype more = all - parts.size(); more > 0 && !parts.isEmpty())
        parts.append(ResultsText::tr("%n more in Remarks", nullptr, static_cast<int>(more)));
    return parts.join(QStringLiteral(" · "));
}

/// Remove the code, which is for programs: on a machine that sped up, it names one that slowed down.
QString withoutCode(const QString& reason) {
    static const QRegularExpression code(QStringLiteral("^[EWN]_[A-Z_]+: "));
    return QString(reason).remove(code);
}

/// Return why a run is left out or flagged, without remarks on its whole side.
QStringList reasonsOf(const Json& run, const QStringList& said) {
    QStringList why;
    for (const Json& reason : list(member(run, "why"))) {
        const QString message = withoutCode(prose(QString::fromStdString(text(&reason))));
        if (!message.isEmpty() && !said.contains(string(run, "side") + QStringLiteral(": ") + message))
            why.append(message);
    }
    return why;
}

} // namespace

ComparisonView readComparison(const Json& answer) {
    const Json& pair = compared(answer);
    ComparisonView view;
    view.verdict = string(pair, "verdict");
    view.says = string(pair, "says");
    view.because = prose(pair, "because");
    view.design = string(pair, "design");
    view.threshold = std::isnan(numberOf(answer, "threshold_percent")) ? 1 : numberOf(answer, "threshold_percent");
    view.confidence = std::isnan(numberOf(answer, "confidence")) ? 0.95 : numberOf(answer, "confidence");
    if (const Json* same = member(pair, "same_work"); same && same->is_boolean()) view.sameWork = same->get<bool>();
    view.fromPairs = numberOf(pair, "blocks") != 1;
    for (const Json& metric : list(member(pair, "metrics"))) {
        const QString name = metricName(string(metric, "id"));
        const double ratio = numberOf(metric, "ratio");
        view.uncertain |= isUncertain(metric);
        view.mixed |= view.verdict == QLatin1String("better") && string(metric, "verdict") == QLatin1String("worse");
        view.mixed |= view.verdict == QLatin1String("worse") && string(metric, "verdict") == QLatin1String("better");
        if (std::isnan(ratio)) continue;
        const auto range = rangeOf(metric);
        Interval& interval = view.intervals.emplace_back(Interval{name, {}, percentOf(ratio), {}, toneOf(metric)});
        if (range) interval.range = std::pair(percentOf(range->first), percentOf(range->second));
        const Json* gate = member(metric, "gate");
        if (gate && gate->is_boolean() && gate->get<bool>()) {
            view.doubtful = isUncertain(metric);
            view.gate = name;
            const Said said = saidOf(metric);
            const QString estimate = range ? QStringLiteral("%1 (%2)").arg(said.ratio, said.range) : said.ratio;
            // For several runs, the medians are in the table only. Beside an estimate over pairs, which is not their
            // ratio, they would look like a contradiction.
            const QString unit = string(metric, "unit");
            view.summary = view.fromPairs
                               ? ResultsText::tr("%1: B over A %2, from pairs of runs", "metric").arg(name, estimate)
                               : ResultsText::tr("%1: A %2, B %3, B over A %4", "metric")
                                     .arg(name, quantity(numberOf(metric, "a"), unit),
                                          quantity(numberOf(metric, "b"), unit), estimate);
        }
    }
    for (const Json& line : list(member(pair, "headline")))
        if (line.is_string()) view.remarks.append(prose(QString::fromStdString(line.get<std::string>())));
    const QStringList said = view.remarks;
    for (const char* part : {"left_out", "flagged"})
        for (const Json& run : list(member(pair, part))) {
            const QStringList why = reasonsOf(run, said);
            if (why.isEmpty()) continue;
            view.remarks.append((std::string_view(part) == "left_out"
                                     ? ResultsText::tr("%1 does not count: %2 (%3)")
                                     : ResultsText::tr("%1 counts with a warning: %2 (%3)"))
                                    .arg(string(run, "side"), why.join(QStringLiteral("; ")), string(run, "run_id")));
        }
    view.headline = headlineOf(said, view.remarks.size());
    return view;
}

QString verdictText(const QString& verdict) {
    constexpr const char* kVerdicts[] = {
        QT_TRANSLATE_NOOP("Results", "better"),          QT_TRANSLATE_NOOP("Results", "worse"),
        QT_TRANSLATE_NOOP("Results", "not enough data"), QT_TRANSLATE_NOOP("Results", "not comparable"),
        QT_TRANSLATE_NOOP("Results", "not measured"),    QT_TRANSLATE_NOOP("Results", "in doubt")};
    if (verdict == QLatin1String("no difference"))  // no shown difference does not prove equality
        return ResultsText::tr("no difference shown");
    for (const char* known : kVerdicts)
        if (verdict == QLatin1String(known)) return ResultsText::tr(known);
    return verdict;
}

void fillMetricTable(TableModel& table, const Json& answer) {
    std::vector<TableRow> rows;
    const Json& metrics = list(member(compared(answer), "metrics"));
    for (const Json& metric : metrics) {
        const TableCell a = sideCell(metric, "a", metrics), b = sideCell(metric, "b", metrics);
        const double ratio = numberOf(metric, "ratio");
        const double p = numberOf(metric, "p_value");
        const Said said = saidOf(metric);
        rows.push_back({{{metricName(string(metric, "id"))},
                         a,
                         b,
                         {said.ratio + (isUncertain(metric) ? QStringLiteral(" *") : QString()), ratio},
                         {said.range},
                         {std::isnan(p) ? kNotMeasured
                          : p < 0.001   ? QStringLiteral("< 0.001")
                                        : QString::number(p, 'f', 3),
                          p},
                         verdictCell(metric, a, b)},
                        {},
                        -1,
                        0,
                        toneOf(metric) < 0 ? QStringLiteral("error") : QString()});
    }
    table.setTable({{ResultsText::tr("Metric"), {}, false, 130, {}},
                    {ResultsText::tr("A, median"), {}, true, 140, {}},
                    {ResultsText::tr("B, median"), {}, true, 140, {}},
                    {ResultsText::tr("B over A, from pairs"),
                     {},
                     true,
                     120,
                     ResultsText::tr("Hodges-Lehmann estimate from pairs of runs: it can differ from the "
                                     "ratio of the two medians beside it.")},
                    {ResultsText::tr("Interval"), {}, true, 150, ResultsText::tr("of B over A")},
                    {QStringLiteral("p"),
                     {},
                     true,
                     70,
                     ResultsText::tr("uncorrected for the gate, corrected for the other metrics (Holm's method)")},
                    {ResultsText::tr("Verdict"), {}, false, 130, {}}},
                   std::move(rows));
}

void fillDifferenceTable(TableModel& table, const Json& answer) {
    std::vector<TableRow> rows;
    for (const Json& difference : list(member(compared(answer), "differences")))
        rows.push_back({{{string(difference, "part")},
                         {string(difference, "where")},
                         {shortened(string(difference, "says_a"))},
                         {shortened(string(difference, "says_b"))}},
                        {},
                        -1,
                        0,
                        {}});
    table.setTable(
        {{ResultsText::tr("Part"), {}, false, 100, {}},
         {ResultsText::tr("Where"), {}, false, 240, {}},
         {ResultsText::tr("A"), {}, false, 220, {}},
         {ResultsText::tr("B"), {}, false, 220, {}}},
        std::move(rows),
        ResultsText::tr("Project, parameters, deployment, plan, binary and environment are the same on both sides."));
}

}  // namespace weir::editor
