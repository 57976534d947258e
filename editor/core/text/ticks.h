#pragma once

#include <QString>

#include <vector>

namespace weir::editor {

/// Places of an axis that people can read: 1, 2 or 5 times a power of ten.
std::vector<double> linearTicks(double low, double high, int atMost);
/// Powers of ten, with 2 and 5 between them where few decades leave room.
std::vector<double> logarithmicTicks(double low, double high, int atMost);

/// Text of a column where nothing was measured.
inline const QString kNotMeasured = QStringLiteral("—");

/// Scale of the numbers of a column or an axis: divided by `factor`, with `unit` (SI prefix included).
struct Scale {
    double factor = 1;
    QString unit;
};

/// The SI prefix that suits `largest`, in `unit`; no prefix where the unit is empty and the number below 10,000.
Scale siScale(double largest, const QString& unit);
/// At least three digits, thousands apart: `2.79`, `16 056`.
QString measuredText(double value);
/// The label of a tick: as short as it can be.
QString tickText(double value);
/// `50`, `99.9`: the percentile that has `nines` nines.
QString percentileText(double percentile);

} // namespace weir::editor
