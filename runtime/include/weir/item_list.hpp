// Items of a parameter that lists numbers.
#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <stdexcept>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

#include "weir/block.hpp"

namespace weir {

/// Return the items that a list of numbers stands for: one each, or for c64 one for each pair of real and imaginary
/// part. Bytes are taken by their bits, as -1 and 255 have the same. Throws std::runtime_error with the parameter's
/// `name` if a number does not fit.
template <class T> std::vector<T> items_of(const std::vector<float>& numbers, std::string_view name) {
    std::vector<T> items;
    if constexpr (std::is_same_v<T, c64>) {
        if (numbers.size() % 2 != 0)
            throw std::runtime_error(std::string(name) + " has " + std::to_string(numbers.size()) +
                                     " numbers, but a complex item has two");
        items.reserve(numbers.size() / 2);
        for (std::size_t i = 0; i < numbers.size(); i += 2) items.emplace_back(numbers[i], numbers[i + 1]);
    } else if constexpr (std::is_floating_point_v<T>) {
        items.assign(numbers.begin(), numbers.end());
    } else {
        constexpr bool kByte = sizeof(T) == 1;
        constexpr double kLeast = kByte ? -128.0 : static_cast<double>(std::numeric_limits<T>::min());
        constexpr double kMost = kByte ? 255.0 : static_cast<double>(std::numeric_limits<T>::max());
        items.reserve(numbers.size());
        for (const float number : numbers) {
            const double value = number;
            if (!(value >= kLeast && value <= kMost) || value != static_cast<double>(static_cast<std::int64_t>(value)))
                throw std::runtime_error(std::string(name) + " has " + std::to_string(number) +
                                         ", which is no integer of the item type");
            items.push_back(static_cast<T>(static_cast<std::int64_t>(value)));
        }
    }
    return items;
}

}  // namespace weir
