#!/usr/bin/python3
"""A/A test of `weir compare` on this machine: 20 pairs of equal sides, and 10 pairs in which B has 5 % more work.

    bench/statistics/aa.py [-o bench/results/<date>-<machine>-statistics.json]

Each pair is a separate set (`weir reproduce A B --repeat 16`) of runs of about half a second in random order. Sides of
successive sets are compared too, because they differ only in time. This takes about a quarter of an hour on an idle
machine. A restart continues after the last complete set.
"""

from __future__ import annotations

import argparse
import json
import shutil
import statistics
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Sequence
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "codegen"))

from weir.engine.measuring.revision import git_revision  # noqa: E402
from weir.engine.measuring.run_directory import find_runs, load_run  # noqa: E402
from weir.files import write_whole  # noqa: E402
from weir.model.document import jsontext  # noqa: E402
from weir.read.comparing.estimates import IN_DOUBT, verdict_of  # noqa: E402
from weir.read.comparing.metrics import BY_ID  # noqa: E402

PROJECT = Path(__file__).with_name("burn.weir.json")
ITERATIONS = {"a": 2000, "b": 2100}
GATE = "throughput_items_per_s"


def weir(*words: object, codes: Sequence[int] = (0,)) -> str:
    """Run a verb and return its output. Exit if its exit code is not in `codes`."""
    done = subprocess.run([sys.executable, "-m", "weir", *map(str, words)], cwd=ROOT / "codegen", text=True,
                          stdout=subprocess.PIPE)
    if done.returncode not in codes:
        sys.exit(f"weir {words[0]} ended with {done.returncode}")
    return done.stdout


def base_runs(work: Path, seconds: float) -> dict[str, Path]:
    """Make one run of each side for `weir reproduce`. Both have the number of items that takes A `seconds`."""
    found, items = {}, 0
    for side, iterations in ITERATIONS.items():
        folder = work / f"base-{side}"
        if not folder.is_dir():
            items = items or _items(work, seconds)
            sets = (f"iterations={iterations}", f"/run/warmup_items={items // 10}", f"/run/items={items}")
            weir("run", PROJECT, "--repeat", 1, *(word for value in sets for word in ("--set", value)), "--json",
                 "--out", folder)
        [found[side]] = find_runs(folder)
        items = load_run(found[side]).results["items"]
    return found


def _items(work: Path, seconds: float) -> int:
    [first] = json.loads(weir("run", PROJECT, "--repeat", 1, "--json", "--out", work / "first", codes=(0, 4)))
    if not first[GATE]:
        sys.exit(f"{PROJECT.name}: the first run is {first['status']} and has no throughput")
    return max(1000, round(first[GATE] * seconds / 1000) * 1000)


def measure(folder: Path, sides: Sequence[Path], repetitions: int) -> None:
    """Measure a set of interleaved runs unless it exists."""
    if (folder / "whole").is_file():
        return
    shutil.rmtree(folder, ignore_errors=True)
    # If a run fails, the verb exits with 4. `weir compare` lists such a run and leaves it out.
    weir("reproduce", *sides, "--repeat", repetitions, "--json", "--out", folder, codes=(0, 4))
    (folder / "whole").touch()


def compared(a: Path, b: Path) -> dict[str, object]:
    """Return the answer of `weir compare` for two folders of runs."""
    [one] = json.loads(weir("compare", a, b, "--metric", GATE, "--json", codes=(0, 1, 4)))["comparisons"]
    gate = one["metrics"][0]
    return {"verdict": by_numbers(one, gate), "because": one["because"], "design": one["design"],
            "rounds": one["rounds"], "ratio": gate["ratio"], "interval": gate["interval"], "p_value": gate["p_value"],
            "left_out": len(one["left_out"]), "flagged": len(one["flagged"])}


def by_numbers(one: dict, gate: dict) -> str:
    """Return the verdict by the numbers alone. Equal sides are the same program, so `weir compare` calls a difference
    doubtful.
    """
    return one["verdict"] if one["verdict"] != IN_DOUBT else verdict_of(BY_ID[gate["id"]], gate["interval"], 1.0)


def rates(folder: Path) -> list[dict[str, object]]:
    """Return each run of a side with its round, its position and its result."""
    runs = sorted((load_run(path) for path in find_runs(folder)), key=lambda run: run.run["round"])
    return [{"round": run.run["round"], "position": run.run["set"]["position"], "started": run.run["started"],
             "status": run.status, GATE: run.results[GATE], "reasons": [r["code"] for r in run.results["reasons"]]}
            for run in runs]


def summary(entries: Sequence[dict]) -> dict[str, object]:
    """Return the number of each verdict, and the width of the intervals as a share."""
    widths = [entry["interval"][1] - entry["interval"][0] for entry in entries if entry["interval"]]
    return {"verdicts": dict(Counter(entry["verdict"] for entry in entries)), "comparisons": len(entries),
            "median_width": statistics.median(widths) if widths else None, "widest": max(widths, default=None),
            "median_ratio": statistics.median(entry["ratio"] for entry in entries) if entries else None}


def main() -> None:
    """Measure pairs of equal and unequal sides, and write the results of their comparisons."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--pairs", type=int, default=20, metavar="N", help="pairs of equal sides (20)")
    parser.add_argument("--slower", type=int, default=10, metavar="N", help="pairs with 5 %% more work (10)")
    parser.add_argument("--repeat", type=int, default=16, metavar="N", help="rounds of a set (16)")
    parser.add_argument("--seconds", type=float, default=0.5, metavar="S", help="length of a run (0.5)")
    parser.add_argument("--work", type=Path, default=ROOT / "build" / "statistics", metavar="DIR",
                        help="folder of the runs; removing it begins anew (build/statistics)")
    parser.add_argument("-o", "--output", type=Path, metavar="F.json", help="write every rate and every verdict")
    args = parser.parse_args()
    work = args.work.absolute()
    work.mkdir(parents=True, exist_ok=True)
    base = base_runs(work, args.seconds)
    # Both kinds of pairs are mixed, so a slow change of the machine affects both.
    order = [kind for i in range(max(args.pairs, args.slower))
             for kind in [f"aa-{i + 1:02d}"] * (i < args.pairs) + [f"ab-{i + 1:02d}"] * (i < args.slower)]
    print(f"{len(order)} sets of {2 * args.repeat} runs: about "
          f"{len(order) * 2 * args.repeat * (args.seconds + 0.5) / 60:.0f} minutes", file=sys.stderr)
    for done, name in enumerate(order):
        started = time.monotonic()
        measure(work / name, [base["a"], base[name[1]]], args.repeat)
        print(f"{name}: {compared(work / name / 'a', work / name / 'b')['verdict']} "
              f"({time.monotonic() - started:.0f} s, {len(order) - done - 1} to go)", file=sys.stderr, flush=True)
    report(args, work, order)


def report(args: argparse.Namespace, work: Path, order: Sequence[str]) -> None:
    """Compare the sets, and print and write the results."""
    sets = [{"name": name, **compared(work / name / "a", work / name / "b"), "a": rates(work / name / "a"),
             "b": rates(work / name / "b")} for name in order]
    neighbours = [{"name": f"{x}/a, {y}/{side}", "slower": y[1] == side == "b",
                   **compared(work / x / "a", work / y / side)}
                  for x, y in zip(order, order[1:]) for side in ("a", "b")]
    found = {
        "interleaved, equal": summary([s for s in sets if str(s["name"]).startswith("aa")]),
        "interleaved, 5 % more work": summary([s for s in sets if str(s["name"]).startswith("ab")]),
        "one after the other, equal": summary([n for n in neighbours if not n["slower"]]),
        "one after the other, 5 % more work": summary([n for n in neighbours if n["slower"]])}
    for name, values in found.items():
        print(f"{name}: {values['verdicts']}, of {values['comparisons']}; median width of the interval "
              f"{values['median_width'] or 0:.2%}, widest {values['widest'] or 0:.2%}")
    if args.output:
        first = load_run(next(find_runs(work / order[0] / "a"))).results
        write_whole(args.output, jsontext.write({
            "summary": found, "iterations": ITERATIONS, "repetitions": args.repeat, "items": first["items"],
            "environment": first["environment"], "revision": git_revision(ROOT), "sets": sets,
            "neighbours": neighbours}))
        print(f"wrote {args.output}", file=sys.stderr)


if __name__ == "__main__":
    main()
