"""Folders, a small catalog independent of the library, and projects from it, for all tests."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
import tarfile
from pathlib import Path
from typing import Any

import jsonschema
import pytest
from hypothesis import HealthCheck, settings

CODEGEN = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(CODEGEN))

from weir.model.catalog import Catalog, load_catalog  # noqa: E402
from weir.model.document import shape  # noqa: E402
from weir.model.document.project import Project, load_project  # noqa: E402
from weir.model.flowgraph.graph import Graph, build_graph  # noqa: E402

# `weir test --all` sets WEIR_FUZZ, a factor for the usual number of examples. No deadline: the machine may be busy.
settings.register_profile("weir", max_examples=100 * int(os.environ.get("WEIR_FUZZ", "1")), deadline=None,
                          suppress_health_check=[HealthCheck.too_slow])
settings.load_profile("weir")

# Optimising the crates of FutureSDR and qsdr takes half of their compile time. With --all they are compiled as users
# compile them.
if "WEIR_FUZZ" not in os.environ:
    os.environ |= {"CARGO_PROFILE_RELEASE_OPT_LEVEL": "0", "CARGO_PROFILE_RELEASE_LTO": "off",
                   "CARGO_PROFILE_RELEASE_CODEGEN_UNITS": "16"}

# ccache stores its files in XDG_CACHE_HOME. A test with its own folder there would compile the whole runtime again.
if "CCACHE_DIR" not in os.environ and shutil.which("ccache"):
    folder = subprocess.run(["ccache", "--get-config=cache_dir"], capture_output=True, text=True, check=False).stdout
    os.environ |= {"CCACHE_DIR": folder.strip()} if folder.strip() else {}

BAD = CODEGEN / "tests" / "bad"
FIXTURES = CODEGEN / "tests" / "fixtures"


def keeps_to(kind: str, answer: Any) -> None:
    jsonschema.Draft202012Validator(shape.schema(kind)).validate(answer)


def answered(capsys: pytest.CaptureFixture, kind: str) -> Any:
    """Return the JSON that a verb printed with --json, after a check against the schema of its kind."""
    answer = json.loads(capsys.readouterr().out)
    keeps_to(kind, answer)
    return answer


def unpacked(archive: Path, folder: Path) -> Path:
    """Unpack DIR.tar.xz into `folder` and return the path of DIR."""
    with tarfile.open(archive) as file:
        file.extraction_filter = getattr(tarfile, "data_filter", None)  # Python 3.12 warns without a filter
        file.extractall(folder)
    return folder / archive.name.removesuffix(".tar.xz")


@pytest.fixture
def measured(tmp_path: Path) -> Path:
    """Return the runs of the editor's tests, measured on 2026-11-20."""
    return unpacked(CODEGEN.parent / "editor" / "tests" / "data" / "measured.tar.xz", tmp_path)


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--update-golden", action="store_true", help="write the golden files of the generated C++ anew")


def pytest_terminal_summary(terminalreporter) -> None:
    """Print the coverage that the tests recorded, from all processes."""
    for report in terminalreporter.getreports("passed") + terminalreporter.getreports("failed"):
        for _, text in report.user_properties if report.when == "call" else ():
            terminalreporter.write_line(str(text))


def _block(inputs: list, outputs: list, parameters: tuple = (), item_types: tuple = ("f32", "c64", "u8"),
           **more) -> dict:
    ports = {"inputs": inputs, "outputs": outputs}
    return {"item_types": list(item_types), "parameters": list(parameters), "behaviour": {"state": "stateless"},
            **{side: [{"id": p[0], "type": p[1], "rate": p[2] if len(p) > 2 else 1} for p in ports[side]]
               for side in ports},
            **more}


BLOCKS = {
    "source": _block([], [("out", "T")]),
    "sink": _block([("in", "T")], []),
    "wire": _block([("in", "T")], [("out", "T")]),
    "join": _block([("a", "T"), ("b", "T")], [("out", "T")]),
    "split": _block([("in", "T")], [("x", "T"), ("y", "T")]),
    "power": _block([("in", "c64")], [("out", "f32")], item_types=()),
    "bytes": _block([("in", "T")], [("out", "T")], item_types=("u8",)),
    "knobs": _block([("in", "T")], [("out", "T")], parameters=(
        {"id": "gain", "type": "item", "default": 1},
        {"id": "count", "type": "i64", "default": 4, "minimum": 1, "maximum": 100, "structural": True},
        {"id": "level", "type": "f64", "default": 0.5, "maximum": 1.0, "unit": "s"},
        {"id": "on", "type": "bool", "default": False},
        {"id": "label", "type": "string", "default": ""},
        {"id": "shape", "type": "enum", "default": "round", "options": ["round", "square"]},
        {"id": "file", "type": "path", "default": "", "access": "read"},
        {"id": "taps", "type": "f32_list", "default": [1.0]})),
}


def write_descriptor(folder: Path, kind: str, descriptor: dict) -> Path:
    """Write `folder`/<id>/<kind>.json. The folder of a block is its family."""
    file = folder / descriptor["id"] / f"{kind}.json"
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(json.dumps(descriptor))
    return file


@pytest.fixture(scope="session")
def catalog(tmp_path_factory: pytest.TempPathFactory) -> Catalog:
    root = tmp_path_factory.mktemp("catalog")
    for name, block in BLOCKS.items():
        if not block["item_types"]:
            block = {k: v for k, v in block.items() if k != "item_types"}
        write_descriptor(root / "block-library" / "test", "block", {"format": 1, "id": name, "title": name, **block})
    for name, workers, most in (("one", "one", 1), ("each", "per_block", 8), ("some", "chosen", 4)):
        write_descriptor(root / "runtime" / "schedulers", "scheduler", {
            "format": 1, "id": name, "title": name, "workers": workers, "placement": workers == "chosen",
            "max_workers": most, "wait": ["park"]})
    target = write_descriptor(root / "templates", "target", {
        "format": 1, "id": "cpp_app", "title": "C++", "files": [{"template": "main.j2", "output": "main.cpp"}],
        "settings": ["affinity", "buffers", "chunk_items", "policy", "memory", "require"],
        "trace": ["lttng", "memory", "off"], "metrics": ["profile", "counters", "none"],
        "words": ["{compiler}", "-{optimisation}", "-march={march}", "{extra_flags}"]})
    for name, text in (("main.j2", "int main() {}\n"), ("view.py", ""), ("toolchain.py", "")):
        (target.parent / name).write_text(text)
    return load_catalog(root=root)


def document(blocks: list[dict], connections: list[str], **graph) -> dict:
    """Return a project. A connection is written `a.out > b.in`."""
    wires = [[*a.split("."), *b.split(".")] for a, b in (c.split(" > ") for c in connections)]
    more = {key: graph.pop(key) for key in ("parameters", "deployments", "run", "sweeps") if key in graph}
    return {"schema_version": 1, "name": "test", "graph": {"blocks": blocks, "connections": wires, **graph}, **more}


def block(name: str, kind: str, *, item_type: str | None = None, parameters: dict | None = None, **more) -> dict:
    values = {**({"item_type": item_type} if item_type else {}), **(parameters or {})}
    return {"id": name, "type": kind, **({"parameters": values} if values else {}), **more}


def chain(*middle: dict, **graph) -> dict:
    """Return a project: source -> middle… -> sink, of f32."""
    blocks = [block("source", "source", item_type="f32"), *middle, block("sink", "sink")]
    return document(blocks, [f"{a['id']}.out > {b['id']}.in" for a, b in zip(blocks, blocks[1:])], **graph)


def build(project: dict, catalog: Catalog, **options) -> tuple[Graph | None, list[tuple[str, str]], list]:
    """Return the graph, (code, pointer) of each diagnostic, and the diagnostics."""
    loaded, faults = load_project(json.dumps(project), **options)
    graph = None
    if loaded:
        graph, problems = build_graph(loaded, catalog)
        faults += problems
    return graph, [(d.code, d.pointer) for d in faults], faults


def load(project: dict, **options) -> Project:
    loaded, faults = load_project(json.dumps(project), **options)
    assert faults == []
    return loaded


@pytest.fixture(scope="session")
def library() -> Catalog:
    """Return Weir's own blocks, schedulers and targets."""
    return load_catalog()


@pytest.fixture
def alone(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Return a folder with its own cache and lock: earlier builds are unknown, and no lock is waited for."""
    monkeypatch.setenv("WEIR_LOCK", str(tmp_path / "lock"))
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    return tmp_path
