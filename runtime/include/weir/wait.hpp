// Waiting of a worker while nothing moves.
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

/// Lets a thread sleep until something that it reads has changed. One thread sleeps on it; any thread may wake it.
///
///     key = events.prepare();        announce
///     look again at everything       every stream's indices and flags
///     nothing moved: events.wait(key, until);    something did: events.cancel();
///
/// and on the other side: change streams, `notify(fence_before_waking())`.
///
/// Why no wake-up is lost. The notifier does (N1) released stores to streams, (N2) the fence, (N3) load `waits_`; the waiter does
/// (W1) load `epoch_`, (W2) exchange `waits_` for true, (W3) load from the streams, (W4) FUTEX_WAIT with the epoch of W1.
/// N2, N3, W2 and W3 are seq_cst, so they lie in one total order S, and there
///
///     where N3 reads what `waits_` was before W2, W3 sees N1:   N2 < N3 by the program, N3 < W2 as it reads what W2 replaces,
///                                                               W2 < W3 by the program. Did W3 read what N1 replaces, it would
///                                                               be before the fence behind N1: W3 < N2, a circle.
///  - N3 reads false, from before W2: W3 sees the change. The waiter does not sleep.
///  - N3 reads true, and its own exchange for false finds true: the notifier goes on to (N4) increment `epoch_`, (N5) FUTEX_WAKE.
///    As it took what W2 left, W1 is before N4, and W4's epoch is older than N4's. The kernel compares under its queue's lock: before N4
///    it finds the epoch equal and queues the thread, which N5 then finds in the queue; after N4 it finds it changed and returns.
///  - N3, or the exchange behind it, finds false, from behind W2: another notifier took what W2 left, and its N4 and N5 wake the
///    waiter; or the waiter left by itself. It does not sleep again before another W2, in front of which N3 lies: first case.
/// So of all threads that change something for a sleeping thread, one wakes it, and the others pay a load until it
/// runs. If W2 came before W1, another notifier could consume W2's value and finish N4 before W1, and the thread would
/// sleep without being known.
///
/// Code that changes a single flag (`Run::stop`) stores it seq_cst and needs no fence (`store_before_waking`). A load
/// of a *cached* index cannot serve as W3: `StreamBase` reloads the other end's index whenever the cached one does not
/// suffice, which is the case in every step that reports no progress. `tests/seq_cst_accesses.py` lists every access
/// that is seq_cst for such an argument, and the tool that finds it weakened.
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

    /// Wake the waiter. Costs one load while no thread waits, or while a woken thread has not run yet. Safe in a signal
    /// handler.
    void notify(const Fenced&) noexcept {
        if (waits_.load(std::memory_order_seq_cst) && waits_.exchange(false, std::memory_order_seq_cst)) wake_up();
    }

  private:
    void wake_up() noexcept;

    // On separate lines: notifiers load `waits_` at every turn, and only the one that finds a waiter writes `epoch_`.
    atomic<bool> waits_{false};
    alignas(kCacheLine) atomic<std::uint32_t> epoch_{0};
};

/// Waiting of one worker by policy. The loop reports the result of each pass over the tasks.
class Waiting {
  public:
    /// `log` (may be null) records parks if it wants them.
    Waiting(WaitPolicy policy, EventCount& events, trace::Log* log, std::uint32_t worker) noexcept
        : policy_(policy), events_(events), park_log_(log != nullptr && log->wants(trace::Event::park) ? log : nullptr),
          worker_(worker) {}
    ~Waiting();
    Waiting(const Waiting&) = delete;
    Waiting& operator=(const Waiting&) = delete;

    /// Report that the last pass moved items.
    void moved() noexcept;
    /// Report that nothing moved, and wait. A task must run again at `wake_ns` (kForever: none). Returns when another
    /// pass is worthwhile.
    void idle(std::int64_t wake_ns) noexcept;
    /// Return whether the next `idle` may sleep. Then the worker registers for wake-ups now, before it looks at
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
    std::uint32_t spin_passes_ = 64;  ///< idle passes before a park; adapts to the last waits
};

}  // namespace weir
