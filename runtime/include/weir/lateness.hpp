// Determines whether items of paced sources arrive at a sink at the rate at which they are due.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "weir/window.hpp"

namespace weir {

/// Number of items that a sink had consumed at a time.
struct Arrival {
    std::int64_t time_ns;
    std::uint64_t items;
};

/// Bounded log of arrivals: when it is full, it drops every second sample and then records half as often. One writer;
/// read after the run.
class ArrivalLog {
  public:
    void add(std::int64_t time_ns, std::uint64_t items) noexcept {
        if (time_ns < next_ns_) return;
        if (size_ == samples_.size()) thin_out();
        samples_[size_++] = {time_ns, items};
        next_ns_ = time_ns + spacing_ns_;
    }

    std::span<const Arrival> samples() const noexcept { return std::span(samples_).first(size_); }

  private:
    void thin_out() noexcept {
        size_ /= 2;
        for (std::size_t i = 0; i < size_; ++i) samples_[i] = samples_[2 * i + 1];
        spacing_ns_ *= 2;
    }

    std::array<Arrival, 256> samples_{};
    std::size_t size_ = 0;
    std::int64_t spacing_ns_ = 500'000;
    std::int64_t next_ns_ = 0;
};

/// Lateness of the newest item at a time.
struct LateSample {
    std::int64_t time_ns, late_ns;
};

/// Return the lateness of the arrivals in the window. Item n is due n / `items_per_s` after `begin_ns`.
std::vector<LateSample> lateness_of(std::span<const Arrival> arrivals, double items_per_s, std::int64_t begin_ns,
                                    const Window& window);

/// Return whether the backlog grew throughout the window: the median lateness of the second third exceeds that of the
/// first, and that of the last third exceeds that of the second. Medians ignore a short delay that is caught up, and a
/// constant delay is no growth. `burst_ns`: largest lateness due to bursts. Absent if undecided: a third has no
/// samples, the window is so short that wake-ups or bursts explain the growth, the backlog grew in a part of the window
/// only, or nothing arrived for a long time at its end.
std::optional<bool> falls_behind(std::span<const LateSample> samples, const Window& window, double burst_ns = 0);

/// Return the rate from the first to the last arrival in the window; absent if there are fewer than two.
std::optional<double> arrival_rate(std::span<const Arrival> arrivals, const Window& window);

}  // namespace weir
