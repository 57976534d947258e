#include "core/sweeping/sweep_values.h"

#include "core/json/json_reader.h"
#include "core/text/texts.h"
#include "core/text/value_text.h"

#include <algorithm>
#include <cmath>

namespace weir::editor {
namespace {

// Limits of the schema.
constexpr std::size_t kMostValues = 10000, kMostShares = 100;
constexpr double kMostPercent = 10000;

/// Splits at commas outside quotes and brackets.
QStringList partsOf(const QString& typed) {
    QStringList parts;
    QString part;
    int depth = 0;
    bool isQuoted = false;
    for (const QChar c : typed) {
        isQuoted = isQuoted != (c == u'"');
        if (!isQuoted) depth += (c == u'[' || c == u'(') - (c == u']' || c == u')');
        if (c == u',' && depth <= 0 && !isQuoted) parts.append(std::exchange(part, {}).trimmed());
        else part += c;
    }
    parts.append(part.trimmed());
    return parts;
}

Json oneValue(const QString& part, bool isName) {
    const Json literal = jsonFrom(part.toUtf8());
    if (literal.is_string()) return literal;
    if (isName) return part.toStdString();
    if (literal.is_boolean() || literal.is_number() || literal.is_array()) return literal;
    if (part.startsWith(u'=')) return {{"expr", part.mid(1).trimmed().toStdString()}};
    const auto number = literalNumber(part);
    if (!number) return part.toStdString();
    const bool whole = *number == std::floor(*number) && std::abs(*number) < 1e15;
    return whole ? Json(static_cast<std::int64_t>(*number)) : Json(*number);
}

QString oneText(const Json& value) {
    const QString text = fieldText(value);
    const bool isRead = value.is_string() && oneValue(text, false) == value && !text.contains(u',') &&
                        !text.contains(u'"') && text.trimmed() == text && !text.isEmpty();
    return !value.is_string() || isRead ? text : QString::fromStdString(value.dump());
}

} // namespace

QString axisText(const Json& values) {
    QStringList texts;
    for (const Json& value : list(&values)) texts.append(oneText(value));
    return texts.join(QStringLiteral(", "));
}

std::variant<Json, QString> axisValues(const QString& typed, bool names) {
    Json values = Json::array();
    if (typed.trimmed().isEmpty()) return SweepText::tr("Enter at least one value, such as 1, 2, 4");
    for (const QString& part : partsOf(typed)) {
        if (part.isEmpty()) return SweepText::tr("A value between two commas is missing");
        Json value = oneValue(part, names);
        if (std::find(values.begin(), values.end(), value) != values.end())
            return SweepText::tr("%1 appears twice").arg(part);
        values.push_back(std::move(value));
    }
    if (values.size() > kMostValues)
        return SweepText::tr("%1 values are too many, the limit is %2").arg(values.size()).arg(kMostValues);
    return values;
}

QString sharesText(const Json& shares) {
    QStringList texts;
    for (const Json& share : list(&shares))
        texts.append(share.is_number() ? QString::number(100 * share.get<double>(), 'g', 12) + u'%' : oneText(share));
    return texts.join(QStringLiteral(", "));
}

std::optional<std::variant<Json, QString>> loadShares(const QString& typed) {
    const QStringList parts = partsOf(typed);
    if (std::none_of(parts.begin(), parts.end(), [](const QString& part) { return part.endsWith(u'%'); })) return {};
    Json shares = Json::array();
    for (const QString& part : parts) {
        const auto percent = part.endsWith(u'%') ? literalNumber(part.chopped(1).trimmed()) : std::nullopt;
        if (!percent || *percent <= 0 || *percent > kMostPercent)
            return SweepText::tr("%1 is not a share: use a percentage above 0% and up to 10000%").arg(part);
        if (std::find(shares.begin(), shares.end(), Json(*percent / 100)) != shares.end())
            return SweepText::tr("%1 appears twice").arg(part);
        shares.push_back(*percent / 100);
    }
    if (shares.size() > kMostShares)
        return SweepText::tr("%1 values are too many, the limit is %2").arg(shares.size()).arg(kMostShares);
    return shares;
}

Json proposedNumbers(const Json& value, const Json& minimum, const Json& maximum) {
    if (!value.is_number()) return Json::array({value});
    const double one = value.get<double>();
    double other = one == 0 ? 1 : 2 * one;
    if (maximum.is_number()) other = std::min(other, maximum.get<double>());
    if (other == one && minimum.is_number()) other = minimum.get<double>();
    if (other == one) return Json::array({value});
    const Json second = value.is_number_integer() ? Json(static_cast<std::int64_t>(other)) : Json(other);
    return other < one ? Json::array({second, value}) : Json::array({value, second});
}

} // namespace weir::editor
