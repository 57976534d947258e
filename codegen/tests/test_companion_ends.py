"""Ends of runs and paced sources of programs of GNU Radio Companion: templates/companion."""

from __future__ import annotations

import struct
from pathlib import Path

import pytest
from companion_world import ENDLESS, inner, items, library, ran, why_not, written

pytestmark = pytest.mark.skipif(bool(why_not()), reason=why_not() or "GNU Radio is here")

#: Two sources that meet, one of them four times as fast.
MEETING = """
self.fast = analog.noise_source_f(analog.GR_GAUSSIAN, 1.0, 1)
self.slow = blocks.null_source(4)
self.fewer = blocks.integrate_ff(4)
self.sum = blocks.add_ff(1)
self.sink = blocks.null_sink(4)
self.connect(self.fast, self.fewer, (self.sum, 0))
self.connect(self.slow, (self.sum, 1))
self.connect(self.sum, self.sink)
"""


@pytest.fixture(scope="module")
def probes() -> Path:
    return library()


def test_all_sources_end_in_proportion_to_their_rates(tmp_path: Path, probes: Path) -> None:
    results = ran(written(tmp_path, "meeting", MEETING), tmp_path / "out", probes, "--items", "40000")
    rows = inner(results)
    assert (items(rows["fast"], "out"), items(rows["slow"], "out")) == ([40000], [10000])
    assert items(rows["sink"], "in") == [10000] and results["ended_by"] == "items" and results["drained"]


def test_a_paced_source_emits_what_is_due_and_its_events_say_when_that_was(tmp_path: Path, probes: Path) -> None:
    program = written(tmp_path, "paced", ENDLESS.replace("100e3", "1e9"))
    results = ran(program, tmp_path / "out", probes, "--items", "20000", "--pace", "src=50000", "--pace-s", "0.002",
                  mapping={"probe_granularity": 1000})
    row = inner(results)["src"]
    assert items(row, "out") == [20000] and results["pace"] == {"src": 50000}
    assert results["elapsed_s"] >= 0.4
    record = struct.Struct("=qQqIihB5x")
    sent = [(time, due) for time, _, due, number, _, _, event in record.iter_unpack(
        (tmp_path / "out" / "events.bin").read_bytes()) if (event, number) == (0, row["number"])]
    assert [after - before for (_, before), (_, after) in zip(sent, sent[1:])] == pytest.approx([20e6] * 19, abs=2)
    assert len(sent) == 20 and all(time >= due for time, due in sent)


def test_only_a_source_can_be_paced(tmp_path: Path, probes: Path) -> None:
    program = written(tmp_path, "endless", ENDLESS)
    assert "--pace pace: only a source of a stream can be paced" in ran(
        program, tmp_path / "out", probes, "--pace", "pace=1", "--seconds", "0.1", code=2)
    assert "--pace: the flowgraph has no block scr; did you mean src?" in ran(
        program, tmp_path / "out", probes, "--pace", "scr=1", "--seconds", "0.1", code=2)
