#include "weir/lateness.hpp"

#include <algorithm>

namespace weir {

namespace {

constexpr std::int64_t kParts = 3;
/// Growth from one third to the next that is a backlog: so much of the third's length, and no less than what waking up
/// on a busy machine takes.
constexpr double kLeastShare = 0.005;
constexpr double kLeastGrowth_ns = 5e6;
/// Who lacks so much of what is due has not kept up: where that grows by less than `kLeastGrowth_ns`, nothing is told.
constexpr double kShortfall = 0.02;

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

std::vector<LateSample> lateness_of(std::span<const Arrival> arrivals, double items_per_s, std::int64_t begin_ns,
                                    const Window& window) {
    std::vector<LateSample> samples;
    for (const Arrival& arrival : arrivals) {
        if (!window.has(arrival.time_ns)) continue;
        const double due_ns = static_cast<double>(arrival.items) * 1e9 / items_per_s;
        samples.push_back({arrival.time_ns, arrival.time_ns - begin_ns - static_cast<std::int64_t>(due_ns)});
    }
    return samples;
}

std::optional<bool> falls_behind(std::span<const LateSample> samples, const Window& window) {
    const std::int64_t length_ns = window.duration_ns() / kParts;
    const auto length = static_cast<double>(length_ns);
    std::optional<std::int64_t> before;
    std::optional<double> least_growth_ns;
    for (std::int64_t part = 0; part < kParts; ++part) {
        const std::int64_t begin_ns = window.begin_ns + part * length_ns;
        const auto late = median_lateness(samples, {begin_ns, begin_ns + length_ns});
        if (!late) return std::nullopt;
        if (before) {
            const auto growth_ns = static_cast<double>(*late - *before);
            least_growth_ns = std::min(growth_ns, least_growth_ns.value_or(growth_ns));
        }
        before = late;
    }
    if (*least_growth_ns > std::max(kLeastGrowth_ns, kLeastShare * length)) return true;
    if (*least_growth_ns > kShortfall * length) return std::nullopt;
    return false;
}

std::optional<double> arrival_rate(std::span<const Arrival> arrivals, const Window& window) {
    const auto inside = [&window](const Arrival& arrival) { return window.has(arrival.time_ns); };
    const auto first = std::find_if(arrivals.begin(), arrivals.end(), inside);
    const auto last = std::find_if(arrivals.rbegin(), arrivals.rend(), inside);
    if (first == arrivals.end() || last->time_ns == first->time_ns) return std::nullopt;
    return static_cast<double>(last->items - first->items) * 1e9 / static_cast<double>(last->time_ns - first->time_ns);
}

}  // namespace weir
