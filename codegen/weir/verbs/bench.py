"""weir bench: this tree's schedulers beside the bare kernel, in rounds of random order."""

from __future__ import annotations

import argparse
import math
import sys
from pathlib import Path

from weir.diagnostics import WeirError, os_error
from weir.verbs import add_json_argument

#: Rounds, and seconds of one measurement.
WHOLE, QUICK = (8, 0.5), (3, 0.2)

HELP = "measure the schedulers beside the bare kernel; rows as in bench/README.md"


def add_parser(sub) -> argparse.ArgumentParser:
    parser = sub.add_parser("bench", help=HELP, description=HELP)
    parser.add_argument("--quick", action="store_true",
                        help=f"fewer cells, {QUICK[0]} rounds, {QUICK[1]} s a measurement: minutes, and no intervals")
    parser.add_argument("--rounds", type=_rounds, metavar="N",
                        help=f"every contender once a round ({WHOLE[0]}); fewer than 8 give no interval")
    parser.add_argument("--seconds", type=_seconds, metavar="S", help=f"length of one measurement ({WHOLE[1]})")
    parser.add_argument("--work", choices=("saxpy", "null_rand"), action="append", default=[],
                        help="which workload; both without this")
    parser.add_argument("--out", type=Path, metavar="F.json",
                        help="also write rows, every raw measurement and the environment")
    add_json_argument(parser)
    return parser


def _rounds(text: str) -> int:
    if not text.isdecimal() or not 1 <= int(text) <= 1000:
        raise argparse.ArgumentTypeError(f"`{text}` is not a number of rounds between 1 and 1000")
    return int(text)


def _seconds(text: str) -> float:
    try:
        seconds = float(text)
    except ValueError:
        seconds = math.nan
    if not 0.001 <= seconds <= 600:
        raise argparse.ArgumentTypeError(f"`{text}` is not a number of seconds between 0.001 and 600")
    return seconds


def run(args: argparse.Namespace) -> int:
    from weir.bench.cells import PROJECTS, Cell, cells
    from weir.bench.measure import measure
    from weir.bench.table import table
    from weir.document import jsontext
    from weir.files import write_whole

    def chosen(cpus: int) -> list[Cell]:
        return [cell for cell in cells(cpus, args.quick) if cell.work in (args.work or PROJECTS)]

    rounds, seconds = QUICK if args.quick else WHOLE
    document = measure(chosen, args.rounds or rounds, args.seconds or seconds,
                       lambda text: print(f"weir: {text}", file=sys.stderr, flush=True))
    if args.json:
        sys.stdout.write(jsontext.write({"rows": document["rows"], "environment": document["environment"]}))
    else:
        print(table(document["rows"]))
    # Printed first: what took long to measure is not lost to a file that cannot be written.
    if args.out:
        try:
            write_whole(args.out, jsontext.write(document))
        except OSError as error:
            raise WeirError(os_error(error, f"write {args.out}")) from None
    return 0
