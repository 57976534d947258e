"""weir format: write project files in canonical form, and lay out their blocks."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path
from typing import Any

from weir.cli.verbs import add_common, add_project_options, open_valid, read_input, refuse_given
from weir.diagnostics import WeirError, diagnostic, exit_code_for, format_for_people, os_error, trying

GROUP = "draw"
HELP = "rewrite project files in the canonical form that the editor writes, or lay out their blocks (--layout)"


def add_parser(sub: argparse._SubParsersAction) -> argparse.ArgumentParser:
    parser = sub.add_parser("format", help=HELP, description=HELP)
    parser.add_argument("files", nargs="+", metavar="FILE",
                        help="JSON file, or - to filter standard input to standard output")
    parser.add_argument("--check", action="store_true", help="change nothing; exit 1 if a file is not canonical")
    add_common(parser, "--json")
    layout = parser.add_argument_group("options that lay out one project")
    layout.add_argument("--layout", action="store_true",
                        help="lay out the blocks from source to sink, and write their positions into FILE; with "
                             "--json, print the positions and change nothing")
    layout.add_argument("--boxes", action="store_true",
                        help="with --layout: FILE describes drawn blocks (sizes and wires) instead of a project. The "
                             "editor uses this option, because a flowgraph may not be valid yet. If FILE has a `room` "
                             "(width and height of the window), Weir breaks a wider flowgraph into rows")
    add_project_options(layout)
    parser.set_defaults(of_layout=layout._group_actions)
    return parser


def run(args: argparse.Namespace) -> int:
    if args.layout:
        return _lay_out(args)
    refuse_given(args, args.of_layout, "needs --layout")
    from weir.model.document import jsontext

    code, answers = 0, []
    for name in args.files:
        answer, faults = _format(name, args)
        answers.append({"file": name, **answer, "diagnostics": [fault.as_json() for fault in faults]})
        if faults:
            print(format_for_people(faults, name, sys.stderr.isatty()), file=sys.stderr)
            code = code or exit_code_for(faults)
        elif args.check and not answer["canonical"]:
            print(f"{name}: not canonical", file=sys.stderr)
            code = code or 1
    if args.json:
        sys.stdout.write(jsontext.write(answers))
    return code


def _format(name: str, args: argparse.Namespace) -> tuple[dict[str, Any], list]:
    """Format one file. Returns the row of the answer, and the diagnostics if it failed."""
    from weir.files import write_whole
    from weir.model.document import jsontext

    try:
        data = read_input(name, jsontext.MAX_BYTES)
        if name.endswith(".grc"):
            raise WeirError([diagnostic("E_USAGE", "", f"{name} is a flowgraph of GNU Radio, not a project",
                                        f"weir import {name} -o P.weir.json makes a project of it")])
        value, faults = jsontext.read(data)
        if faults:
            return {"canonical": False}, faults
        text = jsontext.write(_respelled(value))
        same = text.encode() == data
        if name == "-" and args.json:
            return {"canonical": same, "text": text}, []
        if name == "-" and not args.check:
            sys.stdout.write(text)
        elif not same and not args.check:
            write_whole(Path(name), text)
        return {"canonical": same}, []
    except WeirError as error:
        return {"canonical": False}, error.diagnostics
    except OSError as error:
        return {"canonical": False}, [os_error(error, f"write {name}")]


def _respelled(value: Any) -> Any:
    """Return a project in the present spelling, and other JSON as it is."""
    from weir.model.document.spelling import current_document

    is_project = isinstance(value, dict) and {"schema_version", "graph"} <= value.keys()
    return current_document(value, "project").value if is_project else value


MAXIMUM_BLOCKS = 20_000


def _lay_out(args: argparse.Namespace) -> int:
    """Lay out the one project, or the boxes, that the command line names."""
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
        raise WeirError(diagnostic("E_USAGE", "", "--set with --layout needs --json: otherwise FILE would store the "
                                   "override"))
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
    """Read the boxes from the file or from standard input. Raises WeirError if they break the schema."""
    from weir.model.document import jsontext
    from weir.model.document.shape import check_shape

    value, faults = jsontext.read(read_input(source, jsontext.MAX_BYTES))
    faults = faults or check_shape(value, "boxes")
    if not faults and len(value["blocks"]) > MAXIMUM_BLOCKS:
        faults = [diagnostic("E_LAYOUT", "/blocks", f"{len(value['blocks'])} blocks are too many to lay out",
                             f"the limit is {MAXIMUM_BLOCKS}")]
    if faults:
        raise WeirError(faults)
    return value


def _laid_out(question: dict) -> dict[str, list[int]]:
    from weir.read.reporting.layout import Wire, layered

    sizes = {name: (size[0], size[1]) for name, size in question["blocks"].items()}
    room = tuple(question["room"]) if "room" in question else None
    return {name: list(at) for name, at in layered(sizes, [Wire(**w) for w in question["wires"]], room).items()}
