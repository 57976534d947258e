"""How one run is traced: the back-end that can be had, its session, and the boundaries that come out of it."""

from __future__ import annotations

import shutil
from collections.abc import Mapping
from pathlib import Path

from weir.measuring import results as res
from weir.measuring.latency import NO_BOUNDARIES, PairSamples, match, read_pairs
from weir.measuring.lttng import NoSpace, Session, Unavailable
from weir.measuring.trace import ReaderMissing, Trace, TraceUnreadable, read_trace

#: What the binary writes with the memory back-end.
PAIRS_FILE = "pairs.csv"

#: Of a project's `trace.events` -> tracepoints.
EVENT_GROUPS = {"work": ("work_entry", "work_exit"), "park": ("park", "unpark")}
EVENT_S = 100e-9


def predicted_events(plan: Mapping, timeout_s: float) -> int:
    """Events that a run will write, rather too many: it is what buffers and disk space are taken from."""
    probed = [b for b in plan["blocks"] if b["probe_granularity"]]
    items, granularity = plan["run"]["items"], plan["trace"]["probe_granularity"]["planned"]
    if not probed or not granularity:
        return 0
    if items:
        boundaries = len(probed) * (items // granularity + 1)
    else:
        boundaries = int(plan["trace"]["predicted_cost"] / EVENT_S * timeout_s)
    extra = 0
    if plan["trace"]["events"]:
        # A call in four is a whole chunk, say; each is an entry and an exit, and parking is at most as frequent.
        extra = sum(8 * (items // max(1, b["chunk_items"]) + 1) for b in plan["blocks"])
    return boundaries * 5 // 4 + extra + 1000


class Recording:
    """Entered around the binary. `backend` is what is used, `note` says why it is not what was asked for."""

    def __init__(self, plan: Mapping, wanted: str, run_id: str, folder: Path, timeout_s: float):
        self.backend, self.note = wanted, ""
        self._plan, self._folder = plan, folder
        self._session: Session | None = None
        if wanted == "lttng":
            events = [name for group in plan["trace"]["events"] for name in EVENT_GROUPS.get(group, (group,))]
            self._session = Session(run_id, folder / "trace", events, predicted_events(plan, timeout_s))

    def __enter__(self) -> Recording:
        if self._session is not None:
            try:
                self._session.__enter__()
            except (Unavailable, NoSpace) as reason:
                self.backend, self.note, self._session = "memory", str(reason), None
        return self

    def __exit__(self, *exception: object) -> None:
        if self._session is not None:
            self._session.__exit__(*exception)

    def add_to(self, results: dict) -> list[PairSamples]:
        """Puts trace and latency into `results`, with what speaks against them.

        Returns the samples, for the percentile text.
        """
        results["trace"]["backend"] = self.backend
        results["trace"]["predicted_cost"] = self._plan["trace"]["predicted_cost"]
        if self.note:
            results["reasons"] = [r for r in results["reasons"] if r["code"] != "N_TRACE_IN_MEMORY"]
            res.add_reason(results, "N_TRACE_IN_MEMORY", f"traced in memory: {self.note}")
        expected = res.expected_boundaries(self._plan, results)
        if self.backend == "memory":
            return self._from_pairs(results, expected)
        if self.backend == "lttng":
            return self._from_trace(results, expected)
        return []

    def _from_pairs(self, results: dict, expected: Mapping) -> list[PairSamples]:
        """The binary has judged these itself; here they are only read for their distribution."""
        path = self._folder / PAIRS_FILE
        if not path.is_file():
            return []
        try:
            pairs = read_pairs(path, expected)
        except (ValueError, OSError) as error:
            res.add_reason(results, "E_TRACE_UNREADABLE", f"{PAIRS_FILE}: {error}")
            return []
        path.unlink()
        return pairs

    def _from_trace(self, results: dict, expected: Mapping) -> list[PairSamples]:
        assert self._session is not None
        outcome, trace = self._session.outcome, results["trace"]
        trace["discarded"] = outcome.discarded
        if outcome.failure:
            res.add_reason(results, "E_TRACE_UNREADABLE",
                           f"the session daemon did not see the run through: {outcome.failure}")
        try:
            recorded = read_trace(self._folder / "trace")
        except (TraceUnreadable, ReaderMissing) as error:
            res.add_reason(results, "E_TRACE_UNREADABLE", str(error))
            results["latency"] = results["latency_pairs"] = None
            return []
        trace["events"] = recorded.events
        trace["discarded"] = max(recorded.discarded, outcome.discarded or 0)
        if trace["discarded"]:
            res.add_reason(results, "E_DISCARDED", f"the tracer dropped {trace['discarded']} events")
        pairs = self._pairs(recorded, expected)
        if pairs:
            res.add_latency(results, pairs)
        return pairs

    def _pairs(self, trace: Trace, expected: Mapping) -> list[PairSamples]:
        index = {block["instance"]: block["index"] for block in self._plan["blocks"]}
        return [match(p["source"], p["sink"], p["pipe"], trace.tx.get(index[p["source"]], NO_BOUNDARIES),
                      trace.rx.get(index[p["sink"]], NO_BOUNDARIES), expected[p["source"], p["sink"]])
                for p in self._plan["pairs"]]

    def remove_trace(self) -> None:
        shutil.rmtree(self._folder / "trace", ignore_errors=True)
