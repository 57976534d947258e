// A block whose `work` was compiled elsewhere: once, into a library of its own, and called there by whatever runs the block. So
// runtimes, and schedulers, can be held against each other with the very same machine code in them.
#pragma once

#include "weir/block.hpp"

namespace weir {

template <Block B, class Work = decltype(&B::work)> struct Linked;

/// All of `B` but its `work`, of which only the declaration is here (`linked_kernel.hpp` has it).
template <Block B, class... Port> struct Linked<B, WorkResult (B::*)(Port...) noexcept> : B {
    WorkResult work(Port... ports) noexcept;
};

}  // namespace weir
