#include <gtest/gtest.h>

#include <cmath>
#include <numbers>
#include <vector>

#include "modulation/rotator/rotator.hpp"

namespace weir {
namespace {

TEST(Rotator, ThePhaseIsRightAfterMillionsOfItems) {
    // 1/3 of a cycle is not a binary fraction: a phase summed in float32, or a phasor multiplied again and again, would
    // drift.
    constexpr std::size_t kItems = 3 << 24, kChunk = 1000 * 3;
    blocks::Rotator rotator;
    rotator.params = {.sample_rate = 3.0, .frequency = 1.0, .phase = 0.25};
    rotator.start({});
    const std::vector<c64> ones(kChunk, c64{1.0F, 0.0F});
    std::vector<c64> turned(kChunk);
    for (std::size_t done = 0; done < kItems; done += kChunk) {
        In<c64> in(ones, false);
        Out<c64> out(turned);
        ASSERT_EQ(rotator.work(in, out).status, WorkStatus::ok);
    }
    for (std::size_t i = 0; i < kChunk; ++i) {
        const double angle = 2.0 * std::numbers::pi * static_cast<double>(i % 3) / 3.0 + 0.25;
        EXPECT_NEAR(turned[i].real(), std::cos(angle), 6.1e-8);
        EXPECT_NEAR(turned[i].imag(), std::sin(angle), 6.1e-8);
    }
}

TEST(Rotator, RefusesASampleRateOfZero) {
    blocks::Rotator rotator;
    rotator.params.sample_rate = 0.0;
    EXPECT_THROW(rotator.start({}), std::runtime_error);
}

}  // namespace
}  // namespace weir
