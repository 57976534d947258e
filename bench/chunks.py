#!/usr/bin/python3
"""Whether the chunks that plans choose are the right ones: auto beside a search over sizes, in the same rounds.

Every case is built once with what its plan chooses and once with each size of chunk, all of them are measured once a
round, in random order, and the best of the search is the size of the best median. What is said of auto is its ratio to
that, paired by rounds (`docs/statistics.md`). The best of several medians is a little above what it would be alone.

With `--clock cpu` rates are items in a second of CPU time, of all threads together: what others take of the machine
then counts only as far as they disturb caches and clocks. It is for workers that never wait for each other.

    bench/chunks.py --rounds 12 --seconds 0.1 --clock cpu --json
"""

from __future__ import annotations

import argparse
import json
import random
import statistics
import sys
from dataclasses import asdict, dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT / "codegen"))

from weir.engine.measuring.speeds import with_kept  # noqa: E402
from weir.lab.bench.cells import Cell  # noqa: E402
from weir.lab.bench.contender import AUTO, Entry, Site  # noqa: E402
from weir.lab.bench.kernels import build_kernels  # noqa: E402
from weir.lab.bench.programs import SCHEDULERS, entry, settings  # noqa: E402
from weir.machine.processes import machine_lock  # noqa: E402
from weir.model.planning.topology import this_machine  # noqa: E402
from weir.read.comparing.statistics import compare_paired  # noqa: E402

SIZES = (256, 512, 1024, 1536, 2048, 3072, 4096, 6144, 8192, 12288, 16384)
CASES = ("saxpy 1 1", "saxpy 1 2", "saxpy 1 4", "saxpy 1 6", "null_rand 2 1", "null_rand 2 5", "null_rand 2 11",
         "null_rand 2 23")
SCHEDULER = {"saxpy": "single_thread", "null_rand": "flow"}


@dataclass(frozen=True)
class Row:
    """`ratio`: auto over the best of the search, with its interval; rates are medians in items/s. `speed`: the slowest
    and the fastest bare kernel between the measurements.
    """

    case: str
    scheduler: str
    auto_bytes: int
    auto: float
    best_items: int
    best: float
    ratio: float
    interval: tuple[float, float] | None
    rates: dict[str, float]
    items_per_call: dict[str, float | None]
    speed: tuple[float, float]


def chunked(scheduler: str, cell: Cell, items: int) -> dict[str, str]:
    """What is set in the example: a chunk of so many items, and streams that go with it."""
    deployment = f"/deployments/{SCHEDULERS.index(scheduler)}"
    return {**settings(scheduler, cell, AUTO), f"{deployment}/chunk_items": str(items)}


def built(scheduler: str, cell: Cell, sizes: list[int], site: Site) -> list[Entry]:
    """Programs of one cell: as planned, and one for each size of chunks."""
    found = [entry(scheduler, cell, site, settings(scheduler, cell, AUTO), AUTO)]
    for items in sizes:
        print(f"building {cell}, {scheduler}, {items} items", file=sys.stderr)
        found.append(entry(scheduler, cell, site, chunked(scheduler, cell, items), None, str(items)))
    return found


def row_of(case: str, scheduler: str, entries: list[Entry], rounds: int, site: Site, order: random.Random,
           clock: str) -> Row:
    """Runs the programs in turns and compares their rates."""
    rates: dict[str, list[float]] = {it.variant or AUTO: [] for it in entries}
    speeds = []
    for _ in range(rounds):
        speeds.append(site.kernels.best.saxpy(0.05, site.cpus(1)[0]))
        for it in order.sample(entries, len(entries)):
            outcome = it.run()
            used = outcome.cpu_s if clock == "cpu" and outcome.cpu_s else 1
            rates[it.variant or AUTO].append(outcome.items_per_s / used)
    medians = {size: statistics.median(found) for size, found in rates.items()}
    best = max((size for size in medians if size != AUTO), key=medians.__getitem__)
    compared = compare_paired(rates[best], rates[AUTO])
    per_call = {it.variant or AUTO: it.facts.items_per_call for it in entries}
    return Row(case, scheduler, entries[0].facts.buffer_bytes or 0, medians[AUTO], int(best), medians[best],
               compared.ratio, compared.interval, medians, per_call, (min(speeds), max(speeds)))


def main() -> int:
    """Measures what the command line asks for and prints the table; returns the exit code."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--cases", nargs="+", default=CASES, metavar="'WORK N M'", help="workers and stages")
    parser.add_argument("--scheduler", choices=SCHEDULERS, help="another one than single_thread and flow")
    parser.add_argument("--sizes", nargs="+", type=int, default=SIZES, metavar="ITEMS")
    parser.add_argument("--rounds", type=int, default=12)
    parser.add_argument("--seconds", type=float, default=0.1, help="of one measurement")
    parser.add_argument("--clock", choices=("wall", "cpu"), default="wall")
    parser.add_argument("--json", action="store_true")
    args = parser.parse_args()
    here = with_kept(this_machine())
    rows = []
    with machine_lock(lambda: print("another run is measuring; waiting for it to end", file=sys.stderr)):
        site = Site(here, build_kernels(here.worker_cpus[0], lambda line: print(line, file=sys.stderr)), args.seconds)
        order = random.Random(1)
        for case in args.cases:
            work, n, m = case.split()
            cell, scheduler = Cell(work, int(n), int(m)), args.scheduler or SCHEDULER[work]
            rows.append(row_of(case, scheduler, built(scheduler, cell, args.sizes, site), args.rounds, site, order,
                               args.clock))
            if not args.json:
                print(text(rows[-1]), flush=True)
    if args.json:
        print(json.dumps([asdict(row) for row in rows], indent=1))
    return 0


def text(row: Row) -> str:
    """The row as a line of the table."""
    within = f" ({row.interval[0]:.3f} .. {row.interval[1]:.3f})" if row.interval else ""
    sizes = "  ".join(f"{size}: {rate / row.best:.2f} ({row.items_per_call[size] or 0:.0f})"
                      for size, rate in row.rates.items())
    return (f"{row.case}, {row.scheduler}: auto {row.auto / 1e9:.3f} G/s with {row.auto_bytes} bytes, best "
            f"{row.best / 1e9:.3f} with {row.best_items} items: {row.ratio:.3f}{within}; "
            f"bare {row.speed[0] / 1e9:.1f} .. {row.speed[1] / 1e9:.1f} G/s\n    {sizes}")


if __name__ == "__main__":
    sys.exit(main())
