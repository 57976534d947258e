// How a program writes values of results.json: objects, lists and values that may be missing. The objects are in
// results_fields.hpp.
#pragma once

#include <array>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "weir/json_writer.hpp"
#include "weir/results.hpp"

namespace weir::fields {

/// Value that must be given: leaving out a field of the model does not compile.
template <class T> struct Given {
    template <class U>
        requires std::constructible_from<T, U>
    Given(U&& given) : value(std::forward<U>(given)) {}  // NOLINT(google-explicit-constructor): as if it were a T
    T value;
};

template <class T> using ByName = std::vector<std::pair<std::string, T>>;

/// A value that is JSON text already.
struct Json {
    std::string text;
};

struct Digest {
    std::uint64_t bits;
};

inline void write(JsonWriter& json, const Json& value) { json.raw(value.text); }
inline void write(JsonWriter& json, const Digest& digest) { json.value(digest_text(digest.bits)); }
template <class T> void write(JsonWriter& json, const T& value);
template <class T> void write(JsonWriter& json, const std::optional<T>& maybe);
template <class T> void write(JsonWriter& json, const std::vector<T>& items);
template <class T> void write(JsonWriter& json, const ByName<T>& values);
template <class T, std::size_t n> void write(JsonWriter& json, const std::array<T, n>& items);

/// An object is what has `members`; `kBlock`: a line a field.
template <class T> constexpr JsonWriter::Layout layout_of() {
    return requires { T::kBlock; } ? JsonWriter::Layout::block : JsonWriter::Layout::line;
}

template <class T> void put(JsonWriter& json, std::string_view name, const Given<T>& given) {
    json.key(name);
    write(json, given.value);
}

template <class T> void write(JsonWriter& json, const T& value) {
    if constexpr (requires { value.members(json); }) {
        json.begin_object(layout_of<T>());
        value.members(json);
        json.end_object();
    } else {
        json.value(value);
    }
}

template <class T> void write(JsonWriter& json, const std::optional<T>& maybe) {
    if (maybe) write(json, *maybe);
    else json.null();
}

/// Writes a list: objects one a line, plain values all on one line.
template <class T> void write(JsonWriter& json, const std::vector<T>& items) {
    constexpr bool kOfObjects = requires(const T& item) { item.members(json); };
    json.begin_array(kOfObjects ? JsonWriter::Layout::block : JsonWriter::Layout::line);
    for (const T& item : items) write(json, item);
    json.end_array();
}

template <class T> void write(JsonWriter& json, const ByName<T>& values) {
    json.begin_object();
    for (const auto& [name, value] : values) {
        json.key(name);
        write(json, value);
    }
    json.end_object();
}

template <class T, std::size_t n> void write(JsonWriter& json, const std::array<T, n>& items) {
    json.begin_array(JsonWriter::Layout::line);
    for (const T& item : items) write(json, item);
    json.end_array();
}

}  // namespace weir::fields
