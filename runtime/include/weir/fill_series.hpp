// How full a buffer was in the course of a run: samples in bins of equal duration, the first of which begins at the start barrier. Where
// a run outlasts them, neighbours become one bin of twice the duration, and samples are half as frequent: memory and the time that it all
// takes are bounded, however long the run.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <memory>
#include <optional>
#include <vector>

namespace weir {

/// By bin, up to the last one with a sample. Shares of what might have lain there, 0 … 1; none where there is no sample.
struct FillOverTime {
    std::int64_t bin_ns = 0;
    std::vector<std::optional<double>> mean, max;
};

/// Of all readers of a stream. Written by one thread at a time; read by any, a moment's truth.
class FillSeries {
  public:
    static constexpr std::size_t kBins = 128;
    static constexpr std::int64_t kFirstBin_ns = 1024;
    static constexpr std::int64_t kSamplesABin = 16;

    explicit FillSeries(std::size_t readers) : bins_(std::make_unique<Bin[]>(readers * kBins)), readers_(readers) {}

    /// Before the first sample. CLOCK_MONOTONIC, as all times here.
    void begin(std::int64_t barrier_ns) noexcept { begin_ns_ = due_ns_ = barrier_ns; }
    bool is_due(std::int64_t now_ns) const noexcept { return now_ns >= due_ns_; }
    /// `limit`: items that might lie there, at least 1.
    void add(std::size_t reader, std::int64_t now_ns, std::uint64_t items, std::uint64_t limit) noexcept;

    /// None: there was no sample.
    std::optional<FillOverTime> of(std::size_t reader) const;

  private:
    struct Bin {
        std::atomic<std::uint64_t> items{0}, limits{0};  ///< sums over its samples
        std::atomic<double> most{0};
    };

    void double_bins() noexcept;

    std::unique_ptr<Bin[]> bins_;  ///< by reader
    std::size_t readers_;
    std::atomic<std::int64_t> bin_ns_{kFirstBin_ns};
    std::int64_t begin_ns_ = 0;
    std::int64_t due_ns_ = std::numeric_limits<std::int64_t>::max();
};

}  // namespace weir
