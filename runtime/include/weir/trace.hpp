// The one tracing facade. Back-ends: `lttng` (CTF on disk), `memory` (per-thread logs in this process), `off`.
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

/// A set of events, one bit each.
using EventSet = std::uint32_t;
constexpr EventSet bit(Event event) noexcept { return EventSet{1} << static_cast<unsigned>(event); }

/// tx and rx, and what `names` adds: `work`, `park`, `steal`.
EventSet event_set(std::span<const std::string_view> names) noexcept;

/// What one thread logs to. A worker makes its own before the start barrier; a full log counts what it discards.
class Log {
  public:
    virtual ~Log() = default;
    Log(const Log&) = delete;
    Log& operator=(const Log&) = delete;

    virtual void write(Event event, std::uint32_t id, std::uint64_t value, std::int64_t since_ns) noexcept = 0;
    /// An event that is not wanted costs this test and no clock read; ask before an event that is not tx or rx.
    bool wants(Event event) const noexcept { return (wanted_ & bit(event)) != 0; }

  protected:
    explicit Log(EventSet wanted) noexcept : wanted_(wanted) {}

  private:
    EventSet wanted_;
};

/// The back-end of one run, chosen before the workers start.
class Tracer {
  public:
    virtual ~Tracer() = default;
    virtual TraceBackend backend() const noexcept = 0;
    /// Called by each worker on its own thread, before the barrier. `capacity` is the most events that thread may write (memory back-end).
    virtual Log& thread_log(std::size_t capacity) = 0;
    virtual std::uint64_t events() const noexcept = 0;  ///< written so far, by every thread
    virtual std::uint64_t discarded() const noexcept = 0;  ///< lttng: 0 here, the runner asks the session
    /// Memory back-end: every record, by thread. Empty otherwise. Only after the workers have joined.
    virtual std::vector<std::span<const Record>> records() const = 0;
};

/// The back-end that was asked for, or `memory` (with a reason in `note`) where no LTTng session records `weir:*`.
/// `events`: what to record beyond tx and rx.
std::unique_ptr<Tracer> make_tracer(TraceBackend requested, std::span<const std::string_view> events,
                                    std::string& note);

/// True when this build has lttng-ust.
bool lttng_compiled_in() noexcept;

}  // namespace weir::trace
