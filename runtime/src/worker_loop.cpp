#include "weir/worker_loop.hpp"

#include <algorithm>
#include <iterator>
#include <map>
#include <vector>

#include "weir/crash.hpp"
#include "weir/stream.hpp"
#include "weir/wait.hpp"

namespace weir {
namespace {

/// Turns of a worker that owns its tasks: many passes, because the items stay in the cache, but few enough that other
/// lists do not starve.
constexpr Turns kTurns{.passes = 8, .steps = kMostSteps};
/// Turns of a worker whose tasks form one list: no other list waits, and moving the leftover items on costs a turn of
/// each task.
constexpr Turns kJoined{.passes = 64, .steps = kMostSteps};
/// Turns of a list with one task: it leaves no items behind, because a neighbour that adds items must wake it first.
constexpr Turns kAlone{.passes = 8, .steps = kMostSteps, .leave = Leave::nothing};

/// Step the tasks of `live` that `chosen` selects, and remove the finished ones from the list.
template <class Chosen>
Pass pass_over(Run& run, std::vector<Task*>& live, int steps, Leave leave, Chosen chosen) noexcept {
    Pass pass;
    bool blocked = true;  // no task can continue without another one
    // A later task in the list may just have unblocked an earlier one; a single task stays blocked.
    const bool alone = live.size() == 1;
    bool some_over = false;
    for (Task*& task : live) {
        if (!chosen(*task)) continue;
        const AtWork mark(*task);
        const StepResult turn = task->turn(steps, leave);
        pass.moved |= turn.moved;
        if (turn.status == StepStatus::progress) {
            blocked = false;
        } else if (turn.status == StepStatus::wait) {
            pass.wake_ns = std::min(pass.wake_ns, turn.wake_ns);
        } else if (turn.is_over()) {
            if (turn.status == StepStatus::done) run.task_done(*task);
            if (turn.status == StepStatus::error) run.fail(*task, task->error());
            task = nullptr;
            some_over = true;
        }
    }
    if (some_over) std::erase(live, nullptr);
    pass.settled = !pass.moved || (alone && blocked);
    return pass;
}

bool is_linear(const StreamBase* stream) noexcept { return stream->kind() == StreamKind::linear; }

/// Return the lists of tasks that linear streams join, each in the order of `tasks`.
std::vector<std::vector<Task*>> joined(const std::vector<Task*>& tasks) {
    std::vector<std::vector<Task*>> lists;
    std::map<const StreamBase*, std::size_t> list_of;  // list of each stream that has an end in one
    for (Task* task : tasks) {
        std::vector<const StreamBase*> streams;
        std::ranges::copy_if(task->inputs(), std::back_inserter(streams), is_linear);
        std::ranges::copy_if(task->outputs(), std::back_inserter(streams), is_linear);
        // Merge all lists that the task belongs to into the first one.
        std::size_t mine = lists.size();
        for (const StreamBase* stream : streams) {
            if (const auto found = list_of.find(stream); found != list_of.end()) mine = std::min(mine, found->second);
        }
        if (mine == lists.size()) lists.emplace_back();
        for (const StreamBase* stream : streams) {
            const auto [entry, is_new] = list_of.try_emplace(stream, mine);
            if (is_new || entry->second == mine) continue;
            const std::size_t other = entry->second;
            for (auto& [_, list] : list_of) list = list == other ? mine : list;
            lists[mine].insert(lists[mine].end(), lists[other].begin(), lists[other].end());
            lists[other].clear();
        }
        lists[mine].push_back(task);
    }
    std::erase_if(lists, [](const auto& list) { return list.empty(); });
    for (auto& list : lists) {
        std::ranges::sort(list, {}, [&](Task* task) { return std::ranges::find(tasks, task) - tasks.begin(); });
    }
    return lists;
}

}  // namespace

Pass pass_over(Run& run, std::vector<Task*>& live, int steps) noexcept {
    return pass_over(run, live, steps, Leave::some, [](const Task&) { return true; });
}

Pass take_turns(Run& run, std::vector<Task*>& live, Turns turns) noexcept {
    Pass pass;
    for (int i = 0; i < turns.passes; ++i) {
        pass = pass_over(run, live, turns.steps, turns.leave, [](const Task&) { return true; });
        if (pass.settled || live.empty() || run.stopping()) return pass;
    }
    const auto is_fed = [](const Task& task) { return std::ranges::any_of(task.inputs(), is_linear); };
    for (int i = 0; i < turns.passes; ++i) {
        if (!pass_over(run, live, turns.steps, Leave::nothing, is_fed).moved) break;
    }
    return pass;
}

void run_bound_worker(Worker& worker) noexcept {
    Run& run = *worker.run;
    std::vector<std::vector<Task*>> lists = joined(worker.tasks);
    Waiting waiting(run.plan().wait, *worker.events, worker.log, static_cast<std::uint32_t>(worker.index));
    while (!lists.empty() && !run.stopping()) {
        const Turns& turns = lists.size() == 1 ? kJoined : kTurns;
        bool moved = false;
        std::int64_t wake_ns = kForever;
        for (auto& list : lists) {
            const Pass pass = take_turns(run, list, list.size() == 1 ? kAlone : turns);
            moved |= pass.moved;
            wake_ns = std::min(wake_ns, pass.wake_ns);
        }
        std::erase_if(lists, [](const auto& list) { return list.empty(); });
        if (moved) {
            waiting.moved();
        } else {
            waiting.idle(wake_ns);
        }
    }
}

}  // namespace weir
