"""The works beside saxpy and null_rand: what their rows say, and how that is printed and drawn."""

from __future__ import annotations

import argparse
from collections.abc import Mapping, Sequence
from dataclasses import replace

import jsonschema
import pytest
from matplotlib.figure import Figure
from weir.cli.verbs import bench
from weir.lab.bench.cells import Cell
from weir.lab.bench.contender import AUTO, Entry, Facts, Outcome
from weir.lab.bench.figures import drawings
from weir.lab.bench.rows import BARE, Series, rows_of
from weir.lab.bench.sections import sections
from weir.lab.bench.table import table
from weir.model.document import shape
from weir.read.comparing.statistics import MIN_BLOCKS

ROW = jsonschema.Draft202012Validator({"$defs": shape.schema("bench")["$defs"], "$ref": "#/$defs/row"})
SHARED, PACED, BUSY, LONG, WATCHED = (Cell("shared_core", 2, 4), Cell("paced", 2, 5), Cell("busy_work", 4, 4),
                                      Cell("long_graph", 2, 1000), Cell("watching", 2, 5))


def series(contender: str, rates: Sequence[float], condition: str | None = None, against: str | None = None,
           latency: Sequence[Mapping | None] | None = None, buffers: str | None = AUTO, **facts: float) -> Series:
    entry = Entry(contender, lambda: Outcome(0), buffers, None, Facts(**facts), condition, against)
    return Series(entry, [Outcome(rate, 1.0, one) for rate, one in zip(rates, latency or [None] * len(rates))])


def as_json(cell: Cell, *measured: Series) -> list[dict]:
    rounds = len(measured[0].outcomes)
    found = [row.as_json() for row in rows_of(cell, [series(BARE, [100e6] * rounds, buffers=None), *measured])]
    for row in found:
        ROW.validate(row)
    return found


def percentiles(p50: float, p99: float | None = None) -> dict[str, float | None]:
    return {"p50_ns": p50, "p95_ns": 2 * p50, "p99_ns": p99, "max_ns": 10 * p50}


def shared_rows(rounds: int = MIN_BLOCKS) -> list[dict]:
    """A machine that doubles its speed from round to round: within one, the loop takes six tenths of the rate."""
    rates = [1e6 * 2**i for i in range(rounds)]
    return as_json(SHARED, series("flow", rates, "alone"),
                   series("flow", [0.4 * rate for rate in rates], "beside a busy loop", "alone"))


def watched_rows(traced: bool = True) -> list[dict]:
    noise = [1.0, 1.01, 0.99, 1.0, 1.02, 0.98, 1.0, 1.0]
    ways = [("tracing off", 0.995), ("tracing on", 0.98), ("counters", 1.004), ("profile", 0.5)]
    return as_json(WATCHED, series("flow", [1e9 * one for one in noise], "nothing"),
                   *(series("flow", [share * 1e9 * one for one in noise], name, "nothing") for name, share in ways
                     if traced or name != "tracing on"))


def paced_rows() -> list[dict]:
    return as_json(PACED, series("flow", [1e9] * 3, "flat out"),
                   series("flow", [5e8] * 3, "50 %", None, [percentiles(1e4, 3e4), percentiles(3e4, 9e4),
                                                            percentiles(2e4, 6e4)],
                          offered_items_per_s=5e8, chunk_ns=4e4),
                   series("work_stealing", [5e8] * 3, "50 %", None, [percentiles(1e4, 3e4), percentiles(1e4),
                                                                     percentiles(1e4, 3e4)],
                          offered_items_per_s=5e8, chunk_ns=4e4))


def test_a_disturbed_rate_is_held_against_its_own_of_the_same_round() -> None:
    bare_row, alone, beside = shared_rows()
    assert beside["ratio_to_own"] == pytest.approx(0.4) and beside["own_spread"] == pytest.approx([0.4, 0.4])
    assert alone["ratio_to_own"] is alone["own_spread"] is bare_row["ratio_to_own"] is None
    assert (alone["condition"], beside["condition"]) == ("alone", "beside a busy loop")
    assert shared_rows(3)[2]["own_spread"] is None


def test_each_contender_is_held_against_itself() -> None:
    found = as_json(SHARED, series("flow", [8e6] * 3, "alone"), series("work_stealing", [2e6] * 3, "alone"),
                    series("work_stealing", [1e6] * 3, "beside a busy loop", "alone"))
    assert [row["ratio_to_own"] for row in found] == [None, None, None, pytest.approx(0.5)]
    with pytest.raises(ValueError, match="flow auto buffers on has nothing to be held against in shared_core"):
        as_json(SHARED, series("flow", [1.0], "on", "off"))


def test_latencies_are_medians_over_the_rounds_that_all_have_them() -> None:
    _, flat_out, flow, stealing = paced_rows()
    assert flat_out["latency"] is None
    assert flow["latency"] == {"offered_items_per_s": 5e8, "chunk_ns": 4e4, "p50_ns": 2e4, "p95_ns": 4e4, "p99_ns": 6e4,
                               "max_ns": 2e5}
    assert stealing["latency"]["p50_ns"] == 1e4 and stealing["latency"]["p99_ns"] is None
    [_, once] = as_json(PACED, series("flow", [1.0, 1.0], "50 %", None, [percentiles(1.0), None]))
    assert once["latency"] is None


def words(rows: Sequence[Mapping]) -> list[list[str]]:
    return [line.split() for line in sections(rows)]


def test_each_work_has_its_columns_below_the_table() -> None:
    assert sections(as_json(Cell("saxpy", 1, 1), series("flow", [1.0]))) == []
    shared = words(shared_rows())
    assert shared[3] == ["4", "flow", "0.400", "0.400", "..", "0.400", "0.50", "0.50"] and len(shared) == 4
    text = "\n".join(sections(paced_rows()))
    assert "flow           50 %   500 Mitems/s  500 Mitems/s  20.0 µs  40.0 µs  60.0 µs  200 µs  40.0 µs  1.50" in text
    assert "work_stealing  50 %   500 Mitems/s  500 Mitems/s  10.0 µs  20.0 µs  –        100 µs  40.0 µs  –" in text
    assert "flat out:" not in text and text.count("\n") == 4
    busy = as_json(BUSY, series("flow", [20e6] * MIN_BLOCKS), series("thread_pool", [24e6] * 8))
    assert words(busy)[3:] == [["flow", "0.800", "0.800", "..", "0.800"], ["thread_pool", "0.960", "0.960", "..",
                                                                          "0.960"]]
    chain = as_json(LONG, series("flow", [20e6] * 3))
    assert words(chain)[3:] == [["1000", "flow", "0.0500"]]


def test_a_loss_is_of_the_rate_without_and_its_interval_goes_up() -> None:
    found = words(watched_rows())
    assert [line[1:] for line in found[3:]] == [
        ["tracing", "off", "0.5", "%", "0.5", "%", "..", "0.5", "%"],
        ["tracing", "on", "2.0", "%", "2.0", "%", "..", "2.0", "%"],
        ["counters", "−0.4", "%", "−0.4", "%", "..", "−0.4", "%"],
        ["profile", "50.0", "%", "50.0", "%", "..", "50.0", "%"]]
    rough = as_json(WATCHED, series("flow", [1e9] * 8, "nothing"),
                    series("flow", [1e9 * share for share in (0.9, 0.95, 0.97, 0.98, 0.96, 0.94, 0.99, 0.93)],
                           "counters", "nothing"))
    low, high = (float(word) for word in words(rough)[3][4:] if word not in ("%", ".."))
    assert 0 < low < 100 * (1 - rough[2]["ratio_to_own"]) < high
    assert "LTTng cannot be had here" in "\n".join(sections(watched_rows(traced=False)))
    assert "LTTng" not in "\n".join(sections(watched_rows()))


def test_the_table_names_the_condition_and_has_the_sections_below() -> None:
    lines = table(shared_rows(3)).splitlines()
    assert "flow (beside a busy loop)" in lines[3] and lines[4] == ""
    assert lines[5].startswith("saxpy with a busy loop on one of its CPUs")
    assert "not enough data for intervals" in lines[-1]


def test_a_work_can_be_chosen_by_its_name() -> None:
    parser = bench.add_parser(argparse.ArgumentParser().add_subparsers())
    assert parser.parse_args(["--work", "paced", "--work", "watching"]).work == ["paced", "watching"]
    assert parser.parse_args([]).work == []


# Figures

def drawn(rows: Sequence[Mapping]):
    [drawing] = drawings(rows)
    axes = Figure().add_subplot()
    drawing.draw(axes)
    return drawing.id, axes


def dots(axes) -> list[tuple[float, str]]:
    """The value and the name of every dot of a row."""
    names = [label.get_text() for label in axes.get_yticklabels()]
    return [(float(line.get_xdata()[0]), names[int(line.get_ydata()[0])]) for line in axes.get_lines()
            if len(line.get_xdata()) == 1]


def test_what_is_a_part_of_something_is_a_dot_with_its_interval() -> None:
    name, axes = drawn(shared_rows())
    assert name == "shared_core_n2" and dots(axes) == [(pytest.approx(0.4), "flow, m = 4")]
    assert [list(line.get_xdata()) for line in axes.get_lines() if len(set(line.get_ydata())) == 1
            and len(line.get_xdata()) == 2] == [pytest.approx([0.4, 0.4])]
    _, axes = drawn(watched_rows())
    assert dots(axes)[0] == (pytest.approx(0.995), "flow, tracing off") and len(dots(axes)) == 4
    _, axes = drawn(as_json(BUSY, series("flow", [20e6] * 8)))
    assert dots(axes) == [(pytest.approx(0.8), "flow")]
    assert any(list(line.get_xdata()) == pytest.approx([0.8, 0.8]) for line in axes.get_lines())


def test_latencies_are_drawn_beside_the_time_of_a_chunk() -> None:
    _, axes = drawn(paced_rows())
    found = [list(map(float, line.get_xdata())) for line in axes.get_lines()]
    assert found == [[2e4, 4e4, 6e4], [2e5], [4e4, 4e4], [1e4, 2e4], [1e5], [4e4, 4e4]]
    assert [label.get_text() for label in axes.get_yticklabels()] == ["flow, 50 %", "work_stealing, 50 %"]
    assert axes.get_xscale() == "log"


def test_long_chains_are_drawn_over_their_length_beside_the_bare_kernel() -> None:
    rows = [row for m in (1000, 10) for row in as_json(replace(LONG, m=m), series("flow", [1e9 / m] * 3))]
    _, axes = drawn(rows)
    found = {line.get_label(): (list(line.get_xdata()), list(line.get_ydata())) for line in axes.get_lines()}
    assert found == {"the bare kernel on every CPU": ([10, 1000], [5.0, 5.0]),
                     "flow": ([10, 1000], pytest.approx([1.0, 1.0]))}
