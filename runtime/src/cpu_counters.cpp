#include "weir/cpu_counters.hpp"

#include <linux/perf_event.h>
#include <sys/ioctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cmath>
#include <cstring>
#include <fstream>
#include <utility>
#include <vector>

#include "weir/text.hpp"

namespace weir {
namespace {

struct EventSpec {
    std::uint32_t type;
    std::uint64_t config;
    bool leads;  ///< begins a group
};

constexpr std::uint64_t kL1dLoadMisses =
    PERF_COUNT_HW_CACHE_L1D | (PERF_COUNT_HW_CACHE_OP_READ << 8U) | (PERF_COUNT_HW_CACHE_RESULT_MISS << 16U);

/// Events in the order of `kCpuEvents`. Linux schedules a group as a whole, and groups use the counters in turn. A
/// large group may never fit, so a group holds only events that are compared with each other.
constexpr std::array<EventSpec, kCpuEvents.size()> kSpecs = {
    {{PERF_TYPE_HARDWARE, PERF_COUNT_HW_CPU_CYCLES, true},
     {PERF_TYPE_HARDWARE, PERF_COUNT_HW_INSTRUCTIONS, false},
     {PERF_TYPE_HARDWARE, PERF_COUNT_HW_CACHE_REFERENCES, true},
     {PERF_TYPE_HARDWARE, PERF_COUNT_HW_CACHE_MISSES, false},
     {PERF_TYPE_HW_CACHE, kL1dLoadMisses, true},
     {PERF_TYPE_HARDWARE, PERF_COUNT_HW_BRANCH_MISSES, true},
     {PERF_TYPE_SOFTWARE, PERF_COUNT_SW_PAGE_FAULTS, true}}};

constexpr rlim_t kSpareFiles = 32;  ///< for reading /proc, tracing and writing results

bool is_refusal(int error) { return error == EACCES || error == EPERM; }

/// Open an event of the calling thread on any CPU. `leader`: leader of its group, or -1 to begin a group, which stays
/// disabled until `begin`.
int open_event(const EventSpec& spec, int leader, bool user_only) noexcept {
    perf_event_attr event{};
    event.size = sizeof event;
    event.type = spec.type;
    event.config = spec.config;
    event.disabled = leader < 0;
    event.exclude_kernel = user_only;
    event.exclude_hv = user_only;
    event.read_format = PERF_FORMAT_TOTAL_TIME_ENABLED | PERF_FORMAT_TOTAL_TIME_RUNNING;
    return static_cast<int>(::syscall(SYS_perf_event_open, &event, 0, -1, leader, PERF_FLAG_FD_CLOEXEC));
}

/// Return whether few file descriptors are left. A new file gets the lowest free number.
bool is_among_the_last(int fd) noexcept {
    rlimit files{};
    return ::getrlimit(RLIMIT_NOFILE, &files) == 0 && static_cast<rlim_t>(fd) + kSpareFiles >= files.rlim_cur;
}

void close_all(std::array<int, kCpuEvents.size()>& fds) noexcept {
    for (int& fd : fds) {
        if (fd >= 0) ::close(fd);
        fd = -1;
    }
}

std::string why_absent(int error, std::optional<int> paranoid) {
    if (error == ENOENT || error == EOPNOTSUPP || error == EINVAL) return "this machine does not have the event";
    if (error == EBUSY) {
        return "other programs used the CPU's counters; sudo sysctl kernel.nmi_watchdog=0 frees the counter that "
               "Linux's watchdog uses";
    }
    if (error == EMFILE || error == ENFILE)
        return "the limit on open files is too low, as each event of a worker needs one; ulimit -n raises it";
    if (error == ESRCH) return "not every worker was counted";
    if (error == ENOSYS) return "Linux has no perf_event_open here, or a container blocks it";
    if (!is_refusal(error) || !paranoid) return std::strerror(error);
    const std::string text = concat({"not permitted: kernel.perf_event_paranoid is ", std::to_string(*paranoid)});
    if (*paranoid > 2) return concat({text, "; sudo sysctl kernel.perf_event_paranoid=2 permits it"});
    return concat({text, ", which permits it, but something else does not, such as the rules of a container"});
}

}  // namespace

std::optional<std::uint64_t> EventReading::scaled() const {
    if (running_ns == 0) return std::nullopt;
    if (running_ns == enabled_ns) return count;
    return static_cast<std::uint64_t>(std::llround(static_cast<double>(count) / counted()));
}

double EventReading::counted() const {
    return enabled_ns == 0 ? 0 : std::min(1.0, static_cast<double>(running_ns) / static_cast<double>(enabled_ns));
}

std::optional<CpuCounts> sum_of(std::span<const CpuCounts> threads) {
    if (threads.empty()) return std::nullopt;
    CpuCounts sum = threads.front();
    for (const CpuCounts& thread : threads.subspan(1)) {
        for (std::size_t i = 0; i < kCpuEvents.size(); ++i) {
            if (sum.errors[i] == 0) sum.errors[i] = thread.errors[i];
            if (sum.counts[i] && thread.counts[i]) *sum.counts[i] += *thread.counts[i];
            else sum.counts[i].reset();
        }
        sum.counted = std::min(sum.counted, thread.counted);
        sum.user_only |= thread.user_only;
    }
    return sum;
}

std::string missing_text(const CpuCounts& counts, std::optional<int> paranoid) {
    std::vector<std::pair<std::string, std::string>> reasons;  // reason, events
    for (std::size_t i = 0; i < kCpuEvents.size(); ++i) {
        if (counts.counts[i]) continue;
        const std::string reason = why_absent(counts.errors[i], paranoid);
        const auto known = std::ranges::find(reasons, reason, &std::pair<std::string, std::string>::first);
        if (known == reasons.end()) reasons.emplace_back(reason, kCpuEvents[i]);
        else known->second += concat({", ", kCpuEvents[i]});
    }
    std::string text;
    for (const auto& [reason, events] : reasons) text += concat({text.empty() ? "" : "; ", events, ": ", reason});
    return text;
}

std::optional<int> perf_event_paranoid() {
    std::ifstream file("/proc/sys/kernel/perf_event_paranoid");
    int level = 0;
    return file >> level ? std::optional(level) : std::nullopt;
}

CpuCounters::CpuCounters() {
    fds_.fill(-1);
    int leader = -1;
    for (std::size_t i = 0; i < kSpecs.size(); ++i) {
        if (kSpecs[i].leads) leader = -1;
        int fd = open_event(kSpecs[i], leader, counts_.user_only);
        if (fd < 0 && is_refusal(errno) && !counts_.user_only) {
            fd = open_event(kSpecs[i], leader, true);
            counts_.user_only = fd >= 0;
        }
        if (fd < 0 && errno == EINVAL && leader >= 0) {  // the CPU may have no counters for so large a group
            fd = open_event(kSpecs[i], -1, counts_.user_only);
            if (fd >= 0) leader = fd;
        }
        if (fd < 0) counts_.errors[i] = errno;
        else if (leader < 0) leader = fd;
        fds_[i] = fd;
        const bool too_many = fd < 0 ? errno == EMFILE || errno == ENFILE : is_among_the_last(fd);
        if (too_many) {
            close_all(fds_);
            counts_.errors.fill(EMFILE);
            return;
        }
    }
}

CpuCounters::~CpuCounters() { close_all(fds_); }

void CpuCounters::begin() noexcept {
    for (const int fd : fds_) {
        // Enabling the leader enables its whole group; for the other members this changes nothing.
        if (fd < 0 || ::ioctl(fd, PERF_EVENT_IOC_ENABLE, 0) == 0) continue;
        counts_.errors.fill(errno);
        close_all(fds_);
    }
}

CpuCounts CpuCounters::end() noexcept {
    for (const int fd : fds_) {
        if (fd >= 0) ::ioctl(fd, PERF_EVENT_IOC_DISABLE, 0);
    }
    for (std::size_t i = 0; i < fds_.size(); ++i) {
        if (fds_[i] < 0) continue;
        EventReading reading;
        static_assert(sizeof reading == 3 * sizeof(std::uint64_t), "the layout that Linux writes");
        const ssize_t got = ::read(fds_[i], &reading, sizeof reading);
        if (got != sizeof reading) {
            counts_.errors[i] = got < 0 ? errno : ENODATA;
            continue;
        }
        counts_.counts[i] = reading.scaled();
        if (!counts_.counts[i]) counts_.errors[i] = reading.enabled_ns == 0 ? ENODATA : EBUSY;
        counts_.counted = std::min(counts_.counted, reading.counted());
    }
    return counts_;
}

}  // namespace weir
