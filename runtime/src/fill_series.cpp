#include "weir/fill_series.hpp"

#include <algorithm>

namespace weir {
namespace {

// Only one thread writes, so a load and a store replace an atomic addition.
template <class T> T load(const std::atomic<T>& value) noexcept { return value.load(std::memory_order_relaxed); }
template <class T> void store(std::atomic<T>& to, T value) noexcept { to.store(value, std::memory_order_relaxed); }

}  // namespace

void FillSeries::add(std::size_t reader, std::int64_t now_ns, std::uint64_t items, std::uint64_t limit) noexcept {
    const std::int64_t at_ns = now_ns - begin_ns_;
    while (at_ns / load(bin_ns_) >= static_cast<std::int64_t>(kBins)) double_bins();
    Bin& bin = bins_[reader * kBins + static_cast<std::size_t>(at_ns / load(bin_ns_))];
    store(bin.items, load(bin.items) + items);
    store(bin.limits, load(bin.limits) + limit);
    store(bin.most, std::max(load(bin.most), static_cast<double>(items) / static_cast<double>(limit)));
    due_ns_ = now_ns + load(bin_ns_) / kSamplesABin;
}

void FillSeries::double_bins() noexcept {
    const auto put = [](Bin& bin, std::uint64_t items, std::uint64_t limits, double most) {
        store(bin.items, items);
        store(bin.limits, limits);
        store(bin.most, most);
    };
    for (std::size_t reader = 0; reader < readers_; ++reader) {
        Bin* const bins = bins_.get() + reader * kBins;
        for (std::size_t i = 0; i < kBins / 2; ++i) {
            const Bin &left = bins[2 * i], &right = bins[2 * i + 1];
            put(bins[i], load(left.items) + load(right.items), load(left.limits) + load(right.limits),
                std::max(load(left.most), load(right.most)));
        }
        for (std::size_t i = kBins / 2; i < kBins; ++i) put(bins[i], 0, 0, 0);
    }
    store(bin_ns_, 2 * load(bin_ns_));
}

std::optional<FillOverTime> FillSeries::of(std::size_t reader) const {
    FillOverTime series{load(bin_ns_), {}, {}};
    const Bin* const bins = bins_.get() + reader * kBins;
    std::size_t end = kBins;
    while (end != 0 && load(bins[end - 1].limits) == 0) --end;
    if (end == 0) return std::nullopt;
    for (const Bin* bin = bins; bin != bins + end; ++bin) {
        const std::uint64_t limits = load(bin->limits);
        // The fill may exceed the limit of a ring after the limit fell.
        const auto share = [limits](double of) {
            return limits == 0 ? std::nullopt : std::optional(std::min(1.0, of));
        };
        series.mean.push_back(share(static_cast<double>(load(bin->items)) / static_cast<double>(limits)));
        series.max.push_back(share(load(bin->most)));
    }
    return series;
}

}  // namespace weir
