// Block together with its bookkeeping: start and end, run length, probes, counters, and the pattern and digest of a
// verification run. Its derived classes decide when it reads and writes: a node that is stepped (`node.hpp`) or a fixed
// schedule (`fired.hpp`).
#pragma once

#include <algorithm>
#include <array>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>
#include <stdexcept>
#include <string>
#include <tuple>
#include <type_traits>
#include <utility>
#include <vector>

#include "weir/alignment.hpp"
#include "weir/block.hpp"
#include "weir/clock.hpp"
#include "weir/digest.hpp"
#include "weir/pattern.hpp"
#include "weir/ports.hpp"
#include "weir/task.hpp"
#include "weir/trace.hpp"

namespace weir {

/// Block with its bookkeeping. `Face`: Instance, or Task.
template <Block B, class Face> class Hosted : public Face {
  protected:
    using Work = detail::WorkPorts<decltype(&B::work)>;
    static constexpr std::size_t kIns = std::tuple_size_v<typename Work::Inputs>;
    static constexpr std::size_t kOuts = std::tuple_size_v<typename Work::Outputs>;
    static_assert(kIns + kOuts > 0, "a block has a port");
    static constexpr std::uint64_t kNever = Face::kNever;
    static constexpr bool kPaced = kOuts == 1 && requires(const B& b) {
        { b.scheduled_ns(std::uint64_t{}) } -> std::convertible_to<std::int64_t>;
        { b.params.rate } -> std::convertible_to<double>;
    };

  public:
    B& block() noexcept { return block_; }
    const B& block() const noexcept { return block_; }

    [[gnu::cold]] void start(const BlockContext& context) override {
        if (lender_ != nullptr) return;
        if constexpr (requires { block_.start(context); }) block_.start(context);
        if constexpr (kIns == 0) limit_ = source_limit();
    }

    [[gnu::cold]] void begin(std::int64_t barrier_ns) noexcept override {
        const bool probed = this->log_ != nullptr && this->spec_.probe_granularity != 0;
        tx_granularity_ = this->spec_.tx_granularity != 0 ? this->spec_.tx_granularity : this->spec_.probe_granularity;
        if (probed && kOuts != 0 && !this->is_sink()) next_tx_ = tx_granularity_;
        if (probed && kIns != 0 && !kPaced)
            next_rx_ = this->spec_.probe_granularity;  // latency begins where items become due
        work_events_ = this->log_ != nullptr && this->log_->wants(trace::Event::work_entry);
        is_watched_ = work_events_ || tapped_ || verifying_ || this->metrics_ == Metrics::profile;
        if (lender_ != nullptr) return;
        if constexpr (requires { block_.begin(barrier_ns); }) block_.begin(barrier_ns);
    }

    [[gnu::cold]] void stop() override {
        if (lender_ != nullptr) return;
        if constexpr (requires { block_.stop(); }) block_.stop();
    }

    [[gnu::cold]] std::string error() const override {
        if (breach_ != nullptr) return breach_;
        if constexpr (requires { block_.error(); }) return std::string(block_.error());
        return "the block reported an error without a reason";
    }

    [[gnu::cold]] std::optional<std::uint64_t> total_items() const override {
        if constexpr (requires { block_.total_items(); })
            return (lender_ != nullptr ? lender_->block_ : block_).total_items();
        return std::nullopt;
    }

    [[gnu::cold]] std::optional<std::uint64_t> digest() const override {
        if (verifying_ && this->is_sink()) return digest_;
        if (lender_ != nullptr) return std::nullopt;
        if constexpr (requires { block_.digest(); }) return block_.digest();
        return std::nullopt;
    }

    [[gnu::cold]] std::optional<double> offered_items_per_s() const override {
        if constexpr (kPaced) return static_cast<double>(block_.params.rate);
        return std::nullopt;
    }

    [[gnu::cold]] double burst_ns() const override {
        if constexpr (requires(const B& b) { b.params.burst_items, b.params.rate; }) {
            return static_cast<double>(block_.params.burst_items) * 1e9 / static_cast<double>(block_.params.rate);
        }
        return 0;
    }

    [[gnu::cold]] void verify() noexcept override {
        verifying_ = true;
        this->spec_.ends_at_run_items =
            kIns == 0;  // a head whose limit exceeds the run's items must not set the length of the run
    }

  protected:
    explicit Hosted(const NodeSpec& spec) : Face(checked(spec)) {}

    std::size_t in_rate(std::size_t port) const noexcept {
        return this->spec_.in_rates.empty() ? 1 : this->spec_.in_rates[port];
    }
    std::size_t out_rate(std::size_t port) const noexcept {
        return this->spec_.out_rates.empty() ? 1 : this->spec_.out_rates[port];
    }

    /// Make one call of `work` with all bookkeeping except the counts of moved items, which `commit` updates. An error
    /// sets `breach_` if the block broke its contract. `ins`, `outs`: tuples of the offered spans.
    template <class Ins, class Outs> [[gnu::always_inline]] WorkResult call(Ins& ins, Outs& outs) noexcept {
        if (is_watched_) [[unlikely]] {
            // Copies, so that only they must be in memory. Otherwise the spans of all calls would be.
            Ins seen_ins = ins;
            Outs seen_outs = outs;
            const WorkResult result = call_watched(seen_ins, seen_outs);
            ins = seen_ins;
            outs = seen_outs;
            return result;
        }
        if (may_cross(ins)) entry_ns_ = monotonic_ns();
        return call_unasked(ins, outs);
    }

    /// Make a call for which only the counts of moved items are recorded.
    template <class Ins, class Outs> [[gnu::always_inline]] WorkResult call_unasked(Ins& ins, Outs& outs) noexcept {
        const WorkResult result = call_bare(ins, outs);
        if (moved_too_much(ins, outs)) [[unlikely]]
            return breached();
        if (counts()) count_call(std::max(items_into(consumed(ins)), items_out_of(produced(outs))), aligned(ins, outs));
        return result;
    }

    /// Make a call without any bookkeeping. `judged` must follow unless it moved exactly what it was offered.
    template <class Ins, class Outs> [[gnu::always_inline]] WorkResult call_bare(Ins& ins, Outs& outs) noexcept {
        return with_all(ins, outs, [this](auto&... views) { return block_.work(views...); });
    }
    template <class Ins, class Outs> WorkResult judged(WorkResult result, const Ins& ins, const Outs& outs) noexcept {
        return moved_too_much(ins, outs) ? breached() : result;
    }

    /// Return whether a run records no more of a call than moved items and boundaries, known once it has begun.
    bool is_unasked() const noexcept { return !is_watched_ && !counts(); }

    /// Return whether a call with these ports may cross the next boundary of an input or an output.
    bool may_cross([[maybe_unused]] std::size_t in, [[maybe_unused]] std::size_t out) const noexcept {
        if constexpr (WEIR_TRACING && kOuts != 0) {
            if (items_out_ + out >= next_tx_) return true;
        }
        return may_cross(in);
    }

    /// Do the bookkeeping around a loop of several blocks that moves `n` items of this one. `stands_for_all`: the time
    /// of the loop is recorded for this block only. `aligned`: whether the items that this block has in memory are.
    template <bool stands_for_all> void enter(std::size_t n) noexcept {
        const bool profiled = stands_for_all && this->metrics_ == Metrics::profile;
        if constexpr (stands_for_all) trace_work(trace::Event::work_entry, 0);
        if (profiled || may_cross(n)) entry_ns_ = monotonic_ns();
    }
    template <bool stands_for_all> void leave(std::size_t n, bool aligned) noexcept {
        const bool profiled = stands_for_all && this->metrics_ == Metrics::profile;
        if (profiled) time_call();
        if constexpr (stands_for_all) trace_work(trace::Event::work_exit, n);
        if (counts()) count_call(n, aligned);
    }

    /// Return the record of an output; null if it is not tapped.
    std::vector<std::byte>* recorded(std::size_t output = 0) const noexcept { return taps_[output]; }

    // The ports are a tuple or an array. `edge` is null if nothing is connected, and `stream` is null if the connection
    // is no stream. `commit` moves items. `finish` ends an output and detaches an input.

    template <class Ports, class F> static void each(Ports& ports, F f) {
        if constexpr (requires { ports.begin(); }) {
            for (auto& port : ports) f(port);
        } else {
            std::apply([&f](auto&... port) { (f(port), ...); }, ports);
        }
    }

    template <class Ins, class Outs> void joins(Ins& ins, Outs& outs) {
        std::size_t number = 0;
        each(ins, [&](auto& in) { this->joins_input(stream_of(in), in.edge(), in_rate(number++)); });
        number = 0;
        each(outs, [&](auto& out) {
            if (out.edge() != nullptr) this->joins_output(stream_of(out), out.edge(), out_rate(number));
            ++number;
        });
    }

    /// Append the bytes of every item written at the output to `to` from now on. Returns false if the output does not
    /// exist.
    template <class Outs> bool tap(const Outs& outs, std::string_view output, std::vector<std::byte>& to) {
        bool found = false;
        std::size_t number = 0;
        each(outs, [&](const auto& out) {
            if (out.edge() != nullptr && out.name() == output) {
                taps_[number] = &to;
                found = tapped_ = true;
            }
            ++number;
        });
        return found;
    }

    /// Counts of one call, or of several consecutive calls, by port.
    using Read = std::array<std::size_t, kIns>;
    using Written = std::array<std::size_t, kOuts>;

    template <class... T> static Read consumed(const std::tuple<In<T>...>& ins) noexcept {
        return std::apply([](const auto&... in) { return Read{in.consumed()...}; }, ins);
    }
    template <class... T> static Written produced(const std::tuple<Out<T>...>& outs) noexcept {
        return std::apply([](const auto&... out) { return Written{out.produced()...}; }, outs);
    }

    /// Return how many items may pass the first input in consecutive calls before a call must be recorded. Each call is
    /// offered at most `offered` items.
    std::size_t unasked_in(std::size_t offered) const noexcept {
        const std::uint64_t at_most = items_in_ + offered;
        return is_watched_ || at_most >= next_in_ ? 0 : static_cast<std::size_t>(next_in_ - at_most);
    }
    std::size_t unasked_out(std::size_t offered) const noexcept {
        const std::uint64_t at_most = items_out_ + offered, limit = kIns == 0 ? std::min(next_tx_, limit_) : next_tx_;
        return is_watched_ || at_most >= limit ? 0 : static_cast<std::size_t>(limit - at_most);
    }

    /// Publish the counts between consecutive calls.
    void show(const Read& read, const Written& written) noexcept {
        if constexpr (kOuts != 0) this->counters_.items_out.store(items_out_ + written[0], std::memory_order_relaxed);
        if constexpr (kIns != 0) this->counters_.items_in.store(items_in_ + read[0], std::memory_order_relaxed);
    }

    /// End a call. tx is stamped before the items are published, and rx after they are consumed. So no latency is
    /// too short.
    template <class Ins, class Outs>
    void commit(Ins& ins, const Read& read, Outs& outs, const Written& written) noexcept {
        count_out(items_out_of(written));
        publish(outs, written, std::make_index_sequence<kOuts>{});
        consume(ins, read, std::make_index_sequence<kIns>{});
        if (count_in(items_into(read))) [[unlikely]] {
            settle(ins, outs);
            note_items_in();
        }
    }
    /// End a call that moved this many items, if nothing has to be published.
    void count(std::size_t in, std::size_t out) noexcept {
        count_out(out);
        if (count_in(in)) [[unlikely]]
            note_items_in();
    }

    /// Publish to the streams what their ports have moved.
    template <class Ins, class Outs> void settle(Ins& ins, Outs& outs) noexcept {
        each(outs, [this](auto& out) {
            if constexpr (requires { out.settle(true); }) out.settle(counts());
        });
        each(ins, [](auto& in) {
            if constexpr (requires { in.settle(); }) in.settle();
        });
    }
    /// Return whether calls are counted, and commits sample the fill of their streams.
    bool counts() const noexcept { return this->metrics_ != Metrics::none; }

    /// Continue at this firing of the run, after other replicas made the earlier ones. Counters still count own items
    /// only.
    void move_to(std::uint64_t firing) noexcept {
        if constexpr (kIns != 0) {
            offset_in_ = firing * in_rate(0) - items_in_;
            for (std::size_t port = 0; port < kIns; ++port) consumed_[port] = firing * in_rate(port);
            next_rx_ = boundary_after(firing * in_rate(0), next_rx_, this->spec_.probe_granularity, offset_in_);
            if (this->milestone_ != kNever)
                this->milestone_ =
                    items_in_ + (this->milestone_items_ - std::min(this->milestone_items_, items_in_ + offset_in_));
            next_in_ = std::min(next_rx_, this->milestone_);
        }
        if constexpr (kOuts != 0) {
            offset_out_ = firing * out_rate(0) - items_out_;
            next_tx_ = boundary_after(firing * out_rate(0), next_tx_, tx_granularity_, offset_out_);
        }
    }
    /// Move the block itself to this firing.
    void seek([[maybe_unused]] std::uint64_t firing) noexcept {
        if constexpr (requires { block_.seek(firing); }) {
            if constexpr (kOuts != 0) block_.seek(firing * out_rate(0));
            else block_.seek(firing * in_rate(0));
        }
    }
    /// Report the milestone, because no more items will arrive.
    void pass_milestone() noexcept {
        if (std::exchange(this->milestone_, kNever) != kNever) this->observer_->milestone(*this);
    }

    /// Make a call whose firings count elsewhere. `again`: firings that must still be repeated before new ones.
    template <class Ins, class Outs> bool call_again(Ins& ins, Outs& outs, std::uint64_t again) noexcept {
        if constexpr (kOuts != 0) again_ = again * out_rate(0);
        const WorkResult result = with_all(ins, outs, [this](auto&... views) { return this->work(views...); });
        again_ = 0;
        return result.status != WorkStatus::error;
    }

    bool is_tapped() const noexcept { return tapped_; }

    // Counts at the first ports.

    static std::uint64_t items_into([[maybe_unused]] const Read& read) noexcept {
        if constexpr (kIns != 0) return read[0];
        return 0;
    }
    static std::uint64_t items_out_of([[maybe_unused]] const Written& written) noexcept {
        if constexpr (kOuts != 0) return written[0];
        return 0;
    }

    template <class Ins, class Outs> static void finish(Ins& ins, Outs& outs) noexcept {
        each(ins, [](auto& in) { in.finish(); });
        each(outs, [](auto& out) { out.finish(); });
    }

    /// Add to a counter. With one writer, a load and a store suffice and need no locked instruction.
    static void add(std::atomic<std::uint64_t>& counter, std::uint64_t n) noexcept {
        counter.store(counter.load(std::memory_order_relaxed) + n, std::memory_order_relaxed);
    }

    B block_{};
    std::uint64_t items_in_ = 0, items_out_ = 0;
    std::uint64_t limit_ = kNever;
    const char* breach_ = nullptr;
    bool verifying_ = false;
    const Hosted* lender_ =
        nullptr;  ///< instance that owns, starts and stops the block that this one uses; null: it owns its block

  private:
    /// Return the first boundary of a probe after `items` of the run, as a count of own items. `next`: kNever if there
    /// is no probe.
    static std::uint64_t boundary_after(std::uint64_t items, std::uint64_t next, std::uint64_t granularity,
                                        std::uint64_t offset) noexcept {
        return next == kNever ? kNever : (items / granularity + 1) * granularity - offset;
    }

    template <class Port> static StreamBase* stream_of(Port& port) noexcept {
        if constexpr (requires { port.stream; }) return port.stream;
        return nullptr;
    }

    template <class Outs, std::size_t... O>
    void publish(Outs& outs, const Written& written, std::index_sequence<O...>) noexcept {
        (std::get<O>(outs).commit(written[O], counts()), ...);
    }
    template <class Ins, std::size_t... I>
    static void consume(Ins& ins, const Read& read, std::index_sequence<I...>) noexcept {
        (std::get<I>(ins).commit(read[I]), ...);
    }

    void count_out([[maybe_unused]] std::uint64_t n) noexcept {
        if constexpr (kOuts == 0) return;
        items_out_ += n;
        this->counters_.items_out.store(items_out_, std::memory_order_relaxed);
        if constexpr (WEIR_TRACING) {
            if (items_out_ >= next_tx_) [[unlikely]]
                note_items_out();
        }
    }

    /// Return whether `note_items_in` must follow.
    bool count_in([[maybe_unused]] std::uint64_t n) noexcept {
        if constexpr (kIns == 0) return false;
        items_in_ += n;
        this->counters_.items_in.store(items_in_, std::memory_order_relaxed);
        return items_in_ >= next_in_;
    }

    // Record probes. Out of line, because few calls need it.

    [[gnu::noinline]] void note_items_out() noexcept {
        for (; items_out_ >= next_tx_; next_tx_ += tx_granularity_) {
            std::int64_t due = 0;
            const std::uint64_t items = next_tx_ + offset_out_;
            if constexpr (requires { block_.scheduled_ns(items); }) due = block_.scheduled_ns(items - 1);
            this->log_->write(trace::Event::tx, this->spec_.index, items / tx_granularity_, due);
        }
    }

    [[gnu::noinline]] void note_items_in() noexcept {
        if (this->arrivals_) this->arrived(items_in_);
        if constexpr (WEIR_TRACING) {
            for (; items_in_ >= next_rx_; next_rx_ += this->spec_.probe_granularity) {
                const std::uint64_t items = next_rx_ + offset_in_;
                this->log_->write(trace::Event::rx, this->spec_.index, items / this->spec_.probe_granularity,
                                  entry_ns_);
            }
        }
        if (items_in_ >= this->milestone_) {
            this->milestone_ = kNever;
            this->observer_->milestone(*this);
        }
        next_in_ = this->arrivals_ ? 0 : std::min(next_rx_, this->milestone_);
    }

    static NodeSpec checked(const NodeSpec& spec) {
        const bool fits = (spec.in_rates.empty() || spec.in_rates.size() == kIns) &&
                          (spec.out_rates.empty() || spec.out_rates.size() == kOuts);
        if (!fits)
            throw std::logic_error(std::string(spec.name) + ": the number of rates differs from the number of ports");
        return spec;
    }

    template <class Ins, class Outs, class F>
    [[gnu::always_inline]] static WorkResult with_all(Ins& ins, Outs& outs, F f) noexcept {
        return std::apply([&](auto&... in) { return std::apply([&](auto&... out) { return f(in..., out...); }, outs); },
                          ins);
    }

    template <class Ins, class Outs> static bool aligned(const Ins& ins, const Outs& outs) noexcept {
        const auto also = [&outs](const auto&... in) {
            return std::apply([&](const auto&... out) { return are_aligned(in.data()..., out.data()...); }, outs);
        };
        return std::apply(also, ins);
    }

    template <class Ins, class Outs> [[gnu::noinline]] WorkResult call_watched(Ins& ins, Outs& outs) noexcept {
        trace_work(trace::Event::work_entry, 0);
        const bool profiled = this->metrics_ == Metrics::profile;
        if (profiled || may_cross(ins)) entry_ns_ = monotonic_ns();
        const WorkResult result = with_all(ins, outs, [this](auto&... views) { return this->work(views...); });
        if (profiled) time_call();

        if (moved_too_much(ins, outs)) return breached();
        const std::uint64_t items = std::max(items_into(consumed(ins)), items_out_of(produced(outs)));
        trace_work(trace::Event::work_exit, items);
        if (counts()) count_call(items, aligned(ins, outs));
        std::size_t port = 0;
        if (verifying_ && this->is_sink()) each(ins, [&](const auto& in) { digest_consumed(port++, in); });
        port = 0;
        if (tapped_) each(outs, [&](const auto& out) { record(port++, out); });
        return result;
    }

    /// Return whether the call may cross the next boundary. Otherwise it needs no clock read.
    template <class... T> bool may_cross([[maybe_unused]] const std::tuple<In<T>...>& ins) const noexcept {
        if constexpr (kIns != 0) return may_cross(std::get<0>(ins).size());
        return false;
    }
    bool may_cross([[maybe_unused]] std::size_t n) const noexcept {
        if constexpr (WEIR_TRACING && kIns != 0) return items_in_ + n >= next_rx_;
        return false;
    }

    template <class... T, class... U>
    static bool moved_too_much(const std::tuple<In<T>...>& ins, const std::tuple<Out<U>...>& outs) noexcept {
        return std::apply([](const auto&... in) { return ((in.consumed() > in.size()) || ... || false); }, ins) ||
               std::apply([](const auto&... out) { return ((out.produced() > out.size()) || ... || false); }, outs);
    }
    [[gnu::cold]] WorkResult breached() noexcept {
        breach_ = "the block moved more items than it was offered";
        return WorkStatus::error;
    }

    /// Return the number of items after which a source ends, in whole firings.
    std::uint64_t source_limit() const {
        std::uint64_t limit = kNever;
        if (this->spec_.ends_at_run_items && this->run_items_ != 0) limit = this->run_items_;
        // A pattern has no end.
        if (verifying_) limit = std::min(limit, total_items().value_or(kNever));
        const std::uint64_t firing = out_rate(0);
        return limit == kNever ? kNever : limit - limit % firing;
    }

    template <class... Port> WorkResult work(Port&... ports) noexcept {
        if constexpr (kIns == 0) {
            if (verifying_) return emit_pattern(ports...);
        }
        return block_.work(ports...);
    }

    template <class... Port> [[gnu::cold, gnu::noinline]] WorkResult emit_pattern(Port&... ports) noexcept {
        if (limit_ == items_out_) return WorkStatus::done;  // the limit is 0, so nothing is ever committed
        std::size_t firings = std::numeric_limits<std::size_t>::max(), port = 0;
        ((firings = std::min(firings, ports.size() / out_rate(port++))), ...);
        port = 0;
        const auto fill = [this, firings](auto& out, std::size_t items_a_firing) {
            using T = typename std::remove_reference_t<decltype(out)>::value_type;
            const std::size_t n = firings * items_a_firing;
            const std::uint64_t first = (items_out_ + offset_out_ - again_) / out_rate(0) * items_a_firing;
            CounterPattern<T>::fill(out.data(), n, first);
            out.produce(n);
        };
        (fill(ports, out_rate(port++)), ...);
        return WorkStatus::ok;
    }

    template <class T> [[gnu::cold]] void digest_consumed(std::size_t port, const In<T>& view) noexcept {
        // Odd factors distinguish the inputs of a sink. A sink with one input has the digest of its stream.
        digest_ += (2 * port + 1) * digest_of_bytes(view.data(), sizeof(T), view.consumed(), consumed_[port]);
        consumed_[port] += view.consumed();
    }

    template <class T> void record(std::size_t port, const Out<T>& view) noexcept {
        if (taps_[port] == nullptr) return;
        this->append(*taps_[port], view.data(), view.produced() * sizeof(T));
    }

    void count_call(std::uint64_t items, bool aligned) noexcept {
        add(this->counters_.items_per_call[histogram::bucket_of(items)], 1);
        if (!aligned && items != 0) add(this->counters_.unaligned_calls, 1);
    }

    /// Time a call whose entry was read off the clock.
    void time_call() noexcept {
        this->left_ns_ = monotonic_ns();
        add(this->counters_.busy_ns, static_cast<std::uint64_t>(this->left_ns_ - entry_ns_));
    }

    void trace_work(trace::Event event, std::uint64_t items) noexcept {
        if constexpr (WEIR_TRACING) {
            if (work_events_) this->log_->write(event, this->spec_.index, items, 0);
        }
    }

    std::uint64_t next_tx_ = kNever, next_rx_ = kNever;
    std::uint64_t tx_granularity_ = 0;
    std::int64_t entry_ns_ = 0;  ///< entry of the last recorded call
    std::uint64_t digest_ = 0;
    std::array<std::uint64_t, kIns> consumed_{};
    std::array<std::vector<std::byte>*, kOuts> taps_{};
    /// Items at the first ports that other replicas moved before this one's next item, and items that a call repeats.
    std::uint64_t offset_in_ = 0, offset_out_ = 0, again_ = 0;
    std::uint64_t next_in_ = 0;  ///< items at the first input at which the next call must be recorded
    bool work_events_ = false;
    bool tapped_ = false;
    bool is_watched_ = true;  ///< every call is recorded; `begin` decides
};

}  // namespace weir
