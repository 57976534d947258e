// Checks of a block's parameters.
#pragma once

#include <cstddef>
#include <cstdint>
#include <stdexcept>
#include <string>
#include <string_view>

namespace weir {

/// Return a parameter that is a number of items. Throws std::runtime_error if it is below 1.
inline std::size_t at_least_1(std::int64_t value, std::string_view name) {
    if (value < 1) throw std::runtime_error(std::string(name) + " must be at least 1");
    return static_cast<std::size_t>(value);
}

}  // namespace weir
