#include "features/runs/result_tables.h"

#include "core/deployment/machine.h"
#include "core/deployment/plan_view.h"
#include "core/deployment/scheduling_text.h"
#include "core/runs/run_loads.h"
#include "core/runs/run_record.h"
#include "core/text/prose.h"
#include "core/text/texts.h"
#include "core/text/value_text.h"
#include "features/runs/table_cells.h"

#include <algorithm>
#include <cmath>
#include <map>

namespace weir::editor {
namespace {

const Json& within(const Json& results, const char* of, const char* what) {
    return object(member(object(member(results, of)), what));
}

bool isOn(const Json& of, const char* key) {
    const Json* value = member(of, key);
    return value && value->is_boolean() && value->get<bool>();
}

QString cpusText(const Json* cpus) {
    std::vector<int> numbers;
    for (const Json& cpu : list(cpus))
        if (cpu.is_number_integer()) numbers.push_back(cpu.get<int>());
    return numbers.empty() ? ResultsText::tr("any") : cpuList(numbers);
}

QString orDash(const QString& text) { return text.isEmpty() ? kNotMeasured : text; }

/// A requested setting and the granted one.
struct GrantedSetting {
    QString title;
    QString requested;
    QString got; ///< empty: unknown
    bool refused = false;
};

GrantedSetting cpusOf(const Json& results, const std::string& worker) {
    const Json* planned = member(within(results, "planned", "affinity"), worker);
    const Json* granted = member(within(results, "granted", "affinity"), worker);
    GrantedSetting setting{ResultsText::tr("CPUs"), cpusText(planned), granted ? cpusText(granted) : QString()};
    setting.refused =
        !list(planned).empty() && granted && setting.got != setting.requested;  // an unpinned worker accepts all CPUs
    return setting;
}

GrantedSetting policyOf(const Json& requested, const Json* got) {
    GrantedSetting setting{ResultsText::tr("policy"), policyText(requested), got ? policyText(*got) : QString()};
    setting.refused = !setting.got.isEmpty() && setting.got != setting.requested;
    return setting;
}

GrantedSetting slackOf(const Json& requested, const Json* got) {
    GrantedSetting setting{ResultsText::tr("timer slack"), slackText(requested), got ? slackText(*got) : QString()};
    // Linux ignores the timer slack of real-time threads.
    const bool heeded = got && string(*got, "policy") == QLatin1String("other");
    setting.refused = heeded && !setting.requested.isEmpty() && !std::isnan(numberOf(*got, "timer_slack_ns")) &&
                      setting.got != setting.requested;
    return setting;
}

GrantedSetting memoryOf(const Json& results, const std::string& worker) {
    const Json &planned = within(results, "planned", "memory"), &granted = within(results, "granted", "memory");
    const QString numa = string(object(member(granted, "numa")), worker);
    const double locked = numberOf(granted, "locked_bytes"), huge = numberOf(granted, "huge_page_bytes");
    const auto bytes = [](double count) { return binarySize(static_cast<qint64>(count)); };
    QStringList requested, got;
    if (isOn(planned, "lock")) requested.append(ResultsText::tr("locked"));
    if (isOn(planned, "hugepages")) requested.append(ResultsText::tr("huge pages"));
    requested.append(string(planned, "numa"));
    if (locked > 0) got.append(ResultsText::tr("%1 locked").arg(bytes(locked)));
    if (huge > 0) got.append(ResultsText::tr("%1 in huge pages").arg(bytes(huge)));
    if (numa != QLatin1String("default")) got.append(numa);
    requested.removeAll(QString());
    got.removeAll(QString());
    return {ResultsText::tr("memory"), requested.join(QStringLiteral(", ")), got.join(QStringLiteral(", ")),
            (isOn(planned, "lock") && !(locked > 0)) || (isOn(planned, "hugepages") && !(huge > 0))};
}

/// Return the words for a kind of cause.
QString causeText(const QString& kind) {
    const std::map<QString, QString> known{
        {QStringLiteral("preempted"), ResultsText::tr("switched out")},
        {QStringLiteral("waited_for_cpu"), ResultsText::tr("woken, and waited for a CPU")},
        {QStringLiteral("throttled"), ResultsText::tr("held back from an idle CPU")},
        {QStringLiteral("interrupted"), ResultsText::tr("interrupted")},
        {QStringLiteral("timer"), ResultsText::tr("woken late by the timer")},
        {QStringLiteral("slept"), ResultsText::tr("asleep, waiting for another program")},
        {QStringLiteral("work"), ResultsText::tr("long work")},
        {QStringLiteral("unknown"), ResultsText::tr("unknown")}};
    const auto found = known.find(kind);
    return found == known.end() ? QString(kind).replace(u'_', u' ') : found->second;
}

/// Return the block of a cause: its own, else the first of the delayed worker, else the sink.
QString blockOfCause(const Json& item, const Json& cause, const Json& results) {
    if (const QString block = string(cause, "block"); !block.isEmpty()) return blockOf(block);
    const std::string worker = text(member(cause, "worker"));
    for (const Json& block : list(member(results, "blocks")))
        if (!worker.empty() && text(member(block, "worker")) == worker) return blockOf(string(block, "id"));
    return blockOf(string(item, "sink"));
}

QString causesRemark(const Json& results, std::size_t listed) {
    const Json& causes = object(member(results, "causes"));
    const bool judged = !object(member(results, "response")).empty();  // otherwise no deadline defines late items
    const bool unavailable = text(member(causes, "status")) == "unavailable";
    QStringList said;
    const double late = numberOf(causes, "late_items"), named = numberOf(causes, "named");
    if (late > 0) {
        std::vector<std::pair<double, QString>> kinds;
        const Json& counted = object(member(causes, "by_kind"));
        for (const auto& [kind, value] : counted.items())
            if (value.is_number()) kinds.emplace_back(value.get<double>(), causeText(QString::fromStdString(kind)));
        std::stable_sort(kinds.begin(), kinds.end(), [](const auto& a, const auto& b) { return a.first > b.first; });
        QStringList words;
        for (const auto& [times, kind] : kinds) words.append(QStringLiteral("%1: %2").arg(kind, tickText(times)));
        const QString sentence = judged ? ResultsText::tr("Of %1 late items, %2 have a known cause: %3.")
                                        : ResultsText::tr("Of the latest %1 items, %2 have a known cause: %3.");
        said.append(sentence.arg(tickText(late), tickText(named), words.join(QStringLiteral(", "))));
        if (listed < late)
            said.append(ResultsText::tr("The latest %1 are listed.").arg(tickText(static_cast<double>(listed))));
    } else if (!unavailable) {
        said.append(ResultsText::tr("No item was late."));
    }
    if (const QString reason = prose(causes, "reason"); !reason.isEmpty())
        said.append((unavailable ? ResultsText::tr("The causes are unknown: %1.")
                                 : ResultsText::tr("Some causes are unknown: %1."))
                        .arg(reason));
    return said.join(u' ');
}

/// Return the text on interference loops: their number and limits.
QString loopsText(const Json& loops) {
    const double limit = numberOf(loops, "cpu_limit"), quota = numberOf(loops, "cpu_quota"),
                 slice = numberOf(loops, "slice_us");
    const Json* cpus = member(loops, "cpus");
    QStringList parts{
        ResultsText::tr("%n loop(s)", nullptr, static_cast<int>(std::max(numberOf(loops, "loops"), 0.0))),
        !std::isnan(limit)   ? ResultsText::tr("%1 % of the time of their CPUs").arg(measuredText(limit * 100))
        : !std::isnan(quota) ? ResultsText::tr("%1 % of the time of one CPU").arg(measuredText(quota * 100))
                             : ResultsText::tr("without a limit")};
    if (!std::isnan(slice)) parts.append(ResultsText::tr("slice %1").arg(siText(slice * 1e-6, QStringLiteral("s"))));
    if (!list(cpus).empty()) parts.append(ResultsText::tr("on CPUs %1").arg(cpusText(cpus)));
    if (const double seconds = numberOf(loops, "seconds"); !std::isnan(seconds))
        parts.append(
            ResultsText::tr("%1 of CPU time in %2")
                .arg(siText(numberOf(loops, "cpu_time_s"), QStringLiteral("s")), siText(seconds, QStringLiteral("s"))));
    return parts.join(QStringLiteral(", "));
}

class MachineRows {
  public:
    void add(const QString& what, const QString& value, const QString& mend = {}, const QString& tone = {}) {
        rows.push_back({{wordCell(what), wordCell(orDash(value)), wordCell(mend)}, {}, -1, 0, tone});
    }

    void addFindings(const Json& findings) {
        for (const Json& finding : findings) {
            const QString severity = string(finding, "severity"), concern = prose(finding, "concern");
            QStringList mends;
            for (const Json& command : list(member(finding, "commands")))
                mends.append(QString::fromStdString(text(&command)));
            add(string(finding, "title"),
                prose(finding, "message") + (concern.isEmpty() ? QString() : QStringLiteral("; ") + concern),
                mends.isEmpty() ? prose(finding, "remedy") : mends.join(QStringLiteral("; ")),
                severity == QLatin1String("broken")  ? QStringLiteral("error")
                : severity == QLatin1String("noisy") ? QStringLiteral("warning")
                                                     : QString());
        }
    }

    void addIsolation(const Json& isolation) {
        const QString governor = string(isolation, "governor");
        add(ResultsText::tr("Isolation"),
            ResultsText::tr("CPUs %1 by %2; %3 tasks and %4 interrupts were moved away%5")
                .arg(string(isolation, "cpus"), string(isolation, "by"),
                     tickText(std::max(numberOf(isolation, "tasks"), 0.0)),
                     tickText(std::max(numberOf(isolation, "interrupts"), 0.0)),
                     governor.isEmpty() ? QString() : ResultsText::tr("; governor %1").arg(governor)));
        addRefused(ResultsText::tr("Not isolated"), isolation);
    }

    void addInterference(const Json& loops) {
        const Json &requested = object(member(loops, "requested")), &granted = object(member(loops, "granted"));
        add(ResultsText::tr("Interference load requested"), loopsText(requested));
        const bool less = numberOf(granted, "loops") < numberOf(requested, "loops");
        add(ResultsText::tr("Interference load granted"), loopsText(granted), {},
            less ? QStringLiteral("warning") : QString());
        addRefused(ResultsText::tr("Interference load refused"), loops);
    }

    void addRefused(const QString& what, const Json& of) {
        for (const Json& refused : list(member(of, "refused")))
            add(what, QStringLiteral("%1: %2").arg(prose(refused, "what"), prose(refused, "reason")),
                prose(refused, "needs"), QStringLiteral("warning"));
    }

    std::vector<TableRow> rows;
};

}  // namespace

void fillGrantedTable(TableModel& table, const Json& results) {
    const auto got = [](const QString& what) { return ResultsText::tr("%1, granted").arg(what); };
    const QList<TableColumn> columns{
        {ResultsText::tr("Worker"), {}, false, 70, {}},
        {ResultsText::tr("CPUs requested"), {}, false, 104, ResultsText::tr("as planned")},
        {got(ResultsText::tr("CPUs")), {}, false, 96, ResultsText::tr("as Linux reports it")},
        {ResultsText::tr("Policy requested"), {}, false, 112, {}},
        {got(ResultsText::tr("Policy")), {}, false, 104, ResultsText::tr("as Linux reports it")},
        {ResultsText::tr("Slack requested"),
         {},
         false,
         80,
         ResultsText::tr("how much later than requested Linux may wake a thread")},
        {got(ResultsText::tr("Slack")), {}, false, 96, ResultsText::tr("as Linux reports it")},
        {ResultsText::tr("Memory requested"), {}, false, 124, {}},
        {got(ResultsText::tr("Memory")), {}, false, 130, ResultsText::tr("of the whole process")},
        {ResultsText::tr("Difference"), {}, false, 110, {}}};
    const Json &usual = within(results, "planned", "priority"), &own = within(results, "planned", "threads");
    std::vector<TableRow> rows;
    if (!within(results, "planned", "priority").empty())
        for (const auto& [worker, granted] : within(results, "granted", "priority").items()) {
            const Json* named = member(own, worker);
            const Json& requested = named ? *named : usual;
            const std::vector<GrantedSetting> settings{cpusOf(results, worker), policyOf(requested, &granted),
                                                       slackOf(requested, &granted), memoryOf(results, worker)};
            TableRow row{{wordCell(QString::fromStdString(worker))}, {}, -1, 0, {}};
            QStringList refused;
            for (const GrantedSetting& setting : settings) {
                row.cells << wordCell(orDash(setting.requested)) << wordCell(orDash(setting.got));
                if (setting.refused) refused.append(setting.title);
            }
            row.cells << wordCell(refused.join(QStringLiteral(", ")));
            if (!refused.isEmpty()) row.tone = QStringLiteral("warning");
            rows.push_back(std::move(row));
        }
    table.setTable(columns, std::move(rows));
}

void fillLateTable(TableModel& table, const Json& results) {
    const Json& causes = object(member(results, "causes"));
    const Json& items = list(member(causes, "items"));
    std::vector<double> delays;
    for (const Json& item : items) delays.push_back(numberOf(object(member(item, "cause")), "ns"));
    const Scale scale = scaleFor(columnOf(items, "latency_ns"), QStringLiteral("s"), 1e-9);
    const Scale delayScale = scaleFor(delays, QStringLiteral("s"), 1e-9);
    std::vector<TableRow> rows;
    for (const Json& item : items) {
        const Json& cause = object(member(item, "cause"));
        TableCell kind = wordCell(causeText(string(cause, "kind")));
        if (const double behind = numberOf(cause, "behind"); !std::isnan(behind))
            kind.hint =
                ResultsText::tr("This cause delayed item %1, and this item queued behind it.").arg(tickText(behind));
        rows.push_back({{wordCell(pairName(item)), countCell(numberOf(item, "index")),
                         numberCell(numberOf(item, "latency_ns"), scale.factor), kind,
                         wordCell(orDash(string(cause, "by"))), numberCell(numberOf(cause, "ns"), delayScale.factor),
                         wordCell(orDash(string(cause, "worker"))), wordCell(orDash(string(cause, "block")))},
                        blockOfCause(item, cause, results),
                        -1,
                        -1,
                        {}});
    }
    const QString remark = causes.empty() ? QString() : causesRemark(results, rows.size());
    table.setTable(
        {{ResultsText::tr("Source → sink"), {}, false, 140, {}},
         {ResultsText::tr("Item"), {}, true, 76, ResultsText::tr("its number among the timed items")},
         {ResultsText::tr("Latency"), scale.unit, true, 90, {}},
         {ResultsText::tr("Cause"),
          {},
          false,
          180,
          ResultsText::tr("the longest delay on the item's path; for work, only the part beyond the usual")},
         {ResultsText::tr("By"), {}, false, 130, ResultsText::tr("the program that had the CPU, or the interrupt")},
         {ResultsText::tr("Delay"), delayScale.unit, true, 90, {}},
         {ResultsText::tr("Worker"), {}, false, 70, ResultsText::tr("the worker whose thread was delayed")},
         {ResultsText::tr("Block"), {}, false, 110, ResultsText::tr("the block that the others waited for")}},
        std::move(rows), remark);
}

void fillMachineTable(TableModel& table, const Json& run, const Json& results) {
    MachineRows machine;
    if (const Json* isolation = member(run, "isolation"); isolation && isolation->is_object())
        machine.addIsolation(*isolation);
    for (const char* key : {"interference", "disturbance"})  // the second key is from earlier results
        if (const Json* loops = member(results, key); loops && loops->is_object()) machine.addInterference(*loops);
    if (const Json* volk = member(results, "volk"); volk && volk->is_object()) {
        const QString implementation = string(*volk, "implementation");
        machine.add(ResultsText::tr("VOLK"),
                    ResultsText::tr("%1, machine type %2")
                        .arg(implementation.isEmpty() ? ResultsText::tr("its own choice") : implementation,
                             orDash(string(*volk, "machine"))));
        for (const Json& kernel : list(member(*volk, "kernels")))
            machine.add(string(kernel, "kernel"), ResultsText::tr("%1; for unaligned items %2")
                                                      .arg(string(kernel, "aligned"), string(kernel, "unaligned")));
    }
    machine.addFindings(list(member(run, "findings")));
    table.setTable({{ResultsText::tr("Property"), {}, false, 150, {}},
                    {ResultsText::tr("State"), {}, false, 420, ResultsText::tr("found before the run")},
                    {ResultsText::tr("Remedy"), {}, false, 360, ResultsText::tr("shell commands")}},
                   std::move(machine.rows));
}

QString failuresText(const Json& results) {
    const double ratio = numberOf(object(member(results, "response")), "failure_ratio");
    return std::isnan(ratio) ? QString()
           : ratio == 0      ? QStringLiteral("0 %")
                             : QStringLiteral("%1 %").arg(measuredText(ratio * 100));
}

QString failuresHint(const Json& results) {
    const Json& response = object(member(results, "response"));
    const auto count = [&response](const char* key) { return tickText(std::max(numberOf(response, key), 0.0)); };
    return ResultsText::tr("%1 responses came, %2 of them later than %3; %4 never came.")
        .arg(count("answered"), count("late"), siText(numberOf(response, "deadline_ns") * 1e-9, QStringLiteral("s")),
             count("lost"));
}

}  // namespace weir::editor
