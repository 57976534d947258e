// Ends the process if the runner cannot: a block that waits may hold Python's lock.
#pragma once

#include <string>

namespace weir::companion {

/// Print `message` and exit with `code` after `seconds`, unless another call comes before. 0 s: never.
void set_deadline(double seconds, std::string message, int code);

}  // namespace weir::companion
