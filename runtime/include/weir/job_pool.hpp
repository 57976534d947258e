// What schedulers share whose jobs move between workers: turns, hand-over, timers, and who is woken when. A scheduler
// adds where queued jobs wait.
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

/// Tasks that go together from worker to worker. Streams within a job may be linear: the hand-over orders everything
/// that one worker did before everything that the next one does (`task_state.hpp`), so to them all workers are one.
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
    /// Upstream to downstream, without those that are done; for the worker that runs the job.
    std::vector<Task*> tasks_;
    // Apart: whoever moved something on a stream of the job loads it when its turn ends, from any worker.
    alignas(kCacheLine) TaskState state_;
};

/// Where queued jobs wait. A job is put here at most once at a time.
class JobQueue {
  public:
    /// Before the workers start; room for every job is made here, as nothing is allocated later. May throw.
    virtual void prepare(std::span<Job> jobs, std::span<const WorkerSpec> workers) = 0;
    /// On the worker `worker`, which has made the job queued (before the start: for that worker).
    virtual void put(Job& job, std::size_t worker) noexcept = 0;
    /// The next job for a worker that could also go on with the one it has; null: none. The pool claims what it gets.
    virtual Job* take(std::size_t worker) noexcept = 0;
    /// Likewise for a worker that has nothing and found nothing to take. Both together find every job that was put
    /// before, by a store that is before this look in the single order of seq_cst: else a job stays behind while all
    /// workers sleep.
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

    /// When jobs asked to be run again. Each worker has those of the jobs that it ran last, so no other one looks at
    /// them: a job that is due while that worker is in the turn of another one waits for the end of the turn.
    struct alignas(kCacheLine) Timers {
        std::vector<std::int64_t> due_ns;  ///< by job; kForever: not at all
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
    bool crowded_ = false;  ///< there are more workers than CPUs for them
    std::vector<Timers> timers_;  ///< by worker
    alignas(kCacheLine) std::atomic<std::size_t> live_{0};  ///< jobs that are not done
    alignas(kCacheLine) std::atomic<std::size_t> idle_{0};  ///< workers that look for a job, or sleep: a moment's truth
    alignas(kCacheLine) Sleepers sleepers_;
};

}  // namespace weir
