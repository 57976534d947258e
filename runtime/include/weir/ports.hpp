// The ports of a node: their types, read off the block's `work`, and what each is bound to.
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

/// Stands for the stream of an output that nothing reads: the node drops those items.
template <class T> struct Unconnected {};
template <class T> inline constexpr Unconnected<T> unconnected{};

/// What an output is bound to in a flowgraph.
template <class T> struct OutRef {
    StreamBase* stream = nullptr;
    OutRef(Stream<T>& to) noexcept : stream(&to) {}  // NOLINT: implicit, so that flowgraphs name the stream alone
    OutRef(Unconnected<T>) noexcept {}               // NOLINT
};

template <class... T> std::tuple<Stream<T>&...> ins(Stream<T>&... streams) noexcept { return {streams...}; }
template <class... Ref> std::tuple<Ref&...> outs(Ref&... streams) noexcept { return {streams...}; }

// A port looks at its stream when a turn begins, and tells it what it moved when the turn ends: what lies between costs no more
// than the block's own work. Towards another thread that would be late, so there a port also looks again when it has less to offer
// than was wanted, and tells what it moved as soon as that is a batch. To be told costs the other end a look at a cache line; to be
// woken may cost a call of the kernel on either side, and happens when the turn ends, or for a batch if somebody would come at once.

/// Wanted of a ring: what there is now, not what was known to be there. A turn goes on for as long as its look shows something, so an
/// old one would make it a short turn.
inline constexpr std::size_t kAllThereIs = std::numeric_limits<std::size_t>::max();

/// A port as calls see it that follow each other without a look at its stream, or a word to anyone, between them.
template <class T> struct FollowingCalls {
    T* at;
    std::size_t left;  ///< items, or space, in one span
    std::size_t wanted;  ///< the most that a call is offered
    std::size_t first;  ///< what was left before them
    std::size_t least;  ///< with less left something else has to be done

    /// `undisturbed`: items that may be moved until then.
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

/// An input port and what the steps of one turn see of it. A step writes `taken` alone: what is left follows from it.
struct InPort {
    StreamBase* stream;
    StreamBase::Reader* reader;
    std::size_t rate;
    std::size_t wanted;
    /// Fewer items than this are left for the next turn, when the writer may have added to them: so a call is offered much, and not
    /// what a drain leaves.
    std::size_t low;
    bool ring;
    StreamBase::Window window{};  ///< as it was when the port last looked
    const std::byte* begin = nullptr;  ///< of the window's first item
    std::size_t taken = 0;  ///< of the window
    std::size_t told = 0;  ///< of these, what the stream knows
    std::size_t enough = 0;  ///< with fewer items in sight it looks again
    std::size_t worth = 0;  ///< fewer items than this are not worth a step in this turn
    std::size_t unheard = 0;  ///< for which a writer that sleeps has not been woken

    InPort(StreamBase& from, Instance& task, std::size_t items_a_firing, std::size_t chunk);

    const Edge* edge() const noexcept { return stream; }
    /// The look with which a turn begins.
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
    /// A firing is there, but the buffer's end cuts it in two: the block has moved a part of one before.
    bool is_cut() const noexcept { return !has_firing() && !is_short(); }
    bool is_connected() const noexcept { return true; }
    bool is_worth_a_step() const noexcept { return window.total - taken >= worth || window.ended; }
    bool is_shown_all() const noexcept { return window.ended && offered() == window.total - taken; }
    std::size_t offered() const noexcept { return std::min(left(), wanted); }
    /// Calls may follow each other until so many items are taken: before that the port has neither to look nor to tell, and a step
    /// is worth while.
    std::size_t undisturbed() const noexcept {
        if (window.ended) return 0;  // the last calls are told so
        const std::size_t least = std::max(ring ? enough : rate, worth);
        const std::size_t items = left() >= least ? left() - least + 1 : 0;
        return ring ? std::min(items, stream->batch() - std::min(taken - told, stream->batch())) : items;
    }
    /// That are there; an ended input will have no more, so nothing waits for it.
    std::uint64_t firings() const noexcept {
        return window.ended ? std::numeric_limits<std::uint64_t>::max() : (window.total - taken) / rate;
    }
    std::uint64_t tail() const noexcept { return window.total - taken; }
    template <class T> In<T> view() const noexcept {
        return {{reinterpret_cast<const T*>(begin) + taken, offered()}, is_shown_all()};
    }
    /// Of the first items alone.
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
        if (ring && taken - told >= stream->batch()) settle();
    }
    void settle() noexcept {
        const std::size_t news = taken - told;
        if (news == 0) return;
        stream->consume(*reader, news);
        told = taken;
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
        taken = told = 0;
        enough = left() >= wanted ? wanted : rate;  // what was not there now hardly is a call later
    }
};

/// An output port and what the steps of one turn see of it.
struct OutPort {
    StreamBase* stream;
    std::size_t rate;
    std::size_t wanted;
    std::size_t low;  ///< less space than this is left for the next turn, likewise
    bool ring = false;
    std::vector<std::byte> scratch;  ///< where an unconnected output writes
    StreamBase::Window window{};
    std::byte* begin = nullptr;
    std::size_t made = 0;  ///< of the window
    std::size_t told = 0;  ///< of these, what the stream knows
    std::size_t enough = 0;  ///< with less space in sight it looks again
    std::size_t worth = 0;
    std::size_t unheard = 0;  ///< for which readers that sleep have not been woken

    /// `to`: null where nothing reads it.
    OutPort(StreamBase* to, Instance& task, std::size_t items_a_firing, std::size_t chunk, std::size_t item_bytes);

    /// What is written here takes the place of what is read there, so that the input alone says how much can move.
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
    std::uint64_t firings() const noexcept { return (window.total - made) / rate; }  ///< that there is space for
    bool is_all_free() const noexcept { return left() >= wanted; }  ///< more will not be offered
    std::size_t offered() const noexcept { return std::min(left(), wanted); }
    /// Likewise (`InPort::undisturbed`). Of an output that nothing reads, whose space is the same in each call: 0.
    std::size_t undisturbed() const noexcept {
        if (stream == nullptr) return 0;
        const std::size_t least = std::max(ring ? enough : rate, worth);
        const std::size_t items = left() >= least ? left() - least + 1 : 0;
        return ring ? std::min(items, stream->batch() - std::min(made - told, stream->batch())) : items;
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
        if (ring && made - told >= stream->batch()) settle(sampled);
    }
    void settle(bool sampled) noexcept {
        const std::size_t news = made - told;
        if (news == 0) return;
        stream->produce(news);
        told = made;
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
        made = told = 0;
        enough = left() >= wanted ? wanted : rate;
    }
};

/// The end of a turn, once all its ports have settled.
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
