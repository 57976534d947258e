#include "weir/thread.hpp"

#include <pthread.h>
#include <sched.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <fstream>
#include <iterator>

#include "weir/memory.hpp"
#include "weir/realtime.hpp"

namespace weir {
namespace {

constexpr std::size_t kKernelNameBytes = 15;

std::string set_affinity(std::span<const int> cpus) {
    cpu_set_t set;
    CPU_ZERO(&set);
    for (const int cpu : cpus) {
        if (cpu < 0 || cpu >= CPU_SETSIZE) return "cpu " + std::to_string(cpu) + " does not exist";
        CPU_SET(static_cast<std::size_t>(cpu), &set);
    }
    return ::sched_setaffinity(0, sizeof set, &set) == 0 ? std::string{} : std::strerror(errno);
}

/// Return a message about requested CPUs that were not granted. Linux silently drops CPUs that do not exist as long as
/// one of them does.
std::string missing_cpus(std::span<const int> requested, const std::vector<int>& granted) {
    std::string missing;
    for (const int cpu : requested) {
        if (!std::binary_search(granted.begin(), granted.end(), cpu))
            missing += (missing.empty() ? "" : ", ") + std::to_string(cpu);
    }
    return missing.empty() ? missing : "not granted: cpu " + missing;
}

/// First version of Linux's `struct sched_attr`. Not every libc declares it, or SCHED_DEADLINE.
struct Attributes {
    std::uint32_t size = sizeof(Attributes);
    std::uint32_t policy = SCHED_OTHER;
    std::uint64_t flags = 0;
    std::int32_t nice = 0;
    std::uint32_t priority = 0;
    std::uint64_t runtime_ns = 0, deadline_ns = 0, period_ns = 0;
};
static_assert(sizeof(Attributes) == 48);
constexpr std::uint32_t kKernelPolicies[] = {SCHED_OTHER, SCHED_FIFO, SCHED_RR, 6};  ///< by SchedulingPolicy

/// Request a scheduling policy for the calling thread. Returns "" if Linux grants it, else the reason.
std::string ask_for(const Scheduling& requested) {
    Attributes attributes;
    attributes.policy = kKernelPolicies[static_cast<std::size_t>(requested.policy)];
    attributes.priority = static_cast<std::uint32_t>(requested.priority);
    attributes.runtime_ns = 1000 * requested.runtime_us;
    attributes.deadline_ns = 1000 * requested.deadline_us;
    attributes.period_ns = 1000 * requested.period_us;
    if (::syscall(SYS_sched_setattr, 0, &attributes, 0) == 0) return {};
    const int error = errno;  // before other calls overwrite it
    return why_refused(requested, error, realtime_rights());
}

Scheduling read_back_scheduling() {
    Scheduling granted;
    const int slack_ns = ::prctl(PR_GET_TIMERSLACK, 0UL, 0UL, 0UL, 0UL);
    if (slack_ns >= 0) granted.timer_slack_ns = static_cast<std::uint64_t>(slack_ns);
    Attributes attributes;
    if (::syscall(SYS_sched_getattr, 0, &attributes, sizeof attributes, 0) != 0) return granted;
    const auto* known = std::ranges::find(kKernelPolicies, attributes.policy);
    if (known == std::end(kKernelPolicies)) return granted;  // batch, idle and unknown policies are reported as other
    granted.policy = static_cast<SchedulingPolicy>(known - std::begin(kKernelPolicies));
    granted.priority = static_cast<int>(attributes.priority);
    if (granted.policy != SchedulingPolicy::deadline)
        return granted;  // some kernels report the time slice of other policies as a runtime
    granted.runtime_us = attributes.runtime_ns / 1000;
    granted.deadline_us = attributes.deadline_ns / 1000;
    granted.period_us = attributes.period_ns / 1000;
    return granted;
}

/// Read `nr_migrations : 12` from /proc; -1 if Linux was built without CONFIG_SCHED_DEBUG.
std::int64_t migrations() {
    std::ifstream file("/proc/thread-self/sched");
    for (std::string line; std::getline(file, line);) {
        if (line.find("nr_migrations") == std::string::npos) continue;
        const std::size_t colon = line.find(':');
        if (colon != std::string::npos) return std::strtoll(line.c_str() + colon + 1, nullptr, 10);
    }
    return -1;
}

/// Read `ran_ns waited_ns slices` from /proc. Without CONFIG_SCHED_INFO the file is missing or holds only zeros.
void count_delay(ThreadReport& report) {
    std::ifstream file("/proc/thread-self/schedstat");
    std::int64_t ran_ns = 0, delay_ns = 0, slices = 0;
    if (!(file >> ran_ns >> delay_ns >> slices) || slices == 0) return;
    report.run_delay_ns = delay_ns;
    report.time_slices = slices;
}

/// Read the counts of the calling thread since its start.
void count_thread(ThreadReport& report) {
    timespec cpu_time{};
    ::clock_gettime(CLOCK_THREAD_CPUTIME_ID, &cpu_time);
    report.cpu_time_s = static_cast<double>(cpu_time.tv_sec) + 1e-9 * static_cast<double>(cpu_time.tv_nsec);
    rusage usage{};
    if (::getrusage(RUSAGE_THREAD, &usage) == 0) {
        report.voluntary_switches = usage.ru_nvcsw;
        report.involuntary_switches = usage.ru_nivcsw;
    }
    report.migrations = migrations();
    count_delay(report);
}

}  // namespace

std::vector<int> thread_cpus() {
    cpu_set_t set;
    CPU_ZERO(&set);
    std::vector<int> cpus;
    if (::sched_getaffinity(0, sizeof set, &set) != 0) return cpus;
    for (int cpu = 0; cpu < CPU_SETSIZE; ++cpu) {
        if (CPU_ISSET(static_cast<std::size_t>(cpu), &set)) cpus.push_back(cpu);
    }
    return cpus;
}

std::string keep_thread_to(std::span<const int> cpus) {
    const std::string error = set_affinity(cpus);
    return error.empty() ? missing_cpus(cpus, thread_cpus()) : error;
}

void read_back_cpus(ThreadReport& report, std::span<const int> requested) {
    report.cpus_granted = thread_cpus();
    if (report.affinity_error.empty()) report.affinity_error = missing_cpus(requested, report.cpus_granted);
}

ThreadReport set_up_thread(std::string_view name, std::span<const int> cpus, const Scheduling& requested) {
    ThreadReport report;
    report.name = name;
    report.tid = ::gettid();
    ::pthread_setname_np(::pthread_self(), report.name.substr(0, kKernelNameBytes).c_str());
    ::prctl(PR_SET_TIMERSLACK, static_cast<unsigned long>(requested.timer_slack_ns), 0UL, 0UL, 0UL);

    if (!cpus.empty()) report.affinity_error = set_affinity(cpus);
    read_back_cpus(report, cpus);

    if (requested.policy != SchedulingPolicy::other) report.priority_error = ask_for(requested);
    report.scheduling = read_back_scheduling();
    const std::uint64_t slack_ns = report.scheduling.timer_slack_ns;
    if (report.scheduling.policy == SchedulingPolicy::other && slack_ns != requested.timer_slack_ns) {
        report.slack_error = "Linux set " + std::to_string(slack_ns) + " ns";
    }
    return report;
}

void begin_accounting(ThreadReport& report) {
    count_thread(report);
    if (report.cpu_counters) report.cpu_counters->begin();
}

void account_thread(ThreadReport& report) {
    if (report.cpu_counters) report.cpu_counts = report.cpu_counters->end();
    const ThreadReport before = report;
    count_thread(report);
    const auto since = [](auto& now, auto then) {
        if (now >= 0 && then >= 0) now -= then;
    };
    since(report.cpu_time_s, before.cpu_time_s);
    since(report.voluntary_switches, before.voluntary_switches);
    since(report.involuntary_switches, before.involuntary_switches);
    since(report.migrations, before.migrations);
    since(report.run_delay_ns, before.run_delay_ns);
    since(report.time_slices, before.time_slices);
    report.cpu = ::sched_getcpu();
    report.numa = numa_policy();
    report.cpu_counters.reset();  // close its files: the limit on open files is low
}

}  // namespace weir
