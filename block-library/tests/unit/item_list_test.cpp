#include "weir/item_list.hpp"

#include <gtest/gtest.h>

#include <cmath>

namespace weir {
namespace {

TEST(ItemList, BytesAreTakenByTheirBits) {
    EXPECT_EQ(items_of<std::uint8_t>({-1, 255, -128}, "x"), (std::vector<std::uint8_t>{255, 255, 128}));
    EXPECT_EQ(items_of<std::int8_t>({-1, 255, 128}, "x"), (std::vector<std::int8_t>{-1, -1, -128}));
}

TEST(ItemList, WhatDoesNotFitIsRefused) {
    for (const float beyond : {256.0F, -129.0F, 0.5F, NAN, INFINITY})
        EXPECT_THROW(items_of<std::uint8_t>({beyond}, "x"), std::runtime_error) << beyond;
    EXPECT_THROW(items_of<std::int16_t>({32768}, "x"), std::runtime_error);
    EXPECT_THROW(items_of<std::int32_t>({2147483648.0F}, "x"), std::runtime_error);
    EXPECT_THROW(items_of<c64>({1, 2, 3}, "x"), std::runtime_error);
}

}  // namespace
}  // namespace weir
