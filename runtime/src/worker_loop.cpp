#include "weir/worker_loop.hpp"

#include <algorithm>
#include <vector>

#include "weir/crash.hpp"
#include "weir/wait.hpp"

namespace weir {
namespace {

struct Turn {
    bool moved = false;
    bool over = false;
    bool blocked = false;
    std::int64_t wake_ns = kForever;
};

/// Runs one task until it blocks.
Turn take_turn(Run& run, Task& task, int steps) noexcept {
    Turn turn;
    const AtWork mark(task);
    for (int i = 0; i < steps; ++i) {
        const StepResult result = task.step();
        switch (result.status) {
            case StepStatus::progress:
                turn.moved = true;
                if (!result.more) return turn;  // saves the step that would only find out
                break;
            case StepStatus::need_input:
            case StepStatus::need_output:
                turn.blocked = true;
                return turn;
            case StepStatus::wait:
                turn.moved |= result.items != 0;
                turn.wake_ns = result.wake_ns;
                turn.blocked = true;
                return turn;
            case StepStatus::done:
                run.task_done(task);
                turn.moved = turn.over = true;
                return turn;
            case StepStatus::error:
                run.fail(task, task.error());
                turn.moved = turn.over = true;
                return turn;
        }
    }
    return turn;
}

}  // namespace

Pass pass_over(Run& run, std::vector<Task*>& live, int steps) noexcept {
    Pass pass;
    bool blocked = true;
    // What blocks one task may be what another one after it in the list has just moved; alone, blocked is blocked.
    const bool alone = live.size() == 1;
    std::erase_if(live, [&](Task* task) {
        const Turn turn = take_turn(run, *task, steps);
        pass.moved |= turn.moved;
        blocked &= turn.blocked;
        pass.wake_ns = std::min(pass.wake_ns, turn.wake_ns);
        return turn.over;
    });
    pass.settled = !pass.moved || (alone && blocked);
    return pass;
}

void run_bound_worker(Worker& worker) noexcept {
    Run& run = *worker.run;
    std::vector<Task*> live = worker.tasks;
    Waiting waiting(run.plan().wait, *worker.events, worker.log, static_cast<std::uint32_t>(worker.index));
    while (!live.empty() && !run.stopping()) {
        const Pass pass = pass_over(run, live, kMostSteps);
        if (pass.moved) {
            waiting.moved();
        } else {
            waiting.idle(pass.wake_ns);
        }
    }
}

}  // namespace weir
