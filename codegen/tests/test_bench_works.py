"""The works beside saxpy and null_rand: what each asks of a scheduler, what its rows say, and how that is printed."""

from __future__ import annotations

import os
import subprocess
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path

import jsonschema
import pytest
from matplotlib.figure import Figure
from planning import EXAMPLES, machine

from weir.bench import programs
from weir.bench.cells import WORKS, Cell, cells
from weir.bench.commands import output
from weir.bench.contender import AUTO, Entry, Facts, Outcome, Site
from weir.bench.contenders import bare
from weir.bench.figures import drawings
from weir.bench.kernels import Kernel, Kernels
from weir.bench.programs import Program, Ready, outcome_of, takes_part
from weir.bench.rows import BARE, Series, rows_of
from weir.bench.sections import sections
from weir.bench.table import table
from weir.bench.works import busy_work, entries_of, long_graph, paced, shared_core, watching
from weir.comparing.statistics import MIN_BLOCKS
from weir.diagnostics import WeirError
from weir.document import shape
from weir.document.project import load_project
from weir.generation import build
from weir.pipeline import Pipeline
from weir.verbs import bench

ROW = {**shape.schema("bench"), "$ref": "#/$defs/row"}
for key in ("type", "properties", "required", "additionalProperties"):
    ROW.pop(key, None)
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
def unbuilt(monkeypatch: pytest.MonkeyPatch) -> list[tuple]:
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
    assert 60 < len(set(unbuilt)) and len(set(unbuilt)) * 4 * 2**20 <= build.KEPT_BYTES


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
    assert tuple(it.scheduler for it in project.deployments) == programs.SCHEDULERS
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
        assert os.getpgid(pid) and not (tmp_path / "ran").exists()
        (tmp_path / "held").write_text(str(pid))

    said = output(["sh", "-c", f"cat {tmp_path}/held; touch {tmp_path}/ran; echo ' '$$"], "a run failed", held=held)
    assert said.split()[0] == said.split()[1] and (tmp_path / "ran").exists()
    with pytest.raises(KeyError):
        output(["touch", tmp_path / "never"], "a run failed", held=lambda pid: {}[pid])
    assert not (tmp_path / "never").exists()


def test_a_run_without_a_trace_has_no_latency() -> None:
    traced, off = (replace(Imagined(Path("x"), (0,)), trace=trace) for trace in ("memory", "off"))
    assert set(outcome_of(traced.results()).latency) == {"p50_ns", "p95_ns", "p99_ns", "max_ns"}
    assert outcome_of(off.results()).latency is None


# Rows and words

def series(contender: str, rates: Sequence[float], condition: str | None = None, against: str | None = None,
           latency: Sequence[Mapping | None] | None = None, buffers: str | None = AUTO, **facts: float) -> Series:
    entry = Entry(contender, lambda: Outcome(0), buffers, None, Facts(**facts), condition, against)
    return Series(entry, [Outcome(rate, 1.0, one) for rate, one in zip(rates, latency or [None] * len(rates))])


def as_json(cell: Cell, *measured: Series) -> list[dict]:
    rounds = len(measured[0].outcomes)
    found = [row.as_json() for row in rows_of(cell, [series(BARE, [100e6] * rounds, buffers=None), *measured])]
    for row in found:
        jsonschema.Draft202012Validator(ROW).validate(row)
    return found


def percentiles(p50: float, p99: float | None = None) -> dict[str, float | None]:
    return {"p50_ns": p50, "p95_ns": 2 * p50, "p99_ns": p99, "max_ns": 10 * p50}


def shared_rows(rounds: int = MIN_BLOCKS) -> list[dict]:
    """A machine that doubles its speed from round to round: within one, the loop takes six tenths of the rate."""
    rates = [1e6 * 2**i for i in range(rounds)]
    return as_json(SHARED, series("flow", rates, "alone"),
                   series("flow", [0.4 * rate for rate in rates], "beside a busy loop", "alone"))


def watched_rows(traced: bool = True) -> list[dict]:
    noise = [1.0, 1.01, 0.99, 1.0, 1.02, 0.98, 1.0, 1.0]
    ways = [("tracing off", 0.995), ("tracing on", 0.98), ("counters", 1.004), ("profile", 0.5)]
    return as_json(WATCHED, series("flow", [1e9 * one for one in noise], "nothing"),
                   *(series("flow", [share * 1e9 * one for one in noise], name, "nothing") for name, share in ways
                     if traced or name != "tracing on"))


def paced_rows() -> list[dict]:
    return as_json(PACED, series("flow", [1e9] * 3, "flat out"),
                   series("flow", [5e8] * 3, "50 %", None, [percentiles(1e4, 3e4), percentiles(3e4, 9e4),
                                                            percentiles(2e4, 6e4)],
                          offered_items_per_s=5e8, chunk_ns=4e4),
                   series("work_stealing", [5e8] * 3, "50 %", None, [percentiles(1e4, 3e4), percentiles(1e4),
                                                                     percentiles(1e4, 3e4)],
                          offered_items_per_s=5e8, chunk_ns=4e4))


def test_a_disturbed_rate_is_held_against_its_own_of_the_same_round() -> None:
    bare_row, alone, beside = shared_rows()
    assert beside["ratio_to_own"] == pytest.approx(0.4) and beside["own_spread"] == pytest.approx([0.4, 0.4])
    assert alone["ratio_to_own"] is alone["own_spread"] is bare_row["ratio_to_own"] is None
    assert (alone["condition"], beside["condition"]) == ("alone", "beside a busy loop")
    assert shared_rows(3)[2]["own_spread"] is None


def test_each_contender_is_held_against_itself() -> None:
    found = as_json(SHARED, series("flow", [8e6] * 3, "alone"), series("work_stealing", [2e6] * 3, "alone"),
                    series("work_stealing", [1e6] * 3, "beside a busy loop", "alone"))
    assert [row["ratio_to_own"] for row in found] == [None, None, None, pytest.approx(0.5)]
    with pytest.raises(ValueError, match="flow auto buffers on has nothing to be held against in shared_core"):
        as_json(SHARED, series("flow", [1.0], "on", "off"))


def test_latencies_are_medians_over_the_rounds_that_all_have_them() -> None:
    _, flat_out, flow, stealing = paced_rows()
    assert flat_out["latency"] is None
    assert flow["latency"] == {"offered_items_per_s": 5e8, "chunk_ns": 4e4, "p50_ns": 2e4, "p95_ns": 4e4, "p99_ns": 6e4,
                               "max_ns": 2e5}
    assert stealing["latency"]["p50_ns"] == 1e4 and stealing["latency"]["p99_ns"] is None
    [_, once] = as_json(PACED, series("flow", [1.0, 1.0], "50 %", None, [percentiles(1.0), None]))
    assert once["latency"] is None


def words(rows: Sequence[Mapping]) -> list[list[str]]:
    return [line.split() for line in sections(rows)]


def test_each_work_has_its_columns_below_the_table() -> None:
    assert sections(as_json(Cell("saxpy", 1, 1), series("flow", [1.0]))) == []
    shared = words(shared_rows())
    assert shared[3] == ["4", "flow", "0.400", "0.400", "..", "0.400", "0.50", "0.50"] and len(shared) == 4
    text = "\n".join(sections(paced_rows()))
    assert "flow           50 %   500 Mitems/s  500 Mitems/s  20.0 µs  40.0 µs  60.0 µs  200 µs  40.0 µs  1.50" in text
    assert "work_stealing  50 %   500 Mitems/s  500 Mitems/s  10.0 µs  20.0 µs  –        100 µs  40.0 µs  –" in text
    assert "flat out:" not in text and text.count("\n") == 4
    busy = as_json(BUSY, series("flow", [20e6] * MIN_BLOCKS), series("thread_pool", [24e6] * 8))
    assert words(busy)[3:] == [["flow", "0.800", "0.800", "..", "0.800"], ["thread_pool", "0.960", "0.960", "..",
                                                                          "0.960"]]
    chain = as_json(LONG, series("flow", [20e6] * 3))
    assert words(chain)[3:] == [["1000", "flow", "0.0500"]]


def test_a_loss_is_of_the_rate_without_and_its_interval_goes_up() -> None:
    found = words(watched_rows())
    assert [line[1:] for line in found[3:]] == [
        ["tracing", "off", "0.5", "%", "0.5", "%", "..", "0.5", "%"],
        ["tracing", "on", "2.0", "%", "2.0", "%", "..", "2.0", "%"],
        ["counters", "−0.4", "%", "−0.4", "%", "..", "−0.4", "%"],
        ["profile", "50.0", "%", "50.0", "%", "..", "50.0", "%"]]
    rough = as_json(WATCHED, series("flow", [1e9] * 8, "nothing"),
                    series("flow", [1e9 * share for share in (0.9, 0.95, 0.97, 0.98, 0.96, 0.94, 0.99, 0.93)],
                           "counters", "nothing"))
    low, high = (float(word) for word in words(rough)[3][4:] if word not in ("%", ".."))
    assert 0 < low < 100 * (1 - rough[2]["ratio_to_own"]) < high
    assert "LTTng cannot be had here" in "\n".join(sections(watched_rows(traced=False)))
    assert "LTTng" not in "\n".join(sections(watched_rows()))


def test_the_table_names_the_condition_and_has_the_sections_below() -> None:
    lines = table(shared_rows(3)).splitlines()
    assert "flow (beside a busy loop)" in lines[3] and lines[4] == ""
    assert lines[5].startswith("saxpy with a busy loop on one of its CPUs")
    assert "not enough data for intervals" in lines[-1]


def test_a_work_can_be_chosen_by_its_name() -> None:
    import argparse

    parser = bench.add_parser(argparse.ArgumentParser().add_subparsers())
    assert parser.parse_args(["--work", "paced", "--work", "watching"]).work == ["paced", "watching"]
    assert parser.parse_args([]).work == []


# Figures

def drawn(rows: Sequence[Mapping]):
    [drawing] = drawings(rows)
    axes = Figure().add_subplot()
    drawing.draw(axes)
    return drawing.id, axes


def dots(axes) -> list[tuple[float, str]]:
    """The value and the name of every dot of a row."""
    names = [label.get_text() for label in axes.get_yticklabels()]
    return [(float(line.get_xdata()[0]), names[int(line.get_ydata()[0])]) for line in axes.get_lines()
            if len(line.get_xdata()) == 1]


def test_what_is_a_part_of_something_is_a_dot_with_its_interval() -> None:
    name, axes = drawn(shared_rows())
    assert name == "shared_core_n2" and dots(axes) == [(pytest.approx(0.4), "flow, m = 4")]
    assert [list(line.get_xdata()) for line in axes.get_lines() if len(set(line.get_ydata())) == 1
            and len(line.get_xdata()) == 2] == [pytest.approx([0.4, 0.4])]
    _, axes = drawn(watched_rows())
    assert dots(axes)[0] == (pytest.approx(0.995), "flow, tracing off") and len(dots(axes)) == 4
    _, axes = drawn(as_json(BUSY, series("flow", [20e6] * 8)))
    assert dots(axes) == [(pytest.approx(0.8), "flow")]
    assert any(list(line.get_xdata()) == pytest.approx([0.8, 0.8]) for line in axes.get_lines())


def test_latencies_are_drawn_beside_the_time_of_a_chunk() -> None:
    _, axes = drawn(paced_rows())
    found = [list(map(float, line.get_xdata())) for line in axes.get_lines()]
    assert found == [[2e4, 4e4, 6e4], [2e5], [4e4, 4e4], [1e4, 2e4], [1e5], [4e4, 4e4]]
    assert [label.get_text() for label in axes.get_yticklabels()] == ["flow, 50 %", "work_stealing, 50 %"]
    assert axes.get_xscale() == "log"


def test_long_chains_are_drawn_over_their_length_beside_the_bare_kernel() -> None:
    rows = [row for m in (1000, 10) for row in as_json(replace(LONG, m=m), series("flow", [1e9 / m] * 3))]
    _, axes = drawn(rows)
    found = {line.get_label(): (list(line.get_xdata()), list(line.get_ydata())) for line in axes.get_lines()}
    assert found == {"the bare kernel on every CPU": ([10, 1000], [5.0, 5.0]),
                     "flow": ([10, 1000], pytest.approx([1.0, 1.0]))}


@pytest.mark.slow
def test_lttng_records_a_run_of_a_bench() -> None:
    """Where there is LTTng: a real program, its session, and every event in the trace."""
    if not subprocess.run(["sh", "-c", "command -v lttng lttng-sessiond"], capture_output=True).stdout:
        pytest.skip("no LTTng here")
    from weir.bench.kernels import build_kernels
    from weir.planning.topology import this_machine

    here = this_machine()
    cell = Cell("watching", 1, 2)
    found = watching.entries("flow", cell, Site(here, build_kernels(here.worker_cpus[0], lambda _: None), 0.02))
    assert [it.condition for it in found] == ["nothing", "tracing off", "tracing on", "counters", "profile"]
    assert all(it.run().items_per_s > 0 for it in found)
