// Diagnosis of a run in which nothing moves: the states of its workers as Linux reports them.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "finding.hpp"
#include "weir/run.hpp"

namespace weir::testing {

struct WorkerState {
    std::string name;
    char state = 0;               ///< as /proc has it (R: has or wants a CPU, S: asleep); 0: its thread has left
    std::uint64_t cpu_ms = 0;     ///< of CPU time so far, in steps of 10
};

/// Return the state of each worker, in the plan's order. Momentary values.
std::vector<WorkerState> worker_states(const Run& run);

/// A worker wants a CPU and has got next to nothing of one: then the machine is busy, and the scheduler is not to blame.
bool kept_from_cpu(const std::vector<WorkerState>& before, const std::vector<WorkerState>& after);

/// Describe the state of each worker, block and stream. `before` and `after` lie a second apart.
std::string at_work(const Run& run, const std::vector<WorkerState>& before, const std::vector<WorkerState>& after);

/// Names the duty that the scheduler neglects in a run where no item moves, and what works in it. `bound`: by worker
/// the places of its own tasks; empty where tasks move.
Finding stuck(const Run& run, std::span<const std::vector<std::size_t>> bound, const std::vector<WorkerState>& before,
              const std::vector<WorkerState>& after);

}  // namespace weir::testing
