#include <gtest/gtest.h>

#include <time.h>
#include <algorithm>
#include <limits>
#include <vector>

#include "flow/busy_work/busy_work.hpp"

namespace weir {
namespace {

double thread_ns() {
    timespec now{};
    ::clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
    return static_cast<double>(now.tv_sec) * 1e9 + static_cast<double>(now.tv_nsec);
}

/// Return the least CPU time of many calls, because other programs on the machine can only add to it.
template <class T> double least_ns(std::int64_t iterations, std::size_t items, T value = {}) {
    blocks::BusyWork<T> block;
    block.params.iterations = iterations;
    const std::vector<T> from(items, value);
    std::vector<T> to(items);
    double least = std::numeric_limits<double>::max();
    for (int call = 0; call < 200; ++call) {
        In<T> in(from, false);
        Out<T> out(to);
        const double before = thread_ns();
        block.work(in, out);
        least = std::min(least, thread_ns() - before);
    }
    return least;
}

// Check a lower bound only, which other programs on the machine cannot break. An iteration is a multiply-add that waits
// for the previous one. It takes at least 0.1 ns on any processor.
TEST(BusyWork, NoIterationIsLeftOut) {
    constexpr double kIterationNs = 0.1;
    EXPECT_GT(least_ns<float>(10'000, 10), 10'000 * 10 * kIterationNs);
    EXPECT_GT(least_ns<float>(20'000, 20), 20'000 * 20 * kIterationNs);
    EXPECT_GT(least_ns<float>(1'000, 400, 1e-40F), 1'000 * 400 * kIterationNs);
    EXPECT_GT(least_ns<c64>(10'000, 10, {1.0F, -1.0F}), 10'000 * 10 * kIterationNs);
    EXPECT_GT(least_ns<std::uint8_t>(10'000, 10, 255), 10'000 * 10 * kIterationNs);
}

}  // namespace
}  // namespace weir
