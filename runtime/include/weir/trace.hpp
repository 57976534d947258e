// Interface of all tracing. Back-ends: `lttng` (CTF on disk), `memory` (logs per thread in this process), `off`.
// WEIR_TRACING=0 compiles every probe out.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "weir/plan.hpp"
#include "weir/trace_record.hpp"

#ifndef WEIR_TRACING
#define WEIR_TRACING 1
#endif

namespace weir::trace {

/// Set of events, one bit each.
using EventSet = std::uint32_t;
constexpr EventSet bit(Event event) noexcept { return EventSet{1} << static_cast<unsigned>(event); }

/// Return tx and rx, plus the events that `names` adds: `work`, `park`, `steal`.
EventSet event_set(std::span<const std::string_view> names) noexcept;

/// Log of one thread. A worker creates its log before the start barrier. A full log counts the events that it discards.
class Log {
  public:
    virtual ~Log() = default;
    Log(const Log&) = delete;
    Log& operator=(const Log&) = delete;

    virtual void write(Event event, std::uint32_t id, std::uint64_t value, std::int64_t since_ns) noexcept = 0;
    /// Return whether an event is recorded. An unwanted event costs this test but no clock read. Check before events
    /// other than tx and rx.
    bool wants(Event event) const noexcept { return (wanted_ & bit(event)) != 0; }

  protected:
    explicit Log(EventSet wanted) noexcept : wanted_(wanted) {}

  private:
    EventSet wanted_;
};

/// Back-end of one run, chosen before the workers start.
class Tracer {
  public:
    virtual ~Tracer() = default;
    virtual TraceBackend backend() const noexcept = 0;
    /// Create the log of the calling thread, before the barrier. `capacity`: most events that the thread may write
    /// (memory back-end).
    virtual Log& thread_log(std::size_t capacity) = 0;
    virtual std::uint64_t events() const noexcept = 0;  ///< events written so far by all threads
    virtual std::uint64_t discarded() const noexcept = 0;  ///< lttng: 0, because the runner asks the session
    /// Return the records of each thread, after the workers have joined. Empty for other back-ends than memory.
    virtual std::vector<std::span<const Record>> records() const = 0;
};

/// Create the requested back-end, or `memory` (with a reason in `note`) if no LTTng session records `weir:*`. `events`:
/// events besides tx and rx.
std::unique_ptr<Tracer> make_tracer(TraceBackend requested, std::span<const std::string_view> events,
                                    std::string& note);

/// Return whether this build has lttng-ust.
bool lttng_compiled_in() noexcept;

}  // namespace weir::trace
