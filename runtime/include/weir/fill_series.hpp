// Fill of a buffer over a run: samples in bins of equal duration from the start barrier on. When a run outlasts the
// bins, each pair of bins merges into one of twice the duration, and samples become half as frequent. This bounds
// memory and cost for any run.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <memory>
#include <optional>
#include <vector>

namespace weir {

/// Fill per bin, up to the last bin with a sample. Shares of the limit, 0 … 1; absent: no sample in this bin.
struct FillOverTime {
    std::int64_t bin_ns = 0;
    std::vector<std::optional<double>> mean, max;
};

/// Fill series of all readers of a stream. One thread at a time writes; any thread may read a momentary value.
class FillSeries {
  public:
    static constexpr std::size_t kBins = 128;
    static constexpr std::int64_t kFirstBin_ns = 1024;
    static constexpr std::int64_t kSamplesABin = 16;

    explicit FillSeries(std::size_t readers) : bins_(std::make_unique<Bin[]>(readers * kBins)), readers_(readers) {}

    /// Set the begin of the series, before the first sample. All times are CLOCK_MONOTONIC.
    void begin(std::int64_t barrier_ns) noexcept { begin_ns_ = due_ns_ = barrier_ns; }
    bool is_due(std::int64_t now_ns) const noexcept { return now_ns >= due_ns_; }
    /// Add a sample. `limit`: largest number of items at this time, at least 1.
    void add(std::size_t reader, std::int64_t now_ns, std::uint64_t items, std::uint64_t limit) noexcept;

    /// Return the series of a reader. Absent: no sample.
    std::optional<FillOverTime> of(std::size_t reader) const;

  private:
    struct Bin {
        std::atomic<std::uint64_t> items{0}, limits{0};  ///< sums over the samples
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
