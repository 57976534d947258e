// Whether what paced sources offer comes out at a sink as fast as it is due there.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "weir/window.hpp"

namespace weir {

/// How many items a sink had consumed, and when.
struct Arrival {
    std::int64_t time_ns;
    std::uint64_t items;
};

/// Keeps a bounded number of samples of a run however long: when it is full, every second one goes, and from then on
/// they are taken half as often. One writer; read after the run.
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

/// At a time, how long after it was due the newest item came.
struct LateSample {
    std::int64_t time_ns, late_ns;
};

/// Item n is due n / `items_per_s` after `begin_ns`. Those of the window.
std::vector<LateSample> lateness_of(std::span<const Arrival> arrivals, double items_per_s, std::int64_t begin_ns,
                                    const Window& window);

/// Whether the backlog grew throughout the window: the median lateness of its second third is above that of the first,
/// and that of the third above that of the second. Medians, so that a hiccup that is made up for does not count; a
/// constant delay is no growth. `burst_ns`: items are late by up to so much for coming in bursts. Absent, as it cannot be
/// told: a third without a sample; a window so short that what grew in it may be no more than what waking up or a burst
/// takes; a backlog that grew for a part of the window only; nothing that came for long at its end.
std::optional<bool> falls_behind(std::span<const LateSample> samples, const Window& window, double burst_ns = 0);

/// Items a second from the first to the last arrival in the window; absent where there are no two.
std::optional<double> arrival_rate(std::span<const Arrival> arrivals, const Window& window);

}  // namespace weir
