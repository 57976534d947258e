#include <gtest/gtest.h>

#include <map>
#include <vector>

#include "flow/copy_rand/copy_rand.hpp"

namespace weir {
namespace {

std::vector<std::size_t> amounts(std::uint64_t seed, std::int64_t max_copy, std::size_t offered, std::size_t calls) {
    blocks::CopyRand<float> block;
    block.params.max_copy = max_copy;
    BlockContext context;
    context.seed = seed;
    block.start(context);
    std::vector<float> items(offered), space(offered);
    std::vector<std::size_t> made;
    for (std::size_t i = 0; i < calls; ++i) {
        In<float> in(items, false);
        Out<float> out(space);
        EXPECT_EQ(block.work(in, out).status, WorkStatus::ok);
        EXPECT_EQ(in.consumed(), out.produced());
        made.push_back(in.consumed());
    }
    return made;
}

TEST(CopyRand, AmountsAreUniform) {
    constexpr std::size_t kMost = 8, kCalls = 80'000;
    std::map<std::size_t, double> seen;
    for (const auto n : amounts(3, kMost, 100, kCalls)) seen[n] += 1.0;
    ASSERT_EQ(seen.size(), kMost);
    double chi_squared = 0.0;
    for (std::size_t n = 1; n <= kMost; ++n) chi_squared += (seen[n] - 1e4) * (seen[n] - 1e4) / 1e4;
    EXPECT_LT(chi_squared, 24.3);  // 7 degrees of freedom, p = 0.001
}

TEST(CopyRand, NeverMoreThanIsThere) {
    for (const auto n : amounts(4, 512, 5, 1000)) EXPECT_LE(n, 5U);
    for (const auto n : amounts(4, 1, 100, 100)) EXPECT_EQ(n, 1U);
}

TEST(CopyRand, FollowsItsSeed) {
    EXPECT_EQ(amounts(5, 512, 1000, 50), amounts(5, 512, 1000, 50));
    EXPECT_NE(amounts(5, 512, 1000, 50), amounts(6, 512, 1000, 50));
}

}  // namespace
}  // namespace weir
