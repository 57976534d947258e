// What is behind `weir_hosted.h`: a program whose `main` and scheduler are in another language.
#pragma once

#include <mutex>
#include <span>
#include <string>
#include <vector>

#include "hosted/guest.hpp"
#include "hosted/weir_hosted.h"
#include "weir/app.hpp"

/// A run that is under way.
struct weir_run {
    weir::Run& run;
    std::span<weir::hosted::Guest* const> guests;  ///< as the plan counts them
    std::string failure = {};
    std::mutex mutex = {};
    std::vector<bool> taken = {};                  ///< by worker: a thread is it
};

namespace weir::hosted {

/// The scheduler, for its part of the program. `graph.guests()` has the blocks as the plan counts them.
struct Elsewhere {
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
    Elsewhere::go = go;
    return app_main<Graph, Elsewhere>(argc, argv, plan);
}

}  // namespace weir::hosted
