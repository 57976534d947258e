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

/// Whether `names`, with commas between them, have this one.
bool lists(const std::string& names, std::string_view wanted) {
    std::istringstream all(names);
    for (std::string name; std::getline(all, name, ',');) {
        if (name == wanted) return true;
    }
    return false;
}

/// The folder of our own control group of version 1 that shares out CPU time, below `root`; empty: there is none.
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
        // Of a container, the path is that of the host, and what is mounted may be the group itself.
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

std::string why_not_permitted(const Scheduling& asked, const RealtimeRights& rights) {
    if (asked.policy == SchedulingPolicy::deadline) {
        if (!rights.capable) {
            return "a deadline needs CAP_SYS_NICE, and no limit will do: as root, or sudo setcap cap_sys_nice+ep "
                   "PROGRAM";
        }
        if (rights.machine && rights.machine->runtime_us == 0)
            return "kernel.sched_rt_runtime_us is 0: there is no time for any";
        return "a thread with a deadline must be free to run on each CPU of its root domain, and this one is not: "
               "leave its "
               "affinity out, or isolate its CPUs";
    }
    const std::string priority = std::to_string(asked.priority);
    if (!rights.capable && static_cast<std::uint64_t>(asked.priority) > rights.highest_priority) {
        return "priority " + priority + " needs CAP_SYS_NICE or a limit that is not " +
               std::to_string(rights.highest_priority) + ": sudo prlimit --pid $$ --rtprio=" + priority + ":" +
               priority;
    }
    if (rights.group && rights.group->runtime_us == 0) {
        return "its control group has no share of real time: echo 950000 | sudo tee " + rights.group_file;
    }
    return rights.capable ? "CAP_SYS_NICE of a user namespace does not count" : "";
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

std::string why_refused(const Scheduling& asked, int error, const RealtimeRights& rights) {
    std::string why;
    if (error == EPERM) {
        why = why_not_permitted(asked, rights);
    } else if (error == EBUSY && asked.policy == SchedulingPolicy::deadline) {
        why = "not admitted: with all deadlines that there are, its " +
              percent(static_cast<double>(asked.runtime_us) / static_cast<double>(asked.period_us)) +
              " of a CPU are more than the kernel gives, which is " +
              (rights.machine ? percent(rights.machine->of_a_cpu()) + " of each (kernel.sched_rt_runtime_us)"
                              : "a share of each");
    } else if (error == EINVAL && asked.policy == SchedulingPolicy::deadline) {
        why = "a runtime is 2 us at least, and a period within kernel.sched_deadline_period_min_us and _max_us";
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
    // A run of n periods and a bit has n stops, so that they are half of their share at least. More than twice of it is more
    // than the kernel takes: another thread of real time had the CPU. Who ran less than its share was not stopped for it.
    const double part = delay_us / (delay_us + ran_us);
    if (delay_us < stop_us / 2 || ran_us < static_cast<double>(share.runtime_us) / 2) return std::nullopt;
    if (part < stopped / 2 || part > 2 * stopped) return std::nullopt;
    // Each stop is long, where what else delays such a thread (interrupts' threads, others that wake up) is short.
    const double slices = static_cast<double>(std::max<std::int64_t>(thread.involuntary_switches, 1));
    return delay_us / slices >= stop_us / 10 ? std::optional(part) : std::nullopt;
}

}  // namespace weir
