"""The works beside saxpy and null_rand: what each asks of a scheduler, on which CPUs, beside what."""

from __future__ import annotations

import os
import signal
import subprocess
import time
from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from pathlib import Path

import pytest
from planning import EXAMPLES, machine
from weir.diagnostics import WeirError
from weir.engine.generation import build
from weir.engine.pipeline import Pipeline
from weir.lab.bench import programs
from weir.lab.bench.cells import WORKS, Cell, cells
from weir.lab.bench.commands import output
from weir.lab.bench.contender import Entry, Outcome, Site
from weir.lab.bench.contenders import bare
from weir.lab.bench.kernels import Kernel, Kernels
from weir.lab.bench.programs import Program, Ready, outcome_of, takes_part
from weir.lab.bench.rows import BARE
from weir.lab.bench.works import busy_work, entries_of, paced, shared_core, watching
from weir.model.document import shape
from weir.model.document.project import load_project

KERNEL = Kernel(Path("bare"), 0, "-O3")
SHARED, PACED, BUSY, LONG, WATCHED = (Cell("shared_core", 2, 4), Cell("paced", 2, 5), Cell("busy_work", 4, 4),
                                      Cell("long_graph", 2, 1000), Cell("watching", 2, 5))


def site(seconds: float = 0.5, name: str = "two_core") -> Site:
    return Site(machine(name), Kernels((KERNEL,), KERNEL), seconds)


class Imagined(Program):
    """A binary of 1 G items/s, of all pipes together."""

    def results(self) -> dict:
        counted = 10 if self.metrics == "counters" else None
        return {"elapsed_s": self.items / 1e9, "sinks": [{"items": self.items}], "threads": [{"cpu_time_s": 0.1}],
                "blocks": [{"id": "stage", "calls": counted, "items_out": 2560}],
                "latency": {name: 5.0 for name in ("p50_ns", "p95_ns", "p99_ns", "max_ns", "mean_ns")}
                if self.trace == "memory" else None}


def planned(scheduler: str, cell: Cell, where: Site, sets: Mapping[str, str]) -> Ready:
    """What `ready` gives, without building anything."""
    pipeline = Pipeline.open(cell.project, sets=sets, here=where.machine)
    deployment = pipeline.checked.project.deployments[programs.SCHEDULERS.index(scheduler)].name
    pipeline.valid([deployment])
    return Ready(Imagined(Path("x"), where.cpus(cell.cpus)), pipeline.plan(deployment).plan, "-O3")


@pytest.fixture
def unbuilt(monkeypatch: pytest.MonkeyPatch) -> Iterator[list[tuple]]:
    """Nothing is built or run; the list has what would have been: (project, scheduler, settings)."""
    made = []

    def ready(scheduler: str, cell: Cell, where: Site, sets: Mapping[str, str]) -> Ready:
        made.append((cell.project, scheduler, tuple(sorted(sets.items()))))
        return planned(scheduler, cell, where, sets)

    for module in (programs, paced, watching):
        monkeypatch.setattr(module, "ready", ready)
    monkeypatch.setattr(watching, "can_trace", lambda program: True)
    paced.highest_of_flow.cache_clear()
    yield made
    paced.highest_of_flow.cache_clear()


# The cells

def test_every_work_has_a_project_a_module_and_cells() -> None:
    for work, it in WORKS.items():
        assert (EXAMPLES.parent / it.project).is_file() and callable(entries_of(work))
    for quick in (True, False):
        assert {cell.work for cell in cells(2, quick)} == set(WORKS)
    schema = shape.schema("bench")["$defs"]["work"]["enum"]
    assert schema == list(WORKS)
    modules = {path.stem for path in Path(paced.__file__).parent.glob("*.py")} - {"__init__"}
    assert modules == set(WORKS)


def test_more_workers_than_cpus_share_those_of_the_cell(monkeypatch: pytest.MonkeyPatch) -> None:
    """Also on a machine that has more."""
    assert BUSY.cpus == 2 and SHARED.cpus == 2 and Cell("saxpy", 1, 4).cpus == 1
    assert {cell.work for cell in cells(1, False)} == {"saxpy", "null_rand", "paced", "watching"}
    seen = []

    def opened(project: Path, sets: Mapping[str, str], here) -> None:
        seen.append(here)
        raise WeirError([])

    monkeypatch.setattr(programs.Pipeline, "open", opened)
    for cell in (BUSY, SHARED):
        with pytest.raises(WeirError):
            programs.ready("flow", cell, site(name="quad_smt"), {})
    narrow, whole = seen
    assert len(narrow.worker_cpus) == 2 and set(narrow.worker_cpus) == set(site(name="quad_smt").cpus(2))
    assert whole == machine("quad_smt")


def test_the_ideal_is_of_what_the_bare_kernel_of_the_work_has() -> None:
    assert SHARED.bares_in_ideal == Cell("saxpy", 2, 4).bares_in_ideal == 0.5 and LONG.bares_in_ideal == 0.002
    assert PACED.bares_in_ideal == WATCHED.bares_in_ideal == Cell("null_rand", 2, 5).bares_in_ideal == 1
    assert BUSY.bares_in_ideal == 0.25  # bare is on all CPUs already, and does the work of one stage


def test_a_whole_bench_fits_into_the_cache_of_builds(unbuilt: list[tuple]) -> None:
    """Else the next one builds all of them again. A build takes 2.5 to 3.7 MiB."""
    for cell in cells(2, False):
        for scheduler in programs.SCHEDULERS:
            if takes_part(scheduler, cell):
                entries_of(cell.work)(scheduler, cell, site())
    assert 60 < len(set(unbuilt)) and len(set(unbuilt)) * 3.75 * 2**20 <= build.KEPT_BYTES


# Each work

def entries(cell: Cell, *schedulers: str) -> list[Entry]:
    return [it for name in schedulers or programs.SCHEDULERS if takes_part(name, cell)
            for it in entries_of(cell.work)(name, cell, site())]


def test_a_busy_loop_runs_beside_the_second_of_two_measurements_alone(unbuilt: list[tuple],
                                                                      monkeypatch: pytest.MonkeyPatch) -> None:
    beside: list[str] = []
    monkeypatch.setattr(Imagined, "measured", lambda self: beside.append("measured") or Outcome(1.0))

    class Loop:
        def __init__(self, cpu: int):
            self.cpu = cpu

        def __enter__(self) -> None:
            beside.append(f"loop on {self.cpu}")

        def __exit__(self, *_: object) -> None:
            beside.append("ended")

    monkeypatch.setattr(shared_core, "busy_loop", Loop)
    alone, disturbed = entries(SHARED, "flow")
    assert (alone.condition, alone.against, disturbed.condition, disturbed.against) == (
        "alone", None, "beside a busy loop", "alone")
    assert alone.facts == disturbed.facts and alone.facts.items_per_call == 256
    alone.run()
    assert beside == ["measured"]
    disturbed.run()
    assert beside == ["measured", f"loop on {site().cpus(2)[1]}", "measured", "ended"]


def test_the_busy_loop_has_its_cpu_and_ends_with_the_measurement() -> None:
    cpu = max(os.sched_getaffinity(0))
    with shared_core.busy_loop(cpu) as loop:
        stat = Path(f"/proc/{loop.pid}/stat")
        deadline = time.monotonic() + 60
        while (used := int(stat.read_text().rpartition(")")[2].split()[11])) == 0 and time.monotonic() < deadline:
            time.sleep(0.01)
        assert used > 0 and os.sched_getaffinity(loop.pid) == {cpu}
        assert os.getpriority(os.PRIO_PROCESS, loop.pid) == os.getpriority(os.PRIO_PROCESS, 0)
    assert loop.returncode is not None and not stat.exists()
    with pytest.raises(WeirError, match="the busy loop beside a measurement ended"):
        with shared_core.busy_loop(cpu) as loop:
            loop.kill()
            loop.wait()
    with pytest.raises(KeyError), shared_core.busy_loop(cpu) as loop:
        raise KeyError
    assert loop.returncode is not None


def test_paced_sources_offer_parts_of_what_flow_does_flat_out(unbuilt: list[tuple]) -> None:
    found = entries(PACED)
    assert [(it.contender, it.condition) for it in found] == [
        ("flow", "flat out"), *((name, share) for name in ("flow", "thread_per_block", "thread_pool", "work_stealing")
                                for share in ("50 %", "90 %"))]
    assert all(it.against is None for it in found)
    assert {it.facts.offered_items_per_s for it in found[1:]} == {0.5e9, 0.9e9}
    assert found[0].run().latency is None and found[1].run().latency["p99_ns"] == 5.0


def test_a_paced_run_has_its_rate_its_warm_up_and_samples_enough(unbuilt: list[tuple]) -> None:
    it = planned("flow", PACED, site(), paced.paced_settings("flow", PACED))
    fast, slow = paced.paced(it, 1.2e9, 0.5), paced.paced(it, 6e6, 0.5)
    assert fast.options[:2] == ("--param", "source.rate=200000000") and fast.items == 100_000_000
    assert fast.options[2:] == ("--warmup-items", 10_000_000) and (fast.trace, it.program.trace) == ("memory", "off")
    for program in (fast, slow):
        window = 6 * (program.items - program.options[3])
        assert window / paced.GRANULARITY >= 1000  # what a 99th percentile takes: docs/measuring.md
    assert it.plan.trace.backend == "memory"
    assert {block.probe_granularity for block in it.plan.blocks if block.block == "sink"} == {paced.GRANULARITY}


def test_a_chunk_comes_in_its_time_and_is_worked_on_by_one_worker(unbuilt: list[tuple]) -> None:
    it = planned("flow", PACED, site(), paced.paced_settings("flow", PACED))
    [chunk] = {block.chunk_items for block in it.plan.blocks if block.block == "source"}
    assert len(paced.sources(it)) == 6
    assert paced.chunk_ns(it, 6e8, 5e8) == pytest.approx(chunk * (10 + 2))
    found = {it.condition: it for it in entries(PACED, "flow")}
    assert found["50 %"].facts.chunk_ns == pytest.approx(chunk * (6 / 0.5 + 2))
    assert found["90 %"].facts.chunk_ns == pytest.approx(chunk * (6 / 0.9 + 2))


def test_what_is_shared_out_is_what_the_bare_loop_does(unbuilt: list[tuple], monkeypatch: pytest.MonkeyPatch) -> None:
    """As many steps an item and items a chunk in the project as in bench/bare; as many threads as workers."""
    found = entries(BUSY)
    assert [it.contender for it in found] == ["flow", "thread_per_block", "thread_pool", "work_stealing"]
    assert {it.facts.buffer_bytes for it in found} == {4096} and {it.buffers for it in found} == {None}
    project, faults = load_project(BUSY.project, sets=dict(unbuilt[0][2]))
    assert not faults and project.parameters == {"workers": 4, "stages": 4, "iterations": busy_work.ITERATIONS}
    assert {it.chunk_items for it in project.deployments} == {busy_work.CHUNK_ITEMS}
    assert [it.scheduler for it in project.deployments] == [name for name in programs.SCHEDULERS
                                                               if name not in programs.SCHEDULED]
    asked = []
    monkeypatch.setattr(Kernel, "run", lambda self, work, cpus, **options: asked.append((work, cpus, options)) or {
        "buffer_bytes": 256, "total_buffer_bytes": 2048, "items_per_call": 64, "items_per_s": 5.0, "cpu_s_per_s": 2.0})
    [it] = bare._bare(BUSY, site())
    it.run()
    assert it.contender == BARE and asked[1] == ("busy_work", site().cpus(2), {
        "seconds": 0.5, "workers": 4, "iterations": busy_work.ITERATIONS, "buffer": 4 * busy_work.CHUNK_ITEMS})


def test_long_chains_have_their_length_and_no_thousand_threads(unbuilt: list[tuple]) -> None:
    for m, names in ((100, {"flow", "thread_per_block", "thread_pool", "work_stealing"}),
                     (1000, {"flow", "thread_pool", "work_stealing"})):
        cell = replace(LONG, m=m)
        assert {it.contender for it in entries(cell)} == names
        project, faults = load_project(cell.project, sets=dict(unbuilt[-1][2]))
        assert not faults and project.parameters == {"workers": 2, "stages": m}
        assert len([b for b in planned("flow", cell, site(), dict(unbuilt[-1][2])).plan.blocks
                    if b.block == "stage"]) == m


def test_each_way_to_watch_is_held_against_nothing_at_equal_work(unbuilt: list[tuple],
                                                                 monkeypatch: pytest.MonkeyPatch) -> None:
    ran = []
    monkeypatch.setattr(Imagined, "measured", lambda self: ran.append(self) or Outcome(1.0))
    monkeypatch.setattr(watching, "recorded", lambda program: ran.append(program) or Outcome(1.0))
    found = entries(WATCHED)
    assert {it.contender for it in found} == {"flow"}
    for it in found:
        it.run()
    assert [(it.condition, it.against, program.trace, program.metrics) for it, program in zip(found, ran)] == [
        ("nothing", None, "off", "none"), ("tracing off", "nothing", "off", "none"),
        ("tracing on", "nothing", "lttng", "none"), ("counters", "nothing", "off", "counters"),
        ("profile", "nothing", "off", "profile")]
    assert len({program.items for program in ran}) == 1
    without, within = ({**dict(sets)} for _, _, sets in unbuilt[:2])
    assert without["/run/trace/backend"] == '"off"' and within["/run/trace/backend"] == '"lttng"'
    assert without["/run/metrics"] == within["/run/metrics"] == '"none"'
    assert {key for key in within if within[key] != without.get(key)} == {"/run/trace/backend",
                                                                         "/run/trace/probe_granularity"}
    monkeypatch.setattr(watching, "can_trace", lambda program: False)
    assert [it.condition for it in entries(WATCHED)] == ["nothing", "tracing off", "counters", "profile"]


@pytest.mark.parametrize(("written", "found", "discarded", "right"), [(24, 24, 0, True), (24, 23, 0, False),
                                                                      (24, 24, 1, False), (0, 0, 0, False)])
def test_a_traced_run_counts_where_every_event_is_in_the_trace(monkeypatch: pytest.MonkeyPatch, written: int,
                                                               found: int, discarded: int, right: bool) -> None:
    tracked = []

    class Session:
        outcome = type("Outcome", (), {"failure": "", "discarded": discarded})

        def __init__(self, *_: object, **__: object):
            pass

        def __enter__(self) -> None:
            pass

        def __exit__(self, *_: object) -> None:
            pass

        def track(self, pid: int) -> None:
            tracked.append(pid)

    def results_in(self, folder: Path, held: Callable[[int], None]) -> dict:
        held(7)
        return {**Imagined.results(self), "trace": {"events": written}}

    monkeypatch.setattr(watching, "Session", Session)
    monkeypatch.setattr(watching, "read_trace", lambda folder: type("Trace", (), {"events": found}))
    monkeypatch.setattr(Imagined, "results_in", results_in)
    program = Imagined(Path("x"), (0,), trace="lttng")
    if right:
        assert watching.recorded(program).items_per_s == pytest.approx(1e9)
    else:
        with pytest.raises(WeirError):
            watching.recorded(program)
    assert tracked == [7]


def test_a_program_that_is_held_waits_until_its_process_is_known(tmp_path: Path) -> None:
    def held(pid: int) -> None:
        while not (words := Path(f"/proc/{pid}/cmdline").read_bytes()):  # the shell is not quite there
            time.sleep(0.001)
        assert b"read -r _" in words and not (tmp_path / "ran").exists()
        (tmp_path / "held").write_text(str(pid))

    said = output(["sh", "-c", f"cat {tmp_path}/held; touch {tmp_path}/ran; echo ' '$$"], "a run failed", held=held)
    assert said.split()[0] == said.split()[1] and (tmp_path / "ran").exists()
    with pytest.raises(KeyError):
        output(["touch", tmp_path / "never"], "a run failed", held=lambda pid: {}[pid])
    assert not (tmp_path / "never").exists()


def test_a_program_ends_with_us(monkeypatch: pytest.MonkeyPatch) -> None:
    """Ctrl-C while it runs: nothing of it goes on beside the next measurement."""
    running: list[subprocess.Popen] = []

    def interrupted(self: subprocess.Popen, *_: object) -> None:
        running.append(self)
        raise KeyboardInterrupt

    monkeypatch.setattr(subprocess.Popen, "communicate", interrupted)
    with pytest.raises(KeyboardInterrupt):
        output(["sleep", "20"], "a run failed")
    assert running[0].returncode == -signal.SIGTERM


def test_a_run_without_a_trace_has_no_latency() -> None:
    traced, off = (replace(Imagined(Path("x"), (0,)), trace=trace) for trace in ("memory", "off"))
    assert set(outcome_of(traced.results()).latency) == {"p50_ns", "p95_ns", "p99_ns", "max_ns"}
    assert outcome_of(off.results()).latency is None


@pytest.mark.slow
def test_lttng_records_a_run_of_a_bench() -> None:
    """Where there is LTTng: a real program, its session, and every event in the trace."""
    if not subprocess.run(["sh", "-c", "command -v lttng lttng-sessiond"], capture_output=True).stdout:
        pytest.skip("no LTTng here")
    from weir.lab.bench.kernels import build_kernels
    from weir.model.planning.topology import this_machine

    here = this_machine()
    cell = Cell("watching", 1, 2)
    found = watching.entries("flow", cell, Site(here, build_kernels(here.worker_cpus[0], lambda _: None), 0.02))
    assert [it.condition for it in found] == ["nothing", "tracing off", "tracing on", "counters", "profile"]
    assert all(it.run().items_per_s > 0 for it in found)
