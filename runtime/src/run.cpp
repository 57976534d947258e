#include <exception>

#include "run_parts.hpp"
#include "weir/clock.hpp"

namespace weir {
namespace {

RunSetup default_setup(const Plan& plan) {
    RunSetup setup;
    setup.spec = plan.run;
    return setup;
}

}  // namespace

Run::Run(const Plan& plan, std::vector<Instance*> instances, std::vector<StreamBase*> streams)
    : Run(plan, std::move(instances), std::move(streams), default_setup(plan)) {}

Run::Run(const Plan& plan, std::vector<Instance*> instances, std::vector<StreamBase*> streams, RunSetup setup)
    : impl_(std::make_unique<Impl>(plan, std::move(instances), std::move(streams), std::move(setup))) {}

Run::~Run() = default;

const Plan& Run::plan() const noexcept { return impl_->plan; }
const RunSetup& Run::setup() const noexcept { return impl_->setup; }
std::span<Instance* const> Run::instances() const noexcept { return impl_->instances; }
std::span<Task* const> Run::tasks() const noexcept { return impl_->tasks; }
std::span<StreamBase* const> Run::streams() const noexcept { return impl_->streams; }
const RunOutcome& Run::outcome() const noexcept { return impl_->outcome; }
std::span<const std::optional<std::uint64_t>> Run::expected() const noexcept { return impl_->expected; }

void Run::Impl::launch(Run& run, std::span<const WorkerSpec> specs, const std::function<void(Jobs)>* deal,
                       const std::function<void(std::vector<Worker>&)>& work) {
    try {
        std::vector<Worker> workers = make_workers(run, specs);
        if (deal != nullptr) {
            (*deal)(share_tasks(workers.size()));
        } else {
            bind_tasks(workers);
        }
        ask_for_memory();
        start_tasks();
        if (!outcome.failure) {
            work(workers);
            conclude(monotonic_ns());
        }
    } catch (const std::exception& error) {
        record_failure("", error.what());
    }
    stop_tasks();
    outcome.complete = outcome.complete && !outcome.failure;
    outcome.stopped = run.stopping() && !outcome.failure && !outcome.complete;
}

void Run::launch(std::span<const WorkerSpec> specs, const std::function<void(Worker&)>& loop) {
    impl_->launch(*this, specs, nullptr,
                  [&](std::vector<Worker>& workers) { impl_->run_workers(*this, workers, loop); });
}

void Run::launch(std::span<const WorkerSpec> specs, const std::function<void(Jobs)>& deal,
                 const std::function<void(Worker&)>& loop) {
    impl_->launch(*this, specs, &deal, [&](std::vector<Worker>& workers) { impl_->run_workers(*this, workers, loop); });
}

void Run::host(std::span<const WorkerSpec> specs, const std::function<void()>& go) {
    const std::function<void(Jobs)> as_it_likes = [](const Jobs&) {};
    impl_->launch(*this, specs, impl_->plan.jobs.empty() ? nullptr : &as_it_likes,
                  [&](std::vector<Worker>& workers) { impl_->host_workers(*this, workers, go); });
}

void Run::wake(std::size_t worker, const Fenced& fenced) noexcept { impl_->events[worker].notify(fenced); }

void Run::wake_all(const Fenced& fenced) noexcept {
    const std::size_t made = impl_->events_made.load(std::memory_order_seq_cst);
    for (std::size_t i = 0; i < made; ++i) impl_->events[i].notify(fenced);
}

std::int64_t Run::began_ns() const noexcept { return impl_->began_ns.load(std::memory_order_relaxed); }

void Run::stop() noexcept { wake_all(store_before_waking(stop_, true)); }

void Run::fail(Instance& instance, std::string message) noexcept {
    impl_->record_failure(instance.spec().name, std::move(message));
    stop();
}

void Run::task_done(Instance& instance) noexcept {
    if (instance.is_sink() && impl_->is_last_replica(instance)) impl_->sink_done();
    impl_->tasks_running.fetch_sub(1, std::memory_order_relaxed);
}

}  // namespace weir
