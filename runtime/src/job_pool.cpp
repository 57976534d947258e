#include "weir/job_pool.hpp"

#include <algorithm>
#include <set>
#include <thread>
#include <utility>

#include <sched.h>

#include "weir/clock.hpp"
#include "weir/yield_point.hpp"

namespace weir {
namespace {

/// Number of this thread's worker. Commits wake jobs deep within a step, where the worker is no argument.
thread_local std::size_t this_worker = 0;

/// Membership of a worker in the set of sleepers while its wait is prepared. The worker enters between
/// `EventCount::prepare` and its last look at the queues, and a thread that queues a job looks for sleepers after that.
/// Both are seq_cst, so at least one of the two sees the other (`wait.hpp` has the argument for the sleep itself).
class SleeperSlot {
  public:
    SleeperSlot(Sleepers& sleepers, std::size_t worker) noexcept : sleepers_(sleepers), worker_(worker) {}

    void enter() noexcept {
        if (!std::exchange(in_it_, true)) sleepers_.add(worker_);
    }
    /// Return false if another thread has chosen this worker to be woken.
    bool leave() noexcept { return !std::exchange(in_it_, false) || sleepers_.remove(worker_); }

  private:
    Sleepers& sleepers_;
    std::size_t worker_;
    bool in_it_ = false;
};

/// Counts a worker as idle while it has no job.
class Idleness {
  public:
    explicit Idleness(std::atomic<std::size_t>& idle) noexcept : idle_(idle) {}

    void begin() noexcept {
        if (!std::exchange(counted_, true)) idle_.fetch_add(1, std::memory_order_relaxed);
    }
    void end() noexcept {
        if (std::exchange(counted_, false)) idle_.fetch_sub(1, std::memory_order_relaxed);
    }

  private:
    std::atomic<std::size_t>& idle_;
    bool counted_ = false;
};

/// Return whether there are more workers than CPUs that they may run on, so that some worker always waits for a CPU.
bool are_crowded(std::span<const WorkerSpec> workers) {
    std::set<int> cpus;
    for (const WorkerSpec& worker : workers) {
        if (worker.cpus.empty()) return workers.size() > std::max(std::thread::hardware_concurrency(), 1U);
        cpus.insert(worker.cpus.begin(), worker.cpus.end());
    }
    return workers.size() > cpus.size();
}

/// A crowded worker yields its CPU after a turn of at least this length. Otherwise Linux pre-empts it within a turn and
/// resumes it milliseconds later. Until then no worker can continue its job, and neighbouring jobs run out of items or
/// space. Shorter turns are pre-empted too, but yielding after them costs more: other workers evict their cached data.
constexpr std::int64_t kLongTurnNs = 100'000;

}  // namespace

void Job::wake(Instance&, const Fenced& fenced) noexcept { pool_->wake(*this, fenced); }
// A busy worker already has its next job in its queue, so only an idle one would run this job at once.
bool Job::is_at_hand() const noexcept { return pool_->idle_.load(std::memory_order_relaxed) != 0; }

void JobPool::Timers::set(const Job& job, std::int64_t at_ns) noexcept {
    due_ns[job.index()] = at_ns;
    earliest_ns = std::min(earliest_ns, at_ns);
}

void JobPool::run() {
    const auto dealing = [this](Run::Jobs jobs) { deal(std::move(jobs)); };
    run_.launch(run_.plan().workers, dealing, [this](Worker& worker) { work(worker); });
}

void JobPool::deal(Run::Jobs jobs) {
    const std::size_t workers = run_.plan().workers.size();
    count_ = jobs.size();
    jobs_ = std::make_unique<Job[]>(count_);
    timers_.resize(workers);
    for (Timers& timers : timers_) timers.due_ns.assign(count_, kForever);
    live_ = count_;
    crowded_ = are_crowded(run_.plan().workers);
    queue_.prepare({jobs_.get(), count_}, run_.plan().workers);
    for (std::size_t i = 0; i < count_; ++i) {
        Job& job = jobs_[i];
        job.pool_ = this;
        job.index_ = i;
        job.tasks_ = std::move(jobs[i]);
        for (Task* task : job.tasks_) task->set_waker(&job);
        queue_.put(job, first_worker(i, count_, workers));
    }
}

void JobPool::work(Worker& worker) noexcept {
    this_worker = worker.index;
    Timers& timers = timers_[worker.index];
    Waiting waiting(run_.plan().wait, *worker.events, worker.log, static_cast<std::uint32_t>(worker.index));
    SleeperSlot slot(sleepers_, worker.index);
    Idleness idleness(idle_);
    Job* job = nullptr;
    while (!over()) {
        if (timers.earliest_ns != kForever) wake_due(timers);
        if (job == nullptr) {
            job = take(worker.index);
            if (job == nullptr) job = steal(worker);
            if (job == nullptr) {
                idleness.begin();
                waiting.idle(timers.earliest_ns);
                if (waiting.prepared()) {
                    slot.enter();
                } else {
                    slot.leave();
                }
                continue;
            }
            // Another thread chose this worker for a different job than the one it found, so another sleeper must run
            // that job.
            if (waiting.prepared() && !slot.leave()) wake_sleeper();
            waiting.moved();
            idleness.end();
        }
        if (worker.log != nullptr) {
            for (Task* task : job->tasks_) task->set_log(worker.log);
        }
        const std::int64_t began_ns = crowded_ ? monotonic_ns() : 0;
        job = after_turn(*job, take_turns(run_, job->tasks_, turns_), worker);
        if (crowded_ && monotonic_ns() - began_ns > kLongTurnNs) ::sched_yield();
    }
    slot.leave();
}

Job* JobPool::take(std::size_t worker) noexcept {
    for (;;) {
        Job* job = queue_.take(worker);
        if (job == nullptr || job->state_.claim()) return job;
    }
}

Job* JobPool::steal(Worker& worker) noexcept {
    for (;;) {
        Job* job = queue_.steal(worker.index);
        if (job == nullptr) return nullptr;
        if (!job->state_.claim()) continue;
        if constexpr (WEIR_TRACING) {
            if (worker.log != nullptr && worker.log->wants(trace::Event::steal)) {
                const auto thief = static_cast<std::uint32_t>(worker.index);
                worker.log->write(trace::Event::steal, thief, job->tasks_.front()->spec().index, 0);
            }
        }
        return job;
    }
}

/// Return the worker's next job if it has one already.
Job* JobPool::after_turn(Job& job, const Pass& pass, Worker& worker) noexcept {
    if (job.tasks_.empty()) {
        job.state_.finish();
        if (live_.fetch_sub(1, std::memory_order_acq_rel) == 1) run_.wake_all(fence_before_waking());
        return nullptr;
    }
    if (pass.settled) {
        if (pass.wake_ns != kForever) timers_[worker.index].set(job, pass.wake_ns);
        if (job.state_.rest()) return nullptr;
    }
    Job* next = take(worker.index);
    if (next == nullptr) {
        // No other job is queued here, so continue with this one without queueing it.
        return !pass.settled || job.state_.claim() ? &job : nullptr;
    }
    if (next == &job) return next;  // a queue that consists of the jobs' states finds this job, too
    if (!pass.settled) job.state_.yield();
    put(job, worker.index);
    return next;
}

void JobPool::put(Job& job, std::size_t worker) noexcept {
    queue_.put(job, worker);
    yield_point();
    wake_sleeper();
}

void JobPool::wake_due(Timers& timers) noexcept {
    const std::int64_t now = monotonic_ns();
    if (now < timers.earliest_ns) return;
    timers.earliest_ns = kForever;
    for (std::size_t i = 0; i < count_; ++i) {
        if (timers.due_ns[i] <= now) {
            timers.due_ns[i] = kForever;
            wake(jobs_[i], fence_before_waking());
        }
        timers.earliest_ns = std::min(timers.earliest_ns, timers.due_ns[i]);
    }
}

void JobPool::wake(Job& job, const Fenced& fenced) noexcept {
    if (job.state_.wake(fenced)) put(job, this_worker);
}

void JobPool::wake_sleeper() noexcept {
    sleepers_.wake_one([this](std::size_t worker, const Fenced& fenced) { run_.wake(worker, fenced); });
}

}  // namespace weir
