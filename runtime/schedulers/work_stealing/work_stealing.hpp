// Scheduler in which every block is a job. Each worker has a queue, and a worker without jobs steals.
#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <span>
#include <utility>

#include "weir/job_pool.hpp"
#include "weir/job_ring.hpp"
#include "weir/victims.hpp"

namespace weir::schedulers {

struct WorkStealing {
    struct Params {
        std::int64_t steps = kMostSteps;
    };
    Params params;

    void run(Run& run) const {
        Queues queues;
        JobPool(run, queues, {.passes = 1, .steps = static_cast<int>(params.steps)}).run();
    }

  private:
    /// A job goes to the worker that woke it, whose cache has the new items, unless another worker is idle.
    class Queues final : public JobQueue {
      public:
        void prepare(std::span<Job> jobs, std::span<const WorkerSpec> workers) override {
            for (std::size_t i = 0; i < workers.size(); ++i) queues_.emplace_back(jobs.size(), Victims(workers, i));
        }
        void put(Job& job, std::size_t worker) noexcept override { queues_[worker].ring.put(job); }
        Job* take(std::size_t worker) noexcept override { return queues_[worker].ring.take(); }

        Job* steal(std::size_t worker) noexcept override {
            return queues_[worker].victims.first([this](std::size_t victim) { return queues_[victim].ring.take(); });
        }

      private:
        struct WorkerQueue {
            WorkerQueue(std::size_t jobs, Victims order) : ring(jobs), victims(std::move(order)) {}
            JobRing ring;
            alignas(kCacheLine) Victims victims;
        };
        std::deque<WorkerQueue> queues_;  ///< by worker; a deque, because rings must not move
    };
};

}  // namespace weir::schedulers
