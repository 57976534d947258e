"""The schedulers of this tree, under the deployments of the examples: with what they plan, and at equal buffers."""

from __future__ import annotations

import json
import tempfile
from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path

from weir.bench.cells import PROJECTS, STAGE, Cell
from weir.bench.commands import output
from weir.bench.contender import AUTO, EQUAL, EQUAL_BYTES, Contender, Entry, Facts, Outcome, Site
from weir.bench.kernels import ROOT
from weir.diagnostics import WeirError, diagnostic
from weir.measuring.child import Interrupts
from weir.pipeline import Pipeline
from weir.planning.plan import Plan

#: In the order of the examples' deployments.
SCHEDULERS = ("flow", "single_thread", "thread_per_block", "thread_pool", "work_stealing")
ITEM_BYTES = 4  # of f32
FIRST_ITEMS = 200_000
#: How much of a measurement's time a run must take before its rate is believed.
BELIEVED = 0.1


@dataclass(frozen=True)
class Program:
    """A built binary and how much it is asked for."""

    binary: Path
    cpus: tuple[int, ...]
    items: int = FIRST_ITEMS

    def measured(self) -> Outcome:
        """Items at the sinks a second, from the start barrier to the last sink's end."""
        results = self.results()
        used = [thread["cpu_time_s"] for thread in results["threads"]]
        return Outcome(sum(sink["items"] for sink in results["sinks"]) / results["elapsed_s"],
                       None if None in used else sum(used) / results["elapsed_s"])

    def results(self, metrics: str = "none") -> Mapping:
        """results.json of a run that nothing watches but what `metrics` names. WeirError where it fails."""
        with tempfile.TemporaryDirectory(prefix="weir-bench-") as folder:
            output([self.binary, "--items", self.items, "--trace", "off", "--metrics", metrics, "--timeout-s", 120,
                    "--witness-s", 0, "--out", folder], "a run failed", self.cpus)
            return json.loads((Path(folder) / "results.json").read_text(encoding="utf-8"))

    def lasting(self, seconds: float) -> Program:
        """Asked for as many items as take about so long."""
        it = self
        while (elapsed := max(it.results()["elapsed_s"], 1e-5)) < BELIEVED * seconds:
            # A short run is slower than a long one: one step would ask for too few.
            it = replace(it, items=int(it.items * min(max(seconds / 2 / elapsed, 2), 50)))
        return replace(it, items=max(FIRST_ITEMS, int(it.items * seconds / elapsed)))


def takes_part(scheduler: str, cell: Cell) -> bool:
    """One worker is all that single_thread has, and nothing moves between fewer than two."""
    if scheduler in ("thread_pool", "work_stealing"):
        return cell.n > 1
    return scheduler != "single_thread" or cell.n == 1


def settings(scheduler: str, cell: Cell, buffers: str) -> dict[str, str]:
    """What is set in the example before it is built."""
    deployment = f"/deployments/{SCHEDULERS.index(scheduler)}"
    sets = {"stages": str(cell.m), "/run/trace/backend": '"off"', "/run/metrics": '"none"', "/run/warmup_items": "0"}
    if cell.work == "saxpy":
        sets["workers"] = str(cell.n)
    elif scheduler not in ("single_thread", "thread_per_block"):
        sets[f"{deployment}/workers"] = str(cell.n)
    if buffers == EQUAL:
        items = EQUAL_BYTES // ITEM_BYTES
        sets[f"{deployment}/chunk_items"] = str(items)
        sets[f"{deployment}/buffers"] = json.dumps({"*.out->*.in": {"items": items}})
    return sets


def _build(scheduler: str, cell: Cell, site: Site) -> list[Entry]:
    if not takes_part(scheduler, cell):
        return []
    return [entry(scheduler, cell, site, settings(scheduler, cell, buffers), buffers) for buffers in (AUTO, EQUAL)]


def entry(scheduler: str, cell: Cell, site: Site, sets: Mapping[str, str], buffers: str | None,
          variant: str | None = None) -> Entry:
    """The example with these settings, built, held against what it should compute, and asked for as long a run."""
    pipeline = Pipeline.open(ROOT / "examples" / f"{PROJECTS[cell.work]}.weir.json", sets=sets, here=site.machine)
    deployment = pipeline.checked.project.deployments[SCHEDULERS.index(scheduler)].name
    pipeline.valid([deployment])
    plan = pipeline.plan(deployment).plan
    built = pipeline.build(plan)
    with Interrupts() as interrupts:
        found = pipeline.verify(plan, built, (), interrupts)
    if found is None:
        raise KeyboardInterrupt
    if not found.ok:
        raise WeirError(diagnostic("E_BENCH", "", f"{cell} under {scheduler}: {found.message}"))
    program = Program(built.binary, site.cpus(cell.n)).lasting(site.seconds)
    facts = replace(planned(plan), flags=" ".join(built.flags), items_per_call=per_call(program.results("counters")))
    return Entry(scheduler, program.measured, buffers, variant, facts)


def planned(plan: Plan) -> Facts:
    """What a plan says of its streams."""
    return Facts(buffer_bytes=max(stream.bytes for stream in plan.streams),
                 total_buffer_bytes=sum(stream.bytes for stream in plan.streams if stream.over is None),
                 in_place=any(stream.over is not None for stream in plan.streams))


def per_call(results: Mapping) -> float | None:
    """Items that a call of a stage moved, the mean over all calls of all of them; None where nothing was counted."""
    stages = [block for block in results["blocks"] if block["id"].partition("[")[0].partition("@")[0] == STAGE]
    calls = [block["calls"] for block in stages]
    if not calls or None in calls or not sum(calls):
        return None
    return sum(block["items_out"] for block in stages) / sum(calls)


CONTENDERS = [Contender(scheduler, partial(_build, scheduler)) for scheduler in SCHEDULERS]
