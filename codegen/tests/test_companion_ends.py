"""Ends of runs and paced sources of programs of GNU Radio Companion: templates/companion."""

from __future__ import annotations

import struct
from pathlib import Path

import pytest
from companion_world import ENDLESS, inner, items, library, ran, why_not, written
from test_companion_results import protocol

pytestmark = pytest.mark.skipif(bool(why_not()), reason=why_not() or "GNU Radio is here")

#: Two sources that meet, one of them four times as fast, and another that ends later.
MEETING = """
self.fast = analog.noise_source_f(analog.GR_GAUSSIAN, 1.0, 1)
self.slow = blocks.null_source(4)
self.fewer = blocks.integrate_ff(4)
self.sum = blocks.add_ff(1)
self.sink = blocks.null_sink(4)
self.connect(self.fast, self.fewer, (self.sum, 0))
self.connect(self.slow, (self.sum, 1))
self.connect(self.sum, self.sink)
self.late, self.pace, self.end = blocks.null_source(4), blocks.throttle(4, 200e3), blocks.null_sink(4)
self.connect(self.late, self.pace, self.end)
"""
#: A source that GNU Radio calls for 600 items or more, in steps of 300.
STEPS = """
class Steps(gr.sync_block):
    def __init__(self):
        gr.sync_block.__init__(self, 'steps', None, [numpy.float32])
        self.set_output_multiple(300)
        self.set_min_noutput_items(400)
    def work(self, input_items, output_items):
        made = len(output_items[0])
        assert made % 300 == 0 and made >= 400, made
        return made
"""


@pytest.fixture(scope="module")
def probes() -> Path:
    return library()


def test_all_sources_end_in_proportion_to_their_rates(tmp_path: Path, probes: Path) -> None:
    results = ran(written(tmp_path, "meeting", MEETING), tmp_path / "out", probes, "--items", "40000")
    rows = inner(results)
    assert [items(rows[name], "out") for name in ("fast", "slow", "late")] == [[40000], [10000], [40000]]
    assert items(rows["sink"], "in") == [10000] and results["ended_by"] == "items" and results["drained"]


def test_a_paced_source_emits_what_is_due_and_its_events_say_when_that_was(tmp_path: Path, probes: Path) -> None:
    program = written(tmp_path, "paced", ENDLESS.replace("100e3", "1e9") + """
self.steps, self.end = Steps(), blocks.null_sink(4)
self.connect(self.steps, self.end)
""", STEPS)
    results = ran(program, tmp_path / "out", probes, "--items", "20000", "--pace", "src=50000", "--pace",
                  "steps=50000", "--pace-s", "0.002", mapping={"probe_granularity": 1000})
    row = inner(results)["src"]
    assert items(row, "out") == [20000] and results["pace"] == {"src": 50000, "steps": 50000}
    assert results["elapsed_s"] >= 0.4 and row["calls"] <= 20000 / (50000 * 0.002)
    assert items(inner(results)["steps"], "out")[0] in (20100, 20400)
    record = struct.Struct("=qQqIihB5x")
    sent = [(time, due) for time, _, due, number, _, _, event in record.iter_unpack(
        (tmp_path / "out" / "events.bin").read_bytes()) if (event, number) == (0, row["number"])]
    assert [after - before for (_, before), (_, after) in zip(sent, sent[1:])] == pytest.approx([20e6] * 19, abs=2)
    assert len(sent) == 20 and all(time >= due for time, due in sent)
    slow = ran(program, tmp_path / "out", probes, "--seconds", "0.3", "--pace", "src=0.01", "--pace", "steps=0.01")
    assert items(inner(slow)["src"], "out") == [0] and slow["drained"]  # its first item would be due after 100 s


def test_what_fills_the_buffers_at_the_start_is_no_throughput(tmp_path: Path, probes: Path) -> None:
    results = ran(written(tmp_path, "filled", ENDLESS), tmp_path / "out", probes, "--seconds", "0.3",
                  mapping={"blocks": {"src": {"min_output_buffer": 65536}}})
    rows, begin = inner(results), results["window"]["counts"]
    made, paced = items(begin["src"], "out")[0], items(begin["sink"], "in")[0]
    assert 0 < paced < made - 30000 and results["begin_ns"] < results["window"]["begin_ns"]
    # The throttle passes these items in the window; the source makes fewer by what the buffer held.
    blocks = {one["name"]: one["inner"] for one in results["blocks"]}
    passed = [protocol().passed(blocks, results, ["src"], counts) for counts in ({}, begin)]
    assert passed[0] == pytest.approx(items(rows["sink"], "in")[0]) and passed[1] < made - 30000


def test_only_a_source_can_be_paced(tmp_path: Path, probes: Path) -> None:
    program = written(tmp_path, "endless", ENDLESS)
    assert "--pace pace: only a source of a stream can be paced" in ran(
        program, tmp_path / "out", probes, "--pace", "pace=1", "--seconds", "0.1", code=2)
    for words, said in ((["--pace", "scr=1"], "--pace: the flowgraph has no block scr; did you mean src?"),
                        (["--out", str(tmp_path / "absent")], "absent: there is no such folder")):
        assert said in ran(program, tmp_path / "out", probes, *words, "--seconds", "0.1", code=2)
