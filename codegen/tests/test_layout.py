"""The layered layout: order, no overlap, straight chains, determinism."""

from __future__ import annotations

import json

from hypothesis import given
from hypothesis import strategies as st
from stored_runs import example

from weir.cli import main
from weir.reporting.layout import GRID, Wire, layered


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


def test_a_cycle_does_not_hang():
    assert set(layered(boxes("abc"), [Wire("a", "b"), Wire("b", "c"), Wire("c", "a"), Wire("b", "b")])) == set("abc")


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
    assert main(["layout", str(path)]) == 0
    printed = json.loads(capsys.readouterr().out)
    assert json.loads(path.read_text()) == before
    assert main(["layout", str(path), "--write"]) == 0
    after = json.loads(path.read_text())
    assert after.pop("ui") == {"notes": ["kept"], "positions": printed}
    before.pop("ui")
    assert after == before


def test_writing_into_what_is_not_a_file_is_refused(capsys):
    assert main(["layout", "-", "--write"]) == 2
    assert "E_USAGE" in capsys.readouterr().err
