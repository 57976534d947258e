// GNU Radio's own scheduler: one thread per block, which waits until its buffers have the items and the
// space for a call.
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
    /// `graph.connect()` adds the blocks and connections to `graph.top`. `graph.placed()` returns the block of each
    /// instance.
    template <class Graph> void run(Run& run, Graph& graph) const {
        run.host(run.plan().workers, [&] {
            const auto workers = run.plan().workers;
            const auto placed = graph.placed();
            for (std::size_t worker = 0; worker < workers.size(); ++worker) {
                for (const std::uint32_t index : workers[worker].tasks) placed[index]->join(run, worker);
            }
            graph.connect();
            for (auto* const block : placed) block->connect(*graph.top);
            // Threads that enter the run wait for each other, and `start` waits for them. So report the absent workers
            // before `start`. If no thread enters, report them after it: the run then begins when GNU Radio has started
            // its threads.
            const bool some_enter = std::ranges::any_of(placed, [](const auto* block) { return block->enters(); });
            const auto report_absent = [&] {
                for (auto* const block : placed) {
                    if (!block->enters()) block->report_absent();
                }
            };
            if (some_enter) report_absent();
            graph.top->start();
            if (!some_enter) report_absent();
            for (auto* const block : placed) block->read_back();

            std::mutex mutex;
            std::condition_variable ended;
            bool over = false;
            // Stop GNU Radio when the run has to stop, because a block that waits for a buffer does not notice this.
            std::thread stopper([&] {
                std::unique_lock lock(mutex);
                while (!ended.wait_for(lock, std::chrono::milliseconds(20), [&] { return over; })) {
                    if (run.stopping()) return graph.top->stop();
                    for (auto* const block : placed) block->report_items();
                }
            });
            graph.top->wait();
            {
                const std::lock_guard lock(mutex);
                over = true;
            }
            ended.notify_one();
            stopper.join();
            // Report all counts before a block leaves, because the end of the measured window reads them.
            for (auto* const block : placed) block->report_items();
            for (auto* const block : placed) block->leave_run();
        });
    }
};

}  // namespace weir::schedulers
