// Common part of schedulers whose jobs move between workers: turns, hand-over, timers and wake-ups. Each scheduler adds
// its queues.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "weir/memory.hpp"
#include "weir/run.hpp"
#include "weir/sleepers.hpp"
#include "weir/task.hpp"
#include "weir/task_state.hpp"
#include "weir/worker_loop.hpp"

namespace weir {

class JobPool;

/// Tasks that move together between workers. Streams within a job may be linear: the hand-over orders everything that
/// one worker did before everything that the next one does (`task_state.hpp`), so the streams see one thread.
class alignas(kCacheLine) Job final : public Waker {
  public:
    void wake(Instance&, const Fenced&) noexcept override;
    bool is_at_hand() const noexcept override;

    std::size_t index() const noexcept { return index_; }
    bool queued() const noexcept { return state_.value() == TaskState::Value::queued; }

  private:
    friend class JobPool;

    JobPool* pool_ = nullptr;
    std::size_t index_ = 0;
    /// Unfinished tasks, upstream to downstream. Only the worker that runs the job uses them.
    std::vector<Task*> tasks_;
    // On its own line, because workers that moved items on a stream of the job load it when their turn ends.
    alignas(kCacheLine) TaskState state_;
};

/// Queues for jobs. A job is queued at most once at a time.
class JobQueue {
  public:
    /// Reserve space for every job before the workers start: later calls must not allocate. May throw.
    virtual void prepare(std::span<Job> jobs, std::span<const WorkerSpec> workers) = 0;
    /// Queue a job on `worker`, which made it queued (before the start: the worker that shall have it).
    virtual void put(Job& job, std::size_t worker) noexcept = 0;
    /// Return a job for a worker that could also continue its current job; null: none. The pool claims the job.
    virtual Job* take(std::size_t worker) noexcept = 0;
    /// Return a job for a worker that has none and found none with `take`. `take` and `steal` together must find every
    /// job that was put before by a store that precedes this call in the single order of seq_cst. Otherwise a job could
    /// remain queued while all workers sleep.
    virtual Job* steal(std::size_t) noexcept { return nullptr; }

  protected:
    ~JobQueue() = default;
};

/// Runs the plan's jobs on the plan's workers.
class JobPool {
  public:
    JobPool(Run& run, JobQueue& queue, Turns turns)
        : run_(run), queue_(queue), turns_(turns), sleepers_(run.plan().workers.size()) {}

    void run();

  private:
    friend class Job;

    /// Times at which jobs are due again. Each worker keeps the times of the jobs that it ran last, and no other worker
    /// reads them. A job that becomes due while that worker is busy waits for the end of the turn.
    struct alignas(kCacheLine) Timers {
        std::vector<std::int64_t> due_ns;  ///< by job; kForever: none
        std::int64_t earliest_ns = kForever;

        void set(const Job& job, std::int64_t at_ns) noexcept;
    };

    void deal(Run::Jobs jobs);
    void work(Worker& worker) noexcept;
    bool over() const noexcept { return run_.stopping() || live_.load(std::memory_order_seq_cst) == 0; }
    Job* take(std::size_t worker) noexcept;
    Job* steal(Worker& worker) noexcept;
    Job* after_turn(Job& job, const Pass& pass, Worker& worker) noexcept;
    void put(Job& job, std::size_t worker) noexcept;
    void wake_due(Timers& timers) noexcept;
    void wake(Job& job, const Fenced&) noexcept;
    void wake_sleeper() noexcept;

    Run& run_;
    JobQueue& queue_;
    Turns turns_;
    std::unique_ptr<Job[]> jobs_;
    std::size_t count_ = 0;
    bool crowded_ = false;  ///< more workers than CPUs for them
    std::vector<Timers> timers_;  ///< by worker
    alignas(kCacheLine) std::atomic<std::size_t> live_{0};  ///< jobs that are not done
    alignas(kCacheLine) std::atomic<std::size_t> idle_{0};  ///< workers that look for a job or sleep; a momentary value
    alignas(kCacheLine) Sleepers sleepers_;
};

}  // namespace weir
