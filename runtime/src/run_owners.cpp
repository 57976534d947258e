#include <stdexcept>

#include "run_parts.hpp"

namespace weir {

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
        if (index >= instances.size())
            throw std::invalid_argument(owner + ": task " + std::to_string(index) + " does not exist");
        if (!owners[index].empty()) {
            throw std::invalid_argument("instance " + std::string(instances[index]->spec().name) + " is on " +
                                        owners[index] + " and on " + owner);
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
        throw std::invalid_argument("instance " + std::string(instances[i]->spec().name) + " is on no " +
                                    std::string(kind));
    }
}

void Run::Impl::bind_tasks(std::vector<Worker>& workers) {
    for (Worker& worker : workers) {
        first.push_back(claim("worker " + std::string(worker.spec->name), worker.spec->tasks));
        worker.tasks = tasks_of(first.back());
        // A worker that spins or yields polls anyway. Without a waker, commits need not wake it and cost less.
        Waker* const waker = plan.wait == WaitPolicy::park ? &wakers[worker.index] : nullptr;
        for (Instance* task : first.back()) task->set_waker(waker);
    }
    claimed_all("worker");
}

Run::Jobs Run::Impl::share_tasks(std::size_t workers) {
    if (workers == 0) throw std::invalid_argument("the plan has jobs but no worker");
    Jobs jobs;
    shared = true;
    first.resize(workers);
    for (std::size_t i = 0; i < plan.jobs.size(); ++i) {
        const std::vector<Instance*> claimed = claim("job " + std::string(plan.jobs[i].name), plan.jobs[i].tasks);
        std::vector<Instance*>& touched = first[first_worker(i, plan.jobs.size(), workers)];
        touched.insert(touched.end(), claimed.begin(), claimed.end());
        jobs.push_back(tasks_of(claimed));
    }
    claimed_all("job");
    return jobs;
}

}  // namespace weir
