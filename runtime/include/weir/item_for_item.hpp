// `work` of a block that makes one item of each output from one item of each input.
#pragma once

#include <algorithm>
#include <cstddef>
#include <limits>

#include "weir/block.hpp"

namespace weir {

namespace detail {

template <class T> void move_on(In<T>& in, std::size_t n) noexcept { in.consume(n); }
template <class T> void move_on(Out<T>& out, std::size_t n) noexcept { out.produce(n); }
template <class T> bool starved(const In<T>& in) noexcept { return in.size() == 0; }
template <class T> bool starved(const Out<T>&) noexcept { return false; }

}  // namespace detail

/// Call `make(data…, n)` for as many items as all ports have, with the data in the order of the ports: `make(y, x, n)`
/// for the ports (out, in).
template <class Make, class... Port>
[[gnu::always_inline]] inline WorkResult item_for_item(Make make, Port&... ports) noexcept {
    std::size_t n = std::numeric_limits<std::size_t>::max();
    ((n = std::min(n, ports.size())), ...);
    if (n == 0) return (detail::starved(ports) || ...) ? WorkStatus::need_input : WorkStatus::need_output;
    make(ports.data()..., n);
    (detail::move_on(ports, n), ...);
    return WorkStatus::ok;
}

/// Compute each output item as `element(x)`, in order.
template <class Element, class Y, class X>
[[gnu::always_inline]] inline WorkResult each_item_of(Out<Y>& out, In<X>& in, Element element) noexcept {
    const auto each = [element](Y* y, const X* x, std::size_t n) {
        for (std::size_t i = 0; i < n; ++i) y[i] = element(x[i]);
    };
    return item_for_item(each, out, in);
}

}  // namespace weir
