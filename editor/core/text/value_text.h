#pragma once

#include "core/json/json.h"

#include <QString>

#include <optional>
#include <string>

namespace weir::editor {

/// Return the complete value as editable text: an expression begins with `=`, unless it is only a number with a suffix,
/// such as `2.4M`.
QString fieldText(const Json& value);

/// Return a value for reading, on blocks and in fields alike: `200 M`, `65 536`, and with a unit `2.4 MHz`,
/// `1.5 Mitems/s`: a space before the unit, which the prefix belongs to. Nothing is rounded.
QString shownText(const Json& value, const QString& unit = {});
QString shownNumber(double value, const QString& unit = {});
/// Return a shown number with its unit: `65 536` becomes `65 536 items`. Other text stays unchanged.
QString withUnit(const QString& shown, const QString& unit);

/// The digits of a whole number or of its part before the point, in groups of three.
QString groupedDigits(QString digits);

/// Return a shown text no longer than a block on the canvas can show: a long list is counted, long text is cut. The
/// cost does not depend on the length of the value.
QString shortText(const Json& value, const QString& unit = {});

/// Return the value of typed text, for a parameter of descriptor type `type`. Text that is no literal becomes an
/// expression, which the command line checks.
Json fieldValue(const QString& typed, const std::string& type);

/// `100 kHz` typed into a field in Hz is `100 k`, and `200 000 Hz` is `200000`; other text stays as it is.
QString withoutUnit(const QString& typed, const QString& unit);

/// Return `100 kHz` for `100 kHZ`, `100 KHz` or `100 khz` in a field in Hz, and nothing unless only the case of the prefix or
/// the unit is wrong. A wrong prefix means kilo: `M` and `m` are both prefixes and stay as they are.
QString valueMeant(const QString& typed, const QString& unit);

/// Return the number of a literal or a number with a suffix; nothing for other text.
std::optional<double> literalNumber(const QString& typed);

/// Return all significant digits and no more: `2.4`, `1000000`.
QString numberText(double value);

/// Return three digits and an SI prefix: `1.23 ms`, `45.6 k`.
QString siText(double value, const QString& unit);

/// Return a throughput as the command line prints it, `86.3 Mitems/s`; a dash for NaN. All displays use it.
QString throughputText(double itemsPerSecond);

/// True for ratios of at least three, either way, which are shown as a multiple.
bool isMultiple(double ratio);

/// Return a ratio of B over A as a multiple, `×22.1`, `÷6.0`, `×1.02`; a dash for NaN.
QString timesText(double ratio);

/// Return a ratio of B over A as a change, `+4.80 %`, or as a multiple, like the command line; a dash for NaN.
QString changeText(double ratio);

/// `37 %`, `< 1 %`.
QString shareText(double share);

}  // namespace weir::editor
