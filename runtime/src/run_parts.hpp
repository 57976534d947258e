// Implementation of a run, in run.cpp, run_owners.cpp, run_blocks.cpp, run_threads.cpp, run_hosted.cpp and
// run_window.cpp.
#pragma once

#include <algorithm>
#include <atomic>
#include <condition_variable>
#include <mutex>

#include "weir/run.hpp"

namespace weir {

/// Wakes the worker that runs the task.
class EventWaker final : public Waker {
  public:
    explicit EventWaker(EventCount& events) noexcept : events_(&events) {}
    void wake(Instance&, const Fenced& fenced) noexcept override { events_->notify(fenced); }

  private:
    EventCount* events_;
};

/// Threads of a peer runtime that have reached the barrier.
struct Hosting {
    std::vector<Worker>& workers;
    std::mutex mutex;
    std::condition_variable changed;
    std::size_t entered = 0;
    bool open = false, over = false;
};

struct Run::Impl final : MilestoneObserver {
    static constexpr std::int64_t kUnset = -1;

    Impl(const Plan& a_plan, std::vector<Instance*> all, std::vector<StreamBase*> some_streams, RunSetup a_setup)
        : plan(a_plan), setup(std::move(a_setup)), instances(std::move(all)), streams(std::move(some_streams)),
          tasks(tasks_of(instances)) {
        for (const Instance* instance : instances) sinks += instance->is_sink();
        for (std::size_t replica = 0; replica < instances.size(); replica += blocks()) {
            for (const std::uint32_t index : plan.metered) metered.push_back(instances.at(replica + index));
        }
    }

    /// Number of blocks in the plan; each exists once per replica.
    std::size_t blocks() const noexcept {
        return std::max<std::size_t>(instances.size() / std::max<std::size_t>(plan.replicas, 1), 1);
    }

    /// Return whether all other replicas of the block are done.
    bool is_last_replica(const Instance& instance) noexcept {
        return plan.replicas <= 1 ||
               replicas_running[instance.spec().index].fetch_sub(1, std::memory_order_acq_rel) == 1;
    }

    void milestone(Instance&) noexcept override;
    void open_window(std::int64_t now) noexcept;
    void sink_done() noexcept;
    std::uint64_t metered_items() const noexcept;

    void record_failure(std::string_view instance, std::string message) {
        const std::lock_guard lock(failure_mutex);
        if (!outcome.failure) outcome.failure = Failure{std::string(instance), std::move(message)};
    }

    void launch(Run& run, std::span<const WorkerSpec> specs, const std::function<void(Jobs)>* deal,
                const std::function<void(std::vector<Worker>&)>& work);

    // Ownership of tasks (`run_owners.cpp`).
    std::vector<Worker> make_workers(Run& run, std::span<const WorkerSpec> specs);
    std::vector<Instance*> claim(const std::string& owner, std::span<const std::uint32_t> indices);
    static std::vector<Task*> tasks_of(std::span<Instance* const> claimed);
    void claimed_all(std::string_view kind) const;
    void bind_tasks(std::vector<Worker>& workers);
    Jobs share_tasks(std::size_t workers);

    // Start and stop of the blocks (`run_blocks.cpp`).
    void start_tasks();
    void stop_tasks();

    // Threads, and their preparation up to the barrier (`run_threads.cpp`).
    void ask_for_memory();
    void run_workers(Run& run, std::vector<Worker>& workers, const std::function<void(Worker&)>& loop);
    void open_gate();
    void prepare_worker(Worker& worker, std::span<const int> cpus);
    void host_workers(Run& run, std::vector<Worker>& workers, const std::function<void()>& go);
    std::size_t log_capacity(const Worker& worker) const;

    // Window and outcome (`run_window.cpp`).
    void conclude(std::int64_t left_ns);

    bool warm_up_takes_everything() const;
    const std::optional<std::uint64_t>& expected_of(const Instance& task) const {
        return expected[static_cast<std::size_t>(std::ranges::find(instances, &task) - instances.begin())];
    }

    const Plan& plan;
    RunSetup setup;
    std::vector<Instance*> instances;
    std::vector<StreamBase*> streams;
    std::vector<Task*> tasks;  ///< the instances that are stepped
    std::vector<Instance*> metered;
    std::vector<Instance*> started;
    std::vector<std::optional<std::uint64_t>> expected;
    RunOutcome outcome;
    std::mutex failure_mutex;

    std::unique_ptr<EventCount[]> events;
    std::atomic<std::size_t> events_made{0};  ///< a signal handler's `stop` sees all of `events` or none
    std::vector<EventWaker> wakers;
    std::vector<std::string> owners;  ///< by task: its worker or job
    bool shared = false;  ///< tasks move between workers
    std::vector<std::vector<Instance*>> first;  ///< by worker: the instances whose memory it touches first

    std::unique_ptr<Hosting> hosting;  ///< only if a peer runtime creates the threads

    std::atomic<std::int64_t> began_ns{0};
    std::size_t sinks = 0;
    std::atomic<std::size_t> sinks_warming{0}, sinks_running{0}, tasks_running{0};
    std::unique_ptr<std::atomic<std::size_t>[]> replicas_running;  ///< by block
    std::atomic<bool> window_closed{false};
    std::uint64_t items_at_open = 0, items_at_close = 0;
    std::int64_t opened_ns = kUnset, closed_ns = kUnset, last_sink_ns = kUnset;
};

}  // namespace weir
