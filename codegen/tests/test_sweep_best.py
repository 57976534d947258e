"""Test `weir sweep --best`: the sizes tried, the order of measurements, and the report about the result."""

from __future__ import annotations

import json
import os
import re
import shutil
import signal
import subprocess
import sys
import time
from dataclasses import replace

import pytest
import weir
from conftest import CODEGEN, keeps_to
from planning import EXAMPLES, chain
from planning import plan as planned
from sweep_world import AXES, DEPLOYED, larger_chunks, program, sweep, with_larger_chunks
from weir import cli
from weir.diagnostics import WeirError
from weir.engine.measuring.listener import Listener
from weir.engine.measuring.runnable import RunOptions
from weir.lab.sweeping import axes, best, definition, drawings, fairness, state
from weir.lab.sweeping.answer import COMPLETE, SweepAnswer
from weir.lab.sweeping.best import QUICK_SEARCH_S, with_found
from weir.lab.sweeping.points import Points
from weir.lab.sweeping.ready import RunnablePoint
from weir.lab.sweeping.record import record_of
from weir.lab.sweeping.searching import FOLDER, Search
from weir.lab.sweeping.sizes import AUTO, AXIS, BEST, STATED, Sizes, with_sizes
from weir.lab.tuning.space import CHUNK_FACTORS, RING_CHUNKS
from weir.read.reporting.figures import curve_look

BOTH = axes.Axis(AXIS, (STATED, BEST), (STATED, BEST))
#: Deployment, sizes, stages: in the order of `sweep_definition`.
SIZED = (AXES[0], BOTH, AXES[1])


def asked(*vary: str, goal: str | None = "throughput", **more) -> axes.SweepDefinition:
    return definition.sweep_definition(DEPLOYED, None, list(vary), None, best=goal, **more)


# Points

def test_every_contender_is_there_with_the_stated_sizes_and_with_its_best():
    it = asked("deployment=one,other", "stages=1,3", "chunk_items=64")
    assert [axis.key for axis in it.axes] == ["deployment", AXIS, "stages", "chunk_items"]
    made = axes.cells(it, DEPLOYED, None)
    # Axes that apply only to stated sizes have no value for the best ones.
    assert [cell.values for cell in made][:4] == [("one", STATED, 1, 64), ("one", STATED, 3, 64),
                                                  ("one", BEST, 1, None),
                                                  ("one", BEST, 3, None)]
    names = axes.columns(it.axes)
    assert [axes.label(cell.values, names) for cell in made][1:3] == ["one · stages=3 · chunk_items=64",
                                                                      "one, best · stages=1"]
    assert axes.label((BEST, 3), (AXIS, "stages")) == "best sizes · stages=3"


def test_a_sweep_of_the_project_may_ask_for_it():
    document = {**DEPLOYED, "sweeps": [{"name": "s", "vary": {"stages": [1]}, "best": "p99"}]}
    assert definition.sweep_definition(document, "s", [], None).best == "p99"
    assert definition.sweep_definition(document, "s", [], None, best="throughput").best == "throughput"
    assert definition.sweep_definition(document, "s", [], None, twice=True).best is None


@pytest.mark.parametrize("vary, more, said", [
    (["stages=1"], {"twice": True}, "--best excludes --aa"),
    (["chunk_items=1,2"], {}, "the axis chunk_items already has 2 sizes"),
    (["buffer_bytes=1k,2k"], {}, "the axis buffer_bytes"),
    (["/deployments/0/chunk_items=1,2"], {}, "/deployments/0/chunk_items")])
def test_what_cannot_be_asked_for_together_is_refused(vary, more, said):
    with pytest.raises(WeirError, match=said):
        asked(*vary, **more)


def test_found_sizes_take_the_place_of_the_stated_ones():
    it = asked("deployment=one,other", "chunk_items=64", "buffer_bytes=4096")
    cell = axes.cells(it, DEPLOYED, None)[-1]
    made = with_sizes(cell, Sizes(256, 8192), 1)
    assert dict(made.sets) == {"/deployments/1/chunk_items": "256"} and made.buffers == ("/deployments/1/buffers", 8192)
    made = with_sizes(cell, Sizes(AUTO, AUTO), 1)
    assert (dict(made.sets) == {"/deployments/1/chunk_items": '"auto"', "/deployments/1/buffers": "{}"}
            and made.buffers is None)


# Candidates

def test_sizes_are_searched_for_at_the_middle_of_the_other_axes_that_contenders_have():
    it = asked("deployment=one,other", "stages=1,2,3,4", "trace=off,memory")
    made = axes.cells(it, DEPLOYED, None)
    assert [cell.values for cell in best.middle(made, it.axes)] == [("one", STATED, 3, "memory"),
                                                                    ("other", STATED, 3, "memory")]
    without = [cell for cell in made if cell.values[2] < 3]  # as conditions leave it
    assert [cell.values for cell in best.middle(without, it.axes)] == [("one", STATED, 2, "off"),
                                                                       ("other", STATED, 2, "off")]
    one = [cell for cell in made if cell.values[0] == "one" or cell.values[2] == 1]
    assert {cell.values[2] for cell in best.middle(one, it.axes)} == {1} and best.middle([], it.axes) == []


SINGLE = [str(EXAMPLES / "saxpy_chain.weir.json"), "--vary", "deployment=single_thread"]


@pytest.mark.parametrize("words, said", [
    ([str(EXAMPLES / "radio.weir.json"), "--vary", "deployment=flow", "--best"], "the sources are paced"),
    ([str(EXAMPLES / "quickstart.weir.json"), "--vary", "deployment=*", "--best=p99", "--trace", "off"],
     "--best=p99 needs latencies"),
    ([str(EXAMPLES / "grcon_throughput.weir.json"), "--vary", "deployment=flow", "--vary", "stages=1", "--vary",
      "pipes=1", "--best=p99"], "--best=p99 needs latencies"),
    # In the runs of the search.
    ([*SINGLE, "--best=p99"], "--best=p99 needs latencies, but single_thread records none"),
    ([*SINGLE, "--best", "--trace", "memory", "--set", "/graph/blocks/0/type=paced_source", "--set",
      "/graph/blocks/0/parameters={\"item_type\": \"f32\", \"rate\": 1000}"], "the sources are paced")])
def test_what_would_tell_nothing_apart_is_refused(words, said, capsys):
    code, _, err = dry(capsys, *words)
    assert code == 2 and "E_SWEEP_BEST" in err and said in err


def test_the_grid_is_that_of_tune_around_what_the_scheduler_has_by_itself():
    it = planned(chain(2)).plan
    middle = sorted(block.chunk_items for block in it.blocks)[len(it.blocks) // 2]
    found = best.grid(it, ("chunk_items", "buffers"), quick=False)
    chunks = sorted({size.chunk_items for size in found} - {AUTO})
    assert (found[0] == Sizes(AUTO, AUTO) and len(chunks) == 3 and chunks[2] == 4 * chunks[1] == 16 * chunks[0]
            and chunks[1] <= middle)
    assert {(size.chunk_items, size.buffer_bytes) for size in found[1:]} == {
        (chunk, of) for chunk in chunks for of in (AUTO, 2 * chunk * 4, 16 * chunk * 4)}
    assert best.grid(it, ("chunk_items", "buffers"),
                     quick=True) == [Sizes(AUTO, AUTO), *(Sizes(chunk, AUTO) for chunk in chunks)]
    assert best.grid(it, (), quick=False) == [Sizes(AUTO, AUTO)]


def dry(capsys, *words: str) -> tuple[int, str, str]:
    code = cli.main(["sweep", *words, "--dry-run"])
    out, err = capsys.readouterr()
    return code, out, err


def test_a_dry_run_says_what_the_search_takes_and_where_it_is_done(capsys):
    words = [str(EXAMPLES / "saxpy_chain.weir.json"), "--vary", "deployment=contiguous,single_thread", "--vary",
             "stages=1,2,3", "--best"]
    code, out, _ = dry(capsys, *words)
    assert code == 0 and "12 points in 8 rounds: 96 runs" in out
    [(candidates,
      runs)] = re.findall(r"by throughput at stages=2: (\d+) candidates of 2 contenders, (\d+) runs, predicted time",
                          out)
    looks, finals = best.RUNGS
    assert int(runs) == looks.rounds * int(candidates) + 2 * looks.kept * finals.rounds
    code, out, _ = dry(capsys, *words, "--json")
    answer = json.loads(out)
    keeps_to("sweep_answer", answer)
    assert answer["search"]["candidates"] == int(candidates) and answer["search"]["predicted_s"] > 0
    assert len(answer["points"]) == 6 and answer["runs"] == 96
    code, out, _ = dry(capsys, *words, "--quick")
    assert 4 <= int(re.search(r"(\d+) candidates of 2 contenders", out)[1]) < int(candidates)


def test_quick_tries_as_many_as_there_is_time_for(capsys):
    words = [str(EXAMPLES / "saxpy_chain.weir.json"), "--vary", "deployment=contiguous,single_thread", "--best",
             "--quick"]
    found = [int(re.search(r"(\d+) candidates of 2", dry(capsys, *words, "--items", items)[1])[1])
             for items in ("100M", "500G")]
    assert found[0] > found[1] == 4


# Search

def candidates(it, speeds: dict[tuple[str, int | None], float]) -> tuple[list[best.SearchCandidate], dict[int, object]]:
    """Return runs of each deployment at stages=2 that are this many times as fast as with the stated sizes."""
    tried, runnables = [], {}
    for (deployment, chunk), speed in speeds.items():
        at, cell = next((i, cell) for i, cell in enumerate(it.record.cells) if cell.values == (deployment, 2))
        sizes = Sizes(chunk, AUTO) if chunk else None
        one = best.SearchCandidate(len(tried), (deployment,), sizes, RunnablePoint(cell, None, None, ()))
        runnables[one.number] = replace(it.runnables[at], plan={**it.runnables[at].plan, "x_speed": speed})
        tried.append(one)
    return tried, runnables


SPEEDS = {("flow", None): 1.0, ("flow", 64): 0.5, ("flow", 256): 3.0, ("single_thread", None): 2.0,
          ("single_thread", 64): 2.0}
RUNGS = (best.Rung("1", 1, 2), best.Rung("2", 2, 1))


def search(it, speeds=SPEEDS, on_run=lambda *_: None) -> tuple[Search, list[best.SearchCandidate]]:
    tried, runnables = candidates(it, speeds)
    return Search(it.at, AXES, "throughput", RUNGS, runnables, RunOptions(it.at.folder, 1, "off"), it.catalog,
                  Listener(lambda text: None),
                  on_run), tried


@pytest.fixture(scope="module")
def searched(tmp_path_factory):
    """Return a sweep, and the search result from before it began."""
    folder = tmp_path_factory.mktemp("searched")
    it = sweep(folder / "out", program(folder / "world"))
    searching, tried = search(it)
    return it, searching.go_on(tried)


def test_the_best_of_each_contender_is_found_and_its_runs_are_in_no_table(searched):
    it, found = searched
    flow, single = found["contenders"]
    assert flow["values"] == {"deployment": "flow"} and flow["found"] == {"chunk_items": 256, "buffer_bytes": "auto"}
    assert single["as_stated"] and single["found"] is None  # the first of equal ones: nothing is changed in vain
    assert found["at"] == {"stages": 2} and found["runs"] == 5 + 2 * 4
    assert [one["runs"] for one in flow["tried"]] == [3, 1, 3] and [one["runs"] for one in single["tried"]] == [3, 3]
    value = {**it.at.value, "best": found}
    keeps_to("sweep", value)
    assert not it.record.rows and not state.done(it.at, {0, 1, 2, 3, 4, 5}, 3)[0]
    assert [len(weir.load(it.at.folder / FOLDER / name)) for name in ("1", "2")] == [5, 8]


def test_a_search_that_is_interrupted_continues_exactly_there(searched, tmp_path):
    script, counter = program(tmp_path / "world"), tmp_path / "world" / "counter"
    it, runs = sweep(tmp_path / "out", script), []

    def on_run(run, *_):
        runs.append(run)
        if len(runs) in (2, 4, 7, 11):  # in either rung
            raise KeyboardInterrupt

    found = None
    for _ in range(5):
        try:
            searching, tried = search(it, on_run=on_run)
            found = searching.go_on(tried)
        except KeyboardInterrupt:
            continue
    assert len(runs) == len(counter.read_text()) == 13
    other, undisturbed = searched
    assert undisturbed["contenders"] == found["contenders"]
    places = [[(row["round"], row["position"], row["point"])
               for _, row in weir.load(which.at.folder / FOLDER / "2").iterrows()]
              for which in (it, other)]
    assert places[0] == places[1]


def test_other_candidates_than_at_the_beginning_are_not_continued(tmp_path):
    it = sweep(tmp_path / "out", program(tmp_path / "world"))

    def on_run(*_):
        raise KeyboardInterrupt

    searching, tried = search(it, on_run=on_run)
    with pytest.raises(KeyboardInterrupt):
        searching.go_on(tried)
    searching, tried = search(it, {**SPEEDS, ("flow", 9): 1.0})
    with pytest.raises(WeirError, match="axes changed"):
        searching.go_on(tried)


def test_a_contender_of_which_nothing_counts_has_no_best_and_says_why(tmp_path):
    it = sweep(tmp_path / "out", program(tmp_path / "world", statuses=["failed"]))
    searching, tried = search(it)
    found = searching.go_on(tried)
    assert all(one["found"] is None and not one["as_stated"] and one["why"] for one in found["contenders"])
    said = best.remarks(found)
    assert "flow, best: not measured: no run of the search was ok and long enough" in said
    points = Points(axes.SweepDefinition(None, SIZED, 3, (), "throughput"), [], axes.cells(
        axes.SweepDefinition(None, SIZED, 3, ()),
        {"deployments": [{"name": "flow"}, {"name": "single_thread"}]}, None)[3:6],
        lambda cells: ([], []), ["flow", "single_thread"])
    opened, left_out = with_found(points, found)
    assert not opened and [one.code for one in left_out] == 3 * ["E_SWEEP_BEST"]


def test_a_contender_that_cannot_be_run_here_is_not_searched_for_and_says_why(tmp_path):
    it = sweep(tmp_path / "out", program(tmp_path / "world"))
    searching, tried = search(it, {("flow", None): 1.0, ("single_thread", None): 1.0})
    del searching.runnables[1]
    flow, single = searching.go_on(tried)["contenders"]
    assert flow["as_stated"] and (single["why"], single["tried"]) == ("this machine cannot run it", [])


def test_runs_that_fall_behind_do_not_count_and_less_latency_is_better():
    rows = [{"status": "ok", "kept_up": kept_up, "throughput_items_per_s": 1e6, "latency_p99_ns": ns}
            for kept_up, ns in ((True, 5.0), (False, 1.0))]
    assert best.value(rows[:1], "p99") == pytest.approx(5.0) and best.value(rows[1:], "p99") is None
    tried = [best.SearchCandidate(i, ("flow",), None, None) for i in range(3)]
    assert [one.number for one in best.ranked(tried, {0: 3.0, 1: 1.0, 2: None}, "p99")] == [1, 0]
    assert [one.number for one in best.ranked(tried, {0: 3.0, 1: 1.0, 2: None}, "throughput")] == [0, 1]


# Reports

@pytest.fixture(scope="module")
def measured(tmp_path_factory):
    """Return a sweep with best sizes: their chunks are four times as large."""
    tmp_path = tmp_path_factory.mktemp("measured")
    it = sweep(tmp_path / "out", program(tmp_path / "world"), axes=SIZED, repetitions=1)
    for i, (cell, runnable) in enumerate(zip(it.record.cells, it.runnables)):
        if cell.values[1] == BEST and cell.deployment == "single_thread":
            it.runnables[i] = replace(runnable, plan=larger_chunks(runnable.plan, 4))
    it.go_on()
    return it


FOUND = {"goal": "throughput", "at": {"stages": 2}, "seed": 7, "runs": 40, "measured_s": 12.0, "contenders": [
    {"values": {"deployment": "flow"}, "found": None, "as_stated": True, "why": "", "tried": []},
    {"values": {"deployment": "single_thread"}, "found": {"chunk_items": 256, "buffer_bytes": "auto"},
     "as_stated": False, "why": "",
     "tried": []}]}


def test_equal_sizes_are_compared_with_equal_ones_and_best_ones_differ_by_intention(measured, tmp_path):
    folder = shutil.copytree(measured.at.folder, tmp_path / "out")
    record, _ = record_of(state.State(folder, measured.at.value))
    cells, names, latest = record.cells, record.columns, record.latest
    kinds = {one.kind: one for one in fairness.findings(SIZED, names, cells, latest, ["chunk_items"])}
    assert kinds["chunk_items"].state == fairness.EQUAL and kinds["chunk_items"].promised
    # The same difference where the sizes had to be equal.
    spoilt = next(cell.number for cell in cells if cell.values == ("single_thread", STATED, 2))
    with_larger_chunks(latest[spoilt].path, 4)
    kinds = {one.kind: one for one in fairness.findings(SIZED, names, cells, latest, ["chunk_items"])}
    assert (kinds["chunk_items"].broken
            and kinds["chunk_items"].words[0].startswith("flow → single_thread: chunk items differ"))
    # Best sizes must agree in everything but the sizes.
    spoilt = next(cell.number for cell in cells if cell.values == ("single_thread", BEST, 2))
    latest[spoilt].results["environment"]["flags"] = "-O0"
    kinds = {one.kind: one for one in fairness.findings(SIZED, names, cells, latest, [])}
    assert kinds["flags"].words[0].startswith("flow, best → single_thread, best: the builds differ")


def test_the_answer_and_the_report_name_both_and_what_was_found(measured, tmp_path):
    it = measured
    at = state.State(it.at.folder, {**it.at.value, "best": FOUND})
    at.write()
    told = SweepAnswer(at, it.record, COMPLETE, [])
    keeps_to("sweep_answer", told.as_json())
    text = told.text()
    assert "best sizes by throughput: Weir searched for them at stages=2 in 40 runs of 12 s in all (seed 7)" in text
    assert "flow, best: the stated sizes (of 0 candidates); a difference between the two is noise" in text
    assert ("single_thread, best: chunk_items 256, buffer_bytes auto" in text
            and "single_thread, best · stages=3" in text)
    frame = weir.load(at.folder)
    assert frame.groupby(["deployment", AXIS]).size().to_dict() == {(name, of): 3 for name in ("flow", "single_thread")
                                                                    for of in (BEST, STATED)}
    assert cli.main(["report", str(at.folder), "-o", str(tmp_path / "page.html")]) == 0
    shown = (tmp_path / "page.html").read_text()
    assert "differ on purpose" in shown and "<td>single_thread, best · stages=1</td>" in shown


def test_figures_show_both_in_one_colour_and_the_best_ones_dashed(measured):
    it = measured
    assert drawings.shape_of(SIZED) == drawings.Shape(2, (0, 1), ())
    assert drawings.shape_of((BOTH, AXES[1])) == drawings.Shape(1, (0,), ())
    answer = SweepAnswer(it.at, it.record, COMPLETE, [])
    [drawing] = drawings.drawings(answer, SIZED)
    from matplotlib.figure import Figure

    drawn = Figure().subplots()
    drawing.draw(drawn)
    lines = {line.get_label(): line for line in drawn.get_lines() if not line.get_label().startswith("_")}
    assert list(lines) == ["flow", "flow, best", "single_thread", "single_thread, best"]
    colours = [line.get_color() for line in lines.values()]
    assert colours[0] == colours[1] != colours[2] == colours[3]
    assert [line.is_dashed() for line in lines.values()] == [False, True, False, True]
    # Curves of distributions have the same colours, and other dashes for the best sizes.
    curves = [curve_look(drawings._look(answer, SIZED, (0, 1), (name, of)))
              for name in ("flow", "single_thread") for of in (STATED, BEST)]
    assert [curve["color"] for curve in curves] == colours
    assert curves[0]["dashes"] != curves[1]["dashes"] and curves[2]["dashes"] != curves[3]["dashes"]


# Whole sweep

@pytest.mark.slow
def test_a_search_that_is_killed_is_continued_and_the_sweep_measures_afresh(tmp_path):
    out, lock = tmp_path / "out", str(tmp_path / "lock")
    words = [sys.executable, "-m", "weir", "sweep", str(EXAMPLES / "quickstart.weir.json"), "--vary",
             "deployment=single_thread",
             "--best", "--repetitions", "2", "--repeats", "0", "--items", "200M", "--trace", "off", "--out", str(out)]
    environment = {**os.environ, "PYTHONPATH": str(CODEGEN), "WEIR_LOCK": lock}
    with subprocess.Popen(words, env=environment) as child:
        end = time.monotonic() + 600
        while child.poll() is None and len(list(out.glob(f"{FOLDER}/1/2*Z-*"))) < 3 and time.monotonic() < end:
            time.sleep(0.05)
        child.send_signal(signal.SIGKILL)
    assert state.read_state(out).value["best"] is None and not list(out.glob("2*Z-*"))
    before = {path.name for path in out.glob(f"{FOLDER}/1/2*Z-*")}
    answer = subprocess.run([*words[:4], words[4], "--out", str(out), "--resume", "--json"], env=environment,
                            check=True,
                            capture_output=True, text=True)
    answer = json.loads(answer.stdout)
    keeps_to("sweep_answer", answer)
    assert before < {path.name for path in out.glob(f"{FOLDER}/1/2*Z-*")} and len(before) >= 3
    assert len(answer["best"]["contenders"]) == 1 and answer["runs"] == answer["ok"] == 2 * 2
    value = state.read_state(out).value
    assert value["best"] == answer["best"] and [point["number"] for point in value["points"]] == [0, 1]
    runs = {path.name for path in out.glob("2*Z-*")}
    assert len(runs) == 4 and not runs & {path.name for path in out.glob(f"{FOLDER}/*/2*Z-*")}
    again = subprocess.run([*words[:4], words[4], "--out", str(out), "--resume", "--json"], env=environment, check=True,
                           capture_output=True, text=True)
    assert json.loads(again.stdout) == answer


# docs/sweeps.md

PAGE = " ".join((CODEGEN.parent / "docs" / "sweeps.md").read_text(encoding="utf-8").split())


def test_the_numbers_of_the_page_are_those_of_the_code():
    assert CHUNK_FACTORS == (1 / 4, 4) and "own chunks, a quarter of these and four times these" in PAGE
    assert f"buffers of {RING_CHUNKS[0]} and of {RING_CHUNKS[1]} chunks" in PAGE
    looks, finals = best.RUNGS
    assert (f"all candidates run in {looks.rounds} rounds. Then the {looks.kept} best of each contender run in "
            f"{finals.rounds} more rounds") in PAGE
    assert [rung.rounds for rung in best.QUICK_RUNGS] == [1] and "With `--quick`, the search has one round" in PAGE
    assert QUICK_SEARCH_S == 90.0 and "a minute and a half" in PAGE
    assert f"`{FOLDER}/1` and `{FOLDER}/2`" in PAGE and [rung.name for rung in best.RUNGS] == ["1", "2"]
