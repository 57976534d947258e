// y = a x + b: the kernel of the saxpy block, of the bare benchmark and of the speed check.
#pragma once

#include <cmath>
#include <cstddef>

namespace weir {

/// Compute y = a x + b. y equals x or does not overlap it, so the loop may promise `ivdep`.
inline void axpy(float a, const float* x, float b, float* y, std::size_t n) noexcept {
    // Groups of constant length compile to vector code without a loop counter, whatever unrolling the compiler uses. A
    // plain loop is up to a third slower in L1.
    constexpr std::size_t kGroup = 128;
    std::size_t i = 0;
    for (; i + kGroup <= n; i += kGroup) {
#pragma GCC ivdep
        for (std::size_t k = 0; k < kGroup; ++k) y[i + k] = std::fma(a, x[i + k], b);
    }
    for (; i < n; ++i) y[i] = std::fma(a, x[i], b);
}

}  // namespace weir
