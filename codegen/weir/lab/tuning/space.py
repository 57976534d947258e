"""What there is to choose from: deployments of a project, planned and predicted, and what cannot be one and why.

For each scheduler of the target: its placements on as many workers as there are cores, and half as many, with each of
its switches (parameters that are true or false) one way and the other; around those by cost (`auto`) cuts that lie one
block beside; chunks a quarter and four times as large, rings of two and of sixteen. What is not searched (compiler,
memory, policy) is as in the deployment that the search starts from.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence, Set
from dataclasses import dataclass, fields, replace

from weir.diagnostics import Diagnostic, WeirError, has_errors
from weir.engine.pipeline import Pipeline
from weir.lab import free_name
from weir.lab.tuning.candidate import CHOICE, CUT, PROJECT, SIZES, Candidate
from weir.lab.tuning.maps import map_of
from weir.model.catalog import SchedulerType
from weir.model.document import jsontext
from weir.model.document.deployment import Deployment, Scheduling
from weir.model.flowgraph.graph import Graph
from weir.model.planning.deployment_check import refused_schedulers
from weir.model.planning.plan import Plan
from weir.model.planning.profile import Profile
from weir.sure import sure

#: Of a deployment, what is not searched.
KEPT = (*(it.name for it in fields(Scheduling)), "threads", "memory", "volk", "alignment", "environment",
        "disturb", "build", "require", "target")
#: What a run of the search is asked instead of what the project says.
RUN, TRACE = {"metrics": "none", "warmup_items": 0, "repetitions": 1}, "memory"
#: Seconds after which a run is given up.
MOST_S = 30.0
#: Cuts that are tried beside one by cost.
MOST_CUTS = 4
#: Placements of a scheduler, best predicted first, whose sizes are varied.
SIZED = 2
CHUNK_FACTORS = (1 / 4, 4)
RING_CHUNKS = (2, 16)


@dataclass(frozen=True)
class Skipped:
    """What cannot be measured here, and why."""

    scheduler: str
    why: str
    code: str


@dataclass(frozen=True)
class Space:
    """`plans`: by name of the candidate, as predicted; what is run has the same workers without the profile."""

    candidates: Sequence[Candidate]
    plans: Mapping[str, Plan]
    skipped: Sequence[Skipped]


class Builder:
    """Puts a space together, of the valid project of `given`, from its deployment `base` on.

    `reopen`: a pipeline for another text of the project.
    """

    def __init__(self, given: Pipeline, base: Deployment, reopen: Callable[[bytes, Profile | None], Pipeline]):
        self._given, self._base, self._reopen = given, base, reopen
        self._profile: Profile | None = None
        self._checked = given.checked.valid()
        document = self._checked.project.document
        run = dict(document.get("run", {}))
        run = {**run, **RUN, "trace": {**run.get("trace", {}), "backend": TRACE, "causes": False},
               "timeout_s": min(MOST_S, self._checked.project.run.timeout_s)}
        self._document = {**document, "run": run}
        self._document.pop("sweeps", None)  # they name deployments that are not in it
        self._entries: dict[str, dict] = {}
        self._seen: dict[str, str] = {}
        self._found: dict[str, Candidate] = {}
        self._plans: dict[str, Plan] = {}
        self._skipped: dict[str, Skipped] = {}
        self._late: Callable[[], bool] = lambda: False
        self._own()

    def simplest(self) -> tuple[str, Mapping]:
        """A deployment on one worker, to profile the blocks under: of the project, or else of a scheduler that has no
        more; without any, the one that the search starts from.
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
        """The project with this deployment alone: what others there are changes nothing of what is built."""
        return jsontext.write({**self._document, "deployments": [{**entry, "name": name}]}).encode()

    def space(self, profile: Profile | None, late: Callable[[], bool] = lambda: False) -> Space:
        """`late`: whether what is not planned yet is to be left out, as planning takes too long."""
        self._profile, self._late = profile, late
        own = set(self._entries)
        self._plan_all(dict.fromkeys(self._entries, PROJECT))
        schedulers = self._schedulers()
        self._plan_all(self._add(entry for scheduler in schedulers for entry in self._switched(scheduler)))
        self._plan_all(self._add(self._cuts()))
        self._plan_all(self._add(self._sizes()))
        best_auto = max((one for one in self._found.values() if one.auto), key=lambda one: one.predicted, default=None)
        first = {self._base.name, best_auto.name if best_auto else ""}
        # What one placement of a scheduler cannot do, another one of it may.
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
                    entry["name"], f"its programs are of the target `{target}`, and the search is among those of "
                                   f"`{self._base.target}`", "N_OTHER_TARGET")
        self._entries = self._entries or {self._base.name: {"scheduler": self._base.scheduler}}

    def _schedulers(self) -> list[SchedulerType]:
        """Those of the target that can run the graph; why the others cannot is noted."""
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
        """Its structures, and each again with one of its switches the other way."""
        for origin, entry in self._structures(scheduler):
            yield origin, entry
            for it in scheduler.parameters:
                if it.type == "bool":
                    yield origin, {**entry, "parameters": {it.id: not it.default}}

    def _structures(self, scheduler: SchedulerType) -> Iterator[tuple[str, dict]]:
        """(origin, entry without a name): placements, workers, and how they wait."""
        cores = max(1, min(len(self._given.machine.allowed_cores), scheduler.max_workers))
        if scheduler.workers != "chosen":
            threads = 1 if scheduler.workers == "one" else len(self._checked.graph.instances)
            for wait in self._waits(scheduler, threads):
                yield CHOICE, {"scheduler": scheduler.id, "wait": wait}
            return
        piped = any(i.pipe is not None for i in self._checked.graph.instances)
        strategies = ("auto", "contiguous", *(("per_pipe",) if piped else ())) if scheduler.placement else ("",)
        # One worker gains nothing that a scheduler which has no more does not have, but for a schedule.
        counts = {cores, max(1, cores // 2), 1} if scheduler.planner else {cores, max(min(cores, 2), cores // 2)}
        for workers in sorted(counts, reverse=True):
            for wait in self._waits(scheduler, workers):
                for strategy in strategies if workers > 1 else ("single" if scheduler.placement else "",):
                    placement = {"placement": {"strategy": strategy}} if strategy else {}
                    yield CHOICE, {"scheduler": scheduler.id, **({} if strategy == "single" else {"workers": workers}),
                                   **placement, "wait": wait}

    def _waits(self, scheduler: SchedulerType, threads: int) -> list[str]:
        """Who spins takes the CPU of those that it waits for where they are more than CPUs."""
        if threads == 1:
            return [scheduler.wait[0]]
        few = threads <= len(self._given.machine.allowed_cores)
        return [wait for wait in ("spin", "park") if wait in scheduler.wait and (few or wait == "park")] or \
            [scheduler.wait[0]]

    def _cuts(self) -> Iterator[tuple[str, dict]]:
        """Around each placement by cost: one block at an end of a cut goes to the other side."""
        graph = self._checked.graph
        for one in self._each_wait_once(one for one in self._found.values() if one.auto):
            made: list[dict[str, str]] = []
            for worker_of in _moved(graph, self._plans[one.name]):
                if len(set(worker_of.values())) > 1 and worker_of not in made:
                    made.append(worker_of)
            for worker_of in made[:MOST_CUTS]:
                yield CUT, {**_plain(one.entry), "placement": {"strategy": "explicit", "map": map_of(graph, worker_of)}}

    def _sizes(self) -> Iterator[tuple[str, dict]]:
        """Of the best placements of each scheduler, by prediction."""
        settings = self._checked.catalog.targets[self._base.target].settings
        by_scheduler: dict[str, list[Candidate]] = {}
        for one in self._each_wait_once(sorted(self._found.values(), key=lambda one: -one.predicted)):
            by_scheduler.setdefault(one.scheduler, []).append(one)
        for one in (one for some in by_scheduler.values() for one in some[:SIZED]):
            plan, entry = self._plans[one.name], _plain(one.entry)
            # The power of two below.
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
        """Without those that differ from an earlier one in how they wait alone: that is not predicted."""
        found: dict[str, Candidate] = {}
        for one in candidates:
            workers = [list(worker.instances) for worker in self._plans[one.name].workers]
            found.setdefault(json.dumps([one.scheduler, one.predicted, one.waiting_items, workers]), one)
        return list(found.values())

    def _add(self, entries: Iterable[tuple[str, dict]]) -> dict[str, str]:
        """Names of new entries, with their origins. What is not searched they have from the base."""
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
        # What an expression gives is not known here, and not what a name can have.
        rings = [items for buffer in entry.get("buffers", {}).values() if isinstance(items := buffer["items"], int)]
        numbers = (("w", entry.get("workers")), ("c", entry.get("chunk_items")), ("b", max(rings, default=None)))
        count, chunk, ring = (f"{letter}{it}" if isinstance(it, int) else "" for letter, it in numbers)
        switches = [it if on else f"no_{it}" for it, on in entry.get("parameters", {}).items() if isinstance(on, bool)]
        words = [entry["scheduler"], *switches, placement, count, entry.get("wait", ""), chunk, ring]
        return free_name("-".join(filter(None, words))[:56], self._entries, "-")

    def _plan_all(self, origins: Mapping[str, str]) -> None:
        """What can be planned, and differs from what is there, is a candidate; the others are dropped."""
        names = list(origins)
        if not names:
            return
        document = {**self._document, "deployments": [{**self._entries[name], "name": name} for name in names]}
        pipeline = self._reopen(jsontext.write(document).encode(), self._profile)
        faults = _errors_by_deployment(pipeline.checked.diagnostics)
        for index, name in enumerate(names):
            wrong = faults.get(index)
            try:
                # One by cost there is in any case: nothing that is found is to be worse than that.
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
            # What was decided by the profile is written down, so that it is what runs, and what is kept.
            count = len(plan.workers)
            placement = {"strategy": "explicit", "map": map_of(self._checked.graph, plan.owner_of)}
            entry = {key: value for key, value in entry.items() if key != "workers"}
            entry = self._entries[name] = {**entry, **({"workers": count} if count > 1 else {}),
                                           "placement": placement if count > 1 else {"strategy": "single"}}
        # The project's own `auto` is run without the profile, and may be another program.
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
    """What makes two plans the same program but for their names. `structural`: parameters of the scheduler that say
    nothing to the program beside what they decided.
    """
    document = plan.as_json()
    parameters = {name: it for name, it in document["requested"]["parameters"].items() if name not in structural}
    parts = ("scheduler", "wait", "workers", "jobs", "blocks", "streams", "schedule", "memory", "volk", "alignment",
             "isolate", "disturb", "build", "target", *(it.name for it in fields(Scheduling)))
    workers = [{"cpus": w["cpus"]["planned"], "instances": w["instances"], "scheduling": w.get("scheduling")}
               for w in document["workers"]]
    return json.dumps([[part, workers if part == "workers" else document.get(part)] for part in parts]
                      + [parameters], sort_keys=True)


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
