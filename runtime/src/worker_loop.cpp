#include "weir/worker_loop.hpp"

#include <algorithm>
#include <vector>

#include "weir/wait.hpp"

namespace weir {
namespace {

/// Steps of one task before the next has its turn: many, because a task that goes on has its code and data in the cache;
/// bounded, because its neighbours on this worker must not starve.
constexpr int kMostSteps = 64;

struct Turn {
    bool moved = false;
    bool over = false;
    std::int64_t wake_ns = kForever;
};

/// Runs one task until it blocks.
Turn take_turn(Run& run, Task& task) noexcept {
    Turn turn;
    for (int i = 0; i < kMostSteps; ++i) {
        const StepResult result = task.step();
        switch (result.status) {
            case StepStatus::progress:
                turn.moved = true;
                if (!result.more) return turn;  // saves the step that would only find out
                break;
            case StepStatus::need_input:
            case StepStatus::need_output:
                return turn;
            case StepStatus::wait:
                turn.moved |= result.items != 0;
                turn.wake_ns = result.wake_ns;
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

void run_bound_worker(Worker& worker) noexcept {
    Run& run = *worker.run;
    std::vector<Task*> live = worker.tasks;
    Waiting waiting(run.plan().wait, *worker.events, worker.log, static_cast<std::uint32_t>(worker.index));
    while (!live.empty() && !run.stopping()) {
        bool moved = false;
        std::int64_t wake_ns = kForever;
        std::erase_if(live, [&](Task* task) {
            const Turn turn = take_turn(run, *task);
            moved |= turn.moved;
            wake_ns = std::min(wake_ns, turn.wake_ns);
            return turn.over;
        });
        if (moved) {
            waiting.moved();
        } else {
            waiting.idle(wake_ns);
        }
    }
}

}  // namespace weir
