#pragma once

#include <cstddef>
#include <cstdint>
#include <type_traits>

#include "weir/item_for_item.hpp"
#include "weir/volk.hpp"

namespace weir::blocks {

template <class T> struct Add {
    struct Params {};
    Params params;

    void start(const BlockContext&) { add(nullptr, nullptr, nullptr, 0); }  // VOLK chooses its kernel at the first call

    WorkResult work(In<T>& in0, In<T>& in1, Out<T>& out) noexcept {
        return item_for_item([this](auto... chunk) { add(chunk...); }, out, in0, in1);
    }

    T element(T x0, T x1) const noexcept {
        if constexpr (std::is_integral_v<T>)
            return static_cast<T>(static_cast<std::uint32_t>(x0) + static_cast<std::uint32_t>(x1));
        else return x0 + x1;
    }

  private:
    void add(T* y, const T* x0, const T* x1, std::size_t n) noexcept {
        if constexpr (std::is_integral_v<T> || !calls_volk("volk_32f_x2_add_32f")) {
            for (std::size_t i = 0; i < n; ++i) y[i] = element(x0[i], x1[i]);
        } else if constexpr (std::is_same_v<T, float>) {
            volk_32f_x2_add_32f(y, x0, x1, static_cast<unsigned>(n));
        } else {
            volk_32f_x2_add_32f(reinterpret_cast<float*>(y), reinterpret_cast<const float*>(x0),
                                reinterpret_cast<const float*>(x1), static_cast<unsigned>(2 * n));
        }
    }
};

}  // namespace weir::blocks
