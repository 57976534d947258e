"""Warnings about valid but probably unintended settings, given before time is spent on a useless run.

These checks use a valid project alone, without a machine. `deployment_check` has the checks that need a machine.
"""

from __future__ import annotations

import contextlib
import os
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any

from weir.diagnostics import Diagnostic, Fix, diagnostic, pointer, resolve
from weir.model.document.digits import counted, grouped
from weir.model.document.expressions import ExpressionError, names_in
from weir.model.document.project import Project
from weir.model.document.values import expressions_in
from weir.model.flowgraph.components import connected
from weir.model.flowgraph.graph import Graph, Instance
from weir.model.flowgraph.rates import Rates
from weir.model.planning import probes
from weir.model.planning.expected import expected_items
from weir.model.target_type import Target
from weir.tracers import SILENT

#: With fewer latencies than this, the 99th percentile equals the maximum.
ENOUGH_LATENCIES = 100
#: Rates in time are written by hand: 44.1k / 48k and 0.91875 mean the same.
SAME_RATE = 1e-6


def advise(project: Project, graph: Graph, rates: Rates, targets: Mapping[str, Target]) -> list[Diagnostic]:
    """Return warnings about a project with valid graph, rates and deployments, in the document's order.

    `targets`: the catalog's targets by id.
    """
    # Texts of GNU Radio's blocks use the parameters in ways that only GNU Radio evaluates.
    unused = () if graph.of_gnuradio else _unused_parameters(project)
    return [*unused, *_missing_files(project, graph), *_rates_in_time(project, graph, rates),
            *_same_deployments(project), *_unrequested_requirements(project), *_endless(project, graph),
            *warmed_up_by_all(graph, rates, project.run.items, project.run.warmup_items),
            *_trace(project, graph, rates, [targets[deployment.target] for deployment in project.deployments])]


def _unused_parameters(project: Project) -> Iterator[Diagnostic]:
    used = set()
    for _, text in expressions_in(project.document):
        with contextlib.suppress(ExpressionError):  # the evaluation reports it
            used |= set(names_in(text))
    for name in project.parameters:
        if name not in used:
            yield diagnostic("W_PARAMETER_UNUSED", pointer("parameters", name), f"nothing uses the parameter `{name}`")


def _missing_files(project: Project, graph: Graph) -> Iterator[Diagnostic]:
    seen = set()
    for instance in graph.instances:
        for parameter in instance.type.parameters:
            path = instance.parameters.get(parameter.id)
            if parameter.access != "read" or not path or (instance.block_id, parameter.id) in seen:
                continue
            seen.add((instance.block_id, parameter.id))
            if not os.path.exists(project.directory / path):
                yield diagnostic("W_FILE_MISSING", instance.pointer + pointer("parameters", parameter.id),
                                 f"`{instance.block_id}` reads \"{path}\", which does not exist yet")


def _rates_in_time(project: Project, graph: Graph, rates: Rates) -> Iterator[Diagnostic]:
    """Compare the rates set for blocks with the rates of the flowgraph between them."""
    for part in connected(graph):
        first: tuple[Instance, float] | None = None
        for instance in part:
            stated = _items_per_s(instance, resolve(project.document, instance.pointer).get("parameters", {}))
            if stated is None:
                continue
            iterations = stated / rates.first_port_items(instance.name)
            if first is None:
                first = instance, iterations
            elif abs(iterations - first[1]) > SAME_RATE * first[1]:
                other, fitting = first[0], first[1] * rates.first_port_items(instance.name)
                yield diagnostic("W_RATE_MISMATCH", instance.pointer,
                                 f"`{instance.block_id}` is set to {stated:g} items/s, but receives {fitting:g} "
                                 f"items/s according to the rate of `{other.block_id}`")
                break


def _items_per_s(instance: Instance, written: Mapping[str, Any]) -> float | None:
    """Return the rate that the project states for the input, or for the output of a source. Defaults do not count,
    because they say nothing about the signal.
    """
    for name, unit in (("rate", "items/s"), ("sample_rate", "Hz")):
        parameter, value = instance.type.parameter(name), instance.parameters.get(name)
        if name in written and parameter and parameter.unit == unit and isinstance(value, (int, float)) and value > 0:
            return float(value)
    return None


def _same_deployments(project: Project) -> Iterator[Diagnostic]:
    seen: dict[str, str] = {}
    for deployment in project.deployments:
        bare = repr(replace(deployment, name="", pointer=""))
        if bare in seen:
            yield diagnostic("W_DEPLOYMENT_SAME", deployment.pointer,
                             f"deployment `{deployment.name}` has the same settings as `{seen[bare]}`")
        seen.setdefault(bare, deployment.name)


def _unrequested_requirements(project: Project) -> Iterator[Diagnostic]:
    for deployment in project.deployments:
        policies = {it.policy for it in (deployment.scheduling, *deployment.threads.values())}
        requested = {"affinity": bool(deployment.affinity), "memory_lock": deployment.memory.lock,
                     "priority": bool(policies - {"", "other"}),
                     "isolation": deployment.isolate is not None, "interference": deployment.interference.loops > 0}
        for i, requirement in enumerate(deployment.require):
            if not requested[requirement]:
                yield diagnostic("W_REQUIRE_UNASKED", deployment.pointer + pointer("require", i),
                                 f"`{requirement}` is required, but deployment `{deployment.name}` does not request it")


def _endless(project: Project, graph: Graph) -> Iterator[Diagnostic]:
    # GNU Radio's own flowgraphs seldom end by themselves, so the time limit is their end.
    if project.run.items == 0 and not graph.of_gnuradio:
        for name in sorted(probes.ends_at_run_items(graph)):
            source = graph.instance(name)
            if not _reads_a_file(source):
                yield diagnostic("W_ENDLESS", "/run/items" if "items" in project.document.get("run", {}) else "",
                                 f"only the time limit of {project.run.timeout_s:g} s ends `{source.block_id}`")
                return


def warmed_up_by_all(graph: Graph, rates: Rates, items: int, warmup_items: int) -> Iterator[Diagnostic]:
    """Warn about sinks without items to measure. `items`: requested of each source or head, 0 for no limit."""
    for sink, arriving in expected_items(graph, rates, items).items() if warmup_items else ():
        if arriving is not None and arriving <= warmup_items:
            fix = Fix(f"Use {arriving // 10}", "/run/warmup_items", "set", arriving // 10)
            yield diagnostic("W_WARMUP", "/run/warmup_items",
                             f"`{sink}` gets {counted(arriving, 'item')}, and the first {grouped(warmup_items)} "
                             f"{'is' if warmup_items == 1 else 'are'} warm-up: nothing is measured", fixes=[fix])
            return


def _trace(project: Project, graph: Graph, rates: Rates, targets: Sequence[Target]) -> Iterator[Diagnostic]:
    trace = project.run.trace
    if trace.backend in SILENT:
        probed = next((i for i in graph.instances if i.probe), None)
        if probed:
            yield diagnostic("W_TRACE_OFF", probed.pointer + "/probe",
                             f"`{probed.block_id}` has a probe, but `run.trace.backend` is {trace.backend}")
        for requested, place, what in ((trace.events, "trace/events", "events are requested"),
                                       (trace.causes, "trace/causes", "finding out why items are late needs events"),
                                       (project.run.deadline_us is not None, "deadline_us",
                                        "counting missed deadlines needs events")):
            if requested:
                yield diagnostic("W_TRACE_OFF", f"/run/{place}",
                                 f"{what}, but `run.trace.backend` is {trace.backend}")
        return
    if targets and all(target.nearest_trace(trace.backend) == "off" for target in targets):
        return  # no deployment's program records anything
    probing = probes.plan_probes(graph, rates, trace.probe_granularity, trace.backend)
    yield from _unseen_slots(project, graph, probing)
    fewest: dict[str, int] = {}
    for source, heads in probes.heads_behind(graph).items():
        bounds = [_bound(graph.instance(head), project.run.items) for head in heads] or [project.run.items]
        if all(bounds) and not _reads_a_file(graph.instance(source)):
            fewest[source] = max(bounds) // probing.given[source]
    if fewest and min(fewest.values()) < ENOUGH_LATENCIES:
        name = min(fewest, key=fewest.__getitem__)
        given = trace.probe_granularity != "auto"
        yield diagnostic("W_FEW_LATENCIES", "/run/trace/probe_granularity" if given else _items_pointer(project),
                         f"`{name}` passes only {fewest[name]} boundaries of {probing.given[name]} items, so the run "
                         "measures no more latencies than that")


def _unseen_slots(project: Project, graph: Graph, probing: probes.Probes) -> Iterator[Diagnostic]:
    """Warn if slots (bursts of a pacing block) have no event of their own: lateness is judged slot by slot."""
    if project.run.deadline_us is None:
        return
    for origin in probes.origins(graph):
        slot, apart = origin.parameters.get("burst_items", 1), probing.tx[origin.name]
        if origin.type.paces and isinstance(slot, int) and 1 < slot < apart:
            given = project.run.trace.probe_granularity != "auto"
            yield diagnostic("W_SLOT_UNSEEN", "/run/trace/probe_granularity" if given else "/run/deadline_us",
                             f"`{origin.block_id}` has slots of {slot} items, but records an event only every {apart} "
                             "items: Weir cannot tell whether the other slots are late")
            return


def _reads_a_file(source: Instance) -> bool:
    """Return whether the source ends with a file, so its length is unknown before the run."""
    return any(parameter.access == "read" for parameter in source.type.parameters)


def _bound(head: Instance, run_items: int) -> int:
    return int(head.parameters[head.type.behaviour["bounds"]]) or run_items


def _items_pointer(project: Project) -> str:
    return "/run/items" if "items" in project.document.get("run", {}) else ""
