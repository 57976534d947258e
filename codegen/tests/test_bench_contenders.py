"""Who takes part in a benchmark, with which buffers and on which CPUs; rounds and progress."""

from __future__ import annotations

import random
from dataclasses import replace
from pathlib import Path

import pytest
from planning import machine
from weir.diagnostics import WeirError
from weir.engine.pipeline import Pipeline
from weir.lab.bench import contenders, measure, programs
from weir.lab.bench.cells import Cell, cells
from weir.lab.bench.commands import output
from weir.lab.bench.contender import AUTO, EQUAL, Entry, Facts, Outcome, Site
from weir.lab.bench.contenders import bare, handwritten
from weir.lab.bench.kernels import Kernel, Kernels, faster
from weir.lab.bench.progress import Progress
from weir.lab.bench.registry import all_contenders
from weir.lab.bench.rows import Series
from weir.model.document.project import load_project
from weir.model.planning.plan import Plan

NARROW, WIDE = (Kernel(Path(f"bare-{bits}"), bits, "-O3") for bits in (256, 512))


def plan(scheduler: str, cell: Cell, buffers: str) -> Plan:
    pipeline = Pipeline.open(cell.project, here=machine("two_core"),
                             sets=programs.settings(scheduler, cell, buffers))
    deployment = pipeline.checked.project.deployments[programs.SCHEDULERS.index(scheduler)].name
    pipeline.valid([deployment])
    return pipeline.plan(deployment).plan


def everyone() -> list[tuple[str, Cell]]:
    """In the works that take each scheduler with auto and with equal buffers; test_bench_works.py has the others."""
    return [(name, cell) for cell in cells(2, False) for name in programs.SCHEDULERS
            if cell.work in ("saxpy", "null_rand") and programs.takes_part(name, cell)]


def test_the_cells_are_those_that_the_cpus_can_have() -> None:
    two = cells(2, False)
    assert two == cells(64, False) and len(two) == len(set(two))
    assert [(cell.n, cell.m) for cell in two if cell.work == "saxpy"] == [(1, 1), (1, 2), (1, 4), (1, 6), (2, 2),
                                                                          (2, 4), (2, 6)]
    assert [(cell.n, cell.m) for cell in two if cell.work == "null_rand"] == [(2, 1), (2, 5), (2, 11), (2, 23), (1, 5)]
    one = cells(1, False)
    assert {cell.n for cell in one} == {1} and len(one) == len(set(one)) == 10
    for cpus in (1, 2):
        assert set(cells(cpus, True)) < set(cells(cpus, False))


def test_one_worker_is_all_that_single_thread_has() -> None:
    assert {cell.n for name, cell in everyone() if name == "single_thread"} == {1}
    for name in ("thread_pool", "work_stealing"):
        assert {cell.n for who, cell in everyone() if who == name} == {2}
    for name in ("flow", "thread_per_block"):
        assert [cell for who, cell in everyone() if who == name] == [
            cell for cell in cells(2, False) if cell.work in ("saxpy", "null_rand")]


def test_every_scheduler_has_its_deployment_and_its_workers() -> None:
    for name, cell in everyone():
        project, faults = load_project(cell.project, sets=programs.settings(name, cell, AUTO))
        assert not faults
        deployment = project.deployments[programs.SCHEDULERS.index(name)]
        assert deployment.scheduler == name
        assert name in ("single_thread", "thread_per_block") or deployment.workers == cell.n


@pytest.mark.parametrize("work", ["saxpy", "null_rand"])
def test_equal_buffers_are_the_same_bytes_and_chunks_under_every_scheduler(work: str) -> None:
    found = {}
    for name, cell in everyone():
        if cell == Cell(work, cell.n, 5 if work == "null_rand" else 4) and name not in programs.AS_PLANNED:
            it = plan(name, cell, EQUAL)
            found[name, cell.n] = ({stream.bytes for stream in it.streams}, {block.chunk_items for block in it.blocks})
    assert len(found) >= 6 and all(one == ({16384}, {4096}) for one in found.values()), found


def test_a_plan_says_what_its_buffers_take_and_whether_a_stage_works_in_place() -> None:
    chain, alone = plan("single_thread", Cell("saxpy", 1, 6), AUTO), plan("thread_per_block", Cell("saxpy", 1, 6), AUTO)
    over = [stream for stream in chain.streams if stream.over]
    one, each = programs.planned(chain), programs.planned(alone)
    assert over and one.in_place and one.buffer_bytes == max(stream.bytes for stream in chain.streams)
    assert one.total_buffer_bytes == sum(stream.bytes for stream in chain.streams) - sum(it.bytes for it in over)
    assert not each.in_place and each.total_buffer_bytes == 7 * each.buffer_bytes


def test_items_per_call_are_of_the_stages_alone() -> None:
    def block(id: str, calls: int | None, items: int) -> dict:
        return {"id": id, "calls": calls, "items_out": items}

    blocks = [block("source", 1, 1000), block("stage[0]@p0", 10, 1000), block("stage[1]@p0", 30, 1000),
              block("stages", 1, 9)]
    assert programs.per_call({"blocks": blocks}) == 50
    assert programs.per_call({"blocks": [block("stage", None, 0)]}) is None
    assert programs.per_call({"blocks": [block("stage@p0", 0, 0)]}) is None


class Imagined(programs.Program):
    """A binary of 1 G items/s that takes 10 ms to start."""

    def results(self) -> dict:
        return {"elapsed_s": 0.01 + self.items / 1e9, "sinks": [{"items": self.items}],
                "threads": [{"cpu_time_s": 0.02}, {"cpu_time_s": 0.01 if self.cpus else None}]}


def test_a_measurement_is_as_long_as_it_was_asked() -> None:
    it = Imagined(Path("x"), (0,)).lasting(0.5)
    assert 0.4 <= it.results()["elapsed_s"] <= 0.55
    assert it.measured() == Outcome(it.items / it.results()["elapsed_s"], 0.03 / it.results()["elapsed_s"])
    assert Imagined(Path("x"), ()).measured().cpu_s is None


def site(seconds: float = 0.5) -> Site:
    return Site(machine("two_core"), Kernels((NARROW, WIDE), WIDE), seconds)


def says(said: list | None = None, right: bool = True):
    """Kernel.run of a program that is not there, and notes what it is asked."""
    def run(self: Kernel, work: str, cpus: tuple, **options: float) -> dict:
        if said is not None:
            said.append((self, work, options))
        if "check" in options and not right:
            raise WeirError([])
        return {"buffer_bytes": options.get("buffer", 0), "total_buffer_bytes": 7 * options.get("buffer", 0),
                "items_per_call": 100.0 * len(cpus), "items_per_s": 5.0, "cpu_s_per_s": 1.5}
    return run


def test_each_size_of_the_runtime_less_loop_and_each_width_is_an_entry_of_its_own(
        monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Kernel, "run", says())
    loops = bare._bare(Cell("null_rand", 2, 5), site())
    assert [(it.contender, it.variant, it.facts) for it in loops] == [
        ("bare", f"{kib} KiB", Facts("-O3", kib * 1024, 7 * kib * 1024, False, 200.0)) for kib in (8, 64)]
    assert loops[0].run() == Outcome(5.0, 1.5)
    assert [it.variant for it in bare._bare(Cell("saxpy", 2, 4), site())] == ["256 bit", "512 bit"]
    assert [it.variant for it in bare._fma_peak(Cell("saxpy", 2, 4), site())] == ["256 bit", "512 bit"]
    assert bare._fma_peak(Cell("null_rand", 2, 5), site()) == []


@pytest.mark.parametrize(("n", "work", "variants", "shapes", "in_place_from"), [
    (1, "chain", ["4 KiB", "8 KiB", "11 KiB", "14 KiB", "16 KiB"],
     [{"buffer": kib * 1024} for kib in handwritten.TILES], 2),
    (2, "pipeline", ["3x16 KiB", "8x16 KiB", "3x64 KiB", "8x64 KiB", "8x1024 KiB"],
     [{"slots": slots, "buffer": kib * 1024} for slots, kib in handwritten.RINGS], 3)])
def test_what_is_written_by_hand_is_checked_before_it_takes_part(
        n: int, work: str, variants: list[str], shapes: list[dict], in_place_from: int,
        monkeypatch: pytest.MonkeyPatch) -> None:
    said = []
    monkeypatch.setattr(Kernel, "run", says(said))
    entries = handwritten._build(Cell("saxpy", n, 4), site())
    assert [it.variant for it in entries] == variants
    assert [it for it in said if "check" in it[2]] == [
        (WIDE, work, {"check": 1, "stages": 4, **shape}) for shape in shapes]
    for m in (in_place_from - 1, in_place_from):
        assert {it.facts.in_place for it in handwritten._build(Cell("saxpy", n, m), site())} == {m == in_place_from}
    assert handwritten._build(Cell("saxpy", 3, 4), site()) == handwritten._build(Cell("null_rand", n, 5), site()) == []
    monkeypatch.setattr(Kernel, "run", says(right=False))
    with pytest.raises(WeirError):
        handwritten._build(Cell("saxpy", n, 4), site())


def test_the_width_of_the_better_median_is_taken() -> None:
    rates = {NARROW: iter([9, 9, 1, 1, 1]), WIDE: iter([2, 2, 2, 2, 2])}
    assert faster((NARROW, WIDE), lambda kernel: next(rates[kernel])) == WIDE
    assert faster((NARROW,), lambda kernel: pytest.fail("there is nothing to choose")) == NARROW
    assert replace(NARROW, vector_bits=0).width is None


def test_one_more_module_is_one_more_contender(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    peers = [f"{name}{best}"
             for name in ("gnuradio310", "futuresdr_flow", "futuresdr_smol", "qsdr_custom", "qsdr_tokio")
             for best in ("", ", best")]
    names = ["bare", "fma_peak", "handwritten", *peers, "flow, linked", *programs.SCHEDULERS]
    assert [it.name for it in all_contenders()] == names
    module = "from weir.lab.bench.contender import Contender\n" \
        "CONTENDERS = [Contender({name!r}, lambda cell, site: [])]\n"
    (tmp_path / "other_runtime.py").write_text(module.format(name="other"))
    monkeypatch.setattr(contenders, "__path__", [*contenders.__path__, str(tmp_path)])
    assert sorted(it.name for it in all_contenders()) == sorted([*names, "other"])
    (tmp_path / "z_same_name.py").write_text(module.format(name="flow"))
    with pytest.raises(ValueError, match="two contenders are called flow"):
        all_contenders()


def test_every_entry_runs_once_a_round_in_random_order(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Kernel, "saxpy", lambda self, seconds, cpu: 10.0 + cpu)
    ran: list[str] = []

    def entry(name: str) -> Series:
        return Series(Entry(name, lambda: ran.append(name) or Outcome(float(len(ran)), 0.5), AUTO))

    said: list[str] = []
    measured = [entry(name) for name in "abcdef"]
    raw = measure._measure_cell(Cell("saxpy", 2, 4), measured, 4, site(), random.Random(1),
                                Progress(24, 1.0, clock=lambda: 0.0), said.append)
    rounds = [ran[i:i + 6] for i in range(0, 24, 6)]
    assert all(sorted(one) == list("abcdef") for one in rounds) and len({tuple(one) for one in rounds}) == 4
    assert [one["contender"] for one in raw] == ran and [one["items_per_s"] for one in raw] == list(range(1, 25))
    assert [len(series.outcomes) for series in measured] == [4] * 6
    assert {tuple(one["witness_items_per_s"]) for one in raw} == {(10.0, 10.0)}  # of the slower CPU
    assert said[1] == "saxpy, 2 workers, 4 stages: round 2 of 4; 6 of 24 measurements, about 0 s left"


def test_what_is_left_is_taken_to_last_as_what_was() -> None:
    now = [100.0]
    progress = Progress(100, 0.7, clock=lambda: now[0])
    assert progress.left() == "0 of 100 measurements, about 70 s left"
    for _ in range(40):
        now[0] += 2.0
        progress.one_done()
    assert progress.left() == "40 of 100 measurements, about 2 min left"


def test_a_program_that_fails_is_a_diagnostic_with_its_last_words() -> None:
    with pytest.raises(WeirError) as failed:
        output(["sh", "-c", "echo first; echo the reason >&2; exit 7"], "a run failed")
    [said] = failed.value.diagnostics
    assert said.code == "E_BENCH" and "ended with 7" in said.message and said.hint == "the reason"
    with pytest.raises(WeirError) as missing:
        output(["/no/such/program"], "a run failed")
    assert "a run failed: /no/such/program: No such file" in missing.value.diagnostics[0].message
