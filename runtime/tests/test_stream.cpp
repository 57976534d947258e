#include "weir/stream.hpp"

#include <cstdlib>
#include <numeric>
#include <thread>

#include <gtest/gtest.h>

#include "idle_task.hpp"
#include "test_blocks.hpp"
#include "weir/node.hpp"

namespace {

using namespace weir;
using weir::testing::IdleTask;
using weir::testing::Item;

/// A stream whose ends a test moves. Its tasks only serve to be named and woken.
struct Case {
    StreamKind kind;
    bool mirrored;
};

class Streams : public ::testing::TestWithParam<Case> {
  protected:
    void SetUp() override { ::setenv("WEIR_UNMIRRORED", GetParam().mirrored ? "0" : "1", 1); }
    void TearDown() override { ::unsetenv("WEIR_UNMIRRORED"); }

    static StreamSpec spec(std::size_t items, std::size_t readers = 1, std::size_t granule = 1) {
        return {.name = "test.out", .items = items, .kind = GetParam().kind, .readers = readers, .granule = granule};
    }
};

Item item(std::uint64_t index) { return weir::testing::source_item(index, 7); }

/// Writes items from `at` on, as many as fit into one span. Returns their number.
std::size_t write_some(Stream<Item>& stream, std::uint64_t at, std::size_t wanted) {
    const std::size_t n = std::min(stream.writable(wanted, 1).contiguous, wanted);
    for (std::size_t i = 0; i < n; ++i) stream.write_data()[i] = item(at + i);
    stream.produce(n);
    return n;
}

/// Checks and consumes the items of one span. Returns their number.
std::size_t read_some(Stream<Item>& stream, StreamBase::Reader& reader, std::uint64_t at, std::size_t wanted) {
    const std::size_t n = std::min(stream.readable(reader, wanted).contiguous, wanted);
    for (std::size_t i = 0; i < n; ++i) EXPECT_EQ(stream.read_data(reader)[i], item(at + i)) << at + i;
    stream.consume(reader, n);
    return n;
}

TEST_P(Streams, CapacityIsAMultipleOfTheGranule) {
    IdleTask task;
    Stream<Item> stream(spec(100, 1, 7));
    EXPECT_GE(stream.capacity(), 100U);
    EXPECT_EQ(stream.capacity() % 7, 0U);
    EXPECT_EQ(stream.mirrored(), GetParam().mirrored && mirroring_enabled() && GetParam().kind == StreamKind::ring);
    if (stream.mirrored()) {
        EXPECT_EQ(stream.capacity() * stream.item_size() % page_size(), 0U);
        std::iota(stream.write_data(), stream.write_data() + stream.capacity(), 0U);
        EXPECT_EQ(stream.write_data()[stream.capacity() + 5], 5U);  // the second copy is the first
    } else {
        EXPECT_EQ(stream.capacity(), 105U);
    }
    EXPECT_EQ(stream.requested(), 100U);
}

TEST_P(Streams, RingHoldsTwoChunks) {
    IdleTask task;
    Stream<Item> stream(spec(10));
    stream.attach_writer(task, 3'000);
    stream.attach_reader(task, 5'000);
    if (GetParam().kind == StreamKind::ring) {
        EXPECT_GE(stream.capacity(), 10'000U);
    } else {
        EXPECT_EQ(stream.capacity(), 10U);
    }
}

TEST_P(Streams, FullAndEmpty) {
    IdleTask task;
    Stream<Item> stream(spec(16));
    stream.attach_writer(task, 1);
    auto& reader = stream.attach_reader(task, 1);
    EXPECT_EQ(stream.readable(reader, 4).total, 0U);
    std::size_t written = 0;
    while (const std::size_t n = write_some(stream, written, 5)) written += n;
    EXPECT_EQ(written, stream.capacity());
    EXPECT_EQ(stream.fill(), stream.capacity());
    std::size_t read = 0;
    while (const std::size_t n = read_some(stream, reader, read, 3)) read += n;
    EXPECT_EQ(read, written);
    EXPECT_EQ(stream.fill(), 0U);
    EXPECT_FALSE(stream.readable(reader, 1).ended);
}

TEST_P(Streams, WrapsAtEveryOffset) {
    IdleTask task;
    Stream<Item> stream(spec(24));
    stream.attach_writer(task, 1);
    auto& reader = stream.attach_reader(task, 1);
    weir::testing::Cutter cut(11);
    std::uint64_t written = 0, read = 0;
    for (int i = 0; i < 20'000; ++i) {
        written += write_some(stream, written, cut(stream.capacity()));
        read += read_some(stream, reader, read, cut(stream.capacity()));
        ASSERT_LE(written - read, stream.capacity());
    }
    EXPECT_GT(read, 10 * stream.capacity());
}

TEST_P(Streams, SlowestReaderBlocksTheWriterAndADetachedOneDoesNot) {
    IdleTask task;
    Stream<Item> stream(spec(32, 3));
    stream.attach_writer(task, 1);
    auto& quick = stream.attach_reader(task, 1);
    auto& slow = stream.attach_reader(task, 1);
    auto& gone = stream.attach_reader(task, 1);
    const std::size_t capacity = stream.capacity();
    stream.detach(gone);
    stream.detach(gone);  // detaching twice is harmless
    EXPECT_EQ(write_some(stream, 0, capacity), capacity);
    EXPECT_EQ(read_some(stream, quick, 0, capacity), capacity);
    EXPECT_EQ(write_some(stream, capacity, capacity), 0U);
    EXPECT_EQ(stream.fill(0), 0U);
    EXPECT_EQ(stream.fill(1), capacity);
    EXPECT_EQ(read_some(stream, slow, 0, capacity), capacity);
    EXPECT_EQ(write_some(stream, capacity, capacity), capacity);
    stream.detach(slow);
    read_some(stream, quick, capacity, capacity);
    EXPECT_EQ(write_some(stream, 2 * capacity, capacity), capacity);
    EXPECT_FALSE(stream.closed());
    stream.detach(quick);
    EXPECT_TRUE(stream.closed());
    EXPECT_EQ(stream.writable(capacity, 1).total, capacity);  // nobody reads, so all space is free
}

TEST_P(Streams, EndComesAfterTheLastItem) {
    IdleTask task;
    Stream<Item> stream(spec(8));
    stream.attach_writer(task, 1);
    auto& reader = stream.attach_reader(task, 1);
    write_some(stream, 0, 5);
    stream.end();
    auto window = stream.readable(reader, 8);
    EXPECT_TRUE(window.ended);
    EXPECT_EQ(window.total, 5U);
    EXPECT_EQ(read_some(stream, reader, 0, 8), 5U);
    window = stream.readable(reader, 8);
    EXPECT_TRUE(window.ended);
    EXPECT_EQ(window.total, 0U);
}

TEST_P(Streams, RefusesUndeclaredEnds) {
    IdleTask task;
    Stream<Item> stream(spec(8, 1, 6));
    stream.attach_writer(task, 1);
    EXPECT_THROW(stream.attach_writer(task, 1), std::logic_error);
    stream.attach_reader(task, 1);
    EXPECT_THROW(stream.attach_reader(task, 1), std::logic_error);
    EXPECT_NO_THROW(stream.require_granule(3));
    EXPECT_THROW(stream.require_granule(4), std::logic_error);
}

TEST_P(Streams, FillMeanIsByReader) {
    IdleTask task;
    Stream<Item> stream(spec(64, 2));
    stream.attach_writer(task, 1);
    auto& quick = stream.attach_reader(task, 1);
    stream.attach_reader(task, 1);
    EXPECT_FALSE(stream.fill_mean(0));
    write_some(stream, 0, 8);
    read_some(stream, quick, 0, 6);
    stream.sample_fill();
    EXPECT_DOUBLE_EQ(stream.fill_mean(0).value(), 2.0 / static_cast<double>(stream.capacity()));
    EXPECT_DOUBLE_EQ(stream.fill_mean(1).value(), 8.0 / static_cast<double>(stream.capacity()));
}

INSTANTIATE_TEST_SUITE_P(Kinds, Streams,
                         ::testing::Values(Case{StreamKind::ring, true}, Case{StreamKind::ring, false},
                                           Case{StreamKind::linear, false}),
                         [](const auto& shape) {
                             if (shape.param.kind == StreamKind::linear) return "linear";
                             return shape.param.mirrored ? "ring" : "unmirrored_ring";
                         });

TEST(RingStream, MirroredSpansAreWhole) {
    IdleTask task;
    Stream<Item> stream({.name = "s", .items = 64});
    if (!mirroring_enabled()) GTEST_SKIP() << "this build does not mirror";
    ASSERT_TRUE(stream.mirrored());
    stream.attach_writer(task, 1);
    auto& reader = stream.attach_reader(task, 1);
    const std::size_t capacity = stream.capacity();
    write_some(stream, 0, capacity - 3);
    read_some(stream, reader, 0, capacity - 3);
    EXPECT_EQ(stream.writable(capacity, 1).contiguous, capacity);
    EXPECT_EQ(write_some(stream, capacity - 3, capacity), capacity);
    EXPECT_EQ(read_some(stream, reader, capacity - 3, capacity), capacity);
}

/// A ring for 4096 items or slightly more, of which at least 4 may be used, with both ends and its traffic. It uses
/// more once a round takes less than 50 ms, which holds under any sanitizer, and 4 after a round of more than 0.1 s.
struct Growing {
    IdleTask task;
    Stream<Item> stream;
    StreamBase::Reader* reader;
    std::uint64_t written = 0, read = 0;
    static constexpr std::size_t kLeast = 4;

    Growing() : stream({.name = "s", .items = 4096, .least = kLeast}) {
        stream.attach_writer(task, 1);
        reader = &stream.attach_reader(task, 1);
    }
    void write(std::size_t n) { written += write_some(stream, written, n); }
    void read_all() { read += read_some(stream, *reader, read, written - read); }
    /// Moves another round, in small pieces.
    void go_round() {
        for (const std::uint64_t to = written + stream.capacity(); written < to; read_all()) write(100);
    }
    bool grows() {
        for (int i = 0; i < 1000 && stream.limit() < 2 * kLeast; ++i) go_round();
        return stream.limit() >= 2 * kLeast;
    }
    std::size_t fills() {
        while (const std::size_t n = write_some(stream, written, 100)) written += n;
        return stream.fill();
    }
};

TEST(GrowingRing, HoldsLittleUntilItIsFast) {
    Growing ring;
    EXPECT_GE(ring.stream.capacity(), 4096U);
    EXPECT_EQ(ring.stream.limit(), Growing::kLeast);
    EXPECT_EQ(ring.fills(), Growing::kLeast);
    ring.stream.sample_fill();
    EXPECT_DOUBLE_EQ(ring.stream.fill_mean(0).value(), 1.0);
    ring.read_all();
    EXPECT_TRUE(ring.grows());
    EXPECT_LE(ring.stream.limit(), ring.stream.capacity());
    const std::size_t limit = ring.stream.limit();
    if (ring.written + limit < (ring.written / ring.stream.capacity() + 1) * ring.stream.capacity()) {
        EXPECT_EQ(ring.fills(), limit);
    }
}

TEST(GrowingRing, ASlowOneShrinksAgainAndLosesNothing) {
    Growing ring;
    ASSERT_TRUE(ring.grows());
    ring.fills();
    const std::uint64_t lay = ring.written - ring.read;
    // It shrinks only after another round, which takes longer than the limit.
    const std::uint64_t to = ring.written + 2 * ring.stream.capacity();
    for (bool waited = false; ring.written < to;) {
        if (!waited && ring.written > to - ring.stream.capacity()) {
            std::this_thread::sleep_for(std::chrono::milliseconds(200));
            waited = true;
        }
        ring.read += read_some(ring.stream, *ring.reader, ring.read, 100);
        ring.write(100);
        ASSERT_LE(ring.written - ring.read, std::max<std::uint64_t>(lay, ring.stream.capacity()));
    }
    EXPECT_EQ(ring.stream.limit(), Growing::kLeast);
    while (ring.written - ring.read > Growing::kLeast) {
        EXPECT_EQ(ring.stream.writable(1, 1).total, 0U);  // it holds more than the limit, so it drains first
        ring.read += read_some(ring.stream, *ring.reader, ring.read, 1);
    }
    ring.read_all();
    EXPECT_EQ(ring.fills(), Growing::kLeast);
    ring.stream.sample_fill();
    EXPECT_LE(ring.stream.fill_mean(0).value(), 1.0);
}

TEST(GrowingRing, BothEndsAlwaysHaveRoomForTwoChunks) {
    IdleTask task;
    Stream<Item> stream({.name = "s", .items = 100'000, .least = 1000});
    stream.attach_writer(task, 3000);
    stream.attach_reader(task, 700);
    EXPECT_EQ(stream.limit(), 6000U);
    Stream<Item> whole({.name = "s", .items = 1000});
    EXPECT_EQ(whole.limit(), whole.capacity());
}

TEST(LinearStream, StartsAgainWhenDrained) {
    IdleTask task;
    Stream<Item> stream({.name = "s", .items = 32, .kind = StreamKind::linear});
    stream.attach_writer(task, 16);
    auto& reader = stream.attach_reader(task, 16);
    stream.writable(16, 1);
    const Item* const start = stream.write_data();
    for (std::uint64_t at = 0; at < 160; at += 16) {
        EXPECT_EQ(write_some(stream, at, 16), 16U);
        EXPECT_EQ(stream.read_data(reader), start);  // each chunk has the address of the last one, so it stays in L1
        EXPECT_EQ(read_some(stream, reader, at, 16), 16U);
    }
}

TEST(LinearStream, MakesRoomForAFiringIfAReaderCannotDrainIt) {
    IdleTask task;
    Stream<Item> stream({.name = "s", .items = 10, .kind = StreamKind::linear, .readers = 2});
    stream.attach_writer(task, 4);
    auto& ahead = stream.attach_reader(task, 4);
    auto& behind = stream.attach_reader(task, 4);
    EXPECT_EQ(write_some(stream, 0, 10), 10U);
    EXPECT_EQ(read_some(stream, ahead, 0, 10), 10U);
    EXPECT_EQ(read_some(stream, behind, 0, 7), 7U);
    EXPECT_EQ(stream.writable(4, 4).total, 7U);
    EXPECT_EQ(write_some(stream, 10, 7), 7U);
    EXPECT_EQ(read_some(stream, behind, 7, 10), 10U);
    EXPECT_EQ(read_some(stream, ahead, 10, 10), 7U);
}

TEST(LinearStream, LiesOverWhatItsWriterHasRead) {
    IdleTask task;
    Stream<Item> below({.name = "below", .items = 10, .kind = StreamKind::linear}),
        above({.name = "above", .items = 10, .kind = StreamKind::linear});
    below.attach_writer(task, 10);
    above.attach_writer(task, 10);
    auto& middle = below.attach_reader(task, 10);
    auto& last = above.attach_reader(task, 10);
    above.lie_over(below);
    EXPECT_EQ(write_some(below, 0, 10), 10U);
    const auto pass = [&](std::size_t n) {
        EXPECT_EQ(above.write_data(), below.read_data(middle));
        EXPECT_GE(above.writable(n, 1).contiguous, n);
        above.produce(n);
        below.consume(middle, n);
    };
    pass(6);
    EXPECT_EQ(below.writable(10, 1).total, 0U);  // two readers still have to read all of it
    EXPECT_EQ(read_some(above, last, 0, 4), 4U);
    EXPECT_EQ(write_some(below, 10, 10), 4U);  // only space behind the last reader is free
    pass(8);
    EXPECT_EQ(read_some(above, last, 4, 10), 10U);
    EXPECT_EQ(write_some(below, 14, 10), 10U);
    EXPECT_EQ(below.writable(10, 1).total, 0U);
    below.detach(middle);  // the stage that would write above has left
    EXPECT_EQ(below.writable(10, 1).total, 10U);
}

TEST(LinearStream, ItemsOverItStayUntilReadAfterItsWriterLeft) {
    IdleTask task;
    const StreamSpec spec{.name = "s", .items = 10, .kind = StreamKind::linear};
    Stream<Item> below(spec), above(spec);
    below.attach_writer(task, 10);
    above.attach_writer(task, 10);
    auto& middle = below.attach_reader(task, 10);
    auto& last = above.attach_reader(task, 10);
    above.lie_over(below);
    EXPECT_EQ(write_some(below, 0, 8), 8U);
    below.readable(middle, 10);
    above.produce(6);
    below.consume(middle, 6);
    above.end();
    below.detach(middle);
    EXPECT_EQ(write_some(below, 8, 10), 2U);
    EXPECT_EQ(below.writable(10, 1).total, 0U);
    EXPECT_EQ(read_some(above, last, 0, 5), 5U);
    EXPECT_EQ(below.writable(10, 1).total, 0U);
    EXPECT_EQ(read_some(above, last, 5, 10), 1U);
    EXPECT_EQ(write_some(below, 10, 10), 10U);
    EXPECT_EQ(below.writable(10, 1).total, 10U);  // nobody reads it
    EXPECT_TRUE(above.readable(last, 1).ended);
    EXPECT_EQ(above.readable(last, 1).total, 0U);
}

TEST(LinearStream, LiesOverOneThatFits) {
    IdleTask task;
    const auto linear = [](std::size_t items, std::size_t readers) {
        return StreamSpec{.name = "s", .items = items, .kind = StreamKind::linear, .readers = readers};
    };
    Stream<Item> below(linear(8, 1)), other_size(linear(9, 1)), forked(linear(8, 2)), above(linear(8, 1)),
        second(linear(8, 1));
    Stream<Item> ring({.name = "ring", .items = 8});
    Stream<std::uint64_t> wider(linear(8, 1));
    for (StreamBase* stream : {static_cast<StreamBase*>(&other_size), static_cast<StreamBase*>(&forked),
                               static_cast<StreamBase*>(&ring), static_cast<StreamBase*>(&wider)}) {
        EXPECT_THROW(above.lie_over(*stream), std::logic_error) << stream->name();
    }
    EXPECT_THROW(ring.lie_over(below), std::logic_error);
    above.lie_over(below);
    EXPECT_THROW(second.lie_over(below), std::logic_error);
    EXPECT_THROW(above.lie_over(second), std::logic_error);
}

TEST(LinearStream, NeighboursDoNotShareTheirLowAddressBits) {
    Stream<Item> a({.name = "a", .items = 2048, .kind = StreamKind::linear}),
        b({.name = "b", .items = 2048, .kind = StreamKind::linear});
    const auto low = [](const Item* p) { return reinterpret_cast<std::uintptr_t>(p) % 4096; };
    EXPECT_NE(low(a.write_data()), low(b.write_data()));
    EXPECT_EQ(low(a.write_data()) % kCacheLine, 0U);
}

}  // namespace
