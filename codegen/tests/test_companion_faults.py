"""Programs of GNU Radio Companion that hang, fail, crash or cannot run: the runner says which block and why."""

from __future__ import annotations

import json
import signal
import subprocess
from pathlib import Path

import pytest
from companion_world import ENDLESS, PYTHON, command, inner, items, library, ran, why_not, written

pytestmark = pytest.mark.skipif(bool(why_not()), reason=why_not() or "GNU Radio is here")


@pytest.fixture(scope="module")
def probes() -> Path:
    return library()


HANGS = """
import pmt
class Stuck(gr.sync_block):
    def __init__(self):
        gr.sync_block.__init__(self, 'stuck', [numpy.float32], None)
        self.message_port_register_in(pmt.intern('in'))
        self.set_msg_handler(pmt.intern('in'), self.handle)
    def handle(self, message):
        pass
    def work(self, input_items, output_items):
        return len(input_items[0])
    def CALL:
        time.sleep(1000)
class Deaf(Stuck):
    def handle(self, message):
        time.sleep(1000)
def snippets_main_after_stop(tb):
    raise LookupError('it has not stopped')
"""


@pytest.mark.parametrize(("call", "where", "end"), [
    ("work(self, input_items, output_items)", "in work", ("--timeout-s", "3")),
    ("stop(self)", "outside work", ("--seconds", "0.3"))], ids=["work", "stop"])
def test_a_block_that_hangs_is_named(tmp_path: Path, probes: Path, call: str, where: str, end: tuple[str, str]) -> None:
    program = written(tmp_path, "hangs", """
self.src, self.stuck, self.deaf = blocks.null_source(4), Stuck(), Deaf()
self.connect(self.src, self.stuck)
self.connect(self.src, self.deaf)
self.strobe = blocks.message_strobe(pmt.PMT_T, 20)
self.msg_connect((self.strobe, 'strobe'), (self.stuck, 'in'))
self.msg_connect((self.strobe, 'strobe'), (self.deaf, 'in'))
""", HANGS.replace("CALL", call))
    results = ran(program, tmp_path / "out", probes, *end, "--stop-s", "0.5", code=4)
    hanging = {one["block"]: (one["in_work"], one["state"]) for one in results["hanging"]}
    assert hanging["stuck"] == (where == "in work", "waits") and hanging["deaf"] == (True, "waits")
    stuck, *timeout = [one["message"] for one in results["reasons"]]  # no snippet ran
    assert f"did not stop within 0.5 s: stuck ({where}" in stuck and results["elapsed_s"] < 40
    assert timeout == (["the flowgraph ran longer than 3 s"] if "--timeout-s" in end else [])
    assert items(inner(results)["src"], "out")[0] > 0


LOCKS = """
import ctypes
class Locking(gr.sync_block):
    def __init__(self):
        gr.sync_block.__init__(self, 'locking', None, [numpy.float32])
    def work(self, input_items, output_items):
        return len(output_items[0])
    def CALL:
        ctypes.PyDLL(None).sleep(1000)
"""
#: Runs the runner with shorter limits of its own.
IMPATIENT = """
import sys
sys.path.insert(0, sys.argv.pop(1))
from weir_companion import main, running
running.STARTING_S, running.DRAIN_S = 1.5, 0.1
sys.exit(main.main(sys.argv[1:]))
"""


@pytest.mark.parametrize("call", ["work(self, input_items, output_items)", "stop(self)"], ids=["work", "stop"])
def test_a_block_that_keeps_pythons_lock_ends_the_process(tmp_path: Path, probes: Path, call: str) -> None:
    program = written(tmp_path, "locks", "self.locking, self.sink = Locking(), blocks.null_sink(4)\n"
                                         "self.connect(self.locking, self.sink)", LOCKS.replace("CALL", call))
    python, runner, *words = command(program, tmp_path / "out", probes, "--seconds", "0.1", "--stop-s", "0.1")
    done = subprocess.run([python, "-c", IMPATIENT, Path(runner).parent, *words], capture_output=True, text=True,
                          timeout=60, check=False)
    assert done.returncode == 4, done.stderr
    assert done.stderr.splitlines()[-1] == (
        "error: the flowgraph does not stop, and a block holds Python's lock")


def test_a_deadline_ends_with_the_next_call(probes: Path) -> None:
    late = ("import ctypes, sys, time\nof = ctypes.CDLL(sys.argv[1])\nseconds = ctypes.c_double\n"
            "of.weir_deadline(seconds(0.1), b'', 7)\nof.weir_deadline(seconds(0.1), b'', 8)\n"
            "of.weir_no_deadline()\ntime.sleep(0.3)\nof.weir_deadline(seconds(0.01), b'late', 9)\ntime.sleep(30)")
    done = subprocess.run([PYTHON, "-c", late, probes], capture_output=True, text=True, timeout=60, check=False)
    assert (done.returncode, done.stderr) == (9, "late\n")


def test_a_constructor_that_waits_with_pythons_lock_is_given_up(tmp_path: Path, probes: Path) -> None:
    program = written(tmp_path, "waits", "import ctypes\nctypes.PyDLL(None).sleep(100)")
    assert ran(program, tmp_path / "out", probes, "--timeout-s", "1", code=2).endswith(
        "the flowgraph was not constructed within 1 s; a block may wait for a device or a peer")


WAITS = """
class Late(gr.sync_block):
    def __init__(self):
        gr.sync_block.__init__(self, 'late', None, [numpy.float32])
    def start(self):
        print('here', flush=True)
        time.sleep(100)
"""
STARTS = "self.late, self.sink = Late(), blocks.null_sink(4)\nself.connect(self.late, self.sink)"


def test_a_block_that_does_not_start_is_named(tmp_path: Path, probes: Path) -> None:
    program = written(tmp_path, "waits", STARTS, WAITS)
    assert ran(program, tmp_path / "out", probes, "--timeout-s", "3", code=2).endswith(
        "the flowgraph does not start within 3 s; waiting in `start`: late")


@pytest.mark.parametrize(("body", "code", "said"), [
    ("import ctypes\nprint('here', flush=True)\nctypes.PyDLL(None).sleep(100)", -signal.SIGINT, ""),
    (STARTS, 2, "interrupted while the flowgraph started")], ids=["in a constructor in C", "in a start"])
def test_sigint_ends_what_does_not_run_yet(tmp_path: Path, probes: Path, body: str, code: int, said: str) -> None:
    with subprocess.Popen(command(written(tmp_path, "waits", body, WAITS), tmp_path / "out", probes), text=True,
                          stdout=subprocess.PIPE, stderr=subprocess.PIPE) as process:
        assert process.stdout is not None and "here\n" in process.stdout
        process.send_signal(signal.SIGINT)
        _, errors = process.communicate(timeout=20)
    assert process.returncode == code and errors.strip().endswith(said) and "Traceback" not in errors
    assert not (tmp_path / "out" / "results.json").exists()


CRASHES = """
import ctypes
class Faulty(gr.sync_block):
    def __init__(self):
        gr.sync_block.__init__(self, 'faulty', [numpy.float32], None)
    def work(self, input_items, output_items):
        CRASH
"""


@pytest.mark.parametrize(("crash", "number", "handler", "said"), [
    ("ctypes.CDLL(None).abort()", signal.SIGABRT, "", "weir: crashed in block culprit"),
    ("ctypes.memset(8, 0, 8)", signal.SIGSEGV, "import faulthandler\nfaulthandler.enable()",
     "Fatal Python error: Segmentation fault")], ids=["ours", "its own"])
def test_a_crash_names_the_block_unless_the_program_has_a_handler(
        tmp_path: Path, probes: Path, crash: str, number: int, handler: str, said: str) -> None:
    program = written(tmp_path, "crashes", "self.src = blocks.null_source(4)\nself.culprit = Faulty()\n"
                                           "self.connect(self.src, self.culprit)",
                      CRASHES.replace("CRASH", crash) + handler)
    done = subprocess.run(command(program, tmp_path / "out", probes), capture_output=True, text=True, timeout=60,
                          check=False)
    assert done.returncode == -number
    assert [line for line in done.stderr.splitlines() if line.startswith(("weir: crashed", "Fatal"))] == [said]


def test_a_crash_at_the_end_keeps_what_was_measured(tmp_path: Path, probes: Path) -> None:
    program = written(tmp_path, "aborts", ENDLESS + """
tag = pmt.cons(pmt.PMT_NIL, pmt.PMT_NIL)
self.strobe = blocks.message_strobe(tag, 20)
self.culprit = Aborting()
self.msg_connect((self.strobe, 'strobe'), (self.culprit, 'in'))
""", """
import signal
import pmt
class Aborting(gr.sync_block):
    def __init__(self):
        gr.sync_block.__init__(self, 'aborting', None, None)
        self.message_port_register_in(pmt.intern('in'))
        self.set_msg_handler(pmt.intern('in'), self.handle)
    def handle(self, message):
        pass
    def stop(self):
        signal.raise_signal(signal.SIGSEGV)
""")
    done = subprocess.run(command(program, tmp_path / "out", probes, "--seconds", "0.3"), capture_output=True,
                          text=True, timeout=60, check=False)
    assert done.returncode == -signal.SIGSEGV and "weir: crashed in block culprit" in done.stderr.splitlines()
    results = json.loads((tmp_path / "out" / "results.json").read_text())
    assert results["status"] == "failed" and results["reasons"][0]["code"] == "E_CRASHED"
    assert items(inner(results)["sink"], "in")[0] > 0 and inner(results)["culprit"]["messages"] > 0


FAILS = """
import os
class Faulty(gr.sync_block):
    def __init__(self):
        gr.sync_block.__init__(self, 'faulty', [numpy.float32], [numpy.float32])
    def work(self, input_items, output_items):
        return 1 // 0
"""


def test_a_block_that_fails_ends_the_run_with_the_last_line_of_its_exception(tmp_path: Path, probes: Path) -> None:
    program = written(tmp_path, "fails", "self.src = blocks.null_source(4)\nself.faulty = Faulty()\n"
                      "self.sink = blocks.null_sink(4)\nself.connect(self.src, self.faulty, self.sink)",
                      FAILS + "    def stop(self):\n        raise OSError('and once more')\n")
    results = ran(program, tmp_path / "out", probes, code=4)
    assert results["reasons"][0]["message"] == (
        "block faulty failed: ZeroDivisionError: integer division or modulo by zero")
    assert results["ended_by"] == "failure" and results["status"] == "failed"
    assert inner(results)["faulty"]["calls"] == 1  # it ended as if its stream did


def test_a_block_that_fails_at_a_message_is_named(tmp_path: Path, probes: Path) -> None:
    handler = ("    def handle(self, message):\n        raise OSError('no such message')\n"
               "    def work(self, input_items, output_items):\n        return len(output_items[0])\n")
    program = written(tmp_path, "fails", ENDLESS.replace("self.src, ", "self.src, self.faulty, ").replace(
        "self.connect", "self.faulty = Faulty()\nself.connect") + """
self.strobe = blocks.message_strobe(pmt.PMT_NIL, 20)
self.faulty.message_port_register_in(pmt.intern('in'))
self.faulty.set_msg_handler(pmt.intern('in'), self.faulty.handle)
self.msg_connect((self.strobe, 'strobe'), (self.faulty, 'in'))
""", "import pmt\n" + FAILS + handler)
    results = ran(program, tmp_path / "out", probes, "--timeout-s", "20", code=4)
    assert results["reasons"][0]["message"] == "block faulty failed: OSError: no such message"
    assert results["ended_by"] == "failure"


@pytest.mark.parametrize("call", ["start", "stop"])
def test_a_block_that_fails_at_its_start_or_its_end_is_named(tmp_path: Path, probes: Path, call: str) -> None:
    faulty = FAILS.replace("return 1 // 0", "output_items[0][:] = 0\n        return len(output_items[0])")
    program = written(tmp_path, "fails", "self.src = blocks.null_source(4)\nself.faulty = Faulty()\n"
                      "self.sink = blocks.null_sink(4)\nself.connect(self.src, self.faulty, self.sink)",
                      faulty + "    def stop(self):\n        os.abort()\n"  # not called without a start
                      + f"    def {call}(self):\n        raise OSError('no such peer')\n")
    results = ran(program, tmp_path / "out", probes, "--seconds", "0.2", code=4)
    assert results["reasons"][0]["message"] == "block faulty failed: OSError: no such peer"
    assert results["ended_by"] == ("failure" if call == "start" else "seconds")
    assert (inner(results)["faulty"]["calls"] == 0) == (call == "start")  # it does not work without a start


@pytest.mark.parametrize(("body", "mapping", "expected"), [
    ("raise RuntimeError('no device')", {}, "the flowgraph could not be constructed: RuntimeError: no device"),
    ("self.sum, self.end = blocks.add_ff(1), blocks.null_sink(4)\n"
     "self.connect(blocks.null_source(4), (self.sum, 1))\nself.connect(self.sum, self.end)", {},
     "the flowgraph does not start: RuntimeError: add_ff("),
    ("self.src = blocks.null_source(4)\nself.sink = blocks.null_sink(4)\nself.connect(self.src, self.sink)",
     {"blocks": {"scr": {"affinity": [0]}}}, "error: the flowgraph has no block scr; did you mean src?"),
    ("pass", {"blocks": {"src": {"affinity": "0"}}}, "/blocks/src/affinity is not a list of CPUs"),
    ("pass", {"block": {}}, "unknown key /block; known keys: blocks, identities, probe_granularity"),
])
def test_what_cannot_run_is_one_line_and_exit_code_2(tmp_path: Path, probes: Path, body: str, mapping: object,
                                                     expected: str) -> None:
    assert expected in ran(written(tmp_path, "wrong", body), tmp_path / "out", probes, mapping=mapping, code=2)


def test_a_hierarchical_block_is_refused_with_the_reason(tmp_path: Path, probes: Path) -> None:
    file = tmp_path / "part.py"
    file.write_text("from gnuradio import gr\nclass part(gr.hier_block2):\n    pass\n")
    assert "part is a hierarchical block, which runs only within another" in ran(file, tmp_path / "out", probes, code=2)


def test_a_folder_that_cannot_be_written_is_exit_code_3(tmp_path: Path, probes: Path) -> None:
    out = tmp_path / "out"
    (out / "results.json").mkdir(parents=True)
    (out / "results.json" / "full").touch()
    done = subprocess.run(command(written(tmp_path, "endless", ENDLESS), out, probes, "--seconds", "0.1"),
                          capture_output=True, text=True, timeout=60, check=False)
    assert done.returncode == 3
    assert done.stderr.strip().splitlines()[-1].startswith(f"error: cannot write {out / 'results.json'}: ")
