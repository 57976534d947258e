#include <latch>
#include <system_error>
#include <thread>

#include "run_parts.hpp"
#include "weir/clock.hpp"
#include "weir/memory.hpp"
#include "weir/stream.hpp"

namespace weir {
namespace {

bool requests(const RunSpec& spec, std::string_view event) {
    return std::ranges::find(spec.events, event) != spec.events.end();
}

}  // namespace

void Run::Impl::ask_for_memory() {
    if (plan.memory.lock) outcome.memory.lock_error = lock_all_memory();
    if (!plan.memory.hugepages) return;
    for (const StreamBase* stream : streams) {
        std::string error = stream->buffer().advise_huge_pages();
        if (outcome.memory.hugepages_error.empty()) outcome.memory.hugepages_error = std::move(error);
    }
    for (const Instance* instance : instances) {
        for (const Buffer* buffer : instance->memory()) {
            std::string error = buffer->advise_huge_pages();
            if (outcome.memory.hugepages_error.empty()) outcome.memory.hugepages_error = std::move(error);
        }
    }
}

std::size_t Run::Impl::log_capacity(const Worker& worker) const {
    // Reserve room for a million events if their number is unknown. A full log counts the events that it discards.
    constexpr std::size_t kUnknown = std::size_t{1} << 20;
    constexpr std::string_view kUncounted[] = {"work", "park", "steal"};
    const bool uncounted =
        std::ranges::any_of(kUncounted, [this](std::string_view event) { return requests(setup.spec, event); });
    std::size_t capacity = uncounted ? kUnknown : 0;
    // If tasks move between workers, one worker may run all of them.
    for (const Instance* task : shared ? instances : first[worker.index]) {
        const std::uint64_t granularity = task->spec().probe_granularity;
        if (granularity == 0) continue;
        const auto& items = expected_of(*task);
        // Twice, because a source may emit more than its head passes on, and a block between has two probes.
        capacity += items ? static_cast<std::size_t>(2 * (*items / granularity + 1)) : kUnknown;
    }
    return capacity;
}

void Run::Impl::prepare_worker(Worker& worker, std::span<const int> cpus) {
    ThreadReport& report = outcome.threads[worker.index];
    report = set_up_thread(worker.spec->name, cpus, plan.scheduling_of(*worker.spec));
    // Before the first touch: Linux places a page by the policy, and near the core, of the thread that first writes it.
    report.numa_error = set_numa_policy(plan.memory.numa);
    for (Instance* task : first[worker.index]) {
        for (StreamBase* stream : task->outputs()) stream->buffer().prefault();
        for (const Buffer* buffer : task->memory()) buffer->prefault();
    }
    if (setup.spec.cpu_counters) report.cpu_counters = std::make_shared<CpuCounters>();
    if (setup.tracer == nullptr || !has_probes(setup.tracer->backend())) return;
    worker.log = &setup.tracer->thread_log(log_capacity(worker));
    for (Instance* task : first[worker.index]) task->set_log(worker.log);
}

void Run::Impl::open_gate() {
    if (setup.at_barrier) setup.at_barrier();
    outcome.barrier_ns = monotonic_ns();
    for (StreamBase* stream : streams) stream->begin(outcome.barrier_ns);
    began_ns.store(outcome.barrier_ns, std::memory_order_relaxed);
    if (setup.spec.warmup_items == 0) open_window(outcome.barrier_ns);
}

void Run::Impl::run_workers(Run& run, std::vector<Worker>& workers, const std::function<void(Worker&)>& loop) {
    outcome.threads.resize(workers.size());
    const auto count = static_cast<std::ptrdiff_t>(workers.size());
    std::latch ready(count), gate(1), begun(count);
    std::vector<std::thread> threads;
    const auto body = [&](Worker& worker) {
        try {
            prepare_worker(worker, worker.spec->cpus);
        } catch (const std::exception& error) {
            record_failure("", "worker " + std::string(worker.spec->name) + ": " + error.what());
            run.stop();
        }
        ready.count_down();
        gate.wait();
        begin_accounting(outcome.threads[worker.index]);
        for (Instance* task : first[worker.index]) task->begin(outcome.barrier_ns);
        // A job may move at once to a worker that did not begin it, and replicas may take over a block from each other.
        // Tasks that stay on their worker need not wait.
        if (shared || plan.replicas > 1) begun.arrive_and_wait();
        if (!run.stopping()) loop(worker);
        account_thread(outcome.threads[worker.index]);
    };
    try {
        for (Worker& worker : workers) threads.emplace_back([&body, &worker] { body(worker); });
        ready.wait();
    } catch (const std::system_error& error) {
        record_failure("", "cannot start " + std::to_string(workers.size()) + " threads: " + error.what());
        run.stop();
        begun.count_down(
            count - static_cast<std::ptrdiff_t>(threads.size()));  // count down for threads that could not be created
    }
    open_gate();
    gate.count_down();
    for (std::thread& thread : threads) thread.join();
}

}  // namespace weir
