"""Programs of GNU Radio Companion run with mapping and probes: templates/companion."""

from __future__ import annotations

import json
import os
import shutil
import struct
import subprocess
from pathlib import Path
from typing import Any

import pytest
from companion_world import (
    ENDLESS,
    command,
    compiled,
    equal_counts,
    inner,
    items,
    library,
    ran,
    why_not,
    written,
)
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
#: Keeps what arrives. It writes all of it beside the program when it stops.
KEEPING_BLOCK = """import json
from pathlib import Path
import numpy as np
import pmt
from gnuradio import gr
class blk(gr.sync_block):
    def __init__(self, file='kept.json'):
        gr.sync_block.__init__(self, name='keep', in_sig=[np.uint8], out_sig=None)
        self.file = file
        self.data, self.tags, self.pdus = bytearray(), [], []
        self.message_port_register_in(pmt.intern('pdus'))
        self.set_msg_handler(pmt.intern('pdus'), self.handle)
    def work(self, input_items, output_items):
        self.data += input_items[0].tobytes()
        self.tags += [[t.offset, str(t.key), str(t.value)] for t in self.get_tags_in_window(0, 0, len(input_items[0]))]
        return len(input_items[0])
    def handle(self, pdu):
        self.pdus.append(bytes(pmt.u8vector_elements(pmt.cdr(pdu))).hex())
    def stop(self):
        Path(__file__).with_name(self.file).write_text(json.dumps([self.data.hex(), self.tags, self.pdus]))
        return True
"""
PACKETS = 2000
LENGTH = '"packet_len"'
TAGGED: dict[str, tuple[str, dict[str, object]]] = {
    "imported": ("import", {"imports": "import pmt"}),
    "src": ("blocks_vector_source_x", {
        "type": "byte", "repeat": True, "vector": f"[(7*i + i//60) % 256 for i in range(60*{PACKETS})]",
        "tags": "[gr.python_to_tag((100, pmt.intern('weir.4'), pmt.PMT_T, pmt.PMT_F))]"}),  # the key of its marks
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
    "early": ("epy_block", {"_source_code": KEEPING_BLOCK, "file": "'early.json'"}),
    "late": ("epy_block", {"_source_code": KEEPING_BLOCK, "file": "'late.json'"}),
    # Without a stream, whose end GNU Radio would not wait with until all messages were handled.
    "pdus": ("epy_block", {"_source_code": KEEPING_BLOCK.replace("[np.uint8]", "None"), "file": "'pdus.json'"}),
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
    "twice": ("blocks_add_xx", {"type": "complex", "num_inputs": 2}),  # each tag comes on both inputs
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
    return compiled(folder, "tagged", TAGGED, ["src head tag crc bits sym py slicer pack check null", "check topdu",
                                               "head early", "check late"],
                    ["topdu pdus store store", "topdu pdus pdus pdus"])


@pytest.fixture(scope="module")
def mixed(folder: Path) -> Path:
    return compiled(folder, "mixed", MIXED, [
        "src channel resampler demux first", "demux:1 second",
        "src narrow twice third", "narrow twice@1", "src vectors spectrum fourth"])


@pytest.fixture(scope="module")
def both(tagged: Path, folder: Path, probes: Path) -> Any:
    """Return results, and what the keeping blocks kept, with probes and without."""
    found = []
    for options in ((), ("--metrics", "none")):
        results = ran(tagged, folder / "tagged_run", probes, *options, mapping={"probe_granularity": 4096})
        kept = [folder / f"{name}.json" for name in ("early", "late", "pdus")]
        found.append((results, *(json.loads(file.read_text()) for file in kept)))
        for file in kept:
            file.unlink()
    return found


@pytest.fixture(scope="module")
def tagged_run(both: Any) -> Any:
    return both[0][0]


@pytest.fixture(scope="module")
def mixed_run(mixed: Path, folder: Path, probes: Path) -> Any:
    return ran(mixed, folder / "mixed_run", probes, "--items", "2000000", "--metrics", "profile", mapping={
        "blocks": {"src": {"max_output_buffer": 8192}, "channel": {"affinity": [0], "max_noutput_items": 512},
                   "resampler": {"affinity": [0], "min_output_buffer": 5000}}})


def test_a_packet_flowgraph_delivers_all_packets_with_probes_and_without(both: Any) -> None:
    sent = bytes((7 * i + i // 60) % 256 for i in range(60 * PACKETS))
    for results, (early, tags, _), (late, *_), (*_, pdus) in both:
        assert bytes.fromhex(early) == sent == bytes.fromhex(late) == bytes.fromhex("".join(pdus))
        assert len(pdus) == PACKETS and {len(pdu) for pdu in pdus} == {2 * 60}
        assert inner(results)["src"]["number"] == 4
        marks = [offset for offset, key, _ in tags if key == "weir.4"]
        # The flowgraph's own tag, and the last item before each boundary.
        assert marks == [100] + ([4096 * k - 1 for k in range(1, len(sent) // 4096 + 1)] if results["paths"] else [])
        assert results["ended_by"] == "itself" and results["status"] == "ok"


def test_without_probes_only_gnu_radio_counts(both: Any) -> None:
    (seen, *_), (bare, *_) = both
    assert inner(seen)["store"]["messages"] == PACKETS and bare["paths"] == []
    assert items(inner(seen)["null"], "in") == [60 * PACKETS] == inner(bare)["null"]["nitems_read"]
    assert inner(bare)["topdu"]["calls"] is None
    assert all(inner(bare)[name]["nitems_written"] == inner(seen)[name]["nitems_written"]
               for name in inner(bare).keys() - {"src"})  # a source may run ahead of the head


def test_counts_equal_those_of_gnu_radio_for_packets_and_a_block_in_python(tagged_run: Any) -> None:
    equal_counts(tagged_run)
    assert all(row["calls"] > 0 or row["messages"] > 0 for row in inner(tagged_run).values())
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
    assert paths["third"]["how"] == "tags" and 0 < paths["third"]["received"] <= paths["third"]["sent"]
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
        assert 0 < row["work_s"] < mixed_run["elapsed_s"] and 0 < row["cpu_s"] < mixed_run["elapsed_s"]
        assert all(0 < port["fill_mean"] <= port["fill_max"] <= 1 for port in row["in"])
        assert mixed_run["begin_ns"] < row["first_ns"] < row["last_ns"] < mixed_run["end_ns"]


TALKS = """
import pmt
class Talks(gr.sync_block):
    def __init__(self):
        gr.sync_block.__init__(self, 'talks', [numpy.float32], None)
        self.message_port_register_out(pmt.intern('out'))
        self.left = 17
    def work(self, input_items, output_items):
        while self.left:
            self.left -= 1
            self.message_port_pub(pmt.intern('out'), pmt.PMT_T)
        return len(input_items[0])
class Hears(gr.basic_block):
    def __init__(self):
        gr.basic_block.__init__(self, 'hears', None, None)
        self.message_port_register_in(pmt.intern('in'))
        self.message_port_register_out(pmt.intern('out'))
        self.set_msg_handler(pmt.intern('in'), self.handle)
    def handle(self, message):
        time.sleep(0.1)
        self.message_port_pub(pmt.intern('out'), message)
"""


def test_seconds_end_the_sources_and_the_rest_drains_with_the_rights_that_linux_grants(tmp_path: Path,
                                                                                       probes: Path) -> None:
    program = written(tmp_path, "endless", ENDLESS + """
self.talks, self.hears, self.store = Talks(), Hears(), blocks.message_debug(False)
self.connect(self.pace, self.talks)
self.msg_connect((self.talks, 'out'), (self.hears, 'in'))
self.msg_connect((self.hears, 'out'), (self.store, 'store'))
""", TALKS)
    results = ran(program, tmp_path / "out", probes, "--seconds", "0.1", mapping={
        "blocks": {"pace": {"priority": 3}, "src": {"priority": 100}, "sink": {"affinity": [0, 1023]},
                   "talks": {"affinity": [1023]}}})
    rows = inner(results)
    assert results["ended_by"] == "seconds" and results["drained"]
    assert items(rows["src"], "out") == items(rows["pace"], "out") == items(rows["sink"], "in")
    # Which takes longer than an idle flowgraph is given.
    assert rows["hears"]["messages"] == rows["store"]["messages"] == 17
    said = " ".join(reason["message"] for reason in results["reasons"])
    assert "block sink may use the CPUs " in said and "block talks may use the CPUs " in said
    assert "block src did not get the priority 100: Invalid argument" in said
    assert results["status"] == "ok"
    assert rows["pace"]["requested"]["priority"] == 3
    granted = rows["pace"]["granted"]
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
    records = list(struct.iter_unpack("=qQqIihB5x", read.stdout))
    assert {record[4] for record in records} <= {row["thread"] for row in inner(results).values()}
    assert all(0 < record[2] <= record[0] for record in records if record[6] == 1)  # the entry of the call
    events = [(record[6], record[3], record[1]) for record in records]
    assert sorted(events) == [(0, path["tx"], k) for k in range(1, 401)] + [(1, path["rx"], k) for k in range(1, 401)]


WHOLE = """
import pmt
from gnuradio import pdu
class Whole(gr.basic_block):
    def __init__(self):
        gr.basic_block.__init__(self, 'whole', None, None)
        self.message_port_register_in(pmt.intern('pdus'))
        self.set_msg_handler(pmt.intern('pdus'), self.handle)
    def handle(self, pdu):
        metadata = pmt.car(pdu)
        assert pmt.to_long(pmt.dict_ref(metadata, pmt.intern('mine'), pmt.PMT_NIL)) == 7, metadata
        assert pmt.dict_has_key(metadata, pmt.intern('seen')) and pmt.u8vector_elements(pmt.cdr(pdu)) == [1, 2, 3]
"""


def test_a_pdu_that_a_block_makes_gets_its_identity_where_it_first_arrives(tmp_path: Path, probes: Path) -> None:
    program = written(tmp_path, "pdus", """
self.strobe = blocks.message_strobe(pmt.intern('one more'), 60)
self.random = pdu.random_pdu(4, 8)
self.change = pdu.pdu_set(pmt.intern('seen'), pmt.PMT_T)
self.bytes = pdu.pdu_to_tagged_stream(gr.types.byte_t, 'length')
self.sink = blocks.null_sink(1)
self.msg_connect((self.strobe, 'strobe'), (self.random, 'generate'))
self.msg_connect((self.random, 'pdus'), (self.change, 'pdus'))
self.msg_connect((self.change, 'pdus'), (self.bytes, 'pdus'))
self.connect(self.bytes, self.sink)
mine = pmt.dict_add(pmt.make_dict(), pmt.intern('mine'), pmt.from_long(7))
self.pulse = blocks.message_strobe(pmt.cons(mine, pmt.init_u8vector(3, [1, 2, 3])), 20)
self.note = pdu.pdu_set(pmt.intern('seen'), pmt.PMT_T)
self.again = pdu.pdu_set(pmt.intern('twice'), pmt.PMT_T)
self.whole = Whole()
self.msg_connect((self.pulse, 'strobe'), (self.note, 'pdus'))
self.msg_connect((self.note, 'pdus'), (self.again, 'pdus'))
self.msg_connect((self.again, 'pdus'), (self.whole, 'pdus'))
self.both = blocks.message_debug(False)
self.msg_connect((self.change, 'pdus'), (self.both, 'store'))
self.msg_connect((self.again, 'pdus'), (self.both, 'store'))
""", WHOLE)
    results = ran(program, tmp_path / "out", probes, "--seconds", "0.5",
                  mapping={"blocks": {"strobe": {"affinity": [0]}}})
    assert inner(results)["strobe"]["granted"]["affinity"] == [0]  # though it is never called
    assert results["drained"]  # though the strobes never end
    paths = [path for path in results["paths"] if path["how"] == "pdus"]
    assert sorted((path["source"], path["sink"]) for path in paths) == [  # through the metadata, then a tag
        ("change", "both"), ("change", "sink"), ("note", "both"), ("note", "whole")]
    for path in paths:
        assert path["sent"] >= path["received"] >= 2 and 0 < path["latency"]["min_us"] < 1e6
    assert min(path["sent"] for path in paths) < max(path["received"] for path in paths)
    untouched = ran(program, tmp_path / "out", probes, "--seconds", "0.2", "--metrics", "profile",
                    mapping={"identities": False})
    assert {path["how"] for path in untouched["paths"]} == {"counts"}
    note = inner(untouched)["note"]
    assert 0 < note["work_s"] < 1 and untouched["begin_ns"] < note["first_ns"] < note["last_ns"]
    # GNU Radio's own are not counted. A message may be on its way when the run ends.
    assert note["messages"] - 2 <= inner(untouched)["whole"]["messages"] <= note["messages"] >= 5


def test_the_cost_of_the_probes_is_measured(probes: Path) -> None:
    """Run the benchmark as bench/README.md shows it, in a short form."""
    done = subprocess.run([ROOT / "bench" / "probes.py", "--rounds", "1", "--seconds", "0.1",
                           ROOT / "codegen" / "tests" / "grc" / "data" / "three_tones.grc"],
                          capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    row = done.stdout.splitlines()[-1].split(" | ")
    assert row[0] == "| `three_tones`" and float(row[1].replace(",", "")) > 0 and len(row) == 5, done.stdout


JOIN = """
import pmt
from gnuradio import pdu
class Join(gr.basic_block):
    def __init__(self):
        gr.basic_block.__init__(self, 'join', None, None)
        self.kept = {}
        for port in ('left', 'right'):
            self.message_port_register_in(pmt.intern(port))
            self.set_msg_handler(pmt.intern(port), getattr(self, port))
        self.message_port_register_out(pmt.intern('both'))
    def left(self, pdu):
        self.keep('left', pdu)
    def right(self, pdu):
        self.keep('right', pdu)
    def keep(self, port, pdu):
        self.kept[port] = pdu
        if len(self.kept) == 2:
            left, right = self.kept.pop('left'), self.kept.pop('right')
            metadata = pmt.dict_update(pmt.car(left), pmt.car(right))
            self.message_port_pub(pmt.intern('both'), pmt.cons(metadata, pmt.cdr(left)))
"""


def test_pdus_of_two_sources_that_are_joined_or_split_keep_both_identities(tmp_path: Path, probes: Path) -> None:
    program = written(tmp_path, "joined", """
data = pmt.cons(pmt.make_dict(), pmt.init_u8vector(3, [1, 2, 3]))
self.join, self.joined = Join(), blocks.message_debug()
self.mux = blocks.tagged_stream_mux(1, 'length')
self.back, self.muxed = pdu.tagged_stream_to_pdu(gr.types.byte_t, 'length'), blocks.message_debug()
self.split, self.parts = pdu.pdu_split(), blocks.message_debug()
for port, (name, side) in enumerate((('first', 'left'), ('second', 'right'))):
    strobe, source = blocks.message_strobe(data, 20), pdu.pdu_set(pmt.intern(name), pmt.PMT_T)
    stream = pdu.pdu_to_tagged_stream(gr.types.byte_t, 'length')
    vars(self).update({name + '_strobe': strobe, name: source, name + '_stream': stream})
    self.msg_connect((strobe, 'strobe'), (source, 'pdus'))
    self.msg_connect((source, 'pdus'), (self.join, side))
    self.msg_connect((source, 'pdus'), (stream, 'pdus'))
    self.msg_connect((source, 'pdus'), (self.split, 'pdu'))
    self.connect(stream, (self.mux, port))
self.msg_connect((self.join, 'both'), (self.joined, 'store'))
self.connect(self.mux, self.back)
self.msg_connect((self.back, 'pdus'), (self.muxed, 'store'))
self.msg_connect((self.split, 'dict'), (self.parts, 'store'))
""", JOIN)
    paths = {(path["source"], path["sink"]): path
             for path in ran(program, tmp_path / "out", probes, "--seconds", "0.5")["paths"] if path["how"] == "pdus"}
    assert paths.keys() == {(source, sink) for source in ("first", "second")
                            for sink in ("joined", "muxed", "back", "parts")}
    for path in paths.values():
        assert path["sent"] >= path["received"] >= 5, path
        assert 0 < path["latency"]["min_us"] < 1e6
