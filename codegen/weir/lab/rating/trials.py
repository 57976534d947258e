"""Trials of a load: runs of one program whose sources get a rate in items/s."""

from __future__ import annotations

import math
import secrets
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

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
#: Warm-up of a trial, in seconds: its items do not count.
WARM_UP_S = 0.1
#: Minimum seconds of the pilot run, which finds the flowgraph's maximum rate. It gets `FIRST_ITEMS` items at first, and
#: `MORE` times as many while it is shorter.
PILOT_S, FIRST_ITEMS, MORE = 0.3, 1_000_000, 8
#: Timeout of a trial: a multiple of its duration, plus seconds.
PATIENCE, PATIENCE_S = 20.0, 30.0
#: Minimum share of the requested items that a sink gets. Below it, the flowgraph ended by itself.
ENOUGH = 0.5
#: Minimum number of boundaries of a trial, and the seconds that it may be extended to for them.
FEWEST, LONGEST_S = 2, 10.0
#: Attempts of a run that gives no result.
TRIES = 3


@dataclass(frozen=True)
class Measured(Trial):
    """Measured trial. `latencies`: boundaries that were due in the trial; `late`: those that arrived late or not at
    all. Percentiles are in ns, None with too few boundaries; `delivered` is in items/s, None if unknown.
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
    """Trials of `runnable`. `shares`: pacing block -> share of the load; `latency_s`: later items are lost.

    `given`: sink -> items for each item of a source; `slowest`: items at the slowest sink for each item of the load;
    `boundaries`: boundaries of a sink for each item of the load. Interrupted trials raise
    KeyboardInterrupt, failed runs WeirError.
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
    #: What the pilot measured, and what its samples pass through.
    flat_out: Mapping[str, Any] = field(default_factory=dict)
    sifted: Callable[[Sequence[PairSamples]], Sequence[PairSamples]] = lambda pairs: pairs
    _verified: dict[int, Verified | None] = field(default_factory=dict)
    _samples: Sequence[PairSamples] = ()
    _runs: int = 0
    _set: str = field(default_factory=lambda: secrets.token_hex(8))

    def pilot(self) -> float:
        """Measure the rate with all items due at once, in items/s."""
        items = FIRST_ITEMS
        while True:
            results = self._run(AT_ONCE, items, 0, PATIENCE_S).results
            rate = results["throughput_items_per_s"]
            self.flat_out = results
            if results["elapsed_s"] >= PILOT_S and rate is not None:
                return float(rate)
            items *= MORE

    def trial(self, load: float, seconds: float) -> Measured:
        """Offer a total load in items/s for these seconds, or longer if boundaries are rare."""
        since = time.monotonic()
        seconds = min(max(seconds, FEWEST / (load * self.boundaries)), max(seconds, LONGEST_S))
        items = math.ceil(load * (seconds + WARM_UP_S))
        made = self._run(load, items, int(load * self.slowest * WARM_UP_S), PATIENCE * seconds + PATIENCE_S)
        latency_ns, lost = pool(self._samples)
        count = len(latency_ns) + lost
        if count == 0 and load * seconds * self.boundaries < FEWEST:
            raise WeirError(diagnostic("E_RATE_RUN", "/run/trace/probe_granularity",
                                       f"a trial of {seconds:g} s at {load:.3g} items/s records no latency",
                                       "raise --trial, or lower /run/trace/probe_granularity"))
        late = int((latency_ns > self.latency_s * 1e9).sum()) + lost
        # Far above the sustainable load, all items are due before the warm-up arrives. The window is empty, so all are
        # late.
        loss_ratio = late / count if count else 1.0
        self.longest_s = max(self.longest_s, time.monotonic() - since - seconds)
        environment, ordered = made.results["environment"], np.sort(latency_ns)
        return Measured(load, seconds, loss_ratio, is_disturbed(made.results), count, late,
                        _percentile(ordered, 500), _percentile(ordered, 990),
                        made.results["load"]["delivered_items_per_s"], environment["other_programs"],
                        environment["steal"], made.results["run_id"])

    def _check_given(self, made: Finished, items: int) -> Finished:
        """Raise WeirError (E_RATE_RUN) if a sink got far too few items, for example because a file ended."""
        short = [it["id"] for it in made.results["sinks"]
                 if it["items"] < ENOUGH * items * self.given.get(it["id"], 0.0)]
        if short:
            raise WeirError(diagnostic("E_RATE_RUN", "", f"the flowgraph ends before the trial: each source should "
                                       f"give {items} items, but far too few reached {', '.join(short)}",
                                       "let file sources repeat, and remove blocks that end the stream, such as head"))
        return made

    def _run(self, load: float, items: int, warmup: int, timeout_s: float) -> Finished:
        """Run once, with retries. `items` is the total of all sources."""
        # A single run may fail by chance, for example in the tracer. Report only permanent failures.
        for left in reversed(range(TRIES)):
            made = self._once(load, items, warmup, timeout_s, left)
            if made is not None:
                return made
        raise AssertionError

    def _once(self, load: float, items: int, warmup: int, timeout_s: float, left: int) -> Finished | None:
        """Run once. Returns None if it failed and may be retried."""
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
            raise WeirError(diagnostic("E_RATE_RUN", "", f"a run at {load:.3g} items/s failed: {why}",
                                       "--out DIR keeps the runs"))
        return self._check_given(made, each)

    def _keep(self, pairs: Sequence[PairSamples]) -> None:
        self._samples = self.sifted(pairs)


def _percentile(ordered: np.ndarray, per_mille: int) -> int | None:
    return nearest_rank(ordered, per_mille) if len(ordered) >= least_samples(per_mille) else None
