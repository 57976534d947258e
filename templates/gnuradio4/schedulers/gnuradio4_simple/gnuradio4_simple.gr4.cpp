// GNU Radio's simple scheduler with one thread, which calls all blocks in turn.
#include "run.hpp"

namespace weir::gnuradio4 {

void run(weir_run* it, const Graph& graph) {
    on_own_thread([&] {
        weir_enter_as(it, 0);
        {
            gr::scheduler::Simple<gr::scheduler::ExecutionPolicy::singleThreaded> scheduler;
            run_graph(it, graph, scheduler);
        }
        weir_leave(it);
    });
}

}  // namespace weir::gnuradio4
