// Every block is a job of its own; each worker has a queue of them, and who has none steals.
#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <span>
#include <vector>

#include "weir/digest.hpp"
#include "weir/job_pool.hpp"
#include "weir/job_ring.hpp"

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
    /// A job goes to the worker that woke it, whose cache has what it was woken for, unless another one is idle.
    class Queues final : public JobQueue {
      public:
        void prepare(std::span<Job> jobs, std::size_t workers) override {
            for (std::size_t i = 0; i < workers; ++i) own_.emplace_back(jobs.size(), i);
        }
        void put(Job& job, std::size_t worker) noexcept override { own_[worker].ring.put(job); }
        Job* take(std::size_t worker) noexcept override { return own_[worker].ring.take(); }

        /// Looks at every other worker, from a random one on, so that thieves do not all come to the same.
        Job* steal(std::size_t worker) noexcept override {
            std::uint64_t& random = own_[worker].random;
            random = splitmix64(random);
            const std::size_t workers = own_.size(), first = static_cast<std::size_t>(random >> 32) % workers;
            for (std::size_t i = 0; i < workers; ++i) {
                const std::size_t victim = (first + i) % workers;
                if (victim == worker) continue;
                if (Job* job = own_[victim].ring.take()) return job;
            }
            return nullptr;
        }

      private:
        struct Own {
            Own(std::size_t jobs, std::uint64_t seed) : ring(jobs), random(seed) {}
            JobRing ring;
            alignas(kCacheLine) std::uint64_t random;
        };
        std::deque<Own> own_;  ///< by worker; a deque, as rings do not move
    };
};

}  // namespace weir::schedulers
