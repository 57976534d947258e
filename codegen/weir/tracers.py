"""Trace back-ends: the values of `run.trace.backend`, of `--trace` and of an axis `trace`."""

from __future__ import annotations

LTTNG, MEMORY, OFF = "lttng", "memory", "off"
#: Tracepoints are called, but not enabled, with a session daemon; and a program without probes.
NOT_ENABLED, COMPILED_OUT = "not_enabled", "compiled_out"
BACKENDS = (LTTNG, MEMORY, OFF, NOT_ENABLED, COMPILED_OUT)
#: Back-ends that record the events from which latencies follow, and back-ends that do nothing at a boundary.
RECORDING, SILENT = (LTTNG, MEMORY), (OFF, COMPILED_OUT)
