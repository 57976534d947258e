// Tests that calls are offered chunks that keep items aligned or align them again, and that no item waits for
// alignment.
#include "weir/alignment.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <initializer_list>
#include <numeric>
#include <span>
#include <tuple>
#include <utility>
#include <vector>

#include "flow/flow.hpp"
#include "hand_driven.hpp"
#include "idle_task.hpp"
#include "weir/run.hpp"

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

/// Item of `Bytes` bytes.
template <std::size_t Bytes> struct Wide {
    std::array<std::byte, Bytes> bytes;
};

/// Moves random numbers of items through a stream that keeps offsets. Each item is at the offset of its index, the space
/// ends at an aligned item and has all items that were promised, and each item is read as it was written.
template <std::size_t Bytes>
void move_at_random(StreamKind kind, std::size_t granule, std::size_t least, std::uint64_t seed) {
    constexpr std::size_t kAligned = kAlignment / std::gcd(kAlignment, Bytes), kRequested = 96, kChunk = 12;
    Stream<Wide<Bytes>> stream(
        {.name = "wire", .items = kRequested, .kind = kind, .readers = 2, .granule = granule, .least = least});
    IdleTask writer("writer"), reader("reader");
    stream.attach_writer(writer, kChunk);
    const std::array readers{&stream.attach_reader(reader, kChunk), &stream.attach_reader(reader, kChunk)};
    const bool is_ring = kind == StreamKind::ring;
    const std::size_t promised = is_ring && least != 0 ? least : kRequested;
    stream.keep_offsets();

    Cutter cut(seed);
    std::uint64_t written = 0;
    std::array<std::uint64_t, 2> read{};
    const auto byte_of = [](std::uint64_t index) { return static_cast<std::byte>(splitmix64(index)); };
    const auto offset_of = [](const void* at) { return reinterpret_cast<std::uintptr_t>(at) % kAlignment; };
    for (int step = 0; step < 2'000; ++step) {
        if (cut.one_in(2)) {
            // For `kChunk` items, the writer of a ring may use old numbers of its readers.
            const std::size_t wanted = cut.one_in(2) ? kChunk : kAllThereIs;
            const StreamBase::Window window = stream.writable(wanted, granule);
            const std::uint64_t unread = written - *std::ranges::min_element(read);
            if (is_ring ? wanted == kAllThereIs : unread == 0) {
                ASSERT_GE(window.total + unread, promised);
                // The limit may have fallen below what lies in the ring.
                ASSERT_TRUE((written + window.total) % kAligned == 0 || window.total == 0) << "from " << written;
            }
            ASSERT_EQ(offset_of(stream.write_data()), written * Bytes % kAlignment);
            const std::size_t n = std::min(window.contiguous, cut(2 * kChunk));
            for (std::size_t i = 0; i < n; ++i) stream.write_data()[i].bytes.fill(byte_of(written + i));
            stream.produce(n);
            written += n;
        } else {
            const std::size_t which = cut(2) - 1;
            const StreamBase::Window window = stream.readable(*readers[which], kAllThereIs);
            const std::size_t n = std::min(window.contiguous, cut(2 * kChunk));
            const Wide<Bytes>* const items = stream.read_data(*readers[which]);
            if (n != 0) {
                ASSERT_EQ(offset_of(items), read[which] * Bytes % kAlignment);
            }
            for (std::size_t i = 0; i < n; ++i)
                for (const std::byte byte : items[i].bytes) ASSERT_EQ(byte, byte_of(read[which] + i)) << "item " << i;
            stream.consume(*readers[which], n);
            read[which] += n;
        }
    }
    EXPECT_GT(written, 20 * kRequested);
}

/// Run the tasks on one worker, with the setting `alignment`.
void run_aligned(const std::vector<Instance*>& tasks, const std::vector<StreamBase*>& streams) {
    Plan plan;
    plan.alignment = true;
    plan.workers = {{"worker", {}, std::span(weir::tasks<0, 1, 2, 3>).first(tasks.size())}};
    Run run(plan, tasks, streams);
    schedulers::Flow{}.run(run);
    EXPECT_TRUE(run.outcome().complete);
}

class KeptOffsets : public ::testing::TestWithParam<bool> {
  protected:
    void SetUp() override { ::setenv("WEIR_UNMIRRORED", GetParam() ? "1" : "0", 1); }
    void TearDown() override { ::unsetenv("WEIR_UNMIRRORED"); }
};

TEST_P(KeptOffsets, HoldForItemsOfAnySize) {
    std::uint64_t seed = 1;
    for (const StreamKind kind : {StreamKind::linear, StreamKind::ring}) {
        for (const std::size_t granule : {1, 6}) {
            for (const std::size_t least : {0, 30}) {
                move_at_random<1>(kind, granule, least, ++seed);
                move_at_random<4>(kind, granule, least, ++seed);
                move_at_random<12>(kind, granule, least, ++seed);
                move_at_random<64>(kind, granule, least, ++seed);
                move_at_random<72>(kind, granule, least, ++seed);
            }
        }
    }
}

/// One of the two connections of `affine` is a ring, as between workers. The block before it moves any number of items.
TEST_P(KeptOffsets, AlignBlocksBetweenARingAndAWorkersMemory) {
    constexpr auto kLinear = StreamKind::linear, kRing = StreamKind::ring;
    for (const auto& [before, behind] : {std::pair(kLinear, kRing), std::pair(kRing, kLinear)}) {
        Wire<> a(4096), b(4096, 1, 1, before), c(4096, 1, 1, behind);
        const auto named = [](const char* name) { return NodeSpec{.name = name, .chunk_items = 1'000}; };
        Node<Source> source(named("source"), {.items = 500'000, .salt = 2}, ins(), outs(a));
        Node<Affine> cut(named("cut"), {5}, ins(a), outs(b));
        Node<Affine> affine(named("affine"), {}, ins(b), outs(c));
        Node<Sink> sink(named("sink"), {}, ins(c), outs());
        run_aligned({&source, &cut, &affine, &sink}, {&a, &b, &c});
        for (const Task* task : std::initializer_list<const Task*>{&source, &affine, &sink}) {
            const TaskCounters& counters = task->counters();
            EXPECT_LT(counters.unaligned_calls, counters.calls() / 50) << task->spec().name;
        }
        EXPECT_GT(cut.counters().unaligned_calls, cut.counters().calls() / 2) << "nobody can align its calls";
    }
}

INSTANTIATE_TEST_SUITE_P(Alignment, KeptOffsets, ::testing::Bool(),
                         [](const auto& each) { return each.param ? "unmirrored" : "mirrored"; });

/// Without a ring, streams that run empty begin at an aligned item again.
TEST(Alignment, OfOneWorkerDoesNotDependOnTheIndex) {
    Wire<> a(4096), b(4096);
    Node<Source> source({.name = "source", .chunk_items = 100}, {.items = 100'000, .salt = 2, .seed = 7}, ins(),
                        outs(a));
    Node<Affine> affine({.name = "affine", .chunk_items = 100}, {}, ins(a), outs(b));
    Node<Sink> sink({.name = "sink", .chunk_items = 100}, {}, ins(b), outs());
    run_aligned({&source, &affine, &sink}, {&a, &b});
    EXPECT_EQ(affine.counters().unaligned_calls, 0U);
}

}  // namespace
