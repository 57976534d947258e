// Builds a flowgraph (graph_shape.hpp) from streams and nodes, and runs it under a scheduler.
#pragma once

#include <chrono>
#include <cstdint>
#include <deque>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "finding.hpp"
#include "graph_shape.hpp"
#include "reference.hpp"
#include "test_blocks.hpp"
#include "weir/node.hpp"
#include "weir/run.hpp"

namespace weir::testing {

struct Settings {
    std::uint64_t seed = 0;          ///< of chunks and sizes; 0: chunks are not split
    std::size_t chunk = 64;          ///< with a seed: the largest random chunk
    std::size_t buffer = 256;        ///< likewise; never below the least that the graph needs
    std::size_t least_buffer = 1;
    bool smallest_buffers = false;   ///< exactly the least that the graph needs
    bool only_rings = false;
    std::size_t pool_workers = 0;  ///< if not 0: number of workers, between which the entries of the placement move as
        ///< jobs
    WaitPolicy wait = WaitPolicy::park;
    Metrics metrics = Metrics::counters;
    bool alignment = false;
    std::uint64_t items = 0, warmup_items = 0;
    bool verify = false;
    std::optional<std::chrono::microseconds> stop_after = {};  ///< when another thread calls `Run::stop`
    /// Likewise, once this returns true for the tasks; called every millisecond.
    std::function<bool(std::span<Task* const>)> stop_when = {};
    /// Called with the finding if a run ignores `stop`. Must not return: the workers may hold any lock.
    std::function<void(const Finding&)> does_not_stop = {};
};

/// For each worker (or job), the ops that it runs.
using Placement = std::vector<std::vector<std::size_t>>;
Placement on_one_worker(const Graph& graph);
Placement on_one_each(const Graph& graph);
Placement dealt_out(const Graph& graph, std::size_t workers, std::uint64_t seed);

/// The graph on streams and nodes, ready to be run once.
class Flowgraph {
  public:
    Flowgraph(const Graph& graph, const Placement& placement, const Settings& settings);

    std::vector<Task*> tasks() const;
    std::vector<StreamBase*> streams() const;
    const Plan& plan() const noexcept { return plan_; }
    Task& task(std::size_t op) const { return *nodes_[op]; }
    static std::string name_of(std::size_t op) { return "op" + std::to_string(op); }

  private:
    std::vector<std::string> names_, stream_names_;
    std::vector<std::vector<std::unique_ptr<Stream<Item>>>> streams_;  ///< by op and output port; null: unconnected
    std::vector<std::unique_ptr<Task>> nodes_;
    std::deque<std::vector<std::uint32_t>> lists_;  ///< specs and the plan refer to these lists
    Plan plan_;
};

struct Outcome {
    RunOutcome run;
    std::vector<std::uint64_t> items, digests, tails;  ///< by op; items at the first input
    std::vector<std::optional<std::uint64_t>> expected;
    std::vector<std::string> unfinished;  ///< ops whose last step did not report that they are done
    bool timed_out = false;
    std::optional<Finding> stuck;  ///< after a timeout: the neglected duty
    std::string diagnosis;
};

/// Build and run. A run in which nothing moves for WEIR_TEST_LIMIT_S (20) seconds is stopped, and its state is
/// reported. If the stop fails, the process ends with that report.
Outcome run_graph(const Graph& graph, const Placement& placement, const Settings& settings,
                  const std::function<void(Run&)>& scheduler);

}  // namespace weir::testing
