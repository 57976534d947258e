// One run: the tasks and streams of a flowgraph, its plan, its workers. A scheduler is `struct S { void run(Run&); };`.
#pragma once

#include <concepts>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "weir/atomic.hpp"
#include "weir/fenced.hpp"
#include "weir/plan.hpp"
#include "weir/task.hpp"
#include "weir/thread.hpp"
#include "weir/trace.hpp"
#include "weir/wait.hpp"
#include "weir/window.hpp"

namespace weir {

class StreamBase;
class Run;

/// What one run is asked for beyond its plan.
struct RunSetup {
    RunSpec spec;  ///< the plan's, with the command line's changes
    trace::Tracer* tracer = nullptr;  ///< null: no events
    bool verify = false;  ///< sources emit the counter pattern, sinks digest
    std::filesystem::path project_dir = ".";
    std::filesystem::path output_dir = ".";
    std::function<void()> at_barrier = {};  ///< called once all workers are ready, just before the barrier
};

/// Why a run failed, and which instance failed first ("": no instance of its own).
struct Failure {
    std::string instance;
    std::string message;
};

/// What was asked of the kernel for the whole process; an error is the kernel's text, empty where granted or not asked for.
struct MemoryReport {
    std::string lock_error;
    std::string hugepages_error;
};

/// What a run was like. Complete once `Run::launch` has returned.
struct RunOutcome {
    std::int64_t barrier_ns = 0;  ///< CLOCK_MONOTONIC
    std::int64_t elapsed_ns = 0;  ///< barrier to the last sink's end, or to the last worker's where sinks did not end
    std::optional<Window> window;  ///< none: never open
    std::optional<std::uint64_t> window_items;  ///< that left the metered instances in the window
    bool complete = false;  ///< every task was done
    bool stopped = false;  ///< someone called `Run::stop`
    std::optional<Failure> failure;
    std::vector<ThreadReport> threads;  ///< by worker
    MemoryReport memory;
};

/// One thread of a run, as the scheduler's loop sees it.
struct Worker {
    std::size_t index;
    const WorkerSpec* spec;
    std::vector<Task*> tasks;  ///< in the plan's order; empty where tasks move between workers, or a schedule fires all
    EventCount* events;  ///< wakes this worker
    trace::Log* log;  ///< null: no events
    Run* run;
};

/// The worker with which a job begins: neighbouring jobs with the same.
constexpr std::size_t first_worker(std::size_t job, std::size_t jobs, std::size_t workers) noexcept {
    return job * workers / jobs;
}

class Run {
  public:
    /// `instances` in topological order, as the plan counts them; those that no schedule fires are tasks. The plan, and what its
    /// views point to, outlives the run. Without a setup: the plan's defaults.
    Run(const Plan& plan, std::vector<Instance*> instances, std::vector<StreamBase*> streams);
    Run(const Plan& plan, std::vector<Instance*> instances, std::vector<StreamBase*> streams, RunSetup setup);
    template <std::same_as<Task> T>
    Run(const Plan& plan, const std::vector<T*>& tasks, std::vector<StreamBase*> streams)
        : Run(plan, std::vector<Instance*>(tasks.begin(), tasks.end()), std::move(streams)) {}
    template <std::same_as<Task> T>
    Run(const Plan& plan, const std::vector<T*>& tasks, std::vector<StreamBase*> streams, RunSetup setup)
        : Run(plan, std::vector<Instance*>(tasks.begin(), tasks.end()), std::move(streams), std::move(setup)) {}
    ~Run();
    Run(const Run&) = delete;
    Run& operator=(const Run&) = delete;

    const Plan& plan() const noexcept;
    const RunSetup& setup() const noexcept;
    std::span<Instance* const> instances() const noexcept;
    std::span<Task* const> tasks() const noexcept;  ///< of these, those that are stepped and not fired by a schedule
    std::span<StreamBase* const> streams() const noexcept;

    /// Starts the blocks, makes a thread of each worker spec (name, affinity, policy, memory, prefault, log), and behind the
    /// start barrier lets each begin its blocks and runs `loop` in it. Returns when all have left and the blocks have stopped. Once a run. What goes wrong is in
    /// `outcome().failure`; nothing is thrown.
    void launch(std::span<const WorkerSpec> workers, const std::function<void(Worker&)>& loop);

    /// The tasks of each of the plan's jobs.
    using Jobs = std::vector<std::vector<Task*>>;

    /// Likewise, with jobs that no worker owns. `deal` gets them before anything else happens, and sets the wakers of their
    /// tasks; what it throws is the failure. `JobPool` (`job_pool.hpp`) does all of this.
    void launch(std::span<const WorkerSpec> workers, const std::function<void(Jobs)>& deal,
                const std::function<void(Worker&)>& loop);

    /// Likewise for a runtime that makes a thread for each worker spec itself: `go` lets it, and returns when they have left. Each calls
    /// `enter` before its blocks work, which returns behind the start barrier, and `leave` when they are through. Where the plan has jobs, blocks
    /// move between the threads, and none works before all have entered.
    void host(std::span<const WorkerSpec> workers, const std::function<void()>& go);
    void enter(std::size_t worker) noexcept;
    void leave(std::size_t worker) noexcept;
    /// In place of both, for a thread that is never asked: of another runtime's own block.
    void absent(std::size_t worker) noexcept;
    /// Of the calling thread, between those; null on any other.
    static const Worker* hosted_here() noexcept;

    /// Wakes a worker that waits on its events, or every worker. Behind `launch` only; safe in a signal handler.
    void wake(std::size_t worker, const Fenced& fenced) noexcept;
    void wake_all(const Fenced& fenced) noexcept;

    /// CLOCK_MONOTONIC of the barrier, from when items flow; 0 before. Any thread.
    std::int64_t began_ns() const noexcept;
    /// Asked to stop (Ctrl-C, time-out, a block's error). Loops look at this once a pass.
    /// seq_cst, as everything that a worker looks at between `prepare` and `wait` (`wait.hpp`).
    bool stopping() const noexcept { return stop_.load(std::memory_order_seq_cst); }
    void stop() noexcept;  ///< any thread, and signal handlers; wakes every worker
    void fail(Instance& instance, std::string message) noexcept;  ///< records the first error, and stops
    void task_done(Instance& instance) noexcept;  ///< it is done (StepStatus::done): marks window and end times

    const RunOutcome& outcome() const noexcept;
    /// What `expected_items` says, by instance; known once the blocks have started.
    std::span<const std::optional<std::uint64_t>> expected() const noexcept;

  private:
    atomic<bool> stop_{false};
    struct Impl;
    std::unique_ptr<Impl> impl_;
};

template <class S>
concept Scheduler = requires(S s, Run& run) { s.run(run); };

}  // namespace weir
