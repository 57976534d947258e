// `weir::atomic` and `weir::fence` under relacy. Relacy may switch threads at each access, and a load may return any
// value that the memory orders allow.
#pragma once

// Include these before relacy, whose macros would change them.
#include <algorithm>
#include <array>
#include <atomic>
#include <cerrno>
#include <cstdint>
#include <cstdlib>
#include <iostream>
#include <map>
#include <memory>
#include <new>
#include <optional>
#include <set>
#include <source_location>
#include <sstream>
#include <stdexcept>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

#include <relacy/relacy.hpp>

// relacy's macros serve programs that it rewrites as text. This one uses relacy's types.
#undef memory_order_relaxed
#undef memory_order_consume
#undef memory_order_acquire
#undef memory_order_release
#undef memory_order_acq_rel
#undef memory_order_seq_cst
#undef new
#undef delete
#undef malloc
#undef calloc
#undef realloc
#undef free
#undef assert
#undef errno

namespace weir {

inline constexpr bool kCheckedAtomics = true;

namespace checked {

using Place = std::source_location;

/// The access whose memory order is weakened by one step: a mutant that needs no build.
struct Weakened {
    std::string_view file = {}, access = {};
    unsigned line = 0;
    bool met = false;  ///< whether the program made the access
};
inline Weakened weakened;

/// `access`: load, store, exchange or fence.
inline rl::memory_order order_of(std::memory_order order, std::string_view access, const Place& place) noexcept {
    const bool weaker = place.line() == weakened.line && access == weakened.access &&
                        std::string_view(place.file_name()).ends_with(weakened.file);
    weakened.met = weakened.met || weaker;
    const bool exchanges = access == "exchange" || access == "fence";
    switch (order) {
        case std::memory_order_relaxed: return rl::mo_relaxed;
        case std::memory_order_consume: return rl::mo_consume;
        case std::memory_order_acquire: return weaker ? rl::mo_relaxed : rl::mo_acquire;
        case std::memory_order_release: return weaker ? rl::mo_relaxed : rl::mo_release;
        case std::memory_order_acq_rel: return weaker ? rl::mo_relaxed : rl::mo_acq_rel;
        case std::memory_order_seq_cst:
            if (!weaker) return rl::mo_seq_cst;
            return exchanges ? rl::mo_acq_rel : access == "load" ? rl::mo_acquire : rl::mo_release;
    }
    std::abort();
}

/// Calls `use` with relacy's record of the running thread: a row of time stamps says what it has seen of each thread.
template <class Use> auto with_thread(Use use) noexcept {
    rl::thread_info_base& thread = *rl::ctx().threadx_;
    switch (rl::ctx().get_thread_count()) {
        case 2: return use(static_cast<rl::thread_info<2>&>(thread), std::array<rl::timestamp_t, 2>());
        case 3: return use(static_cast<rl::thread_info<3>&>(thread), std::array<rl::timestamp_t, 3>());
        default: std::abort();
    }
}

/// The last seq_cst store to an atomic.
struct LastInOrder {
    rl::thread_id_t thread = -1;
    rl::timestamp_t at = 0;

    void is_this() noexcept {
        thread = rl::ctx().threadx_->index_;
        at = rl::ctx().threadx_->own_acq_rel_order_;
    }
};

/// A seq_cst load sees the last seq_cst store, and all stores before a fence that precedes it in the single order
/// (C++20, [atomics.order]). Relacy implements the latter only between two fences, so its seq_cst load may return
/// values that C++ forbids. Here the thread has seen all of these stores during the load. Afterwards the load is an
/// acquire of the store that it read.
template <class Load> auto load_in_order(const LastInOrder& last, Load load) noexcept {
    return with_thread([&](auto& thread, auto seen) {
        auto fenced = seen;
        std::ranges::copy(thread.acq_rel_order_, seen.begin());
        std::ranges::copy(thread.acquire_fence_order_, fenced.begin());
        for (std::size_t i = 0; i < seen.size(); ++i) {
            thread.acq_rel_order_[i] = std::max(seen[i], rl::ctx().seq_cst_fence_order_[i]);
            thread.acquire_fence_order_[i] = 0;  // a relaxed load stores here what an acquire would have received
        }
        if (last.thread >= 0) {
            rl::timestamp_t& of_writer = thread.acq_rel_order_[last.thread];
            of_writer = std::max(of_writer, last.at);
        }
        const auto value = load();
        for (std::size_t i = 0; i < seen.size(); ++i) {
            const bool is_itself = static_cast<rl::thread_id_t>(i) == thread.index_;
            if (!is_itself) thread.acq_rel_order_[i] = std::max(seen[i], thread.acquire_fence_order_[i]);
            thread.acquire_fence_order_[i] = fenced[i];
        }
        return value;
    });
}

}  // namespace checked

template <class T> class atomic {
    using Place = checked::Place;
    /// Relacy prints this value.
    using Kept = decltype([] {
        if constexpr (std::is_enum_v<T>) return 0U;
        else return T{};
    }());

  public:
    atomic() noexcept : atomic(T{}) {}
    atomic(T value) noexcept : value_(static_cast<Kept>(value)) {}  // NOLINT: as std::atomic
    atomic(const atomic&) = delete;
    atomic& operator=(const atomic&) = delete;

    T load(std::memory_order order, const Place& place = Place::current()) const noexcept {
        const rl::memory_order checked = checked::order_of(order, "load", place);
        if (checked != rl::mo_seq_cst) return static_cast<T>(value_.load(checked, said(place)));
        return static_cast<T>(
            checked::load_in_order(last_in_order_, [&] { return value_.load(rl::mo_relaxed, said(place)); }));
    }
    void store(T value, std::memory_order order, const Place& place = Place::current()) noexcept {
        const rl::memory_order checked = checked::order_of(order, "store", place);
        value_.store(static_cast<Kept>(value), checked, said(place));
        if (checked == rl::mo_seq_cst) last_in_order_.is_this();
    }
    T exchange(T value, std::memory_order order, const Place& place = Place::current()) noexcept {
        return exchanged<rl::rmw_type_swap>(static_cast<Kept>(value), order, place);
    }
    T fetch_add(T value, std::memory_order order, const Place& place = Place::current()) noexcept {
        return exchanged<rl::rmw_type_add>(value, order, place);
    }
    T fetch_sub(T value, std::memory_order order, const Place& place = Place::current()) noexcept {
        return exchanged<rl::rmw_type_sub>(value, order, place);
    }
    T fetch_or(T value, std::memory_order order, const Place& place = Place::current()) noexcept {
        return exchanged<rl::rmw_type_or>(value, order, place);
    }
    T fetch_and(T value, std::memory_order order, const Place& place = Place::current()) noexcept {
        return exchanged<rl::rmw_type_and>(value, order, place);
    }
    bool compare_exchange_weak(T& expected, T value, std::memory_order order,
                               const Place& place = Place::current()) noexcept {
        return compare_exchange<true>(expected, value, order, place);
    }
    bool compare_exchange_strong(T& expected, T value, std::memory_order order,
                                 const Place& place = Place::current()) noexcept {
        return compare_exchange<false>(expected, value, order, place);
    }

    // Models a Linux futex wait as one atomic step.
    void sleep_if(T value) noexcept {
        rl::context& context = rl::ctx();
        context.sched();
        if (value_.debug_value() == value) value_.wait(context, false, false, RL_INFO);
    }
    void wake_one() noexcept {
        rl::context& context = rl::ctx();
        context.sched();
        value_.wake(context, 1, RL_INFO);
    }

  private:
    template <rl::rmw_type_e Kind> T exchanged(Kept value, std::memory_order order, const Place& place) noexcept {
        const rl::memory_order checked = checked::order_of(order, "exchange", place);
        const auto before = static_cast<T>(value_.rmw(rl::rmw_type_t<Kind>(), value, checked, said(place)));
        if (checked == rl::mo_seq_cst) last_in_order_.is_this();
        return before;
    }
    template <bool MayFail>
    bool compare_exchange(T& expected, T value, std::memory_order order, const Place& place) noexcept {
        auto found = static_cast<Kept>(expected);
        const rl::memory_order checked = checked::order_of(order, "exchange", place);
        const bool done =
            value_.compare_exchange(rl::bool_t<MayFail>(), found, static_cast<Kept>(value), checked, said(place));
        if (done && checked == rl::mo_seq_cst) last_in_order_.is_this();
        expected = static_cast<T>(found);
        return done;
    }
    /// Position in the runtime, for relacy's output.
    static rl::debug_info said(const Place& place) noexcept {
        return {place.function_name(), place.file_name(), place.line()};
    }

    rl::atomic<Kept> value_;
    checked::LastInOrder last_in_order_;
};

inline void fence(std::memory_order order, const checked::Place& place = checked::Place::current()) noexcept {
    rl::atomic_thread_fence(checked::order_of(order, "fence", place), RL_INFO);
}

}  // namespace weir
