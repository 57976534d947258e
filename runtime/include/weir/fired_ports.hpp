// Ports of a block that a fixed schedule fires: places in the worker's arena, rings across workers, and outputs that
// nothing reads.
//
// `ready`: can n items be moved? `contiguous`: how many of them in one call. `commit`: n items were moved. `planned`
// ends a call, after which a place advances as planned, whatever was moved. `cut_off`: n items will never arrive.
#pragma once

#include <cstddef>
#include <string_view>
#include <tuple>
#include <utility>
#include <vector>

#include "weir/arena.hpp"
#include "weir/block.hpp"
#include "weir/fenced.hpp"
#include "weir/stream.hpp"

namespace weir {

template <class P> struct PlaceIn {
    static constexpr bool kWaits = false;
    P* place;
    std::size_t reader = 0, done = 0;

    PlaceIn(P& from, std::size_t reader_number = 0) noexcept
        : place(&from), reader(reader_number) {}  // NOLINT: implicit
    const Edge* edge() const noexcept { return place; }
    bool ready(std::size_t) noexcept { return true; }
    auto view(std::size_t n, bool ended) const noexcept {
        return In<typename P::Item>{{place->read_data(reader) + done, n}, ended};
    }
    void commit(std::size_t n) noexcept { done += n; }
    void planned(std::size_t n) noexcept {
        place->took(reader, n);
        done = 0;
    }
    void finish() noexcept {}
};

template <class P> struct PlaceOut {
    static constexpr bool kWaits = false;
    P* place;
    std::size_t done = 0;

    PlaceOut(P& to) noexcept : place(&to) {}  // NOLINT: implicit
    const Edge* edge() const noexcept { return place; }
    std::string_view name() const noexcept { return place->spec().name; }
    bool ready(std::size_t) noexcept { return true; }
    auto view(std::size_t n) const noexcept { return Out<typename P::Item>{{place->write_data() + done, n}}; }
    void commit(std::size_t n, bool) noexcept { done += n; }
    void planned(std::size_t n) noexcept {
        place->wrote(n);
        done = 0;
    }
    void finish() noexcept {}
};

// Both ends of a ring publish their progress in batches, and before they wait for anything. Items that were just
// written must be fetched from the writer's L2, which takes several times as long as fetching them from beyond it. The
// same holds for the indices that both ends share.

template <class T> struct RingIn {
    static constexpr bool kWaits = true;
    Stream<T>* stream;
    StreamBase::Reader* reader = nullptr;
    StreamBase::Window window{};
    std::size_t moved = 0;  ///< items not yet published to the other end

    RingIn(Stream<T>& from) noexcept : stream(&from) {}  // NOLINT: implicit
    const Edge* edge() const noexcept { return stream; }
    bool ready(std::size_t n) noexcept {
        window = stream->readable(*reader, moved + n);
        if (moved != 0 && window.contiguous <= moved) {  // unmirrored, and at its end
            settle();
            window = stream->readable(*reader, n);
        }
        return window.total >= moved + n;
    }
    bool cut_off(std::size_t n) const noexcept { return window.ended && window.total < moved + n; }
    std::size_t contiguous() const noexcept { return window.contiguous - moved; }
    In<T> view(std::size_t n, bool ended) const noexcept { return {{stream->read_data(*reader) + moved, n}, ended}; }
    void commit(std::size_t n) noexcept {
        moved += n;
        if (moved >= stream->keeps()) settle();
    }
    void planned(std::size_t) noexcept {}
    void settle() noexcept {
        if (moved == 0) return;
        stream->consume(*reader, std::exchange(moved, 0));
        wake();
    }
    void finish() noexcept {
        settle();
        stream->detach(*reader);
        wake();
    }
    void wake() noexcept {
        if (stream->wakes_writer()) stream->wake_writer(fence_before_waking());
    }
};

template <class T> struct RingOut {
    static constexpr bool kWaits = true;
    Stream<T>* stream;
    StreamBase::Window window{};
    std::size_t moved = 0;

    RingOut(Stream<T>& to) noexcept : stream(&to) {}  // NOLINT: implicit
    const Edge* edge() const noexcept { return stream; }
    std::string_view name() const noexcept { return stream->name(); }
    bool ready(std::size_t n) noexcept {
        window = stream->writable(moved + n, moved + n);
        if (moved != 0 && window.contiguous <= moved) {
            settle(false);
            window = stream->writable(n, n);
        }
        return window.total >= moved + n;
    }
    std::size_t contiguous() const noexcept { return window.contiguous - moved; }
    Out<T> view(std::size_t n) const noexcept { return Out<T>{{stream->write_data() + moved, n}}; }
    void commit(std::size_t n, bool sampled) noexcept {
        moved += n;
        if (moved >= stream->keeps()) settle(sampled);
    }
    void planned(std::size_t) noexcept {}
    void settle(bool sampled) noexcept {
        if (moved == 0) return;
        stream->produce(std::exchange(moved, 0));
        if (sampled) stream->sample_fill();
        wake();
    }
    void finish() noexcept {
        settle(false);
        stream->end();
        wake();
    }
    void wake() noexcept {
        if (stream->wakes_readers()) stream->wake_readers(fence_before_waking());
    }
};

/// Output that nothing reads.
template <class T> struct UnreadOutput {
    static constexpr bool kWaits = false;
    std::vector<T> scratch = {};

    const Edge* edge() const noexcept { return nullptr; }
    std::string_view name() const noexcept { return {}; }
    bool ready(std::size_t) noexcept { return true; }
    std::size_t contiguous() const noexcept { return scratch.size(); }
    Out<T> view(std::size_t n) noexcept { return Out<T>{{scratch.data(), n}}; }
    void commit(std::size_t, bool) noexcept {}
    void planned(std::size_t) noexcept {}
    void finish() noexcept {}
};

template <class... Port> struct Inputs : std::tuple<Port...> {
    using std::tuple<Port...>::tuple;
};
template <class... Port> struct Outputs : std::tuple<Port...> {
    using std::tuple<Port...>::tuple;
};

}  // namespace weir
