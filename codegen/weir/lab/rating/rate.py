"""How high a load a deployment of a project bears: made ready, searched for, and looked at beside the search."""

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
from weir.lab.rating.answer import SHARES, Rated
from weir.lab.rating.offering import Added, flat_out, shares, with_pace
from weir.lab.rating.search import Goal, Search
from weir.lab.rating.trials import AT_ONCE, Measured, Trials
from weir.model.document import jsontext
from weir.tracers import MEMORY, RECORDING

if TYPE_CHECKING:
    from weir.model.planning.plan import Planned

#: Of the time that an item may take, what a block that is added for pacing may hold it back for its chunk to fill.
BUDGET_SHARE = 1 / 4
#: Loads that are offered at most, at least, and first, over what comes through where all is due at once.
MOST, LEAST, FIRST = 16.0, 1e-3, 0.5
#: What parameters of `pace` may be: items/s at least, and seconds.
LEAST_RATE, BUDGETS_S = 1e-3, (1e-6, 10.0)


@dataclass(frozen=True)
class Asked:
    """`latency_s`: what comes later is lost. `trace`: None = as the project has it. `command`: the words of it all.
    `curve`: with trials at shares of what is sustainable.
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
    """`say` gets lines for people, `warn` what plans are warned of, `ready` the plan before anything is built, `tried`
    each trial with the seconds that are left.
    """

    asked: Asked
    pipeline: Pipeline
    say: Callable[[str], None]
    warn: Callable[[Sequence[Diagnostic]], None]
    ready: Callable[[Pipeline, Planned], None]
    tried: Callable[[Measured, float], None]
    _added: Sequence[Added] = ()
    _document: Mapping[str, Any] = field(default_factory=dict)
    _end: float = 0.0

    def go(self) -> Rated:
        """WeirError where it does not build, or runs give no result. Ctrl-C leaves what there was until then."""
        checked, asked = self.pipeline.checked.valid(), self.asked
        self._document, self._added = with_pace(checked.project.document, flat_out(checked.graph))
        trials = self._trials(None)
        name = trials.runnable.plan["deployment"]
        self.say(f"{name}: how fast it is where all is due at once")
        fastest = trials.pilot()
        trials = self._trials(fastest)
        begun = time.monotonic()
        self._end = begun + asked.budget_s
        search = Search(lambda load, seconds: self._tried(trials, load, seconds), asked.goal, MOST * fastest,
                        LEAST * fastest, FIRST * fastest, lambda seconds: self._has_time(trials, seconds))
        beside: list[Measured] = []
        interrupted = False
        try:
            self._look_beside(search.run().lower, trials, beside)
        except KeyboardInterrupt:
            interrupted = True
        return Rated(checked.project.name, name, asked.goal, asked.latency_s, fastest, search.answer(), beside,
                     trials.shares, self._added, trials.trace or trials.runnable.plan["trace"]["backend"],
                     time.monotonic() - begun, interrupted)

    def _look_beside(self, lower: float | None, trials: Trials, beside: list[Measured]) -> None:
        """The load curve at shares of what is sustainable, as far as there is time."""
        loads = [share * lower for share in SHARES] if lower and self.asked.curve else []
        random.shuffle(loads)  # so that what changes slowly on the machine is not taken for the load's doing
        for load in loads:
            if self._has_time(trials, self.asked.goal.final_trial_s):
                beside.append(self._tried(trials, load, self.asked.goal.final_trial_s))

    def _tried(self, trials: Trials, load: float, seconds: float) -> Measured:
        made = trials.trial(load, seconds)
        self.tried(made, max(0.0, self._end - time.monotonic()))
        return made

    def _has_time(self, trials: Trials, seconds: float) -> bool:
        return time.monotonic() + seconds + trials.longest_s <= self._end

    def _trials(self, load: float | None) -> Trials:
        """Of the program that is planned for this load; None: for all being due at once."""
        made = self._opened({})
        parts = shares(made.checked.valid().graph, made.checked.valid().rates)
        made = self._opened({block: AT_ONCE if load is None else share * load for block, share in parts.items()})
        trace = self.asked.trace or (None if made.checked.valid().project.run.trace.backend in RECORDING else MEMORY)
        planned = made.plan_to_run(self.asked.deployment, trace)
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
        return Trials(made.runnable(planned, program, self.asked.command), parts, given, slowest, boundaries,
                      self.asked.latency_s, self.asked.out, trace, self.asked.params,
                      Listener(self.say, progress=lambda value: None))

    def _opened(self, rates: Mapping[str, float]) -> Pipeline:
        """The project with what is added, at these rates: chunks, and how often there are events, go by them."""
        budget_s = min(max(self.asked.latency_s * BUDGET_SHARE, BUDGETS_S[0]), BUDGETS_S[1])
        added = {it.block for it in self._added}
        document = copy.deepcopy(dict(self._document))
        for block in document["graph"]["blocks"]:
            if block["id"] in rates:
                own = {"latency_budget": budget_s} if block["id"] in added else {}
                rate = max(rates[block["id"]], LEAST_RATE)
                block["parameters"] = {**block.get("parameters", {}), "rate": rate, **own}
        base = self.pipeline
        found = Pipeline.open(jsontext.write(document).encode(), directory=base.checked.valid().project.directory,
                              folders=base.folders, machine=self.asked.machine, here=base.this_machine,
                              catalog=base.checked.catalog, profile=base.profile)
        found.valid([self.asked.deployment] if self.asked.deployment else [])
        return found


def _check(planned: Planned, pipeline: Pipeline, trace: str | None) -> None:
    """WeirError (E_RATE_LATENCY) where no latency can be had."""
    if not planned.plan.pairs:
        raise WeirError(diagnostic("E_RATE_LATENCY", "", "no latency is measured: nothing of this graph goes from a "
                                   "source to a sink"))
    if pipeline.tracer(planned.plan, trace) not in RECORDING:
        raise WeirError(diagnostic("E_RATE_LATENCY", "",
                                   f"programs of target `{planned.plan.target}` record no events"))
