// Set of sleeping workers, for workers that share jobs.
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "weir/atomic.hpp"
#include "weir/fenced.hpp"

namespace weir {

/// Set of the workers that sleep, or will sleep unless they find a job.
class Sleepers {
  public:
    explicit Sleepers(std::size_t workers) : words_((workers + 63) / 64) {}

    void add(std::size_t worker) noexcept { word(worker).fetch_or(bit(worker), std::memory_order_seq_cst); }
    /// Remove a worker. Returns false if another worker has already chosen it to be woken.
    bool remove(std::size_t worker) noexcept {
        return (word(worker).fetch_and(~bit(worker), std::memory_order_seq_cst) & bit(worker)) != 0;
    }
    /// Remove one worker and wake it with `wake(worker, fenced)`. If none sleeps, this costs a load per 64 workers.
    template <class Wake> void wake_one(Wake wake) noexcept {
        if (const std::ptrdiff_t worker = choose(); worker >= 0) wake(static_cast<std::size_t>(worker), Fenced());
    }

  private:
    /// Remove a worker and return its number, or -1.
    std::ptrdiff_t choose() noexcept {
        for (std::size_t i = 0; i < words_.size(); ++i) {
            std::uint64_t word = words_[i].load(std::memory_order_seq_cst);
            while (word != 0) {
                const int lowest = std::countr_zero(word);
                if (words_[i].compare_exchange_weak(word, word & (word - 1), std::memory_order_seq_cst)) {
                    return static_cast<std::ptrdiff_t>(64 * i) + lowest;
                }
            }
        }
        return -1;
    }

    atomic<std::uint64_t>& word(std::size_t worker) noexcept { return words_[worker / 64]; }
    static std::uint64_t bit(std::size_t worker) noexcept { return std::uint64_t{1} << worker % 64; }

    std::vector<atomic<std::uint64_t>> words_;
};

}  // namespace weir
