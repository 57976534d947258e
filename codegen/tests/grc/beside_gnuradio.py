"""Compare a block under the installed GNU Radio with its import under numpy: the same file, item by item.

The flowgraph reads items from files and writes them to files, with blocks that both sides have. If the import reports a
block as kept, both must give the same items, within the bound in the table.
"""

from __future__ import annotations

import importlib.util
import json
import os
import subprocess
import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np
import pytest
from grc_world import grc
from weir.engine.verifying.evaluation import Conditions, evaluate
from weir.interop.grc import table
from weir.interop.grc.importing.importer import Imported, import_flowgraph
from weir.interop.grc.reading.flowgraph import read_grc
from weir.model.catalog import load_catalog
from weir.model.check import Checked, check
from weir.model.document import jsontext

DTYPES = {"complex": np.dtype("<c8"), "float": np.dtype("<f4"), "int": np.dtype("<i4"), "short": np.dtype("<i2"),
          "byte": np.dtype("i1")}
ITEMS = 4096
TAPS = "[0.1, 0.5, -0.3, 0.7, 0.2, -0.9, 0.05]"
EVEN_TAPS = "[0.1, 0.5, -0.3, 0.7, 0.2, -0.9]"
COMPLEX_TAPS = "[0.1 + 0.2j, 0.5, -0.3j, 0.7 - 0.1j, 0.2]"
#: Taps of a polyphase filter that begin near 0, since a place that is rounded down lacks the first tap.
BANK = "firdes.low_pass_2(32, 32, 0.1, 0.1, 60, window.WIN_BLACKMAN_hARRIS)"
FLOATS = ("float", "complex")


class GnuRadio:
    """The installed GNU Radio, in a separate process."""

    def __init__(self) -> None:
        child = Path(__file__).with_name("gnuradio_child.py")
        self.process = subprocess.Popen([sys.executable, str(child)], stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                                        stderr=subprocess.DEVNULL, text=True)

    def run(self, file: Path) -> None:
        """Run a flowgraph in its folder. Raises AssertionError with GNU Radio's message."""
        self.process.stdin.write(f"{file}\n")
        self.process.stdin.flush()
        answer = json.loads(self.process.stdout.readline() or '{"error": "GNU Radio ended, or ran for a minute"}')
        assert "error" not in answer, answer["error"]

    def close(self) -> None:
        self.process.stdin.close()
        self.process.wait(timeout=60)


@pytest.fixture(scope="session", name="gnuradio")
def running_gnuradio():
    if importlib.util.find_spec("gnuradio") is None:
        if os.environ.get("CI") == "true":
            pytest.fail("gnuradio cannot be imported, and nothing here is to be skipped: apt-get install gnuradio")
        pytest.skip("gnuradio cannot be imported: apt-get install gnuradio")
    running = GnuRadio()
    yield running
    running.close()


@dataclass(frozen=True)
class Case:
    """One block of GNU Radio.

    `inputs`, `outputs`: types of its ports; `vlen`: vector length of its ports; `parameters`: in addition to the
    block's defaults; `variables`: by name. `tail`: number of items by which GNU Radio's output may be shorter, because
    it drops incomplete groups.
    """

    id: str
    inputs: tuple[str, ...]
    outputs: tuple[str, ...]
    parameters: Mapping[str, str]
    vlen: tuple[int, int] = (1, 1)
    variables: Mapping[str, str] = field(default_factory=dict)
    signal: str = "noise"
    tail: int = 0

    def __str__(self) -> str:
        words = [f"{name}={value}" for name, value in self.parameters.items()]
        return "-".join([self.id, *words])[:100].replace("/", "_")


def case(id: str, inputs: str = "", outputs: str = "", *, vlen: tuple[int, int] = (1, 1), signal: str = "noise",
         tail: int = 0, variables: Mapping[str, str] | None = None, **parameters: object) -> Case:
    return Case(id, tuple(inputs.split()), tuple(outputs.split()), {k: str(v) for k, v in parameters.items()}, vlen,
                variables or {}, signal, tail)


def items_for(kind: str, port: int, signal: str) -> np.ndarray:
    """Return numbers that separate nearly equal blocks: noise over the whole range of an integer, and beyond 1."""
    random = np.random.default_rng(7 + port)
    dtype = DTYPES[kind]
    if signal == "bits":
        return random.integers(0, 2, ITEMS, np.uint8).view(dtype)
    if dtype.kind == "i":
        return random.integers(0, 256, ITEMS * dtype.itemsize, np.uint8).view(dtype)
    noise = random.normal(size=ITEMS * dtype.itemsize // 4).astype(np.float32)
    if signal == "positive":
        noise = np.abs(noise) + np.float32(0.01)
    if signal.startswith("psk"):  # symbols with noise and a carrier offset
        order, at = int(signal[3:]), np.arange(ITEMS)
        symbols = np.exp(2j * np.pi * (random.integers(0, order, ITEMS) + (order > 2) / 2) / order)
        return ((symbols + 0.03 * noise.view(dtype)) * np.exp(1j * (0.01 * at + 0.2))).astype(dtype)
    if signal == "stereo":  # modulated with two tones and a pilot, at 128 kHz
        at = np.arange(ITEMS) / 128000 * 2 * np.pi
        left, right = np.sin(1000 * at), np.sin(3000 * at)
        sent = 0.4 * (left + right) + 0.1 * np.sin(19000 * at) + 0.4 * (left - right) * np.sin(38000 * at)
        return np.exp(1j * np.cumsum(sent) * 2 * np.pi * 75000 / 128000).astype(dtype)
    if signal == "zeros":
        noise[::5] = 0
        noise[1::5] *= np.float32(1e-40)
    if signal == "beyond":  # beyond the range of an integer
        noise *= np.float32(3e4)
    return noise.view(dtype)


def flowgraph(case: Case) -> bytes:
    """Return a flowgraph: files into the block, the block into files. A source ends after a fixed number of items."""
    blocks = [{"name": name, "id": "variable", "value": value} for name, value in case.variables.items()]
    blocks.append({"name": "import_0", "id": "import", "imports": "import numpy as np"})
    vectors = {"vlen": str(case.vlen[0])} if case.vlen[0] > 1 else {}
    blocks.append({"name": "dut", "id": case.id, **vectors, **case.parameters})
    wires = []
    for i, kind in enumerate(case.inputs):
        blocks.append({"name": f"from{i}", "id": "blocks_file_source", "type": kind, "file": f"in{i}",
                       "repeat": "False",
                       "vlen": str(case.vlen[0]), "begin_tag": "pmt.PMT_NIL"})
        wires.append([f"from{i}", "0", "dut", str(i)])
    for i, kind in enumerate(case.outputs):
        blocks.append({"name": f"to{i}", "id": "blocks_file_sink", "type": kind, "file": f"out{i}",
                       "vlen": str(case.vlen[1])})
        if case.inputs:
            wires.append(["dut", str(i), f"to{i}", "0"])
        else:
            blocks.append({"name": f"head{i}", "id": "blocks_head", "type": kind, "num_items": str(ITEMS)})
            wires += [["dut", str(i), f"head{i}", "0"], [f"head{i}", "0", f"to{i}", "0"]]
    return grc(blocks, wires)


@dataclass
class Ran:
    """Items that GNU Radio and Weir produced in a case, by port."""

    imported: Imported
    checked: Checked
    theirs: Sequence[np.ndarray]
    ours: Sequence[np.ndarray]

    @property
    def entry(self):
        [entry] = [entry for entry in self.imported.report.entries if entry.name == "dut"]
        return entry


CATALOG = load_catalog()


def imported(case: Case, file: Path) -> tuple[Imported, Checked]:
    """Return the result of the import, and that of `weir validate`."""
    made = import_flowgraph(read_grc(file.read_bytes()), CATALOG)
    checked = check(jsontext.write(made.document), directory=file.parent, catalog=CATALOG)
    return made, checked


def both(case: Case, gnuradio: GnuRadio, folder: Path) -> Ran:
    """Run both sides. Raises AssertionError if one of them fails."""
    file = folder / "made.grc"
    file.write_bytes(flowgraph(case))
    for i, kind in enumerate(case.inputs):
        items_for(kind, i, case.signal).tofile(folder / f"in{i}")
    made, checked = imported(case, file)
    errors = [fault for fault in checked.diagnostics if fault.severity == "error"]
    assert checked.graph is not None and not errors, [fault.message for fault in errors] + [
        f"{entry.name}: {entry.reason}" for entry in made.report.entries]
    arrived = evaluate(checked.graph, Conditions(ITEMS * 16, 1, folder)).arrived
    gnuradio.run(file)
    theirs = [np.fromfile(folder / f"out{i}", DTYPES[kind]) for i, kind in enumerate(case.outputs)]
    ours = [arrived[f"to{i}"]["in"] for i in range(len(case.outputs))]
    return Ran(made, checked, theirs, [x.view(y.dtype) if x.dtype.kind in "iu" and x.itemsize == y.itemsize else x
                                       for x, y in zip(ours, theirs)])


def distance(ours: np.ndarray, theirs: np.ndarray) -> np.ndarray:
    """Return the distance of items, relative to the largest of GNU Radio's."""
    peak = np.abs(theirs[np.isfinite(theirs)]).max(initial=0) if theirs.dtype.kind in "fc" else np.abs(
        theirs.astype(np.int64)).max(initial=0)
    with np.errstate(invalid="ignore"):
        apart = np.abs(ours.astype(complex) - theirs.astype(complex))
    same = (ours == theirs) | np.isnan(ours) & np.isnan(theirs)
    return np.where(same, 0.0, apart / (peak or 1))


def assert_same(ours: np.ndarray, theirs: np.ndarray, rule: table.Rule, tail: int = 0, times: float = 1.0) -> None:
    """Check the rule's bound, widened `times`. `tail`: how many items longer ours is; below 0: shorter."""
    excess = len(ours) - len(theirs)
    assert min(tail, 0) <= excess <= max(tail, 0) and len(theirs) > 20, (len(ours), len(theirs))
    count = min(len(ours), len(theirs))
    apart = distance(ours[:count], theirs[:count])
    bound = times * (rule.within + rule.drift * np.arange(count))
    beyond = apart > bound
    if rule.edges:  # at a jump, an item may fall on the other side
        jumps = np.abs(np.diff(theirs[:count])) > 0.2 * np.abs(theirs).max()
        at_edge = np.zeros(count, bool)
        at_edge[1:] |= jumps
        at_edge[:-1] |= jumps
        assert (beyond & at_edge).sum() <= at_edge.sum() / 4, "the edges of the wave lie elsewhere"
        beyond &= ~at_edge
    assert not beyond.any(), f"item {beyond.argmax()} is {apart[beyond.argmax()]:.3g} of the peak apart: " \
        f"{ours[beyond.argmax()]} for {theirs[beyond.argmax()]}"
