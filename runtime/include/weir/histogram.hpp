// Log-linear buckets for counts: 8 buckets per octave, so a bucket is at most 1/8 wider than its lower bound.
#pragma once

#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace weir::histogram {

inline constexpr unsigned kSubBits = 3;
inline constexpr std::size_t kBuckets = 512;  ///< 8 exact values, then 61 octaves of 8: every 64-bit value has a bucket

constexpr std::size_t bucket_of(std::uint64_t value) noexcept {
    if (value < (1U << kSubBits)) return static_cast<std::size_t>(value);
    const auto octave = static_cast<unsigned>(std::bit_width(value)) - 1 - kSubBits;
    return (static_cast<std::size_t>(octave) << kSubBits) + static_cast<std::size_t>(value >> octave);
}

/// Return the smallest value in `bucket`.
constexpr std::uint64_t lower_bound(std::size_t bucket) noexcept {
    constexpr std::size_t kSub = std::size_t{1} << kSubBits;
    if (bucket < 2 * kSub) return bucket;
    const std::size_t octave = (bucket >> kSubBits) - 1;
    return static_cast<std::uint64_t>(bucket - (octave << kSubBits)) << octave;
}

/// Return the lower bound of the bucket that holds the `fraction` quantile (0 to 1); 0 if nothing was counted. `Count`
/// converts to std::uint64_t (an atomic does).
template <class Count> std::uint64_t quantile(std::span<const Count> counts, double fraction) noexcept {
    std::uint64_t total = 0;
    for (const Count& count : counts) total += count;
    if (total == 0) return 0;
    const auto rank = static_cast<std::uint64_t>(fraction * static_cast<double>(total - 1));
    std::uint64_t seen = 0;
    for (std::size_t bucket = 0; bucket < counts.size(); ++bucket) {
        seen += counts[bucket];
        if (seen > rank) return lower_bound(bucket);
    }
    return lower_bound(counts.size() - 1);
}

/// Return the smallest value and the count of each non-empty bucket, ascending.
template <class Count> std::vector<std::array<std::uint64_t, 2>> filled(std::span<const Count> counts) {
    std::vector<std::array<std::uint64_t, 2>> found;
    for (std::size_t bucket = 0; bucket < counts.size(); ++bucket) {
        if (counts[bucket] != 0) found.push_back({lower_bound(bucket), counts[bucket]});
    }
    return found;
}

static_assert(bucket_of(~std::uint64_t{0}) < kBuckets);

}  // namespace weir::histogram
