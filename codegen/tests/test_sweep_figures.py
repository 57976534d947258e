"""Test the points and figures that a project's sweep defines.

Conditions, a quick form, items of contenders, the ceiling, lines of reference, published numbers, and differences.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path

import matplotlib
import pytest
from matplotlib.figure import Figure
from sweep_world import DEPLOYED
from weir import cli
from weir.diagnostics import WeirError
from weir.lab.sweeping import axes, definition, drawings, state
from weir.lab.sweeping.answer import COMPLETE, SweepAnswer
from weir.lab.sweeping.estimates import ceiling_of, difference
from weir.lab.sweeping.overlay import MOST_BYTES, read_overlay
from weir.lab.sweeping.record import Order, Record
from weir.lab.sweeping.table import bare_items_per_s
from weir.model.catalog import load_catalog
from weir.model.check import check
from weir.model.document.expressions import ExpressionError, holds
from weir.read.reporting.axis_figures import (
    MANY_LINES,
    OTHER_MACHINE,
    Guide,
    Line,
    Quantity,
    Spot,
    by_row,
    over_axis,
)
from weir.read.reporting.figures import COLOURS, STYLE

SWEEP = {"name": "s", "vary": {"deployment": ["one", "other"], "workers": [1, 2, 3], "stages": [1, 2, 3, 4, 5, 6]}}
PROJECT = {**DEPLOYED, "parameters": {"stages": {"value": 2}, "workers": {"value": 1}}}


def document(**more) -> dict:
    return {**PROJECT, "sweeps": [{**SWEEP, **more}]}


def points(it: Mapping, quick: bool = False, vary: Sequence[str] = (), cpus: int = 2) -> list[axes.Cell]:
    return axes.cells(definition.sweep_definition(it, "s", list(vary), None, quick, cpus=cpus), it, None)


def faults(**more) -> list[str]:
    return [f"{it.code} {it.pointer}" for it in check(json.dumps(document(**more))).diagnostics
            if it.severity == "error"]


# Conditions

@pytest.mark.parametrize("text, holds_", [
    ("stages <= 3 * workers", True), ("stages>=workers+5", False), ("stages == 6", True), ("stages != 6", False),
    ("1 < 2", True),
    ("stages > 6", False), ("ceil(stages / workers) < 4", True)])
def test_a_condition_compares_two_expressions(text, holds_):
    assert holds(text, {"stages": 6, "workers": 2}) is holds_


@pytest.mark.parametrize("text", ["stages", "1 < stages < 3", "stages = 3", "", "<", "stages <= nothing"])
def test_anything_else_is_none(text):
    with pytest.raises(ExpressionError):
        holds(text, {"stages": 6})


def test_points_at_which_a_condition_does_not_hold_are_not_measured():
    made = points(document(where=["stages >= workers", "stages <= 3 * workers", "workers <= cpus"]))
    assert [cell.values[1:] for cell in made if cell.values[0] == "one"] == [
        (1, 1), (1, 2), (1, 3), (2, 2), (2, 3), (2, 4), (2, 5), (2, 6)]
    assert [cell.number for cell in made] == list(range(16))
    assert len(points(document(where=["workers <= cpus"]), cpus=3)) == 36


def test_the_quick_form_takes_its_values_of_what_the_conditions_leave():
    where = ["stages >= workers", "stages <= 3 * workers", "workers <= cpus", "workers > 1"]
    assert [cell.values[1:] for cell in points(document(where=where), quick=True)
            if cell.values[0] == "one"] == [(2, 2), (2, 4), (2, 6)]


def test_where_no_point_is_left_that_is_reported_at_its_place():
    with pytest.raises(WeirError) as error:
        points(document(where=["workers > cpus", "workers < cpus"]))
    [fault] = error.value.diagnostics
    assert (fault.code, fault.pointer) == ("E_SWEEP_SIZE", "/sweeps/0/where") and "2 CPUs" in fault.message


def test_what_cannot_be_evaluated_at_a_point_is_reported_there_before_anything_runs():
    with pytest.raises(WeirError) as error:
        points(document(where=["6 / (stages - 3) > 0"]))
    [fault] = error.value.diagnostics
    assert (fault.code, fault.pointer) == ("E_EXPR_ZERO_DIVISION", "/sweeps/0/where/0") and "stages=3" in fault.message


# A quick form, and items

def test_the_project_says_what_quick_takes_and_the_command_line_more():
    it = document(quick={"vary": {"stages": [2, 5, 6, 4], "deployment": ["other"]}})
    made = points(it, quick=True)
    assert {cell.values[0] for cell in made} == {"other"} and {cell.values[2] for cell in made} == {2, 5, 6, 4}
    assert {cell.values[1] for cell in made} == {1, 2, 3}
    assert {cell.values[2] for cell in points(it, quick=True, vary=["stages=1,2,3,4,5"])} == {1, 2, 3, 4, 5}
    assert len(points(it)) == 36


def test_an_axis_of_names_has_its_first_values_and_not_its_ends():
    names = axes.Axis("trace", ("compiled_out", "off", "not_enabled", "lttng", "memory"), ("",) * 5)
    assert names.quick().values == ("compiled_out", "off", "not_enabled", "lttng")


def test_contenders_have_items_of_their_own_unless_they_are_varied():
    it = document(items={"one": 50, "other": 60}, quick={"items": {"one": 5}})
    assert {cell.deployment: dict(cell.sets)["/run/items"] for cell in points(it)} == {"one": "50", "other": "60"}
    assert {cell.deployment: dict(cell.sets)["/run/items"]
            for cell in points(it, quick=True)} == {"one": "5", "other": "60"}
    assert {dict(cell.sets)["/run/items"] for cell in points(it, vary=["items=7"])} == {"7"}
    own = points(document(items={name: {"expr": "6 * stages"} for name in ("one", "other")}))
    assert {dict(cell.sets)["/run/items"] for cell in own} == {'{"expr": "6 * stages"}'}


# Refusals when the project is read

@pytest.mark.parametrize("more, said", [
    ({"where": ["stages <"]}, "E_EXPR_SYNTAX /sweeps/0/where/0"),
    ({"where": ["stage < 3"]}, "E_EXPR_NAME /sweeps/0/where/0"),
    ({"where": ["deployment < 3"]}, "E_EXPR_NAME /sweeps/0/where/0"),
    ({"items": {"on": 3}}, "E_SWEEP_KEY /sweeps/0/items/on"),
    ({"quick": {"items": {"on": 3}}}, "E_SWEEP_KEY /sweeps/0/quick/items/on"),
    ({"quick": {"vary": {"gain": [3]}}}, "E_SWEEP_KEY /sweeps/0/quick/vary/gain"),
    ({"quick": {"vary": {"stages": [3, 9]}}}, "E_SWEEP_KEY /sweeps/0/quick/vary/stages/1"),
    ({"plot": {"y": "elapsed_s", "against": {"trace": "off"}}}, "E_SWEEP_KEY /sweeps/0/plot/against/trace"),
    ({"plot": {"y": "elapsed_s", "against": {"stages": 9}}}, "E_SWEEP_KEY /sweeps/0/plot/against/stages"),
    ({"plot": {"y": "elapsed_s", "against": {"workers": 1, "stages": 9}}}, "E_SWEEP_KEY /sweeps/0/plot/against/stages"),
    ({"plot": {"y": "of_ceiling", "reference": [{"label": "l", "value": "1 / x"}]}},
     "E_EXPR_NAME /sweeps/0/plot/reference/0/value"),
    ({"plot": {"y": "elapsed_s", "reference": [{"label": "l", "value": "ceiling"}]}},
     "E_EXPR_NAME /sweeps/0/plot/reference/0/value"),
    ({"plot": {"y": "elapsed_s", "ceiling": True}}, "E_SWEEP_KEY /sweeps/0/plot/ceiling"),
    ({"plot": {"y": "of_ceiling", "ceiling": True, "against": {"stages": 1}}}, "E_SWEEP_KEY /sweeps/0/plot/ceiling"),
    ({"plot": {"ceiling": True}}, "E_KEY_MISSING /sweeps/0/plot"),
    ({"plot": {"y": "throughput_items_per_s", "overlay": {"file": "a.csv", "label": "l", "y": "y", "name": ["n"]}}},
     "E_SWEEP_KEY /sweeps/0/plot/overlay"),
    ({"plot": {"y": "of_ceiling", "overlay": {"file": "../a.csv", "label": "l", "y": "y", "name": ["n"]}}},
     "E_VALUE_RANGE /sweeps/0/plot/overlay/file"),
    ({"plot": {"y": "of_ceiling",
               "overlay": {"file": "a.csv", "label": "l", "y": "y", "name": ["n"], "columns": {"gain": "c"}}}},
     "E_SWEEP_KEY /sweeps/0/plot/overlay/columns/gain")])
def test_what_does_not_fit_is_reported_when_the_project_is_read_with_its_place(more, said):
    assert faults(**more) == [said]


def test_what_fits_is_not():
    assert faults(where=["stages <= 3 * workers", "workers <= cpus"], items={"one": 5},
                  quick={"vary": {"stages": [1]}, "items": {"one": 2}}, plot={
        "y": "of_ceiling", "ceiling": True, "reference": [{"label": "N/M", "value": "ceiling * workers / stages"}],
        "overlay": {"file": "a.csv", "label": "l", "y": "y", "name": ["n"], "columns": {"stages": "m"},
                    "only": {"n": ["a"]}}}) == []


def test_a_line_of_reference_is_evaluated_at_every_point_before_anything_runs(tmp_path, capsys):
    project = tmp_path / "p.weir.json"
    project.write_text(json.dumps(document(plot={"y": "of_ceiling",
                                                 "reference": [{"label": "l", "value": "1 / (stages - 3)"}]})))
    assert cli.main(["sweep", str(project), "--out", str(tmp_path / "out")]) == 1
    err = capsys.readouterr().err
    assert "/sweeps/0/plot/reference/0/value" in err and "E_EXPR_ZERO_DIVISION" in err and "stages=3" in err
    assert not (tmp_path / "out").exists()


# Published numbers

OVERLAY = {"file": "a.csv", "label": "theirs", "columns": {"stages": "m"}, "y": "share", "name": ["runtime", "how"],
           "only": {"how": ["x", "y"]}}
CSV = "# whose\nruntime,how,m,share\na,x,1,0.5\na,x,2,0.25\nb,z,1,0.1\n"


def overlay(folder: Path, text: str | bytes, **more) -> list[dict]:
    (folder / "a.csv").write_bytes(text if isinstance(text, bytes) else text.encode())
    return read_overlay(document(plot={"y": "of_ceiling", "overlay": {**OVERLAY, **more}}), "s", folder)


def test_the_rows_that_are_requested_are_read_as_shares(tmp_path):
    assert overlay(tmp_path, CSV) == [{"name": "a x", "values": {"stages": 1}, "share": 0.5},
                                      {"name": "a x", "values": {"stages": 2}, "share": 0.25}]
    assert read_overlay(document(), "s", tmp_path) == [] and read_overlay(document(), None, tmp_path) == []


@pytest.mark.parametrize("text, more, place", [
    (CSV, {"y": "shares"}, "/y"), (CSV, {"name": ["who"]}, "/name/0"),
    (CSV, {"columns": {"stages": "n"}}, "/columns/stages"),
    (CSV, {"only": {"who": ["x"]}}, "/only/who"), (CSV, {"only": {"how": ["w"]}}, "/only"),
    (CSV.replace("0.25", "fast"), {}, "/y"),
    (CSV.replace("0.25", "-1"), {}, "/y"), (b"\xff\xfe", {}, "/file"), ("", {}, "/y"),
    ("a" * (MOST_BYTES + 1), {}, "/file")])
def test_a_file_that_is_not_as_the_project_says_is_reported_with_the_place_that_says_it(text, more, place, tmp_path):
    with pytest.raises(WeirError) as error:
        overlay(tmp_path, text, **more)
    [fault] = error.value.diagnostics
    assert (fault.code, fault.pointer) == ("E_SWEEP_OVERLAY", f"/sweeps/0/plot/overlay{place}")


def test_a_file_outside_the_projects_folder_is_not_read(tmp_path):
    (tmp_path / "secret.csv").write_text(CSV)
    (tmp_path / "own").mkdir()
    (tmp_path / "own" / "a.csv").symlink_to(tmp_path / "secret.csv")
    with pytest.raises(WeirError, match="outside the project"):
        read_overlay(document(plot={"overlay": OVERLAY}), "s", tmp_path / "own")
    with pytest.raises(WeirError, match="E_FILE_MISSING|cannot read"):
        read_overlay(document(plot={"overlay": OVERLAY}), "s", tmp_path)


# Figures

def measured(made: Sequence[axes.Axis], plot: Mapping, row: Callable[[Mapping, int], Mapping], blocks: int = 8,
             published: Sequence[Mapping] = ()) -> tuple[SweepAnswer, Sequence[axes.Axis]]:
    """Return an answer whose rows are `row` of the values of the point and the number of the block."""
    it = axes.SweepDefinition("s", tuple(made), blocks, ())
    cells = axes.cells(it, PROJECT, None)
    names = axes.columns(made)
    order = Order(1, len(cells), blocks, 0)
    record = Record(cells, names, order)
    for block in range(blocks):
        for cell in cells:
            values = dict(zip((axis.key for axis in made), cell.values))
            record.rows[block, cell.number] = {
                "round": block, "position": cell.number, "point": cell.number, "status": "ok",
                "throughput_items_per_s": None, "latency_mean_ns": None, "latency_p5_ns": None,
                "latency_p50_ns": None, "latency_p95_ns": None, "latency_p99_ns": None, "elapsed_s": None,
                "of_ceiling": None,
                "bare_before_items_per_s": None, "bare_after_items_per_s": None, "window_s": None,
                **row(values, block)}
        record._counts[block] = len(cells)
    at = state.State(Path(), {"document": {"sweeps": [{"name": "s", "plot": dict(plot)}]}, "sweep": "s",
                              "machine": {"allowed": [0, 1]},
                              "axes": [{"key": axis.key, "values": list(axis.values)} for axis in made],
                              "left_out": [], "best": None, "project": "p",
                              **({"overlay": list(published)} if published else {})})
    return SweepAnswer(at, record, COMPLETE, ()), made


def axis(key: str, *values: object) -> axes.Axis:
    return axes.Axis(key, values, tuple(map(str, values)), parameter=key in PROJECT["parameters"])


def drawn(of: tuple[SweepAnswer, Sequence[axes.Axis]]) -> list[tuple]:
    """Return (caption, labels of the legend, curves by label) of each figure."""
    found = []
    for drawing in drawings.drawings(*of):
        with matplotlib.rc_context(STYLE):
            ax = Figure().add_subplot()
            drawing.draw(ax)
        lines = {line.get_label(): (list(line.get_xdata()), list(line.get_ydata())) for line in ax.lines
                 if not line.get_label().startswith("_")}
        found.append((drawing, lines, ax))
    return found


CHAIN = (axis("deployment", "one", "other"), axis("workers", 2), axis("stages", 2, 3, 4))
IDEAL = [{"label": "N/M", "value": "workers / stages"}, {"label": "1/ceil(M/N)", "value": "1 / ceil(stages / workers)"}]


def test_the_ceiling_and_the_lines_of_reference_are_over_the_axis():
    of = measured(CHAIN, {"y": "of_ceiling", "ceiling": True, "reference": IDEAL}, lambda at,
                  _: {"of_ceiling": 1 / at["stages"]})
    [(drawing, lines, _)] = drawn(of)
    assert lines["N/M"] == ([2, 3, 4], [1, 2 / 3, 0.5]) and lines["1/ceil(M/N)"] == ([2, 3, 4], [1, 0.5, 0.5])
    assert lines[drawings.CEILING_LABEL] == ([2, 3, 4], [1, 1, 1])
    assert "Share of the bare kernel over stages at workers=2" in drawing.caption


def test_the_ceiling_of_a_throughput_is_what_the_bare_kernel_did_beside_the_runs():
    of = measured(CHAIN, {"y": "throughput_items_per_s", "ceiling": True,
                          "reference": [{"label": "half", "value": "ceiling / 2"}]},
                  lambda at,
                  block: {"throughput_items_per_s": 1e9, "bare_before_items_per_s": 1e9, "bare_after_items_per_s": 4e9})
    [(_, lines, _)] = drawn(of)
    assert lines[drawings.CEILING_LABEL][1] == pytest.approx([4e9] * 3) and lines["half"][1] == pytest.approx([2e9] * 3)


def test_the_ceiling_beside_a_run_is_the_better_of_its_two_controls():
    rows = [{"status": "ok", "bare_before_items_per_s": 1.0, "bare_after_items_per_s": 2.0},
            {"status": "invalid", "bare_before_items_per_s": 9.0, "bare_after_items_per_s": 9.0},
            {"status": "ok", "bare_before_items_per_s": None, "bare_after_items_per_s": None},
            {"status": "ok", "bare_before_items_per_s": 7.0, "bare_after_items_per_s": 7.0, "interference_loops": 4}]
    assert [bare_items_per_s(row) for row in rows] == [2.0, 9.0, None, None] and ceiling_of(rows) == pytest.approx(2.0)
    assert ceiling_of(rows[1:]) is None


def test_a_line_of_reference_that_differs_among_the_lines_is_one_for_each():
    of = measured([axis("workers", 1, 2), axis("stages", 2, 4)],
                  {"y": "of_ceiling", "x": "stages", "by": "workers", "reference": IDEAL[:1]},
                  lambda at, _: {"of_ceiling": 0.5})
    [(_, lines, _)] = drawn(of)
    assert lines["N/M · workers=1"] == ([2, 3, 4], [1 / 2, 1 / 3, 1 / 4])
    assert lines["N/M · workers=2"] == ([2, 3, 4], [1, 2 / 3, 1 / 2])


PUBLISHED = [{"name": "theirs", "values": {"workers": 2, "stages": m}, "share": 1 / m} for m in (2, 3)] + [
    {"name": "theirs", "values": {"workers": 4, "stages": 2}, "share": 0.9}]


def test_published_numbers_are_marked_as_another_machines_and_only_those_of_the_figure_are_shown():
    plot = {"y": "of_ceiling", "overlay": {**OVERLAY, "label": "a small board"}}
    [(drawing, lines, ax)] = drawn(measured(CHAIN, plot, lambda at, _: {"of_ceiling": 0.5}, published=PUBLISHED))
    assert lines["theirs (a small board)"] == ([2, 3], [1 / 2, 1 / 3])
    assert drawing.caption.endswith("Hollow and grey marks: a small board, another machine.")
    colours = {line.get_label(): line.get_color() for line in ax.lines}
    assert colours["theirs (a small board)"] not in {colours["one"], colours["other"]}
    [(bars, _, ax)] = drawn(measured(CHAIN[:1], {**plot, "kind": "bar"}, lambda at, _: {"of_ceiling": 0.5},
                                     published=PUBLISHED[:1]))
    assert [text.get_text() for text in ax.get_yticklabels()] == ["one", "other", "theirs (a small board)"]
    assert "another machine" in bars.caption


STRATEGIES = [{"name": "their other", "values": {"deployment": "other", "workers": 2, "stages": m}, "share": 1 / m}
              for m in (2, 5)] + [
    {"name": "nobody's", "values": {"deployment": "third", "workers": 2, "stages": 2}, "share": 0.1}]


def test_published_numbers_stand_beside_the_contender_of_the_same_strategy():
    plot = {"y": "of_ceiling", "overlay": {**OVERLAY, "label": "board"}, "reference": IDEAL}
    [(drawing, lines, ax)] = drawn(measured(CHAIN, plot, lambda at, _: {"of_ceiling": 0.5}, published=STRATEGIES))
    assert list(lines) == ["one", "other", "their other (board)", "nobody's (board)", "N/M", "1/ceil(M/N)"]
    looks = {line.get_label(): (line.get_color(), line.get_marker(), line.get_markerfacecolor()) for line in ax.lines}
    assert looks["their other (board)"][:2] == looks["other"][:2] and looks["their other (board)"][2] == "none"
    assert looks["nobody's (board)"][0] == OTHER_MACHINE
    # Reference lines reach as far as the published numbers.
    assert lines["N/M"][0] == [2, 3, 4, 5] and lines["1/ceil(M/N)"][1] == pytest.approx([1, 1 / 2, 1 / 2, 1 / 3])
    [(_, _, ax)] = drawn(measured(CHAIN[:1], {**plot, "kind": "bar"}, lambda at, _: {"of_ceiling": 0.5},
                                  published=[STRATEGIES[0], STRATEGIES[2]]))
    names = [text.get_text() for text in ax.get_yticklabels()]
    assert names == ["one", "other", "their other (board)", "nobody's (board)"]


def test_reference_lines_are_drawn_at_points_that_are_not_measured():
    chain = (*CHAIN[:2], axis("stages", 2, 6))
    [(_, lines, _)] = drawn(measured(chain, {"y": "of_ceiling", "reference": IDEAL}, lambda *_: {"of_ceiling": 0.5}))
    assert lines["1/ceil(M/N)"] == ([2, 3, 4, 5, 6], pytest.approx([1, 1 / 2, 1 / 2, 1 / 3, 1 / 3]))
    # An expression may be undefined between measured points.
    [(_, lines, _)] = drawn(measured(chain, {"y": "of_ceiling", "reference": [
        {"label": "l", "value": "1 / (stages - 3)"}]}, lambda *_: {"of_ceiling": 0.5}))
    assert lines["l"][0] == [2, 4, 5, 6]


@pytest.mark.parametrize("xs, wanted", [([1, 3], [1, 2, 3]), ([0.5, 1.5], None), ([1, 100_000], None)])
def test_a_reference_line_has_a_bounded_number_of_points(xs, wanted):
    found = drawings.between(xs)
    assert found == wanted if wanted else set(xs) <= set(found) and 100 < len(found) <= drawings.MOST_ON_LINE + 3
    assert all(isinstance(x, int) for x in found) == (xs[0] != 0.5)


def test_a_contender_has_the_same_colour_in_every_panel():
    many = (axis("deployment", "one", "other"), axis("gain", 1, 2), axis("stages", 2, 4))
    of = measured(many, {"y": "of_ceiling", "x": "stages", "by": "deployment"},
                  lambda at, _: {"of_ceiling": None if (at["deployment"], at["gain"]) == ("one", 1) else 0.5})
    [drawing] = drawings.drawings(*of)
    with matplotlib.rc_context(STYLE):
        drawing.paint(figure := Figure())
    a, b, legend = (ax for ax in figure.axes if ax.lines or ax.get_legend())
    colours = [{line.get_label(): line.get_color() for line in ax.lines} for ax in (a, b)]
    assert (a.get_title(), b.get_title()) == ("gain=1", "gain=2")
    assert [[name for name in it if name[0] != "_"] for it in colours] == [["other"], ["one", "other"]]
    assert colours[0]["other"] == colours[1]["other"] != colours[1]["one"]
    assert [text.get_text() for text in legend.get_legend().get_texts()] == ["other", "one"]
    assert {(row[0], row[1]) for row in drawing.table[1:]} == {("gain=1", "other"), ("gain=2", "one"),
                                                               ("gain=2", "other")}
    assert drawing.marks[0].words.startswith("gain=1, other, stages 2: ")
    # Each figure has six panels, and a sweep of more conditions says what is missing.
    long = (axis("deployment", "one"), axis("gain", *range(14)), axis("stages", 2, 4))
    made = [*drawings.drawings(*measured(long, {"y": "of_ceiling", "x": "stages", "by": "deployment"},
                                         lambda *_: {"of_ceiling": 0.5}))]
    assert [len(it.panels) for it in made] == [drawings.IN_ONE] * 2
    [said] = drawings.undrawn(long, drawings.shape_of(long, {"x": "stages", "by": "deployment"}))
    assert "only the first 12 of 14 combinations" in said


def test_a_page_has_the_titles_of_deployments_and_of_parameters():
    of, made = measured(CHAIN, {"y": "of_ceiling"}, lambda *_: {"of_ceiling": 0.5})
    of.at.value["document"].update(deployments=[{"name": "one", "title": "The first"}, {"name": "other"}],
                                   parameters={"stages": {"description": "M: stages in the chain"}})
    [(_, lines, ax)] = drawn((of, made))
    assert list(lines) == ["The first", "other"] and ax.get_xlabel() == "M: stages in the chain"
    assert [row[0].text for row in of.table(titled=True)][1:5] == [
        "The first · stages=2", "The first · stages=3", "The first · stages=4", "other · stages=2"]
    assert of.table()[1][0].text == "one · stages=2"
    document_of = {**PROJECT, "deployments": [{**it, "title": "T"} for it in PROJECT["deployments"]]}
    assert not [it for it in check(json.dumps(document_of)).diagnostics if it.severity == "error"]


def test_a_curve_has_the_colour_of_its_scheduler():
    of, made = measured(CHAIN, {"y": "of_ceiling"}, lambda *_: {"of_ceiling": 0.5})
    of.at.value["document"]["deployments"] = [{"name": "other", "scheduler": "gnuradio310"},
                                              {"name": "one", "scheduler": "futuresdr_flow"}]
    [(*_, ax)] = drawn((of, made))
    wanted = {name: COLOURS[load_catalog().schedulers[scheduler].descriptor["colour"]]
              for name, scheduler in (("one", "futuresdr_flow"), ("other", "gnuradio310"))}
    assert {line.get_label(): line.get_color() for line in ax.lines if line.get_label() in wanted} == wanted


def test_many_contenders_have_a_panel_and_a_legend_for_each_runtime():
    lines = [Line(str(i), [Spot(x, i + 1.0, None, ()) for x in (1, 2)], contender=i, panel="A" if i < 5 else "B")
             for i in range(MANY_LINES + 1)]
    drawing = over_axis("f", "c", "x", Quantity("share", "share"), lines, [Guide("l", [(1, 1.0), (2, 1.0)])])
    figure = Figure()
    drawing.paint(figure)
    plots, legends = [[ax for ax in figure.axes if ax.axison is on] for on in (True, False)]
    assert [ax.get_title() for ax in plots] == ["A", "B"] and len({ax.get_ylim() for ax in plots}) == 1
    assert [[text.get_text() for text in ax.get_legend().get_texts()] for ax in legends] == [
        list("01234"), list("5678"), ["l"]]
    assert all(ax.get_legend() is None for ax in plots)  # every legend is outside of the plots
    assert {mark.axes for mark in drawing.marks} == {0, 1} and drawing.render("svg")["svg"].count(b"<circle") == 18


def test_the_table_has_the_mean_with_its_percentiles_and_marks_short_windows():
    rates = {"throughput_items_per_s": 1e9, "latency_mean_ns": 5e3, "latency_p5_ns": 1e3, "latency_p95_ns": 9e3}
    of, _ = measured(CHAIN[:1], {}, lambda at, _: {**rates, "window_s": 0.1 if at["deployment"] == "one" else 0.3})
    heads, *rows = [[entry.text for entry in row] for row in of.table()]
    assert heads[2:] == ["throughput", "mean [p5 .. p95]", "p95"]
    assert rows[0][2].endswith("*") and not rows[1][2].endswith("*")
    assert [row[3] for row in rows] == ["5.00 µs [1.00 µs .. 9.00 µs]"] * 2
    assert "* marks an uncertain throughput: a window was under 0.2 s" in of.remarks()


ARMS = (axis("deployment", "one", "other"), axis("trace", "compiled_out", "off"))


def slower(at: Mapping, block: int) -> Mapping:
    """Return a run time that is 4 % longer in every block, whatever else slows that block."""
    return {"elapsed_s": (1.04 if at["trace"] == "off" else 1.0) * (3 if at["deployment"] == "one" else 1)
            * (1 + block)}


def test_a_difference_is_taken_block_by_block_and_its_base_is_no_row():
    of = measured(ARMS, {"y": "elapsed_s", "kind": "bar", "against": {"trace": "compiled_out"}}, slower)
    (drawing, _, ax), (values, _, beside) = drawn(of)
    assert [text.get_text() for text in ax.get_yticklabels()] == ["one · trace=off", "other · trace=off"]
    assert ax.get_xlabel() == "run time against trace=compiled_out, %"
    assert ({text.get_text() for text in ax.texts} == {"+4.0 %"}
            and "Run time against trace=compiled_out" in drawing.caption)
    # A second figure has the run times, also of the reference.
    assert values.id == f"{drawing.id}_absolute" and values.caption.startswith("Run time.")
    assert [text.get_text() for text in beside.get_yticklabels()] == [
        f"{name} · trace={trace}" for name in ("one", "other") for trace in ("compiled_out", "off")]
    heads, *rows = [[entry.text for entry in row] for row in of[0].table()]
    assert heads[-1] == "run time against trace=compiled_out"
    assert [row[-1] for row in rows] == ["", "+4.0 % (+4.0 % .. +4.0 %)", "", "+4.0 % (+4.0 % .. +4.0 %)"]


def test_a_difference_from_several_settings_is_from_the_one_point_that_has_them_all():
    arms = (axis("deployment", "one", "other"), axis("volk", "off", "avx"), axis("alignment", False, True))
    seconds = {("off", False): 4.0, ("off", True): 3.0, ("avx", False): 2.0, ("avx", True): 1.0}
    of = measured(arms, {"y": "elapsed_s", "kind": "bar", "against": {"alignment": False, "volk": "off"}},
                  lambda at, block: {"elapsed_s": seconds[at["volk"], at["alignment"]] * (1 + block)
                                     * (3 if at["deployment"] == "one" else 1)})
    (_, _, ax), _ = drawn(of)
    assert [text.get_text() for text in ax.texts] == ["-25.0 %", "-50.0 %", "-75.0 %"] * 2
    assert ax.get_xlabel() == "run time against alignment=false · volk=off, %"
    rows = [[entry.text for entry in row] for row in of[0].table()]
    assert [row[-1].partition(" ")[0] for row in rows[1:5]] == ["", "-25.0", "-50.0", "-75.0"]


def test_a_difference_has_an_interval_only_with_enough_blocks_and_leaves_out_what_failed():
    rows = [[{"round": block, "status": "ok", "elapsed_s": value} for block in range(8)] for value in (2.0, 3.0)]
    assert (difference(*rows, "elapsed_s").value == pytest.approx(50)
            and difference(*rows, "elapsed_s").interval is not None)
    rows[1][0]["status"], rows[0][1]["elapsed_s"] = "invalid", None
    it = difference(*rows, "elapsed_s")
    assert (it.rounds, it.interval) == (6, None) and it.value == pytest.approx(50)
    assert difference([], rows[1], "elapsed_s").value is None
    # The difference is that of the ratios, however the blocks differ.
    base = [{"round": block, "status": "ok", "elapsed_s": 3.0**block} for block in range(12)]
    assert difference(base, [{**row, "elapsed_s": row["elapsed_s"] * 1.1} for row in base],
                      "elapsed_s").value == pytest.approx(10)


def test_differences_stand_on_both_sides_of_nothing():
    of = Quantity("run time", "%")
    rows, over = Figure().add_subplot(), Figure().add_subplot()
    by_row("a", "a", of, [Line("a", [Spot(0, -3.0, None, ())]), Line("b", [Spot(0, 5.0, None, ())])]).draw(rows)
    over_axis("a", "a", "x", of, [Line("a", [Spot(1, -3.0, None, ()), Spot(2, 5.0, None, ())])]).draw(over)
    for low, high in (rows.get_xlim(), over.get_ylim()):
        assert low < -3 and high > 5


def test_a_row_says_its_value_behind_what_is_drawn_of_it():
    """Hide the blocks behind an interval, however far away they are."""
    blocks = [-8.0, 1.0, 30.0]
    rows = Figure().add_subplot()
    by_row("a", "a", Quantity("run time", "%"), [Line("a", [Spot(0, 1.0, (0.0, 2.0), blocks)]),
                                                 Line("b", [Spot(0, 1.0, None, blocks)])]).draw(rows)
    assert [text.xy for text in rows.texts] == [(2.0, 0), (30.0, 1)]


def test_shares_begin_at_nothing_and_have_room_for_the_lines_beside_them():
    ax = Figure().add_subplot()
    over_axis("a", "a", "x", Quantity("share", "share"), [Line("a", [Spot(1, 0.01, None, ()), Spot(2, 0.5, None, ())])],
              [Guide("ceiling", [(1, 1.0), (2, 1.0)], True)]).draw(ax)
    assert ax.get_yscale() == "linear" and ax.get_ylim()[0] == 0 and ax.get_ylim()[1] > 1
