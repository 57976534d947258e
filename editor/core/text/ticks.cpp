#include "core/text/ticks.h"

#include "core/text/value_text.h"

#include <QLocale>

#include <algorithm>
#include <array>
#include <cmath>

namespace weir::editor {
namespace {

QString grouped(double value, int decimals) {
    const QString text = QString::number(std::abs(value), 'f', decimals);
    const qsizetype point = text.indexOf(u'.');
    const QString all = point < 0 ? groupedDigits(text) : groupedDigits(text.left(point)) + text.mid(point);
    return value < 0 ? QChar(0x2212) + all : all;
}

} // namespace

std::vector<double> linearTicks(double low, double high, int atMost) {
    if (!(high > low) || atMost < 2) return {low};
    const double raw = (high - low) / (atMost - 1);
    const double power = std::pow(10.0, std::floor(std::log10(raw)));
    double step = 10 * power;
    for (const double nice : {1.0, 2.0, 5.0})
        if (nice * power >= raw * (1 - 1e-9)) {
            step = nice * power;
            break;
        }
    std::vector<double> ticks;
    for (double index = std::ceil(low / step - 1e-9); index * step <= high + step * 1e-9; ++index)
        ticks.push_back(index * step);
    return ticks;
}

std::vector<double> logarithmicTicks(double low, double high, int atMost) {
    if (!(low > 0) || !(high > low)) return {};
    const int first = static_cast<int>(std::floor(std::log10(low) + 1e-9));
    const int last = static_cast<int>(std::ceil(std::log10(high) - 1e-9));
    const auto ticks = [&](std::initializer_list<double> mantissas, int stride) {
        std::vector<double> found;
        for (int exponent = first; exponent <= last; exponent += stride)
            for (const double mantissa : mantissas)
                if (const double tick = mantissa * std::pow(10.0, exponent);
                    tick >= low * (1 - 1e-9) && tick <= high * (1 + 1e-9))
                    found.push_back(tick);
        return found;
    };
    // A range of less than a factor of about two has hardly any round number of this kind.
    constexpr double kNarrow = 4;
    if (auto all = ticks({1, 2, 5}, 1); static_cast<int>(all.size()) <= atMost)
        // On a logarithmic axis, equal steps are closer at the upper end, so use fewer.
    {
        if (all.size() < 2) return linearTicks(low, high, atMost);
        if (all.size() < 4 && high < kNarrow * low) return linearTicks(low, high, std::max(2 * atMost / 3, 3));
        // With only two labels, a logarithmic axis looks linear.
        auto finer = ticks({1, 2, 3, 5, 7}, 1);
        return all.size() < 4 && static_cast<int>(finer.size()) <= atMost ? finer : all;
    }
    for (int stride = 1;; ++stride)
        if (auto decades = ticks({1}, stride); static_cast<int>(decades.size()) <= std::max(atMost, 1)) return decades;
}

Scale siScale(double largest, const QString& unit) {
    struct Prefix {
        double factor;
        const char* text;
    };
    static constexpr std::array<Prefix, 8> kPrefixes{
        {{1e12, "T"}, {1e9, "G"}, {1e6, "M"}, {1e3, "k"}, {1, ""}, {1e-3, "m"}, {1e-6, "µ"}, {1e-9, "n"}}};
    const double size = std::abs(largest);
    if (size == 0 || !std::isfinite(size) || (unit.isEmpty() && size < 10000)) return {1, unit};
    for (const Prefix& prefix : kPrefixes)
        if (size >= prefix.factor * (1 - 1e-9)) return {prefix.factor, QString::fromUtf8(prefix.text) + unit};
    return {1e-9, QStringLiteral("n") + unit};
}

QString measuredText(double value) {
    if (!std::isfinite(value)) return QStringLiteral("—");
    if (value == 0) return QStringLiteral("0");
    const int magnitude = static_cast<int>(std::floor(std::log10(std::abs(value)) + 1e-9));
    return grouped(value, std::clamp(2 - magnitude, 0, 6));
}

QString tickText(double value) {
    if (std::abs(value) < 1e-12) return QStringLiteral("0");
    const int magnitude = static_cast<int>(std::floor(std::log10(std::abs(value)) + 1e-9));
    for (int decimals = 0; decimals < 9; ++decimals) {
        const double scale = std::pow(10.0, decimals);
        if (std::abs(std::round(value * scale) / scale - value) <= std::abs(value) * 1e-6 && decimals >= -magnitude)
            return grouped(value, decimals);
    }
    return grouped(value, 9);
}

QString percentileText(double percentile) {
    QString text = QLocale::c().toString(percentile * 100, 'f', 8);
    while (text.endsWith(u'0')) text.chop(1);
    if (text.endsWith(u'.')) text.chop(1);
    return text;
}

} // namespace weir::editor
