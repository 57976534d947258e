"""The layout of `weir format`: positions for the blocks of a project, printed or written into it."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

from weir.cli.verbs import open_valid, read_input
from weir.diagnostics import WeirError, diagnostic, trying

MAXIMUM_BLOCKS = 20_000


def run(args: argparse.Namespace) -> int:
    """Lays out the one project, or the boxes, that the command line names."""
    from weir.model.document import jsontext
    from weir.read.reporting.scene import automatic_positions, build_scene

    if len(args.files) != 1 or args.check:
        raise WeirError(diagnostic("E_USAGE", "", "--layout takes exactly one FILE, and no --check"))
    [args.project] = args.files
    if args.boxes and args.sets:
        raise WeirError(diagnostic("E_USAGE", "", "--set does not apply to --boxes"))
    if args.boxes:
        sys.stdout.write(jsontext.write(_laid_out(_question(args.project))))
        return 0
    if args.sets and not args.json:
        raise WeirError(diagnostic("E_USAGE", "", "--set needs --json: it would be stored too"))
    checked = open_valid(args).checked.valid()
    scene = build_scene(checked.project, checked.catalog, checked.graph)
    positions = {name: list(at) for name, at in automatic_positions(scene.blocks, scene.wires).items()}
    if args.json:
        sys.stdout.write(jsontext.write(positions))
        return 0
    document = checked.project.document
    _write(args.project, jsontext.write({**document, "ui": {**document.get("ui", {}), "positions": positions}}))
    return 0


def _write(name: str, text: str) -> None:
    from weir.files import write_whole

    if name == "-":
        sys.stdout.write(text)
        return
    with trying(f"write {name}"):
        write_whole(Path(name), text)


def _question(source: str) -> dict:
    """The boxes in the file, or on standard input. WeirError where they are not what the schema asks for."""
    from weir.model.document import jsontext
    from weir.model.document.shape import check_shape

    value, faults = jsontext.read(read_input(source, jsontext.MAX_BYTES))
    faults = faults or check_shape(value, "boxes")
    if not faults and len(value["blocks"]) > MAXIMUM_BLOCKS:
        faults = [diagnostic("E_LAYOUT", "/blocks", f"{len(value['blocks'])} blocks are too many to be laid out",
                             f"{MAXIMUM_BLOCKS} are possible")]
    if faults:
        raise WeirError(faults)
    return value


def _laid_out(question: dict) -> dict[str, list[int]]:
    from weir.read.reporting.layout import Wire, layered

    sizes = {name: (size[0], size[1]) for name, size in question["blocks"].items()}
    room = tuple(question["room"]) if "room" in question else None
    return {name: list(at) for name, at in layered(sizes, [Wire(**w) for w in question["wires"]], room).items()}
