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

/// Of a worker that owns its tasks. Many passes, because what they move stays in the cache; so few that others do not starve.
constexpr Turns kTurns{.passes = 8, .steps = kMostSteps};
/// Of one whose tasks are all joined: nobody else waits, and moving on what is left costs a turn of each.
constexpr Turns kJoined{.passes = 64, .steps = kMostSteps};
/// Of one that has a task alone: whoever adds to what it left is woken for it first.
constexpr Turns kAlone{.passes = 8, .steps = kMostSteps, .leave = Leave::nothing};

/// Steps those of `live` that are `chosen`; those that are over leave the list.
template <class Chosen>
Pass pass_over(Run& run, std::vector<Task*>& live, int steps, Leave leave, Chosen chosen) noexcept {
    Pass pass;
    bool blocked = true;  // nothing that a task does itself lets it go on
    // What blocks one task may be what another one after it in the list has just moved; alone, blocked is blocked.
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

/// Lists of tasks that linear streams join, each in the order of `tasks`.
std::vector<std::vector<Task*>> joined(const std::vector<Task*>& tasks) {
    std::vector<std::vector<Task*>> lists;
    std::map<const StreamBase*, std::size_t> list_of;  // of the streams that have an end in one
    for (Task* task : tasks) {
        std::vector<const StreamBase*> streams;
        std::ranges::copy_if(task->inputs(), std::back_inserter(streams), is_linear);
        std::ranges::copy_if(task->outputs(), std::back_inserter(streams), is_linear);
        // The first list that it belongs to takes in the others.
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
