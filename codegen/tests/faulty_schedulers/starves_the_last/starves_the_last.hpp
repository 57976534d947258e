// The fault: last in, first out. A pipe whose blocks wake each other occupies the workers.
#pragma once

#include <cstddef>
#include <mutex>
#include <span>
#include <vector>

#include "weir/job_pool.hpp"

namespace weir::schedulers {

struct StarvesTheLast {
    void run(Run& run) const {
        Stack stack;
        JobPool(run, stack, {.passes = 1, .steps = 4}).run();
    }

  private:
    class Stack final : public JobQueue {
      public:
        void prepare(std::span<Job> jobs, std::span<const WorkerSpec>) override { places_.reserve(jobs.size()); }
        void put(Job& job, std::size_t) noexcept override {
            const std::lock_guard lock(mutex_);
            places_.push_back(&job);
        }
        Job* take(std::size_t) noexcept override {
            const std::lock_guard lock(mutex_);
            if (places_.empty()) return nullptr;
            Job* job = places_.back();  // must be the oldest job, at the front
            places_.pop_back();
            return job;
        }

      private:
        std::mutex mutex_;
        std::vector<Job*> places_;
    };
};

}  // namespace weir::schedulers
