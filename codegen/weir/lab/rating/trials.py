"""Trials of a load: runs of one program whose sources are told how many items a second they have to give."""

from __future__ import annotations

import math
import secrets
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path

import numpy as np

from weir.diagnostics import WeirError, diagnostic
from weir.engine.measuring.latency import PairSamples, least_samples, nearest_rank, pool
from weir.engine.measuring.listener import Listener
from weir.engine.measuring.results import is_disturbed
from weir.engine.measuring.runnable import Finished, Runnable, RunOptions, Slot, Verified
from weir.engine.measuring.runner import run_in_turn
from weir.lab.rating.search import Trial

#: A rate at which every item is due at once, items/s.
AT_ONCE = 1e12
#: Of a trial: how long items are offered before they count, in seconds.
WARM_UP_S = 0.1
#: A run that finds out how fast the flowgraph is lasts so long at least, in seconds; it is offered `FIRST_ITEMS` in all
#: at first, and so many times more as long as it is shorter.
PILOT_S, FIRST_ITEMS, MORE = 0.3, 1_000_000, 8
#: A trial may take so many times as long as its items are due, and so many seconds more.
PATIENCE, PATIENCE_S = 20.0, 30.0
#: Of what sources are asked for, a sink gets this share at least, or the flowgraph ends by itself.
ENOUGH = 0.5
#: Boundaries that a trial is to have, and how long it may become for their sake, in seconds.
FEWEST, LONGEST_S = 2, 10.0
#: How often a run is made that gives no result.
TRIES = 3


@dataclass(frozen=True)
class Measured(Trial):
    """`latencies`: boundaries that were due and came in the trial; `late`: those of them that came too late or not at
    all. The percentiles in ns, None with too few of them. `delivered` in items/s, None where it is not known.
    """

    latencies: int = 0
    late: int = 0
    p50_ns: int | None = None
    p99_ns: int | None = None
    delivered: float | None = None
    other_programs: float | None = None
    steal: float | None = None
    run_id: str = ""


@dataclass
class Trials:
    """Of `runnable`, whose blocks that pace have the `shares` of the load; `latency_s`: what comes later is lost.

    `given`: items that come to each sink for each item of a source; `slowest`: to the slowest, for each item of the
    load; `boundaries`: of one of them, for each item of the load. KeyboardInterrupt where one is interrupted, WeirError
    where a run gives no result.
    """

    runnable: Runnable
    shares: Mapping[str, float]
    given: Mapping[str, float]
    slowest: float
    boundaries: float
    latency_s: float
    out: Path
    trace: str | None
    params: tuple[str, ...]
    listener: Listener
    longest_s: float = 0.0
    _verified: dict[int, Verified | None] = field(default_factory=dict)
    _samples: Sequence[PairSamples] = ()
    _runs: int = 0
    _set: str = field(default_factory=lambda: secrets.token_hex(8))

    def pilot(self) -> float:
        """Items a second where all are due at once."""
        items = FIRST_ITEMS
        while True:
            results = self._run(AT_ONCE, items, 0, PATIENCE_S).results
            rate = results["throughput_items_per_s"]
            if results["elapsed_s"] >= PILOT_S and rate is not None:
                return float(rate)
            items *= MORE

    def trial(self, load: float, seconds: float) -> Measured:
        """`load` in items/s of all together, for so many seconds; for more, where boundaries are far between."""
        since = time.monotonic()
        seconds = min(max(seconds, FEWEST / (load * self.boundaries)), max(seconds, LONGEST_S))
        items = math.ceil(load * (seconds + WARM_UP_S))
        made = self._run(load, items, int(load * self.slowest * WARM_UP_S), PATIENCE * seconds + PATIENCE_S)
        latency_ns, lost = pool(self._samples)
        count = len(latency_ns) + lost
        if count == 0 and load * seconds * self.boundaries < FEWEST:
            raise WeirError(diagnostic("E_RATE_RUN", "/run/trace/probe_granularity",
                                       f"at {load:.3g} items/s a trial of {seconds:g} s has no latency to judge by",
                                       "a longer --trial, or a smaller granularity"))
        late = int((latency_ns > self.latency_s * 1e9).sum()) + lost
        # Far beyond what it bears, all were due before the warm-up had come through: none is in the window, all late.
        loss_ratio = late / count if count else 1.0
        self.longest_s = max(self.longest_s, time.monotonic() - since - seconds)
        environment, ordered = made.results["environment"], np.sort(latency_ns)
        return Measured(load, seconds, loss_ratio, is_disturbed(made.results), count, late,
                        _percentile(ordered, 500), _percentile(ordered, 990),
                        made.results["load"]["delivered_items_per_s"], environment["other_programs"],
                        environment["steal"], made.results["run_id"])

    def _check_given(self, made: Finished, items: int) -> Finished:
        """WeirError (E_RATE_RUN) where a sink got much less than sources were asked for: a file has an end, say."""
        short = [it["id"] for it in made.results["sinks"]
                 if it["items"] < ENOUGH * items * self.given.get(it["id"], 0.0)]
        if short:
            raise WeirError(diagnostic("E_RATE_RUN", "", f"the flowgraph ends before a trial does: of {items} items "
                                       f"that each source was asked for, {', '.join(short)} got what few make",
                                       "let a source that reads a file repeat it, and no head end the stream"))
        return made

    def _run(self, load: float, items: int, warmup: int, timeout_s: float) -> Finished:
        """`items` are those of all sources together."""
        # One of them may have bad luck, of the tracer's, say; what always fails is told.
        for left in reversed(range(TRIES)):
            made = self._once(load, items, warmup, timeout_s, left)
            if made is not None:
                return made
        raise AssertionError

    def _once(self, load: float, items: int, warmup: int, timeout_s: float, left: int) -> Finished | None:
        """None where it failed, and may be tried again."""
        offered = tuple(f"{block}.rate={share * load:.17g}" for block, share in self.shares.items())
        largest = max(self.shares.values())
        each = max(1, math.ceil(items * largest))
        options = RunOptions(self.out.absolute(), 1, self.trace, each,
                             params=(*self.params, *offered), warmup_items=warmup, timeout_s=timeout_s,
                             causes=False)
        slot = Slot(self._set, 0, 1, 0, self._runs, self._runs + 1)
        self._runs += 1
        self._samples = ()
        made, interrupted = run_in_turn(self.runnable, options, slot, replace(self.listener, samples=self._keep),
                                        self._verified, 0)
        if interrupted:
            raise KeyboardInterrupt
        if made.results["status"] != "ok":
            if left:
                return None
            why = "; ".join(reason["message"] for reason in made.results["reasons"]) or made.results["status"]
            raise WeirError(diagnostic("E_RATE_RUN", "", f"a run at {load:.3g} items/s gave no result: {why}",
                                       "--out DIR keeps the runs"))
        return self._check_given(made, each)

    def _keep(self, pairs: Sequence[PairSamples]) -> None:
        self._samples = pairs


def _percentile(ordered: np.ndarray, per_mille: int) -> int | None:
    return nearest_rank(ordered, per_mille) if len(ordered) >= least_samples(per_mille) else None
