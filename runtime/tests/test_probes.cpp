// Measurements of a node: probes, counters, milestones.
#include <numeric>

#include <gtest/gtest.h>

#include "hand_driven.hpp"

namespace {

using namespace weir;
using namespace weir::testing;

class Recorder final : public trace::Log {
  public:
    struct Entry {
        trace::Event event;
        std::uint32_t id;
        std::uint64_t value;
        std::int64_t since;
        std::uint64_t published;
        bool operator==(const Entry&) const = default;
    };
    explicit Recorder(std::initializer_list<trace::Event> wanted = {})
        : Log(std::accumulate(wanted.begin(), wanted.end(), trace::event_set({}),
                              [](trace::EventSet set, trace::Event event) { return set | trace::bit(event); })) {}
    const std::atomic<std::uint64_t>* watched = nullptr;
    std::vector<Entry> entries;
    void write(trace::Event event, std::uint32_t id, std::uint64_t value, std::int64_t since) noexcept override {
        entries.push_back({event, id, value, since, watched == nullptr ? 0 : watched->load()});
    }
};

TEST(Probes, ProbesEveryBoundaryOnceTxBeforeAndRxAfter) {
    struct Paced : Source {
        std::int64_t scheduled_ns(std::uint64_t index) const noexcept {
            return 1'000 + static_cast<std::int64_t>(index);
        }
        using Source::work;
        WorkResult work(Out<Item>& out) noexcept { return Source::work(out); }
    };
    Wire<> wire(1'000);
    Node<Paced> source({.name = "source", .index = 3, .chunk_items = 250, .probe_granularity = 100}, {}, ins(),
                       outs(wire));
    Node<Sink> sink({.name = "sink", .index = 4, .probe_granularity = 100}, {}, ins(wire), outs());
    Recorder sent, received;
    source.set_log(&sent);
    sink.set_log(&received);
    start({&source, &sink});
    source.begin(0);
    sink.begin(0);
    source.step();
    EXPECT_EQ(wire.fill(), 250U);
    using Entry = Recorder::Entry;
    EXPECT_EQ(sent.entries,
              (std::vector<Entry>{{trace::Event::tx, 3, 1, 1'099, 0}, {trace::Event::tx, 3, 2, 1'199, 0}}));
    source.step();
    EXPECT_EQ(sent.entries.size(), 5U);
    EXPECT_EQ(sent.entries.back(), (Entry{trace::Event::tx, 3, 5, 1'499, 0}));
    received.watched = &sink.counters().items_in;
    sink.step();
    ASSERT_EQ(received.entries.size(), 5U);
    for (std::uint64_t k = 1; k <= 5; ++k) {
        const std::int64_t entry_ns = received.entries[k - 1].since;
        EXPECT_EQ(received.entries[k - 1], (Entry{trace::Event::rx, 4, k, entry_ns, 500}));
        EXPECT_EQ(entry_ns, received.entries[0].since);  // one call consumed them all
    }
}

/// Takes four items, gives one: a decimator in the middle of a chain, with its item boundaries.
struct Quarter {
    struct Params {};
    Params params;
    std::int64_t entered_ns = 0;
    WorkResult work(In<Item>& in, Out<Item>& out) noexcept {
        entered_ns = monotonic_ns();
        const std::size_t n = std::min(in.size() / 4, out.size());
        for (std::size_t i = 0; i < n; ++i) out[i] = in[4 * i];
        in.consume(4 * n);
        out.produce(n);
        return WorkStatus::ok;
    }
};

TEST(Probes, ABlockInTheMiddleHasAGranularityForEachSide) {
    Wire<> in(1'000, 1, 4), out(1'000);
    Node<Source> source({.name = "source", .chunk_items = 120}, {}, ins(), outs(in));
    Node<Quarter> middle({.name = "middle",
                          .index = 7,
                          .chunk_items = 120,
                          .in_rates = rates<4>,
                          .probe_granularity = 200,
                          .tx_granularity = 50},
                         {}, ins(in), outs(out));
    Node<Sink> sink({.name = "sink"}, {}, ins(out), outs());
    Recorder log;
    middle.set_log(&log);
    start({&source, &middle, &sink});
    middle.begin(0);
    for (int i = 0; i < 5; ++i) {
        source.step();
        const std::int64_t before = monotonic_ns();
        const std::size_t seen = log.entries.size();
        middle.step();
        const std::int64_t after = monotonic_ns();
        for (std::size_t e = seen; e < log.entries.size(); ++e) {
            if (log.entries[e].event != trace::Event::rx) continue;
            EXPECT_GE(log.entries[e].since, before);
            EXPECT_LE(log.entries[e].since, middle.block().entered_ns);
            EXPECT_LT(middle.block().entered_ns, after + 1);
        }
    }
    // 600 items in, 150 out; tx is stamped before rx of the same boundary.
    std::vector<std::pair<trace::Event, std::uint64_t>> order;
    for (const auto& entry : log.entries) order.emplace_back(entry.event, entry.value);
    using trace::Event;
    EXPECT_EQ(order,
              (std::vector<std::pair<Event, std::uint64_t>>{
                  {Event::tx, 1}, {Event::rx, 1}, {Event::tx, 2}, {Event::rx, 2}, {Event::tx, 3}, {Event::rx, 3}}));
}

TEST(Probes, WorkEventsOnlyIfRequested) {
    Wire<> wire(64);
    Node<Source> source({.name = "source", .index = 9, .chunk_items = 16}, {}, ins(), outs(wire));
    Recorder plain, wanting({trace::Event::work_entry, trace::Event::work_exit});
    start({&source});
    source.set_log(&plain);
    source.begin(0);
    source.step();
    EXPECT_TRUE(plain.entries.empty());
    source.set_log(&wanting);
    source.begin(0);
    source.step();
    using Entry = Recorder::Entry;
    EXPECT_EQ(wanting.entries,
              (std::vector<Entry>{{trace::Event::work_entry, 9, 0, 0, 0}, {trace::Event::work_exit, 9, 16, 0, 0}}));
}

TEST(Probes, MetricsNoneCountsItemsOnly) {
    for (const Metrics metrics : {Metrics::none, Metrics::counters, Metrics::profile}) {
        Wire<> wire(64);
        Node<Source> source({.name = "source", .chunk_items = 16}, {}, ins(), outs(wire));
        Node<Sink> sink({.name = "sink", .chunk_items = 16}, {}, ins(wire), outs());
        start({&source, &sink});
        source.set_metrics(metrics);
        source.step();
        const TaskCounters& counters = source.counters();
        EXPECT_EQ(counters.items_out, 16U);
        EXPECT_EQ(counters.calls(), metrics == Metrics::none ? 0U : 1U);
        EXPECT_EQ(counters.items_per_call[histogram::bucket_of(16)], metrics == Metrics::none ? 0U : 1U);
        EXPECT_EQ(wire.fill_mean(0).has_value(), metrics != Metrics::none);
        EXPECT_EQ(counters.busy_ns > 0, metrics == Metrics::profile);
    }
}

TEST(Histogram, BucketsContainTheirValues) {
    for (std::uint64_t value = 0; value < 100'000; ++value) {
        const std::size_t bucket = histogram::bucket_of(value);
        ASSERT_LE(histogram::lower_bound(bucket), value);
        ASSERT_GT(histogram::lower_bound(bucket + 1), value);
    }
    EXPECT_EQ(histogram::lower_bound(histogram::bucket_of(std::uint64_t{1} << 63)), std::uint64_t{1} << 63);
    std::vector<std::uint64_t> counts(histogram::kBuckets);
    EXPECT_EQ(histogram::quantile<std::uint64_t>(counts, 0.5), 0U);
    counts[histogram::bucket_of(4)] = 1;
    counts[histogram::bucket_of(64)] = 98;
    counts[histogram::bucket_of(1024)] = 1;
    EXPECT_EQ(histogram::quantile<std::uint64_t>(counts, 0.0), 4U);
    EXPECT_EQ(histogram::quantile<std::uint64_t>(counts, 0.5), 64U);
    EXPECT_EQ(histogram::quantile<std::uint64_t>(counts, 1.0), 1024U);
    counts[histogram::bucket_of(70)] += 2;
    EXPECT_EQ(histogram::filled<std::uint64_t>(counts),
              (std::vector<std::array<std::uint64_t, 2>>{{4, 1}, {64, 100}, {1024, 1}}));
}

}  // namespace
