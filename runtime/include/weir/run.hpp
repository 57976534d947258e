// One run: the tasks and streams of a flowgraph, its plan, its workers. A scheduler is `struct S { void run(Run&); };`.
#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "weir/plan.hpp"
#include "weir/task.hpp"
#include "weir/trace.hpp"
#include "weir/wait.hpp"

namespace weir {

class StreamBase;

/// What the kernel says about a worker after the fact.
struct ThreadReport {
    std::string name;
    int tid = 0;
    std::vector<int> cpus_granted;
    int cpu = -1;                       ///< where it last ran
    SchedulingPolicy policy = SchedulingPolicy::other;
    int priority = 0;
    double cpu_time_s = 0.0;
    std::int64_t voluntary_switches = -1, involuntary_switches = -1, migrations = -1;  ///< -1: not measured
    std::string affinity_error, priority_error;                                         ///< empty: granted
};

/// One thread of a run, as the scheduler's loop sees it.
struct Worker {
    std::size_t index;
    const WorkerSpec* spec;
    std::vector<Task*> tasks;      ///< in the plan's order
    EventCount* events;            ///< wakes this worker; `wait.hpp`
    trace::Log* log;
    class Run* run;
};

class Run {
  public:
    Run(const Plan& plan, std::vector<Task*> tasks, std::vector<StreamBase*> streams);
    ~Run();

    const Plan& plan() const noexcept;
    std::span<Task* const> tasks() const noexcept;        ///< topological order
    std::span<StreamBase* const> streams() const noexcept;

    /// Makes one thread a worker spec: name, affinity, policy, memory, prefault, log; start barrier; then `loop` in each. Returns when all have left.
    void launch(std::span<const WorkerSpec> workers, const std::function<void(Worker&)>& loop);

    /// Asked to stop (Ctrl-C, time-out, a block's error). Loops look at this once a pass.
    bool stopping() const noexcept { return stop_.load(std::memory_order_relaxed); }
    void stop() noexcept;                                 ///< any thread; wakes every worker
    void fail(Task& task, std::string message) noexcept;  ///< records the first error, and stops
    void task_done(Task& task) noexcept;                  ///< a loop saw StepStatus::done: marks window and end times

    // For app.cpp: options before, results after. Declared in full by the implementation.
  private:
    std::atomic<bool> stop_{false};
    struct Impl;
    std::unique_ptr<Impl> impl_;
};

template <class S>
concept Scheduler = requires(S s, Run& run) { s.run(run); };

}  // namespace weir
