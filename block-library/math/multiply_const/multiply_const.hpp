#pragma once

#include <cstddef>
#include <cstdint>
#include <type_traits>

#include "weir/complex_product.hpp"
#include "weir/item_for_item.hpp"
#include "weir/volk.hpp"
#include "weir/whole_groups.hpp"

namespace weir::blocks {

template <class T> struct MultiplyConst {
    struct Params {
        T constant = T(1);
    };
    Params params;

    void start(const BlockContext&) { multiply(nullptr, nullptr, 0); }  // VOLK chooses its kernel at the first call

    WorkResult work(In<T>& in, Out<T>& out) noexcept {
        return item_for_item([this](auto... chunk) { multiply(chunk...); }, out, in);
    }

  private:
    void multiply(T* y, const T* x, std::size_t n) noexcept {
        if constexpr (std::is_same_v<T, float> && calls_volk("volk_32f_s32f_multiply_32f")) {
            volk_32f_s32f_multiply_32f(y, x, params.constant, static_cast<unsigned>(n));
        } else if constexpr (std::is_same_v<T, c64> && calls_volk("volk_32fc_s32fc_multiply_32fc")) {
            const auto kernel = [constant = params.constant](c64* products, const c64* a, unsigned items) {
#if WEIR_VOLK_TAKES_POINTERS
                volk_32fc_s32fc_multiply_32fc_u(products, a, &constant, items);
#else
                volk_32fc_s32fc_multiply_32fc_u(products, a, constant, items);
#endif
            };
            in_whole_groups(kernel, n, y, x);
        } else {
            for (std::size_t i = 0; i < n; ++i) y[i] = product(x[i], params.constant);
        }
    }

    static T product(T x, T constant) noexcept {
        if constexpr (std::is_integral_v<T>)
            return static_cast<T>(static_cast<std::uint32_t>(x) * static_cast<std::uint32_t>(constant));
        else if constexpr (std::is_same_v<T, c64>) return complex_product(x, constant);
        else return x * constant;
    }
};

}  // namespace weir::blocks
