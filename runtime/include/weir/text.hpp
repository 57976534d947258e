// Concatenation of strings.
#pragma once

#include <initializer_list>
#include <string>
#include <string_view>

namespace weir {

/// Concatenate. `"a" + text` would do, but GCC 12 warns of an overlap that cannot happen (bug 105329).
inline std::string concat(std::initializer_list<std::string_view> parts) {
    std::string text;
    for (const std::string_view part : parts) text += part;
    return text;
}

}  // namespace weir
