#!/usr/bin/python3
"""Compile costs of the generated C++ for 10, 100 and 1,000 blocks: CPU seconds and peak memory.

The code of four shapes of flowgraph differs: a repeated block, parallel pipes, separate blocks, and separate blocks
with a schedule from a planner (`looped` of the tests). The script compiles only the sources of the flowgraph, with the
flags of the project. The runtime is the same for all.

    bench/build_times.py --blocks 10 100 1000 --shape repeat pipes single --json
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterable
from dataclasses import asdict, dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT / "codegen"))

from weir.engine.generation.emit import generate  # noqa: E402
from weir.engine.targets.interface import GenerationInput  # noqa: E402
from weir.model.check import check  # noqa: E402
from weir.model.planning.machine import read_machine  # noqa: E402
from weir.model.planning.plan import make_plan  # noqa: E402

MACHINE = ROOT / "codegen" / "tests" / "machines" / "two_core.json"
PLANNERS = ROOT / "codegen" / "tests" / "schedulers"
SCHEDULERS = ("flow", "thread_pool")
# A typical chain: some blocks are frequent, some are rare, and some have lists as parameters.
MIX: list[tuple[str, dict]] = [
    ("multiply_const", {"constant": 0.5}), ("add_const", {"constant": 1}), ("copy", {}), ("saxpy", {}),
    ("fir_filter", {"taps": [0.25, 0.5, 0.25]}), ("abs", {}), ("dc_blocker", {}), ("delay", {"items": 3}),
    ("multiply_const", {"constant": 2}), ("copy_rand", {}), ("agc", {}), ("busy_work", {})]


@dataclass(frozen=True)
class Row:
    """Row of the table. `cpu_s`: user and system time of all compilers. `peak_mb`: peak memory of the largest one.
    `bytes`: size of the generated sources.
    """

    shape: str
    scheduler: str
    blocks: int
    sources: int
    bytes: int
    cpu_s: float
    peak_mb: float


def _chain(stages: Iterable[dict], head: bool = True, **more) -> dict:
    blocks: list[dict] = [{"id": "source", "type": "null_source", "parameters": {"item_type": "f32"}},
              *([{"id": "limit", "type": "head"}] if head else []), *stages, {"id": "sink", "type": "null_sink"}]
    wires = [[a["id"], "out", b["id"], "in"] for a, b in zip(blocks, blocks[1:])]
    return {"schema_version": 1, "name": "build_times", "graph": {"blocks": blocks, "connections": wires, **more}}


def repeat(blocks: int) -> dict:
    """Return a project with one repeated block, `blocks` instances in total."""
    return _chain([{"id": "stage", "type": "copy_rand", "repeat": blocks - 3}])


def pipes(blocks: int) -> dict:
    """Return a project of parallel pipes with ten blocks each."""
    return _chain([{"id": "stage", "type": "copy_rand", "repeat": 7}], pipes=max(blocks // 10, 1))


def single(blocks: int) -> dict:
    """Return a project with `blocks` separate blocks."""
    return _chain(_mixed(MIX, blocks - 3))


def scheduled(blocks: int) -> dict:
    """Return a project with separate blocks whose rates are fixed."""
    return _chain(_mixed([(kind, values) for kind, values in MIX if kind != "copy_rand"], blocks - 2), head=False)


def _mixed(mix: list[tuple[str, dict]], blocks: int) -> list[dict]:
    kinds = [mix[i % len(mix)] for i in range(blocks)]
    return [{"id": f"{kind}_{i}", "type": kind, "parameters": values} for i, (kind, values) in enumerate(kinds)]


SHAPES: dict[str, Callable[[int], dict]] = {
    "repeat": repeat, "pipes": pipes, "single": single, "scheduled": scheduled}


def generated(document: dict, scheduler: str) -> tuple[dict[str, bytes], list[str]]:
    """Return the files of the generated project, and the words of the compiler command."""
    # With nested loops, 1,000 blocks would exceed the maximum number of calls per period in a plan.
    flat = {"parameters": {"passes": 1}} if scheduler == "looped" else {}
    document["deployments"] = [{"name": scheduler, "scheduler": scheduler, **flat}]
    result = check(json.dumps(document), scheduler_paths=[PLANNERS])
    if result.project is None or result.graph is None:
        raise SystemExit("\n".join(str(it) for it in result.diagnostics))
    plan = make_plan(result.project, result.graph, result.catalog, read_machine(MACHINE),
                     result.project.deployment(scheduler)).plan
    inputs = GenerationInput(plan, result.project, result.catalog)
    return generate(plan, result.project, result.catalog), list(inputs.words)


def compiled(folder: Path, words: list[str]) -> tuple[float, float]:
    """Compile the sources of the flowgraph. Returns the total CPU seconds and the peak MB."""
    seconds = peak = 0.0
    for source in sorted((folder / "src").glob("*.cpp")):
        command = [*words, "-std=c++20", "-Wall", "-Wextra", "-DNDEBUG", "-DWEIR_TRACING=1", f"-I{folder / 'weir'}",
                   f"-I{folder / 'weir' / 'include'}", "-c", str(source), "-o", os.devnull]
        child = subprocess.Popen(command, env={**os.environ, "CCACHE_DISABLE": "1"})
        _, status, used = os.wait4(child.pid, 0)
        if status != 0:
            raise SystemExit(f"{source} does not compile")
        seconds += used.ru_utime + used.ru_stime
        peak = max(peak, used.ru_maxrss / 1024)
    return seconds, peak


def measured(shape: str, scheduler: str, blocks: int, rounds: int, keep: Path | None) -> Row:
    """Build one project `rounds` times, and return its row."""
    files, words = generated(SHAPES[shape](blocks), scheduler)
    with tempfile.TemporaryDirectory() as scratch:
        folder = keep / f"{shape}-{scheduler}-{blocks}" if keep else Path(scratch)
        for name, data in files.items():
            (folder / name).parent.mkdir(parents=True, exist_ok=True)
            (folder / name).write_bytes(data)
        seconds, peak = min(compiled(folder, words) for _ in range(rounds))
    sources = [data for name, data in files.items() if name.startswith("src/")]
    return Row(shape, scheduler, blocks, len(sources), sum(map(len, sources)), round(seconds, 2), round(peak, 1))


def main() -> int:
    """Measure the requested cases, print the table, and return the exit code."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--blocks", type=int, nargs="+", default=[10, 100, 1000])
    parser.add_argument("--shape", choices=SHAPES, nargs="+", default=list(SHAPES))
    parser.add_argument("--scheduler", nargs="+", default=list(SCHEDULERS), help="of the shapes but scheduled")
    parser.add_argument("--rounds", type=int, default=1, help="the quickest counts")
    parser.add_argument("--keep", type=Path, metavar="DIR", help="leave the generated projects there")
    parser.add_argument("--json", action="store_true")
    options = parser.parse_args()
    rows = []
    if not options.json:
        print(f"{'shape':9} {'scheduler':14} {'blocks':>6} {'sources':>7} {'KB':>6} {'CPU s':>7} {'peak MB':>8}")
    for shape in options.shape:
        for scheduler in ["looped"] if shape == "scheduled" else options.scheduler:
            for blocks in options.blocks:
                row = measured(shape, scheduler, blocks, options.rounds, options.keep)
                rows.append(row)
                if not options.json:
                    print(f"{row.shape:9} {row.scheduler:14} {row.blocks:6} {row.sources:7} {row.bytes / 1e3:6.0f} "
                          f"{row.cpu_s:7.2f} {row.peak_mb:8.0f}", flush=True)
    if options.json:
        print(json.dumps({"rows": [asdict(row) for row in rows]}, indent=2))
    return 0


if __name__ == "__main__":
    sys.exit(main())
