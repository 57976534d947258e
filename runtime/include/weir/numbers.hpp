// Parses numbers as people type them: `2.4M`, `32 k`, `10u`. Suffixes p n u µ m k M G T, with an optional space before
// them.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>

namespace weir {

/// Parse a number. The decimal is scaled before it is rounded, so `2.4M` is exactly 2400000. Absent: not a finite
/// number.
std::optional<double> parse_real(std::string_view text);

/// Parse a whole number. Absent: not a number, a fraction, or beyond 64 bits.
std::optional<std::int64_t> parse_integer(std::string_view text);

/// Return the name among `names` that is most similar to `typed`, or "".
std::string_view did_you_mean(std::string_view typed, std::span<const std::string_view> names);

/// Return a hint that follows an unknown name. `guess`: from `did_you_mean`.
std::string suggestion(std::string_view guess);

}  // namespace weir
