#include "value_text.h"

#include "canonical_json.h"
#include "json_reader.h"

#include <QLocale>
#include <QRegularExpression>

#include <array>
#include <cmath>

namespace weir::editor {
namespace {

bool isNumberWithSuffix(const QString &expression)
{
    static const QRegularExpression pattern(QStringLiteral("^[+-]?[0-9]*\\.?[0-9]+(e[+-]?[0-9]+)? ?[pnuµmkMGT]?$"));
    return pattern.match(expression).hasMatch();
}

bool isText(const std::string &type)
{
    return type == "string" || type == "path" || type == "enum";
}

Json expression(const QString &source)
{
    return {{"expr", source.toStdString()}};
}

} // namespace

QString fieldText(const Json &value)
{
    if (value.is_string())
        return QString::fromStdString(value.get<std::string>());
    if (const Json *source = member(value, "expr"); source && source->is_string() && value.size() == 1) {
        const QString expression = QString::fromStdString(source->get<std::string>());
        return isNumberWithSuffix(expression) ? expression : QStringLiteral("= ") + expression;
    }
    return QString::fromStdString(inlineText(value));
}

Json fieldValue(const QString &typed, const std::string &type)
{
    const QString trimmed = typed.trimmed();
    if (trimmed.startsWith(u'=') && type != "string" && type != "path")
        return expression(trimmed.mid(1).trimmed());
    if (isText(type))
        return typed.toStdString();
    const auto parsed = readJson(trimmed.toStdString());
    const Json *literal = std::get_if<Json>(&parsed);
    if (!literal || literal->is_string())
        return expression(trimmed);
    if (type == "i64" && literal->is_number_float()) {
        const double number = literal->get<double>();
        if (number == std::floor(number) && std::abs(number) < 9e15)
            return static_cast<std::int64_t>(number);
    }
    return *literal;
}

QString siText(double value, const QString &unit)
{
    static constexpr std::array<const char *, 9> kPrefixes{"p", "n", "µ", "m", "", "k", "M", "G", "T"};
    constexpr int kNone = 4;
    int step = kNone;
    if (value != 0)
        step = std::clamp(kNone + static_cast<int>(std::floor(std::log10(std::abs(value)) / 3 + 1e-12)), 0, 8);
    const double scaled = value / std::pow(1000.0, step - kNone);
    const double size = std::abs(scaled);
    const int decimals = value == 0 || size >= 100 ? 0 : size >= 10 ? 1 : 2;
    // A prefix belongs to a symbol, not to a word: 1.5 ms, but 1.5 M items/s.
    QString prefix = QString::fromUtf8(kPrefixes[step]);
    if (!prefix.isEmpty() && unit.size() > 2)
        prefix += u' ';
    return QStringLiteral("%1 %2%3").arg(QLocale::c().toString(scaled, 'f', decimals), prefix, unit).trimmed();
}

} // namespace weir::editor
