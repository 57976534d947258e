// Schedulers that run the code of flow: types of their own for typed tests, as their plans differ.
#pragma once

#include "flow/flow.hpp"

namespace weir::testing {

struct SingleThread : schedulers::Flow {};
struct ThreadPerBlock : schedulers::Flow {};

}  // namespace weir::testing
