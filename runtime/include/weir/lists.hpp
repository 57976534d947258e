// Constant lists that the generator writes into specs. They live as long as the program, so spans over them stay valid.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>
#include <utility>

namespace weir {

template <std::uint32_t... Items> inline constexpr std::array<std::uint32_t, sizeof...(Items)> rates{Items...};
/// Distances of a worker to all workers.
template <std::uint32_t... Steps> inline constexpr std::array<std::uint32_t, sizeof...(Steps)> distances{Steps...};
template <int... Cpu> inline constexpr std::array<int, sizeof...(Cpu)> cpus{Cpu...};

/// Indices of tasks in the plan.
template <std::uint32_t... Index> inline constexpr std::array<std::uint32_t, sizeof...(Index)> tasks{Index...};

/// Range from `First` to `Last`, both included.
template <std::uint32_t First, std::uint32_t Last>
inline constexpr auto task_range = []<std::uint32_t... I>(std::integer_sequence<std::uint32_t, I...>) {
    return std::array<std::uint32_t, sizeof...(I)>{(First + I)...};
}(std::make_integer_sequence<std::uint32_t, Last - First + 1>{});

/// String literal as a template argument.
template <std::size_t N> struct Literal {
    char text[N];
    consteval Literal(const char (&literal)[N]) {
        std::copy_n(literal, N, text);
    }  // NOLINT: implicit, so that literals can be written
    constexpr std::string_view view() const { return {text, N - 1}; }
};

/// Names of ports: `ports<"in0", "in1">`.
template <Literal... Name> inline constexpr std::array<std::string_view, sizeof...(Name)> ports{Name.view()...};

}  // namespace weir
