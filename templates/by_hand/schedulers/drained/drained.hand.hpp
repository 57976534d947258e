// Drained buffers, as a programmer would write them by hand. A thread fills the first buffer of a chain, and each block
// then empties its input buffer into its output buffer. The thread repeats this until the chain has ended, and
// continues with its next chain, which then has the caches to itself.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <tuple>

#include "by_hand/stage.hpp"
#include "weir/run.hpp"

namespace weir::schedulers {

struct Drained {
    /// `graph.pieces(worker, f)` calls `f` with the blocks of each of the worker's chains, in order.
    template <class Graph> void run(Run& run, Graph& graph) const {
        const bool watched = by_hand::is_watched(run.setup());
        run.launch(run.plan().workers, [&](Worker& worker) {
            const auto move = [&](std::uint64_t most, auto&... stages) {
                return watched ? drain<true>(run, most, stages...) : drain<false>(run, most, stages...);
            };
            // The measured window opens after the last chain's warm-up, and closes when the first chain ends. So a
            // thread warms up all its chains first, and ends all of them together: the window then covers every chain.
            if (const std::uint64_t warm_up = run.setup().spec.warmup_items; warm_up != 0)
                graph.pieces(worker.index, [&](auto&... stages) { move(warm_up, stages...); });
            constexpr auto kAll = std::numeric_limits<std::uint64_t>::max();
            bool over = true;
            graph.pieces(worker.index, [&](auto&... stages) { over = move(kAll, stages...) && over; });
            if (over) graph.pieces(worker.index, [&](auto&... stages) { (stages.end(run), ...); });
        });
    }

  private:
    /// Moves `most` items, or all that are left, in whole buffers. Returns false if the run has to stop.
    template <bool Watched, class... Stages>
    [[gnu::noinline]] static bool drain(Run& run, std::uint64_t most, Stages&... stages) noexcept {
        const auto& source = std::get<0>(std::tie(stages...));
        const std::uint64_t until = source.left() - std::min(most, source.left());
        while (source.left() > until) {
            std::size_t n = source.spec().chunk_items;
            if (run.stopping() || !(stages.template drain<Watched>(run, n) && ...)) return false;
        }
        return true;
    }
};

}  // namespace weir::schedulers
