#pragma once

#include <algorithm>
#include <cstddef>

#include "weir/block.hpp"

namespace weir::blocks {

template <class T> struct Divide {
    struct Params {};
    Params params;

    WorkResult work(In<T>& in0, In<T>& in1, Out<T>& out) noexcept {
        const std::size_t n = std::min({in0.size(), in1.size(), out.size()});
        if (n == 0) return std::min(in0.size(), in1.size()) == 0 ? WorkStatus::need_input : WorkStatus::need_output;
        divide(out.data(), in0.data(), in1.data(), n);
        in0.consume(n);
        in1.consume(n);
        out.produce(n);
        return WorkStatus::ok;
    }

  private:
    static void divide(float* y, const float* x0, const float* x1, std::size_t n) noexcept {
        for (std::size_t i = 0; i < n; ++i) y[i] = x0[i] / x1[i];
    }

    /// In double: no product of two float32 overflows or loses bits there.
    static void divide(c64* y, const c64* x0, const c64* x1, std::size_t n) noexcept {
        for (std::size_t i = 0; i < n; ++i) {
            const double a = x0[i].real(), b = x0[i].imag(), c = x1[i].real(), d = x1[i].imag();
            const double size = c * c + d * d;
            y[i] = {static_cast<float>((a * c + b * d) / size), static_cast<float>((b * c - a * d) / size)};
        }
    }
};

}  // namespace weir::blocks
