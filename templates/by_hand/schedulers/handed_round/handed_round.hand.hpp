// Circulating buffers, as a programmer would write them by hand. Each thread takes the next buffer from the thread
// before it, runs its part of the chain on the buffer, and hands it on. The last thread hands it back to the first.
#pragma once

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <tuple>
#include <vector>

#include "by_hand/stage.hpp"
#include "weir/run.hpp"
#include "weir/wait.hpp"

namespace weir::schedulers {

struct HandedRound {
    /// `graph.pieces(worker, f)` calls `f` with the worker's blocks, in order.
    template <class Graph> void run(Run& run, Graph& graph) const {
        std::vector<HandedOn> handed(run.plan().workers.size());
        const bool watched = by_hand::is_watched(run.setup());
        run.launch(run.plan().workers, [&](Worker& worker) {
            const bool first = worker.index == 0;
            Counts counts{handed[worker.index].count, (first ? handed.back() : handed[worker.index - 1]).count,
                          first ? Graph::kBuffers : 0};
            graph.pieces(worker.index, [&](auto&... stages) {
                if (watched) go_round<true>(worker, graph, counts, stages...);
                else go_round<false>(worker, graph, counts, stages...);
            });
        });
    }

  private:
    static constexpr std::size_t kApart = 128;  ///< two cache lines, because prefetchers fetch lines in pairs

    /// Number of buffers that a thread has handed on. The store releases and the load acquires, because the count
    /// publishes the content of the buffers.
    struct alignas(kApart) HandedOn {
        std::atomic<std::uint64_t> count{0};
    };

    /// Counts of a thread and of the thread before it. `spare`: buffers that the thread may take at the start, before
    /// any is handed to it.
    struct Counts {
        std::atomic<std::uint64_t>& own;
        const std::atomic<std::uint64_t>& before;
        std::uint64_t spare;
    };

    template <bool Watched, class Graph, class... Stages>
    static void go_round(Worker& worker, Graph& graph, Counts counts, Stages&... stages) noexcept {
        Run& run = *worker.run;
        Waiting waiting(run.plan().wait, *worker.events, worker.log, static_cast<std::uint32_t>(worker.index));
        auto* const buffers = reinterpret_cast<typename Graph::Item*>(graph.memory.buffer().data());
        const std::uint64_t items = std::get<0>(std::tie(stages...)).items();
        std::uint64_t done = 0, taken = 0;
        for (std::size_t buffer = 0; done != items; buffer = buffer + 1 == Graph::kBuffers ? 0 : buffer + 1) {
            while (counts.before.load(std::memory_order_acquire) + counts.spare == taken && !run.stopping())
                waiting.idle(kForever);
            if (run.stopping()) break;
            const auto n = static_cast<std::size_t>(std::min<std::uint64_t>(items - done, Graph::kBufferItems));
            if (!(stages.template work_on<Watched>(run, buffers + buffer * Graph::kBufferItems, n) && ...)) break;
            counts.own.store(++taken, std::memory_order_release);
            done += n;
        }
        (stages.leave(run, done, done == items), ...);
    }
};

}  // namespace weir::schedulers
