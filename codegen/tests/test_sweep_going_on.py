"""Test `weir sweep`: its order, its repeated measurements, and how it resumes after any interruption."""

from __future__ import annotations

import csv
import os
import random
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest
from conftest import CODEGEN
from stored_runs import store
from sweep_world import program, sweep
from weir.diagnostics import WeirError
from weir.engine.measuring.run_directory import load_run
from weir.engine.measuring.run_store import remove
from weir.lab.sweeping import axes, state
from weir.lab.sweeping.estimates import estimated
from weir.lab.sweeping.record import Order, Record, order_of, record_of
from weir.lab.sweeping.table import TABLE

# Order and blocks

def test_the_seed_decides_the_order_of_every_block_and_each_has_every_point_once():
    orders = [order_of(7, planned, again, 20) for planned in range(3) for again in range(2)]
    assert all(sorted(order) == list(range(20)) for order in orders) and len(set(orders)) == len(orders)
    assert order_of(7, 2, 1, 20) == orders[5] and order_of(8, 2, 1, 20) != orders[5]


def recorded(disturbed: list[bool], repetitions: int = 3, repeats: int = 2) -> Record:
    """Return the record of one point, whose rounds were disturbed or not, in the order of measurement."""
    record = Record([axes.Cell(0, "one", {}, None, ("one",), (0,))], ["deployment"], Order(1, 1, repetitions, repeats))
    for was in disturbed:
        number = record.following.number
        record.rows[number, 0] = {"round": number, "position": 0, "point": 0}
        record._counts[number] = 1
        record._disturbed |= {number} if was else set()
    return record


@pytest.mark.parametrize("disturbed, blocks", [
    ([], [(0, 0)]), ([False, False], [(0, 0), (1, 0), (2, 0)]), ([True], [(0, 0), (0, 1)]),
    ([True, True], [(0, 0), (0, 1), (0, 2)]), ([True, True, True], [(0, 0), (0, 1), (0, 2), (1, 0)]),
    ([False, True, False, False], [(0, 0), (1, 0), (1, 1), (2, 0)])])
def test_a_disturbed_block_is_measured_again_at_most_twice(disturbed, blocks):
    record = recorded(disturbed)
    assert [(block.planned, block.again) for block in record.rounds] == blocks
    assert [record.order.of_number(block.number) for block in record.rounds] == blocks


def rows_of(folder: Path) -> list[dict]:
    with open(folder / TABLE, newline="") as file:
        return list(csv.DictReader(file))


def test_all_of_it_is_measured_in_its_order_and_the_table_has_a_row_a_run(tmp_path):
    it = sweep(tmp_path / "out", program(tmp_path / "world"))
    assert not it.go_on()
    rows = rows_of(tmp_path / "out")
    assert [(int(row["round"]), int(row["position"])) for row in rows] == [(b, p) for b in range(3) for p in range(6)]
    assert [int(row["point"]) for row in rows] == [cell for b in range(3) for cell in order_of(7, b, 0, 6)]
    assert list(rows[0])[:2] == ["deployment", "stages"]
    assert all((tmp_path / "out" / row["directory"] / "results.json").is_file() for row in rows)


def test_a_block_that_others_disturbed_is_measured_again_whole_and_stays_in_the_table(tmp_path):
    foreign = [{"other_programs": 0.5}] + 11 * [{"other_programs": 0.0}]
    it = sweep(tmp_path / "out", program(tmp_path / "world", environment=foreign), repetitions=1, repeats=2)
    it.go_on()
    rows = rows_of(tmp_path / "out")
    assert [(row["round"], row["repetition"], row["again"], row["round_disturbed"]) for row in rows] == \
        6 * [("0", "0", "0", "true")] + 6 * [("1", "0", "1", "false")]
    assert it.record.disturbed == 1


def test_a_run_that_is_not_ok_is_marked_and_not_averaged_in(tmp_path):
    it = sweep(tmp_path / "out", program(tmp_path / "world", statuses=["failed", "ok", "ok", "ok", "ok", "ok"]))
    it.go_on()
    rows = it.record.table()
    assert [row["status"] for row in rows].count("failed") == 3 and all("E_TEST" in row["reasons"] for row in rows
                                                                        if row["status"] == "failed")
    first = [row for row in rows if row["point"] == rows[0]["point"]]
    assert estimated(first, "throughput_items_per_s").rounds == sum(row["status"] == "ok" for row in first) < 3


def test_what_is_out_of_time_stops_between_blocks_and_continues_later(tmp_path):
    now = iter(range(0, 100000, 10))
    script = program(tmp_path / "world")
    it = sweep(tmp_path / "out", script, most_s=100, clock=lambda: next(now))
    assert not it.go_on() and it.out_of_time and len(it.record.whole) == 1
    later = sweep(tmp_path / "out", script)
    assert not later.go_on() and len(later.record.whole) == 3


# Resuming

PLACED = ("round", "position", "point", "repetition", "again", "deployment", "stages", "seed")


def measured(folder: Path) -> list[tuple]:
    return [tuple(row[name] for name in PLACED) for row in rows_of(folder)]


def killed_at_random(tmp_path: Path, kills: int, seed: int) -> int:
    """Kill the sweep of sweep_world `kills` times at random moments, then let it finish. Return how many died."""
    dice, folder = random.Random(seed), tmp_path / "out"
    folder.mkdir()
    program(tmp_path / "world", seconds=0.05)
    environment = {**os.environ, "PYTHONPATH": f"{CODEGEN}{os.pathsep}{CODEGEN / 'tests'}",
                   "WEIR_LOCK": str(tmp_path / "lock")}
    words = [sys.executable, str(CODEGEN / "tests" / "sweep_world.py"), str(folder)]
    died = 0
    for _ in range(kills):
        runs = len(list(folder.glob("2*Z-*")))
        with subprocess.Popen(words, env=environment) as child:
            # waits for its first run, which may be slow, so that every attempt makes progress
            end = time.monotonic() + 60
            while child.poll() is None and len(list(folder.glob("2*Z-*"))) == runs and time.monotonic() < end:
                time.sleep(0.01)
            time.sleep(dice.uniform(0.0, 0.25))
            child.send_signal(dice.choice((signal.SIGKILL, signal.SIGKILL, signal.SIGINT)))
            died += child.wait() != 0
    subprocess.run(words, env=environment, check=True)
    return died


def expect_as_if_undisturbed(tmp_path: Path) -> None:
    folder = tmp_path / "out"
    undisturbed = sweep(tmp_path / "other", program(tmp_path / "world"))
    undisturbed.go_on()
    assert measured(folder) == measured(tmp_path / "other")
    places = [(row["round"], row["position"]) for row in rows_of(folder)]
    assert len(set(places)) == len(places) == 18
    # A run that was killed before it had a marker stays for an hour: another process may be making it at this moment.
    assert not list(folder.glob(".incomplete-*/*.json"))


def test_a_sweep_that_is_killed_continues_exactly_there(tmp_path):
    assert killed_at_random(tmp_path, kills=4, seed=1)
    expect_as_if_undisturbed(tmp_path)


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(5))
def test_a_sweep_that_is_killed_ten_times_continues_exactly_there(seed, tmp_path):
    assert killed_at_random(tmp_path, kills=10, seed=100 + seed)
    expect_as_if_undisturbed(tmp_path)


def test_duplicate_and_foreign_runs_are_in_no_table(tmp_path):
    script, said = program(tmp_path / "world"), []
    sweep(tmp_path / "out", script).go_on()
    store(tmp_path / "out", seed=9)
    again = sweep(tmp_path / "out", script, on_run=lambda *it: said.append(it))
    again.go_on()
    assert not said and again.ignored.others == 1 and len(rows_of(tmp_path / "out")) == 18
    assert again.ignored.words() == ["not in the table: 1 run directory of other sweeps, or duplicates"]


@pytest.mark.parametrize("foreign", [[0.5, *5 * [0.0]], 6 * [0.0]], ids=["disturbed", "quiet"])
def test_a_run_that_somebody_removes_is_made_again_and_no_other_is_taken_for_another(foreign, tmp_path):
    """Check also if its block was measured again, or is disturbed now and was not before."""
    noisy = [{"other_programs": share} for share in (*foreign, *12 * [0.0], *6 * [0.5], *30 * [0.0])]
    script = program(tmp_path / "world", environment=noisy)
    first = sweep(tmp_path / "out", script, repetitions=2, repeats=1)
    first.go_on()
    before = {row["directory"]: (row["point"], row["round"]) for row in first.record.table()}
    remove(load_run(tmp_path / "out" / first.record.table()[0]["directory"]))
    again = sweep(tmp_path / "out", script, repetitions=2, repeats=1)
    again.go_on()
    rows = again.record.table()
    assert (not again.ignored.others
            and {row["directory"] for row in rows} >= set(before) - {first.record.table()[0]["directory"]})
    for row in rows:
        assert before.get(row["directory"], (row["point"], row["round"])) == (row["point"], row["round"])
        run = load_run(tmp_path / "out" / row["directory"])
        assert run.results["deployment"] == row["deployment"] and run.run["set"]["point"] == row["point"]
    assert again.record.following is None


def test_a_table_keeps_what_was_measured_behind_a_gap(tmp_path):
    script = program(tmp_path / "world")
    first = sweep(tmp_path / "out", script)
    first.go_on()
    remove(load_run(tmp_path / "out" / first.record.table()[2]["directory"]))
    record, _ = record_of(first.at)
    assert len(record.rows) == 17 and record.following.number == 0 and len(record.missing(record.following)) == 1


@pytest.mark.parametrize("status, said", [("full", "no room"), ("partial", "interrupted")])
def test_a_run_that_a_full_disk_or_a_signal_ended_is_made_again(status, said, tmp_path):
    script = program(tmp_path / "world", statuses=["ok", "ok", status, *15 * ["ok"]])
    with pytest.raises(WeirError, match=said):
        sweep(tmp_path / "out", script).go_on()
    assert len(rows_of(tmp_path / "out")) == 2
    again = sweep(tmp_path / "out", script)
    again.go_on()
    assert again.ignored.again == 1 and [row["status"] for row in rows_of(tmp_path / "out")] == 18 * ["ok"]


def test_a_sweep_with_changed_cases_is_refused():
    def at(items: int, **other: dict) -> dict:
        cases = {"size": {"small": {"/run/items": items}}, **other}
        return {"document": {"cases": cases}, "axes": [{"key": "size", "values": ["small"]}], "hold": [], "machine": {},
                "points": []}

    state.check_unchanged(at(1), at(1, other={}), False)
    with pytest.raises(WeirError, match="the cases of `size` changed"):
        state.check_unchanged(at(1), at(2), False)


def test_a_changed_sweep_is_refused_with_all_changes():
    was = {"document": {"name": "a"}, "axes": [{"key": "stages", "values": [1]}], "hold": [],
           "machine": {"host": "a", "cpu": "x"},
           "points": [{"number": 0, "scheduler": "flow", "binary_hash": "0"},
                      {"number": 1, "scheduler": "gnuradio310", "binary_hash": "1"}]}
    state.check_unchanged(was, was, False)
    state.check_unchanged(was, {**was, "document": {"name": "a", "title": "t"}}, False)  # a title changes no run
    now = {**was, "document": {"name": "b"}, "axes": [{"key": "stages", "values": [2]}],
           "machine": {"host": "b", "cpu": "x"},
           "points": [{"number": 0, "scheduler": "flow", "binary_hash": "2"}]}
    with pytest.raises(WeirError) as error:
        state.check_unchanged(was, now, False)
    text = " ".join(str(fault.message) for fault in error.value.diagnostics)
    assert all(words in text for words in ("the project changed", "the axes", "program of point 0",
                                           "no longer has the software for gnuradio310", "with a different host"))
    with pytest.raises(WeirError) as error:
        state.check_unchanged(was, now, True)
    assert "on a machine with" not in " ".join(fault.message for fault in error.value.diagnostics)
