#include "weir/lateness.hpp"

#include <algorithm>
#include <array>

namespace weir {

namespace {

constexpr int kParts = 3;
/// Smallest growth of lateness between thirds of the window that counts as a backlog: a share of the third's length,
/// but at least the time of a wake-up on a busy machine.
constexpr double kLeastShare = 0.005;
constexpr double kLeastGrowth_ns = 5e6;
/// Share of missing due items that shows that a sink did not keep up. If its lateness grows by less than
/// `kLeastGrowth_ns`, the result is undecided.
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
        constexpr double kNever = 4e18;  // 127 years, which still fits into 64 bits
        const double due_ns = std::min(static_cast<double>(arrival.items) * 1e9 / items_per_s, kNever);
        samples.push_back({arrival.time_ns, arrival.time_ns - begin_ns - static_cast<std::int64_t>(due_ns)});
    }
    return samples;
}

std::optional<bool> falls_behind(std::span<const LateSample> samples, const Window& window, double burst_ns) {
    const std::int64_t length_ns = window.duration_ns() / kParts;
    const auto length = static_cast<double>(length_ns);
    std::array<double, kParts> late{};
    for (int part = 0; part < kParts; ++part) {
        const std::int64_t begin_ns = window.begin_ns + part * length_ns;
        const auto median = median_lateness(samples, {begin_ns, begin_ns + length_ns});
        if (!median) return std::nullopt;
        late[static_cast<std::size_t>(part)] = static_cast<double>(*median);
    }
    const double least = std::max({kLeastGrowth_ns, kLeastShare * length, burst_ns});
    const double growth = std::min(late[1] - late[0], late[2] - late[1]);
    if (growth > least) return true;
    if (growth > kShortfall * length || late[2] - late[0] > least) return std::nullopt;
    // A sink that receives nothing adds no samples, so the age of its newest item counts, too.
    const LateSample* newest = nullptr;
    for (const LateSample& sample : samples) {
        if (window.has(sample.time_ns)) newest = &sample;
    }
    const auto silence = static_cast<double>(window.end_ns - newest->time_ns);
    if (silence > std::max(least, length / 2)) return std::nullopt;
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
