#pragma once

#include <volk/volk.h>

#include <algorithm>
#include <array>
#include <cstddef>

#include "weir/block.hpp"

namespace weir::blocks {

struct ComplexToMagSquared {
    struct Params {};
    Params params;

    void start(const BlockContext&) { magnitude_squared(nullptr, nullptr, 0); }  // VOLK chooses its kernel at the first call

    WorkResult work(In<c64>& in, Out<float>& out) noexcept {
        const std::size_t n = std::min(in.size(), out.size());
        if (n == 0) return in.size() == 0 ? WorkStatus::need_input : WorkStatus::need_output;
        magnitude_squared(out.data(), in.data(), n);
        in.consume(n);
        out.produce(n);
        return WorkStatus::ok;
    }

  private:
    /// VOLK rounds a vector's items and the odd ones behind them differently, so that bits would depend on how a stream is
    /// cut. The rest is padded to whole vectors instead.
    static void magnitude_squared(float* y, const c64* x, std::size_t n) noexcept {
        constexpr std::size_t kGroup = 16;
        const std::size_t whole = n - n % kGroup;
        volk_32fc_magnitude_squared_32f_u(y, x, static_cast<unsigned>(whole));
        if (whole == n) return;
        std::array<c64, kGroup> rest{};
        std::array<float, kGroup> squares{};
        std::copy(x + whole, x + n, rest.begin());
        volk_32fc_magnitude_squared_32f_u(squares.data(), rest.data(), kGroup);
        std::copy_n(squares.begin(), n - whole, y + whole);
    }
};

}  // namespace weir::blocks
