// GNU Radio's simple scheduler with a thread for each worker: thread i of n calls the blocks i, i + n, i + 2 n … in turn.
#include "run.hpp"

namespace weir::gnuradio4 {
namespace {

/// Runs `work` once on each thread of the pool. No call returns before all have begun.
template <class F> void on_each_thread(gr::thread_pool::TaskExecutor& pool, std::size_t threads, F work) {
    std::barrier begun(static_cast<std::ptrdiff_t>(threads)), over(static_cast<std::ptrdiff_t>(threads) + 1);
    for (std::size_t thread = 0; thread < threads; ++thread) {
        pool.execute([&] {
            begun.arrive_and_wait();
            work();
            over.arrive_and_wait();
        });
    }
    over.arrive_and_wait();
}

}  // namespace

void run(weir_run* it, const Graph& graph) {
    on_own_thread([&] {
        const auto cpus = graph.workers[0].cpus;
        if (!weir_keep_to(it, cpus.data(), cpus.size())) return;
        Pool pool(graph.workers.size());
        on_each_thread(pool.executor(), graph.workers.size(), [&] { weir_enter(it); });
        {
            gr::scheduler::Simple<gr::scheduler::ExecutionPolicy::multiThreaded> scheduler(
                gr::property_map{{"poolName", std::string(Pool::name())}});
            run_graph(it, graph, scheduler);
        }
        on_each_thread(pool.executor(), graph.workers.size(), [&] { weir_leave(it); });
    });
}

}  // namespace weir::gnuradio4
