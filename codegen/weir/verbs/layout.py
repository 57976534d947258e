"""weir layout: positions for the blocks of a project, printed or written into it."""

from __future__ import annotations

import argparse
import sys

from weir.diagnostics import WeirError, diagnostic, os_error
from weir.verbs import add_project_arguments, load_valid

HELP = "lay the blocks out from source to sink; prints their positions, or writes them with --write"


def add_parser(sub) -> argparse.ArgumentParser:
    parser = sub.add_parser("layout", help=HELP, description=HELP)
    add_project_arguments(parser)
    parser.add_argument("--write", action="store_true", help="store the positions in the project file")
    return parser


def run(args: argparse.Namespace) -> int:
    from weir.document import jsontext
    from weir.files import write_whole
    from weir.reporting.scene import automatic_positions, build_scene

    if args.write and (args.project == "-" or args.sets):
        raise WeirError(diagnostic("E_USAGE", "", "--write needs a file, and no --set: it would be stored too"))
    checked = load_valid(args)
    scene = build_scene(checked.project, checked.catalog, checked.graph)
    positions = {name: list(at) for name, at in automatic_positions(scene.blocks, scene.wires).items()}
    if not args.write:
        sys.stdout.write(jsontext.write(positions))
        return 0
    document = {**checked.project.document, "ui": {**checked.project.document.get("ui", {}), "positions": positions}}
    try:
        write_whole(checked.project.path, jsontext.write(document))
    except OSError as error:
        raise WeirError(os_error(error, f"write {args.project}")) from None
    return 0
