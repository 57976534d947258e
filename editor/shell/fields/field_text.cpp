#include "shell/fields/field_text.h"

#include "core/deployment/plan_view.h"
#include "core/text/value_text.h"

#include <QObject>
#include <QRegularExpression>

#include <algorithm>
#include <cmath>

namespace weir::editor {
namespace {

constexpr int kMostCpu = 4095; ///< limit of the schema
constexpr double kMostPortionPercent = 409'600; ///< limit of the schema
const Json kNoValue(Json::value_t::discarded);

Json wordsFrom(const QString& typed) {
    static const QRegularExpression blanks(QStringLiteral("\\s+"));
    Json result = Json::array();
    for (const QString& word : typed.split(blanks, Qt::SkipEmptyParts)) result.push_back(word.toStdString());
    return result;
}

/// Return the CPUs of a list, each once, in order.
Json cpusFrom(const QString& typed) {
    static const QRegularExpression between(QStringLiteral("[,\\s]+")),
        span(QStringLiteral("^(\\d{1,4})(?:-(\\d{1,4}))?$"));
    std::vector<int> cpus;
    for (const QString& part : typed.split(between, Qt::SkipEmptyParts)) {
        const auto match = span.match(part);
        const int first = match.captured(1).toInt(), last = match.hasCaptured(2) ? match.captured(2).toInt() : first;
        if (!match.hasMatch() || last < first || last > kMostCpu) return kNoValue;
        for (int cpu = first; cpu <= last; ++cpu) cpus.push_back(cpu);
    }
    std::sort(cpus.begin(), cpus.end());
    cpus.erase(std::unique(cpus.begin(), cpus.end()), cpus.end());
    return cpus.empty() ? kNoValue : Json(cpus);
}

QString portionText(double share) {
    constexpr double kDigits = 1e9; // 7 % is 0.07, and 100 * 0.07 is not exactly 7
    return numberText(std::round(share * 100 * kDigits) / kDigits) + QStringLiteral(" %");
}

Json shareFrom(const QString& typed, double mostPercent) {
    const QString trimmed = typed.trimmed();
    if (trimmed == QLatin1String("none")) return "none";
    const auto percent = literalNumber(trimmed.endsWith(u'%') ? trimmed.chopped(1).trimmed() : trimmed);
    return percent && *percent > 0 && *percent <= mostPercent ? Json(*percent / 100) : kNoValue;
}

} // namespace

std::optional<QString> ownText(const QString& type, const Json& value) {
    if (type == QLatin1String("words") && value.is_array()) return strings(&value).join(u' ');
    if ((type == QLatin1String("share") || type == QLatin1String("portion")) && value.is_number())
        return portionText(value.get<double>());
    const bool isNumbers = value.is_array() && std::all_of(value.begin(), value.end(),
                                                           [](const Json& one) { return one.is_number_integer(); });
    return type == QLatin1String("cpus") && isNumbers ? std::optional(cpuList(value.get<std::vector<int>>()))
                                                      : std::nullopt;
}

std::optional<Json> ownValue(const QString& type, const QString& typed) {
    if (type == QLatin1String("words")) return wordsFrom(typed);
    if (type == QLatin1String("cpus")) return cpusFrom(typed);
    if (type == QLatin1String("portion")) return shareFrom(typed, kMostPortionPercent);
    return type == QLatin1String("share") ? std::optional(shareFrom(typed, 100)) : std::nullopt;
}

QString ownForm(const QString& type) {
    return type == QLatin1String("cpus")      ? QObject::tr("Enter CPU numbers, such as 0, 2-3")
           : type == QLatin1String("portion") ? QObject::tr("Enter a percentage, or none")
                                              : QObject::tr("Enter a percentage up to 100 %, or none");
}

} // namespace weir::editor
