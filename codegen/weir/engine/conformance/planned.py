"""Plans of random graphs: runs a scheduler's planner on them and finds faults in the plans."""

from __future__ import annotations

import json
import random
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from fractions import Fraction
from math import lcm

from weir.diagnostics import ERROR, Diagnostic, WeirError
from weir.engine.conformance import oracle, random_graphs, twice
from weir.engine.conformance.claims import Part
from weir.engine.conformance.findings import Finding, PartResult
from weir.engine.conformance.planning_context import Case, PlanningContext, Refused
from weir.model.check import check
from weir.model.document.item_types import ITEM_TYPES
from weir.model.planning.planner import Arrangement, Request
from weir.model.planning.schedule import firings
from weir.sure import sure

#: The oracle labels each byte, so it runs only schedules that move fewer bytes than this in its part of a run.
_MOST_BYTES = 40_000
_SHRINKING_S = 10.0


def try_plans(context: PlanningContext, part: Part, seed: int | None) -> PartResult:
    """Plan random graphs until one has a finding, or only the graph of a seed; then plan them again in other processes.
    """
    ends = time.monotonic() + part.seconds
    refusals: list[str] = []
    planned: list[Case] = []
    findings: tuple[Finding, ...] = ()
    walked = 0
    for number in range(1, part.rounds + 1) if seed is None else (seed,):
        if seed is None and time.monotonic() > ends:
            break
        case = context.case(number)
        try:
            fault, steps = _fault_of(context, case)
        except Refused as refusal:
            refusals.append(str(refusal))
            continue
        planned.append(case)
        walked += steps
        if fault:
            findings = (finding_of(context, part, case, fault, _shrunk(context, case, fault.code)),)
            break
    findings = findings or tuple(_unsteady(context, part, planned))
    notes = [f"{walked} simulated byte by byte", *refused(refusals)]
    return PartResult(part, len(planned), len(planned) + len(refusals), tuple(notes), findings)


def refused(refusals: Sequence[str]) -> list[str]:
    """Return a note on the refused plans, [] if there are none."""
    return [f"{len(refusals)} refused: {refusals[0]}"] if refusals else []


def finding_of(context: PlanningContext, part: Part, case: Case, fault: Diagnostic,
               small: Case | None = None) -> Finding:
    """Return the finding for a wrong plan of a graph, with a smaller graph if there is one."""
    small = small or case
    return Finding("schedule", fault.message, hint=fault.hint, detail=case.text(), part=part.name, build=part.kind,
                   case=case.name, seed=case.graph.seed, smaller="" if small is case else small.text(),
                   project=small.saved(context.folder))


def _unsteady(context: PlanningContext, part: Part, cases: Sequence[Case]) -> Iterator[Finding]:
    """Yield a finding for the smallest graph whose plan differs between processes."""
    found = sorted(twice.differing(context, cases), key=lambda it: len(it[0].graph.ops))
    for case, what in found[:1]:
        yield finding_of(context, part, case, Diagnostic(
            "E_PLANNER", ERROR, "",
            f"the planner makes different plans of the same graph in two processes: they differ in {what}",
            "the order of a set and the value of hash() differ between processes: iterate over a dict or sorted(…)"))


def _fault_of(context: PlanningContext, case: Case) -> tuple[Diagnostic | None, bool]:
    """Return the fault of the plan, None if it is right, and whether the oracle ran it. Raises Refused."""
    request = context.request(case)
    try:
        made = context.arranged(request)
        if context.arranged(request) != made:
            return Diagnostic("E_PLANNER", ERROR, "",
                              "the planner makes two different plans of the same graph",
                              "make the plan depend on its inputs only"), False
    except WeirError as error:
        return error.diagnostics[0], False
    if made.schedule is None:
        return None, False
    runs = list(_oracle_runs(request, made, case))
    try:
        for run in runs:
            run()
    except oracle.Spoilt as spoilt:
        return Diagnostic("E_SCHEDULE", ERROR, "",
                          f"the plan passed the check but computes something else than the graph: {spoilt}",
                          "report this: Weir's schedule_check should have found it"), True
    return None, bool(runs)


def _oracle_runs(request: Request, made: Arrangement, case: Case) -> Iterator[Callable[[], None]]:
    """Yield the oracle's runs: one of whole periods, and one until the end."""
    rates, dice = request.rates, random.Random(case.graph.seed)
    # A worker's period may be a fraction of an iteration of the graph.
    periods = [Fraction(times, rates.firings[name]).numerator for own in sure(made.schedule).worker_schedules
               for name, times in firings(own.body).items()]
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


def _shrunk(context: PlanningContext, case: Case, code: str) -> Case:
    """Return a smaller case with a fault of the same code, as far as the time limit allows."""
    ends = time.monotonic() + _SHRINKING_S
    found = True
    while found and time.monotonic() < ends:
        found = False
        for graph in random_graphs.smaller(case.graph):
            less = _fitted(context, Case(graph, case.wish))
            try:
                fault, _ = _fault_of(context, less)
            except Refused:
                continue
            if fault and fault.code == code:
                case, found = less, True
                break
    return case


def _fitted(context: PlanningContext, case: Case) -> Case:
    """Return the case without settings for blocks and edges that it no longer has."""
    flat = check(json.dumps(case.graph.project()), catalog=context.catalog).graph
    if flat is None:
        return case
    wish, edges, blocks = dict(case.wish), {edge.name for edge in flat.edges}, {op.id for op in case.graph.ops}
    if "buffers" in wish:
        wish["buffers"] = {name: size for name, size in wish["buffers"].items() if name in edges}
    if wish.get("placement", {}).get("map"):
        placement = wish["placement"]
        wish["placement"] = {**placement, "map": {name: on for name, on in placement["map"].items() if name in blocks}}
    return replace(case, wish=wish)
