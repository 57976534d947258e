// Node: a block bound to its streams. A scheduler steps it, and it detects the end of streams. `hosted.hpp` has the
// other bookkeeping.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>
#include <tuple>
#include <utility>
#include <vector>

#include "weir/alignment.hpp"
#include "weir/block.hpp"
#include "weir/hosted.hpp"
#include "weir/ports.hpp"
#include "weir/stream.hpp"
#include "weir/task.hpp"

namespace weir {

template <Block B> class Node final : public Hosted<B, Task> {
    using Base = Hosted<B, Task>;
    using Base::add, Base::block_, Base::breach_, Base::counters_, Base::each, Base::items_out_, Base::kIns,
        Base::kOuts;
    using Base::kNever, Base::limit_, Base::outputs_, Base::spec_;
    using typename Base::Work;
    using InTuples = detail::PortTuples<typename Work::Inputs>;
    using OutTuples = detail::PortTuples<typename Work::Outputs>;
    using InIndices = std::make_index_sequence<kIns>;
    using OutIndices = std::make_index_sequence<kOuts>;

  public:
    [[gnu::cold, gnu::noinline]] Node(const NodeSpec& node_spec, typename B::Params params,
                                      typename InTuples::InStreams ins, typename OutTuples::OutRefs outs)
        : Base(node_spec), ins_(bind_inputs(ins, InIndices{})), outs_(bind_outputs(outs, OutIndices{})) {
        block_.params = std::move(params);
        Base::joins(ins_, outs_);
        if (spec_.in_place) work_in_place();
    }

    [[gnu::cold, gnu::noinline]] ~Node() override = default;

    StepResult turn(int steps, Leave leave) noexcept override {
        open(leave);
        StepResult result;
        int left = steps;
        do {
            result = advance();
            if (!result.more || --left == 0) break;  // `more` avoids a step that finds nothing to do
            result = follow(left, InIndices{}, OutIndices{});
        } while (result.more && left != 0);
        close(result);
        result.moved = left != steps || result.status == StepStatus::progress || result.items != 0 || result.is_over();
        return result;
    }

    bool tap(std::string_view output, std::vector<std::byte>& to) override { return Base::tap(outs_, output, to); }

  private:
    enum class Outcome : std::uint8_t { running, finished, failed };

    template <std::size_t I> using InItem = std::tuple_element_t<I, typename Work::Inputs>;
    template <std::size_t O> using OutItem = std::tuple_element_t<O, typename Work::Outputs>;

    template <std::size_t... I> auto bind_inputs(typename InTuples::InStreams& streams, std::index_sequence<I...>) {
        return typename InTuples::InPorts{InPort(std::get<I>(streams), *this, this->in_rate(I), spec_.chunk_items)...};
    }
    template <std::size_t... O> auto bind_outputs(typename OutTuples::OutRefs& refs, std::index_sequence<O...>) {
        return typename OutTuples::OutPorts{
            OutPort(std::get<O>(refs).stream, *this, this->out_rate(O), spec_.chunk_items, sizeof(OutItem<O>))...};
    }

    void work_in_place() {
        if constexpr (kIns == 1 && kOuts == 1) {
            if (outs_[0].stream != nullptr) {
                outs_[0].lie_over(ins_[0]);
                return;
            }
        }
        throw std::logic_error(std::string(spec_.name) +
                               ": a block that works in place needs one input and one connected output");
    }

    template <class Ports, class F> static bool all(Ports& ports, F f) {
        for (auto& port : ports) {
            if (!f(port)) return false;
        }
        return true;
    }
    template <class Ports, class F> static bool any(Ports& ports, F f) {
        for (auto& port : ports) {
            if (f(port)) return true;
        }
        return false;
    }

    /// Read the state that other threads change. Until the turn ends, the node only reloads a ring that has little to
    /// offer.
    void open(Leave leave) noexcept {
        if (outcome_ == Outcome::running && all_readers_left()) [[unlikely]]
            finish();
        if (outcome_ != Outcome::running) [[unlikely]]
            return;  // the inputs are detached, so items that the node has not read may be overwritten
        if (this->keeps_alignment_) leave = Leave::nothing;  // items left over by an aligned call must not wait
        each(ins_, [leave](auto& in) { in.open(leave); });
        each(outs_, [leave](auto& out) { out.open(leave); });
    }

    /// Publish the moved items, wake the sleepers at the other ends, and publish the state.
    void close(const StepResult& last) noexcept {
        Base::settle(ins_, outs_);
        wake_other_ends(ins_, outs_);
        if (last.status == StepStatus::need_input || last.status == StepStatus::need_output) {
            this->blocked_port_.store(last.port, std::memory_order_relaxed);
        }
        this->state_.store(last.status, std::memory_order_relaxed);
    }

    // Inlined into the loop of the turn: a step is a few dozen instructions, and a call would add as many again.
    [[gnu::always_inline]] StepResult advance() noexcept {
        if (outcome_ != Outcome::running) [[unlikely]]
            return {outcome_ == Outcome::finished ? StepStatus::done : StepStatus::error};
        each(ins_, [](auto& in) { in.gather(); });
        each(outs_, [this](auto& out) { out.gather(this->counts()); });
        const auto has_firing = [](const auto& port) { return port.has_firing(); };
        if (!all(ins_, has_firing) || !all(outs_, has_firing)) [[unlikely]] {
            if (const std::optional<StepResult> result = blocked()) return *result;
        }
        return call(InIndices{}, OutIndices{});
    }

    /// Return why a port has no firing. Absent: an input has ended, but the block may still have output.
    [[gnu::noinline]] std::optional<StepResult> blocked() noexcept {
        const bool starved = any(ins_, [](const auto& in) { return in.is_starved(); });
        std::uint8_t port = 0;
        const auto stops_at_short_input = [&port](const auto& in) {
            if (in.is_short()) return true;
            ++port;
            return false;
        };
        if (!starved && any(ins_, stops_at_short_input)) {
            return StepResult{StepStatus::need_input, port};
        }
        port = 0;
        // `port` counts the connected ports in `outputs()`. Unconnected ports never lack space.
        const auto stops_at_short_output = [&port](const auto& out) {
            if (out.is_short()) return true;
            if (out.stream != nullptr) ++port;
            return false;
        };
        if (any(outs_, stops_at_short_output)) {
            return StepResult{StepStatus::need_output, port};
        }
        if (any(ins_, [](const auto& in) { return in.is_cut(); }) ||
            any(outs_, [](const auto& out) { return out.is_cut(); })) {
            return breach("the block moved a number of items that is not a multiple of its rate");
        }
        return std::nullopt;
    }

    template <std::size_t... I, std::size_t... O>
    [[gnu::always_inline]] StepResult call(std::index_sequence<I...> in, std::index_sequence<O...> out) noexcept {
        if (this->keeps_alignment_) [[unlikely]] {
            if (const std::optional<StepResult> result = call_aligned(in, out)) return *result;
        }
        std::tuple in_views{std::get<I>(ins_).template view<InItem<I>>()...};
        std::tuple out_views{std::get<O>(outs_).template view<OutItem<O>>(room(std::get<O>(outs_).rate))...};
        const WorkResult result = Base::call(in_views, out_views);
        return concluded(result, in_views, out_views);
    }

    /// Return the largest smaller number of firings after which all ports are aligned. Absent: there is none, or the
    /// block needs more items at once.
    template <std::size_t... I, std::size_t... O>
    [[gnu::noinline]] std::optional<StepResult> call_aligned(std::index_sequence<I...>,
                                                             std::index_sequence<O...>) noexcept {
        const std::size_t all = std::min(
            {std::get<I>(ins_).offered() / std::get<I>(ins_).rate...,
             std::min(std::get<O>(outs_).offered(), room(std::get<O>(outs_).rate)) / std::get<O>(outs_).rate...});
        const std::size_t firings = aligned_firings(all, std::array{std::get<I>(ins_).template step<InItem<I>>()...,
                                                                    std::get<O>(outs_).template step<OutItem<O>>()...});
        if (firings == all) return std::nullopt;
        std::tuple in_views{std::get<I>(ins_).template part<InItem<I>>(firings * std::get<I>(ins_).rate)...};
        std::tuple out_views{std::get<O>(outs_).template view<OutItem<O>>(firings * std::get<O>(outs_).rate)...};
        const WorkResult result = Base::call(in_views, out_views);
        const bool wants_more = result.status == WorkStatus::need_input || result.status == WorkStatus::need_output;
        if (wants_more && !is_any(Base::consumed(in_views)) && !is_any(Base::produced(out_views))) return std::nullopt;
        return concluded(result, in_views, out_views);
    }

    template <class InViews, class OutViews>
    [[gnu::always_inline]] StepResult concluded(WorkResult result, InViews& in_views, OutViews& out_views) noexcept {
        const typename Base::Read read = Base::consumed(in_views);
        const typename Base::Written written = Base::produced(out_views);
        if (result.status == WorkStatus::error) [[unlikely]] {
            outcome_ = Outcome::failed;  // do not end the outputs: partial results must not look complete
            if (breach_ != nullptr) return {StepStatus::error};
        }
        if (spec_.in_place && Base::items_into(read) != Base::items_out_of(written)) [[unlikely]] {
            return breach("the block works in place, and did not write as many items as it read");
        }
        Base::commit(ins_, read, outs_, written);
        return stands(result, is_any(read) || is_any(written),
                      std::max(Base::items_into(read), Base::items_out_of(written)));
    }

    /// Repeat calls that move items, at most `left` of them, until something else must be done between two calls. Their
    /// items are committed once, so such a call costs little more than the block's own work.
    template <std::size_t... I, std::size_t... O>
    [[gnu::noinline]] StepResult follow(int& left, std::index_sequence<I...>, std::index_sequence<O...>) noexcept {
        std::tuple ins{std::get<I>(ins_).template following<InItem<I>>(unasked(std::get<I>(ins_), I))...};
        std::tuple outs{std::get<O>(outs_).template following<OutItem<O>>(unasked(std::get<O>(outs_), O))...};
        const auto read = [&] { return typename Base::Read{std::get<I>(ins).moved()...}; };
        const auto written = [&] { return typename Base::Written{std::get<O>(outs).moved()...}; };
        WorkResult result = WorkStatus::ok;
        bool moved = true;
        while (((std::get<I>(ins).go_on()) && ...) && ((std::get<O>(outs).go_on()) && ...)) {
            if (this->keeps_alignment_ && !stays_aligned(ins, outs)) [[unlikely]]
                break;
            std::tuple in_views{In<InItem<I>>(std::get<I>(ins).offer(), false)...};
            std::tuple out_views{Out<OutItem<O>>(std::get<O>(outs).offer())...};
            result = Base::call_unasked(in_views, out_views);
            --left;
            if (result.status == WorkStatus::error && breach_ != nullptr) [[unlikely]]
                break;
            (std::get<I>(ins).move(std::get<I>(in_views).consumed()), ...);
            (std::get<O>(outs).move(std::get<O>(out_views).produced()), ...);
            Base::show(read(), written());
            moved = is_any(Base::consumed(in_views)) || is_any(Base::produced(out_views));
            if (result.status != WorkStatus::ok || !moved || left == 0) break;
        }
        Base::commit(ins_, read(), outs_, written());
        if (result.status == WorkStatus::error) outcome_ = Outcome::failed;
        return stands(result, moved, std::max(Base::items_into(read()), Base::items_out_of(written())));
    }

    /// Return whether the next of several consecutive calls leaves every port aligned.
    template <class Ins, class Outs> bool stays_aligned(const Ins& ins, const Outs& outs) const noexcept {
        std::size_t all = std::numeric_limits<std::size_t>::max(), port = 0, number = 0;
        std::array<PortStep, kIns + kOuts> steps;
        const auto note = [&](const auto& call, std::size_t rate) {
            steps[port++] = {reinterpret_cast<std::uintptr_t>(call.at), rate * sizeof(*call.at)};
            all = std::min(all, call.offer().size() / rate);
        };
        std::apply([&](const auto&... call) { (note(call, this->in_rate(number++)), ...); }, ins);
        number = 0;
        std::apply([&](const auto&... call) { (note(call, this->out_rate(number++)), ...); }, outs);
        return aligned_firings(all, steps) == all;
    }

    /// Return how many items may move without a record. At the first ports, a probe may wait for a certain item. A
    /// block that works in place may write only as many items as it is offered to read, so its calls are made one by
    /// one.
    std::size_t unasked(const InPort& in, std::size_t number) const noexcept {
        return spec_.in_place ? 0
               : number == 0  ? this->unasked_in(in.offered())
                              : std::numeric_limits<std::size_t>::max();
    }
    std::size_t unasked(const OutPort& out, std::size_t number) const noexcept {
        return spec_.in_place ? 0
               : number == 0  ? this->unasked_out(out.offered())
                              : std::numeric_limits<std::size_t>::max();
    }

    template <std::size_t N> static bool is_any(const std::array<std::size_t, N>& moved) noexcept {
        return std::ranges::any_of(moved, [](std::size_t n) { return n != 0; });
    }

    /// Report the result of a call to the scheduler, once everything that moved is committed.
    [[gnu::always_inline]] StepResult stands(WorkResult result, bool moved, std::uint64_t items) noexcept {
        const auto count = static_cast<std::uint32_t>(items);
        if (result.status == WorkStatus::ok && moved && !at_limit()) [[likely]] {
            return {.status = StepStatus::progress, .more = can_go_on(), .items = count};
        }
        return after(result, moved, count);
    }

    /// Handle a call that did not simply move items.
    [[gnu::noinline]] StepResult after(WorkResult result, bool moved, std::uint32_t items) noexcept {
        if (result.status == WorkStatus::error) return {.status = StepStatus::error, .items = items};
        if (result.status == WorkStatus::done || at_limit()) return finish(items);
        if (result.status == WorkStatus::wait)
            return {.status = StepStatus::wait, .items = items, .wake_ns = result.wake_ns};
        if (moved) return {.status = StepStatus::progress, .more = can_go_on(), .items = items};
        if (at_end_of_input(result)) {
            each(ins_, [this](auto& in) {
                if (in.is_starved()) add(counters_.tail_items, in.tail());
            });
            return finish();
        }
        if (result.status == WorkStatus::ok) return {.status = StepStatus::progress, .more = true};
        if (result.status == WorkStatus::need_input) return {StepStatus::need_input, scarcest(ins_)};
        return {StepStatus::need_output, scarcest(outs_)};
    }

    /// Return whether no input can bring another firing, after a call that moved nothing. A join ends at its shortest
    /// input.
    bool at_end_of_input(WorkResult result) noexcept {
        if constexpr (kIns == 0) return false;
        if (any(ins_, [](const auto& in) { return in.is_starved(); })) {
            // After its last items, a block may have more output than there was space for.
            return result.status != WorkStatus::need_output ||
                   all(outs_, [](const auto& out) { return out.is_all_free(); });
        }
        // The block saw all remaining items and needs more than its rate requires.
        return result.status == WorkStatus::need_input && all(ins_, [](const auto& in) { return in.is_shown_all(); });
    }

    // A block that has enough items for a firing but needs more does not name the port. Most likely it is the port with
    // the fewest firings.
    template <class Ports> static std::uint8_t scarcest(Ports& ports) noexcept {
        std::uint64_t fewest = kNever;
        std::uint8_t found = 0, port = 0;
        each(ports, [&](const auto& p) {
            if (!p.is_connected()) return;  // `outputs()` omits them
            if (p.firings() < fewest) found = port;
            fewest = std::min(fewest, p.firings());
            ++port;
        });
        return found;
    }

    bool can_go_on() noexcept {
        const auto worth_it = [](const auto& port) { return port.is_worth_a_step(); };
        return all(ins_, worth_it) && all(outs_, worth_it);
    }

    [[gnu::noinline]] StepResult finish(std::uint32_t items = 0) noexcept {
        outcome_ = Outcome::finished;
        Base::settle(ins_, outs_);
        Base::finish(ins_, outs_);
        return {.status = StepStatus::done, .items = items};
    }

    [[gnu::cold]] StepResult breach(const char* what) noexcept {
        breach_ = what;
        outcome_ = Outcome::failed;
        return {StepStatus::error};
    }

    bool all_readers_left() noexcept {
        if (outputs_.empty()) return false;
        return all(outs_, [](const auto& out) { return out.stream == nullptr || out.stream->closed(); });
    }

    bool at_limit() const noexcept { return kIns == 0 && items_out_ >= limit_; }

    /// Return the most items that an output with this rate may get in this call. A source stops at its limit. A block
    /// that works in place writes only where it reads.
    std::size_t room(std::size_t rate) const noexcept {
        if constexpr (kIns == 0) {
            const std::uint64_t left = limit_ - items_out_;
            if (left < std::get<0>(outs_).wanted)
                return static_cast<std::size_t>(left / std::get<0>(outs_).rate * rate);
        } else if (spec_.in_place) {
            return std::get<0>(ins_).offered();
        }
        return std::numeric_limits<std::size_t>::max();
    }

    typename InTuples::InPorts ins_;
    typename OutTuples::OutPorts outs_;
    Outcome outcome_ = Outcome::running;
};

}  // namespace weir
