// One worker's queued jobs: it puts, and anyone takes, oldest first.
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

/// A bounded queue with one producer, the worker that owns it, and many takers. It is the thieves' end of Chase and
/// Lev's deque; the owner takes at that end as well, because in a stream the job that was put last is the one with the
/// least new to do.
///
/// A taker may read a slot that the owner is writing anew, and must not get it. It cannot: a slot is written again a
/// whole ring later, of more places than there are jobs, so by then some job stood in the ring twice, and between its
/// two places it was taken; `top_` had passed this slot before the owner wrote it, and the taker's exchange of `top_`
/// fails. That the queue never overflows has the same reason: a job is in one place at a time.
class JobRing {
  public:
    explicit JobRing(std::size_t jobs)
        : mask_(std::bit_ceil(jobs + 1) - 1), slots_(std::make_unique<atomic<Job*>[]>(mask_ + 1)) {}

    /// Only the owner.
    void put(Job& job) noexcept {
        const std::uint64_t bottom = bottom_.load(std::memory_order_relaxed);
        slots_[bottom & mask_].store(&job, std::memory_order_relaxed);
        yield_point();
        // Releases the slot; seq_cst because sleeping workers are looked for after it (`JobQueue::steal`).
        bottom_.store(bottom + 1, std::memory_order_seq_cst);
    }

    /// Any worker. Null: it was empty at some moment in this call.
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
