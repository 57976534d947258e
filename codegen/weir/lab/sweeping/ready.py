"""Preparation of a sweep's points: check, plan and build them, with one binary for each distinct program."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

from weir.besides import side_by_side
from weir.codes import ERROR
from weir.diagnostics import Diagnostic, WeirError
from weir.engine.pipeline import Pipeline
from weir.engine.targets.interface import GenerationInput
from weir.lab.sweeping.axes import label
from weir.lab.sweeping.point import Axis, Cell
from weir.model.document.item_types import ITEM_TYPES
from weir.model.document.sweeps import OF_DEPLOYMENT

if TYPE_CHECKING:
    from weir.engine.measuring.runnable import Runnable
    from weir.model.flowgraph.graph import Graph
    from weir.model.planning.plan import Planned

#: Parallel builds. The compiler takes up to 1 GB for a flowgraph of a thousand blocks.
MOST_BUILDS = 4
#: Maximum number of errors to show.
MOST_FAULTS = 20
#: Errors of missing software: Weir leaves such points out and reports them.
NOT_HERE = ("E_RUNTIME_MISSING",)
#: Errors of missing CPUs or CPU features: Weir leaves such points out with --fitting.
NOT_FITTING = ("E_CPU_MISSING", "E_VOLK_IMPLEMENTATION")
FITTING = "--fitting leaves out the points that this machine cannot run"


@dataclass(frozen=True)
class RunnablePoint:
    """Point that can run: its pipeline, its plan, and the warnings of its project."""

    cell: Cell
    pipeline: Pipeline
    planned: Planned
    said: Sequence[Diagnostic]


@dataclass(frozen=True)
class LeftOut:
    """Point that cannot be measured on this machine, with the reason."""

    cell: Cell
    code: str
    message: str

    def as_json(self, names: Sequence[str]) -> dict[str, Any]:
        """Return the point as plain JSON values."""
        return {"number": self.cell.number, "values": dict(zip(names, self.cell.values)), "code": self.code,
                "message": self.message}


def opened(base: Pipeline, text: bytes, cells: Sequence[Cell], axes: Sequence[Axis], names: Sequence[str],
           machine: Path | None, sets: Mapping[str, str],
           unfit: list[LeftOut] | None = None, elsewhere: bool = False) -> list[RunnablePoint]:
    """Open all points in order. With `unfit`, points that this machine cannot run are added to it. `text`: the project
    with the overrides `sets` of all points; `base`: its pipeline; `elsewhere`: see `Pipeline.plan_to_run`.

    Raises WeirError with the errors of all points, at the JSON pointer of the axis value that causes
    them if it is known.
    """
    found, refused = openable(base, text, cells, machine, sets, elsewhere)
    faults: dict[tuple[str, str, str], Diagnostic] = {}
    for cell, error in refused:
        errors = [fault for fault in error.diagnostics if fault.severity == ERROR]
        if unfit is not None and all(fault.code in NOT_FITTING for fault in errors):
            unfit.append(LeftOut(cell, errors[0].code, errors[0].message))
            continue
        for fault in error.diagnostics:
            placed = _placed(fault, cell, axes, names)
            if fault.code in NOT_FITTING:
                placed = replace(placed, hint=f"{placed.hint} ({FITTING})" if placed.hint else FITTING)
            faults.setdefault((placed.code, placed.pointer, fault.message), placed)
    if faults:
        raise WeirError(list(faults.values())[:MOST_FAULTS])
    return found


def openable(base: Pipeline, text: bytes, cells: Sequence[Cell], machine: Path | None, sets: Mapping[str, str],
             elsewhere: bool = False) -> tuple[list[RunnablePoint], list[tuple[Cell, WeirError]]]:
    """Return the points that can be planned, and the errors of the others."""
    found, refused = [], []
    for cell in cells:
        try:
            found.append(_opened(base, text, cell, machine, sets, elsewhere))
        except WeirError as error:
            refused.append((cell, error))
    return found, refused


def _opened(base: Pipeline, text: bytes, cell: Cell, machine: Path | None, sets: Mapping[str, str],
            elsewhere: bool) -> RunnablePoint:
    def open(sets: Mapping[str, str]) -> tuple[Pipeline, list[Diagnostic]]:
        checked = base.checked.valid()
        pipeline = Pipeline.open(text, sets=sets, directory=checked.project.directory, folders=base.folders,
                                 machine=machine, here=base.this_machine, catalog=checked.catalog,
                                 profile=base.profile)
        return pipeline, pipeline.valid([cell.deployment] if cell.deployment else [])

    pipeline, said = open({**sets, **cell.sets})
    if cell.buffers:
        place, size = cell.buffers
        equal = json.dumps(_equal_buffers(pipeline.checked.valid().graph, size))
        pipeline, said = open({**sets, **cell.sets, place: equal})
    planned = pipeline.plan_to_run(cell.deployment, cell.trace, elsewhere)
    return RunnablePoint(cell, pipeline, planned, [*said, *planned.diagnostics])


def _equal_buffers(graph: Graph, size: int) -> dict[str, dict[str, int]]:
    """Return `buffers` of a deployment with `size` bytes each, rounded down to whole items, at least one."""
    block_of = {instance.name: instance.block_id for instance in graph.instances}
    return {f"{block_of[edge.src]}.{edge.src_port}->{block_of[edge.dst]}.{edge.dst_port}":
            {"items": max(1, size // ITEM_TYPES[edge.item_type].size)} for edge in graph.edges}


def _placed(fault: Diagnostic, cell: Cell, axes: Sequence[Axis], names: Sequence[str]) -> Diagnostic:
    """Move an error to the axis value that causes it; else prefix its message with the point's label."""
    for axis, number in zip(axes, cell.numbers):
        setting = f"/{OF_DEPLOYMENT.get(axis.key, axis.key)}"
        key = next((key for key in cell.sets if key == axis.key or key.endswith(setting)), "")
        at = key if key.startswith("/") else f"/parameters/{key}" if key else None
        if at and (fault.pointer == at or fault.pointer.startswith(at + "/")):
            return replace(fault, pointer=axis.place_of(number) or fault.pointer,
                           message=f"{axis.key}={axis.texts[number]}: {fault.message}")
    return replace(fault, message=f"{label(cell.values, names)}: {fault.message}")


def without_runtime(points: Sequence[RunnablePoint]) -> list[LeftOut]:
    """Return the points whose peer runtime is not installed."""
    found = []
    for one in points:
        project, catalog = one.pipeline.checked.valid().project, one.pipeline.checked.catalog
        wanted = GenerationInput(one.planned.plan, project, catalog)
        try:
            if wanted.target.runtime:
                wanted.runtime()
        except WeirError as error:
            [fault] = error.diagnostics
            found.append(LeftOut(one.cell, fault.code, f"{fault.message} ({fault.hint})" if fault.hint
                                 else fault.message))
    return found


def lines_on(left_out: Sequence[LeftOut]) -> list[str]:
    """Return a line for each reason, with the contenders and the number of points."""
    found: dict[str, list[LeftOut]] = {}
    for it in left_out:
        found.setdefault(it.message, []).append(it)
    return [f"left out: {', '.join(dict.fromkeys(str(it.cell.deployment) for it in those))} ({len(those)} "
            f"point{'s' * (len(those) != 1)}): {message}" for message, those in found.items()]


def built(points: Sequence[RunnablePoint], command: Callable[[Cell], str],
          say: Callable[[str], None]) -> tuple[list[tuple[Cell, Runnable]], list[LeftOut]]:
    """Build the points. Returns the programs and the points that are left out. Raises WeirError if a build fails."""
    made = side_by_side([partial(_built, one, command(one.cell), say) for one in points], MOST_BUILDS)
    return ([it for it in made if not isinstance(it, LeftOut)], [it for it in made if isinstance(it, LeftOut)])


def _built(one: RunnablePoint, command: str, say: Callable[[str], None]) -> tuple[Cell, Runnable] | LeftOut:
    plan, name = one.planned.plan, one.planned.plan.deployment.name
    try:
        program = one.pipeline.build(plan, lambda what: say(f"{name}: {what}"))
    except WeirError as error:
        first = error.diagnostics[0]
        if first.code in NOT_HERE:
            return LeftOut(one.cell, first.code, first.message)
        raise
    own = {"trace": one.cell.trace} if one.cell.trace else {}
    return one.cell, replace(one.pipeline.runnable(one.planned, program, command), own=own)


def machine_identity(pipeline: Pipeline) -> Mapping[str, Any]:
    """Return the facts of the machine that must not change when a sweep continues."""
    import platform

    from weir.machine import environment

    made_of = pipeline.this_machine.as_json()
    return {"host": platform.node(), "cpu": environment.cpu_name(),
            **{part: made_of[part] for part in ("architecture", "cores", "caches", "allowed")}}
