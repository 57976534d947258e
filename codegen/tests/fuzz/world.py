"""Catalog, machine, folder and documents for the fuzzed code."""

from __future__ import annotations

import contextlib
import os
import sys
import tempfile
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path

TESTS = Path(__file__).resolve().parents[1]
ROOT = TESTS.parents[1]
sys.path[:0] = [str(TESTS), str(TESTS.parent)]

from weir.interop.grc.reading.yaml_text import read_yaml  # noqa: E402
from weir.model.catalog import Catalog, load_catalog  # noqa: E402
from weir.model.document import jsontext  # noqa: E402
from weir.model.planning.machine import Machine, read_machine  # noqa: E402

PORTS = ("in", "out", "in0", "in1")


@dataclass(frozen=True)
class World:
    """Environment of one process. `folder` belongs to this process; `reached` counts how far inputs came."""

    catalog: Catalog
    machine: Machine
    folder: Path
    reached: Counter = field(default_factory=Counter)

    @staticmethod
    def make(base: Path) -> World:
        return World(load_catalog(), read_machine(TESTS / "machines" / "two_core.json"),
                     Path(tempfile.mkdtemp(dir=base)))

    @cached_property
    def texts(self) -> list[bytes]:
        """Return examples, bad projects and the canonical corpus."""
        found = [*sorted((ROOT / "examples").rglob("*.weir.json")), *sorted((TESTS / "bad").glob("*.json")),
                 *sorted((TESTS / "canonical").glob("*.json"))]
        return [path.read_bytes() for path in found]

    @cached_property
    def projects(self) -> list[dict]:
        """Return the documents that are JSON objects. Examples count three times, because they are generated as C++."""
        return [*self._values(sorted((TESTS / "bad").glob("*.json"))), *self.examples * 3]

    @cached_property
    def examples(self) -> list[dict]:
        """Return the examples without the prose of their `ui` and titles, which is most of their text."""
        found = self._values(sorted((ROOT / "examples").rglob("*.weir.json")))
        return [{**example, "description": "text", "ui": {"positions": {"source": [1, 2.5]}}} for example in found]

    @cached_property
    def flowgraphs(self) -> list[tuple[bytes, dict]]:
        """Return text and parsed value of the flowgraphs of GNU Radio; XML is one text."""
        texts = [path.read_bytes() for path in sorted((TESTS / "grc" / "data").rglob("*.grc"))]
        return [(text, read_yaml(text.decode())[0]) for text in texts]

    @cached_property
    def machines(self) -> list[dict]:
        return self._values(sorted((TESTS / "machines").glob("*.json")))

    @cached_property
    def descriptors(self) -> list[tuple[str, dict]]:
        """Return (kind, descriptor) of all descriptors."""
        return [(kind, dict(entry.descriptor)) for kind, entries in
                (("block", self.catalog.blocks), ("scheduler", self.catalog.schedulers),
                 ("target", self.catalog.targets)) for entry in entries.values()]

    @cached_property
    def words(self) -> list[str]:
        """Return names for a schema's identifiers: blocks, ports, schedulers, and some names of projects."""
        own = ["source", "stage", "sink", "limit", "a", "b", "stages", "x", "test", "d"] * 3
        return [*self.catalog.blocks, *self.catalog.schedulers, *PORTS * 5, *own, "f32", "c64", "item_type", "items",
                "constant", "cpp_app", "w0", "w1", "deployment", "/run/items", "native", "g++", "O2"]

    @staticmethod
    def _values(paths: list[Path]) -> list[dict]:
        values = [jsontext.read(path.read_bytes())[0] for path in paths]
        return [value for value in values if isinstance(value, dict)]


@contextlib.contextmanager
def base_folder() -> Iterator[Path]:
    """Return the folder for worlds, in memory if possible, because every input writes files."""
    memory = Path("/dev/shm")
    with tempfile.TemporaryDirectory(prefix="weir-fuzz-", dir=memory if os.access(memory, os.W_OK) else None) as folder:
        yield Path(folder)
