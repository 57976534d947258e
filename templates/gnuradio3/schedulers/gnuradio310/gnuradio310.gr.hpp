// GNU Radio's own scheduler: a thread per block, which waits until its buffers let it work.
#pragma once

#include <gnuradio/top_block.h>

#include <algorithm>
#include <chrono>
#include <condition_variable>
#include <mutex>
#include <thread>

#include "weir/run.hpp"

namespace weir::schedulers {

struct Gnuradio310 {
    /// `graph.connect()` adds the blocks and connections to `graph.top`; `graph.placed()` has the block of each instance.
    template <class Graph> void run(Run& run, Graph& graph) const {
        run.host(run.plan().workers, [&] {
            const auto workers = run.plan().workers;
            const auto placed = graph.placed();
            for (std::size_t worker = 0; worker < workers.size(); ++worker) {
                for (const std::uint32_t index : workers[worker].tasks) placed[index]->join(run, worker);
            }
            graph.connect();
            for (auto* const block : placed) block->connect(*graph.top);
            // Threads that enter the run wait there for each other, and GNU Radio waits for them. So report the others first. If no thread enters,
            // the run begins after GNU Radio has started its own.
            const bool some_enter = std::ranges::any_of(placed, [](const auto* block) { return block->enters(); });
            const auto tell_others = [&] {
                for (auto* const block : placed) {
                    if (!block->enters()) block->be_absent();
                }
            };
            if (some_enter) tell_others();
            graph.top->start();
            if (!some_enter) tell_others();
            for (auto* const block : placed) block->read_back();

            std::mutex mutex;
            std::condition_variable ended;
            bool over = false;
            // A block that waits for a buffer does not notice that the run has to stop.
            std::thread stopper([&] {
                std::unique_lock lock(mutex);
                while (!ended.wait_for(lock, std::chrono::milliseconds(20), [&] { return over; })) {
                    if (run.stopping()) return graph.top->stop();
                    for (auto* const block : placed) block->look();
                }
            });
            graph.top->wait();
            {
                const std::lock_guard lock(mutex);
                over = true;
            }
            ended.notify_one();
            stopper.join();
            // Report all counts first: closing the window reads them.
            for (auto* const block : placed) block->look();
            for (auto* const block : placed) block->conclude();
        });
    }
};

}  // namespace weir::schedulers
