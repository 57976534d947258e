"""Programs of GNU Radio Companion run with mapping and probes: templates/companion."""

from __future__ import annotations

import json
import os
import shutil
import signal
import struct
import subprocess
from pathlib import Path
from typing import Any

import pytest
from companion_world import ENDLESS, command, compiled, inner, items, library, ran, why_not, written
from weir import ROOT

pytestmark = pytest.mark.skipif(bool(why_not()), reason=why_not() or "GNU Radio is here")

PYTHON_BLOCK = """import numpy as np
from gnuradio import gr
class blk(gr.sync_block):
    def __init__(self, gain=2.0):
        gr.sync_block.__init__(self, name='py', in_sig=[np.float32], out_sig=[np.float32])
        self.gain = gain
    def work(self, input_items, output_items):
        output_items[0][:] = input_items[0] * self.gain
        return len(output_items[0])
"""
PACKETS = 2000
LENGTH = '"packet_len"'
TAGGED: dict[str, tuple[str, dict[str, object]]] = {
    "src": ("blocks_vector_source_x", {"type": "byte", "tags": "[]", "repeat": True, "vector": "list(range(60))"}),
    "head": ("blocks_head", {"type": "byte", "num_items": f"60*{PACKETS}"}),
    "tag": ("blocks_stream_to_tagged_stream", {"type": "byte", "vlen": 1, "packet_len": 60, "len_tag_key": LENGTH}),
    "crc": ("digital_crc32_bb", {"check": False, "lengthtagname": LENGTH, "packed": True}),
    "bits": ("blocks_repack_bits_bb", {"k": 8, "l": 1, "len_tag_key": LENGTH, "align_output": False,
                                       "endianness": "gr.GR_MSB_FIRST"}),
    "sym": ("digital_chunks_to_symbols_xx", {"in_type": "byte", "out_type": "float", "symbol_table": "[-1,1]",
                                             "dimension": 1}),
    "py": ("epy_block", {"_source_code": PYTHON_BLOCK, "gain": 2.0}),
    "slicer": ("digital_binary_slicer_fb", {}),
    "pack": ("blocks_repack_bits_bb", {"k": 1, "l": 8, "len_tag_key": LENGTH, "align_output": True,
                                       "endianness": "gr.GR_MSB_FIRST"}),
    "check": ("digital_crc32_bb", {"check": True, "lengthtagname": LENGTH, "packed": True}),
    "topdu": ("pdu_tagged_stream_to_pdu", {"type": "byte", "tag": LENGTH}),
    "store": ("blocks_message_debug", {"en_uvec": False}),
    "null": ("blocks_null_sink", {"type": "byte"}),
}
MIXED: dict[str, tuple[str, dict[str, object]]] = {
    "src": ("analog_sig_source_x", {"type": "complex", "samp_rate": 1000, "freq": 10,
                                    "waveform": "analog.GR_COS_WAVE"}),
    "channel": ("channels_channel_model", {"noise_voltage": 0.0, "freq_offset": 0.0, "epsilon": 1.0, "taps": "[1.0]",
                                           "seed": 0, "block_tags": False}),
    "resampler": ("pfb_arb_resampler_xxx", {"type": "ccf", "rrate": 0.5, "taps": "", "nfilts": 32, "atten": 100,
                                            "samp_delay": 0}),
    "demux": ("blocks_stream_demux", {"type": "complex", "lengths": "(3, 5)", "num_outputs": 2}),
    "first": ("blocks_null_sink", {"type": "complex"}),
    "second": ("blocks_null_sink", {"type": "complex"}),
    "narrow": ("blocks_keep_m_in_n", {"type": "complex", "m": 1, "n": 4, "offset": 0}),
    "third": ("blocks_null_sink", {"type": "complex"}),
    "vectors": ("blocks_stream_to_vector", {"type": "complex", "num_items": 16}),
    "spectrum": ("fft_vxx", {"type": "complex", "fft_size": 16, "forward": True, "window": "[]", "shift": False,
                             "nthreads": 1}),
    "fourth": ("blocks_null_sink", {"type": "complex", "vlen": 16}),
}


@pytest.fixture(scope="module")
def probes() -> Path:
    return library()


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("companion")


@pytest.fixture(scope="module")
def tagged(folder: Path) -> Path:
    return compiled(folder, "tagged", TAGGED, ["src head tag crc bits sym py slicer pack check null", "check topdu"],
                    ["topdu pdus store store"])


@pytest.fixture(scope="module")
def mixed(folder: Path) -> Path:
    return compiled(folder, "mixed", MIXED, [
        "src channel resampler demux first", "demux:1 second", "src narrow third", "src vectors spectrum fourth"])


@pytest.fixture(scope="module")
def tagged_run(tagged: Path, folder: Path, probes: Path) -> Any:
    return ran(tagged, folder / "tagged_run", probes, mapping={"probe_granularity": 4096})


@pytest.fixture(scope="module")
def mixed_run(mixed: Path, folder: Path, probes: Path) -> Any:
    return ran(mixed, folder / "mixed_run", probes, "--items", "2000000", "--metrics", "profile", mapping={
        "blocks": {"src": {"max_output_buffer": 8192}, "channel": {"affinity": [0], "max_noutput_items": 512},
                   "resampler": {"affinity": [0], "min_output_buffer": 5000}}})


def equal_counts(results: Any) -> None:
    for name, row in inner(results).items():
        assert items(row, "out") == row["nitems_written"], name
        assert items(row, "in") == row["nitems_read"], name
        assert row["calls"] > 0 or row["messages"] > 0, name


def test_a_packet_flowgraph_delivers_all_packets_with_probes(tagged_run: Any) -> None:
    rows = inner(tagged_run)
    assert rows["store"]["messages"] == PACKETS
    assert items(rows["null"], "in") == [60 * PACKETS] == items(rows["topdu"], "in")
    assert tagged_run["ended_by"] == "itself" and tagged_run["status"] == "ok"


def test_the_same_flowgraph_delivers_all_packets_without_probes(tagged: Path, folder: Path, probes: Path,
                                                                tagged_run: Any) -> None:
    bare = ran(tagged, folder / "bare", probes, "--metrics", "none")
    assert inner(bare)["topdu"]["nitems_read"] == [60 * PACKETS]
    assert inner(bare)["topdu"]["calls"] is None and bare["paths"] == []
    after_the_head = inner(bare).keys() - {"src"}
    assert all(inner(bare)[name]["nitems_written"] == inner(tagged_run)[name]["nitems_written"]
               for name in after_the_head)


def test_counts_equal_those_of_gnu_radio_for_packets_and_a_block_in_python(tagged_run: Any) -> None:
    equal_counts(tagged_run)
    assert inner(tagged_run)["py"]["class"] == "block_gateway"


def test_counts_equal_those_of_gnu_radio_for_a_block_that_calls_produce_and_for_hierarchical_ones(
        mixed_run: Any) -> None:
    equal_counts(mixed_run)
    first, second = items(inner(mixed_run)["demux"], "out")
    assert 0 < first < second and abs(second - first * 5 / 3) < 5
    names = {block["name"]: [row["name"] for row in block["inner"]] for block in mixed_run["blocks"]}
    assert len(names["channel"]) > 1 and all(name.startswith("channel/") for name in names["channel"])
    assert [name.partition("/")[0] for name in names["resampler"]] == ["resampler"]  # its only block has no edge within


def test_tags_and_metadata_carry_the_latency_of_packets(tagged_run: Any) -> None:
    paths = {path["sink"]: path for path in tagged_run["paths"]}
    for sink in ("null", "topdu", "store"):
        path = paths[sink]
        assert path["how"] == "tags" and path["source_granularity"] == 4096
        assert path["received"] == 60 * PACKETS // 4096 == path["latency"]["boundaries"]
        assert 0 < path["latency"]["min_us"] <= path["latency"]["p50_us"] <= path["latency"]["max_us"] < 60e6
    assert paths["store"]["latency"]["p50_us"] > paths["topdu"]["latency"]["p50_us"] * 0.9


def test_the_block_that_drops_the_tags_is_named(mixed_run: Any) -> None:
    paths = {path["sink"]: path for path in mixed_run["paths"]}
    assert paths["third"]["how"] == "tags" and paths["third"]["received"] > 0
    assert paths["second"]["received"] == 0  # the demultiplexer gives all tags to its first output
    assert paths["second"]["reason"] == "latency not measurable: block demux drops tags"


def test_fixed_rates_have_their_latency_by_counts(mixed_run: Any) -> None:
    path = next(path for path in mixed_run["paths"] if path["sink"] == "fourth")
    assert (path["how"], path["source_granularity"], path["sink_granularity"]) == ("counts", 32768, 2048)
    assert path["sent"] == 2_000_000 // 32768 == path["received"] == path["latency"]["boundaries"]
    assert 0 < path["latency"]["min_us"] <= path["latency"]["max_us"] < mixed_run["elapsed_s"] * 1e6


def test_a_source_ends_after_exactly_the_items(mixed_run: Any) -> None:
    assert items(inner(mixed_run)["src"], "out") == [2_000_000]
    assert items(inner(mixed_run)["fourth"], "in") == [125_000]
    assert mixed_run["ended_by"] == "items" and mixed_run["drained"]


def test_settings_reach_the_inner_blocks_and_are_read_back(mixed_run: Any) -> None:
    rows = inner(mixed_run)
    for name, row in rows.items():
        if name.startswith(("channel/", "resampler/")):
            assert row["granted"]["affinity"] == [0] == row["requested"]["affinity"]
            assert row["granted"]["policy"] == "other" and row["granted"]["priority"] == 0
        if name.startswith("channel/"):
            assert row["granted"]["max_noutput_items"] == 512
        if name.startswith("resampler/"):
            assert row["granted"]["min_output_buffer"] == [5000] and row["granted"]["output_buffers"][0] >= 5000
    assert rows["src"]["granted"]["max_output_buffer"] == [8192] and rows["src"]["granted"]["output_buffers"] == [8192]
    assert rows["first"]["granted"]["affinity"] == sorted(os.sched_getaffinity(0))


def test_a_profile_has_work_time_and_fill(mixed_run: Any) -> None:
    for row in inner(mixed_run).values():
        assert 0 < row["work_s"] < mixed_run["elapsed_s"]
        assert all(0 < port["fill_mean"] <= port["fill_max"] <= 1 for port in row["in"])
        assert mixed_run["begin_ns"] < row["first_ns"] <= row["last_ns"] < mixed_run["end_ns"]


def started(program: Path, out: Path, probes: Path, *options: str, mapping: object = None) -> subprocess.Popen[str]:
    """Start a run, and return once its flowgraph runs."""
    process = subprocess.Popen(command(program, out, probes, "--progress", "json", *options, mapping=mapping),
                               text=True, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    assert process.stdout is not None
    report = json.loads(process.stdout.readline())
    assert report["phase"] == "run" and report["total"] is None
    return process


def test_sigint_keeps_what_was_measured_and_threads_have_the_cpus_that_proc_shows(tmp_path: Path,
                                                                                  probes: Path) -> None:
    process = started(written(tmp_path, "endless", ENDLESS), tmp_path / "out", probes,
                      mapping={"blocks": {"pace": {"affinity": [0]}}})
    seen = {}
    for task in Path(f"/proc/{process.pid}/task").iterdir():
        status = dict(line.partition(":\t")[::2] for line in (task / "status").read_text().splitlines())
        seen[int(task.name)] = status["Cpus_allowed_list"]
    process.send_signal(signal.SIGINT)
    _, errors = process.communicate(timeout=60)
    assert process.returncode == 4 and "a signal ended the run" in errors
    results = json.loads((tmp_path / "out" / "results.json").read_text())
    assert results["status"] == "partial" and results["ended_by"] == "signal"
    rows = inner(results)
    assert items(rows["sink"], "in")[0] > 0 and items(rows["pace"], "out") == rows["pace"]["nitems_written"]
    assert seen[rows["pace"]["thread"]] == "0" and rows["pace"]["granted"]["affinity"] == [0]


def test_seconds_end_the_sources_and_the_rest_drains(tmp_path: Path, probes: Path) -> None:
    results = ran(written(tmp_path, "endless", ENDLESS), tmp_path / "out", probes, "--seconds", "0.5")
    rows = inner(results)
    assert results["ended_by"] == "seconds" and results["drained"]
    assert items(rows["src"], "out") == items(rows["pace"], "out") == items(rows["sink"], "in")


def test_a_thread_has_the_priority_that_was_asked_or_the_reason_why_not(tmp_path: Path, probes: Path) -> None:
    results = ran(written(tmp_path, "endless", ENDLESS), tmp_path / "out", probes, "--seconds", "0.2",
                  mapping={"blocks": {"pace": {"priority": 3}, "sink": {"affinity": [0, 1023]}}})
    row = inner(results)["pace"]
    assert "block sink may use the CPUs " in " ".join(reason["message"] for reason in results["reasons"])
    assert results["status"] == "ok"
    assert row["requested"]["priority"] == 3
    granted = row["granted"]
    assert (granted["policy"], granted["priority"], granted["priority_error"]) in {
        ("fifo", 3, None), ("other", 0, "Operation not permitted")}


@pytest.mark.skipif(shutil.which("lttng") is None, reason="lttng is not installed")
def test_a_session_of_lttng_records_both_ends(tmp_path: Path, probes: Path) -> None:
    program = written(tmp_path, "endless", ENDLESS.replace("100e3", "2e6"))
    out = tmp_path / "out"
    done = subprocess.run([ROOT / "docs" / "tracepoints" / "record.sh", out, *command(
        program, out, probes, "--trace", "lttng", "--items", "400000", "--timeout-s", "60",
        mapping={"probe_granularity": 1000})], capture_output=True, text=True, timeout=120, check=False)
    assert done.returncode in (0, 1), done.stderr  # the script ends with a grep
    results = json.loads((out / "results.json").read_text())
    assert (results["trace"]["backend"], results["trace"]["events"]) == ("lttng", 800)
    (path,) = results["paths"]
    read = subprocess.run(["/usr/bin/python3", ROOT / "codegen/weir/engine/measuring/ctf_reader.py", out / "trace"],
                          capture_output=True, check=True)
    threads = {row["thread"] for row in inner(results).values()}  # the session records other programs, too
    events = [(record[6], record[3], record[1]) for record in struct.iter_unpack("=qQqIihB5x", read.stdout)
              if record[4] in threads]
    assert sorted(events) == [(0, path["tx"], k) for k in range(1, 401)] + [(1, path["rx"], k) for k in range(1, 401)]


CHANGES = """
class Changing(gr.top_block):
    def start(self, *most):
        gr.top_block.start(self, *most)
        self.lock()
        self.extra = blocks.throttle(4, 1e6)
        self.disconnect(self.pace, self.sink)
        self.connect(self.pace, self.extra, self.sink)
        self.unlock()
"""


def test_a_flowgraph_may_change_while_it_runs(tmp_path: Path, probes: Path) -> None:
    program = written(tmp_path, "changes", ENDLESS, CHANGES)
    program.write_text(program.read_text().replace("class changes(gr.top_block)", "class changes(Changing)"))
    results = ran(program, tmp_path / "out", probes, "--seconds", "0.5")
    assert [note for note in results["notes"] if note.startswith("block throttle")]
    assert results["ended_by"] == "seconds"  # the new block is of a hooked class, and works


def test_a_pdu_that_a_block_makes_gets_its_identity_where_it_first_arrives(tmp_path: Path, probes: Path) -> None:
    program = written(tmp_path, "pdus", """
self.strobe = blocks.message_strobe(pmt.intern('one more'), 20)
self.random = pdu.random_pdu(4, 8)
self.change = pdu.pdu_set(pmt.intern('seen'), pmt.PMT_T)
self.bytes = pdu.pdu_to_tagged_stream(gr.types.byte_t, 'length')
self.sink = blocks.null_sink(1)
self.msg_connect((self.strobe, 'strobe'), (self.random, 'generate'))
self.msg_connect((self.random, 'pdus'), (self.change, 'pdus'))
self.msg_connect((self.change, 'pdus'), (self.bytes, 'pdus'))
self.connect(self.bytes, self.sink)
""", "import pmt\nfrom gnuradio import pdu")
    results = ran(program, tmp_path / "out", probes, "--seconds", "0.5",
                  mapping={"blocks": {"strobe": {"affinity": [0]}}})
    assert inner(results)["strobe"]["granted"]["affinity"] == [0]  # though it is never called
    (path,) = [path for path in results["paths"] if path["how"] == "pdus"]
    assert (path["source"], path["sink"]) == ("change", "sink")  # through the metadata, then a tag
    assert path["sent"] >= path["received"] >= 5 and 0 < path["latency"]["min_us"] < 1e6
    untouched = ran(program, tmp_path / "out", probes, "--seconds", "0.2", mapping={"identities": False})
    assert {path["how"] for path in untouched["paths"]} == {"counts"}
