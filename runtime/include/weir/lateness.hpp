// How late a paced source was in the course of a run.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>

#include "weir/window.hpp"

namespace weir {

/// When some items left, and how long after the newest of them was due.
struct LateSample {
    std::int64_t time_ns, late_ns;
};

/// Keeps a bounded number of samples of a run however long: when it is full, every second one goes, and from then on they
/// are taken half as often. One writer; read after the run.
class LatenessLog {
  public:
    void add(std::int64_t time_ns, std::int64_t late_ns) noexcept {
        if (time_ns < next_ns_) return;
        if (size_ == samples_.size()) thin_out();
        samples_[size_++] = {time_ns, late_ns};
        next_ns_ = time_ns + spacing_ns_;
    }

    std::span<const LateSample> samples() const noexcept { return std::span(samples_).first(size_); }

  private:
    void thin_out() noexcept {
        size_ /= 2;
        for (std::size_t i = 0; i < size_; ++i) samples_[i] = samples_[2 * i + 1];
        spacing_ns_ *= 2;
    }

    std::array<LateSample, 256> samples_{};
    std::size_t size_ = 0;
    std::int64_t spacing_ns_ = 500'000;
    std::int64_t next_ns_ = 0;
};

/// Whether a source's backlog grew throughout the window: the median lateness of its second third is above that of the
/// first, and that of the third above that of the second. Medians, so that a hiccup that is made up for does not count.
/// Absent: too few samples to tell.
std::optional<bool> falls_behind(std::span<const LateSample> samples, const Window& window);

}  // namespace weir
