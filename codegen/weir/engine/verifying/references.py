"""References of blocks in numpy: the `reference.py` beside their descriptors, loaded only when needed."""

from __future__ import annotations

import importlib.util
import sys
from collections.abc import Iterable
from functools import cache
from pathlib import Path
from types import ModuleType
from typing import Any

from weir import ROOT
from weir.model.catalog import BlockType
from weir.sure import sure

LIBRARY = ROOT / "block-library" / "reference" / "weir_reference.py"


class ReferenceFails(Exception):
    """A block's `reference.py` does not load, or raises when called. `block` is the id of the block's type."""

    def __init__(self, block: str, why: str):
        super().__init__(f"the reference.py of `{block}` fails: {why}")
        self.block = block


@cache
def library() -> ModuleType:
    """Return `weir_reference`, which every reference.py imports by that name."""
    found = sys.modules.get("weir_reference")
    return found or _module("weir_reference", LIBRARY)


def file_of(kind: BlockType) -> Path:
    """Return the file of a block's reference."""
    return kind.folder / "reference.py"


def missing(kinds: Iterable[BlockType]) -> list[str]:
    """Return the ids of block types without a reference, sorted."""
    return sorted({kind.id for kind in kinds if not file_of(kind).is_file()})


def references(kinds: Iterable[BlockType]) -> dict[str, Any]:
    """Return each block's reference (a `weir_reference.Block`) by id. Raises ReferenceFails if one cannot be loaded."""
    found = {}
    for kind in {kind.id: kind for kind in kinds}.values():
        try:
            found[kind.id] = _reference(kind.folder, file_of(kind).stat().st_mtime_ns)
        except Exception as error:  # importing a user's module can raise anything
            raise ReferenceFails(kind.id, f"{type(error).__name__}: {error}") from error
    return found


@cache
def _reference(folder: Path, changed_ns: int) -> object:
    """Return a block's reference; `changed_ns` reloads a changed file."""
    return library().load_block(folder)


def _module(name: str, path: Path) -> ModuleType:
    spec = sure(importlib.util.spec_from_file_location(name, path))
    module = importlib.util.module_from_spec(spec)
    sys.modules[name] = module
    sure(spec.loader).exec_module(module)
    return module
