"""Items and latencies of hierarchical blocks in results.json: parts of templates/companion."""

from __future__ import annotations

import importlib.util
import json
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest
from companion_world import COMPANION
from weir.engine.measuring.latency import ALWAYS, Boundaries
from weir.engine.measuring.recording import add_trace
from weir.engine.measuring.results import expected_boundaries
from weir.engine.measuring.trace import Trace
from weir.engine.targets.interface import Order, Program


def protocol() -> ModuleType:
    """Load the module as Weir does: by its place."""
    spec = importlib.util.spec_from_file_location("companion_protocol", COMPANION / "protocol.py")
    assert spec and spec.loader
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def row(name: str, taken: list[int], made: list[int]) -> dict[str, Any]:
    """Return the row of an inner block."""
    return {"name": name, "in": [{"items": n} for n in taken], "out": [{"items": n} for n in made]}


#: A channel whose noise comes from an inner source, which is far ahead of the stream.
BLOCKS = {"source": [row("source", [], [100])],
          "channel": [row("channel/noise", [], [900]), row("channel/add", [90, 850], [80])],
          "sink": [row("sink", [80], [])]}
EDGES = [["channel/noise", 0, "channel/add", 1], ["source", 0, "channel/add", 0], ["channel/add", 0, "sink", 0]]


def test_a_hierarchical_block_has_the_items_at_its_ends() -> None:
    ends = protocol()._Ends(BLOCKS, EDGES)
    assert [(ends.items_in(name), ends.items_out(name)) for name in BLOCKS] == [(0, 100), (90, 80), (80, 0)]


def test_only_buffers_that_the_deployment_requests_are_planned(tmp_path: Path) -> None:
    granted = {"output_buffers": [8192], "min_output_buffer": [0], "max_output_buffer": [0], "affinity": None,
               "policy": None, "priority": None}
    rows = [row(name, *ports) | {"thread": 7, "calls": 1, "work_s": None, "cpu_s": 1.0, "messages": 0,
                                 "granted": granted}
            for name, ports in {"a": ([], [9]), "b": ([9], [9]), "c": ([9], [])}.items()]
    (tmp_path / "project.json").write_text(json.dumps({"graph": {"blocks": [
        {"id": it["name"], "gnuradio": {"name": it["name"]}} for it in rows]}}))
    (tmp_path / "results.json").write_text(json.dumps({
        "blocks": [{"name": it["name"], "hierarchical": False, "inner": [it]} for it in rows],
        "edges": [["a", 0, "b", 0], ["b", 0, "c", 0]], "paths": [], "reasons": [], "unseen": [], "pace": {},
        "elapsed_s": 1.0, "begin_ns": 0, "end_ns": 10, "metrics": "counters", "window": None,
        "trace": {"events": 0, "discarded": 0, "probe_granularity": 1}}))
    streams = [{"name": f"{source}.out0", "readers": [f"{sink}.in0"], "planned_items": 4096, "requested_items": items}
               for source, sink, items in (("a", "b", None), ("b", "c", 4096))]
    plan = {"streams": streams, "blocks": [{"instance": it["name"], "type": "copy"} for it in rows], "metered": ["a"]}

    def blank() -> dict[str, Any]:
        return {"reasons": [], "status": "ok", "trace": {}, "load": {}, "granted": {},
                "planned": {"buffers": {"a.out0": 4096, "b.out0": 4096}}}

    made = protocol().results(Order(tmp_path, tmp_path), plan, None, blank)
    assert made["planned"]["buffers"] == {"b.out0": 4096}
    assert made["granted"]["buffers"] == {"a.out0": 8192, "b.out0": 8192}


def test_items_that_are_still_in_buffers_have_not_passed() -> None:
    made = protocol()
    seen: dict[str, Any] = {"edges": EDGES, "unseen": []}
    assert made.passed(BLOCKS, seen, ["source"], {}) == pytest.approx(90)
    then = {"channel/add": {"in": [{"items": 40}], "out": [{"items": 30}]}, "sink": {"in": [{"items": 15}]}}
    assert made.passed(BLOCKS, seen, ["source"], then) == pytest.approx(40 * 15 / 30)
    # Two readers: the slower one holds the source back, and one that took nothing has not begun.
    blocks = {**BLOCKS, "slow": [row("slow", [30], [])], "idle": [row("idle", [0], [])]}
    seen["edges"] = [*EDGES, ["source", 0, "slow", 0], ["source", 0, "idle", 0]]
    assert made.passed(blocks, seen, ["source"], {}) == pytest.approx(30)
    seen["unseen"] = [{"block": "slow", "what": "calls and items", "why": "no hook"}]
    assert made.passed(blocks, seen, ["source"], {}) == pytest.approx(90)
    assert made.passed(blocks, seen | {"edges": [["source", 0, "idle", 0]]}, ["source"], {}) == 0


def test_without_items_the_time_ends_a_run_without_a_fault(tmp_path: Path) -> None:
    made = protocol()
    timed, counted = (Program(("run", *ends), ()) for ends in (("--seconds", "30"), ("--items", "9")))
    assert made.command(timed, Order(tmp_path, tmp_path, timeout_s=1.0))[-2:] == ["--seconds", "1"]
    for program, order in ((timed, Order(tmp_path, tmp_path, items=5, timeout_s=1.0)),
                           (counted, Order(tmp_path, tmp_path, timeout_s=1.0))):
        assert made.command(program, order)[-2:] == ["--timeout-s", "1"]


def test_a_source_within_a_hierarchical_block_that_a_stream_enters_begins_no_latency(tmp_path: Path) -> None:
    entries = [{"id": name, "gnuradio": {"name": name, "inputs": [{"type": "f32"}] * (name != "source")}}
               for name in BLOCKS]
    (tmp_path / "project.json").write_text(json.dumps({"graph": {"blocks": entries}}))
    path = {"sink": "sink", "how": "counts", "reason": None, "rx": 3, "source_granularity": 1, "sink_granularity": 1,
            "sent": 5, "received": 5}
    (tmp_path / "results.json").write_text(json.dumps({
        "blocks": [{"name": name, "hierarchical": len(rows) > 1, "inner": rows} for name, rows in BLOCKS.items()],
        "paths": [path | {"source": "channel/noise", "tx": 1}, path | {"source": "source", "tx": 2}]}))
    ran = protocol().as_run(Order(tmp_path, tmp_path), {"blocks": [{"instance": name} for name in BLOCKS]})
    assert [(pair["source"], pair["sink"]) for pair in ran["pairs"]] == [("source", "sink")]


def test_a_sink_has_the_latency_of_every_source_whose_identities_arrive(tmp_path: Path) -> None:
    names = ("first", "second", "sink", "aside")
    (tmp_path / "project.json").write_text(json.dumps({"graph": {"blocks": [
        {"id": name, "gnuradio": {"name": name}} for name in names]}}))
    path = {"how": "pdus", "reason": None, "source_granularity": None, "sink_granularity": None, "sent": 2,
            "received": 2, "sink": "sink"}
    (tmp_path / "results.json").write_text(json.dumps({
        "blocks": [{"name": name, "hierarchical": False, "inner": [row(name, [], [])]} for name in names],
        "paths": [path | {"source": "first", "tx": 10, "rx": 11}, path | {"source": "second", "tx": 12, "rx": 13},
                  path | {"source": "first", "sink": "aside", "tx": 10, "rx": 14, "reason": "no"}]}))
    plan = {"blocks": [{"instance": name, "index": at} for at, name in enumerate(names)], "pairs": [], "hops": [],
            "run": {}}
    ran = protocol().as_run(Order(tmp_path, tmp_path), plan)
    events = {number: Boundaries.of([1, 2], [100 * number, 100 * number + 1]) for number in range(10, 15)}
    trace = Trace(10, 0, {it: events[it] for it in (10, 12)}, {it: events[it] for it in (11, 13, 14)})
    made = {"trace": {"events": 10, "discarded": 0}, "status": "ok", "reasons": [], "latency": None}
    add_trace(made, ran, lambda: trace, expected_boundaries(ran, {"sinks": [], "status": "ok"}), ALWAYS)
    assert [(it["source"], it["sink"], it["count"]) for it in made["latency_pairs"]] == [
        ("first", "sink", 2), ("second", "sink", 2)] and not made["reasons"]


def test_a_program_that_was_killed_leaves_events_of_numbers_that_nobody_knows(tmp_path: Path) -> None:
    plan = {"blocks": [{"instance": "source", "index": 0}, {"instance": "sink", "index": 1}], "hops": [], "run": {},
            "pairs": [{"source": "source", "sink": "sink", "pipe": None, "source_granularity": 1,
                       "sink_granularity": 1}]}
    made = {"trace": {"events": None, "discarded": None}, "status": "failed", "reasons": [], "latency": None}
    ran = protocol().as_run(Order(tmp_path, tmp_path), plan)
    trace = Trace(2, 0, {7: Boundaries.of([1], [1])}, {1: Boundaries.of([1], [2])})
    assert add_trace(made, ran, lambda: trace, expected_boundaries(ran, made | {"sinks": []}), ALWAYS) == []
    assert not made["reasons"] and made["latency"] is None and made["trace"]["events"] == 2


def test_a_path_without_latency_is_named_unless_nothing_moved() -> None:
    rows = [row("source", [], [3]) | {"messages": 0}, row("sink", [0], []) | {"messages": 0}]
    paths = [{"source": "a", "sink": "b", "reason": None}, {"source": "source", "sink": "sink", "reason": "tags end"}]
    seen = {"blocks": [{"inner": [one]} for one in rows], "paths": paths}
    said = protocol().latency_unknown
    assert said(seen) == "from source to sink: tags end"
    assert said(seen | {"paths": paths[:1]}) == ""
    rows[0]["out"] = [{"items": 0}]
    assert said(seen) == "no block moved an item"
    rows[1]["messages"] = 1
    assert said(seen) == "from source to sink: tags end"
    unhooked = dict.fromkeys(("in", "out", "messages"))
    assert said(seen | {"blocks": [{"inner": [it | unhooked]} for it in rows]}) == "from source to sink: tags end"
