// Provider `weir`, written by hand: the tracepoints with which Weir measures the latency of a program
// (../tracepoints.md).
#undef LTTNG_UST_TRACEPOINT_PROVIDER
#define LTTNG_UST_TRACEPOINT_PROVIDER weir

#undef LTTNG_UST_TRACEPOINT_INCLUDE
#define LTTNG_UST_TRACEPOINT_INCLUDE "tracepoints.h"

#if !defined(TRACEPOINTS_H) || defined(LTTNG_UST_TRACEPOINT_HEADER_MULTI_READ)
#define TRACEPOINTS_H

#include <stdint.h>

#include <lttng/tracepoint.h>

LTTNG_UST_TRACEPOINT_EVENT(weir, tx,
    LTTNG_UST_TP_ARGS(uint32_t, block, uint64_t, k, int64_t, scheduled_ns),
    LTTNG_UST_TP_FIELDS(
        lttng_ust_field_integer(uint32_t, block, block)
        lttng_ust_field_integer(uint64_t, k, k)
        lttng_ust_field_integer(int64_t, scheduled_ns, scheduled_ns)))

LTTNG_UST_TRACEPOINT_EVENT(weir, rx,
    LTTNG_UST_TP_ARGS(uint32_t, block, uint64_t, k, int64_t, entry_ns),
    LTTNG_UST_TP_FIELDS(
        lttng_ust_field_integer(uint32_t, block, block)
        lttng_ust_field_integer(uint64_t, k, k)
        lttng_ust_field_integer(int64_t, entry_ns, entry_ns)))

#endif

#include <lttng/tracepoint-event.h>
