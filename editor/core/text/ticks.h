#pragma once

#include <QString>

#include <vector>

namespace weir::editor {

/// Return round tick values: 1, 2 or 5 times a power of ten.
std::vector<double> linearTicks(double low, double high, int atMost);
/// Return powers of ten, with 2 and 5 between them if few decades leave room.
std::vector<double> logarithmicTicks(double low, double high, int atMost);

/// Shown in a column instead of a value that was not measured.
inline const QString kNotMeasured = QStringLiteral("—");

/// Scale of a column or an axis: numbers are divided by `factor`, and `unit` includes the SI prefix.
struct Scale {
    double factor = 1;
    QString unit;
};

/// Return the SI prefix that suits `largest`; none if `unit` is empty and the number is below 10,000.
Scale siScale(double largest, const QString& unit);
/// Return at least three digits, grouped: `2.79`, `16 056`.
QString measuredText(double value);
/// Return the shortest label of a tick.
QString tickText(double value);
/// Return the percentile in percent: `50`, `99.9`.
QString percentileText(double percentile);

} // namespace weir::editor
