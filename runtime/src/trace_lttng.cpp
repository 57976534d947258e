#include "trace_backends.hpp"

#ifdef WEIR_HAVE_LTTNG

#include <atomic>
#include <mutex>

#include "weir/memory.hpp"

// The macros of lttng-ust expand to C code that fails our warning level.
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wpedantic"
#pragma GCC diagnostic ignored "-Wconversion"
#pragma GCC diagnostic ignored "-Wsign-conversion"
#pragma GCC diagnostic ignored "-Wshadow"
#pragma GCC diagnostic ignored "-Wunused-parameter"
#define LTTNG_UST_TRACEPOINT_CREATE_PROBES
#define LTTNG_UST_TRACEPOINT_DEFINE
#include "weir_tracepoints.h"

namespace weir::trace {

namespace {

// A macro, because lttng-ust pastes the event's name into identifiers.
#define WEIR_SEND(event, ...)                                         \
    case Event::event:                                                \
        if (!lttng_ust_tracepoint_enabled(weir, event)) return false; \
        lttng_ust_do_tracepoint(weir, event, __VA_ARGS__);            \
        return true;

/// Send one event. Returns false if no session records it.
bool emit(Event event, std::uint32_t id, std::uint64_t value, std::int64_t since_ns) noexcept {
    switch (event) {
        WEIR_SEND(tx, id, value, since_ns)
        WEIR_SEND(rx, id, value, since_ns)
        WEIR_SEND(work_entry, id)
        WEIR_SEND(work_exit, id, value)
        WEIR_SEND(park, id)
        WEIR_SEND(unpark, id)
        WEIR_SEND(steal, id, static_cast<std::uint32_t>(value))
    }
    return false;
}

#undef WEIR_SEND

}  // namespace

bool lttng_session_records() noexcept {
    return lttng_ust_tracepoint_enabled(weir, tx) && lttng_ust_tracepoint_enabled(weir, rx);
}

}  // namespace weir::trace

#pragma GCC diagnostic pop

namespace weir::trace {

namespace {

class alignas(kCacheLine) LttngLog final : public Log {
  public:
    explicit LttngLog(EventSet wanted) : Log(wanted) {}

    void write(Event event, std::uint32_t id, std::uint64_t value, std::int64_t since_ns) noexcept override {
        if (!wants(event) || !emit(event, id, value, since_ns)) return;
        events_.store(events() + 1, std::memory_order_relaxed);
    }
    std::uint64_t events() const noexcept { return events_.load(std::memory_order_relaxed); }

  private:
    std::atomic<std::uint64_t> events_{0};
};

class LttngTracer final : public Tracer {
  public:
    LttngTracer(EventSet wanted, TraceBackend backend) : wanted_(wanted), backend_(backend) {}

    TraceBackend backend() const noexcept override { return backend_; }

    Log& thread_log(std::size_t) override {
        const std::lock_guard lock(mutex_);
        return *logs_.emplace_back(std::make_unique<LttngLog>(wanted_));
    }

    std::uint64_t events() const noexcept override {
        const std::lock_guard lock(mutex_);
        std::uint64_t sum = 0;
        for (const auto& log : logs_) sum += log->events();
        return sum;
    }

    std::uint64_t discarded() const noexcept override { return 0; }
    std::vector<std::span<const Record>> records() const override { return {}; }

  private:
    EventSet wanted_;
    TraceBackend backend_;
    mutable std::mutex mutex_;
    std::vector<std::unique_ptr<LttngLog>> logs_;
};

}  // namespace

std::unique_ptr<Tracer> make_lttng_tracer(EventSet wanted, TraceBackend backend) {
    return std::make_unique<LttngTracer>(wanted, backend);
}

bool lttng_compiled_in() noexcept { return true; }

}  // namespace weir::trace

#else

namespace weir::trace {

std::unique_ptr<Tracer> make_lttng_tracer(EventSet, TraceBackend) { return nullptr; }
bool lttng_session_records() noexcept { return false; }
bool lttng_compiled_in() noexcept { return false; }

}  // namespace weir::trace

#endif
