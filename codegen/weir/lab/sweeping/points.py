"""Points of a requested sweep, checked and planned before anything is built."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import partial

from weir.diagnostics import Diagnostic, WeirError, diagnostic
from weir.engine.pipeline import Pipeline
from weir.lab.sweeping import axes, definition, loads, ready, sizes
from weir.lab.sweeping.axes import SweepDefinition
from weir.lab.sweeping.overlay import read_overlay
from weir.lab.sweeping.point import Cell
from weir.lab.sweeping.ready import LeftOut, RunnablePoint
from weir.lab.sweeping.request import SweepRequest
from weir.model.document import jsontext
from weir.model.document.sweeps import OF_RUN
from weir.sure import sure


@dataclass(frozen=True)
class Points:
    """Points of a sweep.

    `stated`: points with the sweep's sizes; `best`: points with each contender's best sizes; `open`: function that
    plans points; `deployments`: names in the project's order; `unfit`: points that this machine cannot run; `said`:
    warnings of the plans, by code and message.
    """

    definition: SweepDefinition
    stated: Sequence[RunnablePoint]
    best: Sequence[Cell]
    open: Callable[[Sequence[Cell]], tuple[list[RunnablePoint], list[tuple[Cell, WeirError]]]]
    deployments: Sequence[str]
    unfit: Sequence[LeftOut] = ()
    said: Mapping[tuple[str, str], Diagnostic] = field(default_factory=dict)


def opened_points(request: SweepRequest, pipeline: Pipeline, begun: Mapping | None = None,
                  loaded: Mapping | None = None, elsewhere: bool = False) -> Points:
    """Check and plan every point. `begun`: sweep.json of a sweep to continue; `loaded`: sustainable rates of a search
    that has just ended. Without either, loads are those of the project. `elsewhere`: for a sweep on the machine of the
    machine file.

    Raises WeirError with the errors of all points.
    """
    project = pipeline.checked.loaded()
    if pipeline.checked.graph is None:
        pipeline.valid()
    document = definition.settable(project.document)
    sweep = definition.sweep_definition(document, request.sweep, request.vary, request.repetitions,
                                        request.quick, request.aa, request.best,
                                        len((pipeline.machine if elsewhere else pipeline.this_machine).allowed),
                                        request.loads_of)
    if begun:
        loaded = begun.get("loads")
        loads.check_same(loaded, sweep.loads)
    if loaded:
        sweep = replace(sweep, loads=replace(sure(sweep.loads), found=loads.values_of(loaded)))
    _check_options(request, sweep, document)
    text, sets = jsontext.write(document).encode(), pipeline.sets
    if OF_RUN["items"] in sets:  # --set applies to all deployments
        sweep = replace(sweep, items={})
    cells = [replace(cell, trace=cell.trace or request.trace) for cell in
             axes.cells(sweep, document, request.deployment or document["deployments"][0]["name"])]
    sweep = replace(sweep, overlay=tuple(read_overlay(document, sweep.name, project.directory)))
    definition.check_references(document, sweep, cells)
    cells, unloaded = loads.split(sure(sweep.loads), cells) if loaded else (cells, [])
    why_not = loads.why_not(loaded) if loaded else {}
    stated = [cell for cell in cells if not sizes.is_best(cell, sweep.axes)]
    unfit: list[LeftOut] | None = [] if request.fitting else None
    found = ready.opened(pipeline, text, stated, sweep.axes, axes.columns(sweep.axes), request.machine, sets, unfit,
                         elsewhere)
    pipeline.check_params(request.params, list(dict.fromkeys(cell.deployment for cell in cells))
                          if project.document.get("deployments") else [None])
    return Points(sweep, found, [cell for cell in cells if sizes.is_best(cell, sweep.axes)],
                  partial(ready.openable, pipeline, text, machine=request.machine, sets=sets, elsewhere=elsewhere),
                  [deployment["name"] for deployment in document["deployments"]],
                  [*(unfit or []), *(LeftOut(cell, loads.NOT_FOUND, why_not[str(cell.deployment)])
                                     for cell in unloaded)],
                  {(it.code, it.message): it for one in found for it in one.said})


def _check_options(request: SweepRequest, sweep: SweepDefinition, document: Mapping) -> None:
    """Raise WeirError (E_USAGE) if an option sets a value that an axis varies."""
    keys = {axis.key for axis in sweep.axes if not axis.parameter or axis.key.startswith("/")}
    taken = ["--items"] if request.items and keys & {"items", "/run/items"} else []
    taken += ["--trace"] if request.trace and keys & {"trace", "/run/trace/backend"} else []
    taken += ["--deployment"] if request.deployment and "deployment" in keys else []
    blocks = document["graph"]["blocks"]
    for text in request.params:
        name = text.partition("=")[0].strip()
        taken += [f"--param {name}" for i, block in enumerate(blocks)
                  for key in keys if key.startswith(f"/graph/blocks/{i}/parameters/")
                  and name == f"{block['id']}.{key.rpartition('/')[2]}"]
    if taken:
        raise WeirError(diagnostic("E_USAGE", "", f"{taken[0]} sets a value that an axis varies",
                                   "leave out one of the two"))
