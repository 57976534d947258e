// What a thread made the CPU and the kernel count: perf_event_open(2). Opened before the start barrier, read once the thread has
// left: nothing of it is in the hot path.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>

namespace weir {

/// Of `CpuCounts`, which has an entry for each.
inline constexpr std::array<std::string_view, 7> kCpuEvents = {
    "cycles", "instructions", "cache_references", "cache_misses", "l1d_load_misses", "branch_misses", "page_faults"};

/// One event as the kernel gives it: its count, and for how long it was to be counted and had a counter.
struct EventReading {
    std::uint64_t count = 0, enabled_ns = 0, running_ns = 0;

    /// What it would have been with a counter all the time. Absent: it never had one.
    std::optional<std::uint64_t> scaled() const;
    /// Of the time, 0 … 1.
    double counted() const;
};

struct CpuCounts {
    std::array<std::optional<std::uint64_t>, kCpuEvents.size()> counts;
    std::array<int, kCpuEvents.size()> errors{};  ///< why one is absent: errno
    double counted = 1;  ///< of the time, what the event with the least of it was counted
    bool user_only = false;  ///< the kernel's part is left out
};

/// Of all threads together: what one of them lacks, the sum lacks.
std::optional<CpuCounts> sum_of(std::span<const CpuCounts> threads);

/// Which events there are not and why, for people; "" where nothing is missing. `paranoid`: kernel.perf_event_paranoid.
std::string missing_text(const CpuCounts& counts, std::optional<int> paranoid);
std::optional<int> perf_event_paranoid();

/// The events of the thread that makes it, and of none that this one makes. Counts from `begin` to `end`, on the same thread.
class CpuCounters {
  public:
    CpuCounters();
    ~CpuCounters();
    CpuCounters(const CpuCounters&) = delete;
    CpuCounters& operator=(const CpuCounters&) = delete;

    void begin() noexcept;
    CpuCounts end() noexcept;

  private:
    std::array<int, kCpuEvents.size()> fds_{};  ///< -1: not to be had
    CpuCounts counts_;
};

}  // namespace weir
