#pragma once

#include <cstddef>
#include <cstdint>
#include <type_traits>

#include "weir/complex_product.hpp"
#include "weir/item_for_item.hpp"
#include "weir/volk.hpp"
#include "weir/whole_groups.hpp"

namespace weir::blocks {

template <class T> struct Multiply {
    struct Params {};
    Params params;

    // VOLK chooses its kernel at the first call.
    void start(const BlockContext&) { multiply(nullptr, nullptr, nullptr, 0); }

    WorkResult work(In<T>& in0, In<T>& in1, Out<T>& out) noexcept { return item_for_item(multiply, out, in0, in1); }

  private:
    static void multiply(T* y, const T* x0, const T* x1, std::size_t n) noexcept {
        if constexpr (std::is_same_v<T, float> && calls_volk("volk_32f_x2_multiply_32f")) {
            volk_32f_x2_multiply_32f(y, x0, x1, static_cast<unsigned>(n));
        } else if constexpr (std::is_same_v<T, c64> && calls_volk("volk_32fc_x2_multiply_32fc")) {
            const auto kernel = [](c64* products, const c64* a, const c64* b, unsigned items) {
                volk_32fc_x2_multiply_32fc_u(products, a, b, items);
            };
            in_whole_groups(kernel, n, y, x0, x1);
        } else {
            for (std::size_t i = 0; i < n; ++i) y[i] = product(x0[i], x1[i]);
        }
    }

    static T product(T x0, T x1) noexcept {
        if constexpr (std::is_integral_v<T>)
            return static_cast<T>(static_cast<std::uint32_t>(x0) * static_cast<std::uint32_t>(x1));
        else if constexpr (std::is_same_v<T, c64>) return complex_product(x0, x1);
        else return x0 * x1;
    }
};

}  // namespace weir::blocks
