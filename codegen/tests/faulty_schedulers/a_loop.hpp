// The loop of a correct worker, with hooks for faults.
#pragma once

#include <cstdint>
#include <vector>

#include "weir/wait.hpp"
#include "weir/worker_loop.hpp"

namespace weir::schedulers::a_loop {

inline constexpr auto kUntilStopped = [](const Worker& worker, const std::vector<Task*>&) {
    return !worker.run->stopping();
};
inline constexpr auto kAsPlanned = [](Worker&, Waiting& waiting, const Pass& pass) { waiting.idle(pass.wake_ns); };

/// Repeatedly steps the worker's tasks, until all are done or `goes_on(worker, live)` is false. If none makes progress,
/// calls `idle(worker, waiting, pass)`.
template <class GoesOn, class Idle> void run(Worker& worker, GoesOn goes_on, Idle idle) {
    std::vector<Task*> live = worker.tasks;
    Waiting waiting(worker.run->plan().wait, *worker.events, worker.log, static_cast<std::uint32_t>(worker.index));
    while (!live.empty() && goes_on(worker, live)) {
        const Pass pass = pass_over(*worker.run, live, kMostSteps);
        if (pass.moved) waiting.moved();
        else idle(worker, waiting, pass);
    }
}

/// The same, step by step: `is_over(task)` steps a task and returns whether that was its last step.
template <class IsOver> void step(Worker& worker, IsOver is_over) {
    std::vector<Task*> live = worker.tasks;
    while (!live.empty() && !worker.run->stopping()) std::erase_if(live, is_over);
}

}  // namespace weir::schedulers::a_loop
