#include "weir/latency.hpp"

#include <algorithm>
#include <numeric>
#include <unordered_map>

namespace weir {

namespace {

constexpr std::int64_t kMissing = -1;  // CLOCK_MONOTONIC is never negative

/// One event of a boundary. `since_ns` is the record's, 0 where it has none.
struct Crossing {
    std::int64_t time_ns = kMissing, since_ns = 0;
    bool seen() const noexcept { return time_ns != kMissing; }
    /// When the item was due, for a paced source; else when it was sent.
    std::int64_t sent_ns() const noexcept { return since_ns != 0 ? since_ns : time_ns; }
};

/// How one node crossed its boundaries, at [k - 1].
using Crossings = std::vector<Crossing>;

/// The crossings of the nodes that are wanted, by the `block` of their events, up to as many boundaries as expected.
class Collector {
  public:
    void want(std::uint32_t node, std::uint64_t boundaries) {
        std::uint64_t& most = nodes_[node].boundaries;
        most = std::max(most, boundaries);
    }

    void add(const trace::Record& record) {
        const auto found = nodes_.find(record.id);
        if (found == nodes_.end()) return;
        Node& node = found->second;
        if (record.value == 0 || record.value > node.boundaries) return;
        // Grown to what was seen, not to what was expected: an interrupted run of 10^12 items crossed few boundaries.
        if (record.value > node.crossings.size()) node.crossings.resize(record.value);
        Crossing& crossing = node.crossings[record.value - 1];
        if (!crossing.seen()) crossing = {record.time_ns, record.since_ns};
    }

    const Crossings& of(std::uint32_t node) const { return nodes_.at(node).crossings; }

  private:
    struct Node {
        std::uint64_t boundaries = 0;
        Crossings crossings;
    };
    std::unordered_map<std::uint32_t, Node> nodes_;
};

LatencyPair match(const LatencyProbe& probe, const Crossings& sent, const Crossings& received,
                  const std::optional<Window>& window, std::optional<std::int64_t> deadline_ns) {
    LatencyPair pair{probe, {}, 0, {}};
    const std::uint64_t seen = std::min<std::uint64_t>({probe.boundaries, sent.size(), received.size()});
    std::vector<std::int64_t> latencies;
    for (std::uint64_t i = 0; i < seen; ++i) {
        if (!sent[i].seen() || !received[i].seen()) continue;
        pair.samples.push_back({i + 1, sent[i].sent_ns(), received[i].time_ns});
        if (!window || !window->has(received[i].time_ns)) continue;
        latencies.push_back(pair.samples.back().latency_ns());
        if (deadline_ns && latencies.back() > *deadline_ns) ++pair.late;
    }
    pair.statistics = latency_statistics(latencies, probe.boundaries - pair.samples.size());
    return pair;
}

/// `counted`, at [k - 1]: boundary k came to a sink behind the hop in the window, so that hops and their pair are over the
/// same boundaries. `negative` is set where a boundary ends before it starts.
LatencyHop match(const HopProbe& probe, const Crossings& sent, const Crossings& entered, const Crossings& ended,
                 const std::vector<bool>& counted, bool& negative) {
    LatencyHop hop{probe, {}, {}};
    const std::uint64_t seen = std::min<std::uint64_t>({probe.boundaries, sent.size(), entered.size(), ended.size()});
    std::vector<std::int64_t> waiting, work;
    std::uint64_t complete = 0;
    for (std::uint64_t i = 0; i < seen; ++i) {
        if (!sent[i].seen() || !entered[i].seen() || !ended[i].seen()) continue;
        const std::int64_t start = sent[i].sent_ns(), end = ended[i].time_ns;
        // A block that sends a boundary before it consumes it (it looked ahead) was at work no later than it sent.
        const std::int64_t entry = std::min(entered[i].since_ns, end);
        negative |= entry < start;
        ++complete;
        if (i >= counted.size() || !counted[i]) continue;
        waiting.push_back(entry - start);
        work.push_back(end - entry);
    }
    const std::uint64_t lost = probe.boundaries - complete;
    hop.waiting = latency_statistics(waiting, lost);
    hop.work = latency_statistics(work, lost);
    return hop;
}

/// Adds the boundaries that this sink received in the window, at [k - 1].
void mark_received(const Crossings& received, const std::optional<Window>& window, std::vector<bool>& counted) {
    counted.resize(std::max(counted.size(), received.size()));
    for (std::size_t i = 0; i < received.size(); ++i) {
        if (window && received[i].seen() && window->has(received[i].time_ns)) counted[i] = true;
    }
}

}  // namespace

LatencyStatistics latency_statistics(std::vector<std::int64_t>& latencies_ns, std::uint64_t lost) {
    LatencyStatistics s;
    s.count = latencies_ns.size();
    s.lost = lost;
    if (latencies_ns.empty()) return s;
    std::sort(latencies_ns.begin(), latencies_ns.end());
    // Integers, so that no rounding of p * n picks the neighbour: ceil(n * per_mille / 1000).
    const auto at = [&](std::size_t per_mille) -> std::optional<std::int64_t> {
        const std::size_t needed = 10'000 / std::min(per_mille, 1000 - per_mille);
        if (latencies_ns.size() < needed) return std::nullopt;
        return latencies_ns[(latencies_ns.size() * per_mille + 999) / 1000 - 1];
    };
    const auto sum = std::accumulate(latencies_ns.begin(), latencies_ns.end(), 0.0L,
                                     [](long double a, std::int64_t b) { return a + static_cast<long double>(b); });
    s.mean_ns = static_cast<double>(sum / static_cast<long double>(latencies_ns.size()));
    s.p5_ns = at(50);
    s.p50_ns = at(500);
    s.p95_ns = at(950);
    s.p99_ns = at(990);
    s.p999_ns = at(999);
    s.max_ns = latencies_ns.back();
    return s;
}

Latency measure_latency(std::span<const std::span<const trace::Record>> records, std::span<const LatencyProbe> probes,
                        std::span<const HopProbe> hops, const std::optional<Window>& window,
                        std::optional<std::int64_t> deadline_ns) {
    Collector sent, received;
    for (const LatencyProbe& probe : probes) {
        sent.want(probe.source_index, probe.boundaries);
        received.want(probe.sink_index, probe.boundaries);
    }
    for (const HopProbe& hop : hops) {
        sent.want(hop.from_index, hop.boundaries);
        received.want(hop.to_index, hop.boundaries);
        if (!hop.to_sink) sent.want(hop.to_index, hop.boundaries);
        for (const std::uint32_t sink : hop.sinks) received.want(sink, hop.boundaries);
    }
    for (const auto& thread : records) {
        for (const trace::Record& record : thread) {
            if (record.event == trace::Event::tx) sent.add(record);
            else if (record.event == trace::Event::rx) received.add(record);
        }
    }

    Latency latency;
    std::vector<std::int64_t> pooled;
    std::uint64_t lost = 0, late = 0;
    for (const LatencyProbe& probe : probes) {
        LatencyPair pair =
            match(probe, sent.of(probe.source_index), received.of(probe.sink_index), window, deadline_ns);
        for (const LatencySample& sample : pair.samples) {
            latency.negative |= sample.latency_ns() < 0;
            if (window && window->has(sample.received_ns)) pooled.push_back(sample.latency_ns());
        }
        lost += pair.statistics.lost;
        late += pair.late;
        latency.pairs.push_back(std::move(pair));
    }
    latency.total = latency_statistics(pooled, lost);
    if (deadline_ns) latency.response = Response{*deadline_ns, latency.total.count, late, lost};
    for (const HopProbe& hop : hops) {
        const Crossings& entered = received.of(hop.to_index);
        const Crossings& ended = hop.to_sink ? entered : sent.of(hop.to_index);
        std::vector<bool> counted;
        for (const std::uint32_t sink : hop.sinks) mark_received(received.of(sink), window, counted);
        latency.hops.push_back(match(hop, sent.of(hop.from_index), entered, ended, counted, latency.negative));
    }
    return latency;
}

std::string latency_csv(const Latency& latency) {
    std::string text = "source,sink,pipe,k,sent_ns,received_ns\n";
    for (const LatencyPair& pair : latency.pairs) {
        std::string head(pair.probe.source);
        head.append(",").append(pair.probe.sink).append(",");
        if (pair.probe.pipe >= 0) head += std::to_string(pair.probe.pipe);
        for (const LatencySample& s : pair.samples) {
            text.append(head).append(",").append(std::to_string(s.k)).append(",");
            text.append(std::to_string(s.sent_ns)).append(",").append(std::to_string(s.received_ns)).append("\n");
        }
    }
    return text;
}

}  // namespace weir
