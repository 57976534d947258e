"""The flowgraphs of `weir import`: one of GNU Radio Companion becomes a project."""

from __future__ import annotations

import argparse
import os
import re
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from weir.cli.verbs import read_input
from weir.cli.verbs._grc import answer
from weir.diagnostics import WARNING, Diagnostic, WeirError

if TYPE_CHECKING:
    from weir.model.check import Checked

_LONGEST_SHOWN = 60


def run(args: argparse.Namespace) -> int:
    """Makes a project of the flowgraph, and says what became of everything."""
    from weir.interop.grc.importing.importer import Options, import_flowgraph
    from weir.interop.grc.reading.flowgraph import read_grc
    from weir.interop.grc.reading.yaml_text import MAX_BYTES
    from weir.model.catalog import load_catalog
    from weir.model.check import check
    from weir.model.document import jsontext

    [args.project] = args.sources
    catalog = load_catalog(args.block_path, args.scheduler_path, args.target_path)
    flow = read_grc(read_input(args.project, MAX_BYTES))
    directory = Path.cwd() if args.output == "-" else Path(args.output).resolve().parent
    options = Options(args.stub or "keep", files=args.files or "keep",
                      unread=lambda name, path: _unread(directory, path))
    imported = import_flowgraph(flow, catalog, options)
    checked = check(jsontext.write(imported.document), directory=directory, catalog=catalog)
    drawn = imported.document["ui"]["positions"]
    positions, faults = _laid_out(checked, args.room)
    if positions:
        # Where they were is what goes back, unless they are moved after this.
        imported.document["ui"]["positions"] = imported.document["x_grc"]["laid_out"] = positions
    return answer(args, imported.report, jsontext.write(imported.document), [*checked.diagnostics, *faults],
                  drawn if positions else None)


def _unread(directory: Path, path: str) -> str:
    """Why a project in `directory` cannot read a file; "" where it can."""
    from weir.model.document.values import is_allowed

    shown = path if len(path) <= _LONGEST_SHOWN else f"…{path[-_LONGEST_SHOWN:]}"
    if not is_allowed(path, directory, ()):
        return f"`{shown}` lies outside the project's folder"
    return "" if os.path.isfile(directory / path) else f"`{shown}` is not there"


def size(text: str) -> tuple[float, float]:
    """A size of a window. ArgumentTypeError where it is none."""
    found = re.fullmatch(r"(\d{1,6})x(\d{1,6})", text)
    if not found:
        raise argparse.ArgumentTypeError(f"`{text}` is not a size such as 1200x800")
    return float(found[1]), float(found[2])


def _laid_out(checked: Checked, room: tuple[float, float] | None
              ) -> tuple[dict[str, list[int]] | None, list[Diagnostic]]:
    """New places where the blocks, which are larger here, lie on each other; a warning where none is to be had."""
    from weir.read.reporting.scene import build_scene, positions_with_room

    if checked.project is None:
        return None, []
    try:
        positions = positions_with_room(build_scene(checked.project, checked.catalog, checked.graph), room)
    except WeirError as error:
        return None, [replace(fault, severity=WARNING) for fault in error.diagnostics]
    return {name: list(at) for name, at in positions.items()} if positions else None, []
