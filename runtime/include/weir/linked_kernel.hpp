// Source of the kernel library: `template struct weir::Linked<weir::blocks::Saxpy<float>>;` instantiates one kernel.
#pragma once

#include "weir/linked.hpp"

namespace weir {

template <Block B, class... Port>
WorkResult Linked<B, WorkResult (B::*)(Port...) noexcept>::work(Port... ports) noexcept {
    return B::work(ports...);
}

}  // namespace weir
