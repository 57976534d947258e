"""Trace back-ends: the values of `run.trace.backend`, of `--trace` and of an axis `trace`."""

from __future__ import annotations

LTTNG, MEMORY, OFF = "lttng", "memory", "off"
#: The tracepoints are called and nobody enables them, with a session daemon; a program that has no probes.
NOT_ENABLED, COMPILED_OUT = "not_enabled", "compiled_out"
BACKENDS = (LTTNG, MEMORY, OFF, NOT_ENABLED, COMPILED_OUT)
#: With these there are events to measure latencies of, and with those nothing is done at a boundary.
RECORDING, SILENT = (LTTNG, MEMORY), (OFF, COMPILED_OUT)
