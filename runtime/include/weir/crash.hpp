// Names the block at whose work a signal ends the process.
#pragma once

#include "weir/task.hpp"

namespace weir {

/// While it lives, this thread works for the task.
class AtWork {
  public:
    explicit AtWork(const Instance& task) noexcept;
    ~AtWork();
    AtWork(const AtWork&) = delete;
    AtWork& operator=(const AtWork&) = delete;
};

/// From here on a crash says on stderr at whose work it happened, and ends the process as it would have without.
/// A signal that somebody handles already, such as a sanitizer, stays theirs.
void name_crashes() noexcept;

}  // namespace weir
