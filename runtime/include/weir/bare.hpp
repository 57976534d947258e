// Bare kernel: saxpy in L1 on one core, without the runtime. Header only, so that it is compiled like the blocks.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <memory>
#include <new>

#include "weir/axpy.hpp"
#include "weir/clock.hpp"

namespace weir::bare {

inline constexpr std::size_t kBufferBytes = 16384;  ///< bytes of the input; the output is as large, and both stay in L1
inline constexpr std::size_t kAlignment = 4096;

struct Free {
    void operator()(float* p) const noexcept { std::free(p); }
};
using Buffer = std::unique_ptr<float[], Free>;

/// Page-aligned buffer filled with normal numbers.
inline Buffer make_buffer(std::size_t items) {
    const std::size_t bytes = (items * sizeof(float) + kAlignment - 1) / kAlignment * kAlignment;
    auto* raw = static_cast<float*>(std::aligned_alloc(kAlignment, bytes));
    if (raw == nullptr) throw std::bad_alloc{};
    for (std::size_t i = 0; i < items; ++i) raw[i] = 1.0F + static_cast<float>(i % 7);
    return Buffer{raw};
}

/// Return the rate in items/s, measured for `seconds` on the calling thread.
inline double saxpy_items_per_s(double seconds, std::size_t buffer_bytes = kBufferBytes) {
    constexpr int kCallsBetweenClocks = 100;
    std::size_t items = buffer_bytes / sizeof(float);
    const Buffer source = make_buffer(items);
    const Buffer target = make_buffer(items);
    float a = 0.75F, b = 0.5F;
    asm volatile("" : "+m"(a), "+m"(b), "+r"(items));  // run-time values
    std::uint64_t done = 0;
    const std::int64_t start = monotonic_ns();
    double elapsed_s = 0;
    do {
        for (int i = 0; i < kCallsBetweenClocks; ++i) {
            axpy(a, source.get(), b, target.get(), items);
            asm volatile("" : : "r"(target.get()) : "memory");
            done += items;
        }
        elapsed_s = static_cast<double>(monotonic_ns() - start) * 1e-9;
    } while (elapsed_s < seconds);
    return static_cast<double>(done) / elapsed_s;
}

}  // namespace weir::bare
