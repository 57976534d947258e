#include "weir/lateness.hpp"

#include <algorithm>
#include <vector>

namespace weir {

namespace {

constexpr std::int64_t kParts = 3;
/// Growth from one third to the next that is a backlog: so much of the third's length, and no less than what waking up on a
/// busy machine takes.
constexpr double kLeastShare = 0.005;
constexpr double kLeastGrowth_ns = 5e6;

std::optional<std::int64_t> median_lateness(std::span<const LateSample> samples, const Window& window) {
    std::vector<std::int64_t> late;
    for (const LateSample& sample : samples) {
        if (window.has(sample.time_ns)) late.push_back(sample.late_ns);
    }
    if (late.empty()) return std::nullopt;
    const auto middle = late.begin() + static_cast<std::ptrdiff_t>(late.size() / 2);
    std::nth_element(late.begin(), middle, late.end());
    return *middle;
}

}  // namespace

std::optional<bool> falls_behind(std::span<const LateSample> samples, const Window& window) {
    const std::int64_t length_ns = window.duration_ns() / kParts;
    const double least_ns = std::max(kLeastGrowth_ns, kLeastShare * static_cast<double>(length_ns));
    bool grew = true;
    std::optional<std::int64_t> before;
    for (std::int64_t part = 0; part < kParts; ++part) {
        const std::int64_t begin_ns = window.begin_ns + part * length_ns;
        const auto late = median_lateness(samples, {begin_ns, begin_ns + length_ns});
        if (!late) return std::nullopt;
        grew &= !before || static_cast<double>(*late - *before) > least_ns;
        before = late;
    }
    return grew;
}

}  // namespace weir
