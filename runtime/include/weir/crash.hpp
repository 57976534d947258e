// Names the block at whose work a signal ends the process.
#pragma once

#include <atomic>

#include "weir/task.hpp"

namespace weir {

/// At whose work this thread is.
extern constinit thread_local const Instance* at_work;

/// While it lives, this thread works for the task. A store each, because there is one a turn. The handler of a signal reads it, which the
/// compiler would not know of work that it has inlined: to it the first store would be dead.
class AtWork {
  public:
    explicit AtWork(const Instance& task) noexcept {
        at_work = &task;
        std::atomic_signal_fence(std::memory_order_acq_rel);
    }
    ~AtWork() {
        std::atomic_signal_fence(std::memory_order_acq_rel);
        at_work = nullptr;
    }
    AtWork(const AtWork&) = delete;
    AtWork& operator=(const AtWork&) = delete;
};

/// From here on a crash says on stderr at whose work it happened, and ends the process as it would have without.
/// A signal that somebody handles already, such as a sanitizer, stays theirs.
void name_crashes() noexcept;

}  // namespace weir
