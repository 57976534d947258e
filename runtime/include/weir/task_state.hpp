// State of a task that moves between workers: it runs on one worker at a time, and no wake-up is lost.
#pragma once

#include <cstdint>

#include "weir/atomic.hpp"
#include "weir/fenced.hpp"
#include "weir/yield_point.hpp"

namespace weir {

/// State of a task, or of a list of tasks that move together. A task is in a queue exactly while it is `queued`, so a
/// queue with a place for each task never overflows. Only the worker that made the task `running` uses it.
///
///                 wake                claim
///         idle ----------> queued ------------> running ----------> done
///           ^                ^  ^                 |  |     finish
///           |                |  +------ yield ----+  | wake
///           |                |                       v
///           +---- rest ------|-------------------  rerun
///             (if running)   +---- rest, yield ------+
///
/// Why no wake-up is lost. A thread that changes streams executes (N1) release stores to them,
/// (N2) `fence_before_waking`, (N3) `wake`. The worker executes (W1) `claim`, (W2) a load from the stream that finds
/// too little, (W3) `rest`. N2, W2 and all accesses to the state are seq_cst, so one total order S contains them.
///  - N3 finds idle: it makes the task queued, and its caller queues it.
///  - N3 finds running and makes it rerun: W3 does not find running, so the worker queues the task again.
///  - N3 finds queued or rerun: a claim follows N3 in S, and therefore also N2, so the loads after that claim see N1
///    (`wait.hpp` has this step). Neither case needs a store, so a stream that is busy at both ends costs one load per
///    turn.
///
/// A step that moved items may have read only a *cached* index, which cannot serve as W2. So a task rests only after a
/// step that moved nothing, or that returned the time at which to continue.
///
/// Hand-over. `rest` and `yield` release the worker's changes, and `claim` acquires them. The only accesses between
/// them are `wake`s, which are read-modify-writes and continue the release sequence. So a task's counters, its block
/// and the linear streams within a list of tasks have one writer at a time and need no memory order of their own.
class TaskState {
  public:
    enum class Value : std::uint8_t { idle, queued, running, rerun, done };

    /// A task starts as queued: the code that creates it puts it into a queue.
    explicit TaskState(Value value = Value::queued) noexcept : value_(value) {}

    /// Report a change to the task. Returns true if the task is now queued; then the caller must put it into a queue.
    [[nodiscard]] bool wake(const Fenced&) noexcept {
        Value value = value_.load(std::memory_order_seq_cst);
        for (;;) {
            if (value != Value::idle && value != Value::running) return false;
            const Value next = value == Value::idle ? Value::queued : Value::rerun;
            yield_point();
            if (value_.compare_exchange_weak(value, next, std::memory_order_seq_cst)) return next == Value::queued;
        }
    }

    /// Change queued to running. Returns false if another worker has it.
    [[nodiscard]] bool claim() noexcept {
        Value queued = Value::queued;
        return value_.compare_exchange_strong(queued, Value::running, std::memory_order_seq_cst);
    }

    /// Rest after nothing moved. Returns true if the task is now idle. Returns false if it was woken in the meantime;
    /// then it is queued, and the caller must put it into a queue.
    [[nodiscard]] bool rest() noexcept {
        Value running = Value::running;
        yield_point();
        if (value_.compare_exchange_strong(running, Value::idle, std::memory_order_seq_cst)) return true;
        yield();
        return false;
    }

    /// Queue a task that can continue, so that other tasks get their turn. The caller must put it into a queue.
    void yield() noexcept { value_.store(Value::queued, std::memory_order_seq_cst); }

    /// Finish the task. Later wake-ups find this state and do nothing.
    void finish() noexcept { value_.store(Value::done, std::memory_order_seq_cst); }

    /// Momentary value.
    Value value() const noexcept { return value_.load(std::memory_order_seq_cst); }

  private:
    atomic<Value> value_;
};

}  // namespace weir
