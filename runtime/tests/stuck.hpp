// Diagnosis of a run in which no item moves: the states of its workers as Linux reports them.
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
    char state = 0;               ///< letter in /proc (R: has or wants a CPU, S: sleeps); 0: the thread has ended
    std::uint64_t cpu_ms = 0;     ///< of CPU time so far, in steps of 10
};

/// Return the state of each worker, in the plan's order. Momentary values.
std::vector<WorkerState> worker_states(const Run& run);

/// Return whether a worker wants a CPU and has hardly run: then the machine is busy, and the scheduler is not to blame.
bool kept_from_cpu(const std::vector<WorkerState>& before, const std::vector<WorkerState>& after);

/// Describe the state of each worker, block and stream. `before` and `after` lie a second apart.
std::string at_work(const Run& run, const std::vector<WorkerState>& before, const std::vector<WorkerState>& after);

/// Name the duty that the scheduler neglects in a run where no item moves, and the work that still goes on. `bound`:
/// for each worker, the indices of its tasks; empty if tasks move.
Finding stuck(const Run& run, std::span<const std::vector<std::size_t>> bound, const std::vector<WorkerState>& before,
              const std::vector<WorkerState>& after);

}  // namespace weir::testing
