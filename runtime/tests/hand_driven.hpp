// Nodes that a test steps on its own thread.
#pragma once

#include <initializer_list>

#include "test_blocks.hpp"
#include "weir/node.hpp"

namespace weir::testing {

template <class T = Item> struct Wire : Stream<T> {
    explicit Wire(std::size_t items, std::size_t readers = 1, std::size_t granule = 1,
                  StreamKind kind = StreamKind::linear)
        : Stream<T>({.name = "wire", .items = items, .kind = kind, .readers = readers, .granule = granule}) {}
};

inline void start(std::initializer_list<Task*> tasks, std::uint64_t run_items = 0) {
    for (Task* task : tasks) {
        task->set_run_items(run_items);
        task->set_metrics(Metrics::counters);
        BlockContext context;
        context.run_items = run_items;
        task->start(context);
    }
}

/// Steps a task until it is blocked. Returns its last result.
inline StepResult settle(Task& task) {
    StepResult result = task.step();
    while (result.status == StepStatus::progress) result = task.step();
    return result;
}

/// Steps all tasks until none makes progress.
inline void run_dry(std::initializer_list<Task*> tasks) {
    for (bool moved = true; moved;) {
        moved = false;
        for (Task* task : tasks) moved |= task->step().status == StepStatus::progress;
    }
}

}  // namespace weir::testing
