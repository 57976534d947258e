// The tracers behind `make_tracer`, one translation unit each.
#pragma once

#include "weir/trace.hpp"

namespace weir::trace {

std::unique_ptr<Tracer> make_memory_tracer(EventSet wanted);

/// Return null in builds without lttng-ust. `backend`: the backend that the tracer reports.
std::unique_ptr<Tracer> make_lttng_tracer(EventSet wanted, TraceBackend backend);

/// Return whether a session records `weir:tx` or `weir:rx` of this process now.
bool lttng_session_records() noexcept;

}  // namespace weir::trace
