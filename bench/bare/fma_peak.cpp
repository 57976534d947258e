// What the core could do were there no memory at all: chains of FMA instructions whose operands stay in registers.

#include "bare.hpp"

namespace weir::bench {
namespace {

#if WEIR_VECTOR_BITS
constexpr std::size_t kLanes = WEIR_VECTOR_BITS / 32;
#else
constexpr std::size_t kLanes = 4;
#endif
using Vector [[gnu::vector_size(kLanes * sizeof(float))]] = float;

// More than latency x units of any core so far (4 x 2), and with the two operands less than the 16 registers of AVX2.
constexpr std::size_t kChains = 12;
constexpr int kStepsBetweenClocks = 10'000;

}  // namespace

Rate fma_peak(double seconds) {
    float a_value = 0.75F, b_value = 0.5F;
    asm volatile("" : "+m"(a_value), "+m"(b_value));  // run-time values
    const Vector a = Vector{} + a_value, b = Vector{} + b_value;
    Vector chain[kChains];
    for (std::size_t k = 0; k < kChains; ++k) chain[k] = Vector{} + static_cast<float>(k);
    std::uint64_t steps = 0;
    const Stopwatch watch;
    do {
        for (int step = 0; step < kStepsBetweenClocks; ++step) {
#pragma GCC unroll 12
            for (std::size_t k = 0; k < kChains; ++k) chain[k] = chain[k] * a + b;
        }
        steps += kStepsBetweenClocks;
    } while (watch.elapsed_s() < seconds);
    const Rate rate = watch.rate(steps * kChains * kLanes);
    Vector sum{};
    for (const Vector& one : chain) sum += one;
    asm volatile("" : : "m"(sum));
    return rate;
}

}  // namespace weir::bench
