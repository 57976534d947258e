#include "thread_rows.h"

#include "row_builder.h"
#include "scheduling_text.h"
#include "value_text.h"

#include <QObject>

#include <array>

namespace weir::editor {
namespace {

using Rows = std::vector<ParameterRow>;

constexpr std::array kKeys{"policy", "priority", "runtime_us", "deadline_us", "period_us", "timer_slack_ns"};

/// What holds for all of the deployment.
Json usualOf(const Json& project, const Pointer& deployment) {
    Json usual = Json::object();
    for (const char* key : kKeys)
        if (const Json* value = find(project, deployment / key)) usual[key] = *value;
    return usual;
}

QString wordOf(const Json* value, const QString& nothing) {
    return value && !value->is_null() ? shownText(*value) : nothing;
}

/// `usual`: what holds where the object at `place` says nothing.
Rows rowsAt(const Json& project, const Pointer& place, const Json& usual) {
    const QString needed = QObject::tr("needed");
    const auto usually = [&usual](const char* key, const QString& nothing) {
        return wordOf(member(usual, key), nothing);
    };
    const QString policy = wordOf(find(project, place / "policy"), usually("policy", QStringLiteral("other")));
    const bool byPriority = policy == QLatin1String("fifo") || policy == QLatin1String("rr");
    Rows rows{
        documented(
            fieldRow(project, place / "policy", "enum", QObject::tr("Policy"),
                     usually("policy", QStringLiteral("other"))),
            QObject::tr(
                "How the kernel schedules the threads: as other programs, in real time by priority (fifo, or rr in "
                "turns), or by their deadlines.")),
        documented(fieldRow(project, place / "priority", "i64", QObject::tr("Priority"),
                            usually("priority", byPriority ? needed : QStringLiteral("0"))),
                   QObject::tr("Of the real-time policies fifo and rr: 1 to 99."))};
    const auto addTime = [&](const char* key, const QString& title, const QString& about) {
        const Pointer at = place / key;
        if (policy == QLatin1String("deadline") || find(project, at))
            rows.push_back(documented(fieldRow(project, at, "i64", title, usually(key, needed)), about));
    };
    addTime("runtime_us", QObject::tr("Runtime (µs)"),
            QObject::tr("Of the policy deadline: so long a thread may run in a period."));
    addTime(
        "deadline_us", QObject::tr("Deadline (µs)"),
        QObject::tr(
            "Of the policy deadline: within so long of the beginning of its period, a thread has had its runtime."));
    addTime("period_us", QObject::tr("Period (µs)"),
            QObject::tr("Of the policy deadline: at least so long it is from one runtime to the next."));
    rows.push_back(
        documented(fieldRow(project, place / "timer_slack_ns", "i64", QObject::tr("Timer slack (ns)"),
                            usually("timer_slack_ns", QObject::tr("the least"))),
                   QObject::tr("So much later than asked the kernel may wake a thread that sleeps. It does not count "
                               "under real-time policies.")));
    return rows;
}

} // namespace

Rows threadRows(const Json& project, const Pointer& deployment) { return rowsAt(project, deployment, Json::object()); }

Rows threadRowsOf(const Json& project, const Pointer& deployment, const std::string& name, const char* whose) {
    const Pointer place = deployment / "threads" / name;
    Json usual = usualOf(project, deployment);
    if (find(project, place / "policy"))
        for (const char* key : kKeys)
            if (key != std::string_view("timer_slack_ns")) usual.erase(key);
    Rows rows = rowsAt(project, place, usual);
    for (ParameterRow& row : rows) row.name = QLatin1String(whose) + u':' + row.name;
    return rows;
}

QString threadText(const Json& project, const Pointer& deployment, const std::string& name) {
    return schedulingText(object(find(project, deployment / "threads" / name)));
}

} // namespace weir::editor
