// A scheduler made with GNU Radio's SchedulerBase: each thread calls the blocks of one worker in turn, and is pinned.
#include "run.hpp"

namespace weir::gnuradio4 {
namespace {

using gr::scheduler::ExecutionPolicy;

struct Custom : gr::scheduler::SchedulerBase<Custom, ExecutionPolicy::multiThreaded> {
    using Base = gr::scheduler::SchedulerBase<Custom, ExecutionPolicy::multiThreaded>;
    using Base::Base;

    weir_run* it = nullptr;
    std::span<const Worker> workers;
    std::size_t planned = 0;  ///< number of blocks of the plan

    void customInit() {
        const std::lock_guard lock(this->_executionOrderMutex);
        const std::lock_guard guard(this->_adoptionBlocksMutex);
        this->_adoptionBlocks.clear();
        this->_adoptionBlocks.resize(workers.size());
        this->_executionOrder->clear();
        for (const Worker& worker : workers) {
            auto& jobs = this->_executionOrder->emplace_back();
            for (const std::size_t block : worker.blocks) jobs.push_back(this->_graph->blocks()[block]);
        }
        // Recorders are in no plan.
        const auto others = this->_graph->blocks().subspan(planned);
        this->_executionOrder->back().insert(this->_executionOrder->back().end(), others.begin(), others.end());
    }
    void customReset() { customInit(); }

    /// The affinity mask of a pool would pin the thread that sets it, so each thread pins itself. GNU Radio waits until
    /// no worker is running. A worker counts from before the start barrier, which it passes with the others, until it
    /// has left the run: otherwise GNU Radio might not wait for one that starts late.
    void poolWorker(std::size_t worker, std::shared_ptr<gr::scheduler::JobLists> jobs) {
        const std::shared_ptr<gr::Sequence> running = this->_nRunningJobs;
        std::ignore = running->incrementAndGet();
        running->notify_all();
        weir_enter_as(it, worker);
        Base::poolWorker(worker, std::move(jobs));
        weir_leave(it);
        std::ignore = running->subAndGet(1);
        running->notify_all();
    }
};

}  // namespace

void run(weir_run* it, const Graph& graph) {
    on_own_thread([&] {
        const Pool pool(graph.workers.size());
        Custom scheduler(gr::property_map{{"poolName", std::string(Pool::name())}});
        scheduler.it = it;
        scheduler.workers = graph.workers;
        scheduler.planned = graph.blocks.size();
        run_graph(it, graph, scheduler);
    });
}

}  // namespace weir::gnuradio4
