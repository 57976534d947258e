// The block parameters that a built binary can still change: `--param stage.a=0.5`.
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
#include <vector>

namespace weir {

/// What a number parameter may be, both ends included.
struct Range {
    double minimum = -std::numeric_limits<double>::infinity();
    double maximum = std::numeric_limits<double>::infinity();
};

/// Names and addresses of parameters, filled by the generated `Flowgraph::parameters(ParamTable&)`:
///
///     table.add("stage.a", {&stage_0.block.params.a, &stage_1.block.params.a}, {0.0, 1.0});
///     table.add("source.waveform", {&source.block.params.waveform}, {"sine", "cosine"});
///
/// One entry sets every address it lists. The enumerators of an `enum` count from 0 in the order of their names.
class ParamTable {
  public:
    enum class Type : std::uint8_t { boolean, integer, real, complex, text, real_list, enumeration };

    struct Entry {
        std::string name;
        Type type;
        std::size_t size;      ///< of the field, bytes
        bool is_signed;
        Range range;
        std::vector<std::string_view> options;
        std::vector<void*> fields;
    };

    template <class T> void add(std::string_view name, std::initializer_list<T*> fields, Range range = {}) {
        constexpr bool kSigned = std::is_arithmetic_v<T> && std::is_signed_v<T>;
        insert({std::string(name), type_of<T>(), sizeof(T), kSigned, range, {}, {fields.begin(), fields.end()}});
    }
    template <class E>
        requires std::is_enum_v<E>
    void add(std::string_view name, std::initializer_list<E*> fields, std::initializer_list<const char*> options) {
        insert({std::string(name), Type::enumeration, sizeof(E), false, {}, {options.begin(), options.end()},
                {fields.begin(), fields.end()}});
    }

    /// Applies `name=value`. Returns "" or a message for the user; then nothing has changed.
    std::string set(std::string_view assignment);

    const std::vector<Entry>& entries() const noexcept { return entries_; }
    /// The value in effect, as `set` would take it.
    static std::string text(const Entry& entry);
    /// The value in effect as JSON text.
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
    void insert(Entry entry);

    std::vector<Entry> entries_;
};

}  // namespace weir
