// Block of a hand-written chain. It works in place on a circulating buffer, or reads one buffer and writes the next.
// Weir adds no code around its calls, unless the run is observed: then `weir/hosted.hpp` adds the same code as under
// Weir's own schedulers.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>
#include <tuple>
#include <utility>
#include <vector>

#include "weir/arena.hpp"
#include "weir/crash.hpp"
#include "weir/hosted.hpp"
#include "weir/memory.hpp"
#include "weir/run.hpp"

namespace weir::by_hand {

/// Returns true if the run verifies, counts or traces its blocks.
inline bool is_watched(const RunSetup& setup) {
    return setup.verify || setup.spec.metrics != Metrics::none ||
           (setup.tracer != nullptr && has_probes(setup.tracer->backend()));
}

/// Connection between two blocks.
class Place final : public PlaceBase {
  public:
    /// Makes a connection through the circulating `buffers`, with the size of all of them together.
    Place(const Arena& buffers, const PlaceSpec& spec) : PlaceBase(spec), buffer_(&buffers.buffer()) {}
    /// Makes a connection with its own buffer.
    Place(std::size_t item_bytes, const PlaceSpec& spec)
        : PlaceBase(spec), own_(Buffer::plain(spec.items * item_bytes, 0)), buffer_(&own_) {}
    Place(const Place&) = delete;
    Place& operator=(const Place&) = delete;

    const Buffer& buffer() const noexcept { return *buffer_; }
    bool has_own() const noexcept { return buffer_ == &own_; }

  private:
    Buffer own_;
    const Buffer* buffer_;
};

/// End of a connection, as `weir/hosted.hpp` needs it. It keeps no position: the thread hands the buffer on, or drains
/// it before it fills it again.
struct Port {
    const Place* place;
    std::byte* items;  ///< start of the connection's buffer

    const Edge* edge() const noexcept { return place; }
    std::string_view name() const noexcept { return place->spec().name; }
    void commit(std::size_t, bool = false) noexcept {}
    void finish() noexcept {}
};

template <Block B> class Stage final : public Hosted<B, Instance> {
    using Base = Hosted<B, Instance>;
    using Base::kIns, Base::kOuts;
    using typename Base::Work;
    static_assert(kIns <= 1 && kOuts <= 1, "a chain has no forks and no joins");
    static constexpr bool kIsEnd = kIns == 0 || kOuts == 0;
    using InIndices = std::make_index_sequence<kIns>;
    using OutIndices = std::make_index_sequence<kOuts>;
    template <std::size_t I> using InItem = std::tuple_element_t<I, typename Work::Inputs>;
    template <std::size_t O> using OutItem = std::tuple_element_t<O, typename Work::Outputs>;

  public:
    [[gnu::cold, gnu::noinline]] Stage(const NodeSpec& spec, typename B::Params params,
                                       const std::array<const Place*, kIns>& ins,
                                       const std::array<const Place*, kOuts>& outs)
        : Base(spec) {
        this->block_.params = std::move(params);
        for (std::size_t i = 0; i < kIns; ++i) ins_[i] = {ins[i], ins[i]->buffer().data()};
        for (std::size_t o = 0; o < kOuts; ++o) outs_[o] = {outs[o], outs[o]->buffer().data()};
        Base::joins(ins_, outs_);
        // The circulating buffers belong to the source, which is the first to touch them.
        for (const Place* place : outs) {
            if (kIns == 0 || place->has_own()) this->memory_.push_back(&place->buffer());
        }
    }

    [[gnu::cold, gnu::noinline]] ~Stage() override = default;

    void begin(std::int64_t barrier_ns) noexcept override {
        left_ = this->quota_.firings;
        Base::begin(barrier_ns);
        this->state_.store(StepStatus::progress, std::memory_order_relaxed);
    }

    bool tap(std::string_view output, std::vector<std::byte>& to) override { return Base::tap(outs_, output, to); }

    /// Returns the number of items in the run: the largest possible number if the run is endless.
    std::uint64_t items() const noexcept { return this->quota_.firings; }
    /// Returns the number of items that `drain` still has to move.
    std::uint64_t left() const noexcept { return left_; }

    /// Runs the block on `n` items, in place. Returns false if the block failed and the run has to stop.
    template <bool Watched> bool work_on(Run& run, void* items, std::size_t n) noexcept {
        return work_on<Watched>(run, items, n, InIndices{}, OutIndices{});
    }

    /// Calls the block until it has moved `n` items from its input buffer to its output buffer; a source only produces
    /// them. Lowers `n` if fewer items are left. Returns false if the block failed and the run has to stop.
    template <bool Watched> bool drain(Run& run, std::size_t& n) noexcept {
        n = static_cast<std::size_t>(std::min<std::uint64_t>(n, left_));
        left_ -= n;
        return drain<Watched>(run, n, InIndices{}, OutIndices{});
    }

    /// Reports that the block has processed `items` items. `over`: these are all items of the run.
    void leave(Run& run, [[maybe_unused]] std::uint64_t items, bool over) noexcept {
        if constexpr (!kIsEnd) {
            this->counters_.items_in.store(items, std::memory_order_relaxed);
            this->counters_.items_out.store(items, std::memory_order_relaxed);
        }
        if (over) end(run);
    }

    /// Marks the block as ended.
    void end(Run& run) noexcept {
        this->state_.store(StepStatus::done, std::memory_order_relaxed);
        run.task_done(*this);
    }

  private:
    template <bool Watched, std::size_t... I, std::size_t... O>
    bool work_on(Run& run, void* items, std::size_t n, std::index_sequence<I...>, std::index_sequence<O...>) noexcept {
        std::tuple ins{In<InItem<I>>{{static_cast<const InItem<I>*>(items), n}, false}...};
        std::tuple outs{Out<OutItem<O>>{{static_cast<OutItem<O>*>(items), n}}...};
        const WorkResult result = call<Watched>(ins, outs);
        const bool moved_all =
            ((std::get<I>(ins).consumed() == n) && ... && true) && ((std::get<O>(outs).produced() == n) && ... && true);
        if (result.status == WorkStatus::error || !moved_all) [[unlikely]]
            return failed(run, result, "the block did not move all that it was offered, which block.json says it does");
        // The source and the sink report the progress of the run. The blocks between them move as many items, and
        // report their number in `leave`.
        if constexpr (Watched || kIsEnd) Base::commit(ins_, Base::consumed(ins), outs_, Base::produced(outs));
        return true;
    }

    template <bool Watched, std::size_t... I, std::size_t... O>
    bool drain(Run& run, std::size_t n, std::index_sequence<I...>, std::index_sequence<O...>) noexcept {
        [[maybe_unused]] const bool ended = left_ == 0;
        for (std::size_t at = 0; at < n;) {
            std::tuple ins{In<InItem<I>>{{reinterpret_cast<const InItem<I>*>(ins_[I].items) + at, n - at}, ended}...};
            std::tuple outs{Out<OutItem<O>>{{reinterpret_cast<OutItem<O>*>(outs_[O].items) + at, n - at}}...};
            const WorkResult result = call<Watched>(ins, outs);
            const std::size_t moved =
                std::max(Base::items_into(Base::consumed(ins)), Base::items_out_of(Base::produced(outs)));
            const bool as_many = ((std::get<I>(ins).consumed() == moved) && ... && true) &&
                                 ((std::get<O>(outs).produced() == moved) && ... && true);
            if (result.status == WorkStatus::error || !as_many || moved == 0) [[unlikely]]
                return failed(run, result,
                              moved == 0 ? "the block moved nothing of what it was offered"
                                         : "the block did not write as many items as it read");
            if constexpr (Watched) Base::commit(ins_, Base::consumed(ins), outs_, Base::produced(outs));
            at += moved;
        }
        if constexpr (!Watched) {
            typename Base::Read read;
            typename Base::Written written;
            read.fill(n);
            written.fill(n);
            Base::commit(ins_, read, outs_, written);
        }
        return true;
    }

    template <bool Watched, class... In_, class... Out_>
    [[gnu::always_inline]] WorkResult call(std::tuple<In_...>& ins, std::tuple<Out_...>& outs) noexcept {
        if constexpr (Watched) {
            const AtWork mark(*this);
            return Base::call(ins, outs);
        } else {
            return this->block_.work(std::get<In_>(ins)..., std::get<Out_>(outs)...);
        }
    }

    [[gnu::cold, gnu::noinline]] bool failed(Run& run, const WorkResult& result, const char* breach) noexcept {
        if (result.status != WorkStatus::error) this->breach_ = breach;
        this->state_.store(StepStatus::error, std::memory_order_relaxed);
        run.fail(*this, this->error());
        return false;
    }

    std::array<Port, kIns> ins_{};
    std::array<Port, kOuts> outs_{};
    std::uint64_t left_ = 0;
};

}  // namespace weir::by_hand
