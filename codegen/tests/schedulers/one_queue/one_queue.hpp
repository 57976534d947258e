// One queue for all workers, behind a lock: the simplest scheduler whose jobs move.
#pragma once

#include <cstddef>
#include <cstdint>
#include <mutex>
#include <span>
#include <vector>

#include "weir/job_pool.hpp"

namespace weir::schedulers {

struct OneQueue {
    struct Params {
        std::int64_t steps = 4;
    };
    Params params;

    void run(Run& run) const {
        Queue queue;
        JobPool(run, queue, {.passes = 1, .steps = static_cast<int>(params.steps)}).run();
    }

  private:
    /// The oldest job is the next one, whoever asks.
    class Queue final : public JobQueue {
      public:
        void prepare(std::span<Job> jobs, std::span<const WorkerSpec>) override { places_.resize(jobs.size()); }

        void put(Job& job, std::size_t) noexcept override {
            const std::lock_guard lock(mutex_);
            places_[(first_ + count_) % places_.size()] = &job;
            ++count_;
        }

        Job* take(std::size_t) noexcept override {
            const std::lock_guard lock(mutex_);
            if (count_ == 0) return nullptr;
            Job* job = places_[first_];
            first_ = (first_ + 1) % places_.size();
            --count_;
            return job;
        }

      private:
        std::mutex mutex_;
        std::vector<Job*> places_;  ///< one for each job: none is ever here twice
        std::size_t first_ = 0, count_ = 0;
    };
};

}  // namespace weir::schedulers
