// What stands between a change and the look for who sleeps for it.
#pragma once

#include "weir/atomic.hpp"
#include "weir/yield_point.hpp"

namespace weir {

class Sleepers;

/// Shows that what its maker changed before is in front of all that follows in the single order of seq_cst. Whatever wakes asks for one,
/// so nobody can wake without: `wake_all(fence_before_waking())`. It is made where it is handed over, and cannot be kept, as it says
/// nothing about a later change.
class [[nodiscard]] Fenced {
  public:
    Fenced(const Fenced&) = delete;
    Fenced& operator=(const Fenced&) = delete;

  private:
    Fenced() = default;

    friend Fenced fence_before_waking() noexcept;
    template <class T> friend Fenced store_before_waking(atomic<T>& to, T value) noexcept;
    friend Sleepers;  // an exchange takes out whom it wakes
};

/// Behind released stores, whatever their number: one for all the changes of a turn.
inline Fenced fence_before_waking() noexcept {
    fence(std::memory_order_seq_cst);
    yield_point();
    return {};
}

/// Where one flag is all that changes: a store that needs no fence.
template <class T> Fenced store_before_waking(atomic<T>& to, T value) noexcept {
    to.store(value, std::memory_order_seq_cst);
    yield_point();
    return {};
}

}  // namespace weir
