// Lets a worker wait while no items move.
#pragma once

#include <cstdint>

#include "weir/atomic.hpp"
#include "weir/fenced.hpp"
#include "weir/futex.hpp"
#include "weir/memory.hpp"
#include "weir/plan.hpp"
#include "weir/trace.hpp"
#include "weir/yield_point.hpp"

namespace weir {

/// Lets one thread sleep until something that it reads has changed. Any thread may wake it. The waiter does
///
///     key = events.prepare();        announce
///     look again at everything       every stream's indices and flags
///     nothing moved: events.wait(key, until);    something did: events.cancel();
///
/// The notifier changes streams, and then calls `notify(fence_before_waking())`.
///
/// Why no wake-up is lost. The notifier executes (N1) release stores to streams, (N2) the fence, (N3) a load of
/// `waits_`. The waiter executes (W1) a load of `epoch_`, (W2) an exchange that sets `waits_`, (W3) loads from the
/// streams, (W4) FUTEX_WAIT with the epoch of W1. N2, N3, W2 and W3 are seq_cst, so one total order S contains them.
///
/// Lemma: if N3 reads a value of `waits_` from before W2, W3 sees N1. N3 < W2 in S, because N3 reads a value that W2
/// replaces. With the program orders N2 < N3 and W2 < W3, this gives N2 < W3. If W3 read a value that N1 replaces, it
/// would precede the fence behind N1: W3 < N2, a contradiction.
///
///  - N3 reads false from before W2. By the lemma, W3 sees the change, and the waiter does not sleep.
///  - N3 reads true, and the notifier's exchange for false returns true. The notifier then (N4) increments `epoch_` and
///    (N5) calls FUTEX_WAKE. Its exchange took the value that W2 stored, so W1 precedes N4, and W4 compares with an
///    epoch older than N4's. Linux compares under the lock of its queue. Before N4, it finds the epoch equal and queues
///    the thread, and N5 finds it in the queue. After N4, it finds the epoch changed and returns.
///  - N3, or the exchange after it, reads a false that was stored after W2. Either another notifier took the value of
///    W2, and its N4 and N5 wake the waiter; or the waiter left by itself. The waiter sleeps again only after another
///    W2, which N3 precedes, so the lemma applies.
///
/// So of all threads that change something for a sleeping thread, one wakes it. The others pay one load per
/// notification until the woken thread runs. W1 must precede W2: otherwise another notifier could take the value of W2
/// and finish N4 before W1, and the thread would sleep while `waits_` is false.
///
/// Code that changes a single flag (`Run::stop`) stores it seq_cst and needs no fence (`store_before_waking`). A load
/// of a *cached* index cannot serve as W3. `StreamBase` therefore reloads the other end's index whenever the cached one
/// does not suffice, which is the case in every step that reports no progress. `tests/seq_cst_accesses.py` lists every
/// access that is seq_cst for such an argument, with the check that fails if the access is weakened.
class alignas(kCacheLine) EventCount {
  public:
    using Key = std::uint32_t;

    Key prepare() noexcept {
        const Key key = epoch_.load(std::memory_order_acquire);
        yield_point();
        waits_.exchange(true, std::memory_order_seq_cst);
        return key;
    }
    void cancel() noexcept { waits_.store(false, std::memory_order_relaxed); }

    /// Sleep until a `notify` after the `prepare` that returned this key, or until CLOCK_MONOTONIC reaches `until_ns`.
    /// May wake spuriously.
    void wait(Key key, std::int64_t until_ns = kForever) noexcept;

    /// Wake the waiter. Costs one load if no thread waits, or if a woken thread has not run yet. Safe in a signal
    /// handler.
    void notify(const Fenced&) noexcept {
        if (waits_.load(std::memory_order_seq_cst) && waits_.exchange(false, std::memory_order_seq_cst)) wake_up();
    }

  private:
    void wake_up() noexcept;

    // On separate cache lines: notifiers load `waits_` in every turn, but only one that finds a waiter writes `epoch_`.
    atomic<bool> waits_{false};
    alignas(kCacheLine) atomic<std::uint32_t> epoch_{0};
};

/// Waiting of one worker, by the plan's policy. The worker's loop reports the result of each pass over its tasks.
class Waiting {
  public:
    /// `log` may be null. It records parks if it wants them.
    Waiting(WaitPolicy policy, EventCount& events, trace::Log* log, std::uint32_t worker) noexcept
        : policy_(policy), events_(events), park_log_(log != nullptr && log->wants(trace::Event::park) ? log : nullptr),
          worker_(worker) {}
    ~Waiting();
    Waiting(const Waiting&) = delete;
    Waiting& operator=(const Waiting&) = delete;

    /// Report that the last pass moved items.
    void moved() noexcept;
    /// Report that nothing moved, and wait until another pass is worthwhile. `wake_ns`: time at which a task must run
    /// again (kForever: none).
    void idle(std::int64_t wake_ns) noexcept;
    /// Return whether the next `idle` may sleep. If so, the worker registers for wake-ups now, and then looks at
    /// everything again.
    bool prepared() const noexcept { return prepared_; }

  private:
    void park(std::int64_t wake_ns) noexcept;
    void note([[maybe_unused]] trace::Event event) noexcept {
        if constexpr (WEIR_TRACING) {
            if (park_log_ != nullptr) park_log_->write(event, worker_, 0, 0);
        }
    }

    WaitPolicy policy_;
    EventCount& events_;
    trace::Log* park_log_;  ///< null: park and unpark are not traced
    std::uint32_t worker_;
    EventCount::Key key_ = 0;
    bool prepared_ = false;
    std::uint32_t idle_passes_ = 0;
    std::uint32_t spin_passes_ = 64;  ///< idle passes before a park; adapts to recent waits
};

}  // namespace weir
