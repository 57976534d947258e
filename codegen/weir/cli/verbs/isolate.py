"""weir isolate: CPUs for one program alone, for as long as it runs."""

from __future__ import annotations

import argparse
import json
import sys
from pathlib import Path
from typing import TYPE_CHECKING

from weir.cli.verbs import say
from weir.diagnostics import WeirError, diagnostic, trying
from weir.sure import sure

if TYPE_CHECKING:
    from weir.machine.isolating.session import Record

GROUP = "machine"
HELP = "run a program on CPUs that are kept free of everything else, and put all back afterwards"
NOT_BACK = 3


def add_parser(sub) -> argparse.ArgumentParser:
    parser = sub.add_parser("isolate", help=HELP, description=HELP + ": control groups, other tasks, interrupts, "
                            "governor, as far as permitted; what is not is said. The exit code is that of the program.",
                            usage="weir isolate [options] -- CMD …\n       weir isolate --restore [options]")
    parser.add_argument("--cpus", metavar="LIST",
                        help="such as 1,4-7; without this those that the kernel isolates, or all but the first core")
    parser.add_argument("--free-siblings", action="store_true",
                        help="keep the other threads of these cores free, too")
    parser.add_argument("--governor", metavar="G", help="of these CPUs: performance without this; keep changes none")
    parser.add_argument("-o", "--output", metavar="FILE", type=Path,
                        help="write there what was done, what was not, and what was put back")
    parser.add_argument("--record", type=Path, dest="output", default=argparse.SUPPRESS, help=argparse.SUPPRESS)
    parser.add_argument("--restore", action="store_true",
                        help="put back what an isolation left that was killed; the next one does so, too")
    parser.add_argument("--json", action="store_true",
                        help="print that: the last line on standard error, with --restore on standard output")
    parser.add_argument("command", nargs="*", metavar="CMD", help="the program and its arguments")
    return parser


def run(args: argparse.Namespace) -> int:
    from weir.machine.isolating import machine
    from weir.machine.isolating.session import choose, isolate, restore

    here = machine.Machine()
    if args.restore:
        if args.command or args.cpus or args.governor or args.free_siblings:
            raise WeirError(diagnostic("E_USAGE", "", "--restore isolates nothing, and runs no program"))
        record = restore(here, say)
        _keep(args, record, sys.stdout)
        return 0 if record.all_is_back else NOT_BACK
    if not args.command:
        raise WeirError(diagnostic("E_USAGE", "", "there is no program to run", "weir isolate [options] -- CMD …"))
    record = isolate(here, choose(here, args.cpus, args.free_siblings), args.governor, args.command, _output(), say)
    _keep(args, record, sys.stderr)
    return sure(record.exit_code)


def _keep(args: argparse.Namespace, record: Record, stream) -> None:
    from weir.files import write_whole
    from weir.model.document import jsontext

    if args.json:
        stream.write(jsontext.write(record.as_json()) if args.restore else json.dumps(record.as_json()) + "\n")
    if args.output is not None:
        with trying(f"write {args.output}"):
            write_whole(args.output, jsontext.write(record.as_json()))


def _output() -> int | None:
    """Standard output, which leads elsewhere while a verb runs."""
    try:
        return sys.stdout.fileno()
    except (AttributeError, OSError, ValueError):
        return None
