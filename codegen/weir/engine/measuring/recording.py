"""Tracing of one run: the available back-end, its session, and the boundaries in the trace."""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Mapping
from functools import partial
from pathlib import Path

from weir.engine.measuring import results as res
from weir.engine.measuring.event_stream import ReaderMissing, TraceUnreadable
from weir.engine.measuring.latency import PairSamples, Window, deadline_of, latency_fields
from weir.engine.measuring.lttng import NoSpace, Session, Unavailable
from weir.engine.measuring.lttng_place import WaitingSession
from weir.engine.measuring.trace import (
    Trace,
    hop_samples,
    numbers_of,
    pair_samples,
    read_recording,
    read_trace,
)
from weir.engine.measuring.weir_protocol import EVENTS
from weir.model import ownership
from weir.model.planning.probes import EVENT_NS
from weir.tracers import LTTNG, MEMORY, NOT_ENABLED, OFF

#: Value of a project's `trace.events` -> tracepoints.
EVENT_GROUPS = {"work": ("work_entry", "work_exit"), "park": ("park", "unpark")}
#: Seconds per event that the planner assumes; also used for the cost of the counted events.
EVENT_S = EVENT_NS * 1e-9


def predicted_events(plan: Mapping, timeout_s: float) -> int:
    """Return an upper estimate of the events of a run, for the sizes of buffers and disk space."""
    probed = [b for b in plan["blocks"] if b["probe_granularity"]]
    items, granularity = plan["run"]["items"], plan["trace"]["probe_granularity"]["planned"]
    if not probed or not granularity:
        return 0
    if items:
        events = sum(2 if b["in_rates"] and b["tx_granularity"] else 1 for b in probed)
        boundaries = events * (items // granularity + 1)
    else:
        boundaries = int(plan["trace"]["predicted_cost"] / EVENT_S * timeout_s)
    extra = 0
    if plan["trace"]["events"]:
        # Assume that a quarter of the calls get a whole chunk; each has an entry, an exit and at most one parking.
        extra = sum(8 * (items // max(1, b["chunk_items"]) + 1) for b in plan["blocks"])
    return boundaries * 5 // 4 + extra + 1000


class Recording:
    """Recording of a run, entered around the program.

    `backend` is the back-end in use. `note` says why it is not the requested one.
    """

    def __init__(self, plan: Mapping, wanted: str, run_id: str, folder: Path, timeout_s: float, events: str = EVENTS):
        """Take the plan and `events`, the file that the program writes with the memory back-end."""
        self.backend, self.note = wanted, ""
        self._events_file = folder / events
        self._plan, self._folder = plan, folder
        self._events_read = False
        self._session: Session | None = None
        self._waiting = WaitingSession() if wanted == NOT_ENABLED else None
        if wanted == LTTNG:
            names = [name for group in plan["trace"]["events"] for name in EVENT_GROUPS.get(group, (group,))]
            self._session = Session(run_id, folder / "trace", names, predicted_events(plan, timeout_s))

    def __enter__(self) -> Recording:
        if self._session is not None:
            try:
                self._session.__enter__()
            except (Unavailable, NoSpace) as reason:
                self.backend, self.note, self._session = MEMORY, str(reason), None
        if self._waiting is not None:
            try:
                self._waiting.enter()
            except Unavailable as reason:
                self._waiting.leave()
                self.backend, self.note, self._waiting = OFF, str(reason), None
        return self

    def __exit__(self, *exception: object) -> None:
        if self._session is not None:
            self._session.__exit__(*exception)
        if self._waiting is not None:
            self._waiting.leave(wait=False)

    @property
    def before_start(self) -> Callable[[int], None] | None:
        """Return a function to call with the process id before the program runs; None if not needed."""
        return self._session.track if self._session is not None else None

    def add_to(self, results: dict) -> list[PairSamples]:
        """Add the trace, the latency and reasons to doubt them to `results`.

        Returns the samples, for the percentile text.
        """
        if self._waiting is None:
            results["trace"]["backend"] = self.backend
        else:
            _check_not_enabled(results)
        results["trace"]["predicted_cost"] = self._plan["trace"]["predicted_cost"]
        if self.note and self.backend == OFF:
            res.add_reason(results, "E_TRACE_ARM", f"the run needs a session daemon: {self.note}")
        elif self.note:
            results["reasons"] = [r for r in results["reasons"] if r["code"] != "N_TRACE_IN_MEMORY"]
            res.add_reason(results, "N_TRACE_IN_MEMORY", f"traced in memory: {self.note}")
        expected = res.expected_boundaries(self._plan, results)
        pairs = []
        if self.backend == MEMORY:
            pairs = self._from_memory(results, expected)
        elif self.backend == LTTNG:
            pairs = self._from_trace(results, expected)
        if results["trace"]["events"] is not None and results["elapsed_s"]:
            results["trace"]["cost"] = results["trace"]["events"] * EVENT_S / results["elapsed_s"]
        return pairs

    def as_run(self, plan: Mapping) -> None:
        """Take the plan as the program carried it out, for the analysis."""
        self._plan = plan

    def remove_events(self) -> None:
        """Remove the events file after the run has its results, unless it could not be read."""
        if self._events_read:
            self._events_file.unlink()

    def _from_memory(self, results: dict, expected: Mapping) -> list[PairSamples]:
        """Return the samples of the memory back-end, [] if the program has measured the latency itself."""
        lacks_latency = results["trace"]["events"] is not None and results["latency"] is None
        if not lacks_latency and not self._events_file.is_file():
            return []
        return add_trace(results, self._plan, self._read_events, expected, Window.of(results))

    def _read_events(self) -> Trace:
        recorded = read_recording(self._events_file)
        self._events_read = True
        return recorded

    def _from_trace(self, results: dict, expected: Mapping) -> list[PairSamples]:
        assert self._session is not None
        outcome, trace = self._session.outcome, results["trace"]
        trace["discarded"] = outcome.discarded
        if outcome.disk_full:
            res.add_reason(results, "E_DISK_FULL", outcome.disk_full)
        if outcome.failure:
            res.add_reason(results, "E_TRACE_UNREADABLE",
                           f"the session daemon failed during the run: {outcome.failure}")
        return add_trace(results, self._plan, partial(read_trace, self._folder / "trace"), expected,
                         Window.of(results))

    def remove_trace(self) -> None:
        """Remove the trace from the run directory."""
        with contextlib.suppress(OSError):
            ownership.remove(self._folder, ownership.WHOLE, "trace/")


def _check_not_enabled(results: dict) -> None:
    """Add a reason unless all tracepoints were present and disabled, as this back-end requires."""
    trace = results["trace"]
    if trace["backend"] != NOT_ENABLED:
        res.add_reason(results, "E_TRACE_ARM", "the program has no tracepoints: "
                                               "it was built without lttng-ust")
    elif trace["events"]:
        res.add_reason(results, "E_TRACE_ARM", f"another session enabled its tracepoints: it wrote {trace['events']} "
                                               "events")


def add_trace(results: dict, plan: Mapping, read: Callable[[], Trace], expected: Mapping, window: Window | None,
              numbers: Mapping[int, int] | None = None) -> list[PairSamples]:
    """Read the trace, add its data and reasons to doubt it to `results`, and return the samples.

    `expected` has the boundaries by (source, sink). In the results, `trace.events` is the program's own count, if
    known; `trace.discarded` is a count from elsewhere. `numbers` maps block numbers in the events to those of the plan,
    if they differ.
    """
    trace = results["trace"]
    try:
        recorded = read()
    except (TraceUnreadable, ReaderMissing) as error:
        res.add_reason(results, "E_TRACE_UNREADABLE", str(error))
        results.update(latency_fields([]))
        return []
    if recorded.note:
        res.add_reason(results, "N_SLOW_READER", recorded.note)
    written, trace["events"] = trace["events"], recorded.events
    trace["discarded"] = max(recorded.discarded, trace["discarded"] or 0)
    if trace["discarded"]:
        res.add_reason(results, "E_DISCARDED", f"the tracer dropped {trace['discarded']} events")
    elif written not in (None, recorded.events) and results["status"] == "ok":
        res.add_reason(results, "E_TRACE_EVENTS",
                       f"the program wrote {written} events, but the trace has {recorded.events}")
    numbers = {number: number for number in numbers_of(plan)} if numbers is None else numbers
    unused = plan.get("unused_events", ())
    strange = sorted(recorded.blocks - numbers.keys() - set(unused or ()))
    if strange and unused is not None:
        res.add_reason(results, "E_TRACE_BLOCK", f"the trace has boundaries of unknown block numbers: "
                                                 f"{', '.join(map(str, strange[:4]))}")
    recorded = recorded.renumbered(numbers)
    pairs = pair_samples(recorded, plan, expected, window)
    if pairs:
        hops = hop_samples(recorded, plan, res.hop_boundaries(plan, expected), window)
        res.add_latency(results, pairs, hops, deadline_of(plan))
    return pairs
