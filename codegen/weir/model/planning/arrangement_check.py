"""Check whether the result of a planner is a valid arrangement of this graph. `schedule_check` then checks its
schedule.
"""

from __future__ import annotations

import itertools
import re
from collections.abc import Iterator, Mapping, Set
from math import lcm
from typing import Any

from weir.model.document.deployment import MAX_ITEMS
from weir.model.flowgraph.graph import Edge
from weir.model.planning import fusing, placement, replication
from weir.model.planning.chain import CHAIN
from weir.model.planning.placement import Job, Worker
from weir.model.planning.planner import Arrangement, Request
from weir.model.planning.replication import Replication
from weir.model.planning.schedule import (
    MAX_BYTES,
    MAX_CALLS,
    Fire,
    Fuse,
    Loop,
    Schedule,
    Stepped,
    WorkerSchedule,
    different_calls,
    firings,
)
from weir.model.planning.sizing import Stream, in_place
from weir.sure import sure

MOST_FAULTS = 8
MAX_TIMES, MAX_DEPTH = 2**31 - 1, 16
MAX_CPU = 4095
#: Names of workers in a deployment. If each block has its own worker, the worker has the name of the instance.
NAME = re.compile(r"[a-z][a-z0-9_]{0,63}")


def faults_of(made: Any, request: Request) -> list[str]:
    """Return a few of the faults, one sentence each. Later checks rely on earlier ones."""
    for look in (_types, _owners, _as_requested, _steps, _streams, _chunks, _worker_schedules, _replication):
        if found := list(itertools.islice(look(made, request), MOST_FAULTS)):
            return found
    return []


def _is_count(value: Any, least: int = 1, most: int = MAX_ITEMS) -> bool:
    return isinstance(value, int) and not isinstance(value, bool) and least <= value <= most


def _listed(value: Any, kind: type | tuple[type, ...]) -> bool:
    return isinstance(value, (tuple, list)) and all(isinstance(one, kind) for one in value)


def _types(made: Any, _: Request) -> Iterator[str]:
    if not isinstance(made, Arrangement):
        yield f"`plan` returned {_kind(made)} instead of a weir.model.planning.planner.Arrangement"
        return
    kind: Any
    for name, kind in (("workers", Worker), ("jobs", Job), ("streams", Stream)):
        if not _listed(getattr(made, name), kind):
            yield f"`{name}` is {_kind(getattr(made, name))} instead of a tuple of {kind.__name__}"
    if not isinstance(made.replication, Replication | None):
        yield f"`replication` is {_kind(made.replication)} instead of a Replication"
    elif made.replication is not None and (made.schedule is None or made.jobs):
        yield "the arrangement has a replication but no schedule"
    if not isinstance(made.chunks, Mapping):
        yield f"`chunks` is {_kind(made.chunks)} instead of a mapping"
    if not isinstance(made.unheeded, Mapping) or not _listed([*made.unheeded, *made.unheeded.values()], str):
        yield f"`unheeded` is {_shown(made.unheeded)} instead of a mapping from parameters to texts"
    if made.schedule is not None and not (isinstance(made.schedule, Schedule)
                                          and _listed(made.schedule.worker_schedules, WorkerSchedule)
                                          and _listed(made.schedule.stepped, Stepped)):
        yield f"`schedule` is {_kind(made.schedule)} instead of a Schedule of WorkerSchedules"
        return
    for kind, owners in (("worker", made.workers), ("job", made.jobs)):
        for owner in owners if _listed(owners, (Worker, Job)) else ():
            if not isinstance(owner.name, str):
                yield f"the name of a {kind} is {_kind(owner.name)} instead of a text"
    for stream in made.streams if _listed(made.streams, Stream) else ():
        places = {"source": stream.source, "port": stream.port, "arena": "" if stream.arena is None else stream.arena,
                  "over": "" if stream.over is None else stream.over}
        for name, value in places.items():
            if not isinstance(value, str):
                yield f"the `{name}` of a stream is {_kind(value)} instead of a text"
        if not isinstance(stream.offset, int | None) or isinstance(stream.offset, bool):
            yield f"the `offset` of a stream is {_kind(stream.offset)} instead of an integer"
    for own in made.schedule.worker_schedules if made.schedule else ():
        if not isinstance(own.worker, str):
            yield f"the `worker` of a worker schedule is {_kind(own.worker)} instead of a text"
    for it in made.schedule.stepped if made.schedule else ():
        if not isinstance(it.worker, str) or not _listed(it.varying, str):
            yield f"a stepped worker is {_shown(it)} instead of a name and names of instances"


def _kind(value: Any) -> str:
    return f"a {type(value).__name__}"


def _shown(value: Any) -> str:
    try:
        return f"{value!r:.80}"
    except Exception:  # Python refuses to print very long integers, and some classes fail in __repr__
        return _kind(value)


def _owners(made: Arrangement, request: Request) -> Iterator[str]:
    """Check workers and jobs: each instance has exactly one."""
    scheduler = request.scheduler
    most = 1 if scheduler.workers == "one" else scheduler.max_workers
    if not 1 <= len(made.workers) <= most:
        yield f"the arrangement has {len(made.workers)} workers, but `{scheduler.id}` supports 1 to {most}"
    for kind, owners in (("worker", made.workers), ("job", made.jobs)):
        for owner in owners:
            if not _is_name(owner.name, request):
                yield (f"the name of a {kind} is {_shown(owner.name)} instead of the name of an instance, or a "
                       "lower-case letter and then at most 63 lower-case letters, digits and _")
            elif not _listed(owner.instances, str):
                yield f"the instances of {kind} {owner.name} are {_kind(owner.instances)} instead of a tuple of names"
            elif not owner.instances and not (kind == "worker" and made.jobs):
                yield f"the {kind} {owner.name} has no instance"
        if len({owner.name for owner in owners}) < len(owners):
            yield f"two {kind}s have the same name"
    for worker in made.workers:
        for cpus in (worker.cpus, () if worker.requested is None else worker.requested):
            if not _listed(cpus, int) or not all(_is_count(cpu, 0, MAX_CPU) for cpu in cpus):
                yield f"the CPUs of worker {worker.name} are {_shown(cpus)} instead of a tuple of CPU numbers"
    if bool(made.jobs) != bool(scheduler.jobs):
        yield f"the arrangement has {len(made.jobs)} jobs, but " + (
            "scheduler.json says that jobs move between workers" if scheduler.jobs else "scheduler.json has no `jobs`")
    if made.jobs and any(worker.instances for worker in made.workers):
        yield "the arrangement has jobs, but also workers with instances outside of jobs"
    if made.jobs and made.schedule is not None:
        yield "the arrangement has jobs and a schedule, but a schedule moves nothing between workers"
    owner_of: dict[str, str] = {}
    for owner in made.jobs or made.workers:
        for name in owner.instances if _listed(owner.instances, str) else ():
            if name not in request.graph.by_name:
                yield f"{owner.name} runs `{name}`, but the flowgraph has no such instance"
            elif name in owner_of and (made.replication is None or owner_of[name] == owner.name):
                yield f"`{name}` is assigned to both {owner_of[name]} and {owner.name}"
            owner_of.setdefault(name, owner.name)
    for name in request.graph.by_name:
        if name not in owner_of:
            yield f"`{name}` is assigned to no " + ("job" if made.jobs else "worker")


def _as_requested(made: Arrangement, request: Request) -> Iterator[str]:
    """Check that the arrangement keeps the deployment's settings for workers, and that the machine has the chosen CPUs.
    """
    wish, usable = request.deployment, request.machine.usable
    own = request.scheduler.workers == "per_block"  # then the deployment speaks of CPUs that blocks share
    if wish.worker_number and len(made.workers) > wish.worker_number and not own:
        yield f"the arrangement has {len(made.workers)} workers, but the deployment requests {wish.worker_number}"
    for worker in made.workers:
        if worker.requested is None and (strange := set(worker.cpus) - usable):
            yield f"worker {worker.name} is pinned to CPU {min(strange)}, which is not available on this machine"
    requested, _, _ = placement.explicit(request.graph, wish.placement.map if wish.placement and not own else {})
    for worker in made.workers:
        for name in worker.instances:
            if requested.get(name, worker.name) != worker.name:
                yield f"`{name}` is assigned to {worker.name}, but the deployment places it on {requested[name]}"


def _is_name(name: Any, request: Request) -> bool:
    return isinstance(name, str) and (name in request.graph.by_name or NAME.fullmatch(name) is not None)


def _streams(made: Arrangement, request: Request) -> Iterator[str]:
    edges = request.graph.readers
    found: dict[tuple[str, str], Stream] = {(s.source, s.port): s for s in made.streams}
    if len(found) < len(made.streams):
        yield "two streams have the same writer"
    for key in found.keys() - edges.keys():
        yield f"the arrangement has a stream {key[0]}.{key[1]}, but the flowgraph has none"
    for key in edges.keys() - found.keys():
        yield f"the stream {key[0]}.{key[1]} is missing"
    owners: Any = made.jobs or made.workers
    owner_of = {name: owner.name for owner in reversed(owners) for name in owner.instances}
    inside = {name for loop in _loops(made) for name in loop[:-1]}
    circling = {s.name for s in made.streams if s.over is not None} | {s.over for s in made.streams}
    for key, stream in found.items():
        if key in edges and key[0] in inside:
            yield from _in_registers(stream, edges[key])
        elif key in edges:
            yield from _stream(stream, edges[key], owner_of, _repeating(made), request,
                               in_circuit=stream.name in circling)
    if any(stream.over is not None for stream in found.values()) and found.keys() == edges.keys():
        repeating = _repeating(made)
        yield from _over(found, edges, {name for name, owner in owner_of.items()
                                        if owner in repeating or _moves_quanta(request)}, request)


def _repeating(made: Arrangement) -> set[str]:
    """Return the workers that have a worker schedule, or should have one."""
    return {w.name for w in made.workers} - {it.worker for it in made.schedule.stepped} if made.schedule else set()


def _moves_quanta(request: Request) -> bool:
    """Return whether memory moves from block to block, as in the circuits of a schedule, even within one worker:
    always, or if the deployment sets the scheduler's parameter `in_place`. Blocks in place then overwrite even output
    that a source would reuse.
    """
    return (not {"whole_quanta", CHAIN}.isdisjoint(request.scheduler.requires)
            or bool(request.deployment.parameters.get("in_place")))


def _over(found: Mapping[tuple[str, str], Stream], edges: Mapping[tuple[str, str], list[Edge]], scheduled: Set[str],
          request: Request) -> Iterator[str]:
    """Check that streams share memory only if their writers can work in place. `scheduled`: instances whose streams may
    be in circuits.
    """
    alike = {kind: {key for key, s in found.items() if s.kind == kind} for kind in ("linear", "ring")}
    able = {kind: in_place(request.graph, request.rates, edges, keys, overwrites=_moves_quanta(request))
            for kind, keys in alike.items()}
    for key, stream in found.items():
        if stream.over is None:
            continue
        fired = stream.source in scheduled
        kind = "ring" if fired else "linear"
        below = found[able[kind][key]] if key in able[kind] else None
        if fired and stream.kind != kind:
            yield f"{stream.name} lies over {_shown(stream.over)}, but with a schedule its place must be in an arena"
        elif below is None or below.name != stream.over:
            yield f"{stream.name} lies over {_shown(stream.over)}, but `{stream.source}` cannot work in place"
        elif below.items != stream.items:
            yield f"{stream.name} lies over {below.name}, but has a different number of items"
        elif fired and (below.granule, stream.least_items) != (stream.granule, None):
            yield f"{stream.name} lies over {below.name}, but has a different granule, or a size that varies"


def _loops(made: Arrangement) -> list[tuple[str, ...]]:
    """Return the loops with several instances."""
    return list(dict.fromkeys(call.instances for own in (made.schedule.worker_schedules if made.schedule else ())
                              for call in different_calls(own.body) if isinstance(call, Fuse)))


def _in_registers(stream: Stream, edges: list[Edge]) -> Iterator[str]:
    if stream.readers != tuple(edges) or stream.item_type != edges[0].item_type:
        yield f"{stream.name} has different readers or another item type than in the flowgraph"
    elif stream.kind != "register" or (stream.items, stream.chunk_items) != (0, 0):
        yield (f"{stream.name} is of the kind {_shown(stream.kind)} with {_shown(stream.items)} items, but a stream "
               "inside a fused loop must be of the kind register with 0 items")
    elif (stream.arena, stream.offset, stream.over) != (None, None, None):
        yield f"{stream.name} has a place although its items stay in registers"
    elif not _is_count(stream.granule):
        yield f"{stream.name} has granule {_shown(stream.granule)} instead of an integer from 1 to {MAX_ITEMS}"


def _stream(stream: Stream, edges: list[Edge], owner_of: Mapping[str, str], repeating: Set[str], request: Request,
            in_circuit: bool) -> Iterator[str]:
    """Check one stream. `repeating`: workers with a worker schedule. `in_circuit`: the stream lies over another one, or
    another lies over it.
    """
    name = stream.name
    if stream.readers != tuple(edges) or stream.item_type != edges[0].item_type:
        yield f"{name} has different readers or another item type than in the flowgraph"
        return
    owners = {owner_of[end] for end in (stream.source, *(edge.dst for edge in edges))}
    scheduled = owners <= repeating
    circling = (scheduled or _moves_quanta(request)) and in_circuit and stream.kind == "ring"
    kind = "linear" if len(owners) == 1 and not circling else "ring"
    if stream.kind != kind:
        yield f"{name} is of the kind {_shown(stream.kind)}: " + (
            "both ends are on one worker, so it must be linear" if kind == "linear" else
            f"it connects {', '.join(sorted(owners))}, so it must be a ring")
    counts = {"items": stream.items, "granule": stream.granule, "chunk_items": stream.chunk_items}
    for key in ("requested_items", "least_items"):
        if getattr(stream, key) is not None:
            counts[key] = getattr(stream, key)
    wrong = [f"{key} {_shown(value)}" for key, value in counts.items() if not _is_count(value)]
    if wrong:
        yield f"{name} has {', '.join(wrong)} instead of integers from 1 to {MAX_ITEMS}"
        return
    instance = request.graph.instance
    least = lcm(request.rates.at(instance(edges[0].src), edges[0].src_port),
                *(request.rates.at(instance(edge.dst), edge.dst_port) for edge in edges))
    if stream.granule % least:
        yield f"the granule of {name} is {stream.granule}, which is not a multiple of its rates ({least})"
    if (kind == "ring" or not scheduled) and stream.items % stream.granule:
        yield f"{name} has {stream.items} items, which is not a multiple of its granule ({stream.granule})"
    whole = request.rates.stream_items[edges[0].src, edges[0].src_port]
    if not scheduled and (stream.items < whole or kind == "linear" and stream.items % whole):
        yield f"{name} has {stream.items} items, but one iteration of its rates needs {whole}"
    if stream.least_items is not None:
        if kind != "ring":
            yield f"{name} grows from {stream.least_items} items, but only rings grow"
        elif not whole <= stream.least_items <= stream.items:
            yield (f"{name} grows from {stream.least_items} items, which is less than an iteration ({whole}) or more "
                   "than its capacity")
    if not scheduled and stream.bytes > MAX_BYTES:
        yield f"{name} has {stream.bytes} bytes, but at most {MAX_BYTES} are allowed"
    if stream.arena is None and stream.offset is None:
        return
    if not scheduled:
        yield f"{name} lies in an arena, but " + ("its worker" if repeating else "the plan") + " has no schedule"
    elif kind == "linear" and (stream.arena not in owners or not _is_count(stream.offset, 0)):
        yield (f"{name} lies at {_shown(stream.offset)} in the arena of {_shown(stream.arena)}, but its worker is "
               f"{min(owners)}")


def _chunks(made: Arrangement, request: Request) -> Iterator[str]:
    repeating = _repeating(made)
    fired = {name for worker in made.workers if worker.name in repeating for name in worker.instances}
    for name in (name for name in request.graph.by_name if name not in fired):
        if not _is_count(made.chunks.get(name)):
            yield (f"the chunk of `{name}` is {_shown(made.chunks.get(name))} instead of an integer from 1 to "
                   f"{MAX_ITEMS}")


def _steps(made: Arrangement, request: Request) -> Iterator[str]:
    """Check the kinds of steps, and whether instances in one loop can fire together."""
    worker_schedules = made.schedule.worker_schedules if made.schedule else ()
    faults = [fault for own in worker_schedules for fault in _body(own.body, own.worker, 1, itertools.count(1))]
    yield from faults or _together(made, request)


def _worker_schedules(made: Arrangement, request: Request) -> Iterator[str]:
    """Check that each worker has a schedule that fires exactly its instances, unless the worker is stepped."""
    if made.schedule is None:
        return
    seen: set[str] = set()
    stepped = {it.worker for it in made.schedule.stepped}
    instances = {worker.name: worker.instances for worker in made.workers}
    for own in made.schedule.worker_schedules:
        if own.worker not in instances:
            yield f"a worker schedule is for worker {_shown(own.worker)}, which does not exist"
        elif own.worker in seen:
            yield f"{own.worker} has two worker schedules"
        elif own.worker in stepped:
            yield f"{own.worker} has a worker schedule although it is stepped"
        else:
            seen.add(own.worker)
            yield from _fired(own, instances, request)
    for name in instances.keys() - seen - stepped:
        yield f"{name} has no worker schedule"
    if not made.schedule.worker_schedules:
        yield "the schedule has no worker schedules"
    for it in made.schedule.stepped:
        if it.worker not in instances or not set(it.varying) <= set(instances[it.worker]):
            yield f"{_shown(it.worker)} is stepped because of {_shown(it.varying)}, but has no such instances"


def _replication(made: Arrangement, request: Request) -> Iterator[str]:
    if made.replication is not None:
        yield from replication.faults_of(made.replication, sure(made.schedule).worker_schedules,
                                         [w.instances for w in made.workers], request.graph, request.rates)


def _together(made: Arrangement, request: Request) -> Iterator[str]:
    """Check that an instance of a fused loop always fires in the same loop. Otherwise its items would have no place
    between two calls.
    """
    for loop in _loops(made):
        if request.graph.by_name.keys() >= set(loop):
            yield from fusing.faults_of(loop, request.graph)
    of: dict[str, tuple[str, ...]] = {}
    for own in made.schedule.worker_schedules if made.schedule else ():
        for call in different_calls(own.body):
            for name in call.instances:
                if of.setdefault(name, call.instances) != call.instances:
                    yield f"{own.worker} fires `{name}` both in a fused loop and outside of it"
                    return


def _body(body: Any, worker: str, depth: int, numbers: Iterator[int]) -> Iterator[str]:
    """Check the steps of a body. `numbers` counts them: nested bodies may share objects, so a few objects can unfold to
    too many steps.
    """
    if not isinstance(body, (tuple, list)) or not body:
        yield f"{worker}: a body is {_shown(body)} instead of a tuple of steps"
        return
    if depth > MAX_DEPTH:
        yield f"{worker}: loops are nested more than {MAX_DEPTH} deep"
        return
    for step in body:
        if next(numbers) > MAX_CALLS:
            yield f"{worker}: the loops have more than {MAX_CALLS} steps"
            return
        if not isinstance(step, (Fire, Fuse, Loop)):
            yield f"{worker}: a step is {_kind(step)} instead of a Fire, Fuse or Loop"
        elif not _is_count(step.times, 1, MAX_TIMES):
            yield f"{worker}: a step has {_shown(step.times)} repetitions"
        elif isinstance(step, Loop):
            yield from _body(step.body, worker, depth + 1, numbers)
        elif isinstance(step, Fuse):
            names = step.instances
            if not _listed(names, str) or len(names) < 2 or len(set(names)) < len(names):
                yield f"{worker}: a fused loop has {_shown(step.instances)} instead of a tuple of several instances"
        elif not isinstance(step.instance, str):
            yield f"{worker}: a step fires {_shown(step.instance)}"


def _fired(own: WorkerSchedule, instances: Mapping[str, tuple[str, ...]], request: Request) -> Iterator[str]:
    fired = firings(own.body)
    for name in fired:
        if name not in instances[own.worker]:
            owner = next((worker for worker, names in instances.items() if name in names), None)
            yield f"{own.worker} fires `{name}`, which " + (
                f"is assigned to {owner}" if owner else "the flowgraph does not have")
    for name in instances[own.worker]:
        if name not in fired:
            yield f"{own.worker} never fires `{name}`"
        elif request.graph.instance(name).type.rates == "varying":
            yield (f"`{name}` is in a schedule although its rates vary: add static_rate_until_end to `requires` of the "
                   "scheduler, or add static_rate_worker and step the worker of such a block")
