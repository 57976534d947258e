#include <gtest/gtest.h>

#include <vector>

#include "weir/digest.hpp"
#include "weir/pattern.hpp"

namespace weir {
namespace {

template <class T> class Pattern : public testing::Test {};
using ItemTypes = testing::Types<std::uint8_t, std::int8_t, std::int16_t, std::int32_t, float, double, c64>;
TYPED_TEST_SUITE(Pattern, ItemTypes);

TYPED_TEST(Pattern, FillIsTheItemsOneByOne) {
    for (const std::uint64_t first : {0ULL, 250ULL, 1020ULL, 65'519ULL, (1ULL << 40) + 7}) {
        std::vector<TypeParam> items(3000);
        CounterPattern<TypeParam>::fill(items.data(), items.size(), first);
        for (std::size_t i = 0; i < items.size(); ++i) ASSERT_EQ(items[i], CounterPattern<TypeParam>::item(first + i));
    }
}

TYPED_TEST(Pattern, ExchangedChunksOfAPowerOfTwoChangeTheDigest) {
    for (std::size_t chunk = 1; chunk <= 1 << 16; chunk *= 2) {
        std::vector<TypeParam> items(2 * chunk);
        CounterPattern<TypeParam>::fill(items.data(), items.size(), 0);
        const auto straight = digest_of(items.data(), items.size(), 0);
        const auto exchanged = digest_of(items.data(), chunk, chunk) + digest_of(items.data() + chunk, chunk, 0);
        EXPECT_NE(straight, exchanged) << "chunks of " << chunk;
    }
}

}  // namespace
}  // namespace weir
