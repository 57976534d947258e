"""weir sweep: every point of some axes, in blocks of random order, into a folder that can be gone on with."""

from __future__ import annotations

import argparse
import copy
import secrets
import shlex
import sys
from collections.abc import Mapping
from dataclasses import replace
from datetime import UTC
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from weir.diagnostics import WeirError, diagnostic
from weir.sure import sure
from weir.tracers import BACKENDS
from weir.tuning.candidate import GOALS, THROUGHPUT
from weir.verbs import add_json_argument, add_profile_argument, add_project_arguments, open_project, say, show
from weir.verbs._running import offer_runtimes, run_command
from weir.verbs._sweep_request import request, take_up
from weir.verbs.run import check_params, count_of, items_of

if TYPE_CHECKING:
    from weir.measuring.runnable import Runnable
    from weir.pipeline import Pipeline
    from weir.sweeping.answer import Answer
    from weir.sweeping.axes import Asked
    from weir.sweeping.best import Tried
    from weir.sweeping.point import Cell
    from weir.sweeping.ready import LeftOut
    from weir.sweeping.state import State
    from weir.verbs._sweep_best import Points

GROUP = "run"
HELP = "measure a project at every point of some axes, in blocks of random order"
INTERRUPTED = 4
#: How often a block that others disturbed is measured again, where nothing else is asked for.
REPEATS = 2
#: Seconds of `--quick`, once everything is built.
QUICK_S = 270.0


def add_parser(sub) -> argparse.ArgumentParser:
    parser = sub.add_parser("sweep", help=HELP, description=HELP)
    add_project_arguments(parser)
    add_json_argument(parser)
    parser.add_argument("--sweep", metavar="S", help="which of the project's sweeps; the first without this")
    parser.add_argument("--vary", action="append", default=[], metavar="K=A,B,C",
                        help="an axis: a project parameter, deployment, scheduler, trace, items, chunk_items or "
                             "/json/pointer, and its values; may be repeated; adds to --sweep, or replaces its axis; "
                             "deployment=* are all of the project")
    parser.add_argument("--aa", action="store_true",
                        help="measure everything twice in each block: what differs then is the machine's, and says "
                             "which differences it can show, with how many blocks")
    parser.add_argument("--best", nargs="?", const=THROUGHPUT, choices=GOALS,
                        help="measure every contender with its own best chunks and buffers, too, which are searched "
                             f"first: by {THROUGHPUT} without a goal")
    parser.add_argument("--loads-of", metavar="D",
                        help="shares of an axis, such as --vary load=10%%,50%%,90%%, are of what this deployment "
                             "sustains, which is searched for first; of what each one itself does, with *")
    parser.add_argument("--deployment", metavar="D", help="where no axis says which; the first without this")
    parser.add_argument("--out", type=Path, metavar="DIR", help="folder of the sweep: its runs and its table")
    parser.add_argument("--resume", action="store_true",
                        help="go on with the sweep in DIR; begin it where there is none")
    parser.add_argument("--quick", action="store_true",
                        help="what the sweep says is its quick form, or at most 3 values of an axis of numbers and 4 "
                             "of another, in 3 blocks and under five minutes once it is built; too little for "
                             "intervals")
    parser.add_argument("--dry-run", action="store_true", help="say what would be measured, and for how long")
    parser.add_argument("--repetitions", type=count_of, metavar="N",
                        help="blocks, each with every point once; those of the sweep, or 8, without this")
    parser.add_argument("--repeats", type=_repeats, metavar="N",
                        help=f"how often a block that others on the machine disturbed is measured again ({REPEATS})")
    parser.add_argument("--seed", type=count_of, metavar="N",
                        help="decides the order; another one every time without this")
    parser.add_argument("--items", type=items_of, metavar="N", help="items of each source or head, such as 50M")
    parser.add_argument("--param", action="append", default=[], metavar="INSTANCE.NAME=V", dest="params",
                        help="a block's run-time parameter; may be repeated")
    parser.add_argument("--trace", choices=BACKENDS,
                        help="back-end of the trace; the project's without this")
    parser.add_argument("--fitting", action="store_true",
                        help="leave out points that this machine cannot run: they are pinned to CPUs which it does not "
                             "give, or ask VOLK for what its CPU does not have")
    parser.add_argument("--another-machine", action="store_true",
                        help="go on although it was begun on another machine")
    parser.add_argument("--machine", metavar="FILE", type=Path,
                        help="plan for the machine of this file instead of this one")
    add_profile_argument(parser)
    parser.add_argument("--progress", choices=("json",), help="json: an object a line on standard error")
    return parser


def _repeats(text: str) -> int:
    if text not in ("0", "1", "2"):
        raise argparse.ArgumentTypeError(f"`{text}` is not 0, 1 or 2")
    return int(text)


def run(args: argparse.Namespace) -> int:
    from weir.sweeping import loads, loads_found, state

    if args.out is None and not args.dry_run:
        raise WeirError(diagnostic("E_USAGE", "", "--out DIR: a sweep needs a folder for its runs"))
    begun = state.read_state(args.out) if args.out and args.resume else None
    searched = loads_found.read(args.out) if args.out and args.resume and not begun else None
    if args.out and not begun:
        state.check_new(args.out, args.resume)
    if taken_up := begun.value if begun else searched:
        take_up(args, taken_up)
    pipeline = open_project(args)
    points = _points(args, pipeline, begun)
    show(list(points.said.values()), args.project)
    for it in points.unfit:
        if it.code != loads.NOT_FOUND:  # which was said when it was searched for
            say(f"left out: {it.message}")
    if points.asked.loads and not begun:
        from weir.verbs import _sweep_loads

        _sweep_loads.check(points, args.params)
    tried = _candidates(args, points)
    if args.dry_run:
        return _dry_run(args, points, tried, pipeline)
    if args.resume and not taken_up:
        say(f"{args.out} has no sweep to go on with: it begins")
    return _measure(args, pipeline, points, tried, begun)


def _candidates(args: argparse.Namespace, points: Points) -> list[Tried]:
    return points.candidates(args.quick, args.items) if points.asked.best else []


def _points(args: argparse.Namespace, pipeline: Pipeline, begun: State | None, loaded: Mapping | None = None) -> Points:
    """Everything that can be told before anything is built, and what of it does not fit on this machine, where that is
    left out. `loaded`: what contenders sustain, where the sweep that was `begun` has none; without either, loads are as
    the project has them. WeirError with all that is wrong at any point.
    """
    from weir.document import jsontext
    from weir.document.sweeps import OF_RUN
    from weir.sweeping import asking, axes, loads, ready, sizes
    from weir.sweeping.overlay import read_overlay
    from weir.verbs import parse_sets
    from weir.verbs._sweep_best import Points

    project = pipeline.checked.loaded()
    if pipeline.checked.graph is None:
        pipeline.valid()
    document = asking.settable(project.document)
    asked = asking.asked_for(document, args.sweep, args.vary, args.repetitions, args.quick, args.aa, args.best,
                             len(pipeline.this_machine.allowed), args.loads_of)
    if begun:
        loaded = begun.value.get("loads")
        loads.check_same(loaded, asked.loads)
    if loaded:
        asked = replace(asked, loads=replace(sure(asked.loads), found=loads.values_of(loaded)))
    _check_options(args, asked, document)
    text, sets = jsontext.write(document).encode(), parse_sets(args.sets)
    if OF_RUN["items"] in sets:  # it is said for all of them
        asked = replace(asked, items={})
    cells = [replace(cell, trace=cell.trace or args.trace) for cell in
             axes.cells(asked, document, args.deployment or document["deployments"][0]["name"])]
    asked = replace(asked, overlay=tuple(read_overlay(document, asked.name, project.directory)))
    asking.check_references(document, asked, cells)
    cells, unloaded = loads.split(sure(asked.loads), cells) if loaded else (cells, [])
    why_not = loads.why_not(loaded) if loaded else {}
    stated = [cell for cell in cells if not sizes.is_best(cell, asked.axes)]
    unfit: list[LeftOut] | None = [] if args.fitting else None
    found = ready.opened(pipeline, text, stated, asked.axes, axes.columns(asked.axes), args.machine, sets, unfit)
    check_params(args.params, pipeline, list(dict.fromkeys(cell.deployment for cell in cells))
                 if project.document.get("deployments") else [None])
    return Points(asked, found, [cell for cell in cells if sizes.is_best(cell, asked.axes)],
                  partial(ready.openable, pipeline, text, machine=args.machine, sets=sets),
                  [deployment["name"] for deployment in document["deployments"]],
                  [*(unfit or []), *(ready.LeftOut(cell, loads.NOT_FOUND, why_not[str(cell.deployment)])
                                     for cell in unloaded)],
                  {(it.code, it.message): it for one in found for it in one.said})


def _check_options(args: argparse.Namespace, asked: Asked, document: Mapping) -> None:
    """WeirError (E_USAGE) where an option says for all points what an axis varies."""
    keys = {axis.key for axis in asked.axes if not axis.parameter} | {axis.key for axis in asked.axes
                                                                    if axis.key.startswith("/")}
    taken = ["--items"] if args.items and keys & {"items", "/run/items"} else []
    taken += ["--trace"] if args.trace and keys & {"trace", "/run/trace/backend"} else []
    taken += ["--deployment"] if args.deployment and "deployment" in keys else []
    blocks = document["graph"]["blocks"]
    for text in args.params:
        name = text.partition("=")[0].strip()
        taken += [f"--param {name}" for i, block in enumerate(blocks)
                  for key in keys if key.startswith(f"/graph/blocks/{i}/parameters/")
                  and name == f"{block['id']}.{key.rpartition('/')[2]}"]
    if taken:
        raise WeirError(diagnostic("E_USAGE", "", f"{taken[0]} and an axis say the same", "leave one of them out"))


def _dry_run(args: argparse.Namespace, points: Points, tried: list[Tried], pipeline: Pipeline) -> int:
    from weir.verbs._sweep_plan import Planned

    planned = Planned(pipeline.checked.valid().project.name, points, tried, args.quick, args.items)
    sys.stdout.write(planned.json_text() if args.json else planned.text())
    return 0


def _measure(args: argparse.Namespace, pipeline: Pipeline, points: Points, tried: list[Tried],
             begun: State | None) -> int:
    from weir.document import jsontext
    from weir.measuring.disk_watch import check_folder
    from weir.sweeping import state

    check_folder(args.out.absolute())
    with state.alone(args.out):
        _check_alone(args, begun)
        try:
            loads = None
            if points.asked.loads and not begun:
                loads, points = _loaded(args, pipeline, points)
                tried = _candidates(args, points)
            answer = _measured(args, pipeline, points, tried, begun, loads)
        except KeyboardInterrupt:
            say(f"interrupted; `{_resume(args)}` goes on" if _has_something(args.out)
                else "interrupted before anything of the sweep was measured: it begins anew with the same words")
            return INTERRUPTED
        except WeirError:
            if _has_something(args.out):
                say(f"what was measured is kept; `{_resume(args)}` goes on")
            raise
    sys.stdout.write(jsontext.write(answer.as_json()) if args.json else answer.text())
    if answer.state != "complete":
        say(f"`{_resume(args)}` goes on")
    return 0 if answer.ok else INTERRUPTED


def _check_alone(args: argparse.Namespace, begun: State | None) -> None:
    """Another sweep may have been at it until now. WeirError (E_SWEEP_FOLDER)."""
    from weir.sweeping import state

    now = state.read_state(args.out)
    if begun is None:
        state.check_new(args.out, args.resume)
    elif now is None or now.id != begun.id:
        raise WeirError(diagnostic("E_SWEEP_FOLDER", "", f"{args.out} has another sweep by now"))


def _has_something(folder: Path) -> bool:
    from weir.sweeping import loads_found, state

    return any((folder / name).exists() for name in (state.STATE, loads_found.FILE))


def _loaded(args: argparse.Namespace, pipeline: Pipeline, points: Points) -> tuple[Mapping, Points]:
    """What contenders sustain, and the points with their shares of it."""
    from weir.sweeping import ready
    from weir.verbs import _sweep_loads

    found = _sweep_loads.searched(args, points, ready.machine_identity(pipeline))
    loaded = _points(args, pipeline, None, found)
    show([it for key, it in loaded.said.items() if key not in points.said], args.project)
    _sweep_loads.check_offered(loaded, found)
    return found, loaded


def _resume(args: argparse.Namespace) -> str:
    return shlex.join(["weir", "sweep", args.project, "--out", str(args.out), "--resume"])


def _measured(args: argparse.Namespace, pipeline: Pipeline, points: Points, tried: list[Tried],
              begun: State | None, loads: Mapping | None) -> Answer:
    """KeyboardInterrupt where the search was interrupted: nothing is in the table then. `loads`: found just now."""
    from weir.measuring.runnable import RunOptions
    from weir.sweeping import axes, fairness, ready
    from weir.sweeping.answer import COMPLETE, OUT_OF_TIME, Answer
    from weir.sweeping.answer import INTERRUPTED as BROKEN_OFF
    from weir.sweeping.order import Order
    from weir.sweeping.record import Record
    from weir.sweeping.sweep import Sweep
    from weir.verbs._sweep_best import searched
    from weir.verbs._sweep_progress import SweepProgress

    asked, names = points.asked, axes.columns(points.asked.axes)
    progress = SweepProgress(bool(args.progress), names)
    found = begun.value["best"] if begun else None
    best, unfound = points.with_found(found) if found else ([], [])
    opened = [*points.stated, *best]
    offer_runtimes(pipeline, [one.planned.plan for one in opened])
    made, left_out = ready.built(opened, lambda cell: _command(args, cell), progress.builds)
    left_out = [*points.unfit, *left_out]
    if not made:
        raise WeirError(diagnostic(left_out[0].code, "", f"none of its points can be run here: {left_out[0].message}"))
    at = _state(args, pipeline, asked, made, [*left_out, *unfound], begun, loads)
    options = RunOptions(args.out.absolute(), at.value["repetitions"], args.trace, args.items,
                         params=tuple(args.params))
    catalog, quick_s = pipeline.checked.catalog, QUICK_S if args.quick else None
    if quick_s and loads:
        quick_s = max(quick_s - sum(it["measured_s"] for it in loads["found"]), 1.0)
    if asked.best and not found:
        at, more, searched_s = searched(points, tried, at, args.quick, options, catalog, progress,
                                        partial(_command, args))
        made, quick_s = [*made, *more], quick_s and max(quick_s - searched_s, 1.0)
    made.sort(key=lambda it: it[0].number)
    order = Order(at.value["seed"], len(made), at.value["repetitions"], at.value["repeats"])
    record = Record([cell for cell, _ in made], names, order)
    progress.begins(record)
    sweep = Sweep(at, record, [it for _, it in made], options, catalog, progress.listener, progress.ran, quick_s)
    interrupted = sweep.go_on()
    return Answer(at, record, BROKEN_OFF if interrupted else OUT_OF_TIME if sweep.out_of_time else COMPLETE,
                  fairness.findings(asked.axes, names, record.cells, record.latest, asked.hold), sweep.ignored.words())


def _state(args: argparse.Namespace, pipeline: Pipeline, asked: Asked, made: list[tuple[Cell, Runnable]],
           left_out: list[LeftOut], begun: State | None, loads: Mapping | None) -> State:
    """sweep.json as it is or comes to be. WeirError (E_SWEEP_CHANGED) where what was begun is not what this is."""
    from datetime import datetime

    from weir import __version__
    from weir.document import jsontext
    from weir.sweeping import axes, changes, ready, state
    from weir.sweeping.searching import point_of

    names, project = axes.columns(asked.axes), pipeline.checked.loaded()
    now = {
        "project": project.name, "source": args.project, "document": project.document,
        "sweep": asked.name, "request": request(args),
        "axes": [{"key": axis.key, "values": list(axis.values)} for axis in asked.axes],
        "columns": names, "hold": list(asked.hold), **({"overlay": list(asked.overlay)} if asked.overlay else {}),
        **({"loads": loads} if loads else {}),
        "weir_version": __version__,
        "machine": ready.machine_identity(pipeline),
        "points": [point_of(cell, names, it) for cell, it in sorted(made, key=lambda it: it[0].number)],
        "left_out": [it.as_json(names) for it in left_out], "best": None}
    if begun:
        changes.check(begun.value, jsontext.read(jsontext.write(now))[0], args.another_machine)
        return begun
    found = state.State(args.out, {
        "schema_version": 1, "id": secrets.token_hex(8), "repetitions": asked.repetitions,
        "repeats": args.repeats if args.repeats is not None else 0 if args.quick else REPEATS,
        "seed": secrets.randbits(32) if args.seed is None else args.seed,
        "created": datetime.now(UTC).isoformat(timespec="seconds").replace("+00:00", "Z"), **now})
    found.write()
    return found


def _command(args: argparse.Namespace, cell: Cell) -> str:
    """The command that makes such a run by itself."""
    own = copy.copy(args)
    own.sets, own.trace = [*args.sets, *(f"{key}={text}" for key, text in cell.sets.items())], cell.trace
    return run_command(own, cell.deployment)
