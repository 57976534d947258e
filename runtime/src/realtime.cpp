#include "weir/realtime.hpp"

#include <sys/resource.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <fstream>
#include <sstream>

namespace weir {
namespace {

constexpr int kCapSysNice = 23;

std::optional<std::int64_t> number_in(const std::filesystem::path& file) {
    std::int64_t number = 0;
    return std::ifstream(file) >> number ? std::optional(number) : std::nullopt;
}

std::optional<RealtimeShare> share_in(const std::filesystem::path& runtime, const std::filesystem::path& period) {
    const auto runtime_us = number_in(runtime), period_us = number_in(period);
    return runtime_us && period_us ? std::optional(RealtimeShare{*runtime_us, *period_us}) : std::nullopt;
}

bool has_capability(const std::filesystem::path& status) {
    std::ifstream file(status);  // `CapEff:	000001ffffffffff`
    for (std::string word; file >> word;) {
        std::uint64_t bits = 0;
        if (word == "CapEff:" && file >> std::hex >> bits) return (bits >> kCapSysNice & 1U) != 0;
    }
    return false;
}

/// Return whether the comma-separated list `names` contains `wanted`.
bool lists(const std::string& names, std::string_view wanted) {
    std::istringstream all(names);
    for (std::string name; std::getline(all, name, ',');) {
        if (name == wanted) return true;
    }
    return false;
}

/// Return the folder of this process's version 1 control group for CPU time, below `root`. Empty if it has none.
std::filesystem::path cpu_group(const std::filesystem::path& root) {
    std::string own;
    std::ifstream groups(root / "proc/self/cgroup");  // `4:cpu,cpuacct:/a/b`
    for (std::string line; std::getline(groups, line);) {
        const std::size_t names = line.find(':'), path = line.find(':', names + 1);
        if (path != std::string::npos && lists(line.substr(names + 1, path - names - 1), "cpu"))
            own = line.substr(path + 1);
    }
    std::ifstream mounts(root / "proc/self/mounts");
    for (std::string line; std::getline(mounts, line);) {
        std::istringstream words(line);
        std::string device, at, kind, options;
        if (!(words >> device >> at >> kind >> options) || kind != "cgroup" || !lists(options, "cpu")) continue;
        // In a container, the path is that of the host, and the mount may be the group itself.
        const std::filesystem::path mount = root / std::filesystem::path(at).relative_path();
        const std::filesystem::path group = mount / std::filesystem::path(own).relative_path();
        return std::filesystem::exists(group) ? group : mount;
    }
    return {};
}

std::string percent(double share) {
    char text[16];
    std::snprintf(text, sizeof text, "%.3g %%", 100 * share);
    return text;
}

std::string why_not_permitted(const Scheduling& requested, const RealtimeRights& rights) {
    if (requested.policy == SchedulingPolicy::deadline) {
        if (!rights.capable) {
            return "a deadline needs CAP_SYS_NICE; run as root, or sudo setcap cap_sys_nice+ep PROGRAM";
        }
        if (rights.machine && rights.machine->runtime_us == 0)
            return "kernel.sched_rt_runtime_us is 0, so Linux admits no deadline";
        return "a thread with a deadline must be allowed on every CPU of its root domain, and this one is not; remove "
               "its affinity, or isolate its CPUs";
    }
    const std::string priority = std::to_string(requested.priority);
    if (!rights.capable && static_cast<std::uint64_t>(requested.priority) > rights.highest_priority) {
        return "priority " + priority + " needs CAP_SYS_NICE or a higher limit than " +
               std::to_string(rights.highest_priority) + ": sudo prlimit --pid $$ --rtprio=" + priority + ":" +
               priority;
    }
    if (rights.group && rights.group->runtime_us == 0) {
        return "its control group has no real-time share: echo 950000 | sudo tee " + rights.group_file;
    }
    return rights.capable ? "CAP_SYS_NICE inside a user namespace does not suffice" : "";
}

}  // namespace

double RealtimeShare::of_a_cpu() const noexcept {
    if (runtime_us < 0 || period_us <= 0) return 1;
    return std::min(1.0, static_cast<double>(runtime_us) / static_cast<double>(period_us));
}

RealtimeRights realtime_rights(const std::filesystem::path& root) {
    RealtimeRights rights;
    rights.capable = has_capability(root / "proc/self/status");
    rlimit limit{};
    if (::getrlimit(RLIMIT_RTPRIO, &limit) == 0) rights.highest_priority = limit.rlim_cur;
    const std::filesystem::path sysctl = root / "proc/sys/kernel", group = cpu_group(root);
    rights.machine = share_in(sysctl / "sched_rt_runtime_us", sysctl / "sched_rt_period_us");
    if (group.empty()) return rights;
    rights.group_file = group / "cpu.rt_runtime_us";
    rights.group = share_in(rights.group_file, group / "cpu.rt_period_us");
    return rights;
}

std::string why_refused(const Scheduling& requested, int error, const RealtimeRights& rights) {
    std::string why;
    if (error == EPERM) {
        why = why_not_permitted(requested, rights);
    } else if (error == EBUSY && requested.policy == SchedulingPolicy::deadline) {
        why = "Linux did not admit it: together with all other deadlines, its " +
              percent(static_cast<double>(requested.runtime_us) / static_cast<double>(requested.period_us)) +
              " of a CPU exceeds the limit, which is " +
              (rights.machine ? percent(rights.machine->of_a_cpu()) + " of each CPU (kernel.sched_rt_runtime_us)"
                              : "a share of each CPU");
    } else if (error == EINVAL && requested.policy == SchedulingPolicy::deadline) {
        why =
            "the runtime must be at least 2 us, and the period within kernel.sched_deadline_period_min_us and _max_us";
    }
    return std::strerror(error) + (why.empty() ? why : ": " + why);
}

std::optional<double> throttled_share(const ThreadReport& thread, const RealtimeRights& rights) {
    const SchedulingPolicy policy = thread.scheduling.policy;
    if ((policy != SchedulingPolicy::fifo && policy != SchedulingPolicy::rr) || thread.run_delay_ns < 0)
        return std::nullopt;
    RealtimeShare share{-1, 0};
    for (const auto& it : {rights.machine, rights.group}) {
        if (it && it->runtime_us > 0 && it->of_a_cpu() < share.of_a_cpu()) share = *it;
    }
    const double stopped = 1 - share.of_a_cpu();
    if (stopped <= 0) return std::nullopt;
    const double delay_us = static_cast<double>(thread.run_delay_ns) * 1e-3, ran_us = thread.cpu_time_s * 1e6;
    const double stop_us = stopped * static_cast<double>(share.period_us);
    // A run of n periods and a fraction has n stops, so the stops take at least half of their share. More than twice
    // the share means that another real-time thread had the CPU. A thread that ran below its share was not throttled.
    const double part = delay_us / (delay_us + ran_us);
    if (delay_us < stop_us / 2 || ran_us < static_cast<double>(share.runtime_us) / 2) return std::nullopt;
    if (part < stopped / 2 || part > 2 * stopped) return std::nullopt;
    // Each stop is long, while other delays of such a thread (interrupt threads, other wake-ups) are short.
    const double slices = static_cast<double>(std::max<std::int64_t>(thread.involuntary_switches, 1));
    return delay_us / slices >= stop_us / 10 ? std::optional(part) : std::nullopt;
}

}  // namespace weir
