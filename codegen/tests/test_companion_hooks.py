"""Probes beside counting: what they leave as it is, what they set, and what they say where they cannot see."""

from __future__ import annotations

import json
import os
import signal
import subprocess
from pathlib import Path
from typing import Any

import pytest
from companion_world import ENDLESS, command, inner, items, library, ran, why_not, written

pytestmark = pytest.mark.skipif(bool(why_not()), reason=why_not() or "GNU Radio is here")


@pytest.fixture(scope="module")
def probes() -> Path:
    return library()


#: A block that says what happens to it, and a flowgraph that gets a second one while it runs.
CHANGES = """
import json, os
from pathlib import Path
import pmt
SEEN = []
class Through(gr.sync_block):
    def __init__(self, name):
        gr.sync_block.__init__(self, name, [numpy.float32], [numpy.float32])
        self.called, self.idle, self.identities = name, 2, []
        self.message_port_register_in(pmt.intern('in'))
        self.set_msg_handler(pmt.intern('in'), self.handle)
    def handle(self, message):
        SEEN.append((self.called, 'message'))
    def start(self):
        SEEN.append((self.called, 'start'))
        return True
    def stop(self):
        SEEN.append((self.called, 'stop'))
        return True
    def work(self, input_items, output_items):
        SEEN.append((self.called, os.sched_getscheduler(0)))
        if self.idle:
            self.idle -= 1
            return 0
        output_items[0][:] = input_items[0]
        self.identities += [[pmt.to_uint64(tag.value), tag.offset] for tag in self.get_tags_in_window(
            0, 0, len(input_items[0])) if str(tag.key).startswith('weir.')]
        return len(output_items[0])
class Changing(gr.top_block):
    def start(self, *most):
        gr.top_block.start(self, *most)
        while len(SEEN) < 4:
            time.sleep(0.01)
        self.lock()
        self.extra = Through('extra')
        self.disconnect(self.first, self.fewer)
        self.connect(self.first, self.extra, self.fewer)
        self.msg_connect((self.strobe, 'strobe'), (self.extra, 'in'))
        self.unlock()
def writable():
    sizes = [0]
    for line in Path('/proc/self/maps').read_text().splitlines():
        addresses, access, *_, file = line.split(None, 5)
        if 'w' in access and 'libgnuradio' in file:
            begin, end = (int(one, 16) for one in addresses.split('-'))
            sizes.append(end - begin)
    return sum(sizes)
def snippets_main_after_stop(tb):
    Path(__file__).with_name('seen.json').write_text(json.dumps([SEEN, tb.before, writable(), tb.extra.identities]))
"""


def test_a_flowgraph_may_change_while_it_runs(tmp_path: Path, probes: Path) -> None:
    program = written(tmp_path, "changes", ENDLESS.replace("self.connect(self.src, self.pace, self.sink)", """
self.strobe = blocks.message_strobe(pmt.PMT_NIL, 20)
self.first = Through('first')
self.fewer = blocks.keep_m_in_n(4, 1, 4, 0)  # which needs tags
self.connect(self.src, self.pace, self.first, self.fewer, self.sink)
self.before = writable()"""), CHANGES)
    program.write_text(program.read_text().replace("class changes(gr.top_block)", "class changes(Changing)"))
    results = ran(program, tmp_path / "out", probes, "--seconds", "0.5", mapping={
        "probe_granularity": 1000, "blocks": {"first": {"priority": 2}}})
    assert sorted(results["notes"]) == [f"block {name} joined while the flowgraph ran, so Weir did not measure it"
                                        for name in ("extra0", "message_strobe0")]
    assert results["ended_by"] == "seconds"
    seen, before, after, identities = json.loads((tmp_path / "seen.json").read_text())
    assert before == after > 0  # the pages of the vtables are as protected as they were
    first = inner(results)["first"]
    # The new block is of a hooked class and works; its neighbours have new threads.
    assert {what for name, what in seen if name == "extra"} == {"start", "stop", "message", os.SCHED_OTHER}
    assert items(inner(results)["fewer"], "in")[0] > items(first, "out")[0] / 2
    assert first["empty_calls"] >= 2
    assert any(1000 * boundary - 1 > offset for boundary, offset in identities)  # GNU Radio counts from 0 again
    policies = [what for name, what in seen if name == "first" and isinstance(what, int)]
    assert policies[-1] == (os.SCHED_OTHER if first["granted"]["priority_error"] else os.SCHED_FIFO)


SNIPPETS = """
from pathlib import Path
SEEN = []
def snippets_main_after_init(tb):
    SEEN.append('init')
def snippets_main_after_start(tb):
    SEEN.append('start')
    raise LookupError('no such knob')
def snippets_main_after_stop(tb):
    Path(__file__).with_name('seen').write_text(' '.join(SEEN))
gr.enable_realtime_scheduling = lambda: gr.RT_NOT_IMPLEMENTED
class Dropping(gr.basic_block):
    def __init__(self):
        gr.basic_block.__init__(self, 'dropping', [numpy.float32], [numpy.float32])
        self.set_tag_propagation_policy(gr.TPP_DONT)
    def general_work(self, input_items, output_items):
        taken = min(len(input_items[0]), len(output_items[0]))
        self.consume(0, taken)
        return taken
class Few(gr.sync_block):
    def __init__(self, items):
        gr.sync_block.__init__(self, 'few', [numpy.float32], None)
        self.left = items
    def work(self, input_items, output_items):
        taken = min(self.left, len(input_items[0]))
        self.left -= taken
        return taken
"""


def test_a_programs_snippets_and_its_arguments_of_start_count_and_a_sink_ends_it(tmp_path: Path,
                                                                                probes: Path) -> None:
    program = written(tmp_path, "snippets", ENDLESS + """
self.connect(self.src, blocks.null_sink(4))
self.zeros, self.near, self.far = blocks.null_source(4), Dropping(), Dropping()
self.few, self.more = Few(500), Few(3000)
self.connect(self.zeros, self.near, self.few)
self.connect(self.zeros, self.far, self.more)
""", SNIPPETS)
    program.write_text(program.read_text().replace("tb.start()", "tb.start(16)\n    gr.enable_realtime_scheduling()"))
    results = ran(program, tmp_path / "out", probes, "--items", "2000", "--end-block", "sink", code=4, mapping={
        "probe_granularity": 1000, "blocks": {name: {"max_noutput_items": 100} for name in ("near", "far")}})
    assert (tmp_path / "seen").read_text() == "init start"
    assert results["reasons"][0]["message"].endswith("a snippet (after_start) failed: LookupError: no such knob")
    assert results["notes"] == ["the program asks for real-time scheduling, which this machine refuses"]
    row = inner(results)["sink"]
    assert 0 < items(row, "in")[0] / row["calls"] <= 16
    assert results["ended_by"] == "items" and 2000 <= items(row, "in")[0] < 2016
    assert items(inner(results)["null_sink1"], "in")[0] > 0  # it has no name in the flowgraph
    assert results["drained"]  # nothing moves, though two sinks take no more
    # Behind `near`, fewer items were taken than came before the first boundary.
    assert [path["reason"] for path in results["paths"] if path["source"] == "zeros"] == [
        "latency not measured: the run ended before the first boundary had left block near",
        "latency not measurable: block far drops tags"]


THREE = """
import time
class Three(gr.basic_block):
    def __init__(self):
        gr.basic_block.__init__(self, 'three', None, [numpy.float32] * 3)
    def general_work(self, input_items, output_items):
        made = len(output_items[0])
        for output, items in enumerate((made, made, made // 2)):
            self.produce(output, items)
        time.sleep(0.01)  # its readers go on meanwhile, so a tag that came after this call would be too late
        return gr.WORK_CALLED_PRODUCE
"""


def test_tags_leave_through_all_outputs_that_are_as_far_and_events_without_room_make_a_run_invalid(
        tmp_path: Path, probes: Path) -> None:
    program = written(tmp_path, "three", """
self.three = Three()
self.slow = [blocks.keep_m_in_n(4, 1, 4, 0) for _ in range(2)]
self.upper, self.lower, self.half = (blocks.null_sink(4) for _ in range(3))
self.connect((self.three, 0), self.slow[0], self.upper)
self.connect((self.three, 1), self.slow[1], self.lower)
self.connect((self.three, 2), self.half)
""", THREE)
    results = ran(program, tmp_path / "out", probes, "--items", "2000000", mapping={"probe_granularity": 1000})
    # GNU Radio rounds the offset of a tag on the very last item to an item that does not come.
    assert {path["sink"]: path["how"] for path in results["paths"] if path["received"] >= path["sent"] - 1} == {
        "upper": "tags", "lower": "tags"}, results["paths"]
    # The call began before its items were there, and slept for 10 ms after.
    assert all(0 < path["latency"]["min_us"] < 10_000 for path in results["paths"] if path["latency"])
    (half,) = [path for path in results["paths"] if path["sink"] == "half"]
    assert (half["received"], half["reason"]) == (0, "latency not measurable: block three drops tags")
    # Of 2,000 boundaries, because a tag costs much more than an event.
    assert all(64 <= path["sent"] <= 65 + 100 * results["elapsed_s"] for path in results["paths"])
    full = ran(written(tmp_path, "full", "self.src, self.sink = blocks.null_source(4), blocks.null_sink(4)\n"
                                         "self.connect(self.src, self.sink)"),
               tmp_path / "out", probes, "--items", "400000", mapping={"probe_granularity": 1}, code=4)
    assert full["status"] == "invalid" and full["trace"]["discarded"] > 0
    assert full["reasons"][0]["message"].endswith("events were discarded: the memory for events was full")


def test_a_class_that_cannot_be_hooked_is_said_by_block(tmp_path: Path, probes: Path) -> None:
    # Without a file descriptor the probes cannot read how the pages of the vtables are protected.
    program = written(tmp_path, "blind", ENDLESS + """
import resource
resource.setrlimit(resource.RLIMIT_NOFILE, (3, resource.getrlimit(resource.RLIMIT_NOFILE)[1]))
""", """
def snippets_main_after_init(tb):
    import resource
    resource.setrlimit(resource.RLIMIT_NOFILE, (256, resource.getrlimit(resource.RLIMIT_NOFILE)[1]))
""")
    results = ran(program, tmp_path / "out", probes, "--seconds", "0.2")
    why = {(one["block"], one["what"]): one["why"] for one in results["unseen"]}
    for name in ("src", "pace", "sink"):
        assert why[name, "calls and items"] == "its vtable lies in no mapping"
    assert why["src", "items"].startswith("counted [0], GNU Radio [")


#: A hierarchical block that gets its parts after all blocks of the drawing.
PAIR = """
from gnuradio import channels
class Pair(gr.hier_block2):
    def __init__(self):
        one = gr.io_signature(1, 1, 8)
        gr.hier_block2.__init__(self, 'pair', one, one)
    def fill(self):
        self.connect(self, blocks.copy(8), blocks.copy(8), self)
"""
HIERARCHICAL = """
self.src = analog.sig_source_c(1000, analog.GR_COS_WAVE, 10, 1.0)
self.pace = blocks.throttle(8, 100e3)
self.channel = channels.channel_model(0.0, 0.0, 1.0, [1.0], 0, False)
self.sink = blocks.null_sink(8)
self.early, self.late = Pair(), Pair()
self.early.fill(), self.late.fill()
self.connect(self.src, self.pace, self.channel, self.early, self.late, self.sink)
"""
#: The outputs of `copy` may be any number.
SIZED = """
self.src = blocks.null_source(4)
self.copy = blocks.copy(4)
self.large = blocks.multiply_const_ff(1.0)
self.small = blocks.multiply_const_ff(1.0)
self.sink = blocks.null_sink(4)
self.connect(self.src, self.copy, self.large, self.small, self.sink)
"""
SETTINGS = {"affinity": [0], "priority": 3, "min_output_buffer": 1024, "max_output_buffer": 2048,
            "max_noutput_items": 256}


def started(program: Path, out: Path, probes: Path, end_block: str, mapping: object) -> subprocess.Popen[str]:
    """Start a run, and return once items have come to the end block, so that every block before it was called."""
    process = subprocess.Popen(command(program, out, probes, "--progress", "json", "--items", "1000000000",
                                       "--timeout-s", "60", "--end-block", end_block, mapping=mapping),
                               text=True, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    assert process.stdout is not None
    for line in process.stdout:
        report = json.loads(line) if line.startswith("{") else {}  # GNU Radio writes there, too
        if report.get("done"):
            assert report["phase"] == "run" and report["total"] == 1000000000
            return process
    raise AssertionError(process.communicate()[1])


def in_proc(process: int) -> dict[int, dict[str, Any]]:
    """Return affinity, policy and priority of the threads of a process, as Linux shows them."""
    found = {}
    for task in Path(f"/proc/{process}/task").iterdir():
        status = dict(line.partition(":\t")[::2] for line in (task / "status").read_text().splitlines())
        fields = (task / "stat").read_text().rpartition(")")[2].split()  # from the third field on
        found[int(task.name)] = {"affinity": status["Cpus_allowed_list"], "priority": int(fields[37]),
                                 "policy": {0: "other", 1: "fifo"}[int(fields[38])]}
    return found


def test_blocks_within_a_hierarchical_one_have_its_settings_and_sigint_keeps_what_was_measured(
        tmp_path: Path, probes: Path) -> None:
    program = written(tmp_path, "settings", HIERARCHICAL, PAIR)
    process = started(program, tmp_path / "out", probes, "sink", {"blocks": {"channel": SETTINGS}})
    seen = in_proc(process.pid)
    process.send_signal(signal.SIGINT)
    _, errors = process.communicate(timeout=60)
    assert process.returncode == 4 and "a signal ended the run" in errors
    results = json.loads((tmp_path / "out" / "results.json").read_text())
    assert results["status"] == "partial" and results["ended_by"] == "signal"
    rows = inner(results)
    assert items(rows["sink"], "in")[0] > 0 and items(rows["pace"], "out") == rows["pace"]["nitems_written"]
    within = [row for name, row in rows.items() if name.startswith("channel/")]
    assert len(within) > 3
    assert [len([name for name in rows if name.startswith(f"{pair}/")]) for pair in ("early", "late")] == [2, 2]
    for row in within:
        assert row["requested"] == SETTINGS and seen[row["thread"]]["affinity"] == "0"
        granted = row["granted"]
        assert granted["affinity"] == [0] and granted["max_noutput_items"] == 256
        assert (granted["policy"], granted["priority"]) == (
            ("fifo", 3) if granted["priority_error"] is None else ("other", 0))
        assert {key: seen[row["thread"]][key] for key in ("policy", "priority")} == {
            key: granted[key] for key in ("policy", "priority")}
        ports = len(row["out"])
        assert granted["min_output_buffer"] == [1024] * ports and granted["max_output_buffer"] == [2048] * ports
        assert all(1024 <= size <= 2048 for size in granted["output_buffers"])
        if granted["priority_error"]:
            said = " ".join(it["message"] for it in results["reasons"])
            assert f"block {row['name']} did not get the priority 3: " in said


def test_output_buffers_have_sizes_within_their_limits(tmp_path: Path, probes: Path) -> None:
    limits = {"src": (None, 4096), "copy": (1024, 8192), "large": (40_000, 50_000), "small": (8192, 8192)}
    results = ran(written(tmp_path, "sized", SIZED), tmp_path / "out", probes, "--items", "100000", mapping={
        "blocks": {name: {key: it for key, it in (("min_output_buffer", least), ("max_output_buffer", most)) if it}
                   for name, (least, most) in limits.items()}})
    for name, (least, most) in limits.items():
        granted = inner(results)[name]["granted"]
        assert (least or 1) <= granted["output_buffers"][0] <= most
        assert granted["min_output_buffer"] == [least or -1]
        assert granted["max_output_buffer"] == granted["output_buffers"]
