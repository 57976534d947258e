#include <gtest/gtest.h>

#include <vector>

#include "sources/dummy_source/dummy_source.hpp"

namespace weir {
namespace {

void offer(blocks::DummySource<float>& source, std::span<float> space) {
    Out<float> out(space);
    ASSERT_EQ(source.work(out).status, WorkStatus::ok);
    ASSERT_EQ(out.produced(), space.size());
}

TEST(DummySource, FillsABufferOnceAndThenLeavesItAlone) {
    blocks::DummySource<float> source;
    std::vector<float> buffer(1000, -1.0F);
    const std::span all(buffer);
    offer(source, all.subspan(0, 300));
    offer(source, all.subspan(300, 700));
    EXPECT_EQ(buffer, std::vector<float>(1000, 1.0F));
    buffer.assign(1000, 7.0F);
    for (std::size_t at = 0; at < 900; at += 90) offer(source, all.subspan(at, 100));
    EXPECT_EQ(buffer, std::vector<float>(1000, 7.0F));
}

TEST(DummySource, FillsAGapThatItHasNotSeen) {
    blocks::DummySource<float> source;
    std::vector<float> buffer(1000, -1.0F);
    const std::span all(buffer);
    offer(source, all.subspan(0, 100));
    offer(source, all.subspan(500, 100));
    offer(source, all.subspan(100, 400));
    EXPECT_EQ(std::vector<float>(buffer.begin(), buffer.begin() + 600), std::vector<float>(600, 1.0F));
    EXPECT_EQ(buffer[600], -1.0F);
}

TEST(DummySource, KnowsBuffersThatTakeTurns) {
    blocks::DummySource<float> source;
    std::vector<std::vector<float>> buffers(16, std::vector<float>(64, -1.0F));
    for (auto& buffer : buffers) offer(source, buffer);
    for (auto& buffer : buffers) buffer.assign(64, 3.0F);
    for (int turn = 0; turn < 3; ++turn)
        for (auto& buffer : buffers) offer(source, buffer);
    for (const auto& buffer : buffers) EXPECT_EQ(buffer, std::vector<float>(64, 3.0F));
}

TEST(DummySource, FillsMoreBuffersThanItRemembers) {
    blocks::DummySource<float> source;
    std::vector<std::vector<float>> buffers(200, std::vector<float>(16, -1.0F));
    for (auto& buffer : buffers) offer(source, buffer);
    for (const auto& buffer : buffers) EXPECT_EQ(buffer, std::vector<float>(16, 1.0F));
}

}  // namespace
}  // namespace weir
