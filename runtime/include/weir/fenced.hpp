// Fence between a change and the search for sleepers that must be woken for it.
#pragma once

#include "weir/atomic.hpp"
#include "weir/yield_point.hpp"

namespace weir {

class Sleepers;

/// Proof of a fence: the changes made before it precede everything that follows, in the single order of seq_cst. Every
/// wake-up takes a `Fenced`, so no code can wake without a fence: `wake_all(fence_before_waking())`. It cannot be
/// stored, because it proves nothing about later changes.
class [[nodiscard]] Fenced {
  public:
    Fenced(const Fenced&) = delete;
    Fenced& operator=(const Fenced&) = delete;

  private:
    Fenced() = default;

    friend Fenced fence_before_waking() noexcept;
    template <class T> friend Fenced store_before_waking(atomic<T>& to, T value) noexcept;
    friend Sleepers;  // its exchange removes the sleeper and acts as the fence
};

/// Fence after any number of released stores: one for all changes of a turn.
inline Fenced fence_before_waking() noexcept {
    fence(std::memory_order_seq_cst);
    yield_point();
    return {};
}

/// Store a flag that is the only change, without a separate fence.
template <class T> Fenced store_before_waking(atomic<T>& to, T value) noexcept {
    to.store(value, std::memory_order_seq_cst);
    yield_point();
    return {};
}

}  // namespace weir
