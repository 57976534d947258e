"""A plan: everything decided before Weir writes C++. Graph + deployment + machine in, plan.json out.

Deterministic: the same inputs give the same plan, byte for byte. Decisions are made in `placement`, `sizing` and
`probes`; this module puts them together.
"""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from dataclasses import asdict, dataclass, replace
from functools import cached_property
from typing import Any

from weir import __version__
from weir.diagnostics import Diagnostic, WeirError, diagnostic, pointer
from weir.model.catalog import Catalog
from weir.model.document import jsontext
from weir.model.document.deployment import Build, Deployment, Placement, RunSettings, Scheduling, Volk
from weir.model.document.essence import is_private, kept
from weir.model.document.project import Project
from weir.model.document.spelling import in_former_spelling
from weir.model.flowgraph import rates
from weir.model.flowgraph.graph import Graph
from weir.model.flowgraph.replacing import OFFSCREEN, Replacement, replacements
from weir.model.planning import planners, probes, sizing
from weir.model.planning.costs import Costs
from weir.model.planning.deployment_check import machine_warnings
from weir.model.planning.isolation_check import faults_on, machine_for
from weir.model.planning.machine import Machine
from weir.model.planning.placement import Job, Worker, reason_for_count
from weir.model.planning.planner import Request
from weir.model.planning.prediction import Prediction, predict
from weir.model.planning.probes import Hop, Pair
from weir.model.planning.profile import Profile
from weir.model.planning.replication import Replication, held, turns_of
from weir.model.planning.schedule import Fuse, Schedule, different_calls
from weir.model.planning.schedule_check import arenas
from weir.model.planning.scheduling import as_requested, scheduled
from weir.sure import sure
from weir.tracers import COMPILED_OUT, SILENT

FORMAT = 1
#: Keys about a plan's origin and prediction, which are not decisions.
_PROVENANCE = ("format", "weir_version", "project_hash", "machine_hash", "profile_hash", "profile", "plan_hash",
               "predicted")


@dataclass(frozen=True)
class PlannedBlock:
    """One node. `block` is the project's block id, `type` the catalog's; rates are items per firing, by port.

    A node has a worker, or a job if jobs move between workers. It has neither if each worker runs all nodes; workers
    may then take turns with it.
    """

    instance: str
    index: int
    block: str
    type: str
    item_type: str | None
    worker: str | None
    job: str | None
    chunk_items: int
    in_rates: tuple[int, ...]
    out_rates: tuple[int, ...]
    probe_granularity: int
    tx_granularity: int
    ends_at_run_items: bool
    parameters: Mapping[str, Any]
    takes_turns: bool = False


@dataclass(frozen=True)
class PlannedStream:
    """One connected output port.

    `readers` are input ports `instance.port`; None requested = automatic; sizes in items. `arena`: the worker in whose
    memory a scheduled stream lies, `offset` bytes from its beginning. `over`: the stream whose memory it shares,
    because its writer works in place. `least_items`: for a ring whose writer limits its content to the items of 100 us,
    the number that is always allowed. `held`: with replicated workers, items that a worker recomputes are not written
    again.
    """

    name: str
    readers: tuple[str, ...]
    item_type: str
    kind: str
    granule: int
    requested_items: int | None
    planned_items: int
    bytes: int
    arena: str | None = None
    offset: int | None = None
    over: str | None = None
    least_items: int | None = None
    held: bool = False


@dataclass(frozen=True)
class PlannedTrace:
    """`predicted_cost`: share of one core's time. `requested_granularity`: items, or auto."""

    backend: str
    events: tuple[str, ...]
    requested_granularity: int | str
    planned_granularity: int
    predicted_cost: float


@dataclass(frozen=True)
class Plan:
    """`deployment` is the request with its defaults; `workers`, `jobs`, `blocks` and `streams` are planned. Without
    jobs, each worker has its instances. `schedule`: the precomputed worker schedules, if any, and `replication`: how
    replicated workers run them. `profile`: the measured costs of blocks, if the plan used some. `replaced`: what stands
    in for blocks of GNU Radio. `reason_for_count`: why there are this many workers, in words.
    """

    project: str
    deployment: Deployment
    scheduler: str
    wait: str
    run: RunSettings
    trace: PlannedTrace
    workers: tuple[Worker, ...]
    jobs: tuple[Job, ...]
    blocks: tuple[PlannedBlock, ...]
    streams: tuple[PlannedStream, ...]
    pairs: tuple[Pair, ...]
    hops: tuple[Hop, ...]
    metered: tuple[str, ...]
    weir_version: str
    project_hash: str
    machine_hash: str
    schedule: Schedule | None = None
    replication: Replication | None = None
    predicted: Prediction | None = None
    profile: Profile | None = None
    replaced: tuple[Replacement, ...] = ()
    reason_for_count: str = ""

    @property
    def target(self) -> str:
        """Return the target of the plan."""
        return self.deployment.target

    @property
    def links_kernels(self) -> bool:
        """Return whether the kernels of blocks are called in a separate library."""
        return self.deployment.kernels == "linked"

    @property
    def is_plain(self) -> bool:
        """Return whether the plan uses Weir's own blocks, inlined into their callers."""
        return self.deployment.blocks in ("", "shared") and not self.links_kernels

    @property
    def build(self) -> Build:
        """Return the build settings."""
        return self.deployment.build

    @property
    def owner_of(self) -> dict[str, str]:
        """Return instance -> the worker or job that runs it, or `each worker`."""
        if self.replication:
            return {block.instance: "each worker" for block in self.blocks}
        return {name: owner.name for owner in self.jobs or self.workers for name in owner.instances}

    @property
    def turns(self) -> tuple[str, ...]:
        """Return the instances shared by all workers, which take turns with them."""
        return tuple(b.instance for b in self.blocks if b.takes_turns)

    @property
    def arenas(self) -> dict[str, int]:
        """Return the bytes of each worker's arena, by worker."""
        sizes = arenas(self.streams)
        return {w.name: sizes[self.workers[0].name] for w in self.workers} if self.replication and sizes else sizes

    @property
    def memories(self) -> dict[str, int]:
        """Return the bytes of each memory for items: workers' arenas, and streams with their own memory."""
        own = {stream.name: stream.bytes for stream in self.streams if stream.over is None and stream.arena is None}
        return {**self.arenas, **own}

    @cached_property
    def hash(self) -> str:
        """Return the SHA-256 of the decisions."""
        return plan_digest(_document(self))

    def as_json(self) -> dict[str, Any]:
        """Return the JSON of plan.json."""
        document = _document(self)
        return {"format": FORMAT, "plan_hash": self.hash, **document}


@dataclass(frozen=True)
class Planned:
    """A plan with its warnings."""

    plan: Plan
    diagnostics: tuple[Diagnostic, ...]


def decisions(plan: Mapping[str, Any]) -> dict[str, Any]:
    """Return the part of a plan.json that its hash covers."""
    return {key: value for key, value in plan.items() if key not in _PROVENANCE}


def digest(document: Any) -> str:
    """Return the SHA-256 of the canonical text of a JSON value."""
    return hashlib.sha256(jsontext.write(document).encode()).hexdigest()


def plan_digest(plan: Mapping[str, Any]) -> str:
    """Return `plan_hash` of a plan.json in either spelling."""
    return digest(in_former_spelling(decisions(plan), "plan"))


def project_digest(document: Mapping[str, Any]) -> str:
    """Return the hash of everything in a project, in either spelling, that can matter to a run. It leaves out `ui` and
    `x_…`, so that moving a box changes nothing.
    """
    return digest(in_former_spelling(without_decoration(document), "project"))


def without_decoration(document: Mapping[str, Any]) -> dict[str, Any]:
    """Return the project without `ui`, and without the keys of other programs, `x_…` and `$schema`."""
    return dict(kept(document, lambda place: place != "/ui" and not is_private(place)))


def request_of(graph: Graph, solved: rates.Rates, catalog: Catalog, machine: Machine,
               deployment: Deployment, profile: Profile | None = None) -> Request:
    """Return the request to the scheduler's planner: a deployment with the scheduler's defaults filled in."""
    scheduler = catalog.schedulers[deployment.scheduler]
    deployment = replace(deployment, wait=deployment.wait or scheduler.wait[0],
                         target=deployment.target or catalog.target_for(scheduler.id, graph.of_gnuradio))
    if target := catalog.targets.get(deployment.target):
        deployment = replace(deployment, blocks=deployment.blocks or target.blocks[0],
                             kernels=deployment.kernels or target.kernels[0])
    if scheduler.placement and deployment.placement is None:
        deployment = replace(deployment, placement=Placement())
    return Request(graph, solved, deployment, scheduler, machine_for(machine, deployment), profile)


def make_plan(project: Project, graph: Graph, catalog: Catalog, machine: Machine,
              deployment: Deployment | None = None, trace_with: str | None = None,
              solved: rates.Rates | None = None, profile: Profile | None = None) -> Planned:
    """Return the plan of a valid project for a deployment, by default the first. Raises WeirError if the rates have no
    solution or the scheduler's planner has no plan.

    `trace_with`: back-end that a run requests, which can decide whether probes are compiled in. `solved`: the graph's
    rates, if the caller has them. `profile`: measured costs of blocks.
    """
    request = request_of(graph, solved or rates.solve(graph), catalog, machine, deployment or project.deployment(None),
                         profile)
    deployment, scheduler, solved, usable = request.deployment, request.scheduler, request.rates, request.machine
    made = planners.arrange(request)
    _check_kernels(deployment, made.schedule)
    workers, jobs, chunks = scheduled(made.workers, graph, deployment), made.jobs, made.offered(solved)
    run, trace = project.run, project.run.trace
    if trace_with == COMPILED_OUT or trace_with and trace.backend in SILENT:
        trace = replace(trace, backend=trace_with)
    found = profile.lacking(graph) if profile else []
    if target := catalog.targets.get(deployment.target):
        if trace_with and target.nearest_trace(trace_with) != trace_with:
            found.append(diagnostic("W_TARGET_RUN", "",
                                    f"target `{target.id}` does not support the trace back-end `{trace_with}`"))
        if target.heeds_build("extra_flags"):
            deployment = replace(deployment, build=_with_vectors(deployment.build, machine))
        trace = replace(trace, backend=target.nearest_trace(trace.backend))
        run = replace(run, metrics=target.nearest_metrics(run.metrics))
        if target.hosts_gnuradio and run.warmup_items:
            found.append(diagnostic("W_TARGET_RUN", "/run/warmup_items",
                                    f"target `{target.id}` has no warm-up: all items count", "remove `warmup_items`"))
            run = replace(run, warmup_items=0)
    probing = probes.plan_probes(graph, solved, trace.probe_granularity, trace.backend)
    endless = probes.ends_at_run_items(graph)
    worker_of = {} if made.replication else {name: w.name for w in workers for name in w.instances}
    job_of = {name: job.name for job in jobs for name in job.instances}
    turns = turns_of(graph) if made.replication else {}
    kept_back = held(sure(made.schedule).worker_schedules, graph) \
        if made.replication and made.replication.again else set()
    blocks = tuple(
        PlannedBlock(i.name, index, i.block_id, i.type.id, i.item_type, worker_of.get(i.name), job_of.get(i.name),
                     chunks[i.name],
                     solved.inputs[i.name], solved.outputs[i.name], probing.granularity.get(i.name, 0),
                     probing.tx.get(i.name, 0), i.name in endless, dict(i.parameters),
                     i.name in turns)
        for index, i in enumerate(graph.instances))
    metered = probes.metered(graph)
    plan = Plan(
        project.name, deployment, scheduler.id, deployment.wait, run,
        PlannedTrace(trace.backend, trace.events, trace.probe_granularity, probing.planned, probing.predicted_cost),
        tuple(workers), tuple(jobs), blocks, tuple(_stream(s, (s.source, s.port) in kept_back) for s in made.streams),
        tuple(probes.plan_pairs(graph, probing)),
        tuple(probes.plan_hops(graph)), tuple(metered), __version__, project_digest(project.document),
        machine.hash, made.schedule, made.replication,
        predict(Costs(graph, solved, usable, metered, profile), made.streams, chunks, workers, jobs), profile,
        replacements(graph, deployment), reason_for_count(deployment, scheduler, usable))
    found += [diagnostic("W_SURROUNDINGS", fault.pointer, fault.message) for fault in faults_on(machine, deployment)]
    found += [diagnostic("W_TARGET_SETTING", deployment.pointer + pointer("parameters", name), why)
              for name, why in made.unheeded.items()]
    found += machine_warnings(list(workers), graph, deployment, scheduler, usable)
    return Planned(plan, tuple(project.located(found)))


def _check_kernels(deployment: Deployment, schedule: Schedule | None) -> None:
    """Raise WeirError (E_KERNELS_FUSED) for linked kernels and a fused loop, because a fused loop calls no kernels."""
    if deployment.kernels == "linked" and schedule is not None:
        for call in (call for own in schedule.worker_schedules for call in different_calls(own.body)):
            if isinstance(call, Fuse):
                raise WeirError(diagnostic(
                    "E_KERNELS_FUSED", f"{deployment.pointer}/kernels",
                    f"{call} has no kernels to link: its blocks are fused into one loop of element functions"))


def _with_vectors(build: Build, machine: Machine) -> Build:
    """Set the vector width to the faster kernel's, if it was measured: compilers often choose half that width. A width
    in the deployment's flags stays.
    """
    bits, flag = machine.speeds.vector_bits, "-mprefer-vector-width="
    if not bits or build.march != "native" or any(given.startswith(flag) for given in build.extra_flags):
        return build
    return replace(build, extra_flags=(*build.extra_flags, f"{flag}{bits}"))


def _stream(stream: sizing.Stream, kept_back: bool) -> PlannedStream:
    return PlannedStream(stream.name, tuple(f"{e.dst}.{e.dst_port}" for e in stream.readers), stream.item_type,
                         stream.kind, stream.granule, stream.requested_items, stream.items, stream.bytes,
                         stream.arena, stream.offset, stream.over, stream.least_items, kept_back)


def _document(plan: Plan) -> dict[str, Any]:
    d, run = plan.deployment, plan.run
    return {
        "weir_version": plan.weir_version,
        "project": plan.project,
        "deployment": d.name,
        "project_hash": plan.project_hash,
        "machine_hash": plan.machine_hash,
        **({"profile_hash": plan.profile.hash, "profile": plan.profile.as_json()} if plan.profile else {}),
        "scheduler": plan.scheduler,
        "requested": {
            "parameters": dict(d.parameters), "workers": d.workers,
            "placement": d.placement and {"strategy": d.placement.strategy, "map": dict(d.placement.map)},
            "affinity": {name: list(cpus) for name, cpus in d.affinity.items()},
            "buffers": dict(d.buffers), "chunk_items": d.chunk_items,
            **({"threads": {name: as_requested(it) for name, it in d.threads.items()}} if d.threads else {}),
        },
        "wait": plan.wait,
        "policy": d.policy,
        "priority": d.priority,
        **_beside(d),
        "memory": asdict(d.memory),
        "build": asdict(d.build),
        "require": list(d.require),
        "target": d.target,
        **({} if plan.is_plain else {"implementation": {"blocks": d.blocks, "kernels": d.kernels}}),
        "workers": [{"name": w.name,
                     "cpus": {"requested": None if w.requested is None else list(w.requested), "planned": list(w.cpus)},
                     "instances": list(w.instances),
                     **({"distances": list(w.distances)} if w.distances else {}),
                     **({"scheduling": as_requested(w.scheduling)} if w.scheduling != d.scheduling else {})}
                    for w in plan.workers],
        "jobs": [{"name": j.name, "instances": list(j.instances)} for j in plan.jobs],
        "blocks": [{key: value for key, value in _plain(asdict(b)).items() if value or key != "takes_turns"}
                   for b in plan.blocks],
        **({"replaced": [it.as_json() for it in plan.replaced]} if plan.replaced else {}),
        "streams": [_stream_document(s) for s in plan.streams],
        **_schedule_document(plan),
        **({"predicted": asdict(plan.predicted)} if plan.predicted else {}),
        "pairs": [asdict(p) for p in plan.pairs],
        "hops": [{"from": h.src, "to": h.dst, "pipe": h.pipe, "sinks": list(h.sinks)} for h in plan.hops],
        "metered": list(plan.metered),
        "trace": {"backend": plan.trace.backend, "events": list(plan.trace.events),
                  "probe_granularity": {"requested": plan.trace.requested_granularity,
                                        "planned": plan.trace.planned_granularity},
                  "predicted_cost": plan.trace.predicted_cost, **({"causes": True} if run.trace.causes else {})},
        "run": {"items": run.items, "warmup_items": run.warmup_items, "repetitions": run.repetitions, "seed": run.seed,
                "timeout_s": run.timeout_s,
                **({"deadline_us": run.deadline_us} if run.deadline_us is not None else {}), "metrics": run.metrics,
                **({"cpu_counters": True} if run.cpu_counters else {})},
    }


def _beside(d: Deployment) -> dict[str, Any]:
    """Return the requests to the machine for isolation and interference load, if there are any."""
    scheduling, plain = asdict(d.scheduling), asdict(Scheduling())
    return {**{key: value for key, value in scheduling.items()
               if key not in ("policy", "priority") and value != plain[key]},
            **({"volk": _plain(asdict(d.volk))} if d.volk != Volk() else {}),
            **({"alignment": True} if d.alignment else {}),
            **({"isolate": _plain(asdict(d.isolate))} if d.isolate else {}),
            **({"replace": list(d.replace)} if d.replace else {}),
            **({"windows": d.windows} if d.windows != OFFSCREEN else {}),
            **({"interference": d.interference.as_json()} if d.interference.loops else {})}


def _stream_document(stream: PlannedStream) -> dict[str, Any]:
    """Return the JSON of a stream, without the keys about its place if the stream has its own memory."""
    return {key: value for key, value in _plain(asdict(stream)).items()
            if (value is not None or key not in ("arena", "offset", "over", "least_items"))
            and (value or key != "held")}


def _schedule_document(plan: Plan) -> dict[str, Any]:
    if plan.schedule is None:
        return {}
    sizes = plan.arenas
    return {"schedule": {"worker_schedules": plan.schedule.as_json(),
                         **({"stepped": [{"worker": it.worker, "varying": list(it.varying)}
                                         for it in plan.schedule.stepped]} if plan.schedule.stepped else {}),
                         "arenas": [{"worker": w.name, "bytes": sizes[w.name]}
                                    for w in plan.workers if w.name in sizes],
                         **({"replication": plan.replication.as_json()} if plan.replication else {})}}


def _plain(value: Any) -> Any:
    """Return a value with tuples as lists, so that a written document equals the one read back."""
    if isinstance(value, Mapping):
        return {key: _plain(child) for key, child in value.items()}
    return [_plain(child) for child in value] if isinstance(value, (list, tuple)) else value
