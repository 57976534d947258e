// A block of a chain that is written out by hand: it is called on a buffer, which it changes in place. Nothing of Weir's is then done around it, unless
// somebody watches the run: that is `weir/hosted.hpp`, as under Weir's own schedulers.
#pragma once

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
#include "weir/run.hpp"

namespace weir::by_hand {

/// Joins two blocks, in whichever buffer both are called on. It has as many items as all buffers together.
class Place final : public PlaceBase {
  public:
    explicit Place(const PlaceSpec& spec) : PlaceBase(spec) {}
};

/// An end of one, as `weir/hosted.hpp` wants it. Items are not moved on: the buffer is.
struct Port {
    const Place* place;

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
    /// `buffers`: the memory of all of them.
    [[gnu::cold, gnu::noinline]] Stage(const NodeSpec& spec, typename B::Params params, const Arena& buffers,
                                       const std::array<const Place*, kIns>& ins,
                                       const std::array<const Place*, kOuts>& outs)
        : Base(spec) {
        this->block_.params = std::move(params);
        for (std::size_t i = 0; i < kIns; ++i) ins_[i] = {ins[i]};
        for (std::size_t o = 0; o < kOuts; ++o) outs_[o] = {outs[o]};
        Base::joins(ins_, outs_);
        if constexpr (kIns == 0) this->memory_.push_back(&buffers.buffer());
    }

    [[gnu::cold, gnu::noinline]] ~Stage() override = default;

    void begin(std::int64_t barrier_ns) noexcept override {
        Base::begin(barrier_ns);
        this->state_.store(StepStatus::progress, std::memory_order_relaxed);
    }

    bool tap(std::string_view output, std::vector<std::byte>& to) override { return Base::tap(outs_, output, to); }

    /// Of the run; more than there will ever be where it has no end.
    std::uint64_t items() const noexcept { return this->quota_.firings; }

    /// The block's work on `n` items. False: it failed, and the run is to stop.
    template <bool Watched> bool work_on(Run& run, void* items, std::size_t n) noexcept {
        return work_on<Watched>(run, items, n, InIndices{}, OutIndices{});
    }

    /// It has worked on `items` items. `over`: these were all.
    void leave(Run& run, [[maybe_unused]] std::uint64_t items, bool over) noexcept {
        if constexpr (!kIsEnd) {
            this->counters_.items_in.store(items, std::memory_order_relaxed);
            this->counters_.items_out.store(items, std::memory_order_relaxed);
        }
        if (!over) return;
        this->state_.store(StepStatus::done, std::memory_order_relaxed);
        run.task_done(*this);
    }

  private:
    template <bool Watched, std::size_t... I, std::size_t... O>
    bool work_on(Run& run, void* items, std::size_t n, std::index_sequence<I...>, std::index_sequence<O...>) noexcept {
        std::tuple ins{In<InItem<I>>{{static_cast<const InItem<I>*>(items), n}, false}...};
        std::tuple outs{Out<OutItem<O>>{{static_cast<OutItem<O>*>(items), n}}...};
        const WorkResult result = [&] {
            if constexpr (Watched) {
                const AtWork mark(*this);
                return Base::call(ins, outs);
            } else {
                return this->block_.work(std::get<I>(ins)..., std::get<O>(outs)...);
            }
        }();
        const bool moved_all =
            ((std::get<I>(ins).consumed() == n) && ... && true) && ((std::get<O>(outs).produced() == n) && ... && true);
        if (result.status == WorkStatus::error || !moved_all) [[unlikely]]
            return failed(run, result);
        // The ends say how far the run has come; what lies between them has come as far, and says so when it leaves.
        if constexpr (Watched || kIsEnd) Base::commit(ins_, Base::consumed(ins), outs_, Base::produced(outs));
        return true;
    }

    [[gnu::cold, gnu::noinline]] bool failed(Run& run, const WorkResult& result) noexcept {
        if (result.status != WorkStatus::error)
            this->breach_ = "the block did not move all that it was offered, which block.json says it does";
        this->state_.store(StepStatus::error, std::memory_order_relaxed);
        run.fail(*this, this->error());
        return false;
    }

    std::array<Port, kIns> ins_{};
    std::array<Port, kOuts> outs_{};
};

}  // namespace weir::by_hand
