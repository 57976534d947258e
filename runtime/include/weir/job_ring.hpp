// Queue of one worker's jobs: the owner puts, and any worker takes the oldest.
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <memory>

#include "weir/atomic.hpp"
#include "weir/memory.hpp"
#include "weir/yield_point.hpp"

namespace weir {

class Job;

/// Bounded queue with one producer, the owner, and many takers. It is the thieves' end of the Chase-Lev deque. The
/// owner takes at that end as well, because the job that was put last has the least new work.
///
/// A taker may read a slot that the owner is overwriting, but it never gets that job. The ring has more slots than
/// there are jobs, so the owner reuses a slot only after some job was in the ring twice and was taken in between.
/// Before the owner writes the slot, `top_` has therefore passed it, and the taker's exchange of `top_` fails. For the
/// same reason the queue never overflows: a job is in one slot at a time.
class JobRing {
  public:
    explicit JobRing(std::size_t jobs)
        : mask_(std::bit_ceil(jobs + 1) - 1), slots_(std::make_unique<atomic<Job*>[]>(mask_ + 1)) {}

    /// Owner only.
    void put(Job& job) noexcept {
        const std::uint64_t bottom = bottom_.load(std::memory_order_relaxed);
        slots_[bottom & mask_].store(&job, std::memory_order_relaxed);
        yield_point();
        // Releases the slot. seq_cst, because the owner looks for sleeping workers afterwards (`JobQueue::steal`).
        bottom_.store(bottom + 1, std::memory_order_seq_cst);
    }

    /// Any worker. Null: the queue was empty at some moment during the call.
    Job* take() noexcept {
        std::uint64_t top = top_.load(std::memory_order_seq_cst);
        while (top < bottom_.load(std::memory_order_seq_cst)) {
            Job* job = slots_[top & mask_].load(std::memory_order_relaxed);
            yield_point();
            if (top_.compare_exchange_weak(top, top + 1, std::memory_order_seq_cst)) return job;
        }
        return nullptr;
    }

  private:
    std::uint64_t mask_;
    std::unique_ptr<atomic<Job*>[]> slots_;
    alignas(kCacheLine) atomic<std::uint64_t> top_{0};
    alignas(kCacheLine) atomic<std::uint64_t> bottom_{0};
};

}  // namespace weir
