#include "weir/wait.hpp"

#include <sched.h>

#include <algorithm>

#include "weir/clock.hpp"

namespace weir {
namespace {

// A kernel wake-up takes 5 to 40 us, and a pass over idle tasks 10 to 100 ns. Spinning beyond the upper limit costs
// more than it saves, and a limit below the lower one saves nothing.
constexpr std::uint32_t kLeastSpins = 4, kMostSpins = 256;

void pause() noexcept {
#if defined(__x86_64__) || defined(__i386__)
    __builtin_ia32_pause();
#elif defined(__aarch64__)
    asm volatile("isb");
#endif
}

}  // namespace

void EventCount::wait(Key key, std::int64_t until_ns) noexcept {
    yield_point();
    futex_wait(epoch_, key, until_ns);
    cancel();
}

void EventCount::wake_up() noexcept {
    yield_point();
    epoch_.fetch_add(1, std::memory_order_seq_cst);
    yield_point();
    futex_wake_one(epoch_);
}

Waiting::~Waiting() {
    if (prepared_) events_.cancel();
}

void Waiting::moved() noexcept {
    if (prepared_) {
        events_.cancel();
        prepared_ = false;
    }
    if (idle_passes_ != 0) spin_passes_ = std::min(spin_passes_ * 2, kMostSpins);  // spinning was worth it
    idle_passes_ = 0;
}

void Waiting::idle(std::int64_t wake_ns) noexcept {
    switch (policy_) {
        case WaitPolicy::spin: pause(); return;
        case WaitPolicy::yield: ::sched_yield(); return;
        case WaitPolicy::park: park(wake_ns); return;
    }
}

void Waiting::park(std::int64_t wake_ns) noexcept {
    if (++idle_passes_ <= spin_passes_) {
        pause();
        return;
    }
    if (!prepared_) {
        // The next pass checks everything again. The thread may sleep only if that pass finds no work, either.
        key_ = events_.prepare();
        prepared_ = true;
        return;
    }
    note(trace::Event::park);
    events_.wait(key_, wake_ns);
    note(trace::Event::unpark);
    prepared_ = false;
    idle_passes_ = 0;
    spin_passes_ = std::max(spin_passes_ / 2, kLeastSpins);
}

}  // namespace weir
