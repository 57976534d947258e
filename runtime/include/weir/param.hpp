// Block parameters that a built program can still change: `--param stage.a=0.5`.
#pragma once

#include <complex>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <limits>
#include <string>
#include <string_view>
#include <type_traits>
#include <unordered_map>
#include <vector>

namespace weir {

/// Range of a number parameter, both ends included.
struct Range {
    double minimum = -std::numeric_limits<double>::infinity();
    double maximum = std::numeric_limits<double>::infinity();
};

/// Names and addresses of parameters, filled by the generated `Flowgraph::parameters(ParamTable&)`:
///
///     table.add("gain.constant", gain.block().params.constant, {0.0, 1.0});
///     table.add("source.waveform", source.block().params.waveform, {"sine", "cosine"});
///     for (Stage& copy : stage) table.add("stage.a", copy.stage.block().params.a);
///
/// A repeated name adds a field: the one entry then sets all its fields. The enumerators of an `enum` count from 0 in
/// the order of their names.
class ParamTable {
  public:
    enum class Type : std::uint8_t { boolean, integer, real, complex, text, real_list, enumeration };

    struct Kind {
        Type type;
        std::size_t size;  ///< of the field, bytes
        bool is_signed;
        Range range;
    };
    struct Entry : Kind {
        std::string name;
        std::vector<std::string_view> options;
        std::vector<void*> fields;
    };

    // Not inlined, because there is a call for each block.
    template <class T> [[gnu::cold, gnu::noinline]] void add(std::string_view name, T& field, Range range = {}) {
        insert(name, {type_of<T>(), sizeof(T), std::is_arithmetic_v<T> && std::is_signed_v<T>, range}, {}, &field);
    }
    template <class E>
        requires std::is_enum_v<E>
    [[gnu::cold, gnu::noinline]] void add(std::string_view name, E& field, std::initializer_list<const char*> options) {
        insert(name, {Type::enumeration, sizeof(E), false, {}}, options, &field);
    }

    /// Apply `name=value`. Returns "" or a message for the user; in that case nothing has changed.
    std::string set(std::string_view assignment);

    const std::vector<Entry>& entries() const noexcept { return entries_; }
    /// Return the current value as text that `set` accepts.
    static std::string text(const Entry& entry);
    /// Return the current value as JSON text.
    static std::string json(const Entry& entry);

  private:
    template <class T> static consteval Type type_of() {
        if constexpr (std::same_as<T, bool>) return Type::boolean;
        else if constexpr (std::integral<T>) return Type::integer;
        else if constexpr (std::floating_point<T>) return Type::real;
        else if constexpr (std::same_as<T, std::complex<float>>) return Type::complex;
        else if constexpr (std::same_as<T, std::string>) return Type::text;
        else if constexpr (std::same_as<T, std::vector<float>>) return Type::real_list;
        else static_assert(!sizeof(T), "not a parameter type");
    }
    void insert(std::string_view name, const Kind& kind, std::initializer_list<const char*> options, void* field);

    std::vector<Entry> entries_;
    std::unordered_map<std::string, std::size_t> places_;  ///< index of an entry by name
};

}  // namespace weir
