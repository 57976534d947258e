#include <exception>
#include <thread>

#include "run_parts.hpp"

namespace weir {
namespace {

thread_local const Worker* here = nullptr;

}  // namespace

const Worker* Run::hosted_here() noexcept { return here; }

void Run::Impl::host_workers(Run& run, std::vector<Worker>& workers, const std::function<void()>& go) {
    outcome.threads.resize(workers.size());
    hosting = std::make_unique<Hosting>(workers);
    Hosting& at = *hosting;
    std::thread host([&] {
        try {
            go();
        } catch (const std::exception& error) {
            record_failure("", error.what());
            run.stop();
        }
        const std::lock_guard lock(at.mutex);
        at.over = true;
        at.changed.notify_all();
    });
    {
        std::unique_lock lock(at.mutex);
        at.changed.wait(lock, [&] { return at.entered == workers.size() || at.over; });
        if (!at.over) open_gate();
        at.open = true;
        at.changed.notify_all();
    }
    host.join();
}

void Run::enter(std::size_t worker) noexcept {
    Hosting& at = *impl_->hosting;
    Worker& own = at.workers[worker];
    try {
        // The peer runtime chooses the CPUs of its threads. Weir reads them when the thread leaves.
        impl_->prepare_worker(own, {});
    } catch (const std::exception& error) {
        impl_->record_failure("", "worker " + std::string(own.spec->name) + ": " + error.what());
        stop();
    }
    {
        std::unique_lock lock(at.mutex);
        ++at.entered;
        at.changed.notify_all();
        at.changed.wait(lock, [&] { return at.open; });
    }
    here = &own;
    begin_accounting(impl_->outcome.threads[worker]);
    for (Instance* instance : impl_->first[worker]) instance->begin(impl_->outcome.barrier_ns);
}

void Run::absent(std::size_t worker) noexcept {
    Hosting& at = *impl_->hosting;
    ThreadReport& report = impl_->outcome.threads[worker];
    report.name = at.workers[worker].spec->name;
    if (!at.workers[worker].spec->cpus.empty())
        report.affinity_error = "the peer runtime gave no thread to read it from";
    const Scheduling wanted = impl_->plan.scheduling_of(*at.workers[worker].spec);
    if (wanted.policy != SchedulingPolicy::other)
        report.priority_error = "the peer runtime gave no thread to set it on";
    const std::lock_guard lock(at.mutex);
    ++at.entered;
    at.changed.notify_all();
}

void Run::leave(std::size_t worker) noexcept {
    here = nullptr;
    ThreadReport& report = impl_->outcome.threads[worker];
    read_back_cpus(report, impl_->hosting->workers[worker].spec->cpus);
    account_thread(report);
}

}  // namespace weir
