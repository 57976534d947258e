#pragma once

#include <volk/volk.h>

#include <algorithm>
#include <array>
#include <cstddef>

#include "weir/block.hpp"

namespace weir::blocks {

struct MultiplyConjugate {
    struct Params {};
    Params params;

    void start(const BlockContext&) { multiply(nullptr, nullptr, nullptr, 0); }  // VOLK chooses its kernel at the first call

    WorkResult work(In<c64>& in0, In<c64>& in1, Out<c64>& out) noexcept {
        const std::size_t n = std::min({in0.size(), in1.size(), out.size()});
        if (n == 0) return std::min(in0.size(), in1.size()) == 0 ? WorkStatus::need_input : WorkStatus::need_output;
        multiply(out.data(), in0.data(), in1.data(), n);
        in0.consume(n);
        in1.consume(n);
        out.produce(n);
        return WorkStatus::ok;
    }

  private:
    /// VOLK rounds a vector's items and the odd ones behind them differently, so that bits would depend on how a stream is
    /// cut. The rest is padded to whole vectors instead.
    static void multiply(c64* y, const c64* x0, const c64* x1, std::size_t n) noexcept {
        constexpr std::size_t kGroup = 16;
        const std::size_t whole = n - n % kGroup;
        volk_32fc_x2_multiply_conjugate_32fc_u(y, x0, x1, static_cast<unsigned>(whole));
        if (whole == n) return;
        std::array<c64, kGroup> rest0{}, rest1{};
        std::copy(x0 + whole, x0 + n, rest0.begin());
        std::copy(x1 + whole, x1 + n, rest1.begin());
        volk_32fc_x2_multiply_conjugate_32fc_u(rest0.data(), rest0.data(), rest1.data(), kGroup);
        std::copy_n(rest0.begin(), n - whole, y + whole);
    }
};

}  // namespace weir::blocks
