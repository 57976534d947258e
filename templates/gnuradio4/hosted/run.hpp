// A run under GNU Radio 4: makes its graph, and runs one of its schedulers.
#pragma once

#include <gnuradio-4.0/Graph.hpp>
#include <gnuradio-4.0/Scheduler.hpp>

#include <algorithm>
#include <barrier>
#include <chrono>
#include <cstdint>
#include <limits>
#include <memory>
#include <set>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "graph.hpp"

namespace weir::gnuradio4 {

/// Returns whether the run records items that pass between the members of the block.
inline bool is_recorded_inside(const weir_run* run, const Block& block) {
    return std::ranges::any_of(block.members, [&](const Member& it) {
        return it.instance != block.instance && weir_recorded(run, it.instance, 0);
    });
}

/// Returns whether this run has GNU Radio's own block. Its head counts up to a gr::Size_t.
inline bool is_native(const weir_run* run, const Block& block) {
    if (block.hosted == nullptr) return block.record != nullptr;
    const std::uint64_t bound = weir_bound(run, block.instance);
    return weir_unwatched(run, block.instance) &&
           (bound == UINT64_MAX || bound <= std::numeric_limits<gr::Size_t>::max());
}

/// Makes the blocks, in the order of the plan, and connects them. If that is impossible, the run fails, and this returns
/// false.
inline bool make_graph(gr::Graph& made, weir_run* run, const Graph& graph) {
    std::vector<std::shared_ptr<gr::BlockModel>> blocks;
    std::vector<bool> native;
    for (const Block& block : graph.blocks) {
        native.push_back(is_native(run, block));
        auto* const make = native.back() || block.hosted == nullptr ? block.make : block.hosted;
        blocks.push_back(made.addBlock(make(run, block.instance, block)));
    }
    std::set<std::pair<std::size_t, std::size_t>> recorded;
    const auto connect = [&](std::size_t source, std::size_t output, const std::shared_ptr<gr::BlockModel>& sink,
                             gr::PortDefinition input, std::size_t items) {
        gr::EdgeParameters parameters;
        if (items != 0) parameters.minBufferSize = items;
        if (graph.double_mapped) parameters.dataResource = gr::double_mapped_memory_resource::defaultAllocator();
        const auto connected = made.connect(blocks[source], gr::PortDefinition(output), sink, input, parameters);
        if (!connected) weir_failed(run, std::string(connected.error().message).c_str());
        return connected.has_value();
    };
    for (const Edge& edge : graph.edges) {
        const gr::PortDefinition input = graph.blocks[edge.sink].inputs_are_one_port ? gr::PortDefinition(0, edge.input)
                                                                                     : gr::PortDefinition(edge.input);
        const Block &source = graph.blocks[edge.source], &sink = graph.blocks[edge.sink];
        if (!connect(edge.source, edge.output, blocks[edge.sink], input, edge.items)) return false;
        if (is_recorded_inside(run, sink)) {
            const auto recorder = made.addBlock(sink.record_inside(run, sink));
            if (!connect(edge.source, edge.output, recorder, gr::PortDefinition(0), edge.items)) return false;
        }
        if (native[edge.source] && weir_recorded(run, source.instance, edge.output)) {
            if (!recorded.insert({edge.source, edge.output}).second) continue;
            const auto recorder = made.addBlock(source.record(run, source.instance, edge.output));
            if (!connect(edge.source, edge.output, recorder, gr::PortDefinition(0), edge.items)) return false;
        }
    }
    return true;
}

/// Runs the graph under `scheduler`, and returns at its end.
template <class Scheduler> void run_graph(weir_run* run, const Graph& graph, Scheduler& scheduler) {
    gr::Graph made;
    if (!make_graph(made, run, graph)) return;
    if (const auto taken = scheduler.exchange(std::move(made)); !taken) {
        weir_failed(run, std::string(taken.error().message).c_str());
        return;
    }
    // After its workers have ended, GNU Radio looks at intervals of this length whether they have.
    scheduler.timeout_ms = 1U;
    if (const auto ended = scheduler.runAndWait(); !ended) weir_failed(run, std::string(ended.error().message).c_str());
}

/// A pool with exactly `threads` threads, under a name of its own.
class Pool {
  public:
    explicit Pool(std::size_t threads) {
        const auto count = static_cast<std::uint32_t>(threads);
        auto pool =
            std::make_unique<gr::thread_pool::BasicThreadPool>(name(), gr::thread_pool::CPU_BOUND, count, count);
        // An idle thread may miss a notification. It then looks for a task after this time, which is 10 s by default.
        pool->keepAliveDuration = std::chrono::milliseconds(10);
        executor_ = std::make_shared<gr::thread_pool::ThreadPoolWrapper>(std::move(pool), "CPU");
        gr::thread_pool::Manager::instance().replacePool(std::string(name()), executor_);
    }

    static const char* name() { return "weir"; }
    gr::thread_pool::TaskExecutor& executor() { return *executor_; }

  private:
    std::shared_ptr<gr::thread_pool::TaskExecutor> executor_;
};

/// Calls `run` on a thread of its own, because GNU Radio's threads inherit the CPUs of the one that creates them.
template <class F> void on_own_thread(F run) { std::thread(std::move(run)).join(); }

}  // namespace weir::gnuradio4
