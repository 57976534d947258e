// Names the block whose work crashed.
#pragma once

#include <atomic>

#include "weir/task.hpp"

namespace weir {

/// Instance that this thread is working for.
extern constinit thread_local const Instance* at_work;

/// Scope in which this thread works for a task. It costs two stores per turn. The fences keep the first store: the
/// compiler does not know the signal handler that reads it, and would remove it.
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

/// Install handlers that print the name of the block to stderr on a crash, and then end the process as usual. Signals
/// that already have a handler, such as a sanitizer's, keep it.
void name_crashes() noexcept;

}  // namespace weir
