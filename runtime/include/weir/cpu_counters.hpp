// Counts CPU and kernel events of a thread with perf_event_open(2). The events are opened before the start barrier and
// read once the thread has left, so they cost nothing in the hot path.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>

namespace weir {

/// Names of the events; `CpuCounts` has an entry for each.
inline constexpr std::array<std::string_view, 7> kCpuEvents = {
    "cycles", "instructions", "cache_references", "cache_misses", "l1d_load_misses", "branch_misses", "page_faults"};

/// Reading of one event: its count, and the times for which it was enabled and had a counter.
struct EventReading {
    std::uint64_t count = 0, enabled_ns = 0, running_ns = 0;

    /// Return the count scaled to the whole time. Absent if the event never had a counter.
    std::optional<std::uint64_t> scaled() const;
    /// Return the share of the time for which the event was counted, 0 … 1.
    double counted() const;
};

struct CpuCounts {
    std::array<std::optional<std::uint64_t>, kCpuEvents.size()> counts;
    std::array<int, kCpuEvents.size()> errors{};  ///< errno of each absent event
    double counted = 1;  ///< smallest share of the time for which an event was counted
    bool user_only = false;  ///< events in the kernel are excluded
};

/// Return the sums over all threads. A count that one thread lacks has no sum.
std::optional<CpuCounts> sum_of(std::span<const CpuCounts> threads);

/// Describe which events are missing and why; "" if none is. `paranoid`: kernel.perf_event_paranoid.
std::string missing_text(const CpuCounts& counts, std::optional<int> paranoid);
std::optional<int> perf_event_paranoid();

/// Counters of the thread that constructs them, without its child threads. They count from `begin` to `end`, which the
/// same thread calls.
class CpuCounters {
  public:
    CpuCounters();
    ~CpuCounters();
    CpuCounters(const CpuCounters&) = delete;
    CpuCounters& operator=(const CpuCounters&) = delete;

    void begin() noexcept;
    CpuCounts end() noexcept;

  private:
    std::array<int, kCpuEvents.size()> fds_{};  ///< -1: not available
    CpuCounts counts_;
};

}  // namespace weir
