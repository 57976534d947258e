"""Test `weir bench`: the cells of its sweeps, and the rows made from its runs."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict
from pathlib import Path

import jsonschema
import pytest
from planning import UNOPTIMISED, machine
from weir import ROOT, cli
from weir.diagnostics import WeirError, diagnostic
from weir.engine.generation import build
from weir.lab import bench
from weir.lab.bench import Cell, Job, Row, jobs, rows_of, table
from weir.lab.sweeping.answer import COMPLETE, SweepAnswer
from weir.lab.sweeping.experiment import Experiment, Place
from weir.lab.sweeping.point import Cell as Point
from weir.lab.sweeping.record import Order, Record
from weir.lab.sweeping.state import State
from weir.lab.works import LOOP, WORKS, Part, Work
from weir.model.document import shape

VALIDATOR = jsonschema.Draft202012Validator(shape.schema("bench"))


class Deaf:
    """Listener of a sweep that prints nothing."""

    listener = None

    def __getattr__(self, _: str) -> Callable[..., None]:
        return lambda *_, **__: None


@pytest.fixture
def here(monkeypatch: pytest.MonkeyPatch) -> Callable[[str], None]:
    """Replace this machine with another one."""
    return lambda name: monkeypatch.setattr("weir.engine.pipeline.Pipeline.this_machine", machine(name))


def planned(works: Sequence[str], quick: bool, folder: Path) -> list[Job]:
    return jobs(works, quick, None, folder, Deaf())


_WHOLE: dict[bool, list[Job]] = {}


def whole(quick: bool) -> list[Job]:
    """Return all jobs of a bench, planned once, on the machine of the first caller."""
    if quick not in _WHOLE:
        _WHOLE[quick] = planned(list(WORKS), quick, Path("/nowhere/bench"))
    return _WHOLE[quick]


# The cells

@pytest.mark.parametrize("quick", [True, False])
def test_every_work_has_cells_and_a_contender_to_be_compared(quick: bool, here) -> None:
    here("two_core")
    found = whole(quick)
    assert {job.cell.work for job in found} == set(WORKS) == set(shape.schema("bench")["$defs"]["work"]["enum"])
    for job in found:
        assert len(job.points.stated) > 1 and job.experiment.request.repetitions == (3 if quick else 8)
    for job in found:
        there = any(one.planned.plan.scheduler == LOOP for one in job.points.stated)
        assert there == (WORKS[job.cell.work].bare == LOOP)


def test_a_cell_is_of_so_many_workers_and_stages(here) -> None:
    here("two_core")
    saxpy = [job for job in whole(False) if job.cell.work == "saxpy"]
    assert {(job.cell.n, job.cell.m): job.cell.ideal for job in saxpy} == {
        (1, 1): 1, (1, 2): 1 / 2, (1, 3): 1 / 3, (2, 2): 1, (2, 3): 2 / 3, (2, 4): 1 / 2, (2, 5): 2 / 5, (2, 6): 1 / 3}
    [busy] = [job for job in whole(True) if job.cell.work == "busy_work"]
    assert (busy.cell.n, busy.cell.m, busy.cell.ideal) == (4, 4, 2)
    assert str(busy.cell) == "busy_work, 4 workers, 4 stages"
    [null_rand, *_] = [job for job in whole(True) if job.cell.work == "null_rand"]
    assert (null_rand.cell.n, null_rand.cell.m, null_rand.cell.ideal) == (2, 1, 1)
    assert null_rand.experiment.request.trace == "off"


def test_cells_of_more_cpus_than_there_are_are_left_out(here, tmp_path: Path) -> None:
    here("one_cpu")
    assert {job.cell.n for job in planned(["saxpy", "saxpy", "long_graph"], False, tmp_path)} == {1}
    with pytest.raises(WeirError, match="needs more CPUs than Weir may use"):
        planned(["shared_core", "long_graph"], False, tmp_path)


def test_a_work_without_a_number_of_workers_has_one_for_each_cpu(here, tmp_path: Path) -> None:
    here("quad_smt")
    [null_rand, *_] = planned(["null_rand"], True, tmp_path)
    loop = next(one.planned.plan for one in null_rand.points.stated if one.planned.plan.scheduler == LOOP)
    assert null_rand.cell.n == len(loop.workers) == 6


def test_how_long_it_takes_is_reported_before(here, tmp_path: Path, alone: Path) -> None:
    here("two_core")
    found = planned(["long_graph"], True, tmp_path)
    assert bench.outlook(found).startswith("1 cell with 9 runs left: measuring takes about ")
    assert "to build 3 programs" in bench.outlook(found)


def test_programs_are_counted_once_and_a_search_for_loads_counts_too(here, tmp_path: Path, alone: Path) -> None:
    here("two_core")
    found = planned(["paced"], True, tmp_path)
    [dry] = [job.experiment.dry_run(job.points) for job in found]
    assert len(found[0].points.stated) == 12 and len(dry.unbuilt()) <= 4 and dry.search_s >= 90


def test_paced_cells_continue_with_the_loads_that_were_found(here, tmp_path: Path,
                                                             monkeypatch: pytest.MonkeyPatch) -> None:
    """Keep the loads found earlier: the project's own load would change the plan, and the sweep would be refused."""
    here("two_core")
    [first] = planned(["paced"], True, tmp_path)
    loads = {"found": [{"deployment": "flow", "value": 2e6}], "of": "flow", "parameter": "load"}
    monkeypatch.setattr("weir.lab.bench.Place.look", lambda folder, resume: Place(folder, True, State(folder, {
        "loads": loads, "sweep": "shares", "request": first.experiment.request.as_json()})))
    monkeypatch.setattr("weir.lab.sweeping.loads.check_same", lambda *_: None)
    [again] = planned(["paced"], True, tmp_path)
    numbers = [one.cell.number for one in again.points.stated]
    assert numbers == [one.cell.number for one in first.points.stated]
    assert {one.cell.sets["load"] for one in again.points.stated} == {"200000", "1000000", "1800000"}
    assert all("load" not in one.cell.sets for one in first.points.stated)


def test_a_whole_bench_fits_into_the_cache_of_builds(here) -> None:
    """Check that the next bench finds all builds. A build takes up to 10 MiB."""
    here("two_core")
    points = sum(len(job.points.stated) for job in whole(False))
    assert 200 < points and points * 10 * 2**20 <= build.KEPT_BYTES


# The rows

def answer(points: Sequence[Mapping], axes: Mapping[str, Sequence], plot: Mapping, blocks: int = 8) -> SweepAnswer:
    """Return a sweep's answer. Each point has `scheduler`, `rate` of a block, and values of the axes."""
    cells = [Point(number, at["deployment"], {}, None, tuple(at[key] for key in axes), ())
             for number, at in enumerate(points)]
    record = Record(cells, list(axes), Order(1, len(cells), blocks, 0))
    for block in range(blocks):
        for number, at in enumerate(points):
            rate = at["rate"](block)
            record.rows[block, number] = {
                "round": block, "position": number, "point": number, "status": at.get("status", "ok"),
                "deployment": at["deployment"], "scheduler": at["scheduler"], "throughput_items_per_s": rate,
                "bare_before_items_per_s": at.get("bare", lambda _: None)(block), "bare_after_items_per_s": 1.0,
                "cpu_time_s": 1.5, "elapsed_s": 1.0, "buffer_bytes": 16384.0, "in_place": at.get("in_place", 0),
                "flags": "-O3", "disturbed": block == 0, "latency_count": at.get("samples"),
                "offered_items_per_s": None, **{f"latency_{name}": 5 for name in bench.LATENCIES}}
        record._counts[block] = len(cells)
    document = {"sweeps": [{"name": "s", "plot": dict(plot)}],
                "deployments": list({at["deployment"]: {"name": at["deployment"], "scheduler": at["scheduler"]}
                                     for at in points}.values())}
    return SweepAnswer(State(Path(), {"document": document, "sweep": "s", "axes": [
        {"key": key, "values": list(values)} for key, values in axes.items()], "left_out": []}), record, COMPLETE, ())


def by_name(cell: Cell, of: SweepAnswer) -> dict[tuple[str, str | None], Row]:
    rows = rows_of(cell, of)
    VALIDATOR.validate({"rows": [asdict(row) for row in rows], "environment": {
        "name": "n", "system": "s", "architecture": "a", "git_revision": None, "utc": "now"}})
    return {(row.contender, row.condition): row for row in rows}


def drifting(rate: float) -> Callable[[int], float]:
    """Return the rate of a machine whose speed doubles from round to round."""
    return lambda block: rate * 2**block


CORES = {"deployment": ["flow_custom", "other", "more"], "workers": [2], "stages": [4]}


def at(deployment: str, scheduler: str, rate: float, **more) -> dict:
    return {"deployment": deployment, "scheduler": scheduler, "rate": drifting(rate), "workers": 2, "stages": 4,
            "bare": drifting(100.0), **more}


def test_ratios_are_of_the_same_round_and_of_the_ideal() -> None:
    rows = by_name(Cell("saxpy", 2, 4, 0.5), answer([at("flow_custom", "flow", 40.0)], CORES, {"y": "of_ceiling"}))
    flow, bare = rows["flow", None], rows["bare", None]
    assert flow.ratio_to_bare == pytest.approx(0.4) and flow.ratio_to_ideal == pytest.approx(0.8)
    assert flow.spread == pytest.approx([0.4, 0.4]) and flow.rounds == 8 and flow.disturbed == 1
    assert (bare.ratio_to_bare, bare.ratio_to_ideal) == (1.0, 2.0)
    assert bare.items_per_s == pytest.approx(100 * 2**3.5, rel=0.1)
    assert (flow.n, flow.m, flow.cpu_s, flow.buffer_bytes, flow.latency) == (2, 4, 1.5, 16384, None)


def test_three_rounds_are_too_few_for_an_interval() -> None:
    of = answer([at("flow_custom", "flow", 40.0)], CORES, {"y": "of_ceiling"}, blocks=3)
    assert by_name(Cell("saxpy", 2, 4, 0.5), of)["flow", None].spread is None
    assert "not enough data" in table(rows_of(Cell("saxpy", 2, 4, 0.5), of))


def test_the_better_loop_without_a_runtime_is_bare() -> None:
    of = answer([at("by_hand", "drained", 80.0), at("by_hand_64k", "drained", 90.0), at("flow_custom", "flow", 45.0)],
                {**CORES, "deployment": ["by_hand", "by_hand_64k", "flow_custom"]}, {})
    rows = by_name(Cell("null_rand", 2, 4), of)
    assert list(rows) == [("bare", None), ("flow", None)]
    assert rows["flow", None].ratio_to_bare == rows["flow", None].ratio_to_ideal == pytest.approx(0.5)


def test_two_deployments_of_one_scheduler_go_by_their_names() -> None:
    of = answer([at("gnuradio_2", "gnuradio310", 2.0), at("gnuradio_custom", "gnuradio310", 3.0),
                 at("flow_custom", "flow", 40.0)],
                {**CORES, "deployment": ["gnuradio_2", "gnuradio_custom", "flow_custom"]}, {"y": "of_ceiling"})
    names = [name for name, _ in by_name(Cell("saxpy", 2, 4, 0.5), of)]
    assert names == ["bare", "gnuradio_2", "gnuradio_custom", "flow"]


def test_a_condition_has_a_ratio_to_the_same_contender_without_it() -> None:
    axes = {"deployment": ["flow"], "loops": [0, 1], "stages": [4]}
    of = answer([at("flow", "flow", 40.0, loops=0), at("flow", "flow", 30.0, loops=1, bare=lambda _: None)], axes,
                {"y": "throughput_items_per_s", "against": {"loops": 0}})
    rows = by_name(Cell("shared_core", 2, 4, 0.5), of)
    beside = rows["flow", "loops=1"]
    assert beside.ratio_to_own == pytest.approx(0.75) and beside.own_spread == pytest.approx([0.75, 0.75])
    assert rows["flow", "loops=0"].ratio_to_own is None
    assert "0.750" in table(list(rows.values()))


def test_where_nothing_bounds_the_work_there_is_no_bare_row() -> None:
    of = answer([at("flow_custom", "flow", 40.0, samples=2000)], CORES, {"y": "latency_p99_ns"})
    [row] = rows_of(Cell("paced", 2, 4), of)
    assert row.ratio_to_bare is None
    assert row.latency == {"offered_items_per_s": None, **dict.fromkeys(bench.LATENCIES, 5)}
    assert "to bare" not in table([row]) and "5.00 ns" in table([row])


def test_runs_without_a_rate_are_in_no_row_and_change_no_name() -> None:
    of = answer([at("flow_custom", "flow", 40.0, status="failed"), at("other", "flow", 30.0),
                 {**at("more", "static", 1.0), "rate": lambda _: None}], CORES, {"y": "of_ceiling"})
    assert [name for name, _ in by_name(Cell("saxpy", 2, 4, 0.5), of)] == ["bare", "other"]


def test_without_its_loop_a_work_has_no_bare_row() -> None:
    """Leave the loop out: the reference kernel does other work than these blocks."""
    of = answer([at("by_hand", "drained", 80.0, status="failed"), at("flow_custom", "flow", 45.0)],
                {**CORES, "deployment": ["by_hand", "flow_custom"]}, {"y": "throughput_items_per_s"})
    [row] = rows_of(Cell("busy_work", 2, 4, 2), of)
    assert (row.contender, row.ratio_to_bare) == ("flow", None)


def test_the_verb_measures_and_rebuilds_nothing_when_it_continues(tmp_path: Path, capfd: pytest.CaptureFixture,
                                                                  monkeypatch: pytest.MonkeyPatch) -> None:
    """Run a real bench of one small project: two schedulers, two rounds."""
    project = json.loads((ROOT / "bench" / "busy_work.weir.json").read_text())
    project["run"] = {**project["run"], "items": 4000, "warmup_items": 400}
    for deployment in project["deployments"]:
        if deployment["name"] in ("flow", "by_hand"):
            deployment["build"] = UNOPTIMISED
    [sweep] = project["sweeps"]
    sweep["vary"] = {"deployment": ["flow", "by_hand"], "workers": [2], "stages": [2]}
    del sweep["quick"]
    (tmp_path / "p.weir.json").write_text(json.dumps(project))
    monkeypatch.setitem(WORKS, "busy_work", Work((Part(str(tmp_path / "p.weir.json"), "schedulers"),),
                                                 WORKS["busy_work"].ideal))
    monkeypatch.setattr("weir.lab.speeds.keep_some", lambda *_: None)
    words = ["bench", "--work", "busy_work", "--rounds", "2", "--json", "--out", str(tmp_path / "out")]
    assert cli.main(words) == 0
    said, told = capfd.readouterr()
    VALIDATOR.validate(json.loads(said))
    rows = json.loads(said)["rows"]  # a disturbed round is measured again
    assert [(row["contender"], row["n"], row["m"]) for row in rows] == [("bare", 2, 2), ("flow", 2, 2)]
    assert all(row["rounds"] >= 2 for row in rows)
    assert "1 cell with 4 runs left: measuring takes about " in told
    assert "busy_work, 2 workers, 2 stages: cell 1 of 1" in told
    assert cli.main(words) == 0
    again, told = capfd.readouterr()
    assert cli.main([*words[:3], "--rounds", "3", *words[5:]]) == 2
    assert "E_SWEEP_CHANGED" in capfd.readouterr().err
    assert json.loads(again)["rows"] == rows and "0 runs left" in told and "all programs are built" in told


def test_a_cell_that_fails_leaves_the_others(tmp_path: Path, capfd: pytest.CaptureFixture,
                                             monkeypatch: pytest.MonkeyPatch) -> None:
    """Check that the verb prints the measurements and ends with the exit code of the fault."""
    monkeypatch.setattr("weir.lab.speeds.keep_some", lambda *_: None)
    measured = []

    def measure(experiment: Experiment, points: object) -> SweepAnswer:
        measured.append(points)
        if len(measured) == 1:
            raise WeirError(diagnostic("E_BUILD_FAILED", "", "no compiler likes it"))
        if len(measured) == 3:
            raise KeyboardInterrupt
        return answer([at("contiguous", "flow", 40.0)], {**CORES, "deployment": ["contiguous"]}, {"y": "of_ceiling"})

    monkeypatch.setattr(Experiment, "measure", measure)
    assert cli.main(["bench", "--work", "long_graph", "--out", str(tmp_path)]) == 4
    said, told = capfd.readouterr()
    assert len(measured) == 3 and "flow" in said and "no compiler likes it" in told
    assert f"interrupted; the same command continues in {tmp_path}" in told
