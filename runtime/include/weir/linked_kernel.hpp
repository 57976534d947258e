// What the library of kernels is compiled from: with this, `template struct weir::Linked<weir::blocks::Saxpy<float>>;` is one of them.
#pragma once

#include "weir/linked.hpp"

namespace weir {

template <Block B, class... Port>
WorkResult Linked<B, WorkResult (B::*)(Port...) noexcept>::work(Port... ports) noexcept {
    return B::work(ports...);
}

}  // namespace weir
