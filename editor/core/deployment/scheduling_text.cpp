#include "core/deployment/scheduling_text.h"

#include "core/text/texts.h"
#include "core/text/value_text.h"

namespace weir::editor {
namespace {

/// Return the number, or 0 if there is none.
double countIn(const Json& scheduling, const char* key) {
    const Json* value = member(scheduling, key);
    return value && value->is_number() ? value->get<double>() : 0;
}

} // namespace

QString policyText(const Json& scheduling) {
    const QString policy = string(scheduling, "policy");
    const double priority = countIn(scheduling, "priority");
    if (policy == QLatin1String("deadline") && countIn(scheduling, "period_us") > 0) {
        QStringList times;
        for (const char* key : {"runtime_us", "deadline_us", "period_us"})
            times.append(numberText(countIn(scheduling, key)));
        return QStringLiteral("%1 %2 µs").arg(policy, times.join(u'/'));
    }
    if (priority <= 0) return policy;
    return policy.isEmpty() ? MappingText::tr("priority %1").arg(numberText(priority))
                            : QStringLiteral("%1 %2").arg(policy, numberText(priority));
}

QString slackText(const Json& scheduling) {
    const double slack = countIn(scheduling, "timer_slack_ns");
    return slack > 1 ? siText(slack * 1e-9, QStringLiteral("s")) : QString();
}

QString schedulingText(const Json& scheduling) {
    QStringList parts{policyText(scheduling)};
    if (const QString slack = slackText(scheduling); !slack.isEmpty())
        parts.append(MappingText::tr("slack %1").arg(slack));
    parts.removeAll(QString());
    return parts.join(QStringLiteral(", "));
}

} // namespace weir::editor
