#include "core/runs/run_row.h"

#include "core/runs/run_record.h"
#include "core/text/prose.h"
#include "core/text/texts.h"
#include "core/text/ticks.h"

#include <QStringList>

#include <algorithm>
#include <cmath>
#include <utility>

namespace weir::editor {
namespace {

/// Return the changed parts of the project, except deployments.
QStringList partsApart(const QStringList& before, const QStringList& present) {
    QStringList parts;
    for (const auto& [name, words] : {std::pair("graph", QT_TRANSLATE_NOOP("Results", "graph")),
                                      {"parameters", QT_TRANSLATE_NOOP("Results", "parameters")},
                                      {"deployments", QT_TRANSLATE_NOOP("Results", "deployments")},
                                      {"run", QT_TRANSLATE_NOOP("Results", "run settings")}})
        for (const QString& part : before)
            if (part.startsWith(QLatin1String(name) + u':') && !present.contains(part))
                parts.append(ResultsText::tr(words));
    return parts;
}

/// Return the part of a deployment; empty: there is none.
QString partOf(const QStringList& parts, const QString& deployment) {
    const auto place = std::find_if(parts.begin(), parts.end(),
                                    [start = QStringLiteral("deployment/%1:").arg(deployment)](const QString& part) {
                                        return part.startsWith(start);
                                    });
    return place == parts.end() ? QString() : *place;
}

QStringList withoutDeployments(QStringList parts) {
    parts.removeIf([](const QString& part) { return part.startsWith(QLatin1String("deployment/")); });
    return parts;
}

QString otherText(const QStringList& parts) {
    return parts.isEmpty() ? ResultsText::tr("different version of the project")
                           : ResultsText::tr("%1 changed since").arg(parts.join(QStringLiteral(", ")));
}

QStringList otherText(const QString& was, const QString& is) {
    const QStringList before = withoutDeployments(was.split(u' ')), present = withoutDeployments(is.split(u' '));
    return before == present ? QStringList() : QStringList{otherText(partsApart(before, present))};
}

} // namespace

RunRow readRunRow(const Json& answer) {
    const auto string = [&](const char* key) { return weir::editor::string(answer, key); };
    RunRow row{string("path"),
               string("run_id"),
               string("project"),
               string("deployment"),
               string("scheduler"),
               string("set"),
               string("essence"),
               string("status"),
               prose(answer, "reason"),
               string("note"),
               QDateTime::fromString(string("started"), Qt::ISODateWithMs),
               numberOf(answer, "throughput_items_per_s"),
               numberOf(answer, "p50_ns"),
               numberOf(answer, "p99_ns"),
               numberOf(answer, "size_bytes"),
               0,
               string("point"),
               string("label"),
               isTrue(answer, "profiled"),
               {},
               numberOf(answer, "latencies"),
               {}};
    row.at = strings(member(answer, "at"));
    row.unverified = isTrue(answer, "unverified");
    for (const QString& warning : strings(member(answer, "warnings"))) row.warnings.append(prose(warning));
    // In a list of one project, its name adds nothing.
    if (row.label.startsWith(row.project + QStringLiteral(" · "))) row.label = row.label.mid(row.project.size() + 3);
    // `profiled` already gives the metrics.
    QStringList parts = row.label.split(QStringLiteral(" · "));
    parts.removeIf([](const QString& part) { return part.startsWith(QLatin1String("metrics=")); });
    // The deployment comes first, even if the other runs of the list have the same one.
    parts.removeAll(row.deployment);
    parts.prepend(row.deployment);
    parts.removeAll(QString());
    row.label = parts.join(QStringLiteral(" · "));
    if (row.point.isEmpty()) row.point = row.label = row.deployment;
    const double repetition = numberOf(answer, "repetition");
    row.repetition = std::isnan(repetition) ? 0 : static_cast<int>(repetition);
    return row;
}

QString RunRow::when() const {
    if (!started.isValid()) return kNotMeasured;
    const QDateTime local = started.toLocalTime();
    const QDate today = QDate::currentDate();
    return local.toString(local.date() == today                 ? QStringLiteral("HH:mm:ss")
                          : local.date().year() == today.year() ? QStringLiteral("MM-dd HH:mm")
                                                                : QStringLiteral("yyyy-MM-dd"));
}

QString RunRow::lackingP99() const { return std::isnan(p99) ? lackingFor(0.99, latencies) : QString(); }

double medianOf(std::vector<double> values) {
    if (values.empty()) return std::nan("");
    std::sort(values.begin(), values.end());
    const std::size_t half = values.size() / 2;
    return values.size() % 2 ? values[half] : (values[half - 1] + values[half]) / 2;
}

QString otherParts(const QString& was, const QString& is, const QString& deployment) {
    QStringList found = otherText(was, is);
    const QString before = partOf(was.split(u' '), deployment), present = partOf(is.split(u' '), deployment);
    // A run without a deployment has no part to compare.
    if (!before.isEmpty() && before != present)
        found.append((present.isEmpty() ? ResultsText::tr("deployment %1 no longer exists")
                                        : ResultsText::tr("deployment %1 was changed"))
                         .arg(deployment));
    return found.join(QStringLiteral(", "));
}

QString otherPartsInShort(const QString& was, const QString& is) {
    return otherText(was, is).value(0, ResultsText::tr("deployment was changed"));
}

} // namespace weir::editor
