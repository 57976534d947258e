// Blocks that a fixed schedule fires, bound to places in the worker's arena and to rings across workers. All rates are
// known when the code is generated. At run time, a block only checks how many firings it has left. At the end of a run
// that may be fewer than the call plans; then it makes only those.
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
#include "weir/stretch.hpp"
#include "weir/worker_schedule.hpp"

namespace weir {

/// Block and its ports in a fixed schedule.
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

    /// Begin a stretch of `firings` firings. Before it, repeat the last `again` firings that another replica made.
    void take_up(ScheduledWorker& at, const Stretch& stretch, std::uint64_t firings, std::uint64_t again = 0) noexcept {
        again_ = stretch.number() == 0 ? 0 : again;
        // A sink repeats no firings.
        this->seek(stretch.number() * firings - (sizeof...(Out_) != 0 ? again_ : 0));
        go_on(at, stretch, firings);
    }

  protected:
    /// Construct a bound block. `spec.chunk_items`: items of its largest call at its busiest port.
    [[gnu::cold, gnu::noinline]] Bound(const NodeSpec& spec, typename B::Params params, std::tuple<In_...> ins,
                                       std::tuple<Out_...> outs)
        : Base(spec), ins_(std::move(ins)), outs_(std::move(outs)) {
        this->block_.params = std::move(params);
        bind(InIndices{}, OutIndices{});
        // Join rings only: the places of an arena overlap already.
        if constexpr (sizeof...(In_) == 1 && sizeof...(Out_) == 1) lie_over(std::get<0>(outs_), std::get<0>(ins_));
    }

    [[gnu::cold, gnu::noinline]] ~Bound() override = default;

    void go_on(ScheduledWorker& at, const Stretch& stretch, std::uint64_t firings) noexcept {
        const std::uint64_t first = stretch.number() * firings;
        left_ = this->quota_.firings > first ? this->quota_.firings - first : 0;
        this->stretch_firings_ = firings;
        if (this->is_tapped()) this->stretches_.push_back(stretch.number());
        this->move_to(first);
        if (left_ == 0) this->pass_milestone();
        finish_at_end(at);
    }

    /// Return whether the block must repeat firings before it makes new ones.
    bool is_again() const noexcept { return again_ != 0; }
    /// Count repeated firings.
    void passed(std::uint64_t firings) noexcept {
        again_ -= std::min(again_, firings);
        move_on_again(firings, InIndices{}, OutIndices{});
    }

    /// Reserve up to `firings` of the remaining firings, and return how many were reserved.
    std::uint64_t take(std::uint64_t firings) noexcept {
        firings = std::min(firings, left_);
        left_ -= firings;
        return firings;
    }

    /// Return whether `firings` firings are possible. If not, record why the first port that is not ready must wait.
    bool ready(std::uint64_t firings) noexcept {
        if constexpr (kWaits) return ports_ready(firings, InIndices{}, OutIndices{});
        return true;
    }

    /// Wait until `firings` firings are possible. Returns false if the run must stop, possibly because of this block.
    [[gnu::noinline]] bool wait_for(ScheduledWorker& at, std::uint64_t firings) noexcept {
        if (!at.wait_until([&] { return ready(firings) || cut_off(firings, InIndices{}); })) return false;
        return !cut_off(firings, InIndices{}) || fail_cut_off(at);
    }

    /// Return how many of the possible firings fit in one call. Fewer do if an unmirrored ring ends within them.
    std::uint64_t at_once(std::uint64_t firings) const noexcept {
        return contiguous(firings, InIndices{}, OutIndices{});
    }

    /// Advance all ports as planned at the end of a call.
    void planned(std::uint64_t firings) noexcept { move_on(firings, InIndices{}, OutIndices{}); }

    /// Finish the block if it has no firing left.
    void finish_at_end(ScheduledWorker& at) noexcept {
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
    std::uint64_t again_ = 0;  ///< firings to repeat, which count elsewhere

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

    /// Return whether an input will never have the items of these firings. Although they depend on everything upstream,
    /// a stepped block there may leave at any time.
    template <std::size_t... I>
    bool cut_off([[maybe_unused]] std::uint64_t firings, std::index_sequence<I...>) const noexcept {
        [[maybe_unused]] const auto is = [](const auto& p, [[maybe_unused]] std::size_t items) {
            if constexpr (requires { p.cut_off(items); }) return p.cut_off(items);
            else return false;
        };
        return (is(std::get<I>(ins_), firings * in_rate(I)) || ... || false);
    }

    [[gnu::cold]] bool fail_cut_off(ScheduledWorker& at) noexcept {
        this->breach_ =
            "its input ended with fewer items than the rates of the blocks upstream give, on which the schedule relies";
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
            // Avoid the division if all firings fit in one call.
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

    /// Fire `times` times, or as often as firings are left. Returns false if the run must stop.
    bool fire(ScheduledWorker& at, std::uint64_t times) noexcept {
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
    /// Repeat firings. Counters and sinks do not see them.
    template <std::size_t... I, std::size_t... O>
    [[gnu::noinline]] bool call_again(ScheduledWorker& at, std::uint64_t firings, std::index_sequence<I...>,
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
    bool call(ScheduledWorker& at, std::uint64_t firings, [[maybe_unused]] bool last, std::index_sequence<I...>,
              std::index_sequence<O...>) noexcept {
        const AtWork mark(*this);
        std::tuple in_views{std::get<I>(ins_).view(firings * in_rate(I), last)...};
        std::tuple out_views{std::get<O>(outs_).view(firings * out_rate(O))...};
        const WorkResult result = Base::call(in_views, out_views);
        if (breach_ == nullptr && result.status != WorkStatus::error &&
            (((std::get<I>(in_views).consumed() != firings * in_rate(I)) || ... || false) ||
             ((std::get<O>(out_views).produced() != firings * out_rate(O)) || ... || false))) {
            breach_ =
                "the block moved fewer items than it was offered, which its fixed rates in block.json do not allow "
                "under "
                "this scheduler";
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

/// Block that must see all items in order. All replicas share one block, which passes from one to the next in the order
/// of the stretches.
template <Block B, class Ins, class Outs> class InTurn final : public Fired<B, Ins, Outs> {
    using Base = Fired<B, Ins, Outs>;

  public:
    using Base::Base;

    [[gnu::cold, gnu::noinline]] ~InTurn() override = default;

    /// Use the block of `first` from now on.
    void share(InTurn& first) noexcept {
        first_ = &first;
        this->lender_ = &first;
    }

    void take_up(ScheduledWorker& at, const Stretch& stretch, std::uint64_t firings) noexcept {
        stretch_ = stretch;
        this->go_on(at, stretch, firings);
    }

    /// Fire when it is this replica's turn, and pass the turn on. Returns false if the run must stop.
    bool fire(ScheduledWorker& at, std::uint64_t times) noexcept {
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
