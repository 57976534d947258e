// A block that a schedule fires, which was made beforehand: bound to places in its worker's arena, and to rings across workers.
// Nothing is asked that was known when the program was generated, but how often it may still fire: at the end of a run whoever
// has fewer firings left than a call is to make makes those.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <tuple>
#include <utility>
#include <vector>

#include "weir/crash.hpp"
#include "weir/fired_ports.hpp"
#include "weir/hosted.hpp"
#include "weir/section.hpp"
#include "weir/stretch.hpp"

namespace weir {

/// A block and its ports in a schedule.
template <Block B, class Ins, class Outs> class Bound;

template <Block B, class... In_, class... Out_>
class Bound<B, Inputs<In_...>, Outputs<Out_...>> : public Hosted<B, Instance> {
    using Base = Hosted<B, Instance>;
    static_assert(sizeof...(In_) == Base::kIns && sizeof...(Out_) == Base::kOuts,
                  "a port of the schedule for each of the block");

  protected:
    using Base::in_rate, Base::out_rate;
    using InIndices = std::index_sequence_for<In_...>;
    using OutIndices = std::index_sequence_for<Out_...>;
    static constexpr bool kWaits = (In_::kWaits || ... || false) || (Out_::kWaits || ... || false);

  public:
    void begin(std::int64_t barrier_ns) noexcept override {
        left_ = this->quota_.firings;
        Base::begin(barrier_ns);
    }

    bool tap(std::string_view output, std::vector<std::byte>& to) override { return Base::tap(outs_, output, to); }

    void hand_over() noexcept override { this->settle(ins_, outs_); }

    /// It goes on with a stretch, in which it fires so many times; before those, `again` times as others did at the end of the one before.
    void take_up(Section& at, const Stretch& stretch, std::uint64_t firings, std::uint64_t again = 0) noexcept {
        again_ = stretch.number() == 0 ? 0 : again;
        // A sink gets nothing again.
        this->seek(stretch.number() * firings - (sizeof...(Out_) != 0 ? again_ : 0));
        go_on(at, stretch, firings);
    }

  protected:
    /// `spec.chunk_items`: what its largest call moves at its busiest port.
    [[gnu::cold, gnu::noinline]] Bound(const NodeSpec& spec, typename B::Params params, std::tuple<In_...> ins,
                                       std::tuple<Out_...> outs)
        : Base(spec), ins_(std::move(ins)), outs_(std::move(outs)) {
        this->block_.params = std::move(params);
        bind(InIndices{}, OutIndices{});
        // Rings: streams of an arena lie over each other by their places.
        if constexpr (sizeof...(In_) == 1 && sizeof...(Out_) == 1) lie_over(std::get<0>(outs_), std::get<0>(ins_));
    }

    [[gnu::cold, gnu::noinline]] ~Bound() override = default;

    void go_on(Section& at, const Stretch& stretch, std::uint64_t firings) noexcept {
        const std::uint64_t first = stretch.number() * firings;
        left_ = this->quota_.firings > first ? this->quota_.firings - first : 0;
        this->stretch_firings_ = firings;
        if (this->is_tapped()) this->stretches_.push_back(stretch.number());
        this->move_to(first);
        if (left_ == 0) this->pass_milestone();
        finish_at_end(at);
    }

    /// Firings that it is still to make again: calls make nothing else before.
    bool is_again() const noexcept { return again_ != 0; }
    /// So many were.
    void passed(std::uint64_t firings) noexcept {
        again_ -= std::min(again_, firings);
        move_on_again(firings, InIndices{}, OutIndices{});
    }

    /// Of so many firings, those that it still may make; they are then made.
    std::uint64_t take(std::uint64_t firings) noexcept {
        firings = std::min(firings, left_);
        left_ -= firings;
        return firings;
    }

    /// Whether so many firings could be made. Else it is said what the first port that is not ready waits for.
    bool ready(std::uint64_t firings) noexcept {
        if constexpr (kWaits) return ports_ready(firings, InIndices{}, OutIndices{});
        return true;
    }

    /// Where they could not be made: waits until they can. False: the run is to stop, maybe because of this.
    [[gnu::noinline]] bool wait_for(Section& at, std::uint64_t firings) noexcept {
        if (!at.wait_until([&] { return ready(firings) || cut_off(firings, InIndices{}); })) return false;
        return !cut_off(firings, InIndices{}) || fail_cut_off(at);
    }

    /// Of so many firings that could be made, those at once: a ring that is not mapped twice may end in the midst of them.
    std::uint64_t at_once(std::uint64_t firings) const noexcept {
        return contiguous(firings, InIndices{}, OutIndices{});
    }

    /// The end of a call, as planned.
    void planned(std::uint64_t firings) noexcept { move_on(firings, InIndices{}, OutIndices{}); }

    /// Where it has no firing left.
    void finish_at_end(Section& at) noexcept {
        if (left_ != 0 || finished_) return;
        finished_ = true;
        if (this->replica() == 0) Base::add(this->counters_.tail_items, this->quota_.tail_items);
        this->state_.store(StepStatus::done, std::memory_order_relaxed);
        Base::finish(ins_, outs_);
        at.finished(*this);
    }

    std::tuple<In_...> ins_;
    std::tuple<Out_...> outs_;
    std::uint64_t left_ = 0;  ///< firings
    std::uint64_t again_ = 0;  ///< of those that count elsewhere

  private:
    template <std::size_t... I, std::size_t... O> void bind(std::index_sequence<I...>, std::index_sequence<O...>) {
        std::size_t busiest = 1;
        ((busiest = std::max(busiest, in_rate(I))), ...);
        ((busiest = std::max(busiest, out_rate(O))), ...);
        const std::size_t most = std::max<std::size_t>(this->spec_.chunk_items / busiest, 1);
        (bind_in(std::get<I>(ins_), in_rate(I), most * in_rate(I)), ...);
        (bind_out(std::get<O>(outs_), out_rate(O), most * out_rate(O)), ...);
        Base::joins(ins_, outs_);
    }

    template <class P>
    void bind_in([[maybe_unused]] P& port, [[maybe_unused]] std::size_t rate, [[maybe_unused]] std::size_t most) {
        if constexpr (P::kWaits) {
            port.stream->require_granule(rate);
            port.reader = &port.stream->attach_reader(*this, most);
        }
    }

    template <class Above, class Below> void lie_over([[maybe_unused]] Above& above, [[maybe_unused]] Below& below) {
        if constexpr (requires { above.stream->lie_over(*below.stream); }) {
            if (this->spec_.in_place) above.stream->lie_over(*below.stream);
        }
    }

    template <class P>
    void bind_out([[maybe_unused]] P& port, [[maybe_unused]] std::size_t rate, [[maybe_unused]] std::size_t most) {
        if constexpr (requires { port.scratch; }) port.scratch.resize(most);
        if constexpr (P::kWaits) {
            port.stream->require_granule(rate);
            port.stream->attach_writer(*this, most);
        }
        if constexpr (requires { port.place; }) this->memory_.push_back(&port.place->buffer());
    }

    template <std::size_t... I, std::size_t... O>
    bool ports_ready(std::uint64_t firings, std::index_sequence<I...>, std::index_sequence<O...>) noexcept {
        std::uint8_t port = 0;
        const auto is = [&port](auto& p, std::size_t items) {
            if (!p.ready(items)) return false;
            port = static_cast<std::uint8_t>(port + (p.kWaits ? 1 : 0));
            return true;
        };
        if (!(is(std::get<I>(ins_), firings * in_rate(I)) && ...)) return blocked(StepStatus::need_input, port);
        port = 0;
        if (!(is(std::get<O>(outs_), firings * out_rate(O)) && ...)) return blocked(StepStatus::need_output, port);
        return true;
    }

    /// Whoever fires counts on what is before it in the graph; a block there that is stepped may leave whenever it likes.
    template <std::size_t... I>
    bool cut_off([[maybe_unused]] std::uint64_t firings, std::index_sequence<I...>) const noexcept {
        [[maybe_unused]] const auto is = [](const auto& p, [[maybe_unused]] std::size_t items) {
            if constexpr (requires { p.cut_off(items); }) return p.cut_off(items);
            else return false;
        };
        return (is(std::get<I>(ins_), firings * in_rate(I)) || ... || false);
    }

    [[gnu::cold]] bool fail_cut_off(Section& at) noexcept {
        this->breach_ =
            "its input ended with fewer items than follow from the rates of the blocks before it, by which a schedule "
            "counts";
        this->state_.store(StepStatus::error, std::memory_order_relaxed);
        at.run().fail(*this, this->error());
        return false;
    }

    bool blocked(StepStatus status, std::uint8_t port) noexcept {
        this->blocked_port_.store(port, std::memory_order_relaxed);
        this->state_.store(status, std::memory_order_relaxed);
        return false;
    }

    template <std::size_t... I, std::size_t... O>
    std::uint64_t contiguous(std::uint64_t firings, std::index_sequence<I...>,
                             std::index_sequence<O...>) const noexcept {
        const auto limit = [&firings](const auto& port, auto rate) {
            // Nothing is divided where they are there all at once.
            if constexpr (requires { port.contiguous(); })
                firings = std::min<std::uint64_t>(firings, port.contiguous() / rate());
        };
        (limit(std::get<I>(ins_), [this] { return in_rate(I); }), ...);
        (limit(std::get<O>(outs_), [this] { return out_rate(O); }), ...);
        return firings;
    }

    template <std::size_t... I, std::size_t... O>
    void move_on(std::uint64_t firings, std::index_sequence<I...>, std::index_sequence<O...>) noexcept {
        (std::get<O>(outs_).planned(firings * out_rate(O)), ...);
        (std::get<I>(ins_).planned(firings * in_rate(I)), ...);
    }

    template <std::size_t... I, std::size_t... O>
    void move_on_again(std::uint64_t firings, std::index_sequence<I...>, std::index_sequence<O...>) noexcept {
        const auto on = [](auto& port, std::size_t items) {
            if constexpr (requires { port.place; }) {
                if (port.place->spec().held) return;
            }
            port.planned(items);
        };
        (on(std::get<O>(outs_), firings * out_rate(O)), ...);
        (on(std::get<I>(ins_), firings * in_rate(I)), ...);
    }

    bool finished_ = false;
};

template <Block B, class Ins, class Outs> class Fired;

template <Block B, class... In_, class... Out_>
class Fired<B, Inputs<In_...>, Outputs<Out_...>> : public Bound<B, Inputs<In_...>, Outputs<Out_...>> {
    using Base = Bound<B, Inputs<In_...>, Outputs<Out_...>>;
    using Base::breach_, Base::in_rate, Base::ins_, Base::out_rate, Base::outs_;

  public:
    [[gnu::cold, gnu::noinline]] Fired(const NodeSpec& spec, typename B::Params params, std::tuple<In_...> ins,
                                       std::tuple<Out_...> outs)
        : Base(spec, std::move(params), std::move(ins), std::move(outs)) {}

    [[gnu::cold, gnu::noinline]] ~Fired() override = default;

    /// Fires so many times, or as often as it still may. False: the run is to stop.
    bool fire(Section& at, std::uint64_t times) noexcept {
        if (this->is_again()) [[unlikely]]
            return call_again(at, times, typename Base::InIndices{}, typename Base::OutIndices{});
        std::uint64_t left = this->take(times);
        while (left != 0) {
            if constexpr (Base::kWaits) {
                if (!this->ready(left) && !this->wait_for(at, left)) return false;
                this->state_.store(StepStatus::progress, std::memory_order_relaxed);
            }
            const std::uint64_t firings = this->at_once(left);
            if (!call(at, firings, this->left_ == 0 && firings == left, typename Base::InIndices{},
                      typename Base::OutIndices{}))
                return false;
            left -= firings;
        }
        this->planned(times);
        this->finish_at_end(at);
        return true;
    }

  private:
    /// Nobody hears of it: neither counts nor sinks.
    template <std::size_t... I, std::size_t... O>
    [[gnu::noinline]] bool call_again(Section& at, std::uint64_t firings, std::index_sequence<I...>,
                                      std::index_sequence<O...>) noexcept {
        if constexpr (sizeof...(O) != 0) {
            const AtWork mark(*this);
            std::tuple in_views{std::get<I>(ins_).view(firings * in_rate(I), false)...};
            std::tuple out_views{std::get<O>(outs_).view(firings * out_rate(O))...};
            if (!Base::call_again(in_views, out_views, this->again_)) {
                at.run().fail(*this, this->error());
                return false;
            }
        }
        this->passed(firings);
        return true;
    }

    template <std::size_t... I, std::size_t... O>
    bool call(Section& at, std::uint64_t firings, [[maybe_unused]] bool last, std::index_sequence<I...>,
              std::index_sequence<O...>) noexcept {
        const AtWork mark(*this);
        std::tuple in_views{std::get<I>(ins_).view(firings * in_rate(I), last)...};
        std::tuple out_views{std::get<O>(outs_).view(firings * out_rate(O))...};
        const WorkResult result = Base::call(in_views, out_views);
        if (breach_ == nullptr && result.status != WorkStatus::error &&
            (((std::get<I>(in_views).consumed() != firings * in_rate(I)) || ... || false) ||
             ((std::get<O>(out_views).produced() != firings * out_rate(O)) || ... || false))) {
            breach_ =
                "the block moved fewer items than it was offered, which its rates in block.json do not allow in a "
                "schedule";
        }
        if (breach_ != nullptr || result.status == WorkStatus::error) {
            this->state_.store(StepStatus::error, std::memory_order_relaxed);
            at.run().fail(*this, this->error());
            return false;
        }
        Base::commit(ins_, Base::consumed(in_views), outs_, Base::produced(out_views));
        return true;
    }
};

/// A block for which the order of all items counts. There is one for all replicas: it goes from one to the next, in the order of the
/// stretches.
template <Block B, class Ins, class Outs> class InTurn final : public Fired<B, Ins, Outs> {
    using Base = Fired<B, Ins, Outs>;

  public:
    using Base::Base;

    [[gnu::cold, gnu::noinline]] ~InTurn() override = default;

    /// `first` has the block.
    void share(InTurn& first) noexcept {
        first_ = &first;
        this->lender_ = &first;
    }

    void take_up(Section& at, const Stretch& stretch, std::uint64_t firings) noexcept {
        stretch_ = stretch;
        this->go_on(at, stretch, firings);
    }

    /// Fires in its turn, which is then the next one's. False: the run is to stop.
    bool fire(Section& at, std::uint64_t times) noexcept {
        if (this->left_ == 0) return true;
        if (!at.wait_until([this] { return first_->turn_.is_of(stretch_); })) return false;
        if (first_ != this) std::swap(this->block_, first_->block_);
        const bool goes_on = Base::fire(at, times);
        if (first_ != this) std::swap(this->block_, first_->block_);
        if (at.run().plan().wait == WaitPolicy::park) {
            first_->turn_.pass([&](const Fenced& fenced) { at.run().wake_all(fenced); });
        } else {
            first_->turn_.pass();
        }
        return goes_on;
    }

  private:
    InTurn* first_ = this;
    Turn turn_;
    Stretch stretch_;
};

}  // namespace weir
