"""Test flattening, states, item types and order."""

from __future__ import annotations

import json
import sys
from collections.abc import Callable
from pathlib import Path

import pytest
from conftest import block, build, chain, document
from weir import cli
from weir.model.catalog import Catalog
from weir.model.document.project import load_project
from weir.model.flowgraph.graph import Graph, build_graph


def names(graph: Graph) -> list[str]:
    return [i.name for i in graph.instances]


def edges(graph: Graph) -> list[str]:
    return [e.name for e in graph.edges]


def good(project: dict, catalog: Catalog) -> Graph:
    graph, codes, _ = build(project, catalog)
    assert codes == []
    return graph


def test_chain(catalog: Catalog) -> None:
    graph = good(chain(block("w", "wire", probe=True)), catalog)
    assert names(graph) == ["source", "w", "sink"]
    assert edges(graph) == ["source.out->w.in", "w.out->sink.in"]
    w = graph.instance("w")
    assert (w.block_id, w.copy, w.pipe, w.item_type, w.state, w.probe, w.pointer) == \
        ("w", None, None, "f32", "enabled", True, "/graph/blocks/1")
    assert graph.edges[0].item_type == "f32" and graph.edges[0].pointer == "/graph/connections/0"


def test_repeat_and_pipes(catalog: Catalog) -> None:
    graph = good(chain(block("w", "wire", repeat={"expr": "n"}), pipes=2, parameters={"n": {"value": 3}}), catalog)
    assert names(graph) == [f"{n}@p{p}" for p in (0, 1) for n in ("source", "w[0]", "w[1]", "w[2]", "sink")]
    assert edges(graph)[:4] == ["source@p0.out->w[0]@p0.in", "w[0]@p0.out->w[1]@p0.in", "w[1]@p0.out->w[2]@p0.in",
                                "w[2]@p0.out->sink@p0.in"]
    assert graph.instance("w[2]@p1").copy == 2 and graph.instance("w[2]@p1").pipe == 1
    assert graph.edges[1].pointer == "/graph/blocks/1/repeat"


def test_names_do_not_depend_on_the_number(catalog: Catalog) -> None:
    assert names(good(chain(block("w", "wire", repeat=1), pipes=1), catalog)) == ["source@p0", "w[0]@p0", "sink@p0"]


def test_group_in_series(catalog: Catalog) -> None:
    project = chain(block("a", "wire"), block("b", "wire"), groups=[{"id": "g", "blocks": ["a", "b"], "repeat": 3}])
    graph = good(project, catalog)
    assert names(graph) == ["source", "a[0]", "b[0]", "a[1]", "b[1]", "a[2]", "b[2]", "sink"]
    assert edges(graph) == ["source.out->a[0].in", "a[0].out->b[0].in", "b[0].out->a[1].in", "a[1].out->b[1].in",
                            "b[1].out->a[2].in", "a[2].out->b[2].in", "b[2].out->sink.in"]
    assert [e.pointer for e in graph.edges if e.dst == "a[1]"] == ["/graph/groups/0/repeat"]


def test_repeated_block_in_a_repeated_group(catalog: Catalog) -> None:
    project = chain(block("a", "wire", repeat=2), block("b", "wire"),
                    groups=[{"id": "g", "blocks": ["a", "b"], "repeat": 2}])
    assert edges(good(project, catalog)) == [
        "source.out->a[0].in", "a[0].out->a[1].in", "a[1].out->b[0].in", "b[0].out->a[2].in", "a[2].out->a[3].in",
        "a[3].out->b[1].in", "b[1].out->sink.in"]


def test_diamond_as_a_group(catalog: Catalog) -> None:
    blocks = [block("source", "source", item_type="c64"), block("s", "split"), block("l", "wire"), block("j", "join"),
              block("sink", "sink"), block("tap", "sink")]
    wires = ["source.out > s.in", "s.x > l.in", "l.out > j.a", "s.y > j.b", "j.out > sink.in", "j.out > tap.in"]
    graph = good(document(blocks, wires, groups=[{"id": "g", "blocks": ["s", "l", "j"], "repeat": 2}]), catalog)
    assert names(graph) == ["source", "s[0]", "l[0]", "j[0]", "s[1]", "l[1]", "j[1]", "sink", "tap"]
    assert {e.name for e in graph.edges if e.src == "j[1]"} == {"j[1].out->sink.in", "j[1].out->tap.in"}
    assert [e.name for e in graph.edges if e.src == "j[0]"] == ["j[0].out->s[1].in"]
    assert {i.item_type for i in graph.instances} == {"c64"}


def test_group_without_repeat_is_only_a_name(catalog: Catalog) -> None:
    graph = good(chain(block("w", "wire"), groups=[{"id": "g", "blocks": ["source", "w", "sink"]}]), catalog)
    assert names(graph) == ["source", "w", "sink"]


@pytest.mark.parametrize(("blocks", "ways"), [
    (["source", "a"], "0 ways in; 1 ways out (a.out)"), (["s", "l"], "1 ways in (s.in); 2 ways out (s.y, l.out)"),
    (["l", "j"], "2 ways in (l.in, j.b); 1 ways out (j.out)"),
])
def test_groups_that_are_no_series(catalog: Catalog, blocks: list[str], ways: str) -> None:
    project = document(
        [block("source", "source", item_type="f32"), block("a", "wire"), block("s", "split"), block("l", "wire"),
         block("j", "join"), block("sink", "sink")],
        ["source.out > a.in", "a.out > s.in", "s.x > l.in", "s.y > j.b", "l.out > j.a", "j.out > sink.in"],
        groups=[{"id": "g", "blocks": blocks, "repeat": 2}])
    _, codes, faults = build(project, catalog)
    assert codes == [("E_REPEAT_SHAPE", "/graph/groups/0/repeat")] and ways in faults[0].message


def test_repeat_needs_equal_types(catalog: Catalog) -> None:
    project = chain(block("p", "power", repeat=2))
    project["graph"]["blocks"][0]["parameters"]["item_type"] = "c64"
    assert build(project, catalog)[1] == [("E_TYPE_MISMATCH", "/graph/blocks/1/repeat")]


def test_types_travel_both_ways_and_across_fixed_ports(catalog: Catalog) -> None:
    blocks = [block("source", "source"), block("w", "wire"), block("p", "power"), block("v", "wire"),
              block("sink", "sink")]
    graph = good(document(blocks, ["source.out > w.in", "w.out > p.in", "p.out > v.in", "v.out > sink.in"]), catalog)
    assert [i.item_type for i in graph.instances] == ["c64", "c64", None, "f32", "f32"]
    assert [e.item_type for e in graph.edges] == ["c64", "c64", "f32", "f32"]


def test_a_block_with_one_item_type_decides(catalog: Catalog) -> None:
    blocks = [block("source", "source"), block("b", "bytes"), block("sink", "sink")]
    graph = good(document(blocks, ["source.out > b.in", "b.out > sink.in"]), catalog)
    assert {i.item_type for i in graph.instances} == {"u8"}


def test_type_faults(catalog: Catalog) -> None:
    ambiguous = document([block("source", "source"), block("sink", "sink")], ["source.out > sink.in"])
    assert build(ambiguous, catalog)[1] == [("E_TYPE_AMBIGUOUS", "/graph/blocks/0")]
    clash = chain()
    clash["graph"]["blocks"][1]["parameters"] = {"item_type": "c64"}
    assert build(clash, catalog)[1] == [("E_TYPE_MISMATCH", "/graph/connections/0")]
    assert build(chain(block("b", "bytes")), catalog)[1] == [("E_TYPE_UNSUPPORTED", "/graph/blocks/1")]
    assert build(chain(block("w", "wire", item_type="i32")), catalog)[1] == \
        [("E_TYPE_UNSUPPORTED", "/graph/blocks/1/parameters/item_type")]


def test_bypassed_blocks_become_wires(catalog: Catalog) -> None:
    middle = [block("a", "wire", state="bypassed"), block("b", "wire", state="bypassed", repeat=3), block("c", "wire")]
    graph = good(chain(*middle), catalog)
    assert edges(graph) == ["source.out->c.in", "c.out->sink.in"]
    assert graph.edges[0].pointer == "/graph/connections/2"
    ring = document([block("a", "wire", item_type="f32", state="bypassed")], ["a.out > a.in"])
    assert build(ring, catalog)[0] is None or build(ring, catalog)[0].instances == ()


def test_disabled_blocks_take_what_hangs_on_them(catalog: Catalog) -> None:
    project = document(
        [block("source", "source", item_type="f32"), block("a", "wire"), block("b", "wire", state="disabled"),
         block("c", "wire"), block("s1", "sink"), block("s2", "sink")],
        ["source.out > a.in", "source.out > s1.in", "a.out > b.in", "b.out > c.in", "c.out > s2.in"])
    graph, codes, faults = build(project, catalog)
    assert names(graph) == ["source", "s1"]
    assert [c for c, _ in codes] == ["W_BLOCK_DISABLED"] * 3
    assert sorted(d.message.split("`")[1] for d in faults) == ["a", "c", "s2"]


def test_an_optional_port_may_stay_open_where_a_disabled_block_was(catalog: Catalog) -> None:
    port = {"id": "out0", "key": "0", "type": "f32"}
    source = {"id": "it", "type": "two", "gnuradio": {"type": "two", "name": "it", "outputs": [
        port, {"id": "out1", "key": "1", "type": "f32", "optional": True}]}}
    ends = [{"id": name, "type": "end", "gnuradio": {"type": "end", "name": name, "inputs": [
        {"id": "in0", "key": "0", "type": "f32"}]}} for name in ("kept", "off")]
    project = document([source, ends[0], ends[1] | {"state": "disabled"}], ["it.out0 > kept.in0", "it.out1 > off.in0"])
    graph, codes, _ = build(project, catalog)
    assert (names(graph), codes) == (["it", "kept"], [])


def test_everything_disabled(catalog: Catalog) -> None:
    graph, codes, _ = build(chain(block("w", "wire", state="disabled")), catalog)
    assert graph is None and ("E_GRAPH_EMPTY", "/graph/blocks") in codes


@pytest.mark.parametrize(("wires", "expected"), [
    (["source.out > sink.in", "w.out > sink.in"], [("E_PORT_TAKEN", "/graph/connections/1"),
    ("E_PORT_OPEN", "/graph/blocks/1")]),
    (["source.out > w.inn", "w.out > sink.in"], [("E_PORT_UNKNOWN", "/graph/connections/0/3")]),
    (["source.out > w.in", "w.in > sink.in"], [("E_PORT_UNKNOWN", "/graph/connections/1/1")]),
    (["source.out > w.in", "x.out > sink.in"], [("E_BLOCK_UNKNOWN", "/graph/connections/1/0")]),
    (["source.out > w.in"], [("E_PORT_OPEN", "/graph/blocks/1"), ("E_PORT_OPEN", "/graph/blocks/2")]),
    (["source.out > sink.in", "w.out > w.in"], [("E_CYCLE", "/graph/connections/1")]),
])
def test_wiring_faults(catalog: Catalog, wires: list[str], expected: list) -> None:
    blocks = [block("source", "source", item_type="f32"), block("w", "wire", item_type="f32"),
              block("sink", "sink", item_type="f32")]
    assert build(document(blocks, wires), catalog)[1] == expected


def test_a_disabled_block_does_not_take_a_port(catalog: Catalog) -> None:
    blocks = [block("source", "source", item_type="f32"), block("other", "source", item_type="f32", state="disabled"),
              block("sink", "sink")]
    graph = good(document(blocks, ["other.out > sink.in", "source.out > sink.in"]), catalog)
    assert names(graph) == ["source", "sink"] and len(graph.edges) == 1


def test_cycles_name_their_path(catalog: Catalog) -> None:
    blocks = [block("source", "source", item_type="f32"), block("j", "join"), block("a", "wire"), block("b", "wire"),
              block("sink", "sink")]
    wires = ["source.out > j.a", "j.out > a.in", "a.out > b.in", "b.out > j.b", "b.out > sink.in"]
    _, codes, faults = build(document(blocks, wires), catalog)
    assert codes == [("E_CYCLE", "/graph/connections/3")] and "j -> a -> b -> j" in faults[0].message


def test_order_is_topological_and_keeps_the_document(catalog: Catalog) -> None:
    blocks = [block("sink", "sink"), block("j", "join"), block("b", "wire"), block("a", "wire"),
              block("source", "source", item_type="f32")]
    wires = ["a.out > j.a", "b.out > j.b", "source.out > a.in", "source.out > b.in", "j.out > sink.in"]
    assert names(good(document(blocks, wires), catalog)) == ["source", "b", "a", "j", "sink"]


def test_same_text_same_graph(catalog: Catalog) -> None:
    project = chain(block("w", "wire", repeat=5), pipes=3)
    assert good(project, catalog) == good(json.loads(json.dumps(project)), catalog)


def test_too_many_instances(catalog: Catalog) -> None:
    _, codes, faults = build(chain(block("w", "wire", repeat=5000), pipes=5000), catalog)
    assert codes == [("E_GRAPH_SIZE", "/graph")] and "25010000" in faults[0].message
    assert build(chain(block("w", "wire", repeat=10**15)), catalog)[1] == [("E_VALUE_RANGE", "/graph/blocks/1/repeat")]


def steps_of(action: Callable[[], object]) -> int:
    """Return the number of Python lines run, which does not depend on the load of the machine."""
    steps = 0

    def count(_frame: object, event: str, _argument: object) -> object:
        nonlocal steps
        steps += event == "line"
        return count

    sys.settrace(count)
    try:
        action()
    finally:
        sys.settrace(None)
    return steps


@pytest.mark.parametrize("project", [
    lambda size: chain(*(block(f"w{i}", "knobs", parameters={"count": {"expr": "2 * 3"}}) for i in range(size))),
    lambda size: chain(block("w", "wire", repeat=size), pipes=10),
], ids=["blocks", "instances"])
def test_work_grows_with_the_graph_and_not_with_its_square(catalog: Catalog, project: Callable[[int], dict]) -> None:
    def read(size: int) -> None:
        loaded, faults = load_project(json.dumps(project(size)))
        graph, problems = build_graph(loaded, catalog)
        assert graph and not faults + problems

    small, large = (steps_of(lambda size=size: read(size)) for size in (100, 400))
    assert large < 4.2 * small


def test_validate_works_in_proportion_to_the_graph(tmp_path: Path, capsys: pytest.CaptureFixture) -> None:
    file = tmp_path / "large.weir.json"

    def validate(size: int) -> None:
        middle = [block(f"w{i}", "saxpy", parameters={"a": {"expr": "1 / 2"}}) for i in range(size)]
        project = chain(*middle)
        project["graph"]["blocks"][0]["type"], project["graph"]["blocks"][-1]["type"] = "null_source", "null_sink"
        file.write_text(json.dumps(project))
        assert cli.main(["validate", str(file)]) == 0

    validate(1)  # fills the caches
    small, large = (steps_of(lambda size=size: validate(size)) for size in (100, 400))
    assert large < 4.2 * small
