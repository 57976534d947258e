#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>
#include <thread>

#include "app_parts.hpp"
#include "weir/thread.hpp"

namespace weir::app {

namespace {

/// Largest relative difference of the two speed checks that their own noise explains (docs/measuring.md).
constexpr double kMostChange = 0.15;

/// Return the rate of the bare kernel and the CPU on which it ran. Its thread has the affinity of the first worker, but
/// not its policy.
std::pair<double, int> check_speed(const Application& application, double seconds) {
    const std::vector<WorkerSpec>& workers = application.plan.workers;
    const std::span<const int> cpus = workers.empty() ? std::span<const int>() : workers.front().cpus;
    double items_per_s = 0;
    int cpu = -1;
    std::thread([&] {
        const std::span<const int> cpu_of_first = cpus.first(std::min<std::size_t>(1, cpus.size()));
        ThreadReport report = set_up_thread("speed_check", cpu_of_first);
        items_per_s = application.bare_items_per_s(seconds);
        account_thread(report);
        cpu = report.cpu;
    }).join();
    return {items_per_s, cpu};
}

}  // namespace

std::optional<SpeedCheckResult> speed_check_before(const Application& application, const Options& options) {
    if (options.speed_check_s <= 0) return std::nullopt;
    const auto [items_per_s, cpu] = check_speed(application, options.speed_check_s);
    return SpeedCheckResult{cpu, options.speed_check_s, items_per_s, std::nullopt};
}

void speed_check_after(const Application& application, Results& results) {
    if (!results.speed_check) return;
    SpeedCheckResult& speed_check = *results.speed_check;
    const auto [after, cpu] = check_speed(application, speed_check.seconds);
    speed_check.after_items_per_s = after;
    speed_check.cpu = cpu;
    const double before = speed_check.before_items_per_s;
    if (!results.options.beside.empty()) return;  // the interference load slows the speed check, too
    if (std::abs(after - before) <= kMostChange * std::max(before, after)) return;
    std::array<char, 256> text{};
    std::snprintf(text.data(), text.size(),
                  "the machine %s by %.0f %%: the speed check (y = a x + b in a plain loop) measured %.3g Gitems/s "
                  "before the run "
                  "and %.3g Gitems/s after it",
                  after < before ? "slowed down" : "sped up", 100 * std::abs(after - before) / before, before / 1e9,
                  after / 1e9);
    add_reason(results, ReasonCode::W_MACHINE_SLOWED, text.data());
}

}  // namespace weir::app
