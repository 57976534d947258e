#!/usr/bin/python3
"""Simulated coverage, false alarms and power of `weir compare`: the tables of docs/statistics.md.

bench/statistics/simulate.py [--comparisons 1000] [-o bench/results/statistics-simulated.json]
"""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "codegen"))

from weir.files import write_whole  # noqa: E402
from weir.model.document import jsontext  # noqa: E402
from weir.read.comparing.simulation import DESIGNS, NOISES, ROUNDS, simulate, table  # noqa: E402


def main() -> None:
    """Simulate comparisons and print the table."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--comparisons", type=int, default=1000, metavar="N", help="simulated ones a cell (1000)")
    parser.add_argument("-o", "--output", type=Path, metavar="F.json", help="write the numbers too")
    args = parser.parse_args()
    cells = []
    for design in DESIGNS:
        for noise in NOISES:
            for rounds in ROUNDS:
                cells.append(simulate(design, noise, rounds, args.comparisons))
                print(table(cells[-1:]).splitlines()[-1], file=sys.stderr, flush=True)
    print(table(cells))
    if args.output:
        write_whole(args.output, jsontext.write({"cells": [cell.as_json() for cell in cells]}))


if __name__ == "__main__":
    main()
