#pragma once

#include <volk/volk.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <type_traits>

#include "weir/block.hpp"
#include "weir/whole_groups.hpp"

namespace weir::blocks {

template <class T> struct MultiplyConst {
    struct Params {
        T constant = T(1);
    };
    Params params;

    void start(const BlockContext&) { multiply(nullptr, nullptr, 0); }  // VOLK chooses its kernel at the first call

    WorkResult work(In<T>& in, Out<T>& out) noexcept {
        const std::size_t n = std::min(in.size(), out.size());
        if (n == 0) return in.size() == 0 ? WorkStatus::need_input : WorkStatus::need_output;
        multiply(out.data(), in.data(), n);
        in.consume(n);
        out.produce(n);
        return WorkStatus::ok;
    }

  private:
    void multiply(T* y, const T* x, std::size_t n) noexcept {
        if constexpr (std::is_same_v<T, float>) {
            volk_32f_s32f_multiply_32f(y, x, params.constant, static_cast<unsigned>(n));
        } else if constexpr (std::is_same_v<T, c64>) {
            multiply_complex(y, x, params.constant, n);
        } else {
            for (std::size_t i = 0; i < n; ++i)
                y[i] = static_cast<T>(static_cast<std::uint32_t>(x[i]) * static_cast<std::uint32_t>(params.constant));
        }
    }

    static void multiply_complex(c64* y, const c64* x, c64 constant, std::size_t n) noexcept {
        const auto kernel = [constant](c64* product, const c64* a, unsigned items) {
#if VOLK_VERSION_MAJOR > 3 || (VOLK_VERSION_MAJOR == 3 && VOLK_VERSION_MINOR >= 1)
            volk_32fc_s32fc_multiply2_32fc_u(product, a, &constant, items);
#else  // the same kernel, of which VOLK 3.1 says that a complex number by value is not C
            volk_32fc_s32fc_multiply_32fc_u(product, a, constant, items);
#endif
        };
        in_whole_groups(kernel, n, y, x);
    }
};

}  // namespace weir::blocks
