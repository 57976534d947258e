#include "weir/latency.hpp"

#include <algorithm>
#include <numeric>
#include <unordered_map>

namespace weir {

namespace {

constexpr std::int64_t kMissing = -1;  // CLOCK_MONOTONIC is never negative

/// When each boundary of one node was crossed, at [k - 1].
using Crossings = std::vector<std::int64_t>;

struct Wanted {
    std::uint64_t boundaries = 0;
    Crossings times_ns;
};
using WantedByNode = std::unordered_map<std::uint32_t, Wanted>;

void want(WantedByNode& nodes, std::uint32_t index, std::uint64_t boundaries) {
    Wanted& wanted = nodes[index];
    wanted.boundaries = std::max(wanted.boundaries, boundaries);
}

void note(WantedByNode& nodes, const trace::Record& record, std::int64_t time_ns) {
    const auto found = nodes.find(record.id);
    if (found == nodes.end()) return;
    Wanted& wanted = found->second;
    if (record.value == 0 || record.value > wanted.boundaries) return;
    // Grown to what was seen, not to what was expected: an interrupted run of 10^12 items crossed few of its boundaries.
    if (record.value > wanted.times_ns.size()) wanted.times_ns.resize(record.value, kMissing);
    wanted.times_ns[record.value - 1] = time_ns;
}

LatencyPair match(const LatencyProbe& probe, const Crossings& sent, const Crossings& received) {
    LatencyPair pair{probe, {}, {}};
    const std::uint64_t seen = std::min<std::uint64_t>({probe.boundaries, sent.size(), received.size()});
    std::vector<std::int64_t> latencies;
    for (std::uint64_t i = 0; i < seen; ++i) {
        if (sent[i] == kMissing || received[i] == kMissing) continue;
        pair.samples.push_back({i + 1, sent[i], received[i]});
        latencies.push_back(received[i] - sent[i]);
    }
    pair.statistics = latency_statistics(latencies, probe.boundaries - pair.samples.size());
    return pair;
}

}  // namespace

LatencyStatistics latency_statistics(std::vector<std::int64_t>& latencies_ns, std::uint64_t lost) {
    LatencyStatistics s;
    s.count = latencies_ns.size();
    s.lost = lost;
    if (latencies_ns.empty()) return s;
    std::sort(latencies_ns.begin(), latencies_ns.end());
    // Integers, so that no rounding of p * n picks the neighbour: ceil(n * per_mille / 1000).
    const auto at = [&](std::size_t per_mille) {
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

Latency measure_latency(std::span<const std::span<const trace::Record>> records,
                        std::span<const LatencyProbe> probes) {
    WantedByNode sources, sinks;
    for (const LatencyProbe& probe : probes) {
        want(sources, probe.source_index, probe.boundaries);
        want(sinks, probe.sink_index, probe.boundaries);
    }
    for (const auto& thread : records) {
        for (const trace::Record& record : thread) {
            if (record.event == trace::Event::tx) {
                note(sources, record, record.scheduled_ns != 0 ? record.scheduled_ns : record.time_ns);
            } else if (record.event == trace::Event::rx) {
                note(sinks, record, record.time_ns);
            }
        }
    }

    Latency latency;
    std::vector<std::int64_t> pooled;
    std::uint64_t lost = 0;
    for (const LatencyProbe& probe : probes) {
        LatencyPair pair = match(probe, sources[probe.source_index].times_ns, sinks[probe.sink_index].times_ns);
        for (const LatencySample& sample : pair.samples) pooled.push_back(sample.received_ns - sample.sent_ns);
        lost += pair.statistics.lost;
        latency.pairs.push_back(std::move(pair));
    }
    latency.total = latency_statistics(pooled, lost);
    latency.negative = !pooled.empty() && pooled.front() < 0;
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
