#include "core/text/value_text.h"

#include "core/json/canonical_json.h"
#include "core/json/json_reader.h"
#include "core/text/ticks.h"

#include <QHash>
#include <QLocale>
#include <QObject>
#include <QRegularExpression>

#include <algorithm>
#include <array>
#include <cmath>

namespace weir::editor {
namespace {

constexpr std::array<const char*, 9> kPrefixes{"p", "n", "µ", "m", "", "k", "M", "G", "T"};

constexpr std::size_t kListedValues = 6; ///< as in `weir export`
constexpr qsizetype kShownCharacters = 48;
constexpr std::size_t kMostBytes = 4 * kShownCharacters; ///< UTF-8 has at most 4 bytes a character

const QRegularExpression& numberWithSuffix() {
    static const QRegularExpression pattern(
        QStringLiteral("^([+-]?(?:[0-9]+\\.?[0-9]*|\\.[0-9]+)(?:[eE][+-]?[0-9]+)?) ?([pnuµμmkMGT]?)$"));
    return pattern;
}

bool isNumberWithSuffix(const QString& expression) { return numberWithSuffix().match(expression).hasMatch(); }

/// Removes blanks of any kind between the groups of `200 000 000`.
QString ungrouped(const QString& typed) {
    static const QRegularExpression groups(
        QStringLiteral("^[+-]?[0-9]{1,3}(?:[ \\x{A0}\\x{2009}\\x{202F}][0-9]{3})+(?:\\.[0-9]+)?(?: ?[pnuµμmkMGT])?$"));
    if (!groups.match(typed).hasMatch()) return typed;
    static const QRegularExpression between(QStringLiteral("(?<=[0-9])[ \\x{A0}\\x{2009}\\x{202F}](?=[0-9])"));
    return QString(typed).remove(between);
}

/// Decimal number: 0.d1d2d3… times ten to the power of `point`.
struct Decimal {
    bool negative = false;
    QString digits;
    int point = 0;
};

Decimal decimalOf(const QString& number) {
    Decimal result;
    result.negative = number.startsWith(u'-');
    const QStringList parts = number.mid(result.negative ? 1 : 0).split(u'e');
    const qsizetype point = parts.first().indexOf(u'.');
    result.digits = QString(parts.first()).remove(u'.');
    result.point = static_cast<int>(point < 0 ? result.digits.size() : point) + parts.value(1).toInt();
    while (result.digits.size() > 1 && result.digits.startsWith(u'0')) {
        result.digits.remove(0, 1);
        --result.point;
    }
    while (result.digits.size() > 1 && result.digits.endsWith(u'0')) result.digits.chop(1);
    return result;
}

/// `exact`: all significant digits, as JSON writes numbers.
QString readable(const QString& exact, const QString& unit) {
    constexpr int kNone = 4;
    constexpr qsizetype kShort = 4; // digits up to which a prefix reads more easily than groups
    const Decimal number = decimalOf(exact);
    const int step = static_cast<int>(std::floor((number.point - 1) / 3.0));
    const bool far = number.point > 4 || number.point < -2;
    const QString sign = number.negative ? QStringLiteral("-") : QString();
    const QString after = unit.isEmpty() ? QString() : u' ' + unit;
    if (far && number.digits.size() <= kShort && number.digits != QLatin1String("0") && step + kNone >= 0 &&
        step + kNone < static_cast<int>(kPrefixes.size())) {
        const int whole = number.point - 3 * step;
        QString text = number.digits.leftJustified(whole, u'0');
        if (text.size() > whole) text.insert(whole, u'.');
        return sign + text + u' ' + QString::fromUtf8(kPrefixes[static_cast<std::size_t>(step + kNone)]) + unit;
    }
    if (exact.contains(u'e') || number.point <= 4) return exact + after;
    const qsizetype point = exact.indexOf(u'.');
    const QString before = exact.mid(number.negative ? 1 : 0, point < 0 ? -1 : point - (number.negative ? 1 : 0));
    return sign + groupedDigits(before) + (point < 0 ? QString() : exact.mid(point)) + after;
}

bool isText(const std::string& type) { return type == "string" || type == "path" || type == "enum"; }

Json expression(const QString& source) { return {{"expr", source.toStdString()}}; }

/// Parses `1, 2.5 3k` without brackets.
Json numbers(const QString& typed) {
    static const QRegularExpression between(QStringLiteral("[,;\\s]+"));
    Json result = Json::array();
    for (const QString& part : typed.split(between, Qt::SkipEmptyParts)) {
        const Json literal = jsonFrom(part.toUtf8());
        result.push_back(literal.is_number() ? literal : expression(part));
    }
    return result;
}

/// Return three digits with an SI prefix of at least `least` steps of a thousand.
QString prefixed(double value, const QString& unit, int least) {
    constexpr int kNone = 4;
    // Round first: 999.9 k is 1.00 M.
    const double rounded = QString::number(value, 'g', 3).toDouble();
    const int magnitude = rounded == 0 ? 0 : static_cast<int>(std::floor(std::log10(std::abs(rounded)) + 1e-9));
    const int step = std::clamp(static_cast<int>(std::floor(magnitude / 3.0)), least, 4);
    const int decimals = rounded == 0 ? 0 : std::max(0, 2 - (magnitude - 3 * step));
    return QStringLiteral("%1 %2%3")
        .arg(QLocale::c().toString(value / std::pow(1000.0, step), 'f', decimals),
             QString::fromUtf8(kPrefixes[static_cast<std::size_t>(step + kNone)]), unit)
        .trimmed();
}

} // namespace

QString fieldText(const Json& value) {
    if (value.is_string()) return QString::fromStdString(value.get<std::string>());
    if (const Json* source = member(value, "expr"); source && source->is_string() && value.size() == 1) {
        const QString expression = QString::fromStdString(source->get<std::string>());
        return isNumberWithSuffix(expression) ? expression : QStringLiteral("= ") + expression;
    }
    return QString::fromStdString(inlineText(value));
}

QString shownText(const Json& value, const QString& unit) {
    if (value.is_number_integer()) return readable(QString::fromStdString(value.dump()), unit);
    const QString text = fieldText(value);
    const auto number = value.is_string() || value.is_array() ? std::nullopt : literalNumber(text);
    return number ? shownNumber(*number, unit) : text;
}

QString shownNumber(double value, const QString& unit) {
    // 6.28 / 100 is 0.06280000000000001: show its last digits only if they mean something.
    constexpr int kCertainDigits = 15;
    const QString exact = numberText(value), certain = QString::number(value, 'g', kCertainDigits);
    return readable(exact.size() > certain.size() + 2 ? certain : exact, unit);
}

QString withUnit(const QString& shown, const QString& unit) {
    if (unit.isEmpty() || !literalNumber(shown)) return shown;
    return shown.back().isDigit() ? shown + u' ' + unit : shown + unit;
}

QString groupedDigits(QString digits) {
    constexpr QChar kThinSpace{0x202F};
    for (qsizetype place = digits.size() - 3; place > 0; place -= 3) digits.insert(place, kThinSpace);
    return digits;
}

QString shortText(const Json& value, const QString& unit) {
    static const QRegularExpression kManyDecimals(QStringLiteral("(\\d\\.\\d{3})\\d{3,}"));
    if (value.is_array() && value.size() > kListedValues)
        return QObject::tr("%n value(s)", nullptr, static_cast<int>(value.size()));
    const auto* words = value.get_ptr<const Json::string_t*>();
    const bool isLong = words && words->size() > kMostBytes;
    QString text = isLong ? QString::fromStdString(words->substr(0, kMostBytes)) : shownText(value, unit);
    if (value.is_object()) // shortens constants: the name after 1.7320508075688772 must stay visible
        text.replace(kManyDecimals, QStringLiteral("\\1…"));
    return text.size() > kShownCharacters ? text.left(kShownCharacters - 1) + u'…' : text;
}

Json fieldValue(const QString& typed, const std::string& type) {
    const QString trimmed = isText(type) || type == "f32_list" ? typed.trimmed() : ungrouped(typed.trimmed());
    if (trimmed.startsWith(u'=') && type != "string" && type != "path") return expression(trimmed.mid(1).trimmed());
    if (isText(type)) return typed.toStdString();
    if (type == "f32_list" && !trimmed.startsWith(u'[') && (trimmed.contains(u',') || trimmed.contains(u' ')) &&
        !isNumberWithSuffix(trimmed))
        return numbers(trimmed);
    const auto parsed = readJson(trimmed.toStdString());
    const Json* literal = std::get_if<Json>(&parsed);
    if (!literal || literal->is_string()) return expression(trimmed);
    if (type == "f32_list" && literal->is_number()) return Json::array({*literal});
    if (type == "i64" && literal->is_number_float()) {
        const double number = literal->get<double>();
        if (number == std::floor(number) && std::abs(number) < 9e15) return static_cast<std::int64_t>(number);
    }
    return *literal;
}

QString withoutUnit(const QString& typed, const QString& unit) {
    const QString trimmed = typed.trimmed();
    if (unit.isEmpty() || !trimmed.endsWith(unit)) return typed;
    const QString number = ungrouped(trimmed.chopped(unit.size()).trimmed());
    return isNumberWithSuffix(number) ? number : typed;
}

QString valueMeant(const QString& typed, const QString& unit) {
    const QString trimmed = typed.trimmed();
    if (unit.isEmpty() || trimmed.isEmpty()) return {};
    const bool hasUnit = trimmed.endsWith(unit, Qt::CaseInsensitive);
    QString number = ungrouped(hasUnit ? trimmed.chopped(unit.size()).trimmed() : trimmed);
    if (number.endsWith(u'K')) number.back() = u'k';
    if (number.endsWith(u'g') || number.endsWith(u't')) number.back() = number.back().toUpper();
    if (!isNumberWithSuffix(number)) return {};
    if (!number.back().isDigit() && number.back() != u'.') number = number.chopped(1).trimmed() + u' ' + number.back();
    const QString meant = withUnit(number, unit);
    return meant == trimmed || withoutUnit(trimmed, unit) != trimmed ? QString() : meant;
}

std::optional<double> literalNumber(const QString& typed) {
    const auto match = numberWithSuffix().match(ungrouped(typed.trimmed()));
    if (!match.hasMatch()) return {};
    // Scaling the decimal text gives the double nearest to 0.0023 for 2.3m, and a whole number for 0.3k.
    static const QHash<QString, int> exponents{
        {QStringLiteral("p"), -12}, {QStringLiteral("n"), -9}, {QStringLiteral("u"), -6}, {QStringLiteral("µ"), -6},
        {QStringLiteral("μ"), -6},  {QStringLiteral("m"), -3}, {QStringLiteral("k"), 3},  {QStringLiteral("M"), 6},
        {QStringLiteral("G"), 9},   {QStringLiteral("T"), 12}};
    const QStringList parts = match.captured(1).toLower().split(u'e');
    const int exponent = parts.value(1).toInt() + exponents.value(match.captured(2));
    bool valid = false;
    const double number = QStringLiteral("%1e%2").arg(parts.first()).arg(exponent).toDouble(&valid);
    return valid ? std::optional(number) : std::nullopt;
}

QString numberText(double value) {
    const bool whole = value == std::floor(value) && std::abs(value) < 1e15;
    return whole ? QString::number(static_cast<qint64>(value))
                 : QString::number(value, 'g', QLocale::FloatingPointShortest);
}

QString siText(double value, const QString& unit) { return prefixed(value, unit, -4); }

QString throughputText(double itemsPerSecond) {
    return std::isnan(itemsPerSecond) ? kNotMeasured : prefixed(itemsPerSecond, QStringLiteral("items/s"), 0);
}

bool isMultiple(double ratio) {
    constexpr double kTimes = 3;
    return ratio >= kTimes || (ratio > 0 && 1 / ratio >= kTimes);
}

QString timesText(double ratio) {
    const double times = ratio > 0 ? std::max(ratio, 1 / ratio) : std::nan("");
    if (std::isnan(times)) return kNotMeasured;
    return (ratio >= 1 ? QChar(u'×') : QChar(u'÷')) +
           (times < 100 ? QString::number(times, 'f', times < 1.995 ? 2 : 1) : tickText(std::round(times)));
}

QString changeText(double ratio) {
    if (std::isnan(ratio)) return kNotMeasured;
    if (isMultiple(ratio)) return timesText(ratio);
    const double percent = (ratio - 1) * 100;
    return (percent < 0 ? QChar(0x2212) : QChar(u'+')) +
           QString::number(std::abs(percent), 'f', std::abs(percent) < 10 ? 2 : 1) + QStringLiteral(" %");
}

QString shareText(double share) {
    const double value = share * 100;
    return value > 0 && value < 1 ? QStringLiteral("< 1 %") : QStringLiteral("%1 %").arg(qRound(value));
}

} // namespace weir::editor
