"""Flowgraphs of GNU Radio Companion, the library of the probes, and runs of templates/companion/run.py."""

from __future__ import annotations

import fcntl
import json
import os
import shutil
import subprocess
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import yaml
from weir import ROOT
from weir.engine.generation.emit import generate
from weir.interop.grc.importing.importer import Options, import_flowgraph
from weir.interop.grc.reading.flowgraph import read_grc
from weir.model.catalog import load_catalog
from weir.model.check import check
from weir.model.document import jsontext
from weir.model.planning.plan import make_plan
from weir.model.planning.topology import this_machine

COMPANION = ROOT / "templates" / "companion"
RUNNER = COMPANION / "run.py"
#: Python of the distribution, which has GNU Radio's package.
PYTHON = "/usr/bin/python3"
#: Constructor of a flowgraph that a throttle paces and nothing ends.
ENDLESS = """
self.src = analog.sig_source_f(1000, analog.GR_COS_WAVE, 10, 1.0)
self.pace = blocks.throttle(4, 100e3)
self.sink = blocks.null_sink(4)
self.connect(self.src, self.pace, self.sink)
"""


def why_not() -> str:
    """Return why this machine cannot run these tests; empty if it can."""
    if shutil.which("grcc") is None:
        return "GNU Radio's grcc is not installed"
    headers = subprocess.run(["pkg-config", "--exists", "gnuradio-runtime"], check=False)
    return "" if headers.returncode == 0 else "GNU Radio's headers are not installed"


def library() -> Path:
    """Build the probes. A second build finds everything done, and waits for one that another process has begun."""
    build = ROOT / "build" / "companion"
    build.mkdir(parents=True, exist_ok=True)
    with (build / ".lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        for command in (["cmake", "-S", COMPANION, "-B", build], ["cmake", "--build", build]):
            done = subprocess.run(list(map(str, command)), capture_output=True, text=True, check=False)
            assert done.returncode == 0, done.stdout + done.stderr
    return build / "libweir_companion.so"


def place(states: str = "enabled") -> dict[str, Any]:
    """Return where a block lies in the drawing."""
    return {"bus_sink": False, "bus_source": False, "bus_structure": None, "coordinate": [8, 8], "rotation": 0,
            "state": states}


def compiled(folder: Path, name: str, blocks: Mapping[str, tuple[str, dict[str, object]]], chains: Sequence[str],
             messages: Sequence[str] = (), generate: str = "no_gui") -> Path:
    """Write a flowgraph and compile it with grcc. A chain is `a b:1 c`: outputs with their ports, joined by spaces."""
    connections = []
    for chain in chains:
        ends = [end.partition(":")[::2] for end in chain.split()]
        for (source, output), (sink, _) in zip(ends, ends[1:]):
            entry = "0"
            sink, _, entry_given = sink.partition("@")
            source = source.partition("@")[0]
            connections.append([source, output or "0", sink, entry_given or entry])
    connections += [link.split() for link in messages]
    document = {
        "options": {"parameters": {"author": "", "id": name, "title": name, "generate_options": generate,
                                   "output_language": "python", "run": "True", "run_options": "run",
                                   "catch_exceptions": "True", "max_nouts": "0"}, "states": place()},
        "blocks": [{"name": block, "id": kind, "parameters": {key: str(value) for key, value in parameters.items()},
                    "states": place()} for block, (kind, parameters) in blocks.items()],
        "connections": connections, "metadata": {"file_format": 1}}
    file = folder / f"{name}.grc"
    file.write_text(yaml.safe_dump(document, sort_keys=False))
    return grcc(file, folder)


def grcc(file: Path, directory: Path) -> Path:
    """Compile a flowgraph in its own folder, as if it lay in another one."""
    done = subprocess.run(["grcc", "-o", file.parent, file], capture_output=True, text=True, check=False, cwd=directory)
    program = file.with_suffix(".py")
    assert done.returncode == 0 and program.is_file(), done.stdout + done.stderr
    return program


def hosted(file: Path, folder: Path, **settings: object) -> Path:
    """Write the program that `weir run` would run for a flowgraph, and mapping.json beside it. Raises WeirError if
    Weir refuses the flowgraph, AssertionError if grcc does.
    """
    catalog = load_catalog()
    document = import_flowgraph(read_grc(file.read_bytes()), catalog, Options("host")).document
    document["deployments"][0] |= settings
    valid = check(jsontext.write(document), directory=file.parent, catalog=catalog).valid()
    plan = make_plan(valid.project, valid.graph, catalog, this_machine(), None, None, valid.rates).plan
    made = generate(plan, valid.project, catalog)
    for name in ("flowgraph.grc", "mapping.json"):
        (folder / name).write_bytes(made[name])
    return grcc(folder / "flowgraph.grc", file.parent)


def written(folder: Path, name: str, body: str, before: str = "") -> Path:
    """Write a program as grcc would. `body` fills its constructor."""
    indented = "\n".join(f"        {line}" for line in body.strip().splitlines())
    file = folder / f"{name}.py"
    file.write_text(f"import time\nimport numpy\nfrom gnuradio import analog, blocks, gr\n{before}\n\n"
                    f"class {name}(gr.top_block):\n    def __init__(self):\n"
                    f"        gr.top_block.__init__(self, '{name}', catch_exceptions=True)\n{indented}\n\n"
                    f"def main(top_block_cls={name}, options=None):\n    tb = top_block_cls()\n    tb.start()\n")
    return file


def command(program: Path, out: Path, library_file: Path, *options: str, mapping: object = None) -> list[str]:
    """Return the command of a run, with its folder and its mapping made."""
    out.mkdir(exist_ok=True)
    settings = out / "mapping.json"
    settings.write_text(json.dumps(mapping or {}))
    return [PYTHON, str(RUNNER), str(program), str(settings), "--out", str(out), "--library", str(library_file),
            *options]


def ran(program: Path, out: Path, library_file: Path, *options: str, mapping: object = None, code: int = 0) -> Any:
    """Run, and return results.json; with code 2 the last line of the errors."""
    done = subprocess.run(command(program, out, library_file, *options, mapping=mapping), capture_output=True,
                          text=True, timeout=120, check=False, env={**os.environ, "PYTHONDONTWRITEBYTECODE": "1"})
    assert done.returncode == code, done.stdout + done.stderr
    assert 'templates/companion' not in done.stderr, done.stderr  # no traceback of ours
    if code == 2:
        return done.stderr.strip().splitlines()[-1]
    return json.loads((out / "results.json").read_text())


def inner(results: Any) -> dict[str, Any]:
    """Return the rows of the blocks by name."""
    return {row["name"]: row for block in results["blocks"] for row in block["inner"]}


def equal_counts(results: Any) -> None:
    """Require that every block has GNU Radio's own counts, and that nothing else was unseen than who sent messages."""
    for name, row in inner(results).items():
        assert items(row, "out") == row["nitems_written"][:len(row["out"])], name
        assert items(row, "in") == row["nitems_read"][:len(row["in"])], name
    assert {one["what"] for one in results["unseen"]} <= {"sent messages"}


def items(row: Any, side: str) -> list[int]:
    """Return the items of the ports of one side."""
    return [port["items"] for port in row[side]]


def modules() -> None:
    """Put the runner's package on the path, for tests of its parts."""
    if str(COMPANION) not in sys.path:
        sys.path.append(str(COMPANION))
