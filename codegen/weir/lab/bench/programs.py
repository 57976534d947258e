"""A project of a cell under one scheduler: built, held against what it should compute, and asked for as long a run."""

from __future__ import annotations

import json
import tempfile
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from pathlib import Path

from weir.diagnostics import WeirError, diagnostic
from weir.engine.measuring.child import Interrupts
from weir.engine.pipeline import Pipeline
from weir.lab.bench.cells import STAGE, Cell
from weir.lab.bench.commands import output
from weir.lab.bench.contender import EQUAL, EQUAL_BYTES, Entry, Facts, Outcome, Site
from weir.model.planning.plan import Plan, PlannedStream
from weir.model.planning.schedule_check import arenas

#: In the order of the projects' deployments, of which some have only the first ones.
SCHEDULERS = ("flow", "single_thread", "thread_per_block", "thread_pool", "work_stealing", "static", "fused",
              "circuit", "replicated")
#: Whose buffers cannot be as large as others': a loop has none, a circuit has quanta for all of its workers, and there
#: is nothing between workers that all do the same.
AS_PLANNED = FUSED, CIRCUIT, REPLICATED = ("fused", "circuit", "replicated")
#: Those that make a schedule beforehand.
SCHEDULED = ("static", *AS_PLANNED)
#: What has one worker, or one a block.
WITHOUT_WORKERS = ("single_thread", "thread_per_block", "gnuradio")
ITEM_BYTES = 4  # of f32
FIRST_ITEMS = 200_000
#: How much of a measurement's time a run must take before its rate is believed.
BELIEVED = 0.1
PERCENTILES = ("p50_ns", "p95_ns", "p99_ns", "max_ns")


@dataclass(frozen=True)
class Program:
    """A built binary, how much it is asked for, and what watches it meanwhile. `options`: more words for it."""

    binary: Path
    cpus: tuple[int, ...]
    items: int = FIRST_ITEMS
    trace: str = "off"
    metrics: str = "none"
    options: tuple[object, ...] = ()

    def measured(self) -> Outcome:
        """Runs it once."""
        return outcome_of(self.results())

    def results(self) -> Mapping:
        """results.json of a run. WeirError where it fails."""
        with tempfile.TemporaryDirectory(prefix="weir-bench-") as folder:
            return self.results_in(Path(folder))

    def results_in(self, folder: Path, held: Callable[[int], None] | None = None) -> Mapping:
        """The same with its files in a folder. `held`: told its process id while nothing of it runs yet."""
        output([self.binary, "--items", self.items, "--trace", self.trace, "--metrics", self.metrics,
                "--timeout-s", 120, "--witness-s", 0, "--out", folder, *self.options], "a run failed", self.cpus, held)
        return json.loads((folder / "results.json").read_text(encoding="utf-8"))

    def lasting(self, seconds: float) -> Program:
        """Asked for as many items as take about so long."""
        it = self
        while (elapsed := max(it.results()["elapsed_s"], 1e-5)) < BELIEVED * seconds:
            # A short run is slower than a long one: one step would ask for too few.
            it = replace(it, items=int(it.items * min(max(seconds / 2 / elapsed, 2), 50)))
        return replace(it, items=max(FIRST_ITEMS, int(it.items * seconds / elapsed)))


def outcome_of(results: Mapping) -> Outcome:
    """Items at the sinks a second, from the start barrier to the last sink's end."""
    used = [thread["cpu_time_s"] for thread in results["threads"]]
    latency = results.get("latency")
    return Outcome(sum(sink["items"] for sink in results["sinks"]) / results["elapsed_s"],
                   None if None in used else sum(used) / results["elapsed_s"],
                   latency and {name: latency[name] for name in PERCENTILES})


def takes_part(scheduler: str, cell: Cell) -> bool:
    """One worker is all that single_thread has, nothing moves between fewer than two, and no stage alone is a loop of
    several. A schedule needs fixed rates, and is looked at where the bare kernel is what bounds it; on one worker, a
    circuit and what all do alike are what static is.
    """
    if scheduler in SCHEDULED:
        return (cell.work == "saxpy" and (scheduler != FUSED or cell.m > cell.n)
                and (scheduler not in (CIRCUIT, REPLICATED) or cell.n > 1))
    if scheduler in ("thread_pool", "work_stealing"):
        return cell.n > 1
    return scheduler != "single_thread" or cell.n == 1


def deployment_index(scheduler: str, cell: Cell) -> int:
    """In the cell's project: the schedulers of this tree are its first deployments, in their order; those of other
    runtimes go by the names of theirs.
    """
    if scheduler in SCHEDULERS:
        return SCHEDULERS.index(scheduler)
    deployments = json.loads(cell.project.read_text(encoding="utf-8"))["deployments"]
    return [deployment["name"] for deployment in deployments].index(scheduler)


def settings(scheduler: str, cell: Cell, buffers: str) -> dict[str, str]:
    """What is set in the project before it is built."""
    deployment = f"/deployments/{deployment_index(scheduler, cell)}"
    sets = {"stages": str(cell.m), "/run/trace/backend": '"off"', "/run/metrics": '"none"', "/run/warmup_items": "0"}
    if cell.kernel != "null_rand":
        sets["workers"] = str(cell.n)
    elif scheduler not in WITHOUT_WORKERS:
        sets[f"{deployment}/workers"] = str(cell.n)
    if buffers == EQUAL:
        items = EQUAL_BYTES // ITEM_BYTES
        sets[f"{deployment}/chunk_items"] = str(items)
        sets[f"{deployment}/buffers"] = json.dumps({"*.out->*.in": {"items": items}})
    return sets


@dataclass(frozen=True)
class Ready:
    """A program that computes what it should, of a plan. `flags`: those that it was built with."""

    program: Program
    plan: Plan
    flags: str

    def facts(self, program: Program | None = None) -> Facts:
        """Of the plan, and of an untimed run in which calls are counted: of `program`, which may ask for more."""
        counted = replace(program or self.program, metrics="counters").results()
        return replace(planned(self.plan), flags=self.flags, items_per_call=per_call(counted))


def ready(scheduler: str, cell: Cell, site: Site, sets: Mapping[str, str]) -> Ready:
    """The cell's project with these settings. WeirError where it does not build or computes wrongly.

    The plan is for the cell's CPUs alone: workers that are more than these share them.
    """
    cpus = site.cpus(cell.cpus)
    pipeline = Pipeline.open(cell.project, sets=sets, here=site.machine if cell.n <= cell.cpus else
                             replace(site.machine, allowed=tuple(sorted(cpus))))
    deployment = pipeline.checked.valid().project.deployments[deployment_index(scheduler, cell)].name
    pipeline.valid([deployment])
    plan = pipeline.plan(deployment).plan
    built = pipeline.build(plan)
    with Interrupts() as interrupts:
        found = pipeline.verify(plan, built, (), interrupts)
    if found is None:
        raise KeyboardInterrupt
    if not found.ok:
        raise WeirError(diagnostic("E_BENCH", "", f"{cell} under {scheduler}: {found.message}"))
    return Ready(Program(built.binary, cpus), plan, " ".join(built.flags))


def entry(scheduler: str, cell: Cell, site: Site, sets: Mapping[str, str], buffers: str | None,
          variant: str | None = None, condition: str | None = None) -> Entry:
    """The project with these settings, asked for as many items as take the time of a measurement."""
    it = ready(scheduler, cell, site, sets)
    program = it.program.lasting(site.seconds)
    return Entry(scheduler, program.measured, buffers, variant, it.facts(program), condition)


def planned(plan: Plan) -> Facts:
    """What a plan says of its streams."""
    alone = sum(stream.bytes for stream in plan.streams if stream.over is None and stream.arena is None)
    return Facts(buffer_bytes=max(stream.bytes for stream in plan.streams),
                 total_buffer_bytes=alone + sum(arenas(plan.streams).values()),
                 in_place=any(stream.over is not None or _over_its_input(stream, plan) for stream in plan.streams))


def _over_its_input(stream: PlannedStream, plan: Plan) -> bool:
    """Whether a schedule has it where its writer finds its items."""
    if stream.arena is None:
        return False
    writer, place = stream.name.rpartition(".")[0], (stream.arena, stream.offset)
    return any((other.arena, other.offset) == place for other in plan.streams
               if any(reader.rpartition(".")[0] == writer for reader in other.readers))


def per_call(results: Mapping) -> float | None:
    """Items that a call of a stage moved, the mean over all calls of all of them; None where nothing was counted."""
    stages = [block for block in results["blocks"] if block["id"].partition("[")[0].partition("@")[0] == STAGE]
    calls = [block["calls"] for block in stages]
    if not calls or None in calls or not sum(calls):
        return None
    return sum(block["items_out"] for block in stages) / sum(calls)
