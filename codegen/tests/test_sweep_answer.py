"""Test `weir sweep`: its table, its final messages, and the noise that an A/A sweep finds."""

from __future__ import annotations

import base64
import json
import math
import re

import numpy as np
import pytest
import weir
from conftest import keeps_to
from stored_runs import store
from sweep_world import AXES, DEPLOYED, program, sweep, with_larger_chunks
from weir import cli
from weir.cli.verbs._progress import RateProgress, SweepProgress
from weir.diagnostics import WeirError
from weir.lab.rating.trials import Measured
from weir.lab.sweeping import axes, definition, drawings, fairness, noise, page
from weir.lab.sweeping.answer import COMPLETE, SweepAnswer
from weir.lab.sweeping.state import read_state
from weir.lab.sweeping.table import TABLE
from weir.model.check import check

# Tables and figures

def test_load_gives_the_table_of_a_sweep_and_of_any_folder_of_runs(tmp_path):
    it = sweep(tmp_path / "out", program(tmp_path / "world"))
    it.go_on()
    frame = weir.load(tmp_path / "out")
    assert len(frame) == 18 and frame["throughput_items_per_s"].dtype == float and frame["verified"].isna().all()
    assert frame.groupby(["deployment", "stages"]).size().tolist() == 6 * [3]
    for stages in (1, 2):
        store(tmp_path / "runs", seed=stages, sets={"stages": str(stages)} if stages > 1 else None)
    assert len(weir.load(tmp_path / "runs")) == 2
    with pytest.raises(WeirError, match="no run directory"):
        weir.load(tmp_path / "world")


def test_its_progress_is_lines_of_the_schema(tmp_path, capsys):
    progress, trial = SweepProgress(True, "q.weir.json"), Measured(1e6, 0.5, 0.25, run_id="r")
    it = sweep(tmp_path / "out", program(tmp_path / "world"), repetitions=1, on_run=progress.ran)
    progress.builds("flow: compiling the graph")
    progress.begins(it.record)
    it.go_on()
    RateProgress(True).tried(trial, 3.0, "flow")
    lines = [json.loads(line) for line in capsys.readouterr().err.splitlines()]
    assert [line["phase"] for line in lines] == ["compiling the graph", *["sweep"] * 6, "rate"]
    for line in lines:
        keeps_to("progress", line)


def test_a_planted_confounder_is_reported_and_a_promise_that_is_not_held_comes_first(tmp_path):
    it = sweep(tmp_path / "out", program(tmp_path / "world"), repetitions=1)
    it.go_on()
    cells, names = it.record.cells, it.record.columns
    kinds = {one.kind: one
             for one in fairness.findings(AXES, names, cells, it.record.latest, ["buffer_bytes", "chunk_items"])}
    assert kinds["chunk_items"].state == fairness.EQUAL and kinds["chunk_items"].promised
    spoilt = next(cell.number for cell in cells if cell.deployment == "single_thread")
    with_larger_chunks(it.record.latest[spoilt].path, 3)
    found = fairness.findings(AXES, names, cells, it.record.latest, ["buffer_bytes", "chunk_items"])
    said = fairness.lines(found)
    assert said[0].startswith("must be equal, but differs: chunk items: flow → single_thread: chunk items differ by "
                              "more than 10 %")
    assert any(line.startswith("equal: buffer bytes, as required") for line in said)
    at = read_state(tmp_path / "out")
    at.value["document"]["deployments"] = [{"name": "flow", "title": "Weir flow"}, {"name": "single_thread"}]
    assert any("Weir flow → single_thread: chunk items" in line for line in page.lead(at).remarks)
    assert any("chunk items: flow → single_thread" in line for line in page.answer_of(at).remarks())


def test_a_page_has_one_pair_of_contenders_for_each_difference_that_the_project_does_not_exclude():
    found = [fairness.Finding("chunk_items", True, fairness.DIFFERS, ("a → b: x", "a → c: y")),
             fairness.Finding("buffer_bytes", False, fairness.DIFFERS, ("a → b: u", "a → c: v", "a → d: w")),
             fairness.Finding("in_place", False, fairness.DIFFERS, ("a → b: z",))]
    assert len(fairness.lines(found)) == 6
    promised = fairness.lines(found[:1])
    assert len(promised) == 2 and fairness.lines(found, brief=True) == [
        *promised, "differs: a → b: u; so do 2 more pairs", "differs: a → b: z"]


def test_what_was_granted_counts_and_not_what_was_planned(tmp_path):
    it = sweep(tmp_path / "out", program(tmp_path / "world"), repetitions=1)
    it.go_on()
    run = next(run for point, run in it.record.latest.items() if it.record.cells[point].deployment == "single_thread")
    for name in run.results["granted"]["buffers"]:
        run.results["granted"]["buffers"][name] *= 8
    kinds = {one.kind: one for one in fairness.findings(AXES, it.record.columns, it.record.cells, it.record.latest,
                                                        ["buffer_bytes"])}
    assert kinds["buffer_bytes"].broken


def test_what_is_not_known_on_both_sides_is_not_held_equal(tmp_path):
    it = sweep(tmp_path / "out", program(tmp_path / "world"), repetitions=1)
    it.go_on()
    for point, run in it.record.latest.items():
        if it.record.cells[point].deployment == "single_thread":
            run.results["runtime"]["kernel_object_hash"] = None
            for block in run.results["blocks"]:
                block["calls"] = None
    found = fairness.findings(AXES, it.record.columns, it.record.cells, it.record.latest,
                              ["kernel_hash", "items_per_call"])
    assert {one.kind for one in found if one.state == fairness.UNKNOWN} == {"kernel_hash", "items_per_call"}
    assert ("unknown on at least one side: items per call, although required; kernels, although "
            "required") in fairness.lines(found)


def test_the_report_of_a_sweep_has_its_figures_its_points_and_its_data(tmp_path, capsys):
    foreign = [{"other_programs": 0.5}, *17 * [{"other_programs": 0.0}]]
    sweep(tmp_path / "out", program(tmp_path / "world", environment=foreign), repetitions=2, repeats=1).go_on()
    assert cli.main(["report", str(tmp_path / "out"), "-o", str(tmp_path / "page.html")]) == 0
    text = (tmp_path / "page.html").read_text()
    assert "18 runs of 6 points in 2 of 2 rounds, and 1 repeated" in text
    assert "too little data for intervals: 3 rounds" in text.lower()
    assert "Throughput over stages" in text and "chunk items, as required" in text
    assert "disturbed 1 of 3 rounds" in text
    assert "weir sweep q.weir.json --vary stages=1,2,3 --repetitions 2 --repeats 1 --seed 7 --out DIR" in text
    [data] = re.findall(r'href="data:text/csv;base64,([^"]+)" download="table.csv"', text)
    assert base64.b64decode(data) == (tmp_path / "out" / TABLE).read_bytes()
    rows = re.findall(r"<tr><td>(\w+ · stages=\d)</td><td class=\"n\" data-v=\"3\">3</td>", text)
    assert rows == [f"{name} · stages={n}" for name in ("flow", "single_thread") for n in (1, 2, 3)]
    drawn = {path.name for path in (tmp_path / "page_figures").iterdir()}
    assert {"throughput_items_per_s.svg", "throughput_items_per_s.pdf", "throughput_items_per_s.png"} <= drawn
    assert text.count("<svg") == text.count("<figure>") and "{{" not in text


def test_a_report_of_a_sweep_that_continues_says_so(tmp_path):
    now = iter(range(0, 100000, 10))
    sweep(tmp_path / "out", program(tmp_path / "world"), most_s=100, clock=lambda: next(now)).go_on()
    assert cli.main(["report", str(tmp_path / "out"), "-o", str(tmp_path / "page.html")]) == 0
    assert "6 runs of 6 points in 1 of 3 rounds, not finished" in (tmp_path / "page.html").read_text()


def test_what_there_is_so_far_is_reported_with_the_runs_behind_each_point(tmp_path, capsys):
    now = iter(range(0, 100000, 10))
    going = sweep(tmp_path / "out", program(tmp_path / "world"), most_s=100, clock=lambda: next(now))
    going.go_on()
    assert cli.main(["report", str(tmp_path / "out"), "--json"]) == 0
    said = capsys.readouterr().out
    told = json.loads(said)
    keeps_to("sweep_outline", told)
    assert told["state"] == "not finished" and told["rounds"] == {"requested": 3, "measured": 1, "disturbed": 0}
    assert told["figure"] == {"x": "stages", "lines": ["deployment"], "figures": []}
    assert [it["column"] for it in told["quantities"]] == ["throughput_items_per_s"]
    assert [point["values"] for point in told["points"]] == [
        {"deployment": name, "stages": n} for name in ("flow", "single_thread") for n in (1, 2, 3)]
    for row in going.record.table():
        [run] = [run for run in told["points"][row["point"]]["runs"] if run["run_id"] == row["run_id"]]
        assert (run["round"], run["repetition"]) == (row["round"], row["repetition"])
        assert (tmp_path / "out" / run["directory"] / "results.json").exists() and run["round"] == row["round"]
        assert run["values"] == {"throughput_items_per_s": row["throughput_items_per_s"]}
        assert told["points"][row["point"]]["all"]["throughput_items_per_s"]["rounds"] == 1
    assert not list(tmp_path.glob("*.html"))
    assert cli.main(["report", str(tmp_path), "--json"]) == 2 and "that contains a sweep" in capsys.readouterr().err


def test_figures_are_over_the_longest_axis_of_numbers_with_a_line_a_contender():
    def axis(key: str, *values: object) -> axes.Axis:
        return axes.Axis(key, values, tuple(map(str, values)))

    stages, pipes, deployment, trace = axis("stages", 1, 2,
                                            3), axis("pipes", 1,
                                                     2), axis("deployment", "a", "b"), axis("trace", "off", "lttng")
    assert drawings.shape_of([deployment, stages]) == drawings.Shape(1, (0,), ())
    assert drawings.shape_of([deployment, pipes, stages]) == drawings.Shape(2, (0,), (1,))
    assert drawings.shape_of([trace, stages]) == drawings.Shape(1, (0,), ())
    assert drawings.shape_of([deployment, trace]).x is None
    assert drawings.shape_of([deployment, pipes, stages], {"x": "pipes"}) == drawings.Shape(1, (0,), (2,))
    assert drawings.shape_of([deployment, pipes, stages],
                             {"x": "pipes", "by": "stages"}) == drawings.Shape(1, (2,), (0,))
    assert drawings.shape_of([deployment, stages], {"kind": "bar"}).x is None


def test_a_plot_that_names_no_axis_and_no_column_is_reported_when_the_project_is_read():
    def said(**plot: str) -> list[str]:
        document = {**DEPLOYED, "sweeps": [{"name": "s", "vary": {"stages": [1]}, "plot": plot}]}
        return [f"{it.code} {it.pointer}" for it in check(json.dumps(document)).diagnostics if it.severity == "error"]

    assert said(x="stages", by="stages", y="latency_p50_ns", title="any") == []
    assert (said(x="stage") == ["E_SWEEP_KEY /sweeps/0/plot/x"]
            and said(by="deployment") == ["E_SWEEP_KEY /sweeps/0/plot/by"])
    assert said(y="speed") == ["E_SWEEP_KEY /sweeps/0/plot/y"]


# A/A

def sides(scale: float, blocks: int, seed: int = 0) -> tuple[list[dict], list[dict]]:
    dice = np.random.default_rng(seed)
    return tuple([{"round": block, "status": "ok",
                   "throughput_items_per_s": 1e9 * math.exp(scale * dice.standard_normal()),
                   "latency_p50_ns": None, "latency_p99_ns": None} for block in range(blocks)] for _ in range(2))


def test_the_noise_is_that_of_the_two_sides_and_more_of_it_takes_more_blocks():
    needed = []
    for scale in (0.005, 0.02, 0.04):
        [it] = noise.noise_of(*sides(scale, 64))
        assert it.column == "throughput_items_per_s" and it.rounds == 64
        assert it.interval[0] < 1.0 < it.interval[1] and abs(it.ratio - 1) < scale
        # The median of |x - y| of two normal variables is 0.6745 sqrt(2) standard deviations.
        assert it.single == pytest.approx(0.954 * scale, rel=0.35)
        needed.append(it.needed[0.05])
        assert it.needed[0.10] == 8
    assert needed[0] == 8 and needed == sorted(needed) and needed[1] <= 16 < needed[2]


def test_the_power_is_what_normal_theory_says():
    differences = 0.03 * math.sqrt(2) * np.random.default_rng(5).standard_normal(400)
    # A paired t-test with a standard error of 0.0424 / sqrt(16): 4.9 % against a threshold of 1 % are some 3.6 of them.
    assert noise.power(differences, math.log(0.95), 16) > 0.85 and noise.power(differences, math.log(1.05), 16) > 0.85
    assert noise.power(differences, math.log(0.98), 16) < 0.3 and noise.power(differences, math.log(0.95), 8) < 0.8
    assert noise.power(differences, 1e-9, 16) < 0.03


def test_with_too_few_blocks_nothing_is_promised():
    [it] = noise.noise_of(*sides(0.01, 7))
    assert it.interval is None and not it.needed and "found" not in it.words()


def test_an_aa_measures_everything_twice_in_each_block_and_says_what_it_can_show(tmp_path):
    it = definition.sweep_definition(DEPLOYED, None, [], None, twice=True)
    assert [axis.key for axis in it.axes] == [noise.AXIS] and it.repetitions == 16
    both = (AXES[0], axes.Axis(noise.AXIS, noise.SIDES, noise.SIDES))
    made = sweep(tmp_path / "out", program(tmp_path / "world"), axes=both, repetitions=2)
    made.go_on()
    told = SweepAnswer(made.at, made.record, COMPLETE, [])
    said = [line for line in told.remarks() if "measured twice" in line]
    assert len(said) == 2 and said[0].startswith("flow, measured twice: throughput: second over first +0.00%")
    keeps_to("sweep_answer", told.as_json())
