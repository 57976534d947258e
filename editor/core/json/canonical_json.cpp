#include "core/json/canonical_json.h"

#include <algorithm>
#include <charconv>
#include <cstdlib>

namespace weir::editor {
namespace {

constexpr std::size_t kIndent = 2;
constexpr std::size_t kColumns = 100;
constexpr int kInlineLevels = 3;

bool isContainer(const Json& value) { return value.is_structured(); }

bool isArrayOfContainers(const Json& value) {
    return value.is_array() && std::any_of(value.begin(), value.end(), isContainer);
}

/// Return the levels of a container that may stand on one line; 0 if an array of containers forbids it.
int inlineLevels(const Json& value) {
    if (!isContainer(value)) return 0;
    if (isArrayOfContainers(value)) return kInlineLevels + 1;
    int levels = 0;
    for (const Json& child : value) {
        levels = std::max(levels, inlineLevels(child));
        if (levels >= kInlineLevels) return kInlineLevels + 1;
    }
    return levels + 1;
}

std::size_t columns(std::string_view utf8) {
    return static_cast<std::size_t>(
        std::count_if(utf8.begin(), utf8.end(), [](char c) { return (static_cast<unsigned char>(c) & 0xC0) != 0x80; }));
}

std::string quoted(const std::string& value) {
    return Json(value).dump(-1, ' ', false, Json::error_handler_t::replace);
}

std::string scalarText(const Json& value) {
    if (value.is_string()) return quoted(value.get_ref<const std::string&>());
    return value.is_number_float() ? floatText(value.get<double>()) : value.dump();
}

void writeInline(const Json& value, std::string& out) {
    if (!isContainer(value)) {
        out += scalarText(value);
        return;
    }
    out += value.is_object() ? '{' : '[';
    const char* separator = "";
    for (auto it = value.begin(); it != value.end(); ++it) {
        out += separator;
        separator = ", ";
        if (value.is_object()) out += quoted(it.key()) + ": ";
        writeInline(*it, out);
    }
    out += value.is_object() ? '}' : ']';
}

void write(const Json& value, std::size_t indent, std::size_t lineStart, bool last, std::string& out) {
    const bool root = indent == 0;
    if (!isContainer(value)) {
        out += scalarText(value);
        return;
    }
    if (!root && inlineLevels(value) <= kInlineLevels) {
        const std::size_t mark = out.size();
        writeInline(value, out);
        const std::size_t width = columns(std::string_view(out).substr(lineStart)) + (last ? 0 : 1);
        if (width <= kColumns) return;
        out.resize(mark);
    }
    out += value.is_object() ? '{' : '[';
    const std::size_t inner = indent + kIndent;
    std::size_t left = value.size();
    for (auto it = value.begin(); it != value.end(); ++it) {
        out += '\n';
        const std::size_t start = out.size();
        out.append(inner, ' ');
        if (value.is_object()) out += quoted(it.key()) + ": ";
        const bool final = --left == 0;
        write(*it, inner, start, final, out);
        if (!final) out += ',';
    }
    out += '\n';
    out.append(indent, ' ');
    out += value.is_object() ? '}' : ']';
}

} // namespace

std::string floatText(double value) {
    char buffer[40];
    const auto result = std::to_chars(buffer, buffer + sizeof buffer, value, std::chars_format::scientific);
    std::string scientific(buffer, result.ptr);
    std::string sign;
    if (scientific.front() == '-') {
        sign = "-";
        scientific.erase(0, 1);
    }
    const auto e = scientific.find('e');
    const int exponent = std::atoi(scientific.c_str() + e + 1);
    std::string digits = scientific.substr(0, e);
    digits.erase(std::remove(digits.begin(), digits.end(), '.'), digits.end());
    const int count = static_cast<int>(digits.size());

    if (exponent < -4 || exponent >= 16) {
        if (count > 1) digits.insert(1, ".");
        std::string power = std::to_string(std::abs(exponent));
        if (power.size() < 2) power.insert(0, "0");
        return sign + digits + (exponent < 0 ? "e-" : "e+") + power;
    }
    if (exponent < 0) return sign + "0." + std::string(static_cast<std::size_t>(-exponent - 1), '0') + digits;
    if (count <= exponent + 1)
        return sign + digits + std::string(static_cast<std::size_t>(exponent + 1 - count), '0') + ".0";
    return sign + digits.insert(static_cast<std::size_t>(exponent + 1), ".");
}

std::string inlineText(const Json& value) {
    std::string out;
    writeInline(value, out);
    return out;
}

std::string canonicalText(const Json& root) {
    std::string out;
    write(root, 0, 0, true, out);
    out += '\n';
    return out;
}

} // namespace weir::editor
