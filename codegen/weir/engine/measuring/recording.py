"""How one run is traced: the back-end that can be had, its session, and the boundaries that come out of it."""

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
from weir.engine.measuring.trace import Trace, hop_samples, pair_samples, read_recording, read_trace
from weir.engine.measuring.weir_protocol import EVENTS
from weir.model import ownership
from weir.model.planning.probes import EVENT_NS
from weir.tracers import LTTNG, MEMORY, NOT_ENABLED, OFF

#: Of a project's `trace.events` -> tracepoints.
EVENT_GROUPS = {"work": ("work_entry", "work_exit"), "park": ("park", "unpark")}
#: The planner's assumption, which also holds for what is counted afterwards.
EVENT_S = EVENT_NS * 1e-9


def predicted_events(plan: Mapping, timeout_s: float) -> int:
    """Events that a run will write, rather too many: it is what buffers and disk space are taken from."""
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
        # A call in four is a whole chunk, say; each is an entry and an exit, and parking is at most as frequent.
        extra = sum(8 * (items // max(1, b["chunk_items"]) + 1) for b in plan["blocks"])
    return boundaries * 5 // 4 + extra + 1000


class Recording:
    """Entered around the binary. `backend` is what is used, `note` says why it is not what was asked for."""

    def __init__(self, plan: Mapping, wanted: str, run_id: str, folder: Path, timeout_s: float, events: str = EVENTS):
        """`events`: the file that the program writes with the memory back-end."""
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
    def on_held(self) -> Callable[[int], None] | None:
        """To be called with the program's process id before it runs; None where nobody needs to know it."""
        return self._session.track if self._session is not None else None

    def add_to(self, results: dict) -> list[PairSamples]:
        """Puts trace and latency into `results`, with what speaks against them.

        Returns the samples, for the percentile text.
        """
        if self._waiting is None:
            results["trace"]["backend"] = self.backend
        else:
            _check_not_enabled(results)
        results["trace"]["predicted_cost"] = self._plan["trace"]["predicted_cost"]
        if self.note and self.backend == OFF:
            res.add_reason(results, "E_TRACE_ARM", f"it was to run beside a session daemon: {self.note}")
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

    def remove_events(self) -> None:
        """Once the run has what they say. Those that could not be read stay."""
        if self._events_read:
            self._events_file.unlink()

    def _from_memory(self, results: dict, expected: Mapping) -> list[PairSamples]:
        """Programs of other targets, and of earlier versions, may have measured the latency themselves."""
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
                           f"the session daemon did not see the run through: {outcome.failure}")
        return add_trace(results, self._plan, partial(read_trace, self._folder / "trace"), expected,
                         Window.of(results))

    def remove_trace(self) -> None:
        """Removes the trace from the run directory."""
        with contextlib.suppress(OSError):
            ownership.remove(self._folder, ownership.WHOLE, "trace/")


def _check_not_enabled(results: dict) -> None:
    """Speaks against a run whose tracepoints were not all there, and disabled: it is no measurement of that."""
    trace = results["trace"]
    if trace["backend"] != NOT_ENABLED:
        res.add_reason(results, "E_TRACE_ARM", "the program has no tracepoint that could be enabled: "
                                               "it was built without lttng-ust")
    elif trace["events"]:
        res.add_reason(results, "E_TRACE_ARM", f"another session enabled its tracepoints: it wrote {trace['events']} "
                                               "events")


def add_trace(results: dict, plan: Mapping, read: Callable[[], Trace], expected: Mapping, window: Window | None,
              numbers: Mapping[int, int] | None = None) -> list[PairSamples]:
    """Puts what the trace tells that is `read` into `results`, with what speaks against it; returns the samples.

    `expected`: boundaries by (source, sink). `trace.events` of the results is what the program wrote, where it told
    that, and `trace.discarded` what others know of. `numbers`: of blocks, in the events -> in the plan, where these
    are others.
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
                       f"the program wrote {written} events, the trace has {recorded.events}")
    numbers = {block["index"]: block["index"] for block in plan["blocks"]} if numbers is None else numbers
    strange = sorted(recorded.blocks - numbers.keys())
    if strange:
        res.add_reason(results, "E_TRACE_BLOCK", f"the trace has boundaries of blocks that nobody knows: number "
                                                 f"{', '.join(map(str, strange[:4]))}")
    recorded = recorded.renumbered(numbers)
    pairs = pair_samples(recorded, plan, expected, window)
    if pairs:
        hops = hop_samples(recorded, plan, res.hop_boundaries(plan, expected), window)
        res.add_latency(results, pairs, hops, deadline_of(plan))
    return pairs
