"""weir isolate: reserve CPUs for one program while it runs."""

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
HELP = "run a program on reserved CPUs, and restore the machine afterwards"
NOT_BACK = 3


def add_parser(sub) -> argparse.ArgumentParser:
    parser = sub.add_parser("isolate", help=HELP, description=HELP + ". Weir moves other tasks and interrupts away, "
                            "puts the program into a control group and sets the frequency governor. It reports each "
                            "step that Linux did not permit. The exit code is that of the program.",
                            usage="weir isolate [options] -- CMD …\n       weir isolate --restore [options]")
    parser.add_argument("--cpus", metavar="LIST",
                        help="CPUs to reserve, such as 1,4-7 (default: those that Linux isolates, or all but the first "
                             "core)")
    parser.add_argument("--free-siblings", action="store_true",
                        help="keep the other hardware threads of these cores idle")
    parser.add_argument("--governor", metavar="G", help="frequency governor of these CPUs (default: performance; keep: "
                                                        "do not change it)")
    parser.add_argument("-o", "--output", metavar="FILE", type=Path,
                        help="write a record of what Weir changed, could not change and restored")
    parser.add_argument("--record", type=Path, dest="output", default=argparse.SUPPRESS, help=argparse.SUPPRESS)
    parser.add_argument("--restore", action="store_true",
                        help="undo the changes of an isolation that was killed; the next isolation also does this")
    parser.add_argument("--json", action="store_true",
                        help="print the record as JSON: as the last line on standard error, or with --restore on "
                             "standard output")
    parser.add_argument("command", nargs="*", metavar="CMD", help="program and its arguments")
    return parser


def run(args: argparse.Namespace) -> int:
    from weir.machine.isolating import machine
    from weir.machine.isolating.session import choose, isolate, restore

    here = machine.Machine()
    if args.restore:
        if args.command or args.cpus or args.governor or args.free_siblings:
            raise WeirError(diagnostic("E_USAGE", "", "--restore takes no program and no options of an isolation"))
        record = restore(here, say)
        _keep(args, record, sys.stdout)
        return 0 if record.all_is_back else NOT_BACK
    if not args.command:
        raise WeirError(diagnostic("E_USAGE", "", "the program is missing", "weir isolate [options] -- CMD …"))
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
    """Return the real standard output; while a verb runs, sys.stdout is redirected."""
    try:
        return sys.stdout.fileno()
    except (AttributeError, OSError, ValueError):
        return None
