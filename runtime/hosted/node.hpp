// Block under a peer runtime. `weir/hosted.hpp` has the bookkeeping, as under Weir's own schedulers: start and end, run
// length, probes, counters, and the pattern and digest of a verification. The peer runtime decides when to call the
// block and what to offer.
#pragma once

#include <algorithm>
#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>
#include <tuple>
#include <utility>
#include <vector>

#include "hosted/beside.hpp"
#include "hosted/guest.hpp"
#include "weir/hosted.hpp"

namespace weir::hosted {

/// End of a connection, as `weir/hosted.hpp` needs it. `port`: port of the current call. `rate`: items per firing.
/// `most`: most items that a call is offered.
struct Input {
    Connection* connection = nullptr;
    const Port* port = nullptr;
    std::size_t rate = 1, most = 1;

    const Edge* edge() const noexcept { return connection; }
    void commit(std::size_t n) noexcept { report_moved(*port, n); }
    void finish() noexcept {}
};

struct Output {
    Connection* connection = nullptr;
    const Port* port = nullptr;
    std::size_t rate = 1, most = 1;

    const Edge* edge() const noexcept { return connection; }
    std::string_view name() const noexcept { return connection->spec().name; }
    void commit(std::size_t n, bool) noexcept { report_moved(*port, n); }
    void finish() noexcept {}
};

/// `Stays`: in the peer runtime, a reader that ends also ends its writer, which ends its own writer, even if these
/// have other readers. So the block stays and drops items until no other block would end with it (`beside.hpp`).
template <Block B, bool Stays = false> class Node final : public Hosted<B, Instance>, public Guest {
    using Base = Hosted<B, Instance>;
    using Base::in_rate, Base::items_out_, Base::kIns, Base::kNever, Base::kOuts, Base::limit_, Base::out_rate;
    using typename Base::Work;
    using InIndices = std::make_index_sequence<kIns>;
    using OutIndices = std::make_index_sequence<kOuts>;
    template <std::size_t I> using InItem = std::tuple_element_t<I, typename Work::Inputs>;
    template <std::size_t O> using OutItem = std::tuple_element_t<O, typename Work::Outputs>;

  public:
    Node(const NodeSpec& spec, typename B::Params params, const std::array<Connection*, kIns>& ins,
         const std::array<Connection*, kOuts>& outs)
        : Base(spec) {
        this->block_.params = std::move(params);
        for (std::size_t i = 0; i < kIns; ++i) (ins_[i].connection = ins[i])->read_by(*this);
        for (std::size_t o = 0; o < kOuts; ++o) (outs_[o].connection = outs[o])->written_by(*this);
        Base::joins(ins_, outs_);
    }

    ~Node() override = default;

    bool tap(std::string_view output, std::vector<std::byte>& to) override { return Base::tap(outs_, output, to); }

    std::size_t items_in(std::size_t port) const noexcept override { return in_rate(port); }
    std::size_t items_out(std::size_t port) const noexcept override { return out_rate(port); }
    std::size_t inputs() const noexcept override { return kIns; }
    std::size_t outputs() const noexcept override { return kOuts; }
    Connection& read(std::size_t port) const noexcept override { return *ins_[port].connection; }
    Connection& written(std::size_t port) const noexcept override { return *outs_[port].connection; }
    std::size_t item_bytes_in(std::size_t port) const noexcept override {
        return bytes_of<typename Work::Inputs>(port, InIndices{});
    }
    std::size_t item_bytes_out(std::size_t port) const noexcept override {
        return bytes_of<typename Work::Outputs>(port, OutIndices{});
    }

    bool is_hosted() const noexcept override { return true; }
    bool is_counted() const noexcept override { return !aside_; }
    bool knows_items() const noexcept override { return !aside_ || reported_; }
    bool is_over() const noexcept override { return over_.load(std::memory_order_seq_cst); }

    void join(Run& run) noexcept override {
        run_ = &run;
        is_traced_ = traces(run);
        for (std::size_t i = 0; i < kIns; ++i) {
            ins_[i].rate = in_rate(i);
            ins_[i].most = std::max(this->spec_.chunk_items, in_rate(i));
        }
        for (std::size_t o = 0; o < kOuts; ++o) {
            outs_[o].rate = out_rate(o);
            outs_[o].most = std::max(this->spec_.chunk_items, out_rate(o));
        }
    }

    void begin(std::int64_t barrier_ns) noexcept override {
        Base::begin(barrier_ns);
        const auto is_one = [](const auto& port) { return port.rate == 1; };
        is_plain_ = Base::is_unasked() && std::ranges::all_of(ins_, is_one) && std::ranges::all_of(outs_, is_one);
    }

    bool is_unwatched(const Run& run) const noexcept override {
        const RunSetup& setup = run.setup();
        return !traces(run) && !setup.verify && setup.spec.warmup_items == 0 && !this->arrivals_;
    }
    void stand_aside() noexcept override { aside_ = true; }
    bool stands_aside() const noexcept override { return aside_; }
    void report_items(std::uint64_t items_in, std::uint64_t items_out) noexcept override {
        reported_ = true;
        this->counters_.items_in.store(items_in, std::memory_order_relaxed);
        this->counters_.items_out.store(items_out, std::memory_order_relaxed);
    }
    std::uint64_t bound() const noexcept override { return this->total_items().value_or(kNever); }
    std::vector<std::byte>* recorded(std::size_t output) const noexcept override { return Base::recorded(output); }

    void leave(std::size_t unread) noexcept override {
        // If the block itself decided to end, the items left over are not the tail of the stream.
        if (is_over() || failed_ || run_->stopping()) return;
        Base::add(this->counters_.tail_items, unread);
        be_over();
    }

    Turn turn(const Port* ins, const Port* outs) noexcept override {
        return turn(ins, outs, InIndices{}, OutIndices{});
    }

    Direct direct() noexcept override {
        if constexpr (kIns <= 1 && kOuts <= 1) {
            return {this, [](void* node, const void* in, std::size_t in_size, void* out, std::size_t out_size,
                             Rest* rest) noexcept {
                        return static_cast<Node*>(node)->pass(in, in_size, out, out_size, *rest, InIndices{},
                                                              OutIndices{});
                    }};
        } else {
            return {this, nullptr};
        }
    }

  private:
    template <class Items, std::size_t... P>
    static std::size_t bytes_of(std::size_t port, std::index_sequence<P...>) noexcept {
        const std::array<std::size_t, sizeof...(P)> bytes{sizeof(std::tuple_element_t<P, Items>)...};
        return bytes[port];
    }

    template <std::size_t... I, std::size_t... O>
    Turn turn([[maybe_unused]] const Port* ins, [[maybe_unused]] const Port* outs, std::index_sequence<I...>,
              std::index_sequence<O...>) noexcept {
        if (failed_ || run_->stopping()) return {Next::over, false, false, 0};
        if (is_over()) return drained(ins);
        if (is_traced_) move_here();
        ((ins_[I].port = ins + I), ...);
        ((outs_[O].port = outs + O), ...);
        [[maybe_unused]] const std::size_t firings = room();  // unused for a sink
        std::tuple in_views{In<InItem<I>>{{static_cast<const InItem<I>*>(ins_[I].port->items), offered(ins_[I])},
                                          ins_[I].port->over && offered(ins_[I]) == ins_[I].port->size}...};
        std::tuple out_views{Out<OutItem<O>>{space<O>(firings)}...};
        this->state_.store(StepStatus::progress, std::memory_order_relaxed);
        return after(Base::call(in_views, out_views), in_views, out_views);
    }

    /// Do the bookkeeping after a call, and return the block's request.
    template <class Ins, class Outs>
    Turn after(WorkResult result, const Ins& in_views, const Outs& out_views) noexcept {
        if (result.status == WorkStatus::error) {
            failed_ = true;
            is_plain_ = false;
            this->state_.store(StepStatus::error, std::memory_order_relaxed);
            run_->fail(*this, this->error());
            return {Next::over, false, false, 0};
        }
        const typename Base::Read read = Base::consumed(in_views);
        const typename Base::Written written = Base::produced(out_views);
        Base::commit(ins_, read, outs_, written);
        if (result.status == WorkStatus::ok && (kIns != 0 || items_out_ < limit_) && used_all(read, written)) {
            this->blocked_port_.store(0, std::memory_order_relaxed);
            this->state_.store(kIns != 0 ? StepStatus::need_input : StepStatus::need_output, std::memory_order_relaxed);
            return {Next::at_change, true, false, 0};
        }
        const bool moved = std::ranges::any_of(read, [](std::size_t n) { return n != 0; }) ||
                           std::ranges::any_of(written, [](std::size_t n) { return n != 0; });
        if (result.status == WorkStatus::done || (kIns == 0 && items_out_ >= limit_)) return end(moved);
        if (result.status == WorkStatus::wait) {
            this->state_.store(StepStatus::wait, std::memory_order_relaxed);
            return {Next::at_time, moved, false, result.wake_ns};
        }
        return go_on(read, written, moved, result.status == WorkStatus::need_input && !moved);
    }

    /// Make a direct call. Most calls move all items that fit, and the run needs only their number. These must cost
    /// little, because a block may need only 100 ns for 16 KiB.
    template <std::size_t... I, std::size_t... O>
    bool pass([[maybe_unused]] const void* in, std::size_t in_size, [[maybe_unused]] void* out, std::size_t out_size,
              Rest& rest, std::index_sequence<I...>, std::index_sequence<O...>) noexcept {
        const bool is_offered =
            ((in_size - 1 < ins_[I].most) && ... && true) && ((out_size - 1 < outs_[O].most) && ... && true);
        if (!is_plain_ || !is_offered || run_->stopping() || Base::may_cross(in_size, out_size) ||
            (kIns == 0 && out_size >= limit_ - items_out_)) [[unlikely]]
            return pass_by_ports(in, in_size, out, out_size, rest);
        std::tuple in_views{In<InItem<I>>{{static_cast<const InItem<I>*>(in), in_size}, false}...};
        std::tuple out_views{Out<OutItem<O>>{{static_cast<OutItem<O>*>(out), out_size}}...};
        this->state_.store(StepStatus::progress, std::memory_order_relaxed);
        const WorkResult result = Base::call_bare(in_views, out_views);
        const std::size_t fitting = kIns == 0 ? out_size : kOuts == 0 ? in_size : std::min(in_size, out_size);
        const bool moved = ((std::get<I>(in_views).consumed() == fitting) && ... && true) &&
                           ((std::get<O>(out_views).produced() == fitting) && ... && true);
        if (result.status != WorkStatus::ok || !moved) [[unlikely]]
            return pass_part(result, in_views, out_views, rest);
        Base::count(fitting, fitting);
        const bool is_read = kIns != 0 && in_size == fitting;
        this->state_.store(is_read ? StepStatus::need_input : StepStatus::need_output, std::memory_order_relaxed);
        if (this->blocked_port_.load(std::memory_order_relaxed) != 0) [[unlikely]]
            this->blocked_port_.store(0, std::memory_order_relaxed);
        if (kIns == 0 || kOuts == 0 || in_size == out_size) return true;
        rest = {{Next::at_change, true, false, 0}, fitting, fitting};
        return false;
    }

    /// Make a direct call as a call with ports.
    [[gnu::cold, gnu::noinline]] bool pass_by_ports(const void* in, std::size_t in_size, void* out,
                                                    std::size_t out_size, Rest& rest) noexcept {
        const Port from{const_cast<void*>(in), in_size, false, &rest.read, nullptr};
        const Port to{out, out_size, false, &rest.written, nullptr};
        rest.read = rest.written = 0;
        rest.turn = turn(&from, &to);
        return rest.turn.next == Next::at_change && rest.read == in_size && rest.written == out_size;
    }

    /// Do the bookkeeping after a direct call that did not move all items.
    template <class Ins, class Outs>
    [[gnu::cold, gnu::noinline]] bool pass_part(WorkResult result, const Ins& in_views, const Outs& out_views,
                                                Rest& rest) noexcept {
        Port from{nullptr, 0, false, &rest.read, nullptr}, to{nullptr, 0, false, &rest.written, nullptr};
        rest.read = rest.written = 0;
        if constexpr (kIns != 0) {
            from.size = std::get<0>(in_views).size();
            ins_[0].port = &from;
        }
        if constexpr (kOuts != 0) {
            to.size = std::get<0>(out_views).size();
            outs_[0].port = &to;
        }
        rest.turn = after(Base::judged(result, in_views, out_views), in_views, out_views);
        return false;
    }

    /// Return whether a call has moved all that it was offered, and more can follow. Then `go_on` need not look at each
    /// port.
    bool used_all(const typename Base::Read& read, const typename Base::Written& written) const noexcept {
        for (std::size_t i = 0; i < kIns; ++i) {
            if (read[i] == 0 || read[i] != ins_[i].port->size || ins_[i].port->over) return false;
        }
        for (std::size_t o = 0; o < kOuts; ++o) {
            if (written[o] == 0 || written[o] != outs_[o].port->size) return false;
        }
        return true;
    }

    /// Return the request after a call, unless it was the last one or ended because of a time. `in_want`: the call did
    /// nothing because items were missing.
    Turn go_on(const typename Base::Read& read, const typename Base::Written& written, bool moved,
               bool in_want) noexcept {
        const auto left = [&](std::size_t input) { return ins_[input].port->size - read[input]; };
        const std::size_t starved = first(kIns, [&](std::size_t i) { return left(i) < ins_[i].rate; });
        const bool wants_more = in_want && starved == kIns;  // more than a firing
        std::size_t tail = 0;
        bool ended = false;
        for (std::size_t i = 0; i < kIns; ++i) {
            if (!ins_[i].port->over || (left(i) >= ins_[i].rate && !wants_more)) continue;
            ended = true;
            tail = std::max(tail, left(i));
        }
        if (ended) {
            Base::add(this->counters_.tail_items, tail);
            return end(moved);
        }
        const std::size_t full =
            first(kOuts, [&](std::size_t o) { return outs_[o].port->size - written[o] < outs_[o].rate; });
        const bool needs_input = starved != kIns || wants_more, needs_output = full != kOuts;
        this->blocked_port_.store(static_cast<std::uint8_t>(starved != kIns ? starved
                                                            : wants_more    ? 0
                                                                            : full % 256),
                                  std::memory_order_relaxed);
        this->state_.store(needs_input    ? StepStatus::need_input
                           : needs_output ? StepStatus::need_output
                                          : StepStatus::progress,
                           std::memory_order_relaxed);
        return {moved && !needs_input && !needs_output ? Next::at_once : Next::at_change, moved, wants_more, 0};
    }

    /// Return the first port of `ports` for which `holds` is true, or the number of `ports` if there is none.
    template <class F> static std::size_t first(std::size_t ports, F holds) {
        std::size_t port = 0;
        while (port != ports && !holds(port)) ++port;
        return port;
    }

    /// End the block, and return its request.
    Turn end(bool moved) noexcept {
        be_over();
        return {is_in_the_way() ? Next::closes : Next::over, moved, false, 0};
    }

    void be_over() noexcept {
        is_plain_ = false;
        over_.store(true, std::memory_order_seq_cst);
        endings.fetch_add(1, std::memory_order_seq_cst);
        this->state_.store(StepStatus::done, std::memory_order_relaxed);
        run_->task_done(*this);
    }

    /// Drop the offered items of a block that is over, and return its request.
    Turn drained([[maybe_unused]] const Port* ins) noexcept {
        if constexpr (Stays) {
            for (std::size_t i = 0; i < kIns; ++i) {
                report_moved(ins[i], ins[i].size);
            }
        }
        return {is_in_the_way() ? Next::stays : Next::over, false, false, 0};
    }

    /// Return whether other blocks would end with it.
    bool is_in_the_way() noexcept {
        if constexpr (Stays) {
            const std::uint64_t now = endings.load(std::memory_order_seq_cst);
            if (now != looked_) in_the_way_ = sink_beside(*this) != nullptr;
            looked_ = now;
        }
        return in_the_way_;
    }

    /// Use the log of the worker that calls it.
    void move_here() noexcept {
        const Worker* const here = Run::hosted_here();
        if (here != nullptr && here != worker_) this->set_log(here->log);
        worker_ = here;
    }

    static bool traces(const Run& run) noexcept {
        const trace::Tracer* const tracer = run.setup().tracer;
        return tracer != nullptr && has_probes(tracer->backend());
    }

    static std::size_t offered(const Input& in) noexcept { return std::min(in.port->size, in.most); }

    /// Return the number of firings that fit. A source is limited to the firings that are left.
    std::size_t room() const noexcept {
        std::uint64_t firings = kNever;
        for (const Output& out : outs_)
            firings = std::min<std::uint64_t>(firings, per_firing(std::min(out.port->size, out.most), out.rate));
        if constexpr (kIns == 0) {
            if (limit_ != kNever) firings = std::min(firings, per_firing(limit_ - items_out_, outs_[0].rate));
        }
        return static_cast<std::size_t>(firings);
    }
    /// Divide, unless that is not necessary: a division takes longer than the rest of a call's bookkeeping.
    static std::uint64_t per_firing(std::uint64_t items, std::size_t rate) noexcept {
        return rate == 1 ? items : items / rate;
    }
    template <std::size_t O> std::span<OutItem<O>> space(std::size_t firings) noexcept {
        return {static_cast<OutItem<O>*>(outs_[O].port->items), firings * outs_[O].rate};
    }

    std::array<Input, kIns> ins_{};
    std::array<Output, kOuts> outs_{};
    Run* run_ = nullptr;
    const Worker* worker_ = nullptr;
    std::uint64_t looked_ = 0;
    bool in_the_way_ = false;
    std::atomic<bool> over_ = false;
    bool failed_ = false;
    bool is_traced_ = false;
    bool is_plain_ = false;  ///< the block goes on, and calls between two boundaries need only item counts
    bool aside_ = false, reported_ = false;
};

}  // namespace weir::hosted
