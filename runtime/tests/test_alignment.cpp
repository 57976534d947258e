// Tests that calls are offered chunks that keep items aligned or align them again, and that no item waits for
// alignment.
#include "weir/alignment.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <tuple>
#include <utility>
#include <vector>

#include "hand_driven.hpp"

namespace {

using namespace weir;
using namespace weir::testing;

constexpr std::size_t kLine = kAlignment / sizeof(Item);

TEST(Alignment, TakesTheMostFiringsAfterWhichAllPortsAreAligned) {
    const std::array<PortStep, 1> aligned{{{0, 4}}}, behind{{{8, 4}}};
    EXPECT_EQ(aligned_firings(100, aligned), 96U);
    EXPECT_EQ(aligned_firings(96, aligned), 96U);
    EXPECT_EQ(aligned_firings(100, behind), 94U) << "the largest, not the 14 that would do";
    EXPECT_EQ(aligned_firings(14, behind), 14U);
    EXPECT_EQ(aligned_firings(13, behind), 13U) << "too few: passed on at once";
    EXPECT_EQ(aligned_firings(0, aligned), 0U);
    EXPECT_EQ(aligned_firings(100, std::array<PortStep, 2>{{{0, 4}, {0, 8}}}), 96U);
    EXPECT_EQ(aligned_firings(100, std::array<PortStep, 2>{{{0, 4}, {0, 1}}}), 64U);
    EXPECT_EQ(aligned_firings(100, std::array<PortStep, 2>{{{0, 4}, {4, 4}}}), 100U) << "never both";
    EXPECT_EQ(aligned_firings(100, std::array<PortStep, 2>{{{0, 12}, {0, 20}}}), 96U) << "items and rates of any size";
    EXPECT_EQ(aligned_firings(100, std::array<PortStep, 2>{{{0, 4}, {}}}), 96U) << "an output that nothing reads";
}

/// Records the chunks that it is offered. Takes them whole, or all but a few items in every third call.
struct Offered {
    struct Params {
        bool picky = false;
        std::size_t least = 1;  ///< least number of items that it accepts
        bool takes_all() const { return least == 1; }
    };
    Params params;
    std::vector<std::pair<std::uintptr_t, std::size_t>> calls{};
    std::vector<Item> items{};

    WorkResult work(In<Item>& in) noexcept {
        if (in.size() < params.least && !in.ended()) return WorkStatus::need_input;
        if (in.size() == 0) return WorkStatus::need_input;
        calls.emplace_back(reinterpret_cast<std::uintptr_t>(in.data()), in.size());
        const std::size_t n = params.picky && calls.size() % 3 == 0 ? std::min<std::size_t>(in.size(), 5) : in.size();
        items.insert(items.end(), in.data(), in.data() + n);
        in.consume(n);
        return WorkStatus::ok;
    }
};

/// A source of random chunks and its reader, over a stream of this kind. Each call has at most 100 items.
struct Pair {
    Wire<> wire;
    Node<Source> source;
    Node<Offered> sink;
    bool aligned;

    explicit Pair(StreamKind kind, bool alignment, Offered::Params params, std::uint64_t seed = 0)
        : wire(4096, 1, 1, kind),
          source({.name = "source", .chunk_items = 100}, {.items = 20'000, .salt = 2, .seed = seed}, ins(), outs(wire)),
          sink({.name = "sink", .chunk_items = 100}, params, ins(wire), outs()), aligned(alignment) {
        start({&source, &sink});
        source.keep_alignment(alignment);
        sink.keep_alignment(alignment);
        sink.set_metrics(Metrics::counters);
    }

    void run() {
        for (bool over = false; !over;) {
            source.turn(4, Leave::some);
            over = sink.turn(64, Leave::some).is_over();
            EXPECT_TRUE(wire.fill(0) == 0 || !aligned || !sink.block().params.takes_all()) << "items wait for others";
        }
    }
};

class AlignedCalls : public ::testing::TestWithParam<std::tuple<StreamKind, bool>> {};

TEST_P(AlignedCalls, EndAlignedOrTakeAllItems) {
    const auto [kind, picky] = GetParam();
    Pair pair(kind, true, {.picky = picky}, 7);
    pair.run();
    std::size_t aligned = 0, misaligned = 0;
    for (const auto& [at, n] : pair.sink.block().calls) {
        const bool ends_aligned = (at + n * sizeof(Item)) % kAlignment == 0;
        EXPECT_TRUE(ends_aligned || n < kLine) << n << " items from " << at % kAlignment;
        aligned += at % kAlignment == 0;
        misaligned += at % kAlignment != 0;
    }
    EXPECT_GT(aligned, misaligned);
    EXPECT_EQ(pair.sink.counters().unaligned_calls, misaligned);
    // A drained linear stream starts again at an aligned address.
    EXPECT_EQ(misaligned == 0, kind == StreamKind::linear && !picky);
}

TEST_P(AlignedCalls, GiveTheSameItems) {
    const auto [kind, picky] = GetParam();
    for (const std::size_t least : {1, 3, 40}) {
        if (least > 1 && kind == StreamKind::ring && !mirroring_enabled()) continue;  // too few items remain to align
        Pair with(kind, true, {picky, least}, 11), without(kind, false, {picky, least}, 11);
        with.run();
        without.run();
        ASSERT_EQ(with.sink.block().items.size(), 20'000U);
        EXPECT_EQ(with.sink.block().items, without.sink.block().items) << least;
    }
}

INSTANTIATE_TEST_SUITE_P(Alignment, AlignedCalls,
                         ::testing::Combine(::testing::Values(StreamKind::linear, StreamKind::ring),
                                            ::testing::Bool()));

TEST(Alignment, IsLostInMostCallsOfARingWithoutTheSetting) {
    Pair pair(StreamKind::ring, false, {}, 7);
    pair.run();
    const auto& calls = pair.sink.block().calls;
    const auto lost = std::ranges::count_if(calls, [](const auto& call) { return call.first % kAlignment != 0; });
    EXPECT_GT(lost, 0);
    EXPECT_EQ(pair.sink.counters().unaligned_calls, static_cast<std::uint64_t>(lost));
}

TEST(Alignment, IsKeptFromTheBeginningOfABuffer) {
    for (const StreamKind kind : {StreamKind::linear, StreamKind::ring}) {
        Pair pair(kind, true, {});
        pair.run();
        for (const auto& [at, n] : pair.sink.block().calls) EXPECT_EQ(at % kAlignment, 0U) << n;
    }
}

}  // namespace
