#!/usr/bin/python3
"""Error rates of `weir runs history`: false changes, and errors in the place and size of real ones (docs/history.md).

bench/statistics/changes.py [--series 1000]
"""

from __future__ import annotations

import argparse
import math
import sys
from pathlib import Path

import numpy as np

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "codegen"))

from weir.read.comparing.simulation import NOISES  # noqa: E402
from weir.read.history import change_points as points  # noqa: E402

LENGTHS, SIZES = (8, 12, 20, 40), (0.05, 0.10)


def row(noise: str, n: int, series: int) -> str:
    """Return a row of the table: the share of series without a change in which one is found."""
    dice = np.random.default_rng(1)
    alarms = sum(points.p_value(np.exp(NOISES[noise](dice, n))) <= points.LEVEL for _ in range(series))
    cells = [noise, str(n), f"{100 * alarms / series:.1f}%"]
    for size in SIZES:
        cells += planted(noise, n, math.log(1 - size), series, dice)
    return f"| {' | '.join(cells)} |"


def planted(noise: str, n: int, step: float, series: int, dice: np.random.Generator) -> list[str]:
    """Return the rate of found changes, and the rates of intervals that include their place and their size."""
    at = n // 2 if n <= 12 else n // 3
    found = placed = sized = 0
    for _ in range(series):
        logs = NOISES[noise](dice, n)
        logs[at:] += step
        changes = points.changes(np.exp(logs), points.LEVEL)
        if changes:
            it = min(changes, key=lambda change: abs(change.at - at))
            found += 1
            placed += it.first <= at <= it.last
            sized += it.interval[0] <= math.exp(step) <= it.interval[1]
    return [f"{100 * found / series:.0f}%", *(f"{100 * held / max(found, 1):.0f}%" for held in (placed, sized))]


def main() -> int:
    """Print the table and return the exit code."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--series", type=int, default=1000, metavar="N", help="a row (1000)")
    series = parser.parse_args().series
    heads = ["noise", "commits", "false alarms",
             *(f"{what}" for size in SIZES for what in (f"-{100 * size:.0f} % found", "its place", "its size"))]
    print(f"| {' | '.join(heads)} |\n| --- {'| ---: ' * (len(heads) - 1)}|")
    for noise in NOISES:
        for n in LENGTHS:
            print(row(noise, n, series), flush=True)
    return 0


if __name__ == "__main__":
    sys.exit(main())
