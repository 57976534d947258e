"""Rating of a deployment: prepare the program, search its sustainable rate, and measure the load curve."""

from __future__ import annotations

import copy
import random
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

from weir.diagnostics import Diagnostic, WeirError, diagnostic
from weir.engine.measuring.listener import Listener
from weir.engine.pipeline import Pipeline
from weir.lab.rating import hosted
from weir.lab.rating.answer import SHARES, RateAnswer
from weir.lab.rating.offering import Added, flat_out, shares, with_pace
from weir.lab.rating.search import Goal, Search
from weir.lab.rating.trials import AT_ONCE, WARM_UP_S, Measured, Trials
from weir.model.document import jsontext
from weir.tracers import MEMORY, RECORDING

if TYPE_CHECKING:
    from weir.model.planning.plan import Planned

#: Share of the latency limit that an added `pace` block may use to fill a chunk.
BUDGET_SHARE = 1 / 4
#: Highest, lowest and first load, as multiples of the rate with all items due at once.
MOST, LEAST, FIRST = 16.0, 1e-3, 0.5
#: Limits of the parameters of `pace`: items/s at least, and seconds.
LEAST_RATE, BUDGETS_S = 1e-3, (1e-6, 10.0)


@dataclass(frozen=True)
class RateRequest:
    """Request of a rating. `latency_s`: later items are lost. `trace`: None = the project's. `command`: command line.
    `curve`: also measure shares of the sustainable rate.
    """

    deployment: str | None
    latency_s: float
    goal: Goal
    budget_s: float
    trace: str | None
    params: tuple[str, ...]
    out: Path
    command: str
    machine: Path | None = None
    curve: bool = True


@dataclass
class Rate:
    """Search for the sustainable rate. `say` gets lines for people, `warn` the warnings of plans, `ready` the plan
    before anything is built, `tried` each trial with the remaining seconds.
    """

    request: RateRequest
    pipeline: Pipeline
    say: Callable[[str], None]
    warn: Callable[[Sequence[Diagnostic]], None]
    ready: Callable[[Pipeline, Planned], None]
    tried: Callable[[Measured, float], None]
    _added: Sequence[Added] = ()
    _sources: Sequence[str] = ()
    _document: Mapping[str, Any] = field(default_factory=dict)
    _end: float = 0.0

    def go(self) -> RateAnswer:
        """Run the search. Raises WeirError if the build or all runs fail. Ctrl-C keeps the results until then."""
        checked, request = self.pipeline.checked.valid(), self.request
        self._sources = hosted.paced(checked.graph, checked.project.deployment(request.deployment)) \
            if checked.graph.of_gnuradio else ()
        self._document, self._added = (hosted.without_throttles(checked.project.document), ()) if self._sources else \
            with_pace(checked.project.document, flat_out(checked.graph))
        trials = self._hosted_trials({}) if self._sources else self._trials(None)
        name = trials.runnable.plan["deployment"]
        self.say(f"{name}: measuring the rate with all items due at once")
        fastest = trials.pilot()
        trials = self._hosted_trials(trials.flat_out) if self._sources else self._trials(fastest)
        begun = time.monotonic()
        self._end = begun + request.budget_s
        search = Search(lambda load, seconds: self._tried(trials, load, seconds), request.goal, MOST * fastest,
                        LEAST * fastest, FIRST * fastest, lambda seconds: self._has_time(trials, seconds))
        beside: list[Measured] = []
        interrupted = False
        try:
            self._look_beside(search.run().lower, trials, beside)
        except KeyboardInterrupt:
            interrupted = True
        return RateAnswer(checked.project.name, name, request.goal, request.latency_s, fastest, search.answer(), beside,
                          trials.shares, self._added, trials.trace or trials.runnable.plan["trace"]["backend"],
                          time.monotonic() - begun, interrupted)

    def _look_beside(self, lower: float | None, trials: Trials, beside: list[Measured]) -> None:
        """Measure the load curve at shares of the sustainable rate, while there is time."""
        loads = [share * lower for share in SHARES] if lower and self.request.curve else []
        random.shuffle(loads)  # otherwise a slow drift of the machine would look like an effect of the load
        for load in loads:
            if self._has_time(trials, self.request.goal.final_trial_s):
                beside.append(self._tried(trials, load, self.request.goal.final_trial_s))

    def _tried(self, trials: Trials, load: float, seconds: float) -> Measured:
        made = trials.trial(load, seconds)
        self.tried(made, max(0.0, self._end - time.monotonic()))
        return made

    def _has_time(self, trials: Trials, seconds: float) -> bool:
        return time.monotonic() + seconds + trials.longest_s <= self._end

    def _trials(self, load: float | None) -> Trials:
        """Build the program for this load, and return its trials. None: all items are due at once."""
        made = self._opened({})
        parts = shares(made.checked.valid().graph, made.checked.valid().rates)
        made = self._opened({block: AT_ONCE if load is None else share * load for block, share in parts.items()})
        trace = self.request.trace or (None if made.checked.valid().project.run.trace.backend in RECORDING else MEMORY)
        planned = made.plan_to_run(self.request.deployment, trace)
        plan = planned.plan
        _check(planned, made, trace)
        if load is None:
            self.warn(planned.diagnostics)
            self.ready(made, planned)
        program = made.build(plan, lambda what: self.say(f"{plan.deployment.name}: {what}"))
        block_of = {instance.name: instance.block_id for instance in made.checked.valid().graph.instances}
        ratios = [(pair, pair.sink_granularity / pair.source_granularity) for pair in plan.pairs]
        given = {pair.sink: min(ratio for other, ratio in ratios if other.sink == pair.sink) for pair in plan.pairs}
        slowest = min(parts[block_of[pair.source]] * ratio for pair, ratio in ratios)
        boundaries = max(parts[block_of[pair.source]] / pair.source_granularity for pair, _ in ratios)
        return Trials(made.runnable(planned, program, self.request.command), parts, given, slowest, boundaries,
                      self.request.latency_s, self.request.out, trace, self.request.params,
                      Listener(self.say, progress=lambda value: None))

    def _hosted_trials(self, seen: Mapping[str, Any]) -> Trials:
        """Build the program of a flowgraph of GNU Radio's own blocks, and return its trials. `seen`: results of a run
        with all items due at once, {} if there is none yet.
        """
        parts = hosted.shares(seen, self._sources) if seen else dict.fromkeys(self._sources, 1 / len(self._sources))
        if seen:
            fastest = max(parts.values()) * seen["throughput_items_per_s"]
            self._document = hosted.with_granularity(self._document, fastest)
        made = self._opened({})
        trace = self.request.trace or (None if made.checked.valid().project.run.trace.backend in RECORDING else MEMORY)
        planned = made.plan_to_run(self.request.deployment, trace)
        _check(planned, made, trace)
        if not seen:
            self.warn(planned.diagnostics)
            self.ready(made, planned)
        name = planned.plan.deployment.name
        program = made.build(planned.plan, lambda what: self.say(f"{name}: {what}"))
        boundaries = hosted.boundaries(seen, self._sources) if seen else 0.0
        if seen:  # with boundaries as far apart as they now are
            boundaries *= seen["trace"]["probe_granularity"] / planned.plan.trace.planned_granularity
        return Trials(made.runnable(planned, program, self.request.command), parts,
                      hosted.given(seen, self._sources) if seen else {}, 0.0, boundaries, self.request.latency_s,
                      self.request.out, trace, (*self.request.params, f"{hosted.QUANTUM}={self._budget_s:.6f}"),
                      Listener(self.say, progress=lambda value: None),
                      sifted=lambda pairs: hosted.behind_warm_up(pairs, WARM_UP_S))

    @property
    def _budget_s(self) -> float:
        return min(max(self.request.latency_s * BUDGET_SHARE, BUDGETS_S[0]), BUDGETS_S[1])

    def _opened(self, rates: Mapping[str, float]) -> Pipeline:
        """Open the paced project with these rates, which also determine its chunks and the interval of events."""
        added = {it.block for it in self._added}
        document = copy.deepcopy(dict(self._document))
        for block in document["graph"]["blocks"]:
            if block["id"] in rates:
                own = {"latency_budget": self._budget_s} if block["id"] in added else {}
                rate = max(rates[block["id"]], LEAST_RATE)
                block["parameters"] = {**block.get("parameters", {}), "rate": rate, **own}
        base = self.pipeline
        found = Pipeline.open(jsontext.write(document).encode(), directory=base.checked.valid().project.directory,
                              folders=base.folders, machine=self.request.machine, here=base.this_machine,
                              catalog=base.checked.catalog, profile=base.profile)
        found.valid([self.request.deployment] if self.request.deployment else [])
        return found


def _check(planned: Planned, pipeline: Pipeline, trace: str | None) -> None:
    """Raise WeirError (E_RATE_LATENCY) if the plan has no latency to measure."""
    if not planned.plan.pairs:
        raise WeirError(diagnostic("E_RATE_LATENCY", "", "there is no latency to measure: no path of this flowgraph "
                                   "leads from a source to a sink"))
    if pipeline.tracer(planned.plan, trace) not in RECORDING:
        raise WeirError(diagnostic("E_RATE_LATENCY", "",
                                   f"programs of target `{planned.plan.target}` cannot record events"))
