// GNU Radio's own scheduler: a thread for each block, which waits until its buffers let it work.
#pragma once

#include <gnuradio/top_block.h>

#include <atomic>
#include <chrono>
#include <thread>

#include "hosted/guest.hpp"

namespace weir::schedulers {

struct Gnuradio310 {
    /// `graph.top` has the blocks and connections; each instance of the run is the guest behind one of them.
    template <class Graph> void run(Run& run, Graph& graph) const {
        run.host(run.plan().workers, [&] {
            const auto workers = run.plan().workers;
            for (std::size_t worker = 0; worker < workers.size(); ++worker) {
                for (const std::uint32_t index : workers[worker].tasks) guest(run, index).join(run, worker);
            }
            graph.top->start();
            for (std::size_t i = 0; i < run.instances().size(); ++i) guest(run, i).read_back();
            std::atomic<bool> over{false};
            // Who waits for a buffer does not hear that the run is to stop.
            std::thread stopper([&] {
                while (!over && !run.stopping()) std::this_thread::sleep_for(std::chrono::milliseconds(20));
                if (!over) graph.top->stop();
            });
            graph.top->wait();
            over = true;
            stopper.join();
        });
    }

  private:
    static gnuradio3::Guest& guest(Run& run, std::size_t index) { return dynamic_cast<gnuradio3::Guest&>(*run.instances()[index]); }
};

}  // namespace weir::schedulers
