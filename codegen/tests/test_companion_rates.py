"""Boundaries of streams at rates in proportion, and the paths between them: parts of templates/companion."""

from __future__ import annotations

from fractions import Fraction
from typing import TYPE_CHECKING, Any

import pytest
from companion_world import modules

modules()
from weir_companion.ends import limits  # noqa: E402
from weir_companion.faults import Fault  # noqa: E402
from weir_companion.graph import Block, Drawn, Edge, Graph  # noqa: E402
from weir_companion.options import parse  # noqa: E402
from weir_companion.paths import find, judged  # noqa: E402
from weir_companion.rates import granularities  # noqa: E402
from weir_companion.results import refused  # noqa: E402

if TYPE_CHECKING:
    from collections.abc import Sequence


def graph(blocks: Sequence[tuple[int, int, Fraction | None]], edges: Sequence[tuple[int, int, int, int]],
          messages: Sequence[tuple[int, int]] = ()) -> Graph:
    """Return a flowgraph. A block has inputs, outputs and a rate; None: it varies."""
    made = [Block(number, f"b{number}", number, "b", inputs, outputs, ratio is not None, ratio or Fraction(1),
                  f"b{number}", f"b{number}") for number, (inputs, outputs, ratio) in enumerate(blocks)]
    return Graph(made, [Edge(*edge) for edge in edges], [(source, "out", sink, "in") for source, sink in messages], {})


ONE = Fraction(1)


def test_boundaries_are_integers_in_proportion_to_the_rates() -> None:
    chain = graph([(0, 1, ONE), (1, 1, Fraction(3, 7)), (1, 1, Fraction(1, 2)), (1, 0, ONE)],
                  [(0, 0, 1, 0), (1, 0, 2, 0), (2, 0, 3, 0)])
    items = granularities(chain, 1000).items
    assert items == {(0, 0): 994, (1, 0): 426, (2, 0): 213}  # the multiple of 14 nearest to 1,000
    faster = graph([(0, 1, ONE), (1, 1, Fraction(4)), (1, 0, ONE)], [(0, 0, 1, 0), (1, 0, 2, 0)])
    assert granularities(faster, 1000).items == {(0, 0): 1000, (1, 0): 4000}  # the source counts


def test_streams_that_meet_in_a_block_have_one_rate() -> None:
    joined = graph([(0, 1, ONE), (0, 1, ONE), (1, 1, Fraction(1, 4)), (2, 1, ONE), (1, 0, ONE)],
                   [(0, 0, 2, 0), (2, 0, 3, 0), (1, 0, 3, 1), (3, 0, 4, 0)])
    found = granularities(joined, 4096)
    assert found.items == {(0, 0): 4096, (2, 0): 1024, (1, 0): 1024, (3, 0): 1024}
    assert len(set(found.group.values())) == 1
    assert [(path.source, path.how, path.source_items, path.sink_items) for path in find(joined, found)] == [
        (0, "counts", 4096, 1024), (1, "counts", 1024, 1024)]


def test_a_varying_block_begins_boundaries_of_its_own_and_needs_tags() -> None:
    varying = graph([(0, 1, ONE), (1, 1, None), (1, 1, Fraction(1, 3)), (1, 0, ONE)],
                    [(0, 0, 1, 0), (1, 0, 2, 0), (2, 0, 3, 0)])
    found = granularities(varying, 900)
    assert found.items == {(0, 0): 900, (1, 0): 900, (2, 0): 300}
    (path,) = find(varying, found)
    assert (path.how, path.tx, path.rx, path.between) == ("tags", 0, 4, {0, 1, 2, 3})


def test_outputs_of_a_source_have_one_rate() -> None:
    two = graph([(0, 2, ONE), (1, 0, ONE), (1, 0, ONE)], [(0, 0, 1, 0), (0, 1, 2, 0)])
    assert [(path.sink, path.how) for path in find(two, granularities(two, 10))] == [(1, "counts"), (2, "counts")]


def test_messages_that_come_from_a_stream_need_no_identity_of_their_own() -> None:
    made = graph([(0, 1, ONE), (1, 0, ONE), (0, 0, ONE), (0, 0, ONE)], [(0, 0, 1, 0)], [(1, 2), (2, 3)])
    assert [(path.source, path.sink, path.how) for path in find(made, granularities(made, 10))] == [
        (0, 1, "counts"), (0, 3, "tags")]


def test_a_loop_of_messages_ends_and_a_sink_of_messages_is_one() -> None:
    looped = graph([(0, 1, ONE), (1, 0, ONE), (0, 0, ONE)], [(0, 0, 1, 0)], [(1, 0), (1, 2)])
    paths = find(looped, granularities(looped, 10))
    assert [(path.sink, path.how) for path in paths] == [(1, "counts"), (2, "tags")]


def row(inputs: int, outputs: int, seen: tuple[int, int] | None = None) -> dict[str, Any]:
    """Return the counts of a block: items of its ports, and how many identities of block 0 it saw, at which output."""
    arrivals = [{"source": 0, "seen": seen[0], "position": seen[1]}] if seen else []
    return {"in": [{"items": inputs}], "out": [{"items": outputs}], "marked": 1, "messages": 0, "arrivals": arrivals}


def test_a_block_drops_tags_only_if_the_next_one_took_the_items_behind_them() -> None:
    chain = graph([(0, 1, ONE), (1, 1, None), (1, 0, ONE)], [(0, 0, 1, 0), (1, 0, 2, 0)])
    (path,) = find(chain, granularities(chain, 1000))
    on_its_way = "latency not measured: the run ended before the first boundary had left block "
    for first, second, third, expected in (
            (row(0, 1500), row(999, 500), row(500, 0), on_its_way + "b0"),
            (row(0, 1500), row(1400, 700, (1, 501)), row(500, 0), on_its_way + "b1"),
            (row(0, 1500), row(1400, 700, (1, 501)), row(501, 0), "latency not measurable: block b1 drops tags"),
            (row(0, 1500), row(1600, 700), row(501, 0),
             "latency not measurable: block b1 claims to have consumed 1600 items of 1500, so it misses tags")):
        assert judged(chain, path, [first, second, third], True)["reason"] == expected
    rows = [row(0, 500) | {"marked": 0}, row(500, 500), row(500, 0)]
    assert [judged(chain, path, rows, traced)["reason"] for traced in (False, True)] == [
        "latency not measured: the run was not traced",
        "latency not measured: b0 sent 500 items, fewer than the 1000 between two boundaries"]


def test_a_block_that_fetches_pdus_itself_is_looked_through() -> None:
    # A maker of PDUs, the block where they first arrive, pdu_to_tagged_stream, a block that drops tags, and a sink.
    packets = graph([(0, 0, ONE), (0, 0, ONE), (0, 1, ONE), (1, 1, None), (1, 0, ONE)], [(2, 0, 3, 0), (3, 0, 4, 0)],
                    [(0, 1), (1, 2)])
    path = next(path for path in find(packets, granularities(packets, 1000)) if path.how == "pdus")
    assert (path.source, path.sink, path.identity) == (1, 4, 6)

    def mark(one: dict[str, Any], seen: int) -> dict[str, Any]:
        return one | {"arrivals": [{"source": path.identity, "seen": seen, "position": 0}], "marked_messages": 3}

    nothing: dict[str, Any] = {"in": [], "out": [], "marked": 0, "messages": 3, "arrivals": []}
    fetching = row(0, 108) | {"in": []}
    for seen, expected in ((3, "latency not measurable: block b3 drops tags"), (
            0, "latency not measured: the run ended before the first boundary had left block b1")):
        rows = [nothing, mark(nothing, 0), fetching, mark(row(108, 8), seen), mark(row(8, 0), 0)]
        assert judged(packets, path, rows, True)["reason"] == expected


def test_the_block_where_branches_meet_has_seen_what_the_longer_one_dropped() -> None:
    # The second branch, 1-2-3, leads to the other input of block 4, from which nothing comes.
    met = graph([(0, 1, ONE), (1, 1, ONE), (1, 1, None), (1, 1, ONE), (2, 1, None), (1, 0, ONE)],
                [(0, 0, 4, 0), (0, 0, 1, 0), (1, 0, 2, 0), (2, 0, 3, 0), (3, 0, 4, 1), (4, 0, 5, 0)])
    (path,) = find(met, granularities(met, 1000))
    through = row(2000, 2000, (1, 1000))
    rows = [row(0, 2000), through, through, through, row(2000, 0, (1, 0)), row(0, 0)]
    rows[4]["in"] *= 2
    assert judged(met, path, rows, True)["reason"] == (
        "latency not measured: the run ended before the first boundary had left block b4")


def test_the_block_whose_items_end_a_run_may_be_a_source_or_named() -> None:
    noisy = graph([(0, 1, ONE), (0, 1, ONE), (2, 1, ONE), (0, 0, ONE), (1, 0, ONE)],
                  [(0, 0, 2, 0), (1, 0, 2, 1), (2, 0, 4, 0)])
    for block in noisy.blocks[1:4]:  # noise, a sum and a block of messages within a channel
        block.owner, block.name = "channel", f"channel/{block.symbol}"
    noisy.drawn["channel"] = Drawn("channel", "channel_model", True, noisy.blocks[1:4])

    def chosen(*words: str) -> dict[int, int]:
        return limits(parse(["program.py", "mapping.json", *words]), noisy, granularities(noisy, 1024), {})

    assert chosen() == {} and chosen("--items", "5") == {0: 5}
    assert [chosen("--items", "5", "--end-block", name) for name in ("b4", "channel/b1", "channel")] == [
        {4: 5}, {1: 5}, {2: 5}]
    for name in ("channels", "channel/b3"):  # the latter has messages alone
        with pytest.raises(Fault, match=f"--end-block: the flowgraph has no block {name}"):
            chosen("--items", "5", "--end-block", name)
    paced = parse(["program.py", "mapping.json", "--items", "8"])
    assert limits(paced, noisy, granularities(noisy, 1024), {0: 4.0, 1: 2.0}) == {0: 8, 1: 4}
    assert limits(paced, noisy, granularities(noisy, 1024), {1: 2.0}) == {1: 8}
    apart = graph([(0, 1, ONE), (1, 1, Fraction(3, 7)), (1, 0, ONE), (0, 1, ONE), (1, 0, ONE)],
                  [(0, 0, 1, 0), (1, 0, 2, 0), (3, 0, 4, 0)])
    for block in apart.blocks:
        block.owner = block.name
    assert limits(paced, apart, granularities(apart, 10), {}) == {0: 8, 3: 8}
    noisy.blocks[1].name = noisy.blocks[1].owner = "other"
    assert chosen("--items", "5") == {0: 5, 1: 5}
    for block in noisy.blocks[:2]:
        block.owner = "noises"
    assert chosen("--items", "5") == {0: 5, 1: 5}  # there are no others


def test_what_linux_refuses_is_said() -> None:
    def said(affinity: list[int] | None, error: str | None) -> list[str]:
        return refused({"name": "it", "requested": {"affinity": [1, 0], "priority": 3},
                        "granted": {"affinity": affinity, "priority_error": error}})

    assert said([0, 1], None) == said(None, None) == []
    assert said([0], "Operation not permitted") == ["block it may use the CPUs [0], not [1, 0]",
                                                    "block it did not get the priority 3: Operation not permitted"]
