// Ports of a node: their types, derived from the block's `work`, and the streams they are bound to.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>
#include <string_view>
#include <tuple>
#include <type_traits>
#include <utility>
#include <vector>

#include "weir/alignment.hpp"
#include "weir/block.hpp"
#include "weir/fenced.hpp"
#include "weir/stream.hpp"

namespace weir {

/// Placeholder for the stream of an output that nothing reads: the node drops these items.
template <class T> struct Unconnected {};
template <class T> inline constexpr Unconnected<T> unconnected{};

/// Binding of an output in a flowgraph.
template <class T> struct OutRef {
    StreamBase* stream = nullptr;
    OutRef(Stream<T>& to) noexcept : stream(&to) {}  // NOLINT: implicit, so that flowgraphs name the stream alone
    OutRef(Unconnected<T>) noexcept {}               // NOLINT
};

template <class... T> std::tuple<Stream<T>&...> ins(Stream<T>&... streams) noexcept { return {streams...}; }
template <class... Ref> std::tuple<Ref&...> outs(Ref&... streams) noexcept { return {streams...}; }

// A port reads its stream's state when a turn begins, and publishes its progress when the turn ends. A call in between
// then costs no more than the block's own work. For another thread, that would be too late: a port on a ring also reads
// again when it has less to offer than wanted, and publishes its progress in batches. Each publication costs the other
// end a cache miss. A wake-up may cost a system call on either side, so it happens when the turn ends, or after a batch
// if a thread would respond at once.

/// Request a ring's current state instead of a cached one. A turn continues while the state shows items, so an old
/// state would shorten it.
inline constexpr std::size_t kAllThereIs = std::numeric_limits<std::size_t>::max();

/// View of a port during consecutive calls, without access to its stream.
template <class T> struct FollowingCalls {
    T* at;
    std::size_t left;  ///< items, or space, in one span
    std::size_t wanted;  ///< most items that a call is offered
    std::size_t first;  ///< items left before these calls
    std::size_t least;  ///< with fewer items left, the calls end

    /// `undisturbed`: items that may move before the port must read or publish.
    FollowingCalls(T* begin, std::size_t items, std::size_t at_most, std::size_t undisturbed) noexcept
        : at(begin), left(items), wanted(at_most), first(items), least(items - undisturbed + 1) {}

    bool go_on() const noexcept { return left >= least; }
    std::span<T> offer() const noexcept { return {at, std::min(left, wanted)}; }
    void move(std::size_t n) noexcept {
        at += n;
        left -= n;
    }
    std::size_t moved() const noexcept { return first - left; }
};

/// Input port and its state during the steps of one turn. A step writes only `taken`; the rest follows from it.
struct InPort {
    StreamBase* stream;
    StreamBase::Reader* reader;
    std::size_t rate;
    std::size_t wanted;
    /// With fewer items, leave them for the next turn, when the writer may have added more. A call then gets many items
    /// instead of the rest of a drained buffer.
    std::size_t low;
    bool ring;
    StreamBase::Window window{};  ///< state at the last read
    const std::byte* begin = nullptr;  ///< first item of the window
    std::size_t taken = 0;  ///< items consumed of the window
    std::size_t published = 0;  ///< consumed items already published to the stream
    std::size_t enough = 0;  ///< with fewer items left, read the state again
    std::size_t worth = 0;  ///< fewer items are not worth a step in this turn
    std::size_t unheard = 0;  ///< items for which a sleeping writer has not been woken

    InPort(StreamBase& from, Instance& task, std::size_t items_a_firing, std::size_t chunk);

    const Edge* edge() const noexcept { return stream; }
    /// Read the state at the beginning of a turn.
    void open(Leave leave) noexcept {
        worth = leave == Leave::some ? low : rate;
        look();
    }
    void gather() noexcept {
        if (!ring || left() >= enough) return;
        settle();
        look();
    }
    bool has_firing() const noexcept { return left() >= rate; }
    bool is_short() const noexcept { return window.total - taken < rate; }
    bool is_starved() const noexcept { return is_short() && window.ended; }
    /// Return whether the buffer's end splits the next firing, because the block consumed a part of a firing before.
    bool is_cut() const noexcept { return !has_firing() && !is_short(); }
    bool is_connected() const noexcept { return true; }
    bool is_worth_a_step() const noexcept { return window.total - taken >= worth || window.ended; }
    bool is_shown_all() const noexcept { return window.ended && offered() == window.total - taken; }
    std::size_t offered() const noexcept { return std::min(left(), wanted); }
    /// Return how many items consecutive calls may consume before the port must read or publish, or a step is no longer
    /// worthwhile.
    std::size_t undisturbed() const noexcept {
        if (window.ended) return 0;  // the last calls must see the end
        const std::size_t least = std::max(ring ? enough : rate, worth);
        const std::size_t items = left() >= least ? left() - least + 1 : 0;
        return ring ? std::min(items, stream->batch() - std::min(taken - published, stream->batch())) : items;
    }
    /// Return the available firings. An ended input gets no more items, so no thread waits for it.
    std::uint64_t firings() const noexcept {
        return window.ended ? std::numeric_limits<std::uint64_t>::max() : (window.total - taken) / rate;
    }
    std::uint64_t tail() const noexcept { return window.total - taken; }
    template <class T> In<T> view() const noexcept {
        return {{reinterpret_cast<const T*>(begin) + taken, offered()}, is_shown_all()};
    }
    /// Limit the view to the first items.
    template <class T> In<T> part(std::size_t items) const noexcept {
        return {{reinterpret_cast<const T*>(begin) + taken, items}, false};
    }
    template <class T> PortStep step() const noexcept {
        return {reinterpret_cast<std::uintptr_t>(begin) + taken * sizeof(T), rate * sizeof(T)};
    }
    template <class T> FollowingCalls<const T> following(std::size_t at_most) const noexcept {
        return {reinterpret_cast<const T*>(begin) + taken, left(), wanted, std::min(undisturbed(), at_most)};
    }
    void commit(std::size_t n) noexcept {
        taken += n;
        if (ring && taken - published >= stream->batch()) settle();
    }
    void settle() noexcept {
        const std::size_t news = taken - published;
        if (news == 0) return;
        stream->consume(*reader, news);
        published = taken;
        if (!ring || !stream->wakes_writer()) return;
        unheard += news;
        if (unheard >= stream->batch() && stream->has_writer_at_hand()) wake(fence_before_waking());
    }
    void finish() noexcept {
        stream->detach(*reader);
        if (stream->wakes_writer()) ++unheard;
    }
    bool is_unheard() const noexcept { return unheard != 0; }
    void wake(const Fenced& fenced) noexcept {
        if (std::exchange(unheard, 0) != 0) stream->wake_writer(fenced);
    }

  private:
    std::size_t left() const noexcept { return window.contiguous - taken; }  ///< in one span
    void look() noexcept {
        window = stream->readable(*reader, ring ? kAllThereIs : wanted);
        begin = stream->read_bytes(*reader);
        taken = published = 0;
        enough = left() >= wanted ? wanted : rate;  // missing items will hardly arrive before the next call
    }
};

/// Output port and its state during the steps of one turn.
struct OutPort {
    StreamBase* stream;
    std::size_t rate;
    std::size_t wanted;
    std::size_t low;  ///< with less space, leave it for the next turn
    bool ring = false;
    std::vector<std::byte> scratch;  ///< buffer of an unconnected output
    StreamBase::Window window{};
    std::byte* begin = nullptr;
    std::size_t made = 0;  ///< items written to the window
    std::size_t published = 0;  ///< written items already published to the stream
    std::size_t enough = 0;  ///< with less space left, read the state again
    std::size_t worth = 0;
    std::size_t unheard = 0;  ///< items for which sleeping readers have not been woken

    /// `to`: null if nothing reads the output.
    OutPort(StreamBase* to, Instance& task, std::size_t items_a_firing, std::size_t chunk, std::size_t item_bytes);

    /// Make the output overwrite the items that the input reads, so that the input alone determines how much can move.
    void lie_over(InPort& input) {
        stream->lie_over(*input.stream);
        low = rate;
    }

    const Edge* edge() const noexcept { return stream; }
    std::string_view name() const noexcept { return stream->name(); }
    void open(Leave leave) noexcept {
        worth = leave == Leave::some ? low : rate;
        if (stream != nullptr) look();
    }
    void gather(bool sampled) noexcept {
        if (!ring || left() >= enough) return;
        settle(sampled);
        look();
    }
    bool has_firing() const noexcept { return left() >= rate; }
    bool is_short() const noexcept { return window.total - made < rate; }
    bool is_cut() const noexcept { return !has_firing() && !is_short(); }
    bool is_connected() const noexcept { return stream != nullptr; }
    bool is_worth_a_step() const noexcept { return window.total - made >= worth; }
    std::uint64_t firings() const noexcept { return (window.total - made) / rate; }  ///< firings that fit
    bool is_all_free() const noexcept { return left() >= wanted; }  ///< a call is not offered more
    std::size_t offered() const noexcept { return std::min(left(), wanted); }
    /// Same as `InPort::undisturbed`. 0 for an output that nothing reads: all its calls use the same space.
    std::size_t undisturbed() const noexcept {
        if (stream == nullptr) return 0;
        const std::size_t least = std::max(ring ? enough : rate, worth);
        const std::size_t items = left() >= least ? left() - least + 1 : 0;
        return ring ? std::min(items, stream->batch() - std::min(made - published, stream->batch())) : items;
    }
    template <class T> Out<T> view(std::size_t at_most) noexcept {
        return Out<T>{{reinterpret_cast<T*>(begin) + made, std::min(std::min(left(), wanted), at_most)}};
    }
    template <class T> PortStep step() const noexcept {
        if (stream == nullptr) return {};
        return {reinterpret_cast<std::uintptr_t>(begin) + made * sizeof(T), rate * sizeof(T)};
    }
    template <class T> FollowingCalls<T> following(std::size_t at_most) const noexcept {
        return {reinterpret_cast<T*>(begin) + made, left(), wanted, std::min(undisturbed(), at_most)};
    }
    void commit(std::size_t n, bool sampled) noexcept {
        if (stream == nullptr) return;  // dropped: the same space again
        made += n;
        if (ring && made - published >= stream->batch()) settle(sampled);
    }
    void settle(bool sampled) noexcept {
        const std::size_t news = made - published;
        if (news == 0) return;
        stream->produce(news);
        published = made;
        if (sampled) stream->sample_fill();
        if (!ring || !stream->wakes_readers()) return;
        unheard += news;
        if (unheard >= stream->batch() && stream->has_reader_at_hand()) wake(fence_before_waking());
    }
    void finish() noexcept {
        if (stream == nullptr) return;
        stream->end();
        if (stream->wakes_readers()) ++unheard;
    }
    bool is_unheard() const noexcept { return unheard != 0; }
    void wake(const Fenced& fenced) noexcept {
        if (std::exchange(unheard, 0) != 0) stream->wake_readers(fenced);
    }

  private:
    std::size_t left() const noexcept { return window.contiguous - made; }
    void look() noexcept {
        window = stream->writable(ring ? kAllThereIs : wanted, rate);
        begin = stream->write_bytes();
        made = published = 0;
        enough = left() >= wanted ? wanted : rate;
    }
};

/// Wake the threads at the other ends when a turn ends, once all ports have settled.
template <class Ins, class Outs> void wake_other_ends(Ins& ins, Outs& outs) noexcept {
    const auto is_unheard = [](const auto& port) { return port.is_unheard(); };
    if (!std::ranges::any_of(outs, is_unheard) && !std::ranges::any_of(ins, is_unheard)) return;
    const auto wake = [&](const Fenced& fenced) {
        for (auto& out : outs) out.wake(fenced);
        for (auto& in : ins) in.wake(fenced);
    };
    wake(fence_before_waking());
}

namespace detail {

template <class T> struct IsIn : std::false_type {};
template <class T> struct IsIn<In<T>&> : std::true_type {};
template <class T> struct IsOut : std::false_type {};
template <class T> struct IsOut<Out<T>&> : std::true_type {};

template <template <class> class Is, class... Arg>
using Chosen = decltype(std::tuple_cat(
    std::declval<std::conditional_t<Is<Arg>::value, std::tuple<typename std::remove_reference_t<Arg>::value_type>,
                                    std::tuple<>>>()...));

template <class Work> struct WorkPorts;
template <class B, class... Arg> struct WorkPorts<WorkResult (B::*)(Arg...) noexcept> {
    static_assert(((IsIn<Arg>::value || IsOut<Arg>::value) && ...), "work takes In<T>& and Out<T>& only");
    using Inputs = Chosen<IsIn, Arg...>;  ///< std::tuple of item types
    using Outputs = Chosen<IsOut, Arg...>;
    static constexpr bool kInputsFirst = [] {
        bool out_seen = false, ordered = true;
        ((out_seen |= IsOut<Arg>::value, ordered &= !(out_seen && IsIn<Arg>::value)), ...);
        return ordered;
    }();
    static_assert(kInputsFirst, "work takes its inputs before its outputs");
};

template <class Items> struct PortTuples;
template <class... T> struct PortTuples<std::tuple<T...>> {
    using InStreams = std::tuple<Stream<T>&...>;
    using OutRefs = std::tuple<OutRef<T>...>;
    using InPorts = std::array<InPort, sizeof...(T)>;
    using OutPorts = std::array<OutPort, sizeof...(T)>;
};

}  // namespace detail
}  // namespace weir
