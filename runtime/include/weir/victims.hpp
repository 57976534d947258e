// Order in which an idle worker tries to steal from the others.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <numeric>
#include <span>
#include <utility>
#include <vector>

#include "weir/digest.hpp"
#include "weir/plan.hpp"

namespace weir {

/// The other workers, nearest first, because their items lie in a shared cache or in nearby memory. The order among
/// equally near workers is random, so that idle workers do not all try the same one.
class Victims {
  public:
    Victims(std::span<const WorkerSpec> workers, std::size_t self) : random_(self) {
        const auto distance = [far = workers[self].distances](std::uint32_t worker) {
            return far.empty() ? 1 : far[worker];
        };
        order_.resize(workers.size());
        std::iota(order_.begin(), order_.end(), 0U);
        std::erase(order_, static_cast<std::uint32_t>(self));
        std::ranges::sort(order_, {}, [&](std::uint32_t worker) { return std::pair(distance(worker), worker); });
        for (std::size_t i = 0; i < order_.size(); ++i) {
            if (i + 1 == order_.size() || distance(order_[i]) != distance(order_[i + 1])) ends_.push_back(i + 1);
        }
    }

    /// Call `ask` for one worker after the other until it returns a job. Returns that job, or null.
    template <class Ask> auto first(Ask ask) noexcept -> decltype(ask(std::size_t{})) {
        random_ = splitmix64(random_);
        const auto random = static_cast<std::size_t>(random_ >> 32);
        std::size_t begin = 0;
        for (const std::size_t end : ends_) {
            const std::size_t count = end - begin;
            for (std::size_t i = 0; i < count; ++i) {
                if (auto found = ask(order_[begin + (random + i) % count])) return found;
            }
            begin = end;
        }
        return nullptr;
    }

  private:
    std::vector<std::uint32_t> order_;
    std::vector<std::size_t> ends_;  ///< ends of the groups of equally near workers
    std::uint64_t random_;
};

}  // namespace weir
