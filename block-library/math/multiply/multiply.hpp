#pragma once

#include <volk/volk.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <type_traits>

#include "weir/block.hpp"
#include "weir/whole_groups.hpp"

namespace weir::blocks {

template <class T> struct Multiply {
    struct Params {};
    Params params;

    // VOLK chooses its kernel at the first call.
    void start(const BlockContext&) { multiply(nullptr, nullptr, nullptr, 0); }

    WorkResult work(In<T>& in0, In<T>& in1, Out<T>& out) noexcept {
        const std::size_t n = std::min({in0.size(), in1.size(), out.size()});
        if (n == 0) return std::min(in0.size(), in1.size()) == 0 ? WorkStatus::need_input : WorkStatus::need_output;
        multiply(out.data(), in0.data(), in1.data(), n);
        in0.consume(n);
        in1.consume(n);
        out.produce(n);
        return WorkStatus::ok;
    }

  private:
    static void multiply(T* y, const T* x0, const T* x1, std::size_t n) noexcept {
        if constexpr (std::is_same_v<T, float>) {
            volk_32f_x2_multiply_32f(y, x0, x1, static_cast<unsigned>(n));
        } else if constexpr (std::is_same_v<T, c64>) {
            const auto kernel = [](c64* product, const c64* a, const c64* b, unsigned items) {
                volk_32fc_x2_multiply_32fc_u(product, a, b, items);
            };
            in_whole_groups(kernel, n, y, x0, x1);
        } else {
            for (std::size_t i = 0; i < n; ++i)
                y[i] = static_cast<T>(static_cast<std::uint32_t>(x0[i]) * static_cast<std::uint32_t>(x1[i]));
        }
    }
};

}  // namespace weir::blocks
