"""Template views of a flowgraph with a schedule made in advance: arenas, places, fired blocks, and worker loops."""

from __future__ import annotations

from collections.abc import Callable, Container, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import chain, count
from typing import Any, cast

from weir.engine.generation.cpp.columns import about_stream, initialisers, node_spec, node_view, ports, stream_spec
from weir.engine.generation.cpp.names import unique_identifiers
from weir.engine.generation.cpp.schedule_parts import Call, Step, bounded
from weir.engine.generation.cpp.structs import MOST_UNITS
from weir.engine.generation.cpp.text import cpp_string, in_short
from weir.engine.generation.cpp.views import NodeView, StreamView
from weir.model.catalog import Catalog
from weir.model.document.item_types import ITEM_TYPES
from weir.model.planning.placement import Worker
from weir.model.planning.plan import Plan, PlannedStream
from weir.model.planning.replication import Replication
from weir.model.planning.schedule import Fire, Fuse, Loop, different_calls, firings
from weir.model.planning.schedule_check import arenas
from weir.sure import sure


@dataclass(frozen=True)
class LoopView:
    """A loop over several fused blocks. `blocks` and `memory` are its parameters; `lines` process one item."""

    member: str
    comment: str
    instances: tuple[str, ...]
    blocks: tuple[str, ...]
    memory: tuple[str, ...]
    lines: tuple[str, ...]


@dataclass(frozen=True)
class LineView:
    """A line of code. `begins` starts a region of the source map (kind, name, instances); `ends` ends one."""

    text: str
    begins: tuple[str, str, tuple[str, ...]] | None = None
    ends: bool = False


@dataclass(frozen=True)
class WorkerScheduleView:
    """Worker schedule. `lines` is its period, without the function's indentation; `parts` are functions that it calls,
    by name.

    `stepped` says why the worker has no period, "" if it has one.
    """

    worker: str
    runs: tuple[str, ...]
    member: str
    lines: tuple[LineView, ...]
    parts: tuple[tuple[str, tuple[LineView, ...]], ...]
    stepped: str = ""


@dataclass(frozen=True)
class ReplicasView:
    """`count` replicas of the flowgraph, each with a worker.

    `taken_up` is the code that begins a stretch; `turns` are the members that take turns.
    """

    count: int
    taken_up: tuple[str, ...]
    turns: tuple[str, ...]


@dataclass(frozen=True)
class PieceView:
    """Struct with some of the fired blocks and the places that they write. `base` is the struct of earlier blocks."""

    name: str
    base: str
    fired: tuple[NodeView, ...]
    places: tuple[str, ...]


@dataclass(frozen=True)
class ScheduleView:
    """Schedule of a flowgraph. `arenas` has members and bytes, all in the first piece.

    `worker_schedules` is in the order of the plan's workers.
    """

    loops: tuple[LoopView, ...]
    arenas: tuple[tuple[str, int], ...]
    pieces: tuple[PieceView, ...]
    worker_schedules: tuple[WorkerScheduleView, ...]
    replicas: ReplicasView | None = None

    @property
    def is_stepped(self) -> bool:
        """Return whether a worker runs its blocks step by step."""
        return any(own.stepped for own in self.worker_schedules)


def view_of(plan: Plan, catalog: Catalog) -> ScheduleView | None:
    """Return the view of a plan's schedule, None if it has none."""
    if plan.schedule is None:
        return None
    loops = list(dict.fromkeys(call.instances for own in plan.schedule.worker_schedules
                               for call in different_calls(own.body) if isinstance(call, Fuse)))
    names, sizes = _names(plan, loops), arenas(plan.streams)
    bodies = {own.worker: own.body for own in plan.schedule.worker_schedules}
    workers = plan.workers[:1] if plan.replication else plan.workers
    worker_schedules = [_worker_schedule(w, cast(Any, bodies[w.name]), names, plan.replication) if w.name in bodies
                else _stepped_worker(w, plan) for w in workers]
    return ScheduleView(
        tuple(_loop(loop, plan, catalog, names) for loop in loops),
        tuple((names["arena", w.name], sizes[w.name]) for w in workers if w.name in sizes),
        tuple(_pieces(plan, list(_fired(plan, catalog, names, set(chain(*loops)))), names)), tuple(worker_schedules),
        _replicas(plan, names) if plan.replication else None)


def _replicas(plan: Plan, names: dict) -> ReplicasView:
    body, again = sure(plan.schedule).worker_schedules[0].body, sure(plan.replication).again
    times, once = firings(body), firings(cast(Loop, body[0]).body) if again else {}
    taken_up = [f"{names[b.instance]}.take_up(at, stretch, {times[b.instance]}"
                + (f", {again * once[b.instance]}" if b.instance in once else "") + ");" for b in plan.blocks]
    return ReplicasView(len(plan.workers), tuple(taken_up), tuple(names[name] for name in plan.turns))


def _pieces(plan: Plan, fired: list[NodeView], names: dict) -> Iterator[PieceView]:
    local = {s.name for s in plan.streams if s.kind == "register" or s.arena is not None}
    base = ""
    for first in range(0, len(fired), MOST_UNITS):
        own = tuple(fired[first:first + MOST_UNITS])
        whole = "Replica" if plan.replication else "Flowgraph"
        name = whole if first + MOST_UNITS >= len(fired) else f"{whole}_{first // MOST_UNITS + 1}"
        yield PieceView(name, base, own,
                        tuple(names[w.name] for node in own for w in node.streams if w.name in local))
        base = name


def _worker_schedule(worker: Worker, body: Sequence[Fire | Loop], names: dict,
                     replication: Replication | None) -> WorkerScheduleView:
    member = names["schedule", worker.name]
    parts: list[tuple[str, tuple[LineView, ...]]] = []

    def part(steps: Sequence[Step]) -> Call:
        name = next(name for number in count(len(parts) + 1)
                    if (name := f"{member}_{number}") not in names["taken"])
        names["taken"].add(name)
        parts.append((name, tuple(_lines(steps, names, 0, "return false"))))
        return Call(name, _instances(steps))

    if replication is None:
        lines = tuple(_lines(bounded(body, part), names, 0, "return"))
    else:
        lines = tuple(chain(*(_of_stretch(step, replication.again if step is body[0] else 0, part, names)
                              for step in body)))
    return WorkerScheduleView(worker.name, worker.instances, member, lines, tuple(parts))


def _of_stretch(step: Step, again: int, part: Callable[[Sequence[Step]], Call], names: dict) -> Iterator[LineView]:
    if not isinstance(step, Loop):
        yield from _lines([step], names, 0, "return")
        return
    first = f"-stretch.again({again})" if again else "0"
    yield LineView(f"for (int period = {first}; period != {step.times}; ++period) {{",
                   ("loop", f"{step.times} times", _instances(step.body)))
    yield LineView("    if (!at.again()) return;")
    yield from _lines(bounded(step.body, part), names, 1, "return")
    yield LineView("}", ends=True)


def _stepped_worker(worker: Worker, plan: Plan) -> WorkerScheduleView:
    varying = next(it.varying for it in sure(plan.schedule).stepped if it.worker == worker.name)
    why = f"no fixed schedule, because {in_short(varying)} {'has' if len(varying) == 1 else 'have'} variable rates"
    return WorkerScheduleView(worker.name, worker.instances, "", (), (), f"{worker.name}: {why}")


def _names(plan: Plan, loops: Iterable[tuple[str, ...]]) -> dict[Any, Any]:
    """Return C++ names of instances, streams, arenas, worker schedules and loops; key "taken" has all names.

    Instances come first, so they get the plain names.
    """
    own: dict[str, Any] = {f"{kind} {w.name}": (kind, w.name) for kind in ("arena", "schedule") for w in plan.workers}
    own |= {f"loop {loop[-1]}": ("loop", loop) for loop in loops}
    found = unique_identifiers([*(b.instance for b in plan.blocks), *(s.name for s in plan.streams), *own])
    return {own.get(text, text): name for text, name in found.items()} | {"taken": set(found.values())}


def _loop(loop: tuple[str, ...], plan: Plan, catalog: Catalog, names: dict) -> LoopView:
    """Return the loop that takes an item through the blocks; the last one writes it."""
    blocks = {block.instance: block for block in plan.blocks}
    from_ = {reader: stream for stream in plan.streams for reader in stream.readers}
    outputs = {name: catalog.blocks[blocks[name].type].outputs[0] for name in loop}
    inputs = {name: [f"{name}.{port.id}" for port in catalog.blocks[blocks[name].type].inputs] for name in loop}
    outside = [reader for name in loop for reader in inputs[name] if from_[reader].kind != "register"]
    local = unique_identifiers([*loop, *(f"{name}.{port.id}" for name, port in outputs.items()), *outside])
    lines = []
    for name, port in outputs.items():
        cpp = ITEM_TYPES[sure(port.item_type(blocks[name].item_type))].cpp
        items = [f"{local[reader]}[i]" if from_[reader].kind != "register" else local[from_[reader].name]
                 for reader in inputs[name]]
        made = local[f"{name}.{port.id}"]
        into = f"{made}[i]" if name == loop[-1] else f"const {cpp} {made}"
        lines.append(f"{into} = {local[name]}.element({', '.join(items)});")
    memory = [f"const {_cpp(from_[reader])}* {local[reader]}" for reader in outside]
    memory.append(f"{cpp}* {made}")
    return LoopView(names["loop", loop], f"{', '.join(loop)}: one loop, in which an item stays in registers", loop,
                    tuple(local[name] for name in loop), tuple(memory), tuple(lines))


def _fired(plan: Plan, catalog: Catalog, names: dict, looped: Container[str]) -> Iterator[NodeView]:
    streams, owner_of = {s.name: s for s in plan.streams}, plan.owner_of
    reads = {reader: (s, number) for s in plan.streams for number, reader in enumerate(s.readers)}
    stepped = {it.worker for it in sure(plan.schedule).stepped}
    for block in plan.blocks:
        kind = catalog.blocks[block.type]
        made = [(f"{block.instance}.{port.id}", ITEM_TYPES[sure(port.item_type(block.item_type))].cpp)
                for port in kind.outputs]
        inputs = [reads[f"{block.instance}.{port.id}"] for port in kind.inputs]
        free = block.worker in stepped
        over = any(streams[name].over is not None for name, _ in made if name in streams)
        in_place = over if free else any(_over_a_ring(streams.get(name)) for name, _ in made)
        unread = "weir::unconnected<{}>" if free else "weir::UnreadOutput<{}>()"
        host = ("Node" if free else "InLoop" if block.instance in looped else
                "InTurn" if block.instance in plan.turns else "Fired")
        yield node_view(
            block, kind, plan, names[block.instance], host=host,
            comment=f"{block.instance}: {block.type} on {owner_of[block.instance]}",
            spec=initialisers(node_spec(block, kind, in_place)),
            inputs=tuple(_port("In", stream) for stream, _ in inputs),
            outputs=tuple(_port("Out", streams[name]) if name in streams else f"weir::UnreadOutput<{cpp}>"
                          for name, cpp in made),
            ins=tuple(_from(names[stream.name], stream, number) for stream, number in inputs),
            outs=tuple(names[name] if name in streams else unread.format(cpp) for name, cpp in made),
            streams=tuple(_wire(streams[name], names, owner_of) for name, _ in made if name in streams))


def _cpp(stream: PlannedStream) -> str:
    return ITEM_TYPES[stream.item_type].cpp


def _port(side: str, stream: PlannedStream) -> str:
    if stream.kind == "register":
        return f"weir::Within{side}"
    return f"weir::Ring{side}<{_cpp(stream)}>" if stream.arena is None else f"weir::Place{side}<{_place(stream)}>"


def _over_a_ring(stream: PlannedStream | None) -> bool:
    """Return whether the writer changes items in place in a ring shared by several streams."""
    return stream is not None and stream.kind == "ring" and stream.over is not None


def _place(stream: PlannedStream) -> str:
    return f"weir::Place<{_cpp(stream)}, {len(stream.readers)}>"


def _from(member: str, stream: PlannedStream, number: int) -> str:
    return f"weir::PlaceIn({member}, {number})" if stream.arena is not None and len(stream.readers) > 1 else member


def _wire(stream: PlannedStream, names: dict, owner_of: Mapping[str, str]) -> StreamView:
    before, fields = "", {"name": cpp_string(stream.name), "readers": ports(stream.readers)}
    if stream.kind == "register":
        cpp_type = "weir::Within"
    elif stream.arena is None:
        cpp_type, fields = f"weir::Stream<{_cpp(stream)}>", stream_spec(stream)
        ends = {owner_of[end.rpartition(".")[0]] for end in (stream.name, *stream.readers)}
        if stream.kind == "ring" and len(ends) == 1:
            fields["within"] = "true"
    else:
        cpp_type, before = _place(stream), names["arena", stream.arena] + ", "
        fields = {"name": cpp_string(stream.name), "offset": str(stream.offset), "items": str(stream.planned_items),
                  **({"held": "true"} if stream.held else {}), "readers": ports(stream.readers)}
    return StreamView(stream.name, (stream.name.rpartition(".")[0],), names[stream.name],
                      about_stream(stream, owner_of), cpp_type, initialisers(fields), before)


def _instances(body: Iterable[Step]) -> tuple[str, ...]:
    """Return the instances that fire, in the order of their first calls."""
    return tuple(dict.fromkeys(name for step in body for name in (
        _instances(step.body) if isinstance(step, Loop) else step.instances)))


def _lines(body: Iterable[Step], names: dict, depth: int, leave: str) -> Iterator[LineView]:
    """Yield the code of a body. `leave` is the statement for a run that has to stop."""
    indent = "    " * depth
    for step in body:
        if isinstance(step, Fire):
            yield LineView(f"{indent}if (!{names[step.instance]}.fire(at, {step.times})) {leave};",
                           ("call", step.instance, (step.instance,)), ends=True)
        elif isinstance(step, Fuse):
            loop, members = names["loop", step.instances], ", ".join(names[name] for name in step.instances)
            yield LineView(f"{indent}if (!weir::fire_together(at, {step.times}, {loop}, {members})) {leave};",
                           ("call", step.instances[-1], step.instances), ends=True)
        elif isinstance(step, Call):
            yield LineView(f"{indent}if (!{step.part}(at)) {leave};")
        else:
            passes = f"pass_{depth}_"  # no member ends in an underscore
            yield LineView(f"{indent}for (int {passes} = 0; {passes} != {step.times}; ++{passes}) {{",
                           ("loop", f"{step.times} times", _instances(step.body)))
            yield from _lines(step.body, names, depth + 1, leave)
            yield LineView(indent + "}", ends=True)
