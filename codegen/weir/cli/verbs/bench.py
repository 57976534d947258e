"""weir bench: this tree's schedulers beside the bare kernel, in rounds of random order."""

from __future__ import annotations

import argparse
import math
import sys
from collections.abc import Mapping
from pathlib import Path

from weir.cli.verbs import add_json_argument
from weir.diagnostics import Diagnostic, WeirError, os_error
from weir.lab.bench.cells import WORKS

#: Rounds, and seconds of one measurement.
WHOLE, QUICK = (8, 0.5), (3, 0.2)

GROUP = "run"
HELP = "measure the schedulers beside the bare kernel; rows as in bench/README.md"


def add_parser(sub) -> argparse.ArgumentParser:
    parser = sub.add_parser("bench", help=HELP, description=HELP)
    parser.add_argument("--quick", action="store_true",
                        help=f"fewer cells, {QUICK[0]} rounds, {QUICK[1]} s a measurement: minutes, and no intervals")
    parser.add_argument("--rounds", type=_rounds, metavar="N",
                        help=f"every contender once a round ({WHOLE[0]}); fewer than 8 give no interval")
    parser.add_argument("--seconds", type=_seconds, metavar="S", help=f"length of one measurement ({WHOLE[1]})")
    parser.add_argument("--work", choices=tuple(WORKS), action="append", default=[],
                        help="which workload; all without this, and may be given more than once")
    parser.add_argument("--out", type=Path, metavar="F.json",
                        help="also write rows, every raw measurement and the environment")
    parser.add_argument("--figures", type=Path, metavar="DIR",
                        help="also draw the rows, as SVG and PNG: saxpy over the stages beside the lines n / m and "
                             "1 / ceil(m / n), null_rand beside the runtime-less loop, the others each in its way")
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
    from weir.lab.bench.cells import Cell, cells
    from weir.lab.bench.measure import measure
    from weir.lab.bench.table import table
    from weir.model.document import jsontext

    def chosen(cpus: int) -> list[Cell]:
        return [cell for cell in cells(cpus, args.quick) if cell.work in (args.work or WORKS)]

    rounds, seconds = QUICK if args.quick else WHOLE
    document = measure(chosen, args.rounds or rounds, args.seconds or seconds,
                       lambda text: print(f"weir: {text}", file=sys.stderr, flush=True))
    if args.json:
        sys.stdout.write(jsontext.write({"rows": document["rows"], "environment": document["environment"]}))
    else:
        print(table(document["rows"]))
    # Printed first, and each file for itself: what took long to measure is not lost to one that cannot be written.
    faults: list[Diagnostic] = []
    for wanted, write in ((args.out, _write_document), (args.figures, _write_figures)):
        try:
            if wanted:
                write(wanted, document)
        except WeirError as error:
            faults += error.diagnostics
    if faults:
        raise WeirError(faults)
    return 0


def _write_document(path: Path, document: Mapping) -> None:
    from weir.files import write_whole
    from weir.model.document import jsontext

    try:
        write_whole(path, jsontext.write(document))
    except OSError as error:
        raise WeirError(os_error(error, f"write {path}")) from None


def _write_figures(folder: Path, document: Mapping) -> None:
    from weir.lab.bench.figures import write_figures

    for path in write_figures(document["rows"], folder):
        print(f"weir: {path}", file=sys.stderr)
