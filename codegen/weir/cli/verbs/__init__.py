"""The verbs of the command line: one small module each, found by its name.

A verb module has `GROUP` (where `weir --help` lists it), `HELP` (one line), `add_parser(sub) -> ArgumentParser` and
`run(args) -> int` (the exit code). `MEASURES = True`: it runs programs on this machine, so what an isolation left
behind is put back first.
`import_.py` is the verb `import`: a trailing underscore is dropped. A module that begins with one is a part of verbs.
Heavy imports belong inside `run`.
"""

from __future__ import annotations

import argparse
import contextlib
import sys
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from weir.diagnostics import Diagnostic, WeirError, diagnostic, format_for_people, trying
from weir.tracers import BACKENDS

if TYPE_CHECKING:
    from weir.engine.measuring.request import RunRequest
    from weir.engine.pipeline import Folders, Pipeline


#: Kinds of extensions, each with an option for it alone, as it was before there was one for all of them.
_KINDS = ("--block-path", "--scheduler-path", "--target-path")


class _Extensions(argparse.Action):
    """Looks for each kind of extension in the folder."""

    def __call__(self, parser, namespace, value, option_string=None) -> None:
        setattr(namespace, self.dest, [*getattr(namespace, self.dest), value])
        for kind in _KINDS:
            name = kind.strip("-").replace("-", "_")
            setattr(namespace, name, [*getattr(namespace, name), value])


#: Options of many verbs. `weir --help` says what they do; the help of a verb only names those that it has.
COMMON: dict[str, dict[str, Any]] = {
    "--set": {"action": "append", "default": [], "metavar": "K=V", "dest": "sets",
              "help": "set a project parameter, or /json/pointer=V anything else; may be repeated"},
    "--param": {"action": "append", "default": [], "metavar": "INSTANCE.NAME=V", "dest": "params",
                "help": "a block's run-time parameter, without building anew; may be repeated"},
    "--allow-path": {"action": "append", "default": [], "metavar": "DIR", "type": Path,
                     "help": "let blocks read and write below DIR, outside the project's folder"},
    "--extensions": {"action": _Extensions, "default": [], "metavar": "DIR", "type": Path,
                     "help": "a folder of blocks, schedulers or targets outside the tree; its code is trusted; may be "
                             "repeated"},
    "--trace": {"choices": BACKENDS, "help": "back-end of the trace; the project's without this"},
    "--deployment": {"metavar": "D", "help": "which deployment of the project; the first without this"},
    "--machine": {"metavar": "FILE", "type": Path,
                  "help": "plan for the machine of this file (weir doctor --topology --json) instead of this one"},
    "--profile": {"metavar": "RUN", "type": Path,
                  "help": "plan with what blocks cost in this run directory of a run with metrics `profile`, or in "
                          "this file"},
    "--json": {"action": "store_true", "help": "print JSON on standard output"},
    "--progress": {"choices": ("json",), "help": "json: print one JSON object per line on standard error"},
}


def add_common(parser: argparse._ActionsContainer, *names: str) -> None:
    """Adds options of many verbs."""
    for name in names:
        action = parser.add_argument(name, **COMMON[name])
        vars(action)["common"] = True


def add_project_arguments(parser: argparse.ArgumentParser, optional: bool = False) -> None:
    """PROJECT and the options of every verb that reads one."""
    parser.add_argument("project", metavar="PROJECT", nargs="?" if optional else None,
                        help="project file (*.weir.json), or - for standard input")
    add_project_options(parser)


def add_project_options(parser: argparse._ActionsContainer) -> None:
    """How the project is read."""
    add_common(parser, "--set", "--allow-path")
    add_catalog_arguments(parser)


def add_catalog_arguments(parser: argparse._ActionsContainer) -> None:
    """Adds --extensions, and what it was before."""
    add_common(parser, "--extensions")
    for kind in _KINDS:
        parser.add_argument(kind, action="append", default=[], metavar="DIR", type=Path, help=argparse.SUPPRESS)


def refuse_given(args: argparse.Namespace, actions: Iterable[argparse.Action], why: str) -> None:
    """WeirError (E_USAGE) where one of these options was given. `why` ends the sentence: `needs --topology`."""
    for action in actions:
        if getattr(args, action.dest) != action.default:
            raise WeirError(diagnostic("E_USAGE", "", f"{action.option_strings[-1]} {why}"))


def say(text: str) -> None:
    """A line for people, on standard error."""
    with contextlib.suppress(OSError):  # that the terminal was closed does not stop a run
        print(f"weir: {text}", file=sys.stderr, flush=True)


def parse_sets(pairs: Sequence[str]) -> dict[str, str]:
    """`--set` arguments as a mapping. WeirError (E_USAGE) for one without `=`."""
    sets = {}
    for pair in pairs:
        key, equals, value = pair.partition("=")
        if not equals or not key:
            raise WeirError(diagnostic("E_USAGE", "", f"--set {pair}: it must be name=value or /json/pointer=value"))
        sets[key] = value
    return sets


def read_input(name: str, most: int) -> bytes:
    """At most one byte more than `most` of a file, or of standard input for `-`. WeirError where it cannot be read."""
    from weir.files import read_bounded

    with trying(f"read {name}"):
        return sys.stdin.buffer.read(most + 1) if name == "-" else read_bounded(name, most)


def folders_of(args: argparse.Namespace | RunRequest) -> Folders:
    """The folders that the command line names."""
    from weir.engine.pipeline import Folders

    return Folders(tuple(args.allow_path), tuple(args.block_path), tuple(args.scheduler_path), tuple(args.target_path))


def open_project(args: argparse.Namespace | RunRequest) -> Pipeline:
    """The project on the command line, valid or not."""
    from weir.engine.pipeline import Pipeline
    from weir.model.document.jsontext import MAX_BYTES

    source: Path | bytes = sys.stdin.buffer.read(MAX_BYTES + 1) if args.project == "-" else Path(args.project)
    return Pipeline.open(source, sets=parse_sets(args.sets), directory=Path.cwd() if args.project == "-" else None,
                         folders=folders_of(args), machine=getattr(args, "machine", None),
                         profile=getattr(args, "profile", None))


def open_valid(args: argparse.Namespace) -> Pipeline:
    """The project on the command line, warnings printed. WeirError with every diagnostic when it is not valid."""
    pipeline = open_project(args)
    diagnostics = pipeline.valid(asked_deployments(args))
    items = getattr(args, "items", None)
    if items is not None:
        from weir.model.planning.advice import warmed_up_by_all

        checked = pipeline.checked.valid()
        diagnostics = [it for it in diagnostics if it.code != "W_WARMUP"]
        diagnostics += warmed_up_by_all(checked.graph, checked.rates, items, checked.project.run.warmup_items)
    show(diagnostics, args.project)
    return pipeline


def asked_deployments(args: argparse.Namespace) -> list[str] | None:
    """The names on the command line; None for a verb that has no `--deployment`: all of them must be valid."""
    if not hasattr(args, "deployment"):
        return None
    return args.deployment if isinstance(args.deployment, list) else [args.deployment] if args.deployment else []


def asked(question: str) -> bool | None:
    """What the person at the terminal says to it, None where there is none to ask."""
    if not (sys.stdin.isatty() and sys.stderr.isatty()):
        return None
    print(f"weir: {question}? [y/N] ", end="", file=sys.stderr, flush=True)
    return sys.stdin.readline().strip().lower() in ("y", "yes")


def show(diagnostics: Sequence[Diagnostic], source: str) -> None:
    """On standard error, if there are any."""
    if diagnostics:
        print(format_for_people(diagnostics, source, sys.stderr.isatty()), file=sys.stderr)
