"""Laboratory of a search: build, verify and run each candidate like `weir run`, as a project of one deployment."""

from __future__ import annotations

import contextlib
import math
import os
import shlex
import time
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from weir import compilers
from weir.besides import Ending, begun
from weir.diagnostics import WeirError
from weir.engine.measuring.listener import Listener
from weir.engine.measuring.profiles import profile_of
from weir.engine.measuring.run_directory import load_run
from weir.engine.measuring.run_store import remove
from weir.engine.measuring.runnable import Finished, Runnable, RunOptions
from weir.engine.pipeline import Pipeline, measure
from weir.lab.tuning.candidate import GIVEN_UP, Candidate, Outcome, Trial
from weir.lab.tuning.space import TRACE
from weir.model.planning.profile import Profile
from weir.sure import sure

if TYPE_CHECKING:
    from weir.model.catalog import Catalog
    from weir.model.planning.plan import Planned

#: Parallel builds. The compiler takes up to 1 GB for a flowgraph of a thousand blocks.
MOST_BUILDS = 4
#: Least seconds of a run under GNU Radio. Time ends it, because Weir cannot predict its rate.
HOSTED_S = 1.0
#: Items of the first run; target seconds of a pilot, sufficient seconds, and maximum number of runs.
FIRST_ITEMS, PILOT_S, PILOT_ENOUGH_S, PILOT_RUNS = 100_000, 0.4, 0.1, 4
#: Limit of a prediction, as a multiple of the fastest run so far: predictions may be wrong.
FASTER = 4
#: Seconds to wait for a build that is given up, and between two attempts to end its compilers.
GIVING_UP_S, END_AGAIN_S = 5.0, 0.1
#: Latencies for a 99th percentile with a margin, and the factor by which a run may be extended for them.
SAMPLES, LONGER = 1200, 4
#: Warnings of a disturbed run.
DISTURBED = ("W_DISTURBED", "W_MACHINE_SLOWED")
PERCENTILES = ("p50_ns", "p95_ns", "p99_ns", "max_ns")


@dataclass(frozen=True)
class Ready:
    """Built candidate. `compile_s`: seconds of the build, None if it was built before; `hosted`: GNU Radio runs it."""

    runnable: Runnable
    planned: Planned
    compile_s: float | None
    hosted: bool = False


@dataclass(frozen=True)
class _Quiet(Listener):
    """Listener that reports waiting for other runs only. `begins` gets the deployment of each run."""

    begins: Callable[[str], None] = lambda name: None

    def step(self, deployment: str, what: str) -> None:
        pass

    def runs(self, deployment: str, run_id: str) -> None:
        self.begins(deployment)


@dataclass
class Laboratory:
    """Laboratory. `open`: text of a project -> pipeline; `text`: candidate -> text; `out`: folder of the run
    directories, which stay with `keep`.

    `fastest`: highest items/s so far; `end`: deadline of builds, by the monotonic clock; `begins` gets the name of each
    candidate that runs.
    """

    open: Callable[[bytes], Pipeline]
    text: Callable[[str, Mapping], bytes]
    catalog: Catalog
    out: Path
    keep: bool
    source: str
    say: Callable[[str], None]
    ready: dict[str, Ready] = field(default_factory=dict)
    fastest: float = 0.0
    end: float = math.inf
    begins: Callable[[str], None] = lambda name: None

    @property
    def side_by_side(self) -> int:
        """Return the number of parallel builds."""
        return max(1, min(len(os.sched_getaffinity(0)), MOST_BUILDS))

    def build(self, candidates: Sequence[Candidate]) -> tuple[dict[str, str], bool]:
        """Build candidates. Returns (name -> fault, whether anything was compiled)."""
        unbuilt = [one for one in candidates if one.name not in self.ready]
        faults: dict[str, str] = {}
        ends = {}
        for one in unbuilt:
            try:  # plan in sequence: planners of extensions may print, which needs a redirected standard output
                planned = self._planned(one.name, one.entry)
                ends[one.name] = begun(partial(self._built, one.name, *planned))
            except WeirError as error:
                faults[one.name] = str(error)
        try:
            for name, end in ends.items():
                try:
                    end(None if math.isinf(self.end) else max(self.end - time.monotonic(), 0.0))
                except TimeoutError:
                    faults[name] = GIVEN_UP
                except WeirError as error:
                    faults[name] = str(error)
        finally:
            _give_up(ends.values())
        return faults, any(self.ready[one.name].compile_s for one in unbuilt if one.name in self.ready)

    def _planned(self, name: str, entry: Mapping) -> tuple[Pipeline, Planned]:
        """Open and plan a deployment. Raises WeirError if that fails."""
        pipeline = self.open(self.text(name, entry))
        pipeline.valid([name])
        return pipeline, pipeline.plan_to_run(name, TRACE)

    def _built(self, name: str, pipeline: Pipeline, planned: Planned) -> Ready:
        """Build and verify a planned deployment. Raises WeirError if that fails."""
        begun_at = time.monotonic()
        built = pipeline.build(planned.plan, lambda what: self.say(f"{name}: {what}"))
        compile_s = None if built.reused else time.monotonic() - begun_at
        command = shlex.join(["weir", "tune", self.source])
        self.ready[name] = Ready(pipeline.runnable(planned, built, command), planned, compile_s,
                                 bool(pipeline.checked.valid().graph.of_gnuradio))
        return self.ready[name]

    def run(self, wanted: Sequence[tuple[Trial, float]], done: Callable[[Trial, Outcome], None]) -> None:
        """Run each trial once in random order, verified before its first run."""
        trials = {trial.candidate.name: trial for trial, _ in wanted}
        runnables = [replace(self.ready[trial.candidate.name].runnable, own=self._end(trial, seconds))
                     for trial, seconds in wanted]
        made, interrupted = self._measured(runnables)
        for one, wall_s in made:
            done(trials[str(one.results["deployment"])], outcome_of(one.results, wall_s))
        if interrupted:
            raise KeyboardInterrupt

    def pilot(self, name: str, entry: Mapping, watched: bool) -> tuple[Profile | None, str]:
        """Measure the speed of a deployment and, if `watched`, the costs of its blocks.

        Returns (profile, reason why there is none). The number of items grows from run to run, as costs are unknown.
        """
        it = self._built(name, *self._planned(name, entry))
        block_of = {block.instance: block.block for block in it.planned.plan.blocks}
        items = max(1, min(FIRST_ITEMS, int(PILOT_S * self._each(it, sure(it.planned.plan.predicted).items_per_s))))
        found: tuple[Profile | None, str] = None, "the program did not run"
        for _ in range(PILOT_RUNS):
            own = {"timeout_s": HOSTED_S} if it.hosted else {"items": items}
            made, interrupted = self._measured([replace(it.runnable, own=own)], "profile" if watched else None)
            if interrupted:
                raise KeyboardInterrupt
            results = made[0][0].results
            if fault := fault_of(results):
                return None, fault
            if watched and results["metrics"] != "profile":
                found = None, f"the program measured `{results['metrics']}`"
            elif watched:
                found = profile_of(results, block_of), ""
            elapsed = max(results["elapsed_s"] or 0.0, 1e-5)
            if it.hosted or elapsed >= PILOT_ENOUGH_S or results["load"]["offered_items_per_s"] is not None:
                break
            items = int(items * min(max(PILOT_S / elapsed, 2), 50))
        return found

    def _measured(self, runnables: Sequence[Runnable],
                  metrics: str | None = None) -> tuple[list[tuple[Finished, float]], bool]:
        """Run programs. Returns the complete runs with the seconds of each, and whether it was interrupted."""
        ended = [time.monotonic()]
        quiet = _Quiet(self.say, None, lambda one: ended.append(time.monotonic()), begins=self.begins)
        options = RunOptions(self.out, 1, TRACE, metrics=metrics)
        made = measure(runnables, options, quiet, self.catalog)
        self.fastest = max([self.fastest, *(one.results["throughput_items_per_s"] or 0.0 for one in made.runs)])
        if not self.keep:
            for one in made.runs:  # the output of blocks may fill a temporary folder
                with contextlib.suppress(WeirError):
                    remove(load_run(one.path))
        walls = [after - before for before, after in zip(ended, ended[1:])]
        whole = [(one, wall_s) for one, wall_s in zip(made.runs, walls) if one.results["status"] != "partial"]
        return whole, made.interrupted or len(whole) < len(runnables)

    def _end(self, trial: Trial, seconds: float) -> dict[str, float]:
        """Return the options that end a run after about these seconds, or later to get a 99th percentile."""
        it = self.ready[trial.candidate.name]
        if it.hosted:
            return {"timeout_s": max(HOSTED_S, seconds)}
        reach = self.fastest and FASTER * self.fastest
        each = self._each(it, trial.items_per_s or min(trial.candidate.predicted, reach or trial.candidate.predicted))
        pairs = it.planned.plan.pairs
        wanted = SAMPLES * pairs[0].source_granularity // len(pairs) if pairs else 0
        items = int(seconds * each)
        return {"items": max(1, items, wanted if wanted <= LONGER * items else 0)}

    def _each(self, it: Ready, items_per_s: float) -> float:
        return items_per_s / max(1, len(it.planned.plan.metered))


def _give_up(ends: Iterable[Ending[object]]) -> None:
    """End the compilers of running builds, and wait for the builds, which have redirected standard output."""
    for end in ends:
        last, wait_s = time.monotonic() + GIVING_UP_S, 0.0
        with contextlib.suppress(Exception):  # already reported, or no longer of interest
            while time.monotonic() < last:
                try:
                    end(wait_s)
                    break
                except TimeoutError:
                    # Try again and again, because the build may be about to start its next compiler.
                    compilers.end_all()
                    wait_s = END_AGAIN_S


def outcome_of(results: Mapping, wall_s: float) -> Outcome:
    """Return the outcome of a run, without values if it failed or its output is wrong."""
    fault = fault_of(results)
    latency = results["latency"]
    return Outcome(None if fault else results["throughput_items_per_s"],
                   {name: latency[name] for name in PERCENTILES} if latency and not fault else None,
                   results["load"]["kept_up"], fault, wall_s,
                   any(reason["code"] in DISTURBED for reason in results["reasons"]))


def fault_of(results: Mapping) -> str:
    """Return the reason why a run does not count, or ""."""
    if results["status"] != "ok":
        return "; ".join(reason["message"] for reason in results["reasons"] if reason["code"][0] == "E") \
            or f"the run's status is {results['status']}"
    if results["throughput_items_per_s"] is None:
        return "the run was too short to measure a throughput"
    return ""
