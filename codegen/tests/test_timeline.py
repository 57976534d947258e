"""Test the timeline of a run against the rules of the Trace Event Format, and the message without a trace."""

from __future__ import annotations

import io
import json
import shutil
from collections import defaultdict
from pathlib import Path

import numpy as np
import pytest
from stored_runs import store
from weir import cli
from weir.engine.measuring.event_stream import (
    EVENTS,
    PARK,
    RECORD,
    RX,
    STEAL,
    TX,
    UNPARK,
    WORK_ENTRY,
    WORK_EXIT,
    TraceUnreadable,
)
from weir.engine.measuring.run_directory import load_run
from weir.read.reporting.timeline import Timeline

BEGAN = 10**15
PLAN = {"blocks": [{"index": 0, "instance": "source[0]@p1"}, {"index": 1, "instance": 'odd "name"\\'}]}


def records(*rows: tuple) -> np.ndarray:
    """Return records from rows (event, ns, id, thread[, value, since_ns])."""
    made = np.zeros(len(rows), RECORD)
    for record, (event, ns, who, thread, *more) in zip(made, rows):
        value, since_ns = (*more, 0, 0)[:2]
        record["event"], record["time_ns"], record["id"] = event, BEGAN + ns, who
        record["thread"], record["cpu"], record["value"] = thread, thread, value
        record["since_ns"] = BEGAN + since_ns if since_ns else 0
    return made


@pytest.fixture(scope="module")
def stored(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a run of two workers whose threads are 100 and 101."""
    path = store(tmp_path_factory.mktemp("runs"), deployment="flow")
    results = json.loads((path / "results.json").read_text())
    results["threads"] = [{**results["threads"][0], "name": f"w{i}", "tid": 100 + i} for i in (1, 0)]
    results["trace"]["backend"] = "lttng"
    (path / "results.json").write_text(json.dumps(results))
    return path


def drawn(stored: Path, *chunks: np.ndarray, damage: str = "") -> tuple[list[dict], Timeline]:
    def stream():
        yield from chunks
        if damage:
            raise TraceUnreadable(damage)

    out, timeline = io.StringIO(), Timeline(load_run(stored), PLAN)
    timeline.write(stream(), out)
    whole = json.loads(out.getvalue())
    assert set(whole) == {"displayTimeUnit", "otherData", "traceEvents"} and whole["displayTimeUnit"] == "ns"
    check_rules(whole["traceEvents"])
    return whole["traceEvents"], timeline


def check_rules(events: list[dict]) -> None:
    """Check rules that viewers rely on: phases, their keys, and slices that nest in a thread."""
    ends: dict[int, float] = defaultdict(float)
    named = set()
    for event in events:
        assert {"name", "ph", "ts", "pid", "tid"} <= set(event)
        assert isinstance(event["name"], str) and event["ph"] in ("X", "B", "i", "M")
        assert isinstance(event["pid"], int) and isinstance(event["tid"], int) and event["ts"] >= 0
        if event["ph"] == "M":
            assert event["name"] in ("process_name", "thread_name", "thread_sort_index") and event["args"]
            named |= {event["tid"]} if event["name"] == "thread_name" else set()
            continue
        assert isinstance(event["cat"], str) and event["cat"]
        if event["ph"] == "i":
            assert event["s"] == "t"
        if event["ph"] == "X":
            assert event["dur"] >= 0 and event["ts"] >= ends[event["tid"]] - 1e-9
            ends[event["tid"]] = event["ts"] + event["dur"]
    assert {event["tid"] for event in events if event["ph"] != "M"} <= named


def test_calls_are_slices_and_the_rest_are_instants_on_the_track_of_their_worker(stored):
    events, timeline = drawn(stored, records(
        (WORK_ENTRY, 0, 0, 100), (WORK_ENTRY, 500, 1, 101), (TX, 1_000, 0, 100, 7, 250), (WORK_EXIT, 1_234, 0, 100, 64),
        (RX, 2_000, 1, 101, 7), (WORK_EXIT, 2_500, 1, 101, 3), (PARK, 3_000, 0, 100), (UNPARK, 9_000, 0, 100),
        (STEAL, 9_500, 1, 101, 0)))
    shown = [{key: event[key] for key in ("name", "ph", "ts", "tid", "args", *(["dur"] if "dur" in event else []))}
             for event in events if event["ph"] != "M"]
    odd = 'odd "name"\\'
    assert shown == [
        {"name": "tx source[0]@p1", "ph": "i", "ts": 1.0, "tid": 100, "args": {"k": 7, "due_us": 0.25}},
        {"name": "source[0]@p1", "ph": "X", "ts": 0.0, "tid": 100, "args": {"items": 64}, "dur": 1.234},
        {"name": f"rx {odd}", "ph": "i", "ts": 2.0, "tid": 101, "args": {"k": 7}},
        {"name": odd, "ph": "X", "ts": 0.5, "tid": 101, "args": {"items": 3}, "dur": 2.0},
        {"name": "park", "ph": "i", "ts": 3.0, "tid": 100, "args": {"worker": 0}},
        {"name": "unpark", "ph": "i", "ts": 9.0, "tid": 100, "args": {"worker": 0}},
        {"name": "steal source[0]@p1", "ph": "i", "ts": 9.5, "tid": 101, "args": {"worker": 1}}]
    names = [(event["tid"], event["args"]["name"]) for event in events if event["name"] == "thread_name"]
    assert names == [(100, "w0"), (101, "w1")] and timeline.events == 7 and not timeline.damage
    assert len(EVENTS) == len({TX, RX, WORK_ENTRY, WORK_EXIT, PARK, UNPARK, STEAL})


def test_calls_that_lack_an_end_or_a_beginning_do_not_confuse_the_others(stored):
    events, _ = drawn(stored, records(
        (WORK_EXIT, 0, 0, 100, 1), (WORK_ENTRY, 10, 0, 100), (WORK_ENTRY, 20, 1, 100), (WORK_EXIT, 30, 1, 100, 5)),
        records((WORK_ENTRY, 40, 0, 100), (WORK_EXIT, 50, 1, 100, 9), (WORK_ENTRY, 60, 1, 101)))
    assert [(e["ph"], e["name"], e["ts"]) for e in events if e["ph"] in "XB"] == [
        ("X", PLAN["blocks"][1]["instance"], 0.02), ("B", PLAN["blocks"][1]["instance"], 0.06)]


def test_digits_of_a_long_run_are_exact(stored):
    events, _ = drawn(stored, records((RX, 0, 0, 100), (RX, 86_400 * 10**9 + 1, 0, 100)))
    assert events[2]["ts"] == 86_400 * 10**6 + 0.001


def test_a_damaged_trace_is_drawn_up_to_the_damage(stored):
    events, timeline = drawn(stored, records((RX, 0, 0, 100), (WORK_ENTRY, 5, 1, 100)), damage="packet 7")
    assert timeline.events == 2 and timeline.damage == "packet 7"
    assert [e["ph"] for e in events if e["ph"] != "M"] == ["i", "B"]


def test_without_threads_the_tracks_are_the_cpus(stored):
    made = records((RX, 0, 0, 3))
    made["thread"] = -1
    events, _ = drawn(stored, made)
    assert [e["args"]["name"] for e in events if e["name"] == "thread_name"] == ["CPU 3"]


@pytest.mark.parametrize("backend, why, hint", [
    ("lttng", "deleted its trace after the analysis", "weir run quickstart.weir.json --deployment flow --keep-trace"),
    ("memory", "recorded events in memory only", "--deployment flow --trace lttng --keep-trace"),
    ("off", "it was not traced", "--deployment flow --trace lttng --keep-trace")])
def test_a_trace_that_is_gone_is_reported_with_what_keeps_it(stored, tmp_path, capsys, backend, why, hint):
    path = shutil.copytree(stored, tmp_path / stored.name)
    results = json.loads((path / "results.json").read_text())
    results["trace"]["backend"] = backend
    (path / "results.json").write_text(json.dumps(results))
    run = json.loads((path / "run.json").read_text())
    if backend != "lttng":
        run["command"] += f" --trace {backend}"
    (path / "run.json").write_text(json.dumps(run))
    assert cli.main(["runs", "trace", path.name, "--out", str(tmp_path), "-o", str(tmp_path / "t.json")]) == 4
    said = capsys.readouterr().err
    assert "E_TRACE_MISSING" in said and why in said and hint in said
    assert not (tmp_path / "t.json").exists()


def test_a_trace_that_nothing_can_read_leaves_no_timeline(stored, tmp_path, capsys):
    path = shutil.copytree(stored, tmp_path / stored.name)
    (path / "trace").mkdir()
    (path / "trace" / "metadata").write_text("/* CTF 1.8 */ nonsense")
    assert cli.main(["runs", "trace", str(path), "-o", str(tmp_path / "t.json")]) == 4
    assert "E_TRACE_UNREADABLE" in capsys.readouterr().err
    assert [p.name for p in tmp_path.iterdir()] == [path.name]


@pytest.mark.parametrize("plan", ["[]", '{"blocks": 5}', '{"blocks": [1]}', '{"blocks": [{"index": []}]}', "{"])
def test_a_damaged_plan_is_reported(stored, tmp_path, capsys, plan):
    path = shutil.copytree(stored, tmp_path / stored.name)
    (path / "trace").mkdir()
    (path / "plan.json").write_text(plan)
    assert cli.main(["runs", "trace", str(path), "-o", str(tmp_path / "t.json")]) == 4
    assert "plan.json is damaged" in capsys.readouterr().err


@pytest.mark.parametrize("name", ["nothing", "."])
def test_what_is_no_run_is_refused(tmp_path, capsys, name):
    assert cli.main(["runs", "trace", str(tmp_path / name), "-o", str(tmp_path / "t.json")]) == 4
    assert "E_RUN_DIRECTORY" in capsys.readouterr().err
