#include "weir/interference.hpp"

#include <algorithm>
#include <cstdio>
#include <fstream>
#include <iterator>
#include <set>
#include <sstream>

#include <sys/resource.h>
#include <time.h>
#include <unistd.h>

#include "weir/clock.hpp"

namespace weir {

namespace {

/// Largest share of the time of the run's CPUs that other programs may use.
constexpr double kMostOtherPrograms = 0.10;
/// Largest share of the run that a worker may wait for its CPU, beyond the cost of each switch. A busy thread that
/// pre-empts a worker keeps the CPU for a time slice (milliseconds); waking up on an idle CPU takes microseconds.
constexpr double kMostDelay = 0.05;
constexpr double kDelayOfSwitch_ns = 50e3;
constexpr double kLeastDelay_ns = 20e6;
/// Idle, iowait and steal are whole ticks in /proc/stat, each rounded down at both ends.
constexpr double kRoundingTicks = 2;
/// Time that Linux needs to put a thread to sleep and to wake it, which is neither the thread's time nor idle. Measured
/// in runs without other programs: docs/measuring.md.
constexpr double kSleep_s = 4e-6;

std::string text_of(const char* path) {
    std::ifstream file(path);
    return {std::istreambuf_iterator<char>(file), {}};
}

double share(double part, double of) { return std::clamp(part / of, 0.0, 1.0); }

template <class... T> std::string formatted(const char* format, T... values) {
    char text[160];
    std::snprintf(text, sizeof text, format, values...);
    return text;
}

/// Return the CPU time of a process; 0 if it has ended or Linux does not report it.
std::int64_t cpu_time_ns(int process) {
    std::ifstream file("/proc/" + std::to_string(process) + "/schedstat");
    std::int64_t time_ns = 0;
    return file >> time_ns ? time_ns : 0;
}

/// Return whether every worker can have its own CPU. Otherwise workers wait for each other.
bool fit_beside_each_other(std::span<const ThreadReport> threads) {
    std::set<int> alone;
    for (const ThreadReport& thread : threads) {
        if (thread.cpus_granted.size() == 1 && !alone.insert(thread.cpus_granted.front()).second) return false;
    }
    return threads.size() <= cpus_of(threads).size();
}

std::string other_programs_text(const Conditions& c) {
    if (!c.other_programs ||
        c.other_programs->share + c.other_programs->steal - c.other_programs->uncertainty <= kMostOtherPrograms)
        return "";
    const std::size_t cpus = cpus_of(c.threads).size();
    return (c.ordered != 0 ? "besides the interference load, other programs" : "other programs") +
           formatted(" used %.0f %% of the %zu CPU%s during this run (other processes %.0f %%, steal %.0f %%)",
                     100 * std::min(1.0, c.other_programs->share + c.other_programs->steal), cpus, cpus == 1 ? "" : "s",
                     100 * c.other_programs->share, 100 * c.other_programs->steal);
}

/// Describe the load at the start. The load average alone may stem from an earlier run, so other threads must be
/// runnable now, too.
std::string load_text(const Conditions& c) {
    if (!c.load || !c.runnable || *c.load <= static_cast<double>(c.cpus) || *c.runnable < c.cpus + c.ordered) return "";
    return formatted("the run began at a load average of %.1f on %llu CPUs", *c.load,
                     static_cast<unsigned long long>(c.cpus));
}

std::string delay_text(const Conditions& c) {
    // The interference load makes the workers wait on purpose.
    if (c.ordered != 0 || !fit_beside_each_other(c.threads)) return "";
    const ThreadReport* worst = nullptr;
    double longest_ns = 0;
    for (const ThreadReport& thread : c.threads) {
        if (thread.scheduling.policy == SchedulingPolicy::deadline) continue;  // it waits for its next period
        const double delay_ns = static_cast<double>(thread.run_delay_ns);
        const double long_ones_ns = delay_ns - kDelayOfSwitch_ns * static_cast<double>(thread.time_slices);
        if (thread.run_delay_ns < 0 || long_ones_ns <= longest_ns) continue;
        worst = &thread;
        longest_ns = long_ones_ns;
    }
    const double elapsed_ns = static_cast<double>(c.elapsed_ns);
    if (worst == nullptr || longest_ns <= std::max(kLeastDelay_ns, kMostDelay * elapsed_ns)) return "";
    const double delay_ns = static_cast<double>(worst->run_delay_ns);
    return "worker " + worst->name +
           formatted(" was ready to run but waited for a CPU for %.3g s (%.0f %% of the run)", delay_ns * 1e-9,
                     100 * share(delay_ns, elapsed_ns));
}

}  // namespace

bool read_stat(std::string_view stat, MachineReading& into) {
    std::istringstream lines{std::string(stat)};
    for (std::string line; std::getline(lines, line) && line.starts_with("cpu");) {
        std::istringstream fields(line.substr(3));
        int cpu = -1;
        if (line[3] != ' ') fields >> cpu;
        // user nice system idle iowait irq softirq steal; guest time is already in user and nice.
        std::uint64_t ticks[8];
        CpuTimes times;
        for (std::uint64_t& field : ticks) {
            if (!(fields >> field)) return false;
            times.total += field;
        }
        times.idle = ticks[3] + ticks[4];
        times.steal = ticks[7];
        (cpu < 0 ? into.all : into.cpus[cpu]) = times;
    }
    return into.all.total != 0;
}

MachineReading read_machine(std::span<const int> ordered) {
    MachineReading reading;
    if (!read_stat(text_of("/proc/stat"), reading)) reading.cpus.clear();
    timespec own{};
    ::clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &own);
    reading.own_ns = own.tv_sec * 1'000'000'000 + own.tv_nsec;
    rusage usage{};
    ::getrusage(RUSAGE_SELF, &usage);
    reading.own_sleeps = usage.ru_nvcsw;
    for (const int process : ordered) reading.ordered_ns += cpu_time_ns(process);
    reading.time_ns = monotonic_ns();
    reading.ticks_per_s = static_cast<double>(std::max(1L, ::sysconf(_SC_CLK_TCK)));
    return reading;
}

std::optional<double> steal_between(const MachineReading& before, const MachineReading& after) {
    if (before.all.total == 0 || after.all.total <= before.all.total || after.all.steal < before.all.steal) {
        return std::nullopt;
    }
    return static_cast<double>(after.all.steal - before.all.steal) /
           static_cast<double>(after.all.total - before.all.total);
}

std::optional<OtherPrograms> other_programs_between(const MachineReading& before, const MachineReading& after,
                                                    std::span<const int> cpus) {
    const double wall_s = static_cast<double>(after.time_ns - before.time_ns) * 1e-9;
    // The totals stand still where Linux does not count, as in some containers.
    if (cpus.empty() || wall_s <= 0 || after.all.total <= before.all.total) return std::nullopt;
    const auto seconds = [&](std::uint64_t from, std::uint64_t to) {
        return to > from ? static_cast<double>(to - from) / after.ticks_per_s : 0.0;
    };
    double busy_s = 0, steal_s = 0;
    for (const int cpu : cpus) {
        const auto from = before.cpus.find(cpu), to = after.cpus.find(cpu);
        if (from == before.cpus.end() || to == after.cpus.end()) return std::nullopt;
        busy_s += std::max(0.0, wall_s - seconds(from->second.idle, to->second.idle));
        steal_s += seconds(from->second.steal, to->second.steal);
    }
    // The interference load may have used part of this time on CPUs outside the run.
    const std::int64_t ordered_ns = std::max<std::int64_t>(0, after.ordered_ns - before.ordered_ns);
    const double own_s = static_cast<double>(after.own_ns - before.own_ns + ordered_ns) * 1e-9 +
                         kSleep_s * static_cast<double>(after.own_sleeps - before.own_sleeps);
    const double all_s = wall_s * static_cast<double>(cpus.size());
    return OtherPrograms{share(busy_s - steal_s - own_s, all_s), share(steal_s, all_s),
                         share(kRoundingTicks / after.ticks_per_s, wall_s)};
}

std::optional<std::uint64_t> others_runnable(std::string_view loadavg) {
    // 0.52 0.58 0.59 3/602 12345
    std::istringstream fields{std::string(loadavg)};
    std::string skipped;
    std::uint64_t runnable = 0;
    if (!(fields >> skipped >> skipped >> skipped >> runnable)) return std::nullopt;
    return runnable > 0 ? runnable - 1 : 0;
}

std::optional<std::uint64_t> others_runnable() { return others_runnable(text_of("/proc/loadavg")); }

std::vector<int> cpus_of(std::span<const ThreadReport> threads) {
    std::set<int> cpus;
    for (const ThreadReport& thread : threads) cpus.insert(thread.cpus_granted.begin(), thread.cpus_granted.end());
    return {cpus.begin(), cpus.end()};
}

std::string describe_interference(const Conditions& conditions) {
    std::string all;
    for (const std::string& text : {other_programs_text(conditions), load_text(conditions), delay_text(conditions)}) {
        if (!text.empty()) all += (all.empty() ? "" : "; ") + text;
    }
    return all;
}

}  // namespace weir
