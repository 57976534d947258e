// Block whose `work` is compiled once into a separate library. Schedulers and peer runtimes can then be compared with
// identical machine code in the blocks.
#pragma once

#include "weir/block.hpp"

namespace weir {

template <Block B, class Work = decltype(&B::work)> struct Linked;

/// All of `B` except its `work`, which is only declared here (`linked_kernel.hpp` defines it).
template <Block B, class... Port> struct Linked<B, WorkResult (B::*)(Port...) noexcept> : B {
    WorkResult work(Port... ports) noexcept;
};

}  // namespace weir
