"""Verbs of the command line: one small module for each verb, found by its name.

A verb module has `GROUP` (where `weir --help` lists it), `HELP` (one line), `add_parser(sub) -> ArgumentParser` and
`run(args) -> int` (the exit code). `MEASURES = True` marks a verb that runs programs on this machine: Weir first
restores what an interrupted isolation changed.
`import_.py` is the verb `import`: Weir drops a trailing underscore. Modules that begin with an underscore are shared
parts of verbs.
Heavy imports belong inside `run`.
"""

from __future__ import annotations

import argparse
import contextlib
import json
import sys
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from weir.diagnostics import Diagnostic, WeirError, diagnostic, format_for_people, trying
from weir.tracers import BACKENDS

if TYPE_CHECKING:
    from weir.engine.measuring.request import RunRequest
    from weir.engine.pipeline import Folders, Pipeline


#: Retired options for a single kind of extension; --extensions replaces them.
_KINDS = ("--block-path", "--scheduler-path", "--target-path")


class _Extensions(argparse.Action):
    """Action of --extensions: search the folder for every kind of extension."""

    def __call__(self, parser, namespace, value, option_string=None) -> None:
        setattr(namespace, self.dest, [*getattr(namespace, self.dest), value])
        for kind in _KINDS:
            name = kind.strip("-").replace("-", "_")
            setattr(namespace, name, [*getattr(namespace, name), value])


class _Replace(argparse.Action):
    """Action of --replace and --keep-gui, which are short for --set."""

    def __call__(self, parser, namespace, value, option_string=None) -> None:
        for word in value or ["shown"]:
            self._add(parser, namespace, word)

    def _add(self, parser: argparse.ArgumentParser, namespace: argparse.Namespace, word: str) -> None:
        sets = getattr(namespace, self.dest)
        shown, replaced = (f"{_WINDOWS}{it}" for it in ("shown", "replaced"))
        if word in ("shown", "windows"):
            text = replaced if word == "windows" else shown
            if {text, *sets} >= {shown, replaced}:
                parser.error("--keep-gui and --replace windows exclude each other")
        else:
            given = [it for it in sets if it.startswith(_REPLACED)]
            words = json.loads(given[-1].removeprefix(_REPLACED)) if given else []
            text = _REPLACED + json.dumps(list(dict.fromkeys([*words, word])))
            sets = [it for it in sets if it not in given]
        setattr(namespace, self.dest, [*sets, text])


def _replaceable(text: str) -> list[str]:
    """Parse the words of --replace. Raises ArgumentTypeError for an unknown one."""
    words = [word.strip() for word in text.split(",")]
    for word in words:
        if word not in _REPLACEABLE:
            raise argparse.ArgumentTypeError(f"unknown value `{word}`; choose one or more of "
                                             + ", ".join(f"`{it}`" for it in _REPLACEABLE))
    return words


_REPLACEABLE = ("hardware", "throttle", "files", "windows")
_REPLACED, _WINDOWS = "/deployments/*/replace=", "/deployments/*/windows="

#: Options that many verbs share. `weir --help` describes them; the help of a verb only names them.
COMMON: dict[str, dict[str, Any]] = {
    "--set": {"action": "append", "default": [], "metavar": "K=V", "dest": "sets",
              "help": "override a project parameter (K=V) or any other value (/json/pointer=V); may be repeated"},
    "--param": {"action": "append", "default": [], "metavar": "INSTANCE.NAME=V", "dest": "params",
                "help": "set a run-time parameter of a block, without a new build; may be repeated"},
    "--allow-path": {"action": "append", "default": [], "metavar": "DIR", "type": Path,
                     "help": "let blocks read and write files in DIR; without this, only in the project's folder"},
    "--extensions": {"action": _Extensions, "default": [], "metavar": "DIR", "type": Path,
                     "help": "load blocks, schedulers and targets from this folder; Weir runs their code; may be "
                             "repeated"},
    "--trust": {"action": "store_true",
                "help": "let GNU Radio execute the expressions and the Python code of this flowgraph; Weir remembers "
                        "this until they change"},
    "--replace": {"action": _Replace, "default": [], "dest": "sets", "type": _replaceable,
                  "metavar": f"{{{','.join(_REPLACEABLE)}}}",
                  "help": "in a GNU Radio flowgraph, replace devices, sound cards and networks, or files, by noise, "
                          "zeros and null sinks; throttles by wires; windows by null sinks; may have several words "
                          "(hardware,throttle)"},
    "--keep-gui": {"action": _Replace, "nargs": 0, "default": [], "dest": "sets",
                   "help": "show the windows of a GNU Radio flowgraph (default: draw them offscreen)"},
    "--trace": {"choices": BACKENDS, "help": "trace back-end (default: the project's)"},
    "--deployment": {"metavar": "D", "help": "deployment of the project (default: the first)"},
    "--machine": {"metavar": "FILE", "type": Path,
                  "help": "plan for the machine in this file, which `weir doctor --topology --json` writes (default: "
                          "this machine)"},
    "--profile": {"metavar": "RUN", "type": Path,
                  "help": "plan with the block costs of this run (one with metrics `profile`) or of this profile "
                          "file"},
    "--on": {"metavar": "BOARD", "help": "do this on a board of `weir board`, and bring the runs here"},
    "--json": {"action": "store_true", "help": "print JSON on standard output"},
    "--progress": {"choices": ("json",), "help": "json: report progress as one JSON object per line on standard "
                                                 "error"},
}


def add_common(parser: argparse._ActionsContainer, *names: str) -> None:
    """Add common options."""
    for name in names:
        action = parser.add_argument(name, **COMMON[name])
        vars(action)["common"] = True


def add_project_arguments(parser: argparse.ArgumentParser, optional: bool = False) -> None:
    """Add PROJECT and the options of every verb that reads one."""
    parser.add_argument("project", metavar="PROJECT", nargs="?" if optional else None,
                        help="project (*.weir.json), flowgraph of GNU Radio (*.grc), or - for a project on standard "
                             "input")
    add_project_options(parser)


def add_project_options(parser: argparse._ActionsContainer) -> None:
    """Add the options that control how a project is read."""
    add_common(parser, "--set", "--allow-path")
    add_catalog_arguments(parser)


def add_hosting_arguments(parser: argparse._ActionsContainer) -> None:
    """Add the options of flowgraphs that GNU Radio runs."""
    add_common(parser, "--trust", "--replace", "--keep-gui")


def add_catalog_arguments(parser: argparse._ActionsContainer) -> None:
    """Add --extensions and the options that it replaces."""
    add_common(parser, "--extensions")
    for kind in _KINDS:
        parser.add_argument(kind, action="append", default=[], metavar="DIR", type=Path, help=argparse.SUPPRESS)


def refuse_given(args: argparse.Namespace, actions: Iterable[argparse.Action], why: str) -> None:
    """Raise WeirError (E_USAGE) if one of these options was given. `why` ends the sentence: `needs --topology`."""
    for action in actions:
        if getattr(args, action.dest) != action.default:
            raise WeirError(diagnostic("E_USAGE", "", f"{action.option_strings[-1]} {why}"))


def say(text: str) -> None:
    """Print a line for people on standard error."""
    with contextlib.suppress(OSError):  # a closed terminal must not stop a run
        print(f"weir: {text}", file=sys.stderr, flush=True)


def parse_sets(pairs: Sequence[str]) -> dict[str, str]:
    """Return the `--set` arguments as a mapping. Raises WeirError (E_USAGE) for one without `=`."""
    sets = {}
    for pair in pairs:
        key, equals, value = pair.partition("=")
        if not equals or not key:
            raise WeirError(diagnostic("E_USAGE", "", f"--set {pair}: expected name=value or /json/pointer=value"))
        sets[key] = value
    return sets


def read_input(name: str, most: int) -> bytes:
    """Return up to `most` + 1 bytes of a file, or of standard input for `-`. Raises WeirError if it is unreadable."""
    from weir.files import read_bounded

    with trying(f"read {name}"):
        return sys.stdin.buffer.read(most + 1) if name == "-" else read_bounded(name, most)


def folders_of(args: argparse.Namespace | RunRequest) -> Folders:
    """Return the folders that the command line names."""
    from weir.engine.pipeline import Folders

    return Folders(tuple(args.allow_path), tuple(args.block_path), tuple(args.scheduler_path), tuple(args.target_path))


def open_project(args: argparse.Namespace | RunRequest, trust: bool | None = None) -> Pipeline:
    """Return the project on the command line, valid or not.

    `trust`: whether the command line trusts a GNU Radio flowgraph, None for a verb that runs nothing.
    """
    from weir.engine.pipeline import Pipeline
    from weir.model.document.jsontext import MAX_BYTES

    source: Path | bytes = sys.stdin.buffer.read(MAX_BYTES + 1) if args.project == "-" else Path(args.project)
    directory = Path.cwd() if args.project == "-" else None
    if args.project.endswith(".grc"):
        from weir.cli.verbs._grc import project_of

        tell = say if trust is not None and not getattr(args, "json", False) else None
        source, directory = project_of(args, tell), Path(args.project).resolve().parent
    pipeline = Pipeline.open(source, sets=parse_sets(args.sets), directory=directory,
                             folders=folders_of(args), machine=getattr(args, "machine", None),
                             profile=getattr(args, "profile", None))
    if trust is not None:
        ask_for_trust(trust, args.project, pipeline)
    return pipeline


def ask_for_trust(given: bool, source: str, pipeline: Pipeline) -> None:
    """Trust a flowgraph if the command line or the person at the terminal says so. Else the build refuses it."""
    from weir.engine.generation import trusted

    project = pipeline.checked.project
    if project is None or "gnuradio" not in project.document:
        return
    if given or not trusted.is_trusted(project) and confirmed(
            f"GNU Radio executes the expressions and the Python code of {source}; do you trust it"):
        trusted.trust(project)


def open_valid(args: argparse.Namespace) -> Pipeline:
    """Return the project on the command line and print its warnings.

    Raises WeirError with every diagnostic if the project is invalid.
    """
    runs = getattr(args, "build", True)  # `weir generate` runs nothing without --build
    pipeline = open_project(args, getattr(args, "trust", None) if runs else None)
    diagnostics = pipeline.valid(requested_deployments(args))
    items = getattr(args, "items", None)
    if items is not None:
        from weir.model.planning.advice import warmed_up_by_all

        checked = pipeline.checked.valid()
        diagnostics = [it for it in diagnostics if it.code != "W_WARMUP"]
        diagnostics += warmed_up_by_all(checked.graph, checked.rates, items, checked.project.run.warmup_items)
    show(diagnostics, args.project)
    return pipeline


def requested_deployments(args: argparse.Namespace) -> list[str] | None:
    """Return the names on the command line. None for a verb without `--deployment`, which needs all deployments valid.
    """
    if not hasattr(args, "deployment"):
        return None
    return args.deployment if isinstance(args.deployment, list) else [args.deployment] if args.deployment else []


def confirmed(question: str) -> bool | None:
    """Ask the person at the terminal a yes-no question. Returns None without a terminal."""
    if not (sys.stdin.isatty() and sys.stderr.isatty()):
        return None
    print(f"weir: {question}? [y/N] ", end="", file=sys.stderr, flush=True)
    return sys.stdin.readline().strip().lower() in ("y", "yes")


def show(diagnostics: Sequence[Diagnostic], source: str) -> None:
    """Print diagnostics on standard error."""
    if diagnostics:
        print(format_for_people(diagnostics, source, sys.stderr.isatty()), file=sys.stderr)
