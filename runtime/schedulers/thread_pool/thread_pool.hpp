// Scheduler with lists of blocks: each worker runs its lists in turn, and idle workers take lists from other workers.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "weir/job_pool.hpp"
#include "weir/victims.hpp"

namespace weir::schedulers {

/// A list runs on one worker at a time, and stays there while that worker is awake and has time. Streams
/// within a list are linear: the actions of one worker on the list happen before those of the next one (`Job`), as if
/// both were one thread.
struct ThreadPool {
    struct Params {
        std::int64_t passes = 8;
    };
    Params params;

    void run(Run& run) const {
        Lists lists;
        JobPool(run, lists, {.passes = static_cast<int>(params.passes), .steps = kMostSteps}).run();
    }

  private:
    /// There are few lists, so their states are the queue: any worker may claim a queued list.
    class Lists final : public JobQueue {
      public:
        void prepare(std::span<Job> jobs, std::span<const WorkerSpec> workers) override {
            for (std::size_t i = 0; i < workers.size(); ++i) workers_.push_back({Victims(workers, i)});
            for (std::size_t i = 0; i < jobs.size(); ++i) {
                workers_[first_worker(i, jobs.size(), workers.size())].lists.push_back(&jobs[i]);
            }
        }
        void put(Job&, std::size_t) noexcept override {}

        Job* take(std::size_t worker) noexcept override {
            auto& [victims, lists, next] = workers_[worker];
            for (std::size_t i = 0; i < lists.size(); ++i) {
                next = next + 1 < lists.size() ? next + 1 : 0;
                if (lists[next]->queued()) return lists[next];
            }
            return nullptr;
        }

        Job* steal(std::size_t worker) noexcept override {
            return workers_[worker].victims.first([this](std::size_t victim) {
                const std::vector<Job*>& lists = workers_[victim].lists;
                const auto found = std::ranges::find_if(lists, &Job::queued);
                return found == lists.end() ? nullptr : *found;
            });
        }

      private:
        struct alignas(kCacheLine) WorkerLists {
            Victims victims;
            std::vector<Job*> lists = {};
            std::size_t next = 0;
        };
        std::vector<WorkerLists> workers_;
    };
};

}  // namespace weir::schedulers
