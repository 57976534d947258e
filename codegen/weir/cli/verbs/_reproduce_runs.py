"""Runs of `weir reproduce`: repeat a run from its run directory alone, and list the differences."""

from __future__ import annotations

import argparse
import shlex
import string
import sys
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from weir.cli.verbs import confirmed, folders_of, say, show
from weir.cli.verbs._running import plans_to_run, prepare, shown
from weir.diagnostics import WeirError, diagnostic, wants_colour

if TYPE_CHECKING:
    from weir.engine.measuring.listener import Listener
    from weir.engine.measuring.runnable import Finished, Runnable
    from weir.engine.pipeline import Folders, Pipeline
    from weir.engine.rerunning.remake import Remake
    from weir.engine.rerunning.trust import Permission
    from weir.model.planning.machine import Machine
    from weir.model.planning.plan import Planned

INTERRUPTED = 4
MOST = len(string.ascii_lowercase)


def run(args: argparse.Namespace) -> int:
    """Build and repeat the runs, and list the differences."""
    from weir.engine.measuring.disk_watch import check_folder
    from weir.engine.measuring.listener import Listener
    from weir.engine.measuring.readying import readying
    from weir.engine.measuring.runnable import RunOptions
    from weir.engine.measuring.runner import exit_code
    from weir.engine.measuring.speeds import with_kept
    from weir.engine.pipeline import measure
    from weir.engine.rerunning.remake import read_remake
    from weir.model.document import jsontext
    from weir.model.planning.topology import this_machine
    from weir.read.reporting.summary import Summary

    if len(args.subjects) > MOST:
        raise WeirError(diagnostic("E_USAGE", "", f"{len(args.subjects)} runs are too many; the limit is {MOST}"))
    remakes = [read_remake(path) for path in args.subjects]
    out = (args.out or Path("runs")).absolute()
    check_folder(out)
    folders = [out] if len(remakes) == 1 else [out / letter for letter in string.ascii_lowercase[:len(remakes)]]
    summary = Summary(wants_colour(sys.stdout))

    def show_run(one: Finished) -> None:
        if not args.json:
            print(summary.run(one.results, shown(one.path)) + "\n", flush=True)

    listener = Listener(say, None, show_run)
    here = with_kept(this_machine())
    opened = [_opened(remake, args, here) for remake in remakes]  # nothing is compiled yet
    if not args.trust:
        for remake, pipeline in zip(remakes, opened):
            _want_trust(remake, pipeline, args)
    planned = [_planned(remake, pipeline) for remake, pipeline in zip(remakes, opened)]
    tracers = {pipeline.tracer(one.plan, remake.request["trace"])
               for remake, pipeline, one in zip(remakes, opened, planned)}
    with readying(tracers) as ready:
        runnables = [_runnable(remake, pipeline, one, listener, folders_of(args), folder)
                     for remake, pipeline, one, folder in zip(remakes, opened, planned, folders)]
        ready()
        measured = measure(runnables, RunOptions(out, args.repeat or 1), listener, opened[0].checked.catalog)
    answers = [_answer(remake, folder, measured.runs) for remake, folder in zip(remakes, folders)]
    if args.json:
        sys.stdout.write(jsontext.write([answer for answer in answers if answer]))
    else:
        for remake, answer in zip(remakes, answers):
            if answer:
                print(_text(remake, answer))
            else:
                print(f"{shown(remake.run.path)}: interrupted before the run was repeated")
    return INTERRUPTED if measured.interrupted else exit_code(measured.runs)


def _opened(remake: Remake, args: argparse.Namespace, here: Machine) -> Pipeline:
    """Open and check the project again. Raises WeirError if it is no longer valid."""
    from weir.engine.pipeline import Pipeline
    from weir.engine.rerunning.trust import folders_to_use

    folder = (args.folder or remake.folder).absolute()
    if not folder.is_dir():
        raise WeirError(diagnostic("E_FILE_MISSING", "", f"the project's folder {folder} is missing",
                                   "--folder DIR names the folder that relative paths now start from"))
    pipeline = Pipeline.open(remake.project, directory=folder, folders=folders_to_use(remake, folders_of(args)),
                             machine=remake.machine, here=here, profile=remake.profile)
    try:
        pipeline.valid([remake.deployment])
    except WeirError as error:
        source = str(remake.run.path / "project.json")
        show(error.diagnostics, source)
        raise WeirError(diagnostic("E_RUN_DIRECTORY", "", f"{source} is no longer valid",
                                   "Weir or an extension has changed since the run")) from None
    return pipeline


def _want_trust(remake: Remake, pipeline: Pipeline, args: argparse.Namespace) -> None:
    """Raise WeirError (E_UNTRUSTED) unless the user allows what the run needs, by option or at the terminal."""
    from weir.engine.rerunning.trust import ungranted

    graph = pipeline.checked.valid().graph
    wanted = ungranted(remake, graph, pipeline.folders, folders_of(args), args.folder is not None)
    if not wanted:
        return
    said = f"{shown(remake.run.path)} needs {'; '.join(map(str, wanted))}"
    if not confirmed(f"{said}; do you trust this run"):
        raise WeirError(diagnostic("E_UNTRUSTED", "", said, _granting(args, wanted)))


def _granting(args: argparse.Namespace, wanted: list[Permission]) -> str:
    """Return the command lines that allow it."""
    runs = ["weir", "reproduce", *map(str, args.subjects)]
    named = [word for wish in wanted for word in (wish.option, wish.what)]
    each = f"; to name each part: `{shlex.join([*runs, *named])}`" if all(wish.option for wish in wanted) else ""
    return f"to allow everything: `{shlex.join([*runs, '--trust'])}`{each}"


def _planned(remake: Remake, pipeline: Pipeline) -> Planned:
    """Plan the run again. Raises WeirError if that is no longer possible."""
    planned, = plans_to_run(pipeline, [remake.deployment], str(remake.run.path / "project.json"),
                            remake.request["trace"])
    return planned


def _runnable(remake: Remake, pipeline: Pipeline, planned: Planned, listener: Listener, given: Folders,
              out: Path) -> Runnable:
    """Build the run again. Raises WeirError if that is no longer possible."""
    from weir.engine.rerunning.trust import folders_named

    request = remake.request
    made = prepare(pipeline, planned, remake.run.run["command"], listener)
    own = {"out": out, "trace": request["trace"], "items": request["items"],
           "keep_trace": request["keep_trace"], "params": tuple(request["params"]), "metrics": request.get("metrics")}
    # Record the original folder of the code, not its copy in the run: otherwise the new run would seem to differ.
    settings = remake.run.results["coordinates"]["settings"]
    return replace(made, own=own, catalog_paths=folders_named(remake, given).by_option(), settings=settings)


def _answer(remake: Remake, folder: Path, finished: list[Finished]) -> dict | None:
    """Return the answer as JSON, None if the run was not repeated."""
    from weir.engine.measuring.run_directory import load_run
    from weir.engine.rerunning.remake import checks
    from weir.read.comparing.differences import differences

    paths = [one.path for one in finished if one.path.parent == folder]
    if not paths:
        return None
    now = load_run(paths[-1])
    return {"run": str(remake.run.path), "runs": [str(path) for path in paths], "status": now.status,
            "same": checks(remake.run, now).as_json(),
            "differences": [d.as_json() for d in differences(remake.run, now)]}


def _text(remake: Remake, answer: dict) -> str:
    from weir.read.comparing.differences import Difference
    from weir.read.reporting.comparison import SHOWN, difference_lines

    said = ", ".join(f"{what} {'unchanged' if same else 'DIFFERS'}" for what, same in answer["same"].items())
    found = [Difference(d["part"], d["pointer"], d.get("a"), d.get("b"), "a" in d, "b" in d, d["where"])
             for d in answer["differences"]]
    lines = [f"{shown(remake.run.path)}: {said}", *(f"  {line}" for line in difference_lines(found, SHOWN))]
    return "\n".join(lines if found else [*lines, "  no differences"])
