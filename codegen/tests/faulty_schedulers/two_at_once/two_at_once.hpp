// The fault: a plain bool marks a running task. Two workers may find it unset at the same time.
#pragma once

#include <cstddef>
#include <thread>
#include <utility>
#include <vector>

#include "weir/run.hpp"

namespace weir::schedulers {

struct TwoAtOnce {
    void run(Run& run) const {
        std::vector<Entry> entries;
        const auto deal = [&entries](Run::Jobs jobs) {
            for (const auto& job : jobs) entries.push_back({job.front()});
        };
        run.launch(run.plan().workers, deal, [&entries](Worker& worker) { work(worker, entries); });
    }

  private:
    struct Entry {
        Task* task;
        bool taken = false;
        bool over = false;
    };

    static void work(Worker& worker, std::vector<Entry>& entries) noexcept {
        Run& run = *worker.run;
        for (bool all_over = false; !all_over && !run.stopping();) {
            all_over = true;
            for (Entry& entry : entries) {
                if (entry.over) continue;
                all_over = false;
                if (std::exchange(entry.taken, true)) continue;  // must be atomic
                step(run, entry);
                entry.taken = false;
            }
            std::this_thread::yield();
        }
    }

    static void step(Run& run, Entry& entry) noexcept {
        switch (entry.task->step().status) {
            case StepStatus::done:
                run.task_done(*entry.task);
                entry.over = true;
                return;
            case StepStatus::error:
                run.fail(*entry.task, entry.task->error());
                entry.over = true;
                return;
            default: return;
        }
    }
};

}  // namespace weir::schedulers
