// How a worker waits when nothing moves.
#pragma once

#include <atomic>
#include <cstdint>
#include <limits>

#include "weir/memory.hpp"
#include "weir/plan.hpp"
#include "weir/trace.hpp"
#include "weir/yield_point.hpp"

namespace weir {

/// No time limit of a wait.
inline constexpr std::int64_t kForever = std::numeric_limits<std::int64_t>::max();

/// Puts a thread to sleep until something that it looks at has changed.
///
///     key = events.prepare();        announce
///     look again at everything       every stream's indices and flags
///     nothing moved: events.wait(key, until);    something did: events.cancel();
///
/// and on the other side: change a stream (a seq_cst store), then `notify`.
///
/// Why no wake-up is lost. All accesses named here are seq_cst, so they lie in one total order S. The notifier does
/// (N1) store to the stream, (N2) load `waiters_`; the waiter does (W1) increment `waiters_`, (W2) load `epoch_`,
/// (W3) load from the stream, (W4) FUTEX_WAIT with the epoch of W2.
///  - N2 reads 0: N2 is before W1 in S, hence N1 before W3, and W3 sees the change. The waiter does not sleep.
///  - N2 reads more: the notifier goes on to (N3) increment `epoch_`, (N4) FUTEX_WAKE.
///      - N3 before W2: W2 reads N3's value or a later one; N1 is before N3 in S, hence before W3, and W3 sees the change.
///      - N3 after W2: the kernel compares the epoch under its queue's lock. Before N3 it finds it equal and queues
///        the thread, which N4, coming after N3, then finds in the queue; after N3 it finds it changed and returns.
/// A load of a *cached* index cannot stand in for W3: `StreamBase` loads the other end's index anew whenever the cached one
/// does not suffice, which is the case in every step that reports no progress.
/// `tests/seq_cst_accesses.py` lists every access that is seq_cst for such an argument, and what finds it weakened.
class alignas(kCacheLine) EventCount {
  public:
    using Key = std::uint32_t;

    Key prepare() noexcept {
        waiters_.fetch_add(1, std::memory_order_seq_cst);
        yield_point();
        return epoch_.load(std::memory_order_seq_cst);
    }
    void cancel() noexcept { waiters_.fetch_sub(1, std::memory_order_relaxed); }

    /// Sleeps until a `notify` after `prepare` gave this key, or until CLOCK_MONOTONIC is `until_ns`. May wake for no reason.
    void wait(Key key, std::int64_t until_ns = kForever) noexcept;

    /// Costs one load while nobody waits. Safe in a signal handler.
    void notify() noexcept {
        if (waiters_.load(std::memory_order_seq_cst) != 0) wake_all();
    }

  private:
    void wake_all() noexcept;

    // Apart: notifiers load `waiters_` at every commit, and only those who find a waiter write `epoch_`.
    std::atomic<std::uint32_t> waiters_{0};
    alignas(kCacheLine) std::atomic<std::uint32_t> epoch_{0};
};

/// One worker's waiting by policy. The loop tells it how each pass over the tasks went.
class Waiting {
  public:
    /// `log` (may be null) hears of parks when it wants to.
    Waiting(WaitPolicy policy, EventCount& events, trace::Log* log, std::uint32_t worker) noexcept
        : policy_(policy), events_(events), park_log_(log != nullptr && log->wants(trace::Event::park) ? log : nullptr), worker_(worker) {}
    ~Waiting();
    Waiting(const Waiting&) = delete;
    Waiting& operator=(const Waiting&) = delete;

    /// Something moved in the last pass.
    void moved() noexcept;
    /// Nothing moved; a task asked to be run again at `wake_ns` (or never: kForever). Returns when a pass is worth while.
    void idle(std::int64_t wake_ns) noexcept;
    /// The next `idle` may sleep: who wants to be woken says so now, before it looks again at everything.
    bool prepared() const noexcept { return prepared_; }

  private:
    void park(std::int64_t wake_ns) noexcept;

    WaitPolicy policy_;
    EventCount& events_;
    trace::Log* park_log_;  ///< null: park and unpark are not traced
    std::uint32_t worker_;
    EventCount::Key key_ = 0;
    bool prepared_ = false;
    std::uint32_t idle_passes_ = 0;
    std::uint32_t spin_passes_ = 64;  ///< idle passes before a park; follows what the last waits were like
};

}  // namespace weir
