// Names the block whose thread crashed.
#pragma once

namespace weir::companion {

/// Install handlers that print the block to stderr on a crash and then end the process as usual. Signals that already
/// have a handler keep it.
void name_crashes();

}  // namespace weir::companion
