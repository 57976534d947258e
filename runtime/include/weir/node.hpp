// A node is a block bound to its streams. It owns what no block should have to care about: end of stream, run length,
// probes, counters, and the pattern and digest of a verification run.
#pragma once

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <stdexcept>
#include <string>
#include <tuple>
#include <type_traits>
#include <utility>

#include "weir/block.hpp"
#include "weir/clock.hpp"
#include "weir/digest.hpp"
#include "weir/pattern.hpp"
#include "weir/ports.hpp"
#include "weir/stream.hpp"
#include "weir/task.hpp"
#include "weir/trace.hpp"

namespace weir {

template <Block B> class Node final : public Task {
    using Work = detail::WorkPorts<decltype(&B::work)>;
    using InTuples = detail::PortTuples<typename Work::Inputs>;
    using OutTuples = detail::PortTuples<typename Work::Outputs>;
    static constexpr std::size_t kIns = std::tuple_size_v<typename Work::Inputs>;
    static constexpr std::size_t kOuts = std::tuple_size_v<typename Work::Outputs>;
    using InIndices = std::make_index_sequence<kIns>;
    using OutIndices = std::make_index_sequence<kOuts>;
    static_assert(kIns + kOuts > 0, "a block has a port");
    static constexpr bool kPaced = kIns == 0 && requires(const B& b) {
        { b.scheduled_ns(std::uint64_t{}) } -> std::convertible_to<std::int64_t>;
        { b.params.rate } -> std::convertible_to<double>;
    };

  public:
    [[gnu::cold, gnu::noinline]] Node(const NodeSpec& node_spec, typename B::Params params, typename InTuples::InStreams ins,
                                      typename OutTuples::OutRefs outs)
        : Task(checked(node_spec)),
          ins_(bind_inputs(ins, InIndices{})),
          outs_(bind_outputs(outs, OutIndices{})) {
        block_.params = std::move(params);
        each(ins_, [this](auto& in) {
            inputs_.push_back(in.stream);
            in_rates_.push_back(static_cast<std::uint32_t>(in.rate));
        });
        each(outs_, [this](auto& out) {
            if (out.stream == nullptr) return;
            outputs_.push_back(out.stream);
            out_rates_.push_back(static_cast<std::uint32_t>(out.rate));
        });
    }

    [[gnu::cold, gnu::noinline]] ~Node() override = default;

    B& block() noexcept { return block_; }
    const B& block() const noexcept { return block_; }

    StepResult step() noexcept override {
        const StepResult result = advance();
        if (result.status == StepStatus::need_input || result.status == StepStatus::need_output) {
            blocked_port_.store(result.port, std::memory_order_relaxed);
        }
        state_.store(result.status, std::memory_order_relaxed);
        return result;
    }

    void start(const BlockContext& context) override {
        if constexpr (requires { block_.start(context); }) block_.start(context);
        if constexpr (kIns == 0) limit_ = source_limit();
    }

    void begin(std::int64_t barrier_ns) noexcept override {
        const bool probed = log_ != nullptr && spec_.probe_granularity != 0;
        tx_granularity_ = spec_.tx_granularity != 0 ? spec_.tx_granularity : spec_.probe_granularity;
        if (probed && kOuts != 0 && !is_sink()) next_tx_ = tx_granularity_;
        if (probed && kIns != 0) next_rx_ = spec_.probe_granularity;
        work_events_ = log_ != nullptr && log_->wants(trace::Event::work_entry);
        if constexpr (requires { block_.begin(barrier_ns); }) block_.begin(barrier_ns);
    }

    void stop() override {
        if constexpr (requires { block_.stop(); }) block_.stop();
    }

    std::string error() const override {
        if (breach_ != nullptr) return breach_;
        if constexpr (requires { block_.error(); }) return std::string(block_.error());
        return "the block reported an error without a reason";
    }

    std::optional<std::uint64_t> total_items() const override {
        if constexpr (requires { block_.total_items(); }) return block_.total_items();
        return std::nullopt;
    }

    std::optional<std::uint64_t> digest() const override {
        if (verifying_ && is_sink()) return digest_;
        if constexpr (requires { block_.digest(); }) return block_.digest();
        return std::nullopt;
    }

    std::optional<double> offered_items_per_s() const override {
        if constexpr (kPaced) return static_cast<double>(block_.params.rate);
        return std::nullopt;
    }

    double burst_ns() const override {
        if constexpr (requires(const B& b) { b.params.burst_items, b.params.rate; }) {
            return static_cast<double>(block_.params.burst_items) * 1e9 / static_cast<double>(block_.params.rate);
        }
        return 0;
    }

    void verify() noexcept override {
        verifying_ = true;
        spec_.ends_at_run_items = kIns == 0;  // a head with more items than the run would otherwise decide how long it takes
    }

    bool tap(std::string_view output, std::vector<std::byte>& to) override {
        bool found = false;
        each(outs_, [&](auto& out) {
            if (out.stream == nullptr || out.stream->name() != output) return;
            out.tap = &to;
            tapped_ = found = true;
        });
        return found;
    }

  private:
    template <std::size_t... I> auto bind_inputs(typename InTuples::InStreams& streams, std::index_sequence<I...>) {
        return typename InTuples::InPorts{{std::get<I>(streams), *this, rate(spec_.in_rates, I), spec_.chunk_items}...};
    }
    template <std::size_t... O> auto bind_outputs(typename OutTuples::OutRefs& refs, std::index_sequence<O...>) {
        return typename OutTuples::OutPorts{{std::get<O>(refs), *this, rate(spec_.out_rates, O), spec_.chunk_items}...};
    }
    static const NodeSpec& checked(const NodeSpec& spec) {
        const bool fits = (spec.in_rates.empty() || spec.in_rates.size() == kIns) && (spec.out_rates.empty() || spec.out_rates.size() == kOuts);
        if (!fits) throw std::logic_error(std::string(spec.name) + ": a rate for each port");
        return spec;
    }
    static std::size_t rate(std::span<const std::uint32_t> rates, std::size_t port) {
        return rates.empty() ? 1 : rates[port];
    }

    template <class Ports, class F> static void each(Ports& ports, F&& f) {
        std::apply([&](auto&... port) { (f(port), ...); }, ports);
    }
    template <class Ports, class F> static bool all(Ports& ports, F&& f) {
        return std::apply([&](auto&... port) { return (f(port) && ...); }, ports);
    }
    template <class Ports, class F> static bool any(Ports& ports, F&& f) {
        return std::apply([&](auto&... port) { return (f(port) || ...); }, ports);
    }

    StepResult advance() noexcept {
        if (finished_) return {StepStatus::done};
        if (breach_ != nullptr || failed_) return {StepStatus::error};
        if (all_readers_left()) return finish();

        each(ins_, [](auto& in) { in.gather(); });
        const bool starved = any(ins_, [](const auto& in) { return in.is_starved(); });
        std::uint8_t port = 0;
        if (!starved && any(ins_, [&port](const auto& in) { return in.is_short() || (++port, false); })) {
            return {StepStatus::need_input, port};
        }
        port = 0;
        each(outs_, [](auto& out) { out.gather(); });
        // `port` counts what `outputs()` has: the connected ones. The others are never short.
        if (any(outs_, [&port](const auto& out) { return out.is_short() || (out.stream != nullptr && (++port, false)); })) {
            return {StepStatus::need_output, port};
        }
        if (any(ins_, [](const auto& in) { return in.is_cut(); }) || any(outs_, [](const auto& out) { return out.is_cut(); })) {
            return breach("the block moved a number of items that is not a multiple of its rate");
        }
        return call(InIndices{}, OutIndices{});
    }

    template <std::size_t... I, std::size_t... O> StepResult call(std::index_sequence<I...>, std::index_sequence<O...>) noexcept {
        std::tuple in_views{std::get<I>(ins_).view()...};
        std::tuple out_views{std::get<O>(outs_).view(room(std::get<O>(outs_).rate))...};

        trace_work(trace::Event::work_entry, 0);
        const bool profiled = metrics_ == Metrics::profile;
        std::uint64_t offered = 0;
        if constexpr (kIns != 0) offered = std::get<0>(in_views).size();
        // A call that is not offered the next boundary cannot cross it, and is spared the clock.
        const bool may_cross = WEIR_TRACING && kIns != 0 && items_in_ + offered >= next_rx_;
        const std::int64_t entry_ns = profiled || may_cross ? monotonic_ns() : 0;
        const WorkResult result = work(std::get<I>(in_views)..., std::get<O>(out_views)...);
        if (profiled) add(counters_.busy_ns, static_cast<std::uint64_t>(monotonic_ns() - entry_ns));

        if (((std::get<I>(in_views).consumed() > std::get<I>(in_views).size()) || ... || false) ||
            ((std::get<O>(out_views).produced() > std::get<O>(out_views).size()) || ... || false)) {
            return breach("the block moved more items than it was offered");
        }
        std::uint64_t in_items = 0, out_items = 0;
        if constexpr (kIns != 0) in_items = std::get<0>(in_views).consumed();
        if constexpr (kOuts != 0) out_items = std::get<0>(out_views).produced();
        const std::uint64_t items = std::max(in_items, out_items);
        trace_work(trace::Event::work_exit, items);
        if (metrics_ != Metrics::none) count_call(items);
        if (verifying_ && is_sink()) (digest_consumed(I, std::get<I>(in_views)), ...);
        if (tapped_) (record(std::get<O>(outs_), std::get<O>(out_views)), ...);

        // tx is stamped before the items are published, rx after they are consumed: a latency is never too short.
        if (out_items != 0) count_out(out_items);
        (produce(std::get<O>(outs_), std::get<O>(out_views).produced()), ...);
        (consume(std::get<I>(ins_), std::get<I>(in_views).consumed()), ...);
        if (in_items != 0) count_in(in_items, entry_ns);

        const bool moved = ((std::get<I>(in_views).consumed() != 0) || ... || false) ||
                           ((std::get<O>(out_views).produced() != 0) || ... || false);
        return after(result, moved, static_cast<std::uint32_t>(items));
    }

    /// What the scheduler is told, once everything that moved is committed.
    StepResult after(WorkResult result, bool moved, std::uint32_t items) noexcept {
        if (result.status == WorkStatus::error) {
            failed_ = true;  // the outputs are not ended: what came so far must not pass for the whole
            return {StepStatus::error, 0, false, items};
        }
        if (result.status == WorkStatus::done || at_limit()) return finish(items);
        if (result.status == WorkStatus::wait) return {StepStatus::wait, 0, false, items, result.wake_ns};
        if (moved) return {StepStatus::progress, 0, can_go_on(), items};
        if (at_end_of_input(result)) {
            each(ins_, [this](auto& in) {
                if (in.is_starved()) add(counters_.tail_items, in.window.total);
            });
            return finish();
        }
        if (result.status == WorkStatus::ok) return {StepStatus::progress, 0, true};
        if (result.status == WorkStatus::need_input) return {StepStatus::need_input, scarcest(ins_)};
        return {StepStatus::need_output, scarcest(outs_)};
    }

    /// After a call that moved nothing: no input can bring another firing. A join ends at its shortest input.
    bool at_end_of_input(WorkResult result) noexcept {
        if constexpr (kIns == 0) return false;
        if (any(ins_, [](const auto& in) { return in.is_starved(); })) {
            // With its last items gone, a block may still have more to write than there was space for.
            return result.status != WorkStatus::need_output || all(outs_, [](const auto& out) { return out.is_all_free(); });
        }
        // It was shown all that is left, and wants more than its rate.
        return result.status == WorkStatus::need_input &&
               all(ins_, [](const auto& in) { return in.window.ended && in.window.contiguous == in.window.total; });
    }

    // A block that has its firings and wants more does not say where: at the port with the fewest of them, most likely.
    template <class Ports> static std::uint8_t scarcest(Ports& ports) noexcept {
        std::uint64_t fewest = kNever;
        std::uint8_t found = 0, port = 0;
        each(ports, [&](const auto& p) {
            if (!p.is_connected()) return;  // `outputs()` leaves them out
            if (p.firings() < fewest) found = port;
            fewest = std::min(fewest, p.firings());
            ++port;
        });
        return found;
    }

    bool can_go_on() noexcept {
        return all(ins_, [](const auto& in) { return in.stream->unread(*in.reader) >= in.rate || in.window.ended; }) &&
               all(outs_, [](const auto& out) { return out.stream == nullptr || out.stream->free_now() >= out.rate; });
    }

    StepResult finish(std::uint32_t items = 0) noexcept {
        finished_ = true;
        each(ins_, [](auto& in) { in.stream->detach(*in.reader); });
        each(outs_, [](auto& out) {
            if (out.stream != nullptr) out.stream->end();
        });
        return {StepStatus::done, 0, false, items};
    }

    StepResult breach(const char* what) noexcept {
        breach_ = what;
        return {StepStatus::error};
    }

    bool all_readers_left() noexcept {
        if (outputs_.empty()) return false;
        return all(outs_, [](const auto& out) { return out.stream == nullptr || out.stream->closed(); });
    }

    /// A source's last item, in whole firings.
    std::uint64_t source_limit() const {
        std::uint64_t limit = kNever;
        if (spec_.ends_at_run_items && run_items_ != 0) limit = run_items_;
        // An emitted pattern does not end by itself.
        if (verifying_) limit = std::min(limit, total_items().value_or(kNever));
        const std::uint64_t firing = std::get<0>(outs_).rate;
        return limit == kNever ? kNever : limit - limit % firing;
    }

    bool at_limit() const noexcept { return kIns == 0 && items_out_ >= limit_; }

    /// The most items that an output with this rate may get in this call: a source stops at its limit.
    std::size_t room(std::size_t rate) const noexcept {
        if constexpr (kIns == 0) {
            const std::uint64_t left = limit_ - items_out_;
            if (left < std::get<0>(outs_).wanted) return static_cast<std::size_t>(left / std::get<0>(outs_).rate * rate);
        }
        return std::numeric_limits<std::size_t>::max();
    }

    template <class... Port> WorkResult work(Port&... ports) noexcept {
        if constexpr (kIns == 0) {
            if (verifying_) return emit_pattern(ports...);
        }
        return block_.work(ports...);
    }

    template <class... Port> WorkResult emit_pattern(Port&... ports) noexcept {
        if (limit_ == items_out_) return WorkStatus::done;  // a limit of 0: nothing is ever committed
        std::size_t firings = std::numeric_limits<std::size_t>::max(), port = 0;
        ((firings = std::min(firings, ports.size() / rate(spec_.out_rates, port++))), ...);
        port = 0;
        const auto fill = [this, firings](auto& out, std::size_t items_a_firing) {
            using T = typename std::remove_reference_t<decltype(out)>::value_type;
            const std::size_t n = firings * items_a_firing;
            const std::uint64_t first = items_out_ / std::get<0>(outs_).rate * items_a_firing;
            CounterPattern<T>::fill(out.data(), n, first);
            out.produce(n);
        };
        (fill(ports, rate(spec_.out_rates, port++)), ...);
        return WorkStatus::ok;
    }

    template <class T> void digest_consumed(std::size_t port, const In<T>& view) noexcept {
        // Odd factors keep the inputs of a sink apart; a sink with one input has the digest of its stream.
        digest_ += (2 * port + 1) * digest_of(view.data(), view.consumed(), consumed_[port]);
        consumed_[port] += view.consumed();
    }

    template <class T> static void record(OutPort<T>& out, const Out<T>& view) noexcept {
        if (out.tap == nullptr) return;
        const auto bytes = std::as_bytes(std::span<const T>(view.data(), view.produced()));
        out.tap->insert(out.tap->end(), bytes.begin(), bytes.end());
    }

    template <class T> void produce(OutPort<T>& out, std::size_t n) noexcept {
        if (out.stream == nullptr || n == 0) return;
        out.stream->produce(n);
        if (metrics_ != Metrics::none) out.stream->sample_fill();
    }
    template <class T> static void consume(InPort<T>& in, std::size_t n) noexcept {
        if (n != 0) in.stream->consume(*in.reader, n);
    }

    void count_out(std::uint64_t n) noexcept {
        items_out_ += n;
        counters_.items_out.store(items_out_, std::memory_order_relaxed);
        if constexpr (WEIR_TRACING) {
            for (; items_out_ >= next_tx_; next_tx_ += tx_granularity_) {
                std::int64_t due = 0;
                if constexpr (requires { block_.scheduled_ns(next_tx_); }) due = block_.scheduled_ns(next_tx_ - 1);
                log_->write(trace::Event::tx, spec_.index, next_tx_ / tx_granularity_, due);
            }
        }
    }

    void count_in(std::uint64_t n, [[maybe_unused]] std::int64_t entry_ns) noexcept {
        items_in_ += n;
        counters_.items_in.store(items_in_, std::memory_order_relaxed);
        if (arrivals_) arrivals_->add(monotonic_ns(), items_in_);
        if constexpr (WEIR_TRACING) {
            for (; items_in_ >= next_rx_; next_rx_ += spec_.probe_granularity) {
                log_->write(trace::Event::rx, spec_.index, next_rx_ / spec_.probe_granularity, entry_ns);
            }
        }
        if (items_in_ >= milestone_) {
            milestone_ = kNever;
            observer_->milestone(*this);
        }
    }

    void count_call(std::uint64_t items) noexcept {
        add(counters_.calls, 1);
        add(counters_.items_per_call[histogram::bucket_of(items)], 1);
    }

    void trace_work(trace::Event event, std::uint64_t items) noexcept {
        if constexpr (WEIR_TRACING) {
            if (work_events_) log_->write(event, spec_.index, items, 0);
        }
    }

    /// One writer: a load and a store do, and cost no locked instruction.
    static void add(std::atomic<std::uint64_t>& counter, std::uint64_t n) noexcept {
        counter.store(counter.load(std::memory_order_relaxed) + n, std::memory_order_relaxed);
    }

    B block_{};
    typename InTuples::InPorts ins_;
    typename OutTuples::OutPorts outs_;
    std::uint64_t items_in_ = 0, items_out_ = 0;
    std::uint64_t limit_ = kNever;
    std::uint64_t next_tx_ = kNever, next_rx_ = kNever;
    std::uint64_t tx_granularity_ = 0;
    std::uint64_t digest_ = 0;
    std::array<std::uint64_t, kIns> consumed_{};
    const char* breach_ = nullptr;
    bool work_events_ = false;
    bool verifying_ = false;
    bool tapped_ = false;
    bool finished_ = false;
    bool failed_ = false;
};

}  // namespace weir
