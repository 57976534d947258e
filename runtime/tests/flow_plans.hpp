// Schedulers that take every graph, for typed tests. Some use the code of flow, but need separate types because their
// plans differ.
#pragma once

#include <gtest/gtest.h>

#include "flow/flow.hpp"
#include "test_graph.hpp"
#include "thread_pool/thread_pool.hpp"
#include "work_stealing/work_stealing.hpp"

namespace weir::testing {

struct SingleThread : schedulers::Flow {};
struct ThreadPerBlock : schedulers::Flow {};

using AllSchedulers =
    ::testing::Types<SingleThread, ThreadPerBlock, schedulers::Flow, schedulers::ThreadPool, schedulers::WorkStealing>;

template <class Scheduler> struct Placements {
    static constexpr bool kOneEach =
        std::is_same_v<Scheduler, ThreadPerBlock> || std::is_same_v<Scheduler, schedulers::WorkStealing>;
    static constexpr bool kMove =
        std::is_same_v<Scheduler, schedulers::ThreadPool> || std::is_same_v<Scheduler, schedulers::WorkStealing>;

    static Placement make(const Graph& graph, std::uint64_t seed) {
        if constexpr (std::is_same_v<Scheduler, SingleThread>) return on_one_worker(graph);
        if constexpr (kOneEach) return on_one_each(graph);
        return dealt_out(graph, 1 + seed % 4 + (kMove ? seed % 3 : 0), seed);
    }
};

}  // namespace weir::testing
