// GNU Radio's own scheduler: a thread for each block, which waits until its buffers let it work.
#pragma once

#include <gnuradio/top_block.h>

#include <atomic>
#include <chrono>
#include <thread>

#include "weir/run.hpp"

namespace weir::schedulers {

struct Gnuradio310 {
    /// `graph.connect()` gives `graph.top` the blocks and connections; `graph.placed()` is the block of each instance.
    template <class Graph> void run(Run& run, Graph& graph) const {
        run.host(run.plan().workers, [&] {
            const auto workers = run.plan().workers;
            const auto placed = graph.placed();
            for (std::size_t worker = 0; worker < workers.size(); ++worker) {
                for (const std::uint32_t index : workers[worker].tasks) placed[index]->join(run, worker);
            }
            graph.connect();
            for (auto* const block : placed) block->connect(*graph.top);
            graph.top->start();
            for (auto* const block : placed) block->read_back();
            std::atomic<bool> over{false};
            // Who waits for a buffer does not hear that the run is to stop.
            std::thread stopper([&] {
                while (!over && !run.stopping()) {
                    std::this_thread::sleep_for(std::chrono::milliseconds(20));
                    for (auto* const block : placed) block->look();
                }
                if (!over) graph.top->stop();
            });
            graph.top->wait();
            over = true;
            stopper.join();
            for (auto* const block : placed) block->conclude();
        });
    }
};

}  // namespace weir::schedulers
