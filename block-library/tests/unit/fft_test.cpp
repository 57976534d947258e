#include <gtest/gtest.h>

#include <span>
#include <thread>
#include <vector>

#include "transforms/fft/fft.hpp"

namespace weir {
namespace {

std::vector<c64> transformed(blocks::Fft& fft, const std::vector<c64>& items) {
    std::vector<c64> result(items.size());
    In<c64> in(items, false);
    Out<c64> out(result);
    EXPECT_EQ(fft.work(in, out).status, WorkStatus::ok);
    return result;
}

std::vector<c64> ramp(std::size_t n) {
    std::vector<c64> items(n);
    for (std::size_t i = 0; i < n; ++i) items[i] = {static_cast<float>(i % 17), static_cast<float>(i % 5)};
    return items;
}

TEST(Fft, PlansAreMadeAndDestroyedWhileOthersWork) {
    std::vector<std::thread> threads;
    for (std::int64_t t = 0; t < 4; ++t) {
        threads.emplace_back([t] {
            for (std::int64_t round = 0; round < 50; ++round) {
                blocks::Fft forward, inverse;
                forward.params.size = inverse.params.size = 1 + (round * 37 + t * 11) % 300;
                inverse.params.direction = blocks::Fft::Direction::kInverse;
                forward.start({});
                inverse.start({});
                const auto items = ramp(static_cast<std::size_t>(forward.params.size) * 3);
                const auto back = transformed(inverse, transformed(forward, items));
                for (std::size_t i = 0; i < items.size(); ++i) ASSERT_LT(std::abs(back[i] - items[i]), 1e-3F);
                forward.stop();
                inverse.stop();
            }
        });
    }
    for (auto& thread : threads) thread.join();
}

TEST(Fft, TheSameBitsAtAnyAddress) {
    blocks::Fft fft;
    fft.params.size = 96;
    fft.start({});
    const auto items = ramp(96);
    const auto wanted = transformed(fft, items);
    for (std::size_t shift = 1; shift < 8; ++shift) {
        std::vector<c64> from(shift), to(shift + 96);
        from.insert(from.end(), items.begin(), items.end());
        In<c64> in(std::span<const c64>(from).subspan(shift), false);
        Out<c64> out(std::span<c64>(to).subspan(shift));
        ASSERT_EQ(fft.work(in, out).status, WorkStatus::ok);
        EXPECT_TRUE(std::equal(wanted.begin(), wanted.end(), to.begin() + static_cast<std::ptrdiff_t>(shift)));
    }
}

TEST(Fft, RefusesSizesThatAreNone) {
    for (const std::int64_t size : {std::int64_t{0}, std::int64_t{-4}, std::int64_t{1} << 40}) {
        blocks::Fft fft;
        fft.params.size = size;
        EXPECT_THROW(fft.start({}), std::runtime_error);
    }
}

}  // namespace
}  // namespace weir
