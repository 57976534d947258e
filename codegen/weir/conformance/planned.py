"""Random graphs under a scheduler that has a planner: what it is asked, what it makes of it, and what is wrong with that."""

from __future__ import annotations

import json
import random
import time
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, replace
from fractions import Fraction
from math import lcm

from weir.catalog import ROOT, Catalog, SchedulerType, load_catalog
from weir.check import Checked, check
from weir.conformance import oracle, random_graphs
from weir.conformance.claims import Part
from weir.conformance.deployments import choices
from weir.conformance.findings import Finding, Tried
from weir.conformance.random_graphs import Drawn
from weir.diagnostics import ERROR, Diagnostic, WeirError
from weir.document.item_types import ITEM_TYPES
from weir.planning import planners
from weir.planning.machine import Machine
from weir.planning.plan import request_of
from weir.planning.planner import Arrangement, Request
from weir.planning.schedule import firings

BLOCKS = ROOT / "runtime" / "tests" / "conformance" / "blocks"
MINE, FLOW = "mine", "flow"
#: The oracle labels each byte: it takes schedules that move fewer in its part of a run.
_MOST_BYTES = 40_000
_SHRINKING_S = 10.0


class Refused(Exception):
    """The scheduler does not qualify for a graph, by its descriptor or by its planner's word."""


@dataclass(frozen=True)
class Case:
    """A drawn graph, and `wish`: what a deployment asks for with it."""

    graph: Drawn
    wish: Mapping[str, object]

    @property
    def name(self) -> str:
        return f"random graph, {random_graphs.counted(self.graph.items)}"

    def text(self) -> str:
        return f"{self.graph.text()}\ndeployment: {json.dumps(dict(self.wish))}"

    def document(self) -> dict[str, object]:
        return self.graph.project(deployments=[{"name": MINE, **self.wish}, {"name": FLOW, "scheduler": "flow"}])


@dataclass(frozen=True)
class Desk:
    """Where graphs are planned for one scheduler. `catalog`: with the kit's blocks, and the scheduler."""

    scheduler: SchedulerType
    catalog: Catalog
    machine: Machine

    @classmethod
    def of(cls, scheduler: SchedulerType, machine: Machine) -> Desk:
        catalog = load_catalog([BLOCKS])
        return cls(scheduler, replace(catalog, schedulers={**catalog.schedulers, scheduler.id: scheduler}), machine)

    def case(self, seed: int) -> Case:
        graph, dice = random_graphs.draw(seed), random.Random(f"deployment {seed}")
        flat = check(json.dumps(graph.project()), catalog=self.catalog).graph
        target, *_ = self.catalog.targets_of(self.scheduler)
        return Case(graph, {"scheduler": self.scheduler.id,
                            **choices(self.scheduler, target, flat, dice, plain=dice.random() < 0.2)})

    def checked(self, case: Case) -> Checked:
        """Refused where the scheduler cannot have the graph."""
        found = check(json.dumps(case.document()), catalog=self.catalog)
        for fault in found.diagnostics:
            if fault.severity == ERROR:
                raise Refused(f"{fault.code}: {fault.message}")
        return found

    def arranged(self, case: Case) -> tuple[Request, Arrangement]:
        """What the planner makes of it. Refused; WeirError with what is wrong."""
        found = self.checked(case)
        request = request_of(found.graph, found.rates, self.catalog, self.machine, found.project.deployment(MINE))
        try:
            made = planners.arrange(request)
            if planners.arrange(request) != made:
                raise WeirError(Diagnostic("E_PLANNER", ERROR, "", "asked twice for a plan of the same graph, the "
                                           "planner makes two that differ", "the same inputs give the same plan"))
        except WeirError as error:
            if error.diagnostics[0].code == "E_PLANNER_REFUSES":
                raise Refused(error.diagnostics[0].message) from None
            raise
        return request, made


def try_plans(desk: Desk, part: Part, seed: int | None) -> Tried:
    """Plans random graphs, one after the other, until there is a finding, or the graph of a seed alone."""
    ends = time.monotonic() + part.seconds
    refusals: list[str] = []
    cases = walked = 0
    findings: tuple[Finding, ...] = ()
    for number in range(1, part.rounds + 1) if seed is None else (seed,):
        if seed is None and time.monotonic() > ends:
            break
        cases += 1
        case = desk.case(number)
        try:
            fault, steps = _fault_of(desk, case)
        except Refused as refusal:
            refusals.append(str(refusal))
            continue
        walked += steps
        if fault:
            findings = (_finding(desk, part, case, fault),)
            break
    notes = [f"{walked} gone through byte by byte", *([f"{len(refusals)} refused: {refusals[0]}"] if refusals else [])]
    return Tried(part, cases - len(refusals), cases, tuple(notes), findings, 1 if seed is None else seed)


def _finding(desk: Desk, part: Part, case: Case, fault: Diagnostic) -> Finding:
    small = _shrunk(desk, case, fault.code)
    return Finding("schedule", fault.message, detail="\n".join(filter(None, (fault.hint, case.text()))), part=part.name,
                   build=part.kind, case=case.name, seed=case.graph.seed, smaller="" if small is case else small.text())


def _fault_of(desk: Desk, case: Case) -> tuple[Diagnostic | None, bool]:
    """What is wrong with the plan, and whether the oracle has run it. Refused."""
    try:
        request, made = desk.arranged(case)
    except WeirError as error:
        return error.diagnostics[0], False
    if made.schedule is None:
        return None, False
    runs = list(_oracle_runs(request, made, case))
    try:
        for run in runs:
            run()
    except oracle.Spoilt as spoilt:
        return Diagnostic("E_SCHEDULE", ERROR, "", f"the plan was let pass, and computes something else than the graph: "
                          f"{spoilt}", "that is a fault of Weir's schedule_check, too"), True
    return None, bool(runs)


def _oracle_runs(request: Request, made: Arrangement, case: Case) -> Iterator[Callable[[], None]]:
    """Whole periods, and a run with an end."""
    rates, dice = request.rates, random.Random(case.graph.seed)
    # A section may hold less than an iteration of the graph: then several of its periods are one.
    periods = [Fraction(times, rates.firings[name]).numerator for section in made.schedule.sections
               for name, times in firings(section.body).items()]
    iterations = lcm(*periods)
    sizes = {s.name: ITEM_TYPES[s.item_type].size * (1 + len(s.readers)) for s in made.streams}
    each = sum(sizes[f"{name}.{port.id}"] * rate * rates.firings[name]
               for i in request.graph.instances if (name := i.name)
               for port, rate in zip(i.type.outputs, rates.outputs[name]) if f"{name}.{port.id}" in sizes)
    if each * iterations <= _MOST_BYTES:
        yield lambda: oracle.run(made, request, dice, iterations=iterations)
    bounds = {i.name: case.graph.items for i in request.graph.instances if i.type.is_source}
    bounds.update({i.name: int(i.parameters["items"]) or case.graph.items for i in request.graph.instances
                   if i.type.id == random_graphs.HEAD})
    left = oracle.firings_of_a_run(request, bounds)
    if sum(size * left[name.rpartition(".")[0]] for name, size in sizes.items()) <= _MOST_BYTES:
        yield lambda: oracle.run(made, request, dice, left=left)


def _shrunk(desk: Desk, case: Case, code: str) -> Case:
    """A smaller case with a fault of the same code, as far as the time allows."""
    ends = time.monotonic() + _SHRINKING_S
    found = True
    while found and time.monotonic() < ends:
        found = False
        for graph in random_graphs.smaller(case.graph):
            less = _fitted(desk, Case(graph, case.wish))
            try:
                fault, _ = _fault_of(desk, less)
            except Refused:
                continue
            if fault and fault.code == code:
                case, found = less, True
                break
    return case


def _fitted(desk: Desk, case: Case) -> Case:
    """Without wishes for blocks that are no more."""
    flat = check(json.dumps(case.graph.project()), catalog=desk.catalog).graph
    if flat is None:
        return case
    wish, edges, blocks = dict(case.wish), {edge.name for edge in flat.edges}, {op.id for op in case.graph.ops}
    if "buffers" in wish:
        wish["buffers"] = {name: size for name, size in wish["buffers"].items() if name in edges}
    if wish.get("placement", {}).get("map"):
        placement = wish["placement"]
        wish["placement"] = {**placement, "map": {name: on for name, on in placement["map"].items() if name in blocks}}
    return replace(case, wish=wish)
