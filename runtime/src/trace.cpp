#include "weir/trace.hpp"

#include "trace_backends.hpp"

namespace weir::trace {

namespace {

class OffLog final : public Log {
  public:
    OffLog() : Log(0) {}
    void write(Event, std::uint32_t, std::uint64_t, std::int64_t) noexcept override {}
};

class OffTracer final : public Tracer {
  public:
    explicit OffTracer(TraceBackend backend) : backend_(backend) {}
    TraceBackend backend() const noexcept override { return backend_; }
    Log& thread_log(std::size_t) override { return log_; }
    std::uint64_t events() const noexcept override { return 0; }
    std::uint64_t discarded() const noexcept override { return 0; }
    std::vector<std::span<const Record>> records() const override { return {}; }

  private:
    TraceBackend backend_;
    OffLog log_;  // a write changes nothing, so all threads share it
};

}  // namespace

EventSet event_set(std::span<const std::string_view> names) noexcept {
    EventSet set = bit(Event::tx) | bit(Event::rx);
    for (const std::string_view name : names) {
        if (name == "work") set |= bit(Event::work_entry) | bit(Event::work_exit);
        if (name == "park") set |= bit(Event::park) | bit(Event::unpark);
        if (name == "steal") set |= bit(Event::steal);
    }
    return set;
}

std::unique_ptr<Tracer> make_tracer(TraceBackend requested, std::span<const std::string_view> events,
                                    std::string& note) {
    note.clear();
    if (!has_probes(requested)) return std::make_unique<OffTracer>(requested);
    const EventSet wanted = event_set(events);
    if (requested == TraceBackend::not_enabled) {
        if (lttng_compiled_in()) return make_lttng_tracer(wanted, requested);
        note = "this binary was built without lttng-ust, so it has no tracepoints; the run is not traced";
        return std::make_unique<OffTracer>(TraceBackend::off);
    }
    if (requested == TraceBackend::lttng) {
        if (!lttng_compiled_in()) {
            note = "this binary was built without lttng-ust; the run is traced in memory instead";
        } else if (!lttng_session_records()) {
            note = "no LTTng session records weir:tx and weir:rx of this process; the run is traced in memory instead";
        } else {
            return make_lttng_tracer(wanted, requested);
        }
    }
    return make_memory_tracer(wanted);
}

}  // namespace weir::trace
