#include "features/runs/result_tables.h"

#include "core/runs/run_loads.h"
#include "core/runs/run_record.h"
#include "core/text/prose.h"
#include "core/text/texts.h"
#include "core/text/ticks.h"
#include "core/text/value_text.h"
#include "features/runs/run_finding.h"
#include "features/runs/table_cells.h"

#include <algorithm>
#include <cmath>
#include <map>

namespace weir::editor {
namespace {

/// Return a time of a distribution, or why a percentile is missing.
TableCell latencyCell(const Json& times, const char* key, double factor) {
    TableCell cell = numberCell(numberOf(times, key), factor);
    if (std::isnan(cell.value)) cell.hint = lackingFor(percentileOf(QLatin1String(key)), numberOf(times, "count"));
    if (!cell.hint.isEmpty()) cell.text = tooFewInShort();
    return cell;
}

QString profileHint(const Json& results) {
    const std::string metrics = text(member(results, "metrics"));
    return metrics == "profile"    ? QString()
           : metrics == "counters" ? ResultsText::tr("Work time was not measured.")
                                   : ResultsText::tr("Work time, calls and fill were not measured.");
}

} // namespace

void fillLatencyTable(TableModel& table, const Json& results) {
    const Json& pairs = list(member(results, "latency_pairs"));
    const Scale scale = scaleFor(columnOf(pairs, "p50_ns"), QStringLiteral("s"), 1e-9);
    const auto latency = [&](const QString& title, int width = 58) {
        return TableColumn{title, scale.unit, true, width, {}};
    };
    const QList<TableColumn> columns{
        {ResultsText::tr("Source → sink"), {}, false, 96, {}},
        {ResultsText::tr("Pairs"), {}, true, 44, ResultsText::tr("boundaries seen at both ends")},
        {ResultsText::tr("Lost"), {}, true, 36, ResultsText::tr("boundaries seen at one end only")},
        latency(ResultsText::tr("Mean"), 62),
        latency(QStringLiteral("p5")),
        latency(QStringLiteral("p50")),
        latency(QStringLiteral("p95")),
        latency(QStringLiteral("p99")),
        latency(QStringLiteral("p99.9"), 62),
        latency(ResultsText::tr("Max"))};
    std::vector<TableRow> rows;
    const auto add = [&](const QString& name, const Json& pair) {
        TableRow row{{wordCell(name), countCell(numberOf(pair, "count")), countCell(numberOf(pair, "lost"))},
                     blockOf(string(pair, "sink")),
                     -1,
                     0,
                     numberOf(pair, "lost") > 0 ? QStringLiteral("error") : QString()};
        for (const char* key : {"mean_ns", "p5_ns", "p50_ns", "p95_ns", "p99_ns", "p999_ns", "max_ns"})
            row.cells.append(latencyCell(pair, key, scale.factor));
        rows.push_back(row);
    };
    if (pairs.size() > 1) add(ResultsText::tr("all pairs"), object(member(results, "latency")));
    for (const Json& pair : pairs) add(pairName(pair), pair);
    const std::string backend = text(member(object(member(results, "trace")), "backend"));
    const bool untraced = backend != "lttng" && backend != "memory";
    table.setTable(
        columns, std::move(rows),
        pairs.empty()
            ? untraced ? ResultsText::tr(
                             "Latency was not measured: the run's trace was off. Set the trace of the project's run to "
                             "lttng or memory.")
                       : ResultsText::tr("No path of this flowgraph leads from a source to a sink.")
            : QString());
}

void fillBlockTable(TableModel& table, const Json& results) {
    const Json& blocks = list(member(results, "blocks"));
    const RunLoads loads = loadsOf(results);
    const double elapsed = numberOf(results, "elapsed_s") * 1e9;
    double total = 0;
    for (const double busy : columnOf(blocks, "busy_ns"))
        if (!std::isnan(busy)) total += busy;
    const Scale busyScale = scaleFor(columnOf(blocks, "busy_ns"), QStringLiteral("s"), 1e-9);
    std::vector<double> rates;
    for (const Json& block : blocks) rates.push_back(loads.rateOf(block));
    const Scale rate = scaleFor(rates, QStringLiteral("items/s"), 1);
    const QString perCallHint =
        ResultsText::tr("items per call, rounded down to a step of at most an eighth, so that the mean can be larger");
    const QList<TableColumn> columns{
        {ResultsText::tr("Block"), {}, false, 100, {}},
        {ResultsText::tr("Of work time"), QStringLiteral("%"), true, 116,
         ResultsText::tr("share of the work time of all blocks, as on the graph"), true},
        {ResultsText::tr("Busy"), busyScale.unit, true, 64, ResultsText::tr("time in the block's calls")},
        {ResultsText::tr("Of run"), QStringLiteral("%"), true, 60,
         ResultsText::tr("share of the elapsed time in which the block worked")},
        {ResultsText::tr("Time"), QStringLiteral("ns/item"), true, 86, {}},
        {ResultsText::tr("Rate"), rate.unit, true, 92,
         (loads.isWholeRun ? ResultsText::tr("mean over the whole run of %1")
                           : ResultsText::tr("in the run's window of %1, like the throughput"))
             .arg(siText(loads.windowSeconds, QStringLiteral("s")))},
        {ResultsText::tr("Calls"), {}, true, 56, {}},
        {ResultsText::tr("Items p5"), {}, true, 60, perCallHint},
        {QStringLiteral("p50"), {}, true, 48, perCallHint},
        {QStringLiteral("p95"), {}, true, 48, perCallHint},
        {ResultsText::tr("Worker"), {}, false, 90, {}}};
    std::vector<TableRow> rows;
    std::size_t at = 0;
    for (const Json& block : blocks) {
        const QString id = string(block, "id");
        const double busy = numberOf(block, "busy_ns");
        const double in = numberOf(block, "items_in"), out = numberOf(block, "items_out");
        const double items = in > 0 ? in : out;
        const Json& perCall = object(member(block, "items_per_call"));
        const double share = total > 0 ? busy / total : std::nan("");
        rows.push_back({{wordCell(id), percentCell(share), numberCell(busy, busyScale.factor),
                         percentCell(busy / elapsed), numberCell(items > 0 ? busy / items : std::nan("")),
                         numberCell(rates[at++], rate.factor), countCell(numberOf(block, "calls")),
                         countCell(numberOf(perCall, "p5")), countCell(numberOf(perCall, "p50")),
                         countCell(numberOf(perCall, "p95")), wordCell(string(block, "worker"))},
                        blockOf(id),
                        std::isnan(share) ? -1 : share,
                        heatStep(share, 1),
                        {}});
    }
    table.setTable(columns, std::move(rows),
                   blocks.empty() ? ResultsText::tr("This run has no numbers per block.") : profileHint(results));
}

void fillThreadTable(TableModel& table, const Json& results) {
    const Json& threads = list(member(results, "threads"));
    const double elapsed = numberOf(results, "elapsed_s");
    const Scale scale = scaleFor(columnOf(threads, "cpu_time_s"), QStringLiteral("s"), 1);
    const Json& granted = object(member(object(member(results, "granted")), "affinity"));
    const QHash<QString, double> atWork = loadsOf(results).atWork;
    const bool profiled = !atWork.isEmpty();
    const QList<TableColumn> columns{
        {ResultsText::tr("Thread"), {}, false, 70, {}},
        {ResultsText::tr("At work"), QStringLiteral("%"), true, profiled ? 96 : 64,
         ResultsText::tr(
             "wall-clock time in the calls of its blocks, as a share of the elapsed time: shows the busiest thread"),
         profiled},
        {ResultsText::tr("On a CPU"), QStringLiteral("%"), true, profiled ? 80 : 108,
         ResultsText::tr("CPU time as a share of the elapsed time: at work, or spinning while waiting"), !profiled},
        {ResultsText::tr("CPU time"), scale.unit, true, 76, {}},
        {ResultsText::tr("Last CPU"), {}, true, 48, {}},
        {ResultsText::tr("Granted"), {}, false, 48, ResultsText::tr("CPUs that Linux granted")},
        {ResultsText::tr("Voluntary"), {}, true, 54, ResultsText::tr("context switches because the thread waited")},
        {ResultsText::tr("Involuntary"),
         {},
         true,
         62,
         ResultsText::tr("context switches because another thread took the CPU")},
        {ResultsText::tr("Migrations"), {}, true, 60, {}},
        {ResultsText::tr("Policy"), {}, false, 42, {}},
        {ResultsText::tr("Priority"), {}, true, 42, {}}};
    std::vector<TableRow> rows;
    for (const Json& thread : threads) {
        const QString name = string(thread, "name");
        const double share = numberOf(thread, "cpu_time_s") / elapsed;
        QStringList cpus;
        for (const Json& cpu : list(member(granted, name.toStdString())))
            if (cpu.is_number_integer()) cpus.append(QString::number(cpu.get<int>()));
        const double work = atWork.value(name, std::nan(""));
        const double barred = profiled ? work : share;
        rows.push_back({{wordCell(name), percentCell(work), percentCell(share),
                         numberCell(numberOf(thread, "cpu_time_s"), scale.factor), countCell(numberOf(thread, "cpu")),
                         wordCell(cpus.isEmpty() ? kNotMeasured : cpus.join(u',')),
                         countCell(numberOf(thread, "voluntary_switches")),
                         countCell(numberOf(thread, "involuntary_switches")), countCell(numberOf(thread, "migrations")),
                         wordCell(string(thread, "policy")), countCell(numberOf(thread, "priority"))},
                        {},
                        std::isnan(barred) ? -1 : std::min(barred, 1.0),
                        -1,
                        {}});
    }
    table.setTable(columns, std::move(rows),
                   threads.empty() ? ResultsText::tr("This run has no numbers per thread.") : QString());
}

void fillEdgeTable(TableModel& table, const Json& results) {
    const Json& edges = list(member(results, "edges"));
    const QList<TableColumn> columns{{ResultsText::tr("From"), {}, false, 200, {}},
                                     {ResultsText::tr("To"), {}, false, 220, {}},
                                     {ResultsText::tr("Buffer"), ResultsText::tr("items"), true, 110, {}},
                                     {ResultsText::tr("Mean fill"), QStringLiteral("%"), true, 190,
                                      ResultsText::tr("of the buffer, sampled when items are written"), true}};
    const QHash<QString, QString> workers = workersOf(results);
    std::vector<TableRow> rows;
    for (const Json& edge : edges) {
        const double sampled = numberOf(edge, "fill_mean");
        const bool within = isWithinWorker(edge, workers);
        const double fill = within ? std::nan("") : sampled;
        TableCell share = percentCell(fill);
        if (within && !std::isnan(sampled)) share.hint = withinWorkerText();
        else if (isFull(fill)) share.hint = backPressureText();
        rows.push_back({{wordCell(string(edge, "from")), wordCell(string(edge, "to")),
                         countCell(numberOf(edge, "buffer_items")), share},
                        blockOf(string(edge, "to")),
                        std::isnan(fill) ? -1 : fill,
                        -1,
                        {}});
    }
    table.setTable(columns, std::move(rows),
                   edges.empty()                                ? ResultsText::tr("This run has no streams.")
                   : text(member(results, "metrics")) == "none" ? ResultsText::tr("Fill was not measured.")
                                                                : QString());
}

void fillHopTable(TableModel& table, const Json& results) {
    const Json& hops = list(member(results, "hops"));
    std::vector<double> medians;
    for (const Json& hop : hops)
        for (const char* part : {"waiting", "work"}) medians.push_back(numberOf(object(member(hop, part)), "p50_ns"));
    const Scale scale = scaleFor(medians, QStringLiteral("s"), 1e-9);
    QList<TableColumn> columns{{ResultsText::tr("Hop"), {}, false, 220, {}},
                               {ResultsText::tr("Pairs"), {}, true, 76, {}}};
    for (const QString& part : {ResultsText::tr("Waiting"), ResultsText::tr("Work")})
        for (const QString& which :
             {ResultsText::tr("mean"), QStringLiteral("p50"), QStringLiteral("p95"), QStringLiteral("p99")})
            columns.append({QStringLiteral("%1 %2").arg(part, which), scale.unit, true, 100,
                            part == ResultsText::tr("Work") ? ResultsText::tr("from the call of work to the hop's end")
                                                            : ResultsText::tr("until the hop's end called work")});
    std::vector<TableRow> rows;
    for (const Json& hop : hops) {
        TableRow row{{wordCell(QStringLiteral("%1 → %2").arg(string(hop, "from"), string(hop, "to"))),
                      countCell(numberOf(hop, "count"))},
                     blockOf(string(hop, "to")),
                     -1,
                     0,
                     {}};
        for (const char* part : {"waiting", "work"})
            for (const char* key : {"mean_ns", "p50_ns", "p95_ns", "p99_ns"})
                row.cells.append(latencyCell(object(member(hop, part)), key, scale.factor));
        rows.push_back(row);
    }
    table.setTable(columns, std::move(rows),
                   hops.empty() ? ResultsText::tr("No block between a source and a sink has a probe. Turn on “probe” "
                                                  "of a block to split the latency into waiting and work there.")
                                : QString());
}

void fillEnvironmentTable(TableModel& table, const Json& results) {
    std::vector<TableRow> rows;
    const auto add = [&](const QString& name, const QString& value, const QString& tone = {}) {
        rows.push_back({{wordCell(name), wordCell(value.isEmpty() ? kNotMeasured : value)}, {}, -1, 0, tone});
        return &rows.back();
    };
    for (const Json& reason : list(member(results, "reasons"))) {
        const QString code = string(reason, "code");
        const bool isError = code.startsWith(u'E'), isWarning = code.startsWith(u'W');
        // The code is for programs: on a machine that sped up, it names one that slowed down.
        add(isError     ? ResultsText::tr("Error")
            : isWarning ? ResultsText::tr("Warning")
                        : ResultsText::tr("Note"),
            prose(reason, "message"),
            isError     ? QStringLiteral("error")
            : isWarning ? QStringLiteral("warning")
                        : QString())
            ->cells.first()
            .hint = code;
    }
    add(ResultsText::tr("Scheduler"), string(results, "scheduler"));
    add(ResultsText::tr("Metrics"), string(results, "metrics"));
    const Json& cost = object(member(results, "metrics_cost"));
    if (const double share = numberOf(cost, "share"); !std::isnan(share))
        add(ResultsText::tr("Cost of profiling"),
            ResultsText::tr("%1 % of the workers' CPU time").arg(QString::number(share * 100, 'f', 1)));
    const Json& trace = object(member(results, "trace"));
    add(ResultsText::tr("Trace"), ResultsText::tr("%1, %2 events, one per %3 items")
                                      .arg(string(trace, "backend"), tickText(std::max(numberOf(trace, "events"), 0.0)),
                                           tickText(std::max(numberOf(trace, "probe_granularity"), 0.0))));
    const Json& environment = object(member(results, "environment"));
    const auto plain = [](const Json& value) {
        return value.is_null()     ? kNotMeasured
               : value.is_string() ? QString::fromStdString(value.get<std::string>())
                                   : fieldText(value);
    };
    if (environment.is_object())
        for (const auto& [key, value] : environment.items()) {
            if (value.is_object()) {
                for (const auto& [name, inner] : value.items())
                    add(QString::fromStdString(key + "/" + name), plain(inner));
            } else {
                add(QString::fromStdString(key).replace(u'_', u' '), plain(value));
            }
        }
    for (const char* key : {"project_hash", "plan_hash", "binary_hash", "weir_version"})
        add(QString::fromLatin1(key).replace(u'_', u' '), string(results, key));
    table.setTable({{ResultsText::tr("Property"), {}, false, 240, {}}, {ResultsText::tr("Value"), {}, false, 560, {}}},
                   std::move(rows));
}

void fillBlockDifferenceTable(TableModel& table, const std::vector<RunLoads>& a, const std::vector<RunLoads>& b) {
    struct Side {
        double share = std::nan(""), perItem = std::nan("");
    };
    std::map<QString, std::pair<Side, Side>> blocks;
    const auto gather = [&blocks](const std::vector<RunLoads>& runs, Side std::pair<Side, Side>::* side) {
        std::map<QString, std::pair<std::vector<double>, std::vector<double>>> values;
        for (const RunLoads& run : runs)
            for (auto it = run.blocks.constBegin(); it != run.blocks.constEnd(); ++it) {
                if (it->share >= 0) values[it.key()].first.push_back(it->share);
                if (it->nsPerItem >= 0) values[it.key()].second.push_back(it->nsPerItem);
            }
        for (auto& [block, measured] : values)
            blocks[block].*side = {medianOf(measured.first), medianOf(measured.second)};
    };
    gather(a, &std::pair<Side, Side>::first);
    gather(b, &std::pair<Side, Side>::second);
    std::vector<double> times;
    for (const auto& [block, sides] : blocks) times.insert(times.end(), {sides.first.perItem, sides.second.perItem});
    const Scale scale = scaleFor(times, QStringLiteral("s"), 1e-9);
    const auto signedNumber = [](double value) {
        const QString text = QString::number(std::abs(value), 'f', 1);
        return std::isnan(value) ? TableCell{kNotMeasured}
                                 : TableCell{(value < 0 ? QStringLiteral("−") : QStringLiteral("+")) + text, value};
    };
    std::vector<std::pair<double, TableRow>> rows;
    for (const auto& [block, sides] : blocks) {
        const auto& [one, two] = sides;
        const double change = two.share - one.share;
        rows.push_back({std::isnan(change) ? 2 : std::abs(change),
                        {{wordCell(block),
                          percentCell(one.share),
                          percentCell(two.share),
                          signedNumber(change * 100),
                          numberCell(one.perItem, scale.factor),
                          numberCell(two.perItem, scale.factor),
                          {changeText(two.perItem / one.perItem), two.perItem / one.perItem}},
                         block,
                         -1,
                         0,
                         {}}});
    }
    std::stable_sort(rows.begin(), rows.end(), [](const auto& x, const auto& y) { return x.first > y.first; });
    std::vector<TableRow> sorted;
    for (auto& [change, row] : rows) sorted.push_back(std::move(row));
    const QString share = ResultsText::tr("of the work time of all blocks");
    table.setTable({{ResultsText::tr("Block"), {}, false, 130, {}},
                    {ResultsText::tr("A, of work time"), QStringLiteral("%"), true, 110, share},
                    {ResultsText::tr("B, of work time"), QStringLiteral("%"), true, 110, share},
                    {ResultsText::tr("B − A"), ResultsText::tr("points"), true, 100, ResultsText::tr("of the shares")},
                    {ResultsText::tr("A, per item"), scale.unit, true, 110, ResultsText::tr("work time of one item")},
                    {ResultsText::tr("B, per item"), scale.unit, true, 110, ResultsText::tr("work time of one item")},
                    {ResultsText::tr("B over A"), {}, true, 90, ResultsText::tr("of the time per item")}},
                   std::move(sorted),
                   blocks.empty() ? ResultsText::tr("Work time was not measured on either side.") : QString());
}

} // namespace weir::editor
