"""Search space: deployments of a project with their plans and predictions, and impossible ones with the reason.

For each scheduler of the target, the space has its placements on as many workers as cores and on half as many, with
each switch (boolean parameter) on and off. It also has variations of the placements by cost (`auto`) whose cut is one
block apart, chunks of a quarter and of four times the size, and rings of two and of sixteen chunks. For GNU Radio's own
blocks, it has CPUs for their threads instead of placements (`cpus.py`). The other settings (compiler, memory, policy)
are those of the deployment that the search starts from.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence, Set
from dataclasses import dataclass, fields, replace

from weir.diagnostics import Diagnostic, WeirError, has_errors
from weir.engine.pipeline import Pipeline
from weir.lab import free_name
from weir.lab.tuning.candidate import CHOICE, CUT, PROJECT, SIZES, Candidate
from weir.lab.tuning.cpus import placements
from weir.lab.tuning.maps import map_of
from weir.model.catalog import SchedulerType
from weir.model.document import jsontext
from weir.model.document.deployment import Deployment, Scheduling
from weir.model.flowgraph.graph import Graph
from weir.model.planning.deployment_check import refused_schedulers
from weir.model.planning.plan import Plan
from weir.model.planning.profile import Profile
from weir.sure import sure

#: Settings of a deployment that are not searched.
KEPT = (*(it.name for it in fields(Scheduling)), "threads", "memory", "volk", "alignment", "environment",
        "interference", "build", "require", "target", "replace", "windows")
#: Settings of a run that override the project's in the search.
RUN, TRACE = {"metrics": "none", "warmup_items": 0, "repetitions": 1}, "memory"
#: Timeout of a run, in seconds.
MOST_S = 30.0
#: Maximum number of cuts to try around one by cost.
MOST_CUTS = 4
#: Placements of a scheduler, by best prediction, whose sizes are varied.
SIZED = 2
CHUNK_FACTORS = (1 / 4, 4)
RING_CHUNKS = (2, 16)
#: Most items of a call of GNU Radio's blocks, besides what their buffers allow.
HOSTED_CHUNKS = (512, 2048)
#: Placements of GNU Radio's blocks that are measured before the ranking.
MOST_PINNED_FIRST = 2


@dataclass(frozen=True)
class Skipped:
    """Deployment or scheduler that cannot be measured, with the reason."""

    scheduler: str
    why: str
    code: str


@dataclass(frozen=True)
class Space:
    """Search space. `plans`: candidate's name -> plan of the prediction; runs use no profile, but the same workers."""

    candidates: Sequence[Candidate]
    plans: Mapping[str, Plan]
    skipped: Sequence[Skipped]


class Builder:
    """Builder of a space for the valid project of `given`, starting from its deployment `base`.

    `reopen`: function that opens another text of the project.
    """

    def __init__(self, given: Pipeline, base: Deployment, reopen: Callable[[bytes, Profile | None], Pipeline]):
        self._given, self._base, self._reopen = given, base, reopen
        self._profile: Profile | None = None
        self._checked = given.checked.valid()
        document = self._checked.project.document
        run = dict(document.get("run", {}))
        # A program of GNU Radio counts items with the probes, so it needs them. Time ends its runs: few items could all
        # fit into the buffers, and Weir cannot predict how many are enough.
        own = {"metrics": "counters", "items": 0} if self._checked.graph.of_gnuradio else {}
        run = {**run, **RUN, **own, "trace": {**run.get("trace", {}), "backend": TRACE, "causes": False},
               "timeout_s": min(MOST_S, self._checked.project.run.timeout_s)}
        self._document = {**document, "run": run}
        self._document.pop("sweeps", None)  # sweeps name deployments that the copy lacks
        self._entries: dict[str, dict] = {}
        self._seen: dict[str, str] = {}
        self._found: dict[str, Candidate] = {}
        self._plans: dict[str, Plan] = {}
        self._skipped: dict[str, Skipped] = {}
        self._late: Callable[[], bool] = lambda: False
        self._own()

    def simplest(self) -> tuple[str, Mapping]:
        """Return a deployment on one worker for profiling: of the project, else of a single-worker scheduler, else the
        first deployment of the search.
        """
        checked = self._checked
        alone = [scheduler for scheduler in self._schedulers() if scheduler.workers == "one"]
        wrong = _errors_by_deployment(checked.diagnostics)
        for index, (name, entry) in enumerate(self._entries.items()):
            if index not in wrong and any(scheduler.id == entry["scheduler"] for scheduler in alone):
                return name, entry
        if alone:
            [(name, _)] = self._add(list(self._structures(alone[0]))[:1]).items()
            return name, self._entries.pop(name)
        return self._base.name, self._entries[checked.project.deployment(self._base.name).name]

    def text(self, name: str, entry: Mapping) -> bytes:
        """Return the project with this deployment only. Other deployments do not affect the program."""
        return jsontext.write({**self._document, "deployments": [{**entry, "name": name}]}).encode()

    def space(self, profile: Profile | None, late: Callable[[], bool] = lambda: False) -> Space:
        """Build the space. `late` returns True once planning has taken too long; then the rest is left out."""
        self._profile, self._late = profile, late
        own = set(self._entries)
        self._plan_all(dict.fromkeys(self._entries, PROJECT))
        schedulers = self._schedulers()
        self._plan_all(self._add(entry for scheduler in schedulers for entry in self._switched(scheduler)))
        self._plan_all(self._add(self._cuts()))
        self._plan_all(self._add(self._sizes()))
        best_auto = max((one for one in self._found.values() if one.auto), key=lambda one: one.predicted, default=None)
        # The prediction knows little of GNU Radio's blocks, so two of their placements are measured whatever it says.
        pinned = [one.name for one in self._found.values() if one.origin == CHOICE and one.entry.get("affinity")]
        first = {self._base.name, best_auto.name if best_auto else "", *pinned[:MOST_PINNED_FIRST]}
        # A scheduler counts as skipped only if none of its placements is possible.
        tried = {one.scheduler for one in self._found.values() if one.origin != PROJECT}
        return Space([replace(one, first=one.name in first) for one in self._found.values()], self._plans,
                     [one for name, one in self._skipped.items() if name in own or name not in tried])

    def _own(self) -> None:
        target_of = {one.name: one.target for one in self._checked.project.deployments}
        for entry in self._checked.project.document.get("deployments", ()):
            target = target_of[entry["name"]]
            if target == self._base.target:
                self._entries[entry["name"]] = dict(entry)
            else:
                self._skipped[entry["name"]] = Skipped(
                    entry["name"], f"its target is `{target}`, but the search covers only target "
                                   f"`{self._base.target}`", "N_OTHER_TARGET")
        self._entries = self._entries or {self._base.name: {"scheduler": self._base.scheduler}}

    def _schedulers(self) -> list[SchedulerType]:
        """Return the target's schedulers that can run the flowgraph, and note why the others cannot."""
        checked = self._checked
        refused = refused_schedulers(checked.graph, checked.catalog)
        of_target = checked.catalog.schedulers_of(checked.catalog.targets[self._base.target])
        for scheduler in of_target:
            if scheduler.id in refused:
                code = ("E_RATE_NOT_STATIC" if any(need.startswith("static_rate") for need in scheduler.requires)
                        else "E_RUNTIME_RATE" if "whole_quanta" in scheduler.requires else "E_SCHEDULER_BLOCK")
                self._skipped[scheduler.id] = Skipped(scheduler.id, refused[scheduler.id], code)
        return [scheduler for scheduler in of_target if scheduler.id not in refused]

    def _switched(self, scheduler: SchedulerType) -> Iterator[tuple[str, dict]]:
        """Yield the structures of a scheduler, and variants with one of its switches flipped."""
        for origin, entry in self._structures(scheduler):
            yield origin, entry
            for it in scheduler.parameters:
                if it.type == "bool":
                    yield origin, {**entry, "parameters": {it.id: not it.default}}

    def _structures(self, scheduler: SchedulerType) -> Iterator[tuple[str, dict]]:
        """Yield (origin, entry without a name) for placements, numbers of workers and ways to wait."""
        machine = self._given.machine
        cores, cpus = (max(1, min(len(these), scheduler.max_workers))
                       for these in (machine.allowed_cores, machine.allowed))
        if scheduler.workers != "chosen":
            threads = 1 if scheduler.workers == "one" else len(self._checked.graph.instances)
            for wait in self._waits(scheduler, threads):
                yield CHOICE, {"scheduler": scheduler.id, "wait": wait}
                if self._checked.graph.of_gnuradio:
                    first = [core.cpus[0] for core in machine.allowed_cores]
                    for affinity in placements(self._checked.graph, first, self._profile):
                        yield CHOICE, {"scheduler": scheduler.id, "wait": wait, "affinity": affinity}
            return
        piped = any(i.pipe is not None for i in self._checked.graph.instances)
        strategies = ("auto", "contiguous", *(("per_pipe",) if piped else ())) if scheduler.placement else ("",)
        # A single worker is only useful with a static schedule. Single-worker schedulers cover the other cases.
        counts = {cores, max(1, cores // 2), 1} if scheduler.planner else {cores, max(min(cores, 2), cores // 2)}
        for workers in sorted({cpus, *counts}, reverse=True):
            for wait in self._waits(scheduler, workers):
                for strategy in strategies if workers > 1 else ("single" if scheduler.placement else "",):
                    placement = {"placement": {"strategy": strategy}} if strategy else {}
                    yield CHOICE, {"scheduler": scheduler.id, **({} if strategy == "single" else {"workers": workers}),
                                   **placement, "wait": wait}

    def _waits(self, scheduler: SchedulerType, threads: int) -> list[str]:
        """Return the ways to wait. With more threads than CPUs, spinning takes CPUs from the threads waited for."""
        if threads == 1:
            return [scheduler.wait[0]]
        few = threads <= len(self._given.machine.allowed_cores)
        return [wait for wait in ("spin", "park") if wait in scheduler.wait and (few or wait == "park")] or \
            [scheduler.wait[0]]

    def _cuts(self) -> Iterator[tuple[str, dict]]:
        """Yield variants of each placement by cost, with one block at a cut moved to the other side."""
        graph = self._checked.graph
        for one in self._each_wait_once(one for one in self._found.values() if one.auto):
            made: list[dict[str, str]] = []
            for worker_of in _moved(graph, self._plans[one.name]):
                if len(set(worker_of.values())) > 1 and worker_of not in made:
                    made.append(worker_of)
            for worker_of in made[:MOST_CUTS]:
                yield CUT, {**_plain(one.entry), "placement": {"strategy": "explicit", "map": map_of(graph, worker_of)}}

    def _sizes(self) -> Iterator[tuple[str, dict]]:
        """Yield variants of the best predicted placements of each scheduler with other sizes."""
        settings = self._checked.catalog.targets[self._base.target].settings
        by_scheduler: dict[str, list[Candidate]] = {}
        for one in self._each_wait_once(sorted(self._found.values(), key=lambda one: -one.predicted)):
            by_scheduler.setdefault(one.scheduler, []).append(one)
        for one in (one for some in by_scheduler.values() for one in some[:SIZED]):
            plan, entry = self._plans[one.name], _plain(one.entry)
            if self._checked.graph.of_gnuradio:
                yield from _hosted_sizes(plan, entry)
                continue
            # Round down to a power of two.
            chunk = 1 << max(min(block.chunk_items for block in plan.blocks), 1).bit_length() - 1
            if "chunk_items" in settings and entry.get("chunk_items", "auto") == "auto":
                for factor in CHUNK_FACTORS:
                    yield SIZES, {**entry, "chunk_items": max(1, int(chunk * factor))}
            rings = {stream.name for stream in plan.streams if stream.kind == "ring"}
            ends = {(e.src_port, e.dst_port) for e in self._checked.graph.edges
                    if f"{e.src}.{e.src_port}" in rings}
            if {"chunk_items", "buffers"} <= set(settings) and ends and not entry.get("buffers"):
                for chunks in RING_CHUNKS:
                    yield SIZES, {**entry, "chunk_items": chunk, "buffers": {
                        f"*.{out}->*.{into}": {"items": chunks * chunk} for out, into in sorted(ends)}}

    def _each_wait_once(self, candidates: Iterable[Candidate]) -> list[Candidate]:
        """Drop candidates that differ from an earlier one only in their way to wait, which the prediction ignores."""
        found: dict[str, Candidate] = {}
        for one in candidates:
            workers = [list(worker.instances) for worker in self._plans[one.name].workers]
            found.setdefault(json.dumps([one.scheduler, one.predicted, one.waiting_items, workers]), one)
        return list(found.values())

    def _add(self, entries: Iterable[tuple[str, dict]]) -> dict[str, str]:
        """Add entries, and return name -> origin. Settings that are not searched come from the base."""
        base = self._entries.get(self._base.name, {})
        kept = {key: value for key, value in base.items() if key in KEPT}
        added = {}
        for origin, entry in list(entries):
            name = self._name(entry)
            self._entries[name] = {"name": name, **kept, **entry}
            added[name] = origin
        return added

    def _name(self, entry: Mapping) -> str:
        placement = (entry.get("placement") or {}).get("strategy", "")
        # The name has no ring size given by an expression: its value is unknown here.
        rings = [items for buffer in entry.get("buffers", {}).values() if isinstance(items := buffer["items"], int)]
        numbers = (("w", entry.get("workers")), ("c", entry.get("chunk_items")), ("b", max(rings, default=None)))
        count, chunk, ring = (f"{letter}{it}" if isinstance(it, int) else "" for letter, it in numbers)
        switches = [it if on else f"no_{it}" for it, on in entry.get("parameters", {}).items() if isinstance(on, bool)]
        pinned = "pinned" if entry.get("affinity") else ""
        words = [entry["scheduler"], *switches, pinned, placement, count, entry.get("wait", ""), chunk, ring]
        return free_name("-".join(filter(None, words))[:56], self._entries, "-")

    def _plan_all(self, origins: Mapping[str, str]) -> None:
        """Plan entries. Those that can be planned and are new become candidates; the others are dropped."""
        names = list(origins)
        if not names:
            return
        document = {**self._document, "deployments": [{**self._entries[name], "name": name} for name in names]}
        pipeline = self._reopen(jsontext.write(document).encode(), self._profile)
        faults = _errors_by_deployment(pipeline.checked.diagnostics)
        for index, name in enumerate(names):
            wrong = faults.get(index)
            try:
                # Always plan one placement by cost, so the result is never worse than `auto`.
                enough = any(one.auto for one in self._found.values())
                left_out = wrong or origins[name] != PROJECT and enough and self._late()
                plan = None if left_out else pipeline.plan_to_run(name, TRACE).plan
            except WeirError as error:
                wrong, plan = error.diagnostics[0], None
            if plan is not None:
                self._take(name, origins[name], plan)
            elif wrong and origins[name] in (PROJECT, CHOICE):
                what = name if origins[name] == PROJECT else self._entries[name]["scheduler"]
                self._skipped.setdefault(what, Skipped(what, wrong.message, wrong.code))
            if name not in self._found:
                del self._entries[name]

    def _take(self, name: str, origin: str, plan: Plan) -> None:
        entry = self._entries[name]
        by_cost = origin != PROJECT and (entry.get("placement") or {}).get("strategy") == "auto"
        auto = by_cost and origin == CHOICE
        if by_cost:
            # Write the placement explicitly, so that the run and the copy do not depend on the profile.
            count = len(plan.workers)
            placement = {"strategy": "explicit", "map": map_of(self._checked.graph, plan.owner_of)}
            entry = {key: value for key, value in entry.items() if key != "workers"}
            entry = self._entries[name] = {**entry, **({"workers": count} if count > 1 else {}),
                                           "placement": placement if count > 1 else {"strategy": "single"}}
        # The project's own `auto` runs without the profile, so it may be a different program.
        own_auto = origin == PROJECT and (entry.get("placement") or {}).get("strategy") == "auto"
        scheduler = self._checked.catalog.schedulers[plan.scheduler]
        structural = {it.id for it in scheduler.parameters if it.structural}
        twin = name if own_auto else self._seen.setdefault(decided(plan, structural), name)
        if twin == name or origin == PROJECT:
            waiting = sum(stream.least_items or stream.planned_items for stream in plan.streams if stream.over is None)
            self._plans[name] = plan
            self._found[name] = Candidate(name, plan.scheduler, origin, sure(plan.predicted).items_per_s,
                                          float(waiting), entry, auto=auto, wait=plan.wait, workers=len(plan.workers),
                                          crosses=any(stream.kind == "ring" for stream in plan.streams))
        elif auto:
            self._found[twin] = replace(self._found[twin], auto=True)


def decided(plan: Plan, structural: Set[str]) -> str:
    """Return a key that is equal for plans of the same program, regardless of names. `structural`: parameters of the
    scheduler that affect the program only through the plan.
    """
    document = plan.as_json()
    parameters = {name: it for name, it in document["requested"]["parameters"].items() if name not in structural}
    parts = ("scheduler", "wait", "workers", "jobs", "blocks", "streams", "schedule", "memory", "volk", "alignment",
             "isolate", "interference", "build", "target", *(it.name for it in fields(Scheduling)))
    workers = [{"cpus": w["cpus"]["planned"], "instances": w["instances"], "scheduling": w.get("scheduling")}
               for w in document["workers"]]
    return json.dumps([[part, workers if part == "workers" else document.get(part)] for part in parts]
                      + [parameters], sort_keys=True)


def _hosted_sizes(plan: Plan, entry: Mapping) -> Iterator[tuple[str, dict]]:
    """Yield variants with fewer items a call, and with smaller and larger buffers, of blocks of GNU Radio."""
    if entry.get("chunk_items", "auto") == "auto":
        for items in HOSTED_CHUNKS:
            yield SIZES, {**entry, "chunk_items": items}
    if not entry.get("buffers"):
        for factor in CHUNK_FACTORS:
            yield SIZES, {**entry, "buffers": {f"{stream.name}->{stream.readers[0]}": {
                "items": max(1, int(stream.planned_items * factor))} for stream in plan.streams}}


def _plain(entry: Mapping) -> dict:
    return {key: value for key, value in entry.items() if key != "name" and key not in KEPT}


def _errors_by_deployment(diagnostics: Iterable[Diagnostic]) -> dict[int, Diagnostic]:
    found: dict[int, Diagnostic] = {}
    for fault in diagnostics:
        place = fault.pointer.split("/")
        if has_errors([fault]) and place[1:2] == ["deployments"] and len(place) > 2:
            found.setdefault(int(place[2]), fault)
    return found


def _moved(graph: Graph, plan: Plan) -> Iterator[dict[str, str]]:
    owner = {name: worker.name for worker in plan.workers for name in worker.instances}
    for edge in graph.edges:
        if owner[edge.src] != owner[edge.dst]:
            yield {**owner, edge.src: owner[edge.dst]}
            yield {**owner, edge.dst: owner[edge.src]}
