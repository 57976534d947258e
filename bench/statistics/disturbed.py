#!/usr/bin/python3
"""Error rates of verdicts with equal interference on both sides: the table of docs/statistics.md ("Interference on both
sides"), which is reproducible.

bench/statistics/disturbed.py [--comparisons 300]

Two programs share two CPUs with other programs, which take slices of some milliseconds. Programs tolerate that
differently: workers that share all tasks use the rest of either CPU; a chain through both CPUs with small buffers stops
while one CPU is taken.
"""

from __future__ import annotations

import argparse
import math
import sys
from collections import Counter
from collections.abc import Callable
from pathlib import Path

import numpy as np

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "codegen"))

from weir.read.comparing.estimates import BETTER, WORSE, verdict_of  # noqa: E402
from weir.read.comparing.metrics import BY_ID  # noqa: E402
from weir.read.comparing.simulation import EFFECT, RESAMPLES, SCALE, THRESHOLD  # noqa: E402
from weir.read.comparing.statistics import paired_interval  # noqa: E402

SHARES = (0.01, 0.02, 0.05, 0.07, 0.10, 0.20, 0.50, 0.85)
BLOCKS = 16
CPUS = 2
#: Length of a run, and mean length of another program's time slice under CFS, in milliseconds.
RUN_MS, SLICE_MS = 500, 4
#: Standard deviation of the logit of the share between runs.
SPREAD = 0.3


def ours(rng: np.random.Generator, share: float, runs: int) -> np.ndarray:
    """Return whether the program had the CPU. Shape (runs, milliseconds, CPUs)."""
    logit = math.log(share / (1.0 - share)) + SPREAD * rng.standard_normal(runs)
    of_run = np.repeat(1.0 / (1.0 + np.exp(-logit)), CPUS).reshape(runs, CPUS)
    comes, goes = np.minimum(1.0, of_run / (1.0 - of_run) / SLICE_MS), 1.0 / SLICE_MS
    theirs = rng.random((runs, CPUS)) < of_run
    found = np.empty((runs, RUN_MS, CPUS), bool)
    for ms in range(RUN_MS):
        found[:, ms] = ~theirs
        theirs = rng.random((runs, CPUS)) < np.where(theirs, 1.0 - goes, comes)
    return found


def pooled(mine: np.ndarray) -> np.ndarray:
    """Simulate workers that share all tasks."""
    return mine.mean(axis=(1, 2))


def chained(mine: np.ndarray) -> np.ndarray:
    """Simulate blocks on both CPUs that wait for each other."""
    return mine.all(axis=2).mean(axis=1)


def verdicts(a: Callable, b: Callable, share: float, truth: float, comparisons: int) -> Counter:
    """Return the verdicts of interleaved comparisons. `truth`: log ratio B over A without interference."""
    rng = np.random.default_rng(list(f"{a.__name__}/{b.__name__}/{share}/{truth:.6f}".encode()))
    gate, found = BY_ID["throughput_items_per_s"], Counter[str]()
    for _ in range(comparisons):
        with np.errstate(divide="ignore"):
            x, y = (np.log(np.maximum(side(ours(rng, share, BLOCKS)), 1.0 / RUN_MS))
                    + SCALE * rng.standard_normal(BLOCKS) for side in (a, b))
        low, high = paired_interval(y - x + truth, resamples=RESAMPLES)
        found[verdict_of(gate, (math.exp(low), math.exp(high)), THRESHOLD)] += 1
    return found


def row(share: float, comparisons: int) -> str:
    """Return one line of the table."""
    like = verdicts(chained, chained, share, EFFECT, comparisons)
    unlike = verdicts(pooled, chained, share, 0.0, comparisons)
    ahead = verdicts(pooled, chained, share, -EFFECT, comparisons)
    shares = (like[WORSE], like[BETTER], unlike[WORSE] + unlike[BETTER], ahead[BETTER], ahead[WORSE])
    return f"| {share:.0%} | " + " | ".join(f"{count / comparisons:.1%}" for count in shares) + " |"


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n\n")[0])
    parser.add_argument("--comparisons", type=int, default=300, metavar="N", help="simulated ones a cell (300)")
    args = parser.parse_args()
    print("| others had | alike, B 5 % slower: worse | alike: better | unlike, equal: better or worse "
          "| unlike, B 5 % faster: better | unlike, B 5 % faster: worse |\n| ---: | ---: | ---: | ---: | ---: | ---: |")
    for share in SHARES:
        print(row(share, args.comparisons), flush=True)


if __name__ == "__main__":
    main()
