#!/usr/bin/python3
"""Measure the cost of the probes on GNU Radio flowgraphs: CPU time per item, in arms that take turns.

    bench/probes.py [--rounds 15] [--seconds 1] [--chunk N] FLOWGRAPH.grc ...

The arms are `none` (GNU Radio alone), `counting`, `recording` (events into memory, at the granularity of `weir run`)
and `profile` (counting with work times and fill). Throttles, hardware and windows are replaced, so that the CPU is the
limit. The CPU time is that of the whole process from the start of the flowgraph to its end, and the items are those
that GNU Radio counts at the outputs of the sources. Each cell has the difference from `none` and its 95 % interval,
over the rounds (docs/statistics.md). All values go to stderr. grcc runs the flowgraph's Python, so give only trusted
files.
"""

from __future__ import annotations

import argparse
import json
import os
import random
import statistics
import sys
import tempfile
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
sys.path[:0] = [str(ROOT / "codegen"), str(ROOT / "codegen" / "tests")]

from companion_world import COMPANION, hosted, library  # type: ignore[import-not-found]  # noqa: E402
from weir.read.comparing.statistics import MIN_ROUNDS, compare_paired  # noqa: E402

ARMS = {"none": ["--metrics", "none", "--trace", "off"], "counting": ["--trace", "off"],
        "recording": ["--trace", "memory"], "profile": ["--trace", "off", "--metrics", "profile"]}
#: Events that a thread may keep: few, because the memory for many is taken in the time that is measured.
EVENTS = 1 << 16


def child(words: list[str], folder: Path) -> None:
    """Run the program in this process, and add its CPU time to results.json."""
    from weir_companion import main, program, running

    main.capacity = lambda options: EVENTS
    spent: dict[str, float] = {}
    snippets = program.Program.snippets

    def timed(self: program.Program, section: str) -> None:
        spent[section] = time.process_time()
        snippets(self, section)

    program.Program.snippets = timed  # type: ignore[method-assign]
    running.Running._judge = lambda self: spent.setdefault("end", time.process_time())  # type: ignore[assignment]
    main.main(words)
    file = folder / "results.json"
    document = json.loads(file.read_text())
    file.write_text(json.dumps(document | {"cpu_s": spent["end"] - spent["after_init"]}))


def measured(program: Path, folder: Path, arm: str, seconds: float, probes: Path) -> tuple[float, float]:
    """Return CPU seconds and calls for each item of one run. A fork has GNU Radio's modules already."""
    pid = os.fork()
    if pid == 0:
        null = os.open(os.devnull, os.O_WRONLY)
        os.dup2(null, 1)
        os.dup2(null, 2)
        child([str(program), str(program.with_name("mapping.json")), "--out", str(folder), "--seconds", str(seconds),
               "--library", str(probes), *ARMS[arm]], folder)
        os._exit(0)
    os.waitpid(pid, 0)
    results = json.loads((folder / "results.json").read_text())
    (folder / "results.json").unlink()
    rows = [row for block in results["blocks"] for row in block["inner"]]
    items = sum(row["nitems_written"][0] for row in rows if not row["nitems_read"] and row["nitems_written"])
    return results["cpu_s"] / items, sum(row["calls"] or 0 for row in rows) / items


def cell(costs: dict[str, list[float]], arm: str) -> str:
    """Return the difference of an arm from GNU Radio alone, with its interval where there are enough rounds."""
    estimate = compare_paired(costs["none"], costs[arm])
    if estimate.interval is None:
        return f"{100 * (estimate.ratio - 1):+.1f} % (an interval needs {MIN_ROUNDS} rounds)"
    low, high = (100 * (bound - 1) for bound in estimate.interval)
    return f"{100 * (estimate.ratio - 1):+.1f} % [{low:+.1f}, {high:+.1f}]"


def main() -> None:
    """Measure, and print a row of a Markdown table for each flowgraph."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("flowgraphs", type=Path, nargs="+")
    parser.add_argument("--rounds", type=int, default=15)
    parser.add_argument("--seconds", type=float, default=1.0)
    parser.add_argument("--chunk", type=int, help="items of a call at most: few, to see what a call costs")
    given = parser.parse_args()
    probes = library()
    sys.path.append(str(COMPANION))
    os.environ["QT_QPA_PLATFORM"] = "offscreen"
    from gnuradio import analog, blocks, channels, digital, filter  # noqa: F401  # the forks have them then

    names = ["flowgraph", "calls per CPU second", *list(ARMS)[1:]]
    print(f"| {' | '.join(names)} |\n{'| --- ' * len(names)}|")
    for file in given.flowgraphs:
        with tempfile.TemporaryDirectory() as made:
            program = hosted(file.resolve(), Path(made), replace=["hardware", "throttle"], windows="replaced",
                             **({"chunk_items": given.chunk} if given.chunk else {}))
            costs: dict[str, list[float]] = {arm: [] for arm in ARMS}
            calls = []
            for turn in range(given.rounds + 1):  # the first one warms up
                for arm in random.sample(list(ARMS), len(ARMS)):
                    cost, each = measured(program, Path(made), arm, given.seconds, probes)
                    calls += [each] if arm == "counting" else []
                    costs[arm] += [cost] if turn else []
            speed = statistics.median(calls) / statistics.median(costs["none"])
            cells = " | ".join(cell(costs, arm) for arm in list(ARMS)[1:])
            print(f"| `{file.stem}` | {speed:,.0f} | {cells} |", flush=True)
            print(json.dumps({file.stem: costs}), file=sys.stderr, flush=True)


if __name__ == "__main__":
    main()
