"""`--on BOARD`: run the same command on a board."""

from __future__ import annotations

import argparse
import os
import sys
import tempfile
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from pathlib import Path

from weir.cli.verbs import open_project, say
from weir.diagnostics import WeirError, diagnostic

#: Default instruction set of a deployment.
NATIVE = "native"


def on_board(args: argparse.Namespace, argv: Sequence[str], options: Sequence[argparse.Action]) -> int:
    """Run the command on the board that `--on` names and return its exit code. `options` are those of the verb."""
    from weir.interop.boards.board import board
    from weir.interop.boards.crossing import march_of
    from weir.interop.boards.job import Command, carried_out, key_of
    from weir.interop.boards.link import Link
    from weir.lab.sweeping.state import check_new

    if getattr(args, "project", None) == "-":
        raise WeirError(diagnostic("E_USAGE", "", "--on needs a project in a file"))
    there, folder = board(args.on), Path.cwd()
    out = None if getattr(args, "dry_run", False) else getattr(args, "out", None)
    out = None if out is None else Path(os.path.abspath(out))
    resume = getattr(args, "resume", None)
    if resume is False and out is not None:
        check_new(out)
    key = key_of(argv[0], str(folder), *argv[1:]) if resume is None else key_of(argv[0], str(out))
    words, programs = list(_words(argv, options)), None
    if there.cross and hasattr(args, "trace"):
        # `native` is another architecture here.
        stated = [it.get("build", {}).get("march", NATIVE)
                  for it in open_project(args).checked.loaded().document["deployments"]]
        sets = [f"/deployments/{i}/build/march={march_of(there.cross)}" for i, it in enumerate(stated) if it == NATIVE]
        args.sets, words = [*args.sets, *sets], [*words, *(word for one in sets for word in ("--set", one))]
        programs = partial(_programs, args, there.cross)
    command = Command(words, folder, lambda: [*_read(args, options), *(_within(out) if resume and out else ())], out,
                      key, programs)
    return carried_out(Link(there), command, resume is False, say, _show, sys.stdout.write)


def _programs(args: argparse.Namespace, triplet: str, weir_there: Callable[..., str]) -> list[tuple[Path, str]]:
    """Build the programs of the command for the board, whose topology decides the plans."""
    from weir.cli.verbs._progress import SweepProgress
    from weir.interop.boards.crossing import built, crossing
    from weir.lab.sweeping.experiment import Experiment
    from weir.lab.sweeping.request import SweepRequest
    from weir.model.document.digits import counted

    with tempfile.TemporaryDirectory() as name:
        if args.machine is None:
            args.machine = Path(name, "machine.json")
            args.machine.write_text(weir_there("doctor", "--topology", "--json"), encoding="utf-8")
        pipeline = open_project(args)
        if isinstance(args.deployment, list):  # those of `weir run`
            plans = [(pipeline, pipeline.plan_to_run(one, args.trace, elsewhere=True).plan)
                     for one in args.deployment or [None]]
        else:
            points = Experiment(SweepRequest.of(vars(args)), pipeline, SweepProgress(False, args.project),
                                elsewhere=True).opened()
            plans = [(one.pipeline, one.planned.plan) for one in points.stated]
        say(f"building {counted(len(plans), 'program')} for {args.on}")
        with crossing(triplet):
            return built(plans)


def _words(argv: Sequence[str], options: Sequence[argparse.Action]) -> Iterator[str | Path]:
    """Yield the command's words for the board: without `--on`, and absolute paths as Path."""
    actions, words = {name: it for it in options for name in it.option_strings}, iter(argv)
    for word in words:
        name, equals, value = word.partition("=")
        action = actions.get(name)
        if action is None:  # the verb or the project
            yield Path(word) if os.path.isabs(word) else word
            continue
        takes = action.nargs is None or bool(equals)
        value = value if equals else next(words) if takes else ""
        if action.dest != "on":
            yield name
            if takes:
                yield Path(value) if action.type is Path and os.path.isabs(value) else value


def _read(args: argparse.Namespace, options: Sequence[argparse.Action]) -> list[Path]:
    """Return the files that the command reads: the project, what its blocks and figures read, and named files."""
    from weir.interop.capsule.used import read_by_blocks, read_by_params

    found: list[Path] = []
    for action in options:
        values = getattr(args, action.dest, None)
        # Blocks may read in an allowed folder; that is no reason to send all of it.
        if action.type is Path and values is not None and action.dest not in ("out", "allow_path"):
            found += [file for path in (values if isinstance(values, list) else [values]) for file in _within(path)]
    if not args.project:
        return _absolute(found)
    project = Path(args.project)
    mapping = project.with_suffix(".weir.json")
    found += [project, *([mapping] if project.suffix == ".grc" and mapping.exists() else [])]
    # An invalid project is refused there, as here.
    checked = open_project(args).checked
    if checked.project is not None and checked.graph is not None:
        folder = checked.project.directory
        overlays = (sweep.get("plot", {}).get("overlay") for sweep in checked.project.document.get("sweeps", ()))
        names = [*read_by_blocks(checked, folder), *read_by_params(getattr(args, "params", ()), checked.graph),
                 *(overlay["file"] for overlay in overlays if overlay)]
        found += [folder / name for name in names]
    return [path for path in _absolute(found) if path.is_file()]


def _absolute(paths: Sequence[Path]) -> list[Path]:
    return list(dict.fromkeys(Path(os.path.abspath(path)) for path in paths))


def _within(path: Path) -> list[Path]:
    """Return a file, or the files of a folder."""
    if not path.is_dir():
        return [path]
    return [Path(folder, name) for folder, _, names in os.walk(path) for name in sorted(names)]


def _show(text: str) -> None:
    sys.stderr.write(text)
    sys.stderr.flush()
