// Block of GNU Radio 4 that hosts a block of Weir. It has the same ports, and calls the hosted block in `processBulk`.
#pragma once

#include <gnuradio-4.0/Block.hpp>
#include <gnuradio-4.0/BlockModel.hpp>

#include <time.h>
#include <algorithm>
#include <array>
#include <complex>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <memory>
#include <string>
#include <tuple>
#include <type_traits>
#include <utility>

#include "weir_hosted.h"

namespace weir::gnuradio4 {

using u8 = std::uint8_t;
using i8 = std::int8_t;
using i16 = std::int16_t;
using i32 = std::int32_t;
using f32 = float;
using f64 = double;
using c64 = std::complex<float>;

template <class... Items> struct Types {};

/// Calls the hosted block. `Ins`, `Outs`: numbers of ports.
template <std::size_t Ins, std::size_t Outs> class Host {
  public:
    static constexpr std::uint64_t kNever = std::numeric_limits<std::uint64_t>::max();

    Host() { ends_.fill(kNever); }

    void attach(weir_run* run, std::size_t instance) noexcept {
        run_ = run;
        instance_ = instance;
        for (std::size_t i = 0; i < Ins; ++i) wants_[i] = rates_in_[i] = weir_items_in(run, instance, i);
        for (std::size_t o = 0; o < Outs; ++o) rates_out_[o] = weir_items_out(run, instance, o);
    }

    /// Takes the tags of an input, and remembers the position at which the stream ends. GNU Radio would stop the block
    /// as soon as it has read all items before that position, but the hosted block must see that they are the last.
    template <class Port> void find_end(std::size_t input, Port& port) noexcept {
        const std::size_t waiting = port.tagReader().available();
        if (waiting == 0) return;
        auto tags = port.tagReader().get(waiting);
        for (const auto& tag : tags) {
            if (gr::detail::defaultEOSTagMatcher(tag, 0)) ends_[input] = tag.index;
        }
        std::ignore = tags.consume(waiting);
    }

    template <class... Spans> gr::work::Status call(Spans&... spans) noexcept {
        std::array<weir_port, Ins + Outs> ports;
        std::size_t port = 0;
        ((ports[port] = port_of(port, spans), ++port), ...);
        if (!is_ready(ports) && !weir_stopping(run_)) return gr::work::Status::INSUFFICIENT_INPUT_ITEMS;
        const weir_turn turn = weir_turn_of(run_, instance_, ports.data(), ports.data() + Ins);
        if (turn.next == WEIR_OVER) {
            over_ = true;
            return gr::work::Status::DONE;
        }
        wake_ns_ = turn.next == WEIR_AT_TIME ? turn.wake_ns : 0;
        for (std::size_t i = 0; i < Ins; ++i) wants_[i] = rates_in_[i] + (turn.wants_more ? ports[i].size : 0);
        return gr::work::Status::OK;
    }

    void granted(std::size_t output, std::size_t items) noexcept { weir_granted(run_, instance_, output, items); }

    /// Call when GNU Radio stops the block.
    void stop(std::size_t unread) noexcept {
        if (run_ != nullptr && !std::exchange(over_, true)) weir_left(run_, instance_, unread);
    }

  private:
    template <class Span> weir_port port_of(std::size_t port, Span& span) noexcept {
        using Item = typename Span::value_type;
        void* const items = const_cast<std::remove_const_t<Item>*>(span.data());
        if constexpr (requires { span.consume(0); }) {
            return {items, span.size(), span.streamIndex + span.size() >= ends_[port], &span,
                    [](void* end, std::size_t n) { std::ignore = static_cast<Span*>(end)->consume(n); }};
        } else {
            return {items, span.size(), false, &span,
                    [](void* end, std::size_t n) { static_cast<Span*>(end)->publish(n); }};
        }
    }

    /// Returns whether the ports have what the hosted block needs to make progress. GNU Radio polls its blocks, and an
    /// idle poll is no call of the hosted block.
    bool is_ready(const std::array<weir_port, Ins + Outs>& ports) const noexcept {
        if (wake_ns_ != 0 && now_ns() < wake_ns_) return false;
        bool all = true;
        for (std::size_t i = 0; i < Ins; ++i) {
            if (ports[i].size >= wants_[i]) continue;
            if (ports[i].over) return true;
            all = false;
        }
        for (std::size_t o = 0; o < Outs; ++o) all = all && ports[Ins + o].size >= rates_out_[o];
        return all;
    }

    static std::int64_t now_ns() noexcept {
        timespec now{};
        clock_gettime(CLOCK_MONOTONIC, &now);
        return now.tv_sec * 1'000'000'000 + now.tv_nsec;
    }

    weir_run* run_ = nullptr;
    std::size_t instance_ = 0;
    std::array<std::size_t, Ins> rates_in_{}, wants_{};
    std::array<std::size_t, Outs> rates_out_{};
    std::array<std::uint64_t, Ins> ends_;
    std::int64_t wake_ns_ = 0;
    bool over_ = false;
};

// The ports are asynchronous: a hosted block decides by itself how many items it reads and writes.
template <class T> using In = gr::PortIn<T, gr::Async>;

/// Output that never reserves more than its buffer. If its last reader leaves during a call, GNU Radio computes far more
/// free space than that. `Model` sets the same limit for synchronous ports.
template <class T> struct Out : gr::PortOut<T, gr::Async> {
    using Base = gr::PortOut<T, gr::Async>;
    using Base::Base;

    template <gr::SpanReleasePolicy policy> auto tryReserve(std::size_t items) {
        return Base::template tryReserve<policy>(std::min(items, Base::bufferSize()));
    }
};

/// Block as GNU Radio calls it. GNU Radio disconnects the inputs of a block in the call after the one in which it ends. A
/// thread leaves once all its blocks have ended, and might never make that call. Then the blocks that write to these
/// inputs would wait forever, so this makes the call at once.
template <class T> struct Model : gr::BlockWrapper<T> {
    using gr::BlockWrapper<T>::BlockWrapper;

    gr::work::Result work(std::size_t requested) override {
        if (!std::exchange(begun_, true)) keep_within_buffers();
        const gr::work::Result result = gr::BlockWrapper<T>::work(requested);
        if (result.status != gr::work::Status::DONE) return result;
        at_end();
        return gr::BlockWrapper<T>::work(requested);
    }

    /// Called after each call in which the block has ended. At the first, its inputs are still connected.
    virtual void at_end() {}

  private:
    void keep_within_buffers() {
        T& block = this->blockRef();
        gr::for_each_port([](auto& port) { port.max_samples = port.bufferSize(); },
                          gr::outputPorts<gr::PortType::STREAM>(&block));
        block.outputStreamCache.invalidateConfig();
    }

    bool begun_ = false;
};

template <class Ports> void ask_for_nothing(Ports& ports) {
    std::apply([](auto&... port) { ((port.min_samples = 0), ...); }, ports);
}

template <class Host, class Ports> void report_buffers(Host& host, Ports& ports) {
    std::size_t output = 0;
    std::apply([&](auto&... port) { (host.granted(output++, port.bufferSize()), ...); }, ports);
}

template <class Ins, class Outs> struct HostBlock;

template <class... I, class... O>
    requires(sizeof...(I) != 0 && sizeof...(O) != 0)
struct HostBlock<Types<I...>, Types<O...>> : gr::Block<HostBlock<Types<I...>, Types<O...>>, gr::NoTagPropagation> {
    using Base = gr::Block<HostBlock<Types<I...>, Types<O...>>, gr::NoTagPropagation>;
    std::tuple<In<I>...> in;
    std::tuple<Out<O>...> out;
    GR_MAKE_REFLECTABLE(HostBlock, in, out);

    Host<sizeof...(I), sizeof...(O)> host{};

    explicit HostBlock(gr::property_map settings = {}) : Base(std::move(settings)) {
        ask_for_nothing(in);
        ask_for_nothing(out);
    }
    void start() { report_buffers(host, out); }
    void stop() { host.stop(unread()); }
    std::size_t unread() {
        return std::apply([](auto&... port) { return std::max({port.streamReader().available()...}); }, in);
    }
    gr::work::Result work(std::size_t requested = std::numeric_limits<std::size_t>::max()) noexcept {
        std::size_t input = 0;
        std::apply([&](auto&... port) { (host.find_end(input++, port), ...); }, in);
        return Base::work(requested);
    }
    gr::work::Status processBulk(auto&... spans) noexcept { return host.call(spans...); }
};

template <class... O>
struct HostBlock<Types<>, Types<O...>> : gr::Block<HostBlock<Types<>, Types<O...>>, gr::NoTagPropagation> {
    using Base = gr::Block<HostBlock<Types<>, Types<O...>>, gr::NoTagPropagation>;
    std::tuple<Out<O>...> out;
    GR_MAKE_REFLECTABLE(HostBlock, out);

    Host<0, sizeof...(O)> host{};

    explicit HostBlock(gr::property_map settings = {}) : Base(std::move(settings)) { ask_for_nothing(out); }
    void start() { report_buffers(host, out); }
    void stop() { host.stop(0); }
    gr::work::Status processBulk(auto&... spans) noexcept { return host.call(spans...); }
};

template <class... I>
struct HostBlock<Types<I...>, Types<>> : gr::Block<HostBlock<Types<I...>, Types<>>, gr::NoTagPropagation> {
    using Base = gr::Block<HostBlock<Types<I...>, Types<>>, gr::NoTagPropagation>;
    std::tuple<In<I>...> in;
    GR_MAKE_REFLECTABLE(HostBlock, in);

    Host<sizeof...(I), 0> host{};

    explicit HostBlock(gr::property_map settings = {}) : Base(std::move(settings)) { ask_for_nothing(in); }
    void stop() {
        host.stop(std::apply([](auto&... port) { return std::max({port.streamReader().available()...}); }, in));
    }
    gr::work::Result work(std::size_t requested = std::numeric_limits<std::size_t>::max()) noexcept {
        std::size_t input = 0;
        std::apply([&](auto&... port) { (host.find_end(input++, port), ...); }, in);
        return Base::work(requested);
    }
    gr::work::Status processBulk(auto&... spans) noexcept { return host.call(spans...); }
};

}  // namespace weir::gnuradio4
