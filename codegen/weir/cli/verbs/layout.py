"""weir layout: positions for the blocks of a project, printed or written into it."""

from __future__ import annotations

import argparse
import sys

from weir.cli.verbs import add_project_arguments, open_valid, read_input
from weir.diagnostics import WeirError, diagnostic, os_error
from weir.sure import sure

GROUP = "draw"
HELP = "lay the blocks out from source to sink; prints their positions, or writes them with --write"
MAXIMUM_BLOCKS = 20_000


def add_parser(sub) -> argparse.ArgumentParser:
    parser = sub.add_parser("layout", help=HELP, description=HELP)
    add_project_arguments(parser)
    parser.add_argument("--write", action="store_true", help="store the positions in the project file")
    parser.add_argument("--boxes", action="store_true",
                        help="PROJECT is not a project but the sizes and wires of blocks as they are drawn: an "
                             "editor's question, also about a flowgraph that is not valid yet. With a room (the width "
                             "and the height of a window) in it, a flowgraph that is too wide is laid out in rows")
    return parser


def run(args: argparse.Namespace) -> int:
    from weir.files import write_whole
    from weir.model.document import jsontext
    from weir.read.reporting.scene import automatic_positions, build_scene

    if args.boxes and (args.write or args.sets):
        raise WeirError(diagnostic("E_USAGE", "", "--boxes goes with neither --write nor --set: there is no project"))
    if args.write and (args.project == "-" or args.sets):
        raise WeirError(diagnostic("E_USAGE", "", "--write needs a file, and no --set: it would be stored too"))
    if args.boxes:
        sys.stdout.write(jsontext.write(_laid_out(_question(args.project))))
        return 0
    checked = open_valid(args).checked.valid()
    scene = build_scene(checked.project, checked.catalog, checked.graph)
    positions = {name: list(at) for name, at in automatic_positions(scene.blocks, scene.wires).items()}
    if not args.write:
        sys.stdout.write(jsontext.write(positions))
        return 0
    document = {**checked.project.document, "ui": {**checked.project.document.get("ui", {}), "positions": positions}}
    try:
        write_whole(sure(checked.project.path), jsontext.write(document))
    except OSError as error:
        raise WeirError(os_error(error, f"write {args.project}")) from None
    return 0


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
