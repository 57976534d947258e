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

/// The least processor time of many calls: what others do on the machine only adds to it.
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

// A lower bound, which no neighbour on the machine can break: an iteration is a multiply-add that waits for the one before it,
// and takes no less than a tenth of a nanosecond on any processor.
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
