#!/usr/bin/python3
"""Time from a change of a project to its result, by phase, for two revisions in turns.

    bench/first_result.py [--before REVISION] [--rounds 5] [--json]

Each tree runs three cases of examples/quickstart: the first run with an empty cache (`first`); another number of
stages, like a parameter change in the editor (`structural`); and another value of a run-time parameter (`runtime`).
ccache is off, and each tree has built three flowgraphs before.

The phase `graph` is the time of compiler and linker for the flowgraph alone; `all` includes the runtime. `rest` is the
time between the other phases: loading Python modules, and reading the compiler's version and the machine. `elapsed_s`
is the time in which items flow. `CPU` is the total CPU time, which other load hardly changes.
"""

from __future__ import annotations

import argparse
import json
import os
import random
import resource
import shutil
import statistics
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
PROJECT = "examples/quickstart.weir.json"
CASES = ("first", "structural", "runtime")
PHASES = ("validate", "plan", "generate", "configure", "all", "graph", "verify", "run", "analyse", "rest")

#: Runs the command line in the tree of the current folder, and prints the times of steps without a phase to stderr.
TIMED = """
import functools, json, sys, time
sys.path.insert(0, "codegen")
def timed(owner, name, step):
    whole = getattr(owner, name)
    @functools.wraps(whole)
    def call(*words, **more):
        begun = time.monotonic()
        try:
            return whole(*words, **more)
        finally:
            print(json.dumps({"step": step, "s": time.monotonic() - begun}), file=sys.stderr, flush=True)
    setattr(owner, name, call)
begun = time.monotonic()
from weir import cli
from weir.engine import pipeline
from weir.engine.generation import build
opened = pipeline.Pipeline.open.__func__
timed(pipeline.Pipeline, "plan_to_run", "plan")
timed(build, "generate", "generate")
pipeline.Pipeline.open = classmethod(lambda *words, **more: opened(*words, **more))
timed(pipeline, "check", "validate")
sys.exit(cli.main(sys.argv[1:]))
"""


def main() -> int:
    """Measure the requested cases, print the table, and return the exit code."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--before", metavar="REVISION",
                        help="also measure this revision, in turns with the tree as it is")
    parser.add_argument("--rounds", type=int, default=5, metavar="N", help="of each case (5)")
    parser.add_argument("--case", action="append", choices=CASES, help="one case alone; may be repeated")
    parser.add_argument("--ccache", action="store_true", help="leave ccache on, where it is installed")
    parser.add_argument("--json", action="store_true", help="every single time, as JSON")
    args = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="weir-first-result-") as work, _trees(args.before, Path(work)) as trees:
        rows = list(_measured(trees, args, Path(work)))
    if args.json:
        json.dump({"rows": rows, "cpus": len(os.sched_getaffinity(0)), "ccache": args.ccache}, sys.stdout, indent=2)
        print()
    else:
        print(_table(rows))
    return 0


@contextmanager
def _trees(before: str | None, work: Path) -> Iterator[dict[str, Path]]:
    """Yield name -> tree. The tree of `before` is a temporary git worktree."""
    if before is None:
        yield {"now": ROOT}
        return
    subprocess.run(["git", "-C", ROOT, "worktree", "add", "--quiet", "--detach", work / "before", before], check=True)
    try:
        yield {"before": work / "before", "now": ROOT}
    finally:
        subprocess.run(["git", "-C", ROOT, "worktree", "remove", "--force", work / "before"], check=True)


def _measured(trees: dict[str, Path], args: argparse.Namespace, work: Path) -> Iterator[dict]:
    for name, tree in trees.items():  # warm up: compiled Python modules, and caches shared by all flowgraphs
        for stages in (1, 2, 3):
            _run(tree, work / f"warm-{name}", ["--set", f"stages={stages}"], args.ccache)
    for number in range(args.rounds):
        for case in args.case or CASES:
            for name in random.sample(sorted(trees), len(trees)):
                cache = work / (f"empty-{name}-{number}" if case == "first" else f"warm-{name}")
                change = {"first": [], "structural": ["--set", f"stages={5 + number}"],
                          "runtime": ["--set", "stages=3", "--param", f"gain.constant={3 + number}"]}[case]
                print(f"round {number + 1} of {args.rounds}: {case}, {name}", file=sys.stderr, flush=True)
                yield {"case": case, "tree": name, "round": number,
                       **_run(trees[name], cache, change, args.ccache)}
                if case == "first":
                    shutil.rmtree(cache)


def _run(tree: Path, cache: Path, change: list[str], ccache: bool) -> dict:
    """Run `weir run`. Returns the seconds of the whole command and of each phase."""
    environment = {**os.environ, "XDG_CACHE_HOME": str(cache), "PYTHONNOUSERSITE": "1",
                   "PYTHONPYCACHEPREFIX": str(tree / "build" / "pycache"),
                   **({} if ccache else {"CCACHE_DISABLE": "1"})}
    environment.pop("PYTHONDONTWRITEBYTECODE", None)  # users keep compiled Python modules
    begun, before = time.monotonic(), resource.getrusage(resource.RUSAGE_CHILDREN)
    child = subprocess.Popen(["/usr/bin/python3", "-P", "-c", TIMED, "run", PROJECT, "--progress=json", "--json",
                              "--out", str(cache / "runs"), *change], cwd=tree, env=environment, text=True,
                             stdout=subprocess.PIPE, stderr=subprocess.PIPE, stdin=subprocess.DEVNULL)
    lines: list[tuple[float, str]] = []
    reader = threading.Thread(target=lambda: lines.extend((time.monotonic() - begun, line)
                                                          for line in child.stderr or ()))
    reader.start()
    said = child.stdout.read() if child.stdout else ""
    reader.join()
    total = time.monotonic() - begun
    if child.wait() != 0:
        raise SystemExit(f"{tree}: the run failed\n{said}{''.join(line for _, line in lines)}")
    [results] = json.loads(said)
    objects = [(at, json.loads(line)) for at, line in lines if line.startswith("{")]
    phases = _phases(objects, total)
    phases["rest"] = total - sum(phases.values())
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    cpu = used.ru_utime + used.ru_stime - before.ru_utime - before.ru_stime
    return {"total_s": round(total, 3), "cpu_s": round(cpu, 3), "run_elapsed_s": results["elapsed_s"],
            "phases_s": {name: round(phases[name], 3) for name in PHASES if name in phases}}


def _phases(objects: list[tuple[float, dict]], total: float) -> dict[str, float]:
    """Return the seconds of each reported phase."""
    spent: dict[str, float] = {}
    for _, value in objects:
        if "step" in value:
            spent[value["step"]] = spent.get(value["step"], 0.0) + value["s"]
    reported = [(at, value["phase"]) for at, value in objects if "phase" in value] + [(total, "")]
    for (at, phase), (end, _) in zip(reported, reported[1:]):
        name = {"configuring": "configure", "verifying": "verify", "runs": "rest", "run": "run",
                "analysing": "analyse", "compiling the graph": "graph"}.get(
                    phase, "all" if phase.startswith("compiling") else "rest")
        spent[name] = spent.get(name, 0.0) + end - at
    # No phase covers the time from the end of verification to the first line of the program, because it belongs to
    # both.
    spent.pop("rest", None)
    return spent


def _table(rows: list[dict]) -> str:
    """Return the table of medians over the rounds, in seconds."""
    names = [name for name in PHASES if any(name in row["phases_s"] for row in rows)]
    lines = [f"{'case':11} {'tree':7} {'total':>7} {'CPU':>7} "
             + " ".join(f"{name:>9}" for name in names) + f" {'elapsed_s':>10}"]
    for case in CASES:
        for tree in ("before", "now"):
            mine = [row for row in rows if (row["case"], row["tree"]) == (case, tree)]
            if not mine:
                continue
            cells = [*((7, [row[key] for row in mine]) for key in ("total_s", "cpu_s")),
                     *((9, [row["phases_s"].get(name, 0.0) for row in mine]) for name in names),
                     (10, [row["run_elapsed_s"] for row in mine])]
            lines.append(f"{case:11} {tree:7} "
                         + " ".join(f"{statistics.median(values):{width}.2f}" for width, values in cells))
    return "\n".join(lines)


if __name__ == "__main__":
    sys.exit(main())
