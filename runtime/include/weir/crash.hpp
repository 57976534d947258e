// Names the block at whose work a signal ends the process.
#pragma once

#include "weir/task.hpp"

namespace weir {

/// At whose work this thread is.
extern constinit thread_local const Instance* at_work;

/// While it lives, this thread works for the task. A store each, because there is one a turn.
class AtWork {
  public:
    explicit AtWork(const Instance& task) noexcept { at_work = &task; }
    ~AtWork() { at_work = nullptr; }
    AtWork(const AtWork&) = delete;
    AtWork& operator=(const AtWork&) = delete;
};

/// From here on a crash says on stderr at whose work it happened, and ends the process as it would have without.
/// A signal that somebody handles already, such as a sanitizer, stays theirs.
void name_crashes() noexcept;

}  // namespace weir
