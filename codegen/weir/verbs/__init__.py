"""The verbs of the command line: one small module each, found by its name.

A verb module has `HELP` (one line), `add_parser(sub) -> ArgumentParser` and `run(args) -> int` (the exit code).
`import_.py` is the verb `import`: a trailing underscore is dropped. Heavy imports belong inside `run`.
"""

from __future__ import annotations

import argparse
import contextlib
import sys
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from weir.diagnostics import WARNING, Diagnostic, WeirError, diagnostic, format_for_people, has_errors

if TYPE_CHECKING:
    from weir.check import Checked


def add_project_arguments(parser: argparse.ArgumentParser) -> None:
    """PROJECT and the options of every verb that reads one."""
    parser.add_argument("project", metavar="PROJECT", help="project file (*.weir.json), or - for standard input")
    parser.add_argument("--set", action="append", default=[], metavar="K=V", dest="sets",
                        help="set a project parameter, or /json/pointer=V anything else; may be repeated")
    parser.add_argument("--allow-path", action="append", default=[], metavar="DIR", type=Path,
                        help="let blocks read and write below DIR, outside the project's folder")
    add_catalog_arguments(parser)


def add_catalog_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--block-path", action="append", default=[], metavar="DIR", type=Path,
                        help="a folder of blocks outside the tree; its code is trusted")
    parser.add_argument("--scheduler-path", action="append", default=[], metavar="DIR", type=Path,
                        help="a folder of schedulers outside the tree; its code is trusted")


def add_json_argument(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--json", action="store_true", help="print JSON on standard output")


def say(text: str) -> None:
    """A line for people, on standard error."""
    with contextlib.suppress(OSError):  # that the terminal was closed does not stop a run
        print(f"weir: {text}", file=sys.stderr, flush=True)


def parse_sets(pairs: list[str]) -> dict[str, str]:
    """`--set` arguments as a mapping. WeirError (E_USAGE) for one without `=`."""
    sets = {}
    for pair in pairs:
        key, equals, value = pair.partition("=")
        if not equals or not key:
            raise WeirError(diagnostic("E_USAGE", "", f"--set {pair}: it must be name=value or /json/pointer=value"))
        sets[key] = value
    return sets


def check_project(args: argparse.Namespace) -> Checked:
    """What `weir.check.check` says about the project on the command line, valid or not."""
    from weir.check import check
    from weir.document.jsontext import MAX_BYTES

    source: Path | bytes = sys.stdin.buffer.read(MAX_BYTES + 1) if args.project == "-" else Path(args.project)
    return check(source, sets=parse_sets(args.sets), directory=Path.cwd() if args.project == "-" else None,
                 allow_paths=args.allow_path, block_paths=args.block_path, scheduler_paths=args.scheduler_path)


def load_valid(args: argparse.Namespace) -> Checked:
    """The checked project, warnings printed. WeirError with every diagnostic when it is not valid.

    An error in a deployment that was not asked for is a warning here: the others can still run.
    """
    checked = check_project(args)
    said = diagnostics_that_concern(args, checked)
    if has_errors(said):
        raise WeirError(said)
    if said:
        print(format_for_people(said, args.project, sys.stderr.isatty()), file=sys.stderr)
    return checked


def diagnostics_that_concern(args: argparse.Namespace, checked: Checked) -> list[Diagnostic]:
    """All of them; an error in a deployment that the arguments do not ask for is a warning."""
    if checked.graph is None or not hasattr(args, "deployment"):
        return list(checked.diagnostics)
    asked = args.deployment if isinstance(args.deployment, list) else [args.deployment] if args.deployment else []
    names = [deployment.name for deployment in checked.project.deployments]
    wanted = {str(names.index(name)) for name in asked if name in names} if asked else {"0"}

    def concerns(fault: Diagnostic) -> bool:
        place = fault.pointer.split("/")
        return place[1:2] != ["deployments"] or len(place) < 3 or place[2] in wanted

    return [fault if concerns(fault) else replace(fault, severity=WARNING) for fault in checked.diagnostics]
