#include "weir/param.hpp"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstring>
#include <optional>

#include "weir/json_writer.hpp"
#include "weir/numbers.hpp"
#include "weir/text.hpp"

namespace weir {

namespace {

using Entry = ParamTable::Entry;
using Type = ParamTable::Type;

std::string trimmed(std::string_view text) {
    while (text.starts_with(' ')) text.remove_prefix(1);
    while (text.ends_with(' ')) text.remove_suffix(1);
    return std::string(text);
}

/// Parse `1,2,3` or `[1, 2, 3]`. Absent if an element is not a number.
std::optional<std::vector<float>> parse_list(std::string_view text) {
    std::string inner = trimmed(text);
    if (inner.starts_with('[') && inner.ends_with(']')) inner = trimmed(inner.substr(1, inner.size() - 2));
    std::vector<float> values;
    if (inner.empty()) return values;
    std::string_view rest = inner;
    while (true) {
        const std::size_t comma = rest.find(',');
        const std::optional<double> value = parse_real(trimmed(rest.substr(0, comma)));
        if (!value) return std::nullopt;
        values.push_back(static_cast<float>(*value));
        if (comma == std::string_view::npos) return values;
        rest.remove_prefix(comma + 1);
    }
}

/// Return the value of the field's `size` bytes as a 64-bit integer.
std::int64_t load_integer(const void* field, const Entry& entry) {
    std::uint64_t bits = 0;
    std::memcpy(&bits, field, entry.size);  // requires a little-endian host, as all of Weir does
    const unsigned spare = 64U - 8U * static_cast<unsigned>(entry.size);
    if (!entry.is_signed) return static_cast<std::int64_t>(bits);
    return static_cast<std::int64_t>(bits << spare) >> spare;
}

double load_real(const void* field, const Entry& entry) {
    if (entry.size == sizeof(float)) return static_cast<double>(*static_cast<const float*>(field));
    return *static_cast<const double*>(field);
}

template <class T> void store(const Entry& entry, const T& value) {
    for (void* field : entry.fields) *static_cast<T*>(field) = value;
}

void store_bits(const Entry& entry, std::int64_t value) {
    for (void* field : entry.fields) std::memcpy(field, &value, entry.size);
}

std::string shortest(double value) {
    char digits[32];
    return {digits, std::to_chars(digits, digits + sizeof digits, value).ptr};
}

/// Return the shortest text for a float: 0.1, not 0.10000000149011612.
std::string shortest(float value) {
    char digits[32];
    return {digits, std::to_chars(digits, digits + sizeof digits, value).ptr};
}

std::string real_text(const void* field, const Entry& entry) {
    return entry.size == sizeof(float) ? shortest(*static_cast<const float*>(field))
                                       : shortest(load_real(field, entry));
}

std::string range_text(const Range& range) {
    if (std::isinf(range.minimum)) return concat({"at most ", shortest(range.maximum)});
    if (std::isinf(range.maximum)) return concat({"at least ", shortest(range.minimum)});
    return concat({"from ", shortest(range.minimum), " to ", shortest(range.maximum)});
}

bool outside(double value, const Range& range) { return value < range.minimum || value > range.maximum; }

/// Return whether the field can hold `value`.
bool fits(std::int64_t value, const Entry& entry) {
    if (entry.size == 8) return entry.is_signed || value >= 0;
    const unsigned bits = 8U * static_cast<unsigned>(entry.size) - (entry.is_signed ? 1U : 0U);
    const std::int64_t highest = (std::int64_t{1} << bits) - 1;
    return value <= highest && value >= (entry.is_signed ? -highest - 1 : 0);
}

std::string joined(const std::vector<std::string_view>& words) {
    std::string text;
    for (const std::string_view word : words) text += concat({text.empty() ? "" : ", ", word});
    return text;
}

std::string set_integer(const Entry& entry, const std::string& text) {
    const std::optional<std::int64_t> value = parse_integer(text);
    if (!value) return "must be an integer";
    if (outside(static_cast<double>(*value), entry.range)) return concat({"must be ", range_text(entry.range)});
    if (!fits(*value, entry)) return concat({"does not fit in ", std::to_string(8 * entry.size), " bits"});
    store_bits(entry, *value);
    return "";
}

std::string set_real(const Entry& entry, const std::string& text) {
    const std::optional<double> value = parse_real(text);
    if (!value) return "must be a number";
    if (outside(*value, entry.range)) return concat({"must be ", range_text(entry.range)});
    if (entry.size == sizeof(double)) {
        store(entry, *value);
        return "";
    }
    if (std::abs(*value) > static_cast<double>(std::numeric_limits<float>::max())) return "does not fit in a float";
    store(entry, static_cast<float>(*value));
    return "";
}

std::string set_complex(const Entry& entry, const std::string& text) {
    const std::optional<std::vector<float>> parts = parse_list(text);
    if (!parts || parts->empty() || parts->size() > 2) return "must be a number or `real,imaginary`";
    store(entry, std::complex<float>((*parts)[0], parts->size() == 2 ? (*parts)[1] : 0.0F));
    return "";
}

std::string set_boolean(const Entry& entry, const std::string& text) {
    if (text != "true" && text != "false") return "must be true or false";
    store(entry, text == "true");
    return "";
}

std::string set_enumeration(const Entry& entry, const std::string& text) {
    const auto found = std::find(entry.options.begin(), entry.options.end(), text);
    if (found == entry.options.end()) return concat({"must be one of ", joined(entry.options)});
    store_bits(entry, found - entry.options.begin());
    return "";
}

std::string set_value(const Entry& entry, std::string_view text) {
    switch (entry.type) {
        case Type::boolean: return set_boolean(entry, trimmed(text));
        case Type::integer: return set_integer(entry, trimmed(text));
        case Type::real: return set_real(entry, trimmed(text));
        case Type::complex: return set_complex(entry, trimmed(text));
        case Type::enumeration: return set_enumeration(entry, trimmed(text));
        case Type::text: store(entry, std::string(text)); return "";
        case Type::real_list: break;
    }
    const std::optional<std::vector<float>> values = parse_list(text);
    if (!values) return "must be a list of numbers such as 1,2,3";
    store(entry, *values);
    return "";
}

std::string option_text(const Entry& entry) {
    const auto index = static_cast<std::size_t>(load_integer(entry.fields.front(), entry));
    return index < entry.options.size() ? std::string(entry.options[index]) : std::to_string(index);
}

}  // namespace

void ParamTable::insert(std::string_view name, const Kind& kind, std::initializer_list<const char*> options,
                        void* field) {
    const auto [place, is_new] = places_.emplace(name, entries_.size());
    if (is_new) entries_.push_back({kind, std::string(name), {options.begin(), options.end()}, {}});
    entries_[place->second].fields.push_back(field);
}

std::string ParamTable::set(std::string_view assignment) {
    const std::size_t equals = assignment.find('=');
    if (equals == std::string_view::npos) {
        return concat({"--param takes instance.parameter=value, not `", assignment, "`"});
    }
    const std::string name = trimmed(assignment.substr(0, equals));
    const auto entry = std::find_if(entries_.begin(), entries_.end(), [&](const Entry& e) { return e.name == name; });
    if (entry == entries_.end()) {
        std::vector<std::string_view> names;
        names.reserve(entries_.size());
        for (const Entry& e : entries_) names.push_back(e.name);
        const std::string_view guess = did_you_mean(name, names);
        return concat({"unknown parameter `", name, "`; ", suggestion(guess)});
    }
    const std::string_view value = assignment.substr(equals + 1);
    const std::string problem = set_value(*entry, value);
    return problem.empty() ? "" : concat({name, " ", problem, ", not `", value, "`"});
}

std::string ParamTable::text(const Entry& entry) {
    const void* field = entry.fields.front();
    switch (entry.type) {
        case Type::boolean: return *static_cast<const bool*>(field) ? "true" : "false";
        case Type::integer: return std::to_string(load_integer(field, entry));
        case Type::real: return real_text(field, entry);
        case Type::text: return *static_cast<const std::string*>(field);
        case Type::enumeration: return option_text(entry);
        case Type::complex: {
            const auto& value = *static_cast<const std::complex<float>*>(field);
            return concat({shortest(value.real()), ",", shortest(value.imag())});
        }
        case Type::real_list: break;
    }
    std::string list;
    for (const float value : *static_cast<const std::vector<float>*>(field)) {
        list += concat({list.empty() ? "" : ",", shortest(value)});
    }
    return list;
}

std::string ParamTable::json(const Entry& entry) {
    switch (entry.type) {
        case Type::text:
        case Type::enumeration: return json_quoted(text(entry));
        case Type::complex:
        case Type::real_list: return concat({"[", text(entry), "]"});
        case Type::real: return std::isfinite(load_real(entry.fields.front(), entry)) ? text(entry) : "null";
        case Type::boolean:
        case Type::integer: break;
    }
    return text(entry);
}

}  // namespace weir
