// Element-wise blocks that fire in one generated loop: each passes its item to the next one in a register. Each block
// is still an instance with its own counters, probes and end.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string_view>
#include <tuple>
#include <type_traits>
#include <utility>
#include <vector>

#include "weir/fired.hpp"

namespace weir {

/// Connection between two blocks of one loop. It needs no memory, because its items stay in registers.
class Within final : public PlaceBase {
  public:
    explicit Within(const PlaceSpec& spec) : PlaceBase(spec) {}
};

namespace detail {

struct WithinPort {
    static constexpr bool kWaits = false;
    Within* within;

    WithinPort(Within& edge) noexcept : within(&edge) {}  // NOLINT: implicit
    const Edge* edge() const noexcept { return within; }
    bool ready(std::size_t) noexcept { return true; }
    void planned(std::size_t) noexcept {}
    void finish() noexcept {}
};

}  // namespace detail

struct WithinIn : detail::WithinPort {
    using WithinPort::WithinPort;
    void commit(std::size_t) noexcept {}
};

struct WithinOut : detail::WithinPort {
    using WithinPort::WithinPort;
    std::string_view name() const noexcept { return within->spec().name; }
    void commit(std::size_t, bool) noexcept {}
};

/// Process the items of a call one by one. `item(i)` reads nothing that another item writes, so `ivdep` holds.
template <class F> [[gnu::always_inline]] inline void each_item(std::size_t n, F item) noexcept {
    // Groups of constant length, as in `axpy`.
    constexpr std::size_t kGroup = 128;
    std::size_t i = 0;
    for (; i + kGroup <= n; i += kGroup) {
#pragma GCC ivdep
        for (std::size_t k = 0; k < kGroup; ++k) item(i + k);
    }
    for (; i < n; ++i) item(i);
}

template <Block B, class Ins, class Outs> class InLoop;

template <Block B, class... In_, class... Out_>
class InLoop<B, Inputs<In_...>, Outputs<Out_...>> final : public Bound<B, Inputs<In_...>, Outputs<Out_...>> {
    using Base = Bound<B, Inputs<In_...>, Outputs<Out_...>>;
    static_assert(sizeof...(Out_) == 1, "an element function makes one item");
    /// Measurements of the whole loop, such as its time, belong to the block that writes to memory.
    static constexpr bool kStandsForAll = !(std::is_same_v<Out_, WithinOut> && ...);

  public:
    using Base::at_once, Base::finish_at_end, Base::kWaits, Base::is_again, Base::passed, Base::planned, Base::ready,
        Base::take, Base::wait_for;

    [[gnu::cold, gnu::noinline]] InLoop(const NodeSpec& spec, typename B::Params params, std::tuple<In_...> ins,
                                        std::tuple<Out_...> outs)
        : Base(spec, std::move(params), std::move(ins), std::move(outs)) {}

    [[gnu::cold, gnu::noinline]] ~InLoop() override = default;

    bool is_timed() const noexcept override { return kStandsForAll; }

    /// Return the memory of `n` items to read or write; null for connections within the loop.
    auto reads(std::size_t n) const noexcept {
        return std::apply([n](const auto&... in) { return std::tuple_cat(place(in, n)...); }, this->ins_);
    }
    auto writes(std::size_t n) noexcept {
        if constexpr (kStandsForAll) return std::tuple(std::get<0>(this->outs_).view(n).data());
        else return std::tuple();
    }

    /// Copy of the block for the loop. The compiler knows that no store in the loop changes a copy.
    B element() const noexcept { return this->block_; }

    /// Copy that also records the output if it is tapped.
    struct Recording {
        B block;
        std::vector<std::byte>* to;

        template <class... X> auto element(X... x) const noexcept {
            const auto y = block.element(x...);
            if (to != nullptr) {
                const auto* const bytes = reinterpret_cast<const std::byte*>(&y);
                to->insert(to->end(), bytes, bytes + sizeof y);
            }
            return y;
        }
    };
    Recording recording() const noexcept { return {this->block_, this->recorded()}; }
    bool is_tapped() const noexcept { return this->recorded() != nullptr; }

    void enter(std::size_t n) noexcept {
        if constexpr (Base::kWaits) this->state_.store(StepStatus::progress, std::memory_order_relaxed);
        Base::template enter<kStandsForAll>(n);
    }
    void leave(std::size_t n) noexcept {
        const auto all_aligned = [](const auto*... items) { return are_aligned(items...); };
        Base::template leave<kStandsForAll>(n, std::apply(all_aligned, std::tuple_cat(reads(n), writes(n))));
        typename Base::Read read;
        read.fill(n);
        Base::commit(this->ins_, read, this->outs_, {n});
    }

  private:
    template <class P> static auto place(const P& port, std::size_t n) noexcept {
        if constexpr (std::is_same_v<P, WithinIn>) return std::tuple();
        else return std::tuple(port.view(n, false).data());
    }
};

/// Fire all blocks `firings` times, or as often as they still may, which is the same number for all. `loop` receives
/// the number of items, the blocks in order, and the memory that they read and write, in the order of blocks and ports.
/// Returns false if the run must stop.
template <class Loop, class... Member>
bool fire_together(ScheduledWorker& at, std::uint64_t times, const Loop& loop, Member&... members) noexcept {
    auto& last = std::get<sizeof...(Member) - 1>(std::tie(members...));
    const bool again = last.is_again();  // the loop has only places, whose items are all present
    std::uint64_t left = again ? times : std::min({members.take(times)...});
    while (left != 0) {
        if constexpr ((Member::kWaits || ...)) {
            if (!(members.ready(left) && ...) && !(members.wait_for(at, left) && ...)) return false;
        }
        const std::uint64_t firings = std::min({members.at_once(left)...});
        const AtWork mark(last);
        if (!again) [[likely]]
            (members.enter(firings), ...);
        const auto pass = [&](const auto&... blocks) {
            std::apply([&](auto*... items) { loop(firings, blocks..., items...); },
                       std::tuple_cat(members.reads(firings)..., members.writes(firings)...));
        };
        if (!again && (members.is_tapped() || ...)) [[unlikely]]
            pass(members.recording()...);
        else pass(members.element()...);
        if (again) [[unlikely]] {
            (members.passed(firings), ...);
            return true;
        }
        (members.leave(firings), ...);
        left -= firings;
    }
    (members.planned(times), ...);
    (members.finish_at_end(at), ...);
    return true;
}

}  // namespace weir
