// Latency from the records of the memory back-end: from boundary k of a source to boundary k of a sink, and the hops
// between.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "weir/trace.hpp"
#include "weir/window.hpp"

namespace weir {

/// Nearest rank: the p-quantile is the value at ceil(p n) - 1 of the n sorted latencies. Nanoseconds. It is there where at
/// least ten samples lie beyond it, on the side that has fewer.
struct LatencyStatistics {
    std::uint64_t count = 0;
    std::uint64_t lost = 0;  ///< boundaries that were expected, without their tx or their rx
    double mean_ns = 0;
    std::optional<std::int64_t> p5_ns, p50_ns, p95_ns, p99_ns, p999_ns;
    std::int64_t max_ns = 0;
};

/// One pair to measure, by the `block` numbers of its events.
struct LatencyProbe {
    std::string_view source, sink;
    int pipe = -1;  ///< -1: the graph has no pipes
    std::uint32_t source_index = 0, sink_index = 0;
    std::uint64_t boundaries = 0;  ///< k = 1 … boundaries are expected; a tx beyond is left out, not lost
};

/// One hop to measure: from the tx of one probed block to what the next one does with it.
struct HopProbe {
    std::string_view from, to;
    int pipe = -1;
    std::uint32_t from_index = 0, to_index = 0;
    bool to_sink = false;  ///< the hop ends with the rx of `to`, else with its tx
    std::uint64_t boundaries = 0;
    std::vector<std::uint32_t> sinks = {};  ///< that `to` is or leads to
};

/// One boundary that was seen at both ends. `sent_ns` is when the item was due, for a paced source.
struct LatencySample {
    std::uint64_t k;
    std::int64_t sent_ns, received_ns;
    std::int64_t latency_ns() const noexcept { return received_ns - sent_ns; }
};

struct LatencyPair {
    LatencyProbe probe;
    LatencyStatistics statistics;
    std::uint64_t late = 0;  ///< of those that the statistics count, beyond the deadline
    std::vector<LatencySample> samples;  ///< by k, those of the whole run
};

/// Waiting: until the call of `work` that consumed the boundary was entered. Work: from there to the hop's end. The two
/// add up to the time between the hop's ends, boundary by boundary. The `lost` of both is the hop's.
struct LatencyHop {
    HopProbe probe;
    LatencyStatistics waiting, work;
};

/// What of a run came in time. What meets its deadline exactly does.
struct Response {
    std::int64_t deadline_ns = 0;
    std::uint64_t answered = 0;  ///< boundaries that came to their sink in the window
    std::uint64_t late = 0;  ///< of these, beyond the deadline
    std::uint64_t lost = 0;  ///< of the whole run
    /// Of what was due; absent where nothing was.
    std::optional<double> failure_ratio() const noexcept {
        if (answered + lost == 0) return std::nullopt;
        return static_cast<double>(late + lost) / static_cast<double>(answered + lost);
    }
};

struct Latency {
    LatencyStatistics total;  ///< pools all pairs
    std::optional<Response> response = {};  ///< of all pairs; absent: nothing has a deadline
    std::vector<LatencyPair> pairs;
    std::vector<LatencyHop> hops;
    bool negative = false;  ///< an end before its start: the clock or the trace cannot be trusted
};

/// Sorts `latencies_ns` in place.
LatencyStatistics latency_statistics(std::vector<std::int64_t>& latencies_ns, std::uint64_t lost);

/// Statistics are of the boundaries whose rx lies in the window, and of hops where that of a sink behind them does; what is
/// lost or negative is of the whole run. Without a window no boundary counts.
Latency measure_latency(std::span<const std::span<const trace::Record>> records, std::span<const LatencyProbe> probes,
                        std::span<const HopProbe> hops = {}, const std::optional<Window>& window = Window{},
                        std::optional<std::int64_t> deadline_ns = {});

/// `source,sink,pipe,k,sent_ns,received_ns`, a line a boundary; pipe is empty where there are none.
std::string latency_csv(const Latency& latency);

}  // namespace weir
