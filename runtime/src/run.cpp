#include "weir/run.hpp"

#include <algorithm>
#include <latch>
#include <mutex>
#include <stdexcept>
#include <system_error>
#include <thread>
#include <unordered_map>

#include "weir/clock.hpp"
#include "weir/digest.hpp"
#include "weir/expected.hpp"
#include "weir/memory.hpp"
#include "weir/stream.hpp"

namespace weir {
namespace {

constexpr std::int64_t kUnset = -1;

/// Wakes the worker that runs the task.
class EventWaker final : public Waker {
  public:
    explicit EventWaker(EventCount& events) noexcept : events_(&events) {}
    void wake(Task&) noexcept override { events_->notify(); }

  private:
    EventCount* events_;
};

RunSetup default_setup(const Plan& plan) {
    RunSetup setup;
    setup.spec = plan.run;
    return setup;
}

bool asks_for(const RunSpec& spec, std::string_view event) { return std::ranges::find(spec.events, event) != spec.events.end(); }

}  // namespace

// The window. The sink that passes its warm-up last opens it; the sink that is done first closes it; each takes a snapshot of
// the metered counts at that moment. Workers write these fields at most once each, and `launch` reads them after the join.
struct Run::Impl final : MilestoneObserver {
    Impl(const Plan& a_plan, std::vector<Task*> some_tasks, std::vector<StreamBase*> some_streams, RunSetup a_setup)
        : plan(a_plan), setup(std::move(a_setup)), tasks(std::move(some_tasks)), streams(std::move(some_streams)) {
        for (Task* task : tasks) {
            by_name.emplace(task->spec().name, task);
            sinks += task->is_sink();
        }
        for (const std::string_view name : plan.metered) {
            if (const auto found = by_name.find(name); found != by_name.end()) metered.push_back(found->second);
        }
    }

    void milestone(Task&) noexcept override {
        if (sinks_warming.fetch_sub(1, std::memory_order_acq_rel) == 1) open_window(monotonic_ns());
    }

    void open_window(std::int64_t now) noexcept {
        items_at_open = metered_items();
        opened_ns = now;
    }

    void sink_done() noexcept {
        const std::int64_t now = monotonic_ns();
        if (!window_closed.exchange(true, std::memory_order_acq_rel)) {
            items_at_close = metered_items();
            closed_ns = now;
        }
        if (sinks_running.fetch_sub(1, std::memory_order_acq_rel) == 1) last_sink_ns = now;
    }

    std::uint64_t metered_items() const noexcept {
        std::uint64_t sum = 0;
        for (const Task* task : metered) sum += task->counters().items_out.load(std::memory_order_relaxed);
        return sum;
    }

    void record_failure(std::string_view instance, std::string message) {
        const std::lock_guard lock(failure_mutex);
        if (!outcome.failure) outcome.failure = Failure{std::string(instance), std::move(message)};
    }

    // The parts of `launch`, in its order.
    std::vector<Worker> make_workers(Run& run, std::span<const WorkerSpec> specs);
    void ask_for_memory();
    void start_tasks();
    void bind_tasks(std::vector<Worker>& workers);
    void run_workers(Run& run, std::vector<Worker>& workers, const std::function<void(Worker&)>& loop);
    void prepare_worker(Worker& worker);
    void stop_tasks();
    void conclude(std::int64_t left_ns);

    bool warm_up_takes_everything() const {
        return setup.spec.warmup_items != 0 && std::ranges::any_of(tasks, [this](const Task* task) {
            return task->is_sink() && expected_of(*task) && *expected_of(*task) <= setup.spec.warmup_items;
        });
    }

    std::size_t log_capacity(const Worker& worker) const;
    const std::optional<std::uint64_t>& expected_of(const Task& task) const {
        return expected[static_cast<std::size_t>(std::ranges::find(tasks, &task) - tasks.begin())];
    }

    const Plan& plan;
    RunSetup setup;
    std::vector<Task*> tasks;
    std::vector<StreamBase*> streams;
    std::unordered_map<std::string_view, Task*> by_name;
    std::vector<Task*> metered;
    std::vector<Task*> started;
    std::vector<std::optional<std::uint64_t>> expected;
    RunOutcome outcome;
    std::mutex failure_mutex;

    std::unique_ptr<EventCount[]> events;
    std::atomic<std::size_t> events_made{0};  ///< a signal handler's `stop` sees all of `events` or none
    std::vector<EventWaker> wakers;

    std::size_t sinks = 0;
    std::atomic<std::size_t> sinks_warming{0}, sinks_running{0}, tasks_running{0};
    std::atomic<bool> window_closed{false};
    std::uint64_t items_at_open = 0, items_at_close = 0;
    std::int64_t opened_ns = kUnset, closed_ns = kUnset, last_sink_ns = kUnset;
};

std::vector<Worker> Run::Impl::make_workers(Run& run, std::span<const WorkerSpec> specs) {
    std::vector<Worker> workers;
    std::unordered_map<const Task*, std::string_view> owners;
    events = std::make_unique<EventCount[]>(specs.size());
    for (std::size_t i = 0; i < specs.size(); ++i) {
        Worker worker{i, &specs[i], {}, &events[i], nullptr, &run};
        for (const std::string_view name : specs[i].instances) {
            const auto found = by_name.find(name);
            if (found == by_name.end()) {
                throw std::invalid_argument("worker " + std::string(specs[i].name) + ": no instance " + std::string(name));
            }
            if (!owners.emplace(found->second, specs[i].name).second) {
                throw std::invalid_argument("instance " + std::string(name) + " is on two workers");
            }
            worker.tasks.push_back(found->second);
        }
        wakers.emplace_back(events[i]);
        workers.push_back(std::move(worker));
    }
    for (const Task* task : tasks) {
        if (!owners.contains(task)) throw std::invalid_argument("instance " + std::string(task->spec().name) + " is on no worker");
    }
    events_made.store(specs.size(), std::memory_order_seq_cst);
    return workers;
}

void Run::Impl::ask_for_memory() {
    if (plan.memory.lock) outcome.memory.lock_error = lock_all_memory();
    if (!plan.memory.hugepages) return;
    for (const StreamBase* stream : streams) {
        std::string error = stream->buffer().advise_huge_pages();
        if (outcome.memory.hugepages_error.empty()) outcome.memory.hugepages_error = std::move(error);
    }
}

void Run::Impl::start_tasks() {
    BlockContext context;
    context.run_items = setup.spec.items;
    context.start_ns = monotonic_ns();
    context.project_dir = setup.project_dir;
    context.output_dir = setup.output_dir;
    for (Task* task : tasks) {
        context.instance = task->spec().name;
        context.seed = instance_seed(setup.spec.seed, context.instance.data(), context.instance.size());
        task->set_run_items(setup.spec.items);
        if (setup.verify) task->verify();
        started.push_back(task);
        try {
            task->start(context);
        } catch (const std::exception& error) {
            record_failure(context.instance, error.what());
            return;
        }
    }
    expected = expected_items(tasks, setup.spec.items);
}

void Run::Impl::bind_tasks(std::vector<Worker>& workers) {
    tasks_running = tasks.size();
    sinks_running = sinks_warming = sinks;
    for (Worker& worker : workers) {
        for (Task* task : worker.tasks) {
            // Who spins or yields looks again anyway: without a waker a commit wakes nobody and costs nothing.
            task->set_waker(plan.wait == WaitPolicy::park ? &wakers[worker.index] : nullptr);
            task->set_metrics(setup.spec.metrics);
            if (task->is_sink() && !task->is_source() && setup.spec.warmup_items != 0) {
                task->set_milestone(setup.spec.warmup_items, this);
            }
        }
    }
}

std::size_t Run::Impl::log_capacity(const Worker& worker) const {
    // Where the count of events is not known beforehand, room for a million; a full log counts what it discards.
    constexpr std::size_t kUnknown = std::size_t{1} << 20;
    std::size_t capacity = asks_for(setup.spec, "work") || asks_for(setup.spec, "park") ? kUnknown : 0;
    for (const Task* task : worker.tasks) {
        const std::uint64_t granularity = task->spec().probe_granularity;
        if (granularity == 0) continue;
        const auto& items = expected_of(*task);
        // Twice, as a source may emit more than its head lets through, and a node in the middle has two probes.
        capacity += items ? static_cast<std::size_t>(2 * (*items / granularity + 1)) : kUnknown;
    }
    return capacity;
}

void Run::Impl::prepare_worker(Worker& worker) {
    ThreadReport& report = outcome.threads[worker.index];
    report = set_up_thread(worker.spec->name, worker.spec->cpus, plan.policy, plan.priority);
    // Before the first touch: pages are placed by the policy, and near the core, of the thread that writes them.
    report.numa_error = set_numa_policy(plan.memory.numa);
    for (Task* task : worker.tasks) {
        for (StreamBase* stream : task->outputs()) stream->buffer().prefault();
    }
    if (setup.tracer == nullptr || setup.tracer->backend() == TraceBackend::off) return;
    worker.log = &setup.tracer->thread_log(log_capacity(worker));
    for (Task* task : worker.tasks) task->set_log(worker.log);
}

void Run::Impl::run_workers(Run& run, std::vector<Worker>& workers, const std::function<void(Worker&)>& loop) {
    outcome.threads.resize(workers.size());
    std::latch ready(static_cast<std::ptrdiff_t>(workers.size()));
    std::latch gate(1);
    std::vector<std::thread> threads;
    const auto body = [&](Worker& worker) {
        try {
            prepare_worker(worker);
        } catch (const std::exception& error) {
            record_failure("", "worker " + std::string(worker.spec->name) + ": " + error.what());
            run.stop();
        }
        ready.count_down();
        gate.wait();
        if (!run.stopping()) {
            for (Task* task : worker.tasks) task->begin(outcome.barrier_ns);
            loop(worker);
        }
        account_thread(outcome.threads[worker.index]);
    };
    try {
        for (Worker& worker : workers) threads.emplace_back([&body, &worker] { body(worker); });
        ready.wait();
    } catch (const std::system_error& error) {
        record_failure("", "cannot make " + std::to_string(workers.size()) + " threads: " + error.what());
        run.stop();
    }
    outcome.barrier_ns = monotonic_ns();
    if (setup.spec.warmup_items == 0) open_window(outcome.barrier_ns);
    gate.count_down();
    for (std::thread& thread : threads) thread.join();
}

void Run::Impl::stop_tasks() {
    for (Task* task : started) {
        try {
            task->stop();
        } catch (const std::exception& error) {
            record_failure(task->spec().name, error.what());
        }
    }
}

void Run::Impl::conclude(std::int64_t left_ns) {
    outcome.complete = !outcome.failure && tasks_running.load() == 0;
    outcome.elapsed_ns = (last_sink_ns != kUnset ? last_sink_ns : left_ns) - outcome.barrier_ns;
    if (opened_ns == kUnset) return;
    // Stopped before a sink was done: the window ends where the run did.
    if (closed_ns == kUnset) {
        closed_ns = left_ns;
        items_at_close = metered_items();
    }
    if (closed_ns <= opened_ns) return;
    if (warm_up_takes_everything()) return;  // what opened the window closed it
    outcome.window_ns = closed_ns - opened_ns;
    outcome.window_items = items_at_close - items_at_open;
}

Run::Run(const Plan& plan, std::vector<Task*> tasks, std::vector<StreamBase*> streams)
    : Run(plan, std::move(tasks), std::move(streams), default_setup(plan)) {}

Run::Run(const Plan& plan, std::vector<Task*> tasks, std::vector<StreamBase*> streams, RunSetup setup)
    : impl_(std::make_unique<Impl>(plan, std::move(tasks), std::move(streams), std::move(setup))) {}

Run::~Run() = default;

const Plan& Run::plan() const noexcept { return impl_->plan; }
const RunSetup& Run::setup() const noexcept { return impl_->setup; }
std::span<Task* const> Run::tasks() const noexcept { return impl_->tasks; }
std::span<StreamBase* const> Run::streams() const noexcept { return impl_->streams; }
const RunOutcome& Run::outcome() const noexcept { return impl_->outcome; }
std::span<const std::optional<std::uint64_t>> Run::expected() const noexcept { return impl_->expected; }

void Run::launch(std::span<const WorkerSpec> specs, const std::function<void(Worker&)>& loop) {
    try {
        std::vector<Worker> workers = impl_->make_workers(*this, specs);
        impl_->ask_for_memory();
        impl_->start_tasks();
        if (!impl_->outcome.failure) {
            impl_->bind_tasks(workers);
            impl_->run_workers(*this, workers, loop);
            impl_->conclude(monotonic_ns());
        }
    } catch (const std::exception& error) {
        impl_->record_failure("", error.what());
    }
    impl_->stop_tasks();
    impl_->outcome.complete = impl_->outcome.complete && !impl_->outcome.failure;
    impl_->outcome.stopped = stopping() && !impl_->outcome.failure && !impl_->outcome.complete;
}

void Run::stop() noexcept {
    stop_.store(true, std::memory_order_seq_cst);
    const std::size_t made = impl_->events_made.load(std::memory_order_seq_cst);
    for (std::size_t i = 0; i < made; ++i) impl_->events[i].notify();
}

void Run::fail(Task& task, std::string message) noexcept {
    impl_->record_failure(task.spec().name, std::move(message));
    stop();
}

void Run::task_done(Task& task) noexcept {
    if (task.is_sink()) impl_->sink_done();
    impl_->tasks_running.fetch_sub(1, std::memory_order_relaxed);
}

}  // namespace weir
