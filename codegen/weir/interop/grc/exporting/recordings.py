"""Recordings beside a flowgraph: GNU Radio finds them from the folder of the flowgraph, as when Companion starts it."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

from weir.interop.grc.expressions.evaluation import Namespace
from weir.interop.grc.expressions.parsing import NotUnderstood
from weir.interop.grc.importing.variables import Variables
from weir.interop.grc.reading.block_files import block_file
from weir.interop.grc.reading.flowgraph import Flowgraph, GrcBlock


def with_recordings(flow: Flowgraph, folder: Path) -> Flowgraph:
    """Return the flowgraph with whole paths of the files that its blocks read and that exist in its folder.

    A run has a working folder of its own, in which relative paths of files that blocks write begin.
    """
    names = Variables(flow).namespace
    return replace(flow, blocks=tuple(_with_paths(block, folder.absolute(), names) for block in flow.blocks))


def recordings(flow: Flowgraph, folder: Path) -> Iterator[str]:
    """Yield the paths, from the folder of the flowgraph, of the files that its blocks read and that exist."""
    names = Variables(flow).namespace
    for block in flow.blocks:
        yield from _read(block, folder, names).values()


def _with_paths(block: GrcBlock, folder: Path, names: Namespace) -> GrcBlock:
    found = {parameter: str(folder / path) for parameter, path in _read(block, folder, names).items()}
    return replace(block, parameters={**block.parameters, **found}) if found else block


def _read(block: GrcBlock, folder: Path, names: Namespace) -> dict[str, str]:
    """Return parameter -> path of a file."""
    file = block_file(block.id)
    return {it.id: path for it in (file.parameters if file else ()) if it.dtype == "file_open"
            if (path := _path(block.parameters.get(it.id, ""), names)) and (folder / path).is_file()}


def _path(text: str, names: Namespace) -> str:
    """Return the path that a parameter states, "" if it is not relative."""
    try:
        value = names.text_value(text) if text else ""
    except NotUnderstood:
        value = text
    path = value if isinstance(value, str) else text
    return "" if path.startswith("/") or "\0" in path else path
