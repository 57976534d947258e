"""Test the analysis of traces against the committed events: pairs and hops, through forks, joins and rate changes."""

from __future__ import annotations

from collections import defaultdict
from pathlib import Path
from types import SimpleNamespace

import numpy as np
import pytest
from golden_events import NAMES, Golden, by_ends, rounded
from weir.engine.measuring import results as res
from weir.engine.measuring.ctf_reader import EVENTS, RECORD
from weir.engine.measuring.latency import Boundaries, Window, latency_fields
from weir.engine.measuring.lttng import Outcome
from weir.engine.measuring.recording import Recording
from weir.engine.measuring.trace import Trace, hop_samples, pair_samples
from weir.engine.measuring.weir_protocol import EVENTS as EVENTS_FILE


def trace_of(golden: Golden) -> Trace:
    sides = {"tx": defaultdict(list), "rx": defaultdict(list)}
    for event in golden.events:
        sides[event.kind][golden.index[event.block]].append((event.k, event.time_ns, event.since_ns))
    return Trace(len(golden.events), 0, *({block: Boundaries.of(*zip(*rows)) for block, rows in sides[side].items()}
                                          for side in ("tx", "rx")))


def analysed(golden: Golden):
    expected = res.expected_boundaries(golden.plan, golden.results)
    trace, window = trace_of(golden), Window.of(golden.results)
    return (pair_samples(trace, golden.plan, expected, window),
            hop_samples(trace, golden.plan, res.hop_boundaries(golden.plan, expected), window))


@pytest.mark.parametrize("warm", [0.0, 0.3])
@pytest.mark.parametrize("name", NAMES)
def test_percentiles_are_those_of_the_definition_and_of_the_window(name, warm):
    golden = Golden(name, warm)
    counts = [p["count"] for p in golden.fields()["latency_pairs"].values()]
    assert warm == 0 or 0 < sum(counts) < sum(p["count"] for p in Golden(name).fields()["latency_pairs"].values())
    assert by_ends(latency_fields(*analysed(golden), golden.deadline_ns)) == rounded(golden.fields())


@pytest.mark.parametrize("name", NAMES)
def test_the_hops_of_every_way_add_up_to_its_latency_boundary_by_boundary(name):
    golden = Golden(name)
    pairs, hops = analysed(golden)
    assert [[hop.src, hop.dst] for hop in hops] == golden.document["hops"]
    by_hop = {(hop.src, hop.dst): dict(zip(hop.k.tolist(), (hop.waiting_ns + hop.work_ns).tolist())) for hop in hops}
    for way in golden.document["paths"]:
        pair = next(p for p in pairs if (p.source, p.sink) == (way[0], way[-1]))
        total = np.array([sum(by_hop[step][k] for step in zip(way, way[1:])) for k in pair.k.tolist()])
        assert total.tolist() == pair.latency_ns.tolist()
        assert len(total) > 30


@pytest.mark.parametrize("missing, discarded, codes", [
    (0, 0, []), (1, 0, ["E_TRACE_EVENTS"]), (1, 1, ["E_DISCARDED"])])
def test_events_that_were_written_and_are_not_in_the_trace(tmp_path, monkeypatch, missing, discarded, codes):
    golden = Golden("join")
    recording = Recording(golden.plan, "off", "id", tmp_path, 1.0)
    recording.backend = "lttng"
    recording._session = SimpleNamespace(outcome=Outcome(discarded, ""))
    monkeypatch.setattr("weir.engine.measuring.recording.read_trace", lambda path: trace_of(golden))
    results = {**golden.results, "trace": {"events": len(golden.events) + missing}, "elapsed_s": 0.01}
    recording.add_to(results)
    assert [r["code"] for r in results["reasons"]] == codes and (results["status"] == "ok") == (not codes)
    assert results["trace"]["events"] == len(golden.events)
    assert results["trace"]["cost"] == pytest.approx(len(golden.events) * 100e-9 / 0.01)
    assert by_ends(results) == rounded(golden.fields())


def recorded_in_memory(golden: Golden, folder: Path, spoilt: bytes = b"") -> dict:
    (folder / EVENTS_FILE).write_bytes(b"".join(
        RECORD.pack(e.time_ns, e.k, e.since_ns, golden.index[e.block], 7, -1, EVENTS.index(e.kind))
        for e in golden.events) + spoilt)
    recording = Recording(golden.plan, "memory", "id", folder, 1.0)
    results = {**golden.results, "trace": {"events": len(golden.events), "discarded": 0}, "elapsed_s": 0.01,
               "latency": None}
    recording.add_to(results)
    recording.remove_events()
    return results


@pytest.mark.parametrize("name", NAMES)
def test_what_a_program_recorded_in_memory_is_analysed_as_a_trace_is(tmp_path, name):
    golden = Golden(name, 0.3)
    results = recorded_in_memory(golden, tmp_path)
    assert by_ends(results) == rounded(golden.fields()) and results["trace"]["events"] == len(golden.events)
    assert not any(tmp_path.iterdir())


@pytest.mark.parametrize("spoilt, codes, said", [
    (bytes(3), ["E_TRACE_UNREADABLE"], "events.bin ends within an event"),
    (RECORD.pack(1, 1, 0, 999, 7, -1, 0), ["E_TRACE_EVENTS", "E_TRACE_BLOCK"], "the program wrote")])
def test_a_recording_that_is_not_what_was_written_makes_the_run_invalid(tmp_path, spoilt, codes, said):
    results = recorded_in_memory(Golden("join"), tmp_path, spoilt)
    assert results["status"] == "invalid" and [r["code"] for r in results["reasons"]] == codes
    assert results["reasons"][0]["message"].startswith(said)
    assert (tmp_path / EVENTS_FILE).exists() == (results["latency"] is None)


@pytest.mark.parametrize("events, latency, codes", [
    (5, None, ["E_TRACE_UNREADABLE"]), (5, {"count": 2}, []), (None, None, [])])
def test_a_recording_is_missed_where_there_was_one_and_nobody_measured_the_latency(tmp_path, events, latency, codes):
    golden = Golden("join")
    results = {**golden.results, "trace": {"events": events, "discarded": 0}, "elapsed_s": 0.01, "latency": latency}
    assert Recording(golden.plan, "memory", "id", tmp_path, 1.0).add_to(results) == []
    assert results["latency"] == latency and [r["code"] for r in results["reasons"]] == codes


def test_a_boundary_that_is_lost_in_a_hop_makes_the_run_invalid():
    golden = Golden("fork")
    pairs, hops = analysed(golden)
    results = golden.results
    res.add_latency(results, pairs, hops)
    assert results["status"] == "invalid" and [r["code"] for r in results["reasons"]] == ["E_LOST"]
    assert "right_sink" in results["reasons"][0]["message"]


def test_a_hop_that_ends_before_it_starts_makes_the_run_invalid():
    golden = Golden("join")
    for i, event in enumerate(golden.events):
        if (event.kind, event.block, event.k) == ("rx", "sum", 9):
            golden.events[i] = type(event)("rx", "sum", 9, event.time_ns, event.since_ns - 10**9)
    results = golden.results
    res.add_latency(results, *analysed(golden))
    assert results["status"] == "invalid" and "E_NEGATIVE_LATENCY" in [r["code"] for r in results["reasons"]]
