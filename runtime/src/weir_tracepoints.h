// The LTTng-UST provider `weir`. Times come from the tracer's clock, CLOCK_MONOTONIC.
#undef LTTNG_UST_TRACEPOINT_PROVIDER
#define LTTNG_UST_TRACEPOINT_PROVIDER weir

#undef LTTNG_UST_TRACEPOINT_INCLUDE
#define LTTNG_UST_TRACEPOINT_INCLUDE "weir_tracepoints.h"

// No #pragma once: lttng-ust includes this file several times, with different macro definitions.
#if !defined(WEIR_TRACEPOINTS_H) || defined(LTTNG_UST_TRACEPOINT_HEADER_MULTI_READ)
#define WEIR_TRACEPOINTS_H

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

LTTNG_UST_TRACEPOINT_EVENT(weir, work_entry,
    LTTNG_UST_TP_ARGS(uint32_t, block),
    LTTNG_UST_TP_FIELDS(lttng_ust_field_integer(uint32_t, block, block)))

LTTNG_UST_TRACEPOINT_EVENT(weir, work_exit,
    LTTNG_UST_TP_ARGS(uint32_t, block, uint64_t, items),
    LTTNG_UST_TP_FIELDS(
        lttng_ust_field_integer(uint32_t, block, block)
        lttng_ust_field_integer(uint64_t, items, items)))

LTTNG_UST_TRACEPOINT_EVENT(weir, park,
    LTTNG_UST_TP_ARGS(uint32_t, worker),
    LTTNG_UST_TP_FIELDS(lttng_ust_field_integer(uint32_t, worker, worker)))

LTTNG_UST_TRACEPOINT_EVENT(weir, unpark,
    LTTNG_UST_TP_ARGS(uint32_t, worker),
    LTTNG_UST_TP_FIELDS(lttng_ust_field_integer(uint32_t, worker, worker)))

LTTNG_UST_TRACEPOINT_EVENT(weir, steal,
    LTTNG_UST_TP_ARGS(uint32_t, worker, uint32_t, block),
    LTTNG_UST_TP_FIELDS(
        lttng_ust_field_integer(uint32_t, worker, worker)
        lttng_ust_field_integer(uint32_t, block, block)))

#endif

#include <lttng/tracepoint-event.h>
