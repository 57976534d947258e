// Tests what a turn publishes to the other ends of its streams, and when it wakes their sleepers.
#include "weir/node.hpp"

#include <gtest/gtest.h>

#include "hand_driven.hpp"

namespace {

using namespace weir;
using namespace weir::testing;

struct CountingWaker final : Waker {
    int wakes = 0;
    bool at_hand = true;
    void wake(Instance&, const Fenced&) noexcept override { ++wakes; }
    bool is_at_hand() const noexcept override { return at_hand; }
};

constexpr int kSteps = 64;

/// A ring with a source and a sink that move `chunk` items per step. Counts wake-ups of each.
struct Pair {
    Wire<> ring;
    Node<Source> source;
    Node<Sink> sink;
    CountingWaker wakes_source, wakes_sink;

    explicit Pair(std::uint64_t items, std::size_t chunk, StreamKind kind = StreamKind::ring, std::uint64_t salt = 0)
        : ring(1024, 1, 1, kind),
          source({.name = "source", .chunk_items = chunk}, {.items = items, .salt = salt}, ins(), outs(ring)),
          sink({.name = "sink", .chunk_items = chunk}, {}, ins(ring), outs()) {
        start({&source, &sink});
        source.set_waker(&wakes_source);
        sink.set_waker(&wakes_sink);
    }
    std::uint64_t capacity() const { return ring.capacity(); }
};

TEST(Turn, WakesASleeperOnceForAllMovedItems) {
    Pair pair(100, 1);
    pair.source.turn(40, Leave::some);
    EXPECT_EQ(pair.ring.fill(0), 40U);
    EXPECT_EQ(pair.wakes_sink.wakes, 1);
    pair.sink.turn(kSteps, Leave::nothing);
    EXPECT_EQ(pair.ring.fill(0), 0U);
    EXPECT_EQ(pair.wakes_source.wakes, 1);
}

// Otherwise a block that takes any part of what it is offered drains the rest in ever shorter calls.
TEST(Turn, LeavesAFewItemsThatStartTheNextTurn) {
    Pair pair(100'000, 1);
    const std::size_t little = pair.capacity() / 32;
    pair.source.turn(40, Leave::some);
    pair.sink.turn(kSteps, Leave::some);
    EXPECT_EQ(pair.ring.fill(0), little - 1);
    EXPECT_TRUE(pair.sink.turn(1, Leave::some).moved) << "whatever there is: nobody need add to it";
    EXPECT_EQ(pair.ring.fill(0), little - 2);
}

// The cached state of the other end shows fewer items than the ring holds. A turn must not rely on it.
TEST(Turn, BeginsWithAFreshLookAtItsRing) {
    Pair pair(100'000, 16);
    pair.source.turn(3, Leave::some);
    pair.sink.turn(1, Leave::nothing);  // sees three chunks, and leaves two
    pair.source.turn(kSteps, Leave::nothing);
    ASSERT_EQ(pair.ring.fill(0), pair.capacity());
    pair.sink.turn(kSteps, Leave::nothing);
    EXPECT_EQ(pair.ring.fill(0), 0U);
}

TEST(Turn, WakesNoTaskWithoutAMove) {
    Pair pair(100, 1);
    pair.sink.turn(kSteps, Leave::some);
    EXPECT_EQ(pair.wakes_source.wakes, 0);
    pair.source.turn(1, Leave::some);
    pair.sink.turn(kSteps, Leave::some);
    pair.sink.turn(kSteps, Leave::some);
    EXPECT_EQ(pair.wakes_source.wakes, 1);
}

// Both ends then work in parallel, however long a step takes.
TEST(Turn, WakesAfterEachBatch) {
    Pair pair(100'000, 64);
    const auto steps = static_cast<int>(pair.ring.batch() / 64);
    ASSERT_GT(steps, 1);
    pair.source.turn(steps - 1, Leave::some);
    EXPECT_EQ(pair.wakes_sink.wakes, 1) << "the end of a turn";
    pair.source.turn(2 * steps, Leave::some);
    EXPECT_EQ(pair.wakes_sink.wakes, 3) << "two batches, and nothing is left to be said";
    pair.sink.turn(steps - 1, Leave::nothing);
    EXPECT_EQ(pair.wakes_source.wakes, 1);
    pair.sink.turn(2 * steps, Leave::nothing);
    EXPECT_EQ(pair.wakes_source.wakes, 3);
}

TEST(Turn, WakesOnlyAtItsEndIfNoThreadIsAtHand) {
    Pair pair(100'000, 64);
    const auto fills = static_cast<int>(pair.capacity() / 64);
    pair.wakes_sink.at_hand = pair.wakes_source.at_hand = false;
    pair.source.turn(fills, Leave::some);
    EXPECT_EQ(pair.ring.fill(0), pair.capacity());
    EXPECT_EQ(pair.wakes_sink.wakes, 1);
    pair.sink.turn(fills, Leave::some);
    EXPECT_EQ(pair.wakes_source.wakes, 1);
}

TEST(Turn, TheEndOfAStreamAloneWakes) {
    Pair pair(1, 1, StreamKind::ring, 1);  // the end arrives in a separate call
    pair.source.turn(1, Leave::some);
    EXPECT_EQ(pair.wakes_sink.wakes, 1);
    EXPECT_EQ(pair.source.turn(kSteps, Leave::some).status, StepStatus::done);
    EXPECT_TRUE(pair.ring.ended());
    EXPECT_EQ(pair.wakes_sink.wakes, 2);
    pair.sink.turn(kSteps, Leave::some);
    EXPECT_TRUE(pair.ring.closed());
    EXPECT_EQ(pair.wakes_source.wakes, 1) << "what it read and that it left: one wake-up";
}

TEST(Turn, AReaderThatLeavesWakes) {
    Wire<> a(64, 1, 1, StreamKind::ring), b(64, 1, 1, StreamKind::ring), out(64);
    Node<Source> first({.name = "first"}, {.items = 1}, ins(), outs(a));
    Node<Source> second({.name = "second"}, {}, ins(), outs(b));
    Node<Join> join({.name = "join"}, {}, ins(a, b), outs(out));
    start({&first, &second, &join});
    CountingWaker wakes_second;
    second.set_waker(&wakes_second);
    while (first.turn(kSteps, Leave::some).status != StepStatus::done) {
    }
    second.turn(1, Leave::some);
    join.turn(1, Leave::some);
    const int before = wakes_second.wakes;
    EXPECT_EQ(join.turn(kSteps, Leave::some).status, StepStatus::done);
    EXPECT_TRUE(b.closed());
    EXPECT_EQ(wakes_second.wakes, before + 1);
}

TEST(Turn, WakesNoTaskOnItsOwnThread) {
    Pair pair(100, 10, StreamKind::linear);
    pair.source.turn(kSteps, Leave::some);
    pair.sink.turn(kSteps, Leave::nothing);
    EXPECT_EQ(pair.wakes_sink.wakes + pair.wakes_source.wakes, 0);
}

}  // namespace
