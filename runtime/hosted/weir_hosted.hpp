// Implementation of `weir_hosted.h`: a program whose `main` and scheduler are in another language.
#pragma once

#include <mutex>
#include <span>
#include <string>
#include <vector>

#include "hosted/guest.hpp"
#include "hosted/weir_hosted.h"
#include "weir/app.hpp"

/// Run in progress.
struct weir_run {
    weir::Run& run;
    std::span<weir::hosted::Guest* const> guests;  ///< in the order of the plan
    std::string failure = {};
    std::mutex mutex = {};
    std::vector<bool> taken = {};                  ///< by worker: a thread has taken it
};

namespace weir::hosted {

/// Scheduler of the program. `graph.guests()` has the blocks in the order of the plan.
struct PeerScheduler {
    static inline void (*go)(weir_run*) = nullptr;

    template <class Graph> void run(Run& run, Graph& graph) const {
        const auto guests = graph.guests();
        for (Guest* const guest : guests) guest->join(run);
        launch(run, guests);
    }

  private:
    static void launch(Run& run, std::span<Guest* const> guests);
};

template <class Graph> int main_of(int argc, char** argv, const Plan& plan, void (*go)(weir_run*)) {
    PeerScheduler::go = go;
    return app_main<Graph, PeerScheduler>(argc, argv, plan);
}

}  // namespace weir::hosted
