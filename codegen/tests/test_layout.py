"""Test the layout: order, no overlap, straight chains, determinism; and the message if it is impossible."""

from __future__ import annotations

import io
import json
import sys

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from stored_runs import example
from weir.cli import main
from weir.read.reporting import layout
from weir.read.reporting.layout import GRID, Wire, layered


def boxes(names, size=(160, 80)):
    return {name: size for name in names}


def test_a_chain_runs_straight_from_left_to_right():
    at = layered(boxes("abcd"), [Wire("a", "b", 55, 55), Wire("b", "c", 55, 55), Wire("c", "d", 55, 55)])
    assert [at[n][0] for n in "abcd"] == sorted(at[n][0] for n in "abcd")
    assert len({at[n][1] for n in "abcd"}) == 1


def test_a_diamond_is_symmetric_around_its_ends():
    at = layered(boxes("abcd"), [Wire("a", "b"), Wire("a", "c"), Wire("b", "d"), Wire("c", "d")])
    assert at["b"][1] < at["a"][1] < at["c"][1]
    assert abs(at["a"][1] - at["d"][1]) <= GRID
    assert at["b"][0] == at["c"][0]


def test_crossed_wires_are_untangled():
    at = layered(boxes("abxy"), [Wire("a", "y"), Wire("b", "x")])
    assert (at["a"][1] < at["b"][1]) == (at["y"][1] < at["x"][1])


def test_a_wire_over_several_layers_has_a_free_way():
    wires = [Wire("a", "b"), Wire("b", "c"), Wire("a", "c")]
    at = layered(boxes("abc"), wires)
    assert at["a"][0] < at["b"][0] < at["c"][0]


def test_ties_go_the_documents_way():
    at = layered(boxes("abcdxyz"), [Wire("a", "b"), Wire("a", "c"), Wire("a", "d"), Wire("x", "y"), Wire("x", "z")])
    rows = [at[name][1] for name in "bcdyz"]
    assert rows == sorted(rows) and len(set(rows)) == len(rows)


def test_columns_begin_on_the_grid_and_keep_apart_whatever_is_in_them():
    at = layered({"a": (160, 80), "b": (277, 80), "c": (161, 80)}, [Wire("a", "b"), Wire("b", "c")])
    assert [at[n][0] % GRID for n in "abc"] == [0, 0, 0]
    assert at["c"][0] - at["b"][0] - 277 >= 60 and at["b"][0] - at["a"][0] == 240


def test_wires_from_lower_ports_lead_to_lower_blocks():
    at = layered({"a": (160, 160), **boxes("xyz")}, [Wire("a", "z", 110), Wire("a", "x", 66), Wire("a", "y", 88)])
    assert at["x"][1] < at["y"][1] < at["z"][1]


def test_a_cycle_does_not_hang():
    assert set(layered(boxes("abc"), [Wire("a", "b"), Wire("b", "c"), Wire("c", "a"), Wire("b", "b")])) == set("abc")


@settings(max_examples=40, deadline=None)
@given(st.integers(0, 30), st.lists(st.tuples(st.integers(0, 29), st.integers(0, 29)), max_size=60))
def test_blocks_never_overlap_and_the_same_graph_is_laid_out_the_same(count, pairs):
    sizes = {f"b{i}": (160 + 20 * (i % 3), 80 + 22 * (i % 4)) for i in range(count)}
    wires = [Wire(f"b{i}", f"b{j}") for i, j in pairs]
    at = layered(sizes, wires)
    assert at == layered(sizes, wires) and set(at) == set(sizes)
    names = list(at)
    for i, a in enumerate(names):
        for b in names[:i]:
            apart = (at[a][0] >= at[b][0] + sizes[b][0] or at[b][0] >= at[a][0] + sizes[a][0]
                     or at[a][1] >= at[b][1] + sizes[b][1] or at[b][1] >= at[a][1] + sizes[a][1])
            assert apart, (a, b)


def test_the_verb_prints_positions_and_writes_only_those(tmp_path, capsys):
    path = tmp_path / "p.weir.json"
    path.write_text(example("diamond", ui={"notes": ["kept"]}))
    before = json.loads(path.read_text())
    assert main(["format", "--layout", "--json", str(path)]) == 0
    printed = json.loads(capsys.readouterr().out)
    assert json.loads(path.read_text()) == before
    assert main(["format", "--layout", str(path)]) == 0
    after = json.loads(path.read_text())
    assert after.pop("ui") == {"notes": ["kept"], "positions": printed}
    before.pop("ui")
    assert after == before


def test_a_project_of_standard_input_is_printed_with_its_positions(capsys, monkeypatch):
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(example("diamond").encode())))
    assert main(["format", "--layout", "-"]) == 0
    printed = json.loads(capsys.readouterr().out)
    assert set(printed["ui"]["positions"]) == {block["id"] for block in printed["graph"]["blocks"]}


@pytest.mark.parametrize("words", [["--layout", "a", "b"], ["--layout", "--check", "a"], ["--boxes", "a"],
                                   ["--layout", "--set", "stages=2", "a"], ["--layout", "--boxes", "--set", "x=1", "a"],
                                   ["--block-path", "b", "a"]])
def test_what_does_not_go_with_a_layout_is_refused(words, capsys):
    assert main(["format", *words]) == 2
    assert "E_USAGE" in capsys.readouterr().err


BOXES = {"blocks": {"a b": [160, 80], "<b>": [280, 120], "c": [160, 80]},
         "wires": [{"source": "a b", "source_y": 55, "target": "<b>", "target_y": 77}]}


def test_boxes_are_laid_out_without_a_project(tmp_path, capsys, monkeypatch):
    path = tmp_path / "boxes.json"
    path.write_text(json.dumps(BOXES))
    assert main(["format", "--layout", str(path), "--boxes"]) == 0
    printed = capsys.readouterr().out
    at = json.loads(printed)
    assert list(at) == list(BOXES["blocks"]) and at["<b>"][0] == at["a b"][0] + 240
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(path.read_bytes())))
    assert main(["format", "--layout", "-", "--boxes"]) == 0
    assert capsys.readouterr().out == printed


def test_boxes_with_a_room_are_laid_out_in_rows(tmp_path, capsys):
    path, names = tmp_path / "boxes.json", [f"b{i}" for i in range(8)]
    wires = [{"source": a, "target": b} for a, b in zip(names, names[1:])]
    path.write_text(json.dumps({"blocks": {n: [200, 132] for n in names}, "room": [850, 600], "wires": wires}))
    assert main(["format", "--layout", str(path), "--boxes"]) == 0
    at = json.loads(capsys.readouterr().out)
    rows = sorted({y for _, y in at.values()})
    assert len(rows) > 1 and len({x for x, _ in at.values()}) < 8
    # Run results below a block fit above the next row.
    assert all(below - above >= 132 + 55 for above, below in zip(rows, rows[1:]))


@pytest.mark.parametrize("text, code", [
    ("{", "E_JSON"), ("[]", "E_TYPE"), ('{"blocks": {}}', "E_KEY_MISSING"),
    ('{"blocks": {"a": [0, 10]}, "wires": []}', "E_VALUE_RANGE"),
    ('{"blocks": {"a": [10]}, "wires": []}', "E_VALUE_RANGE"),
    ('{"blocks": {}, "room": [10, 10], "wires": []}', "E_VALUE_RANGE"),
    ('{"blocks": {}, "wires": [{"source": 1, "target": "a"}]}', "E_"),
])
def test_boxes_that_are_none_are_refused_with_a_reason(tmp_path, capsys, text, code):
    path = tmp_path / "boxes.json"
    path.write_text(text)
    assert main(["format", "--layout", str(path), "--boxes"]) == 1
    said = capsys.readouterr()
    assert code in said.err and "Traceback" not in said.err and said.out == ""


def test_boxes_that_are_missing_are_refused(tmp_path, capsys):
    assert main(["format", "--layout", str(tmp_path / "none.json"), "--boxes"]) == 3
    assert "E_FILE_MISSING" in capsys.readouterr().err


def test_without_graphviz_the_verb_says_what_to_install(tmp_path, capsys, monkeypatch):
    path = tmp_path / "boxes.json"
    path.write_text(json.dumps(BOXES))
    monkeypatch.setenv("PATH", str(tmp_path))
    assert main(["format", "--layout", str(path), "--boxes"]) == 3
    said = capsys.readouterr().err
    assert "E_TOOL_MISSING" in said and "graphviz" in said


@pytest.mark.parametrize("script, word", [("echo oops >&2; exit 1", "oops"), ("exec sleep 5", "within")])
def test_an_engine_that_fails_is_named(tmp_path, capsys, monkeypatch, script, word):
    (tmp_path / "dot").write_text(f"#!/bin/sh\n{script}\n")
    (tmp_path / "dot").chmod(0o755)
    path = tmp_path / "boxes.json"
    path.write_text(json.dumps(BOXES))
    monkeypatch.setenv("PATH", f"{tmp_path}:/usr/bin:/bin")
    monkeypatch.setattr(layout, "TIME_LIMIT_S", 0.2)
    assert main(["format", "--layout", str(path), "--boxes"]) == 3
    said = capsys.readouterr().err
    assert "E_LAYOUT" in said and word in said and "Traceback" not in said


def chain(count):
    names = [f"b{i:02}" for i in range(count)]
    return boxes(names, (200, 132)), [Wire(a, b, 55, 55) for a, b in zip(names, names[1:])]


def shown(at, sizes, room):
    """Return the zoom at which a window of size `room` shows everything."""
    width = max(at[n][0] + sizes[n][0] for n in at) - min(at[n][0] for n in at)
    height = max(at[n][1] + sizes[n][1] for n in at) - min(at[n][1] for n in at)
    return min(room[0] / width, room[1] / height)


def test_a_chain_that_is_too_long_for_the_window_is_laid_out_in_rows():
    sizes, wires = chain(12)
    assert shown(layered(sizes, wires), sizes, (850, 600)) < 0.3
    at = layered(sizes, wires, (850, 600))
    assert at == layered(sizes, wires, (850, 600))
    rows = sorted({y for _, y in at.values()})
    assert 2 <= len(rows) <= 4 and shown(at, sizes, (850, 600)) > 0.6
    # Reading order: row by row, from left to right in each.
    order = sorted(at, key=lambda name: (at[name][1], at[name][0]))
    assert order == list(sizes)
    assert all(b - a - 132 >= 100 for a, b in zip(rows, rows[1:]))


def test_what_fits_into_the_window_stays_in_one_row():
    sizes, wires = chain(4)
    assert layered(sizes, wires, (1100, 600)) == layered(sizes, wires)


def test_a_row_ends_where_few_wires_lead_on():
    """Check the break: it precedes the block that joins two forks, although the first row had room."""
    pairs = ["ab", "ac", "bd", "cd", "de", "ef", "eg", "fh", "gh", "hi"]
    sizes = boxes("abcdefghi")
    at = layered(sizes, [Wire(*pair) for pair in pairs], (900, 800))
    first = max(at[name][1] for name in "abcd")
    assert all(at[name][1] > first for name in "efghi") and at["e"][0] == at["a"][0]


@settings(max_examples=30, deadline=None)
@given(st.integers(1, 25), st.lists(st.tuples(st.integers(0, 24), st.integers(0, 24)), max_size=50),
       st.integers(100, 3000), st.integers(100, 2000))
def test_rows_never_overlap_and_never_make_it_smaller(count, pairs, width, height):
    sizes = {f"b{i}": (160 + 20 * (i % 3), 80 + 22 * (i % 4)) for i in range(count)}
    wires = [Wire(f"b{i}", f"b{j}") for i, j in pairs]
    at = layered(sizes, wires, (width, height))
    names = list(sizes)
    assert list(at) == names
    for i, a in enumerate(names):
        for b in names[:i]:
            assert (at[a][0] >= at[b][0] + sizes[b][0] or at[b][0] >= at[a][0] + sizes[a][0]
                    or at[a][1] >= at[b][1] + sizes[b][1] or at[b][1] >= at[a][1] + sizes[a][1]), (a, b)
    in_one_row = shown(layered(sizes, wires), sizes, (width, height))
    assert min(1, shown(at, sizes, (width, height))) >= min(1, in_one_row) * 0.99
