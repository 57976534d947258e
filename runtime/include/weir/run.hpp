// One run: the tasks and streams of a flowgraph, its plan and its workers. A scheduler is `struct S { void run(Run&);
// };`.
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

/// Settings of one run beyond its plan.
struct RunSetup {
    RunSpec spec;  ///< the plan's defaults with the changes of the command line
    trace::Tracer* tracer = nullptr;  ///< null: no events
    bool verify = false;  ///< sources emit the counter pattern, sinks digest
    std::filesystem::path project_dir = ".";
    std::filesystem::path output_dir = ".";
    std::function<void()> at_barrier = {};  ///< called once all workers are ready, just before the barrier
};

/// Reason of a failed run, and the first instance that failed ("": not an instance).
struct Failure {
    std::string instance;
    std::string message;
};

/// Memory settings of the process. An error is Linux's text, empty if granted or not requested.
struct MemoryReport {
    std::string lock_error;
    std::string hugepages_error;
};

/// Outcome of a run. Complete once `Run::launch` has returned.
struct RunOutcome {
    std::int64_t barrier_ns = 0;  ///< CLOCK_MONOTONIC
    std::int64_t elapsed_ns =
        0;  ///< from the barrier to the last sink's end, or to the last worker's end if the sinks did not end
    std::optional<Window> window;  ///< absent: the window never opened
    std::optional<std::uint64_t> window_items;  ///< items that left the metered instances in the window
    bool complete = false;  ///< every task was done
    bool stopped = false;  ///< `Run::stop` was called
    std::optional<Failure> failure;
    std::vector<ThreadReport> threads;  ///< by worker
    MemoryReport memory;
};

/// One thread of a run, as the scheduler's loop sees it.
struct Worker {
    std::size_t index;
    const WorkerSpec* spec;
    std::vector<Task*>
        tasks;  ///< in the plan's order; empty if tasks move between workers or a fixed schedule fires all of them
    EventCount* events;  ///< wakes this worker
    trace::Log* log;  ///< null: no events
    Run* run;
};

/// Return the worker on which a job starts. Neighbouring jobs start on the same one.
constexpr std::size_t first_worker(std::size_t job, std::size_t jobs, std::size_t workers) noexcept {
    return job * workers / jobs;
}

class Run {
  public:
    /// `instances` are in topological order, numbered as in the plan. Those that no fixed schedule fires are tasks. The
    /// plan, and the data behind its views, must outlive the run. Without a setup, the plan's defaults apply.
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
    std::span<Task* const> tasks() const noexcept;  ///< the instances that are stepped, not fired by a fixed schedule
    std::span<StreamBase* const> streams() const noexcept;

    /// Start the blocks and create a thread for each worker spec (name, affinity, policy, memory, prefault, log).
    /// Behind the start barrier, each thread begins its blocks and runs `loop`. Returns when all threads have left and
    /// the blocks have stopped. Call it once per run. It throws nothing; errors are in `outcome().failure`.
    void launch(std::span<const WorkerSpec> workers, const std::function<void(Worker&)>& loop);

    /// Tasks of each of the plan's jobs.
    using Jobs = std::vector<std::vector<Task*>>;

    /// Launch with jobs that no worker owns. `deal` receives them first and sets the wakers of their tasks. An
    /// exception from `deal` is the run's failure. `JobPool` (`job_pool.hpp`) implements this.
    void launch(std::span<const WorkerSpec> workers, const std::function<void(Jobs)>& deal,
                const std::function<void(Worker&)>& loop);

    /// Launch for a peer runtime that creates a thread for each worker spec. `go` starts the peer runtime and returns
    /// when its threads have left. Before its blocks work, each thread calls `enter`, which returns behind the start
    /// barrier. At its end it calls `leave`. If the plan has jobs, blocks move between the threads, and none works
    /// before all have entered.
    void host(std::span<const WorkerSpec> workers, const std::function<void()>& go);
    void enter(std::size_t worker) noexcept;
    void leave(std::size_t worker) noexcept;
    /// Replace `enter` and `leave` for a thread that never calls Weir, because it runs only the peer runtime's own
    /// block.
    void absent(std::size_t worker) noexcept;
    /// Return the worker of the calling thread between `enter` and `leave`; null on any other thread.
    static const Worker* hosted_here() noexcept;

    /// Wake a worker that waits on its events, or every worker. Only after `launch` has begun. Safe in a signal
    /// handler.
    void wake(std::size_t worker, const Fenced& fenced) noexcept;
    void wake_all(const Fenced& fenced) noexcept;

    /// Return the time of the barrier, when items begin to flow; 0 before it. CLOCK_MONOTONIC. Any thread.
    std::int64_t began_ns() const noexcept;
    /// Return whether the run must stop (Ctrl-C, time-out, error of a block). Worker loops check it once per pass. The
    /// load is seq_cst, like everything that a worker reads between `prepare` and `wait` (`wait.hpp`).
    bool stopping() const noexcept { return stop_.load(std::memory_order_seq_cst); }
    void stop() noexcept;  ///< any thread, and signal handlers; wakes every worker
    void fail(Instance& instance, std::string message) noexcept;  ///< record the first error, and stop
    void task_done(
        Instance& instance) noexcept;  ///< mark window and end times of an instance that is done (StepStatus::done)

    const RunOutcome& outcome() const noexcept;
    /// Return `expected_items` by instance; known once the blocks have started.
    std::span<const std::optional<std::uint64_t>> expected() const noexcept;

  private:
    atomic<bool> stop_{false};
    struct Impl;
    std::unique_ptr<Impl> impl_;
};

template <class S>
concept Scheduler = requires(S s, Run& run) { s.run(run); };

}  // namespace weir
