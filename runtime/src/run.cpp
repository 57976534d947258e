#include "weir/run.hpp"

#include <algorithm>
#include <latch>
#include <mutex>
#include <stdexcept>
#include <system_error>
#include <thread>

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
    void wake(Instance&) noexcept override { events_->notify(); }

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
    Impl(const Plan& a_plan, std::vector<Instance*> all, std::vector<StreamBase*> some_streams, RunSetup a_setup)
        : plan(a_plan), setup(std::move(a_setup)), instances(std::move(all)), streams(std::move(some_streams)),
          tasks(tasks_of(instances)) {
        for (const Instance* instance : instances) sinks += instance->is_sink();
        for (const std::uint32_t index : plan.metered) metered.push_back(instances.at(index));
    }

    void milestone(Instance&) noexcept override {
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
        for (const Instance* task : metered) sum += task->counters().items_out.load(std::memory_order_relaxed);
        return sum;
    }

    void record_failure(std::string_view instance, std::string message) {
        const std::lock_guard lock(failure_mutex);
        if (!outcome.failure) outcome.failure = Failure{std::string(instance), std::move(message)};
    }

    // The parts of `launch`, in its order.
    void launch(Run& run, std::span<const WorkerSpec> specs, const std::function<void(Jobs)>* deal,
                const std::function<void(Worker&)>& loop);
    std::vector<Worker> make_workers(Run& run, std::span<const WorkerSpec> specs);
    std::vector<Instance*> claim(const std::string& owner, std::span<const std::uint32_t> indices);
    static std::vector<Task*> tasks_of(std::span<Instance* const> claimed);
    void claimed_all(std::string_view kind) const;
    void bind_tasks(std::vector<Worker>& workers);
    Jobs share_tasks(std::size_t workers);
    void ask_for_memory();
    void start_tasks();
    void run_workers(Run& run, std::vector<Worker>& workers, const std::function<void(Worker&)>& loop);
    void prepare_worker(Worker& worker);
    void stop_tasks();
    void conclude(std::int64_t left_ns);

    bool warm_up_takes_everything() const {
        return setup.spec.warmup_items != 0 && std::ranges::any_of(instances, [this](const Instance* task) {
            return task->is_sink() && expected_of(*task) && *expected_of(*task) <= setup.spec.warmup_items;
        });
    }

    std::size_t log_capacity(const Worker& worker) const;
    const std::optional<std::uint64_t>& expected_of(const Instance& task) const {
        return expected[static_cast<std::size_t>(std::ranges::find(instances, &task) - instances.begin())];
    }

    const Plan& plan;
    RunSetup setup;
    std::vector<Instance*> instances;
    std::vector<StreamBase*> streams;
    std::vector<Task*> tasks;  ///< the same as the instances, or none
    std::vector<Instance*> metered;
    std::vector<Instance*> started;
    std::vector<std::optional<std::uint64_t>> expected;
    RunOutcome outcome;
    std::mutex failure_mutex;

    std::unique_ptr<EventCount[]> events;
    std::atomic<std::size_t> events_made{0};  ///< a signal handler's `stop` sees all of `events` or none
    std::vector<EventWaker> wakers;
    std::vector<std::string> owners;         ///< by task: the worker or the job that has it
    bool shared = false;                     ///< tasks move between workers
    std::vector<std::vector<Instance*>> first;  ///< by worker: those whose memory it touches first

    std::size_t sinks = 0;
    std::atomic<std::size_t> sinks_warming{0}, sinks_running{0}, tasks_running{0};
    std::atomic<bool> window_closed{false};
    std::uint64_t items_at_open = 0, items_at_close = 0;
    std::int64_t opened_ns = kUnset, closed_ns = kUnset, last_sink_ns = kUnset;
};

std::vector<Worker> Run::Impl::make_workers(Run& run, std::span<const WorkerSpec> specs) {
    std::vector<Worker> workers;
    events = std::make_unique<EventCount[]>(specs.size());
    for (std::size_t i = 0; i < specs.size(); ++i) {
        workers.push_back({i, &specs[i], {}, &events[i], nullptr, &run});
        wakers.emplace_back(events[i]);
    }
    events_made.store(specs.size(), std::memory_order_seq_cst);
    return workers;
}

std::vector<Instance*> Run::Impl::claim(const std::string& owner, std::span<const std::uint32_t> indices) {
    owners.resize(instances.size());
    std::vector<Instance*> claimed;
    for (const std::uint32_t index : indices) {
        if (index >= instances.size()) throw std::invalid_argument(owner + ": no task " + std::to_string(index));
        if (!owners[index].empty()) {
            throw std::invalid_argument("instance " + std::string(instances[index]->spec().name) + " is on " + owners[index] +
                                        " and on " + owner);
        }
        owners[index] = owner;
        claimed.push_back(instances[index]);
    }
    return claimed;
}

std::vector<Task*> Run::Impl::tasks_of(std::span<Instance* const> claimed) {
    std::vector<Task*> found;
    for (Instance* instance : claimed) {
        if (Task* task = instance->task()) found.push_back(task);
    }
    return found;
}

void Run::Impl::claimed_all(std::string_view kind) const {
    for (std::size_t i = 0; i < instances.size(); ++i) {
        if (i < owners.size() && !owners[i].empty()) continue;
        throw std::invalid_argument("instance " + std::string(instances[i]->spec().name) + " is on no " + std::string(kind));
    }
}

void Run::Impl::bind_tasks(std::vector<Worker>& workers) {
    for (Worker& worker : workers) {
        first.push_back(claim("worker " + std::string(worker.spec->name), worker.spec->tasks));
        worker.tasks = tasks_of(first.back());
        // Who spins or yields looks again anyway: without a waker a commit wakes nobody and costs nothing.
        Waker* const waker = plan.wait == WaitPolicy::park ? &wakers[worker.index] : nullptr;
        for (Instance* task : first.back()) task->set_waker(waker);
    }
    claimed_all("worker");
}

Run::Jobs Run::Impl::share_tasks(std::size_t workers) {
    if (workers == 0) throw std::invalid_argument("the plan has jobs and no worker");
    Jobs jobs;
    for (const JobSpec& job : plan.jobs) jobs.push_back(tasks_of(claim("job " + std::string(job.name), job.tasks)));
    claimed_all("job");
    shared = true;
    first.resize(workers);
    for (std::size_t i = 0; i < jobs.size(); ++i) {
        std::vector<Instance*>& touched = first[first_worker(i, jobs.size(), workers)];
        touched.insert(touched.end(), jobs[i].begin(), jobs[i].end());
    }
    return jobs;
}

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

void Run::Impl::start_tasks() {
    BlockContext context;
    context.run_items = setup.spec.items;
    context.start_ns = monotonic_ns();
    context.project_dir = setup.project_dir;
    context.output_dir = setup.output_dir;
    context.untimed = setup.verify;
    for (Instance* task : instances) {
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
    expected = expected_items(instances, setup.spec.items);
    const std::vector<Offered> offered = offered_rates(instances);
    for (std::size_t i = 0; i < instances.size(); ++i) {
        if (instances[i]->is_sink() && offered[i].items_per_s && !setup.verify) instances[i]->keep_arrivals();
    }
    if (tasks.empty()) {
        const std::vector<Instance::Quota> quotas = quotas_of(instances, setup.spec.items, setup.verify);
        for (std::size_t i = 0; i < instances.size(); ++i) instances[i]->set_quota(quotas[i]);
    }
    tasks_running = instances.size();
    sinks_running = sinks_warming = sinks;
    for (Instance* task : instances) {
        task->set_metrics(setup.spec.metrics);
        if (task->is_sink() && !task->is_source() && setup.spec.warmup_items != 0) {
            task->set_milestone(setup.spec.warmup_items, this);
        }
    }
}

std::size_t Run::Impl::log_capacity(const Worker& worker) const {
    // Where the count of events is not known beforehand, room for a million; a full log counts what it discards.
    constexpr std::size_t kUnknown = std::size_t{1} << 20;
    constexpr std::string_view kUncounted[] = {"work", "park", "steal"};
    const bool uncounted =
        std::ranges::any_of(kUncounted, [this](std::string_view event) { return asks_for(setup.spec, event); });
    std::size_t capacity = uncounted ? kUnknown : 0;
    // Where tasks move, one worker may come to run all of them.
    for (const Instance* task : shared ? instances : first[worker.index]) {
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
    for (Instance* task : first[worker.index]) {
        for (StreamBase* stream : task->outputs()) stream->buffer().prefault();
        for (const Buffer* buffer : task->memory()) buffer->prefault();
    }
    if (setup.tracer == nullptr || setup.tracer->backend() == TraceBackend::off) return;
    worker.log = &setup.tracer->thread_log(log_capacity(worker));
    for (Instance* task : first[worker.index]) task->set_log(worker.log);
}

void Run::Impl::run_workers(Run& run, std::vector<Worker>& workers, const std::function<void(Worker&)>& loop) {
    outcome.threads.resize(workers.size());
    const auto count = static_cast<std::ptrdiff_t>(workers.size());
    std::latch ready(count), gate(1), begun(count);
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
        begin_accounting(outcome.threads[worker.index]);
        for (Instance* task : first[worker.index]) task->begin(outcome.barrier_ns);
        // A job may at once move to a worker that did not begin it. A task that stays needs to wait for no other.
        if (shared) begun.arrive_and_wait();
        if (!run.stopping()) loop(worker);
        account_thread(outcome.threads[worker.index]);
    };
    try {
        for (Worker& worker : workers) threads.emplace_back([&body, &worker] { body(worker); });
        ready.wait();
    } catch (const std::system_error& error) {
        record_failure("", "cannot make " + std::to_string(workers.size()) + " threads: " + error.what());
        run.stop();
        begun.count_down(count - static_cast<std::ptrdiff_t>(threads.size()));  // for those that were never made
    }
    if (setup.at_barrier) setup.at_barrier();
    outcome.barrier_ns = monotonic_ns();
    if (setup.spec.warmup_items == 0) open_window(outcome.barrier_ns);
    gate.count_down();
    for (std::thread& thread : threads) thread.join();
}

void Run::Impl::stop_tasks() {
    for (Instance* task : started) {
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
    outcome.window = Window{opened_ns, closed_ns};
    outcome.window_items = items_at_close - items_at_open;
}

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
                       const std::function<void(Worker&)>& loop) {
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
            run_workers(run, workers, loop);
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
    impl_->launch(*this, specs, nullptr, loop);
}

void Run::launch(std::span<const WorkerSpec> specs, const std::function<void(Jobs)>& deal,
                 const std::function<void(Worker&)>& loop) {
    impl_->launch(*this, specs, &deal, loop);
}

void Run::wake(std::size_t worker) noexcept { impl_->events[worker].notify(); }

void Run::wake_all() noexcept {
    const std::size_t made = impl_->events_made.load(std::memory_order_seq_cst);
    for (std::size_t i = 0; i < made; ++i) impl_->events[i].notify();
}

void Run::stop() noexcept {
    stop_.store(true, std::memory_order_seq_cst);
    wake_all();
}

void Run::fail(Instance& instance, std::string message) noexcept {
    impl_->record_failure(instance.spec().name, std::move(message));
    stop();
}

void Run::task_done(Instance& instance) noexcept {
    if (instance.is_sink()) impl_->sink_done();
    impl_->tasks_running.fetch_sub(1, std::memory_order_relaxed);
}

}  // namespace weir
