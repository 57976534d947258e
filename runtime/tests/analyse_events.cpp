// Analyses a list of events as the memory back-end does, for test_golden_events.py. Lines of standard input:
//
//     pair SOURCE SINK SOURCE_INDEX SINK_INDEX BOUNDARIES
//     hop FROM TO FROM_INDEX TO_INDEX TO_IS_SINK BOUNDARIES SINK_INDEX…
//     window BEGIN_NS END_NS
//     deadline NS
//     event tx|rx BLOCK K TIME_NS SINCE_NS
//
// Prints a results.json of which only the latencies mean anything.
#include <cstdio>
#include <deque>
#include <iostream>
#include <iterator>
#include <optional>
#include <sstream>

#include "weir/results.hpp"

int main() {
    std::deque<std::string> names;  // the probes keep views of them
    const auto kept = [&names](std::string name) -> std::string_view { return names.emplace_back(std::move(name)); };
    std::vector<weir::LatencyProbe> pairs;
    std::vector<weir::HopProbe> hops;
    std::vector<weir::trace::Record> records;
    weir::Window window;
    std::optional<std::int64_t> deadline_ns;
    for (std::string line; std::getline(std::cin, line);) {
        std::istringstream words(line);
        std::string what, a, b;
        words >> what >> a;
        if (what == "pair") {
            weir::LatencyProbe probe;
            words >> b >> probe.source_index >> probe.sink_index >> probe.boundaries;
            probe.source = kept(a);
            probe.sink = kept(b);
            pairs.push_back(probe);
        } else if (what == "hop") {
            weir::HopProbe probe;
            words >> b >> probe.from_index >> probe.to_index >> probe.to_sink >> probe.boundaries;
            probe.from = kept(a);
            probe.to = kept(b);
            probe.sinks.assign(std::istream_iterator<std::uint32_t>(words), {});
            words.clear();
            hops.push_back(probe);
        } else if (what == "window") {
            window.begin_ns = std::stoll(a);
            words >> window.end_ns;
        } else if (what == "deadline") {
            deadline_ns = std::stoll(a);
        } else if (what == "event") {
            weir::trace::Record record{};
            record.event = a == "tx" ? weir::trace::Event::tx : weir::trace::Event::rx;
            words >> record.id >> record.value >> record.time_ns >> record.since_ns;
            records.push_back(record);
        }
        if (!words) {
            std::fprintf(stderr, "cannot read `%s`\n", line.c_str());
            return 1;
        }
    }
    const std::span<const weir::trace::Record> thread(records);
    const weir::Plan plan{};
    weir::Results results;
    results.plan = &plan;
    results.latency = weir::measure_latency({&thread, 1}, pairs, hops, window, deadline_ns);
    std::fputs(weir::results_json(results).c_str(), stdout);
    return 0;
}
