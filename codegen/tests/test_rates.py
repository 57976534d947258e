"""Test balance equations: solutions by hand, properties of random graphs, and refusals."""

from __future__ import annotations

from collections import Counter
from math import lcm
from pathlib import Path

import pytest
from conftest import block, build, chain, document, write_descriptor
from hypothesis import given
from hypothesis import strategies as st
from weir.diagnostics import WeirError
from weir.model.catalog import BlockType, Catalog, Port, load_catalog
from weir.model.flowgraph.components import biconnected
from weir.model.flowgraph.graph import Edge, Graph, Instance
from weir.model.flowgraph.rates import MAX_STREAM_BYTES, attempt, solve


def kind(inputs: list[int], outputs: list[int]) -> BlockType:
    ports = [tuple(Port(f"{side}{i}", "f32", rate) for i, rate in enumerate(rates))
             for side, rates in (("i", inputs), ("o", outputs))]
    return BlockType("b", "f", "", "", (), *ports, (), {}, {}, (), Path(), {})


def graph(blocks: dict[str, tuple[list[int], list[int]]], edges: list[str]) -> Graph:
    """Return a graph. `edges`: "a.o0 > b.i0"; blocks in topological order."""
    instances = tuple(Instance(n, n, None, None, kind(*rates), None, {}, "enabled", False, f"/graph/blocks/{i}")
                      for i, (n, rates) in enumerate(blocks.items()))
    wires = [(*a.split("."), *b.split(".")) for a, b in (e.split(" > ") for e in edges)]
    return Graph(instances, tuple(Edge(*wire, "f32", f"/graph/connections/{i}") for i, wire in enumerate(wires)))


def diamond(left: tuple[int, int], right: tuple[int, int]) -> Graph:
    return graph({"s": ([], [1]), "l": ([left[0]], [left[1]]), "r": ([right[0]], [right[1]]), "j": ([1, 1], [])},
                 ["s.o0 > l.i0", "s.o0 > r.i0", "l.o0 > j.i0", "r.o0 > j.i1"])


def test_chain_of_rate_changers() -> None:
    rates = solve(graph({"s": ([], [2]), "a": ([3], [4]), "b": ([6], [1]), "t": ([1], [])},
                        ["s.o0 > a.i0", "a.o0 > b.i0", "b.o0 > t.i0"]))
    assert dict(rates.firings) == {"s": 9, "a": 6, "b": 4, "t": 4}
    assert rates.first_port_items("s") == 18 and rates.first_port_items("t") == 4
    # Each edge is balanced by itself, with the least common multiple of its two rates.
    assert rates.stream_items == {("s", "o0"): 6, ("a", "o0"): 12, ("b", "o0"): 1}


def test_diamond_needs_an_iteration_of_the_whole_loop() -> None:
    rates = solve(diamond((4, 2), (2, 1)))
    assert dict(rates.firings) == {"s": 4, "l": 1, "r": 2, "j": 2}
    assert rates.stream_items["s", "o0"] == 4


def test_inconsistent_loop_names_its_blocks_and_the_changers() -> None:
    (fault,) = attempt(diamond((4, 1), (2, 1)))[1]
    assert (fault.code, fault.severity) == ("E_RATE_INCONSISTENT", "error")
    assert fault.pointer.startswith("/graph/connections/")
    assert all(f" {name}" in fault.message for name in ("s", "l", "r", "j"))
    assert "l (4 -> 1)" in fault.hint and "r (2 -> 1)" in fault.hint
    with pytest.raises(WeirError):
        solve(diamond((4, 1), (2, 1)))


def test_blocks_off_the_loop_are_not_named() -> None:
    g = graph({"far": ([], [1]), "s": ([1], [1]), "l": ([4], [1]), "r": ([1], [1]), "j": ([1, 1], [1]),
               "away": ([1], [])},
              ["far.o0 > s.i0", "s.o0 > l.i0", "s.o0 > r.i0", "l.o0 > j.i0", "r.o0 > j.i1", "j.o0 > away.i0"])
    (fault,) = attempt(g)[1]
    assert "far" not in fault.message and "away" not in fault.message


def test_two_edges_between_the_same_blocks_are_a_loop() -> None:
    g = graph({"s": ([], [1, 2]), "t": ([1, 1], [])}, ["s.o0 > t.i0", "s.o1 > t.i1"])
    assert [f.code for f in attempt(g)[1]] == ["E_RATE_INCONSISTENT"]


def test_too_large_an_iteration_is_refused_and_not_computed() -> None:
    stages = {f"d{i}": ([10**6], [1]) for i in range(1000)}
    names = ["s", *stages, "t"]
    g = graph({"s": ([], [1]), **stages, "t": ([1], [])}, [f"{a}.o0 > {b}.i0" for a, b in zip(names, names[1:])])
    assert [f.code for f in attempt(g)[1]] == ["E_RATE_LIMIT"]


def test_a_stream_that_needs_too_much_memory_is_refused() -> None:
    a, b = 2**14 + 1, 2**14 - 1
    g = graph({"s": ([], [a]), "t": ([b], [])}, ["s.o0 > t.i0"])
    assert a * b * 4 > MAX_STREAM_BYTES and [f.code for f in attempt(g)[1]] == ["E_RATE_LIMIT"]


@pytest.fixture(scope="module")
def rated(tmp_path_factory: pytest.TempPathFactory) -> Catalog:
    root = tmp_path_factory.mktemp("rated")
    port = {"id": "out", "type": "T", "rate": 1}
    for name, inputs, outputs in (("source", [], [port]), ("sink", [{**port, "id": "in"}], []),
                                  ("keep", [{"id": "in", "type": "T", "rate": {"expr": "n * 2 - 1"}}], [port])):
        parameters = [{"id": "n", "type": "i64", "default": 2, "structural": True}] if name == "keep" else []
        write_descriptor(root / "block-library" / "test", "block", {
            "format": 1, "id": name, "title": name, "item_types": ["f32"], "inputs": inputs, "outputs": outputs,
            "parameters": parameters, "behaviour": {"state": "stateless"}})
    return load_catalog(root=root)


def test_rates_are_expressions_over_structural_parameters(rated: Catalog) -> None:
    g, _, faults = build(chain(block("keep", "keep", parameters={"n": 4})), rated)
    assert not faults and solve(g).inputs["keep"] == (7,)


@pytest.mark.parametrize(("taps", "group"), [(1, 2), (2, 3), (3, 6), (4, 5), (64, 65), (65, 192)])
def test_a_rate_may_depend_on_the_length_of_a_structural_list(taps: int, group: int) -> None:
    catalog = load_catalog()
    g, _, faults = build(document([
        block("source", "null_source", item_type="f32"),
        block("filter", "fft_filter", parameters={"taps": [1.0] * taps}), block("sink", "null_sink")],
        ["source.out > filter.in", "filter.out > sink.in"]), catalog)
    assert not faults and solve(g).inputs["filter"] == solve(g).outputs["filter"] == (group,)


def test_a_rate_below_one_is_refused(rated: Catalog) -> None:
    g, _, _ = build(chain(block("keep", "keep", parameters={"n": 0})), rated)
    (fault,) = attempt(g)[1]
    assert fault.code == "E_RATE_LIMIT" and fault.pointer == "/graph/blocks/1" and "keep.in" in fault.message


def test_parts_without_connection_are_balanced_apart(rated: Catalog) -> None:
    project = document([block("a", "source", item_type="f32"), block("b", "sink"),
                        block("c", "source", item_type="f32"), block("d", "keep"), block("e", "sink")],
                       ["a.out > b.in", "c.out > d.in", "d.out > e.in"])
    g, _, _ = build(project, rated)
    assert solve(g).firings == {"a": 1, "b": 1, "c": 3, "d": 1, "e": 1}


@st.composite
def random_trees(draw) -> Graph:
    """Draw a tree, which always has a solution."""
    rate = st.integers(1, 12)
    blocks, edges = {"n0": ([], [draw(rate)])}, []
    for i in range(1, draw(st.integers(2, 8))):
        parent = f"n{draw(st.integers(0, i - 1))}"
        blocks[f"n{i}"] = ([draw(rate)], [draw(rate)])
        edges.append(f"{parent}.o0 > n{i}.i0")
    return graph(blocks, edges)


@given(random_trees())
def test_a_solution_balances_every_edge_and_is_the_smallest(g: Graph) -> None:
    rates = solve(g)
    for edge in g.edges:
        p, c = rates.outputs[edge.src][0], rates.inputs[edge.dst][0]
        assert rates.firings[edge.src] * p == rates.firings[edge.dst] * c
        assert rates.stream_items[edge.src, edge.src_port] % lcm(p, c) == 0
    assert all(f >= 1 for f in rates.firings.values())
    assert not any(all(f % k == 0 for f in rates.firings.values()) for k in (2, 3, 5, 7, 11))


@given(st.lists(st.tuples(st.integers(0, 7), st.integers(0, 7)).filter(lambda e: e[0] < e[1]), max_size=14))
def test_biconnected_parts_are_the_edges_that_share_a_loop(pairs: list[tuple[int, int]]) -> None:
    edges = [Edge(f"n{a}", f"p{i}", f"n{b}", "in", "f32", "") for i, (a, b) in enumerate(pairs)]
    parts = biconnected(edges)
    assert Counter(e for part in parts for e in part) == Counter(edges)
    part_of = {e: i for i, part in enumerate(parts) for e in part}

    def joined(without: set[Edge], start: str) -> set[str]:
        seen, stack = {start}, [start]
        while stack:
            name = stack.pop()
            for e in edges:
                for here, there in ((e.src, e.dst), (e.dst, e.src)):
                    if e not in without and here == name and there not in seen:
                        seen.add(there)
                        stack.append(there)
        return seen

    for e in edges:
        # An edge is a bridge exactly if it is alone in its part.
        assert (e.dst not in joined({e}, e.src)) == (len(parts[part_of[e]]) == 1)


def test_a_long_chain_needs_no_deep_stack() -> None:
    names = [f"n{i}" for i in range(20_000)]
    assert len(biconnected([Edge(a, "o", b, "i", "f32", "") for a, b in zip(names, names[1:])])) == 19_999
