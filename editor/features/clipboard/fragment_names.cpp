#include "features/clipboard/fragment.h"

#include <algorithm>
#include <cctype>

namespace weir::editor {
namespace {

constexpr std::size_t kLongestName = 64;

std::string nameLike(const std::string& wanted) {
    std::string name;
    for (const char c : wanted) {
        const auto byte = static_cast<unsigned char>(c);
        if (byte < 0x80) name += std::isalnum(byte) ? static_cast<char>(std::tolower(byte)) : '_';
    }
    name.erase(0, name.find_first_not_of('_'));
    if (name.empty()) return "block";
    return std::isalpha(static_cast<unsigned char>(name.front())) ? name : "b" + name;
}

} // namespace

std::string freeName(const std::string& wanted, const std::set<std::string>& taken) {
    std::string name = nameLike(wanted).substr(0, kLongestName);
    if (!taken.contains(name)) return name;
    // The number that is there already counts on.
    long number = 1;
    const std::size_t digits = name.find_last_not_of("0123456789") + 1;
    if (digits < name.size() && name.size() - digits < 7 && digits > 1 && name[digits - 1] == '_') {
        number = std::stol(name.substr(digits));
        name.erase(digits - 1);
    }
    for (;;) {
        const std::string suffix = "_" + std::to_string(++number);
        const std::string candidate = name.substr(0, kLongestName - suffix.size()) + suffix;
        if (!taken.contains(candidate)) return candidate;
    }
}

} // namespace weir::editor
