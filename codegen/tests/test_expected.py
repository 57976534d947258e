"""Test the expected items of each sink, computed from the flowgraph alone."""

from __future__ import annotations

import json

import pytest
from conftest import block, document
from planning import EXAMPLES
from weir.model.check import check
from weir.model.planning.expected import expected_items

SOURCE, SINK = block("source", "counter_source", item_type="f32"), block("sink", "digest_sink")


def expected(blocks: list, connections: list[str], items: int) -> dict[str, int | None]:
    found = check(json.dumps(document([SOURCE, SINK, *blocks], connections)))
    assert found.graph is not None, found.diagnostics
    return expected_items(found.graph, found.rates, items)


def test_a_chain_brings_the_items_of_the_run_and_whole_firings_of_them() -> None:
    keep = [block("keep", "keep_one_in_n", parameters={"n": 3})]
    assert expected(keep, ["source.out > keep.in", "keep.out > sink.in"], 100) == {"sink": 33}
    fan = [block("twice", "interpolate", parameters={"interpolation": 2, "taps": [1, 1]}), block("two", "digest_sink")]
    assert expected(fan, ["source.out > sink.in", "source.out > twice.in", "twice.out > two.in"],
                    7) == {"sink": 7, "two": 14}


@pytest.mark.parametrize("head, run, wanted", [(40, 100, 40), (0, 100, 100), (200, 100, 200), (0, 0, None)])
def test_a_head_ends_it_and_without_items_of_its_own_asks_for_those_of_the_run(head: int, run: int,
                                                                               wanted: int | None) -> None:
    found = expected([block("head", "head", parameters={"items": head})],
                     ["source.out > head.in", "head.out > sink.in"], run)
    assert found == {"sink": wanted}


def test_a_join_ends_with_its_shortest_input() -> None:
    blocks = [block("head", "head", parameters={"items": 30}), block("add", "add"),
              block("other", "counter_source", item_type="f32")]
    assert expected(blocks, ["source.out > head.in", "head.out > add.in0", "other.out > add.in1", "add.out > sink.in"],
                    100) == {"sink": 30}


@pytest.mark.parametrize("name, known", [("quickstart", True), ("null_rand_latency", True),
                                         ("from_file/from_file", False)])
def test_where_a_source_may_end_by_itself_nobody_knows(name: str, known: bool) -> None:
    found = check(EXAMPLES / f"{name}.weir.json")
    assert {it is not None for it in expected_items(found.graph, found.rates, 1000).values()} == {known}
