"""Builds the contenders of each cell, then runs them in rounds: all once a round, in random order, one at a time."""

from __future__ import annotations

import json
import os
import random
import subprocess
import tempfile
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timezone
from pathlib import Path

from weir.bench import witness
from weir.bench.cells import PROJECTS, Cell, Contender, contenders
from weir.bench.rows import BARE, rows_of
from weir.diagnostics import WeirError, diagnostic
from weir.measuring import environment
from weir.measuring.child import Interrupts
from weir.measuring.processes import die_with_parent, machine_lock
from weir.measuring.revision import git_revision
from weir.pipeline import Pipeline
from weir.planning.machine import Machine
from weir.planning.topology import this_machine

ROOT = Path(__file__).resolve().parents[3]
SEED = 1
#: The runtime-less loop of null_rand is the better of these.
NULL_RAND_BUFFERS = (8192, 65536)
FIRST_ITEMS = 2_000_000

Say = Callable[[str], None]


@dataclass(frozen=True)
class Built:
    """`items` is what one measurement of the wanted length takes."""

    binary: Path
    buffer_bytes: int
    flags: str
    cpus: int
    items: int


def measure(cells: Sequence[Cell], rounds: int, seconds: float, say: Say) -> dict[str, object]:
    """{rows, environment, raw: [{work, n, m, round, contender, items_per_s, witness_items_per_s, slowed}]}.

    WeirError where something does not build or run.
    """
    bare, here = _build_bare(say), this_machine()
    order = random.Random(SEED)
    rows, raw = [], []
    with machine_lock(lambda: say("another run is measuring on this machine; waiting for it to end")):
        for cell in cells:
            say(f"{cell.work}, {cell.n} workers, {cell.m} stages: building")
            built = {it.scheduler: _build(cell, it, seconds, here) for it in contenders(cell)}
            rates: dict[str, list[float]] = {BARE: [], **{name: [] for name in built}}
            before = _witness(bare, cell)
            for number in range(rounds):
                say(f"{cell.work}, {cell.n} workers, {cell.m} stages: round {number + 1} of {rounds}")
                for name in order.sample(sorted(rates), len(rates)):
                    rate = _run_bare(bare, cell, seconds) if name == BARE else _run(built[name])
                    after = _witness(bare, cell)
                    rates[name].append(rate)
                    raw.append({"work": cell.work, "n": cell.n, "m": cell.m, "round": number, "contender": name,
                                "items_per_s": rate, "witness_items_per_s": [before, after]})
                    before = after
            flags = next(iter(built.values())).flags
            rows += rows_of(cell, rates, {name: it.buffer_bytes for name, it in built.items()}, flags)
    rows, raw = witness.marked(rows, raw)
    return {"rows": [row.as_json() for row in rows], "environment": _environment(here), "raw": raw}


def _environment(here: Machine) -> dict[str, object]:
    return {**environment.host(), "machine": here.as_json(), "git_revision": git_revision(ROOT),
            "utc": datetime.now(timezone.utc).strftime("%Y-%m-%dT%H:%M:%SZ")}


def _build_bare(say: Say) -> Path:
    say("building the bare kernels")
    folder = ROOT / "build" / "bench"
    for command in (["cmake", "-S", str(ROOT / "bench"), "-B", str(folder)], ["cmake", "--build", str(folder)]):
        _output(command, "the bare kernels do not build")
    return folder / "bare"


def _build(cell: Cell, it: Contender, seconds: float, here: Machine) -> Built:
    sets = {"stages": str(cell.m), "/run/trace/backend": '"off"', "/run/metrics": '"none"', "/run/warmup_items": "0",
            **it.sets}
    pipeline = Pipeline.open(ROOT / "examples" / f"{PROJECTS[cell.work]}.weir.json", sets=sets, here=here)
    pipeline.valid([it.deployment])
    plan = pipeline.plan(it.deployment).plan
    ready = pipeline.build(plan)
    with Interrupts() as interrupts:
        found = pipeline.verify(plan, ready, (), interrupts)
    if found is None:
        raise KeyboardInterrupt
    if not found.ok:
        raise WeirError(diagnostic("E_BENCH", "", f"{cell.work} under {it.scheduler}: {found.message}"))
    built = Built(ready.binary, max(stream.bytes for stream in plan.streams), " ".join(ready.flags), cell.n,
                  FIRST_ITEMS)
    # Items of one measurement: a first run that is too short to be quoted tells the rate.
    elapsed = max(_results(built)["elapsed_s"], 1e-4)
    return Built(built.binary, built.buffer_bytes, built.flags, built.cpus,
                 max(FIRST_ITEMS, int(FIRST_ITEMS * seconds / elapsed)))


def _cpus(count: int) -> list[int]:
    """Those that a measurement with so many workers has."""
    return sorted(os.sched_getaffinity(0))[:count]


def _results(built: Built) -> Mapping:
    with tempfile.TemporaryDirectory(prefix="weir-bench-") as folder:
        command = [str(built.binary), "--items", str(built.items), "--trace", "off", "--metrics", "none",
                   "--timeout-s", "120", "--witness-s", "0", "--out", folder]
        _output(command, "a run failed", _cpus(built.cpus))
        return json.loads((Path(folder) / "results.json").read_text())


def _run(built: Built) -> float:
    """Items at the sinks a second, from the start barrier to the last sink's end."""
    results = _results(built)
    return sum(sink["items"] for sink in results["sinks"]) / results["elapsed_s"]


def _witness(bare: Path, cell: Cell) -> float:
    """Items/s of the bare kernel on the slowest of the cell's CPUs."""
    return min(_bare_saxpy(bare, witness.SECONDS, cpu) for cpu in _cpus(cell.n))


def _bare_saxpy(bare: Path, seconds: float, cpu: int) -> float:
    return _bare_rate([bare, "saxpy", "--seconds", seconds, "--cpu", cpu])


def _run_bare(bare: Path, cell: Cell, seconds: float) -> float:
    if cell.work == "saxpy":
        return _bare_saxpy(bare, seconds, _cpus(1)[0])
    loop = [bare, "null_rand", "--workers", cell.n, "--stages", cell.m]
    rates = []
    for buffer in NULL_RAND_BUFFERS:
        first = _bare_rate([*loop, "--buffer", buffer, "--items", FIRST_ITEMS])
        rates.append(_bare_rate([*loop, "--buffer", buffer, "--items", int(first * seconds / 6) + FIRST_ITEMS]))
    return max(rates)


def _bare_rate(command: Sequence[object]) -> float:
    return float(json.loads(_output([str(word) for word in command], "the bare kernel failed"))["items_per_s"])


def _output(command: Sequence[str], fault: str, cpus: Sequence[int] = ()) -> str:
    def before() -> None:  # nothing else runs in this process, so that it is safe between fork and exec
        die_with_parent()
        if cpus:
            os.sched_setaffinity(0, cpus)

    done = subprocess.run(command, capture_output=True, text=True, check=False, preexec_fn=before)
    if done.returncode != 0:
        last = (done.stderr or done.stdout).strip().splitlines()[-8:]
        raise WeirError(diagnostic("E_BENCH", "", f"{fault}: {' '.join(command[:4])} … ended with {done.returncode}",
                                   "\n".join(last)))
    return done.stdout
