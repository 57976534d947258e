"""weir import: import a flowgraph of GNU Radio Companion as a project, or results of other programs as runs."""

from __future__ import annotations

import argparse
import os
import re
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from weir.cli.verbs import _import_runs, add_catalog_arguments, add_common, read_input, refuse_given
from weir.cli.verbs._grc import answer
from weir.diagnostics import WARNING, Diagnostic, WeirError, diagnostic

if TYPE_CHECKING:
    from weir.model.check import Checked

GROUP = "share"
HELP = "import a flowgraph of GNU Radio Companion as a project, or the results of other programs as run directories"


def add_parser(sub: argparse._SubParsersAction) -> argparse.ArgumentParser:
    parser = sub.add_parser("import", help=HELP, description=f"{HELP}. Weir executes no imported code and leaves the "
                            "sources unchanged. docs/tracepoints.md describes the files that another program has to "
                            "write.")
    parser.add_argument("sources", nargs="+", metavar="SOURCE",
                        help="with -o, a flowgraph X.grc (GNU Radio 3.7 to 3.10, or 4), or - for standard input; "
                             "without -o, folders that contain the results.json of a program, or folders of such "
                             "folders")
    parser.add_argument("-o", "--output", metavar="P.weir.json",
                        help="project to write, or - for standard output; with - and --json, the answer contains the "
                             "project")
    parser.add_argument("--out", type=Path, default=Path("runs"), metavar="DIR",
                        help="folder of the run directories (default: runs)")
    add_common(parser, "--json")
    add_catalog_arguments(parser)
    flowgraph = parser.add_argument_group("options for flowgraphs")
    flowgraph.add_argument("--stub", choices=("host", "keep", "copy"),
                           help="let GNU Radio run the whole flowgraph (host, the default if Weir lacks a block), or "
                                "keep the blocks that Weir lacks as stubs, which cannot run (keep), or replace them "
                                "with blocks that move the same number of items (copy)")
    flowgraph.add_argument("--files", choices=("keep", "random"),
                           help="recordings that are missing or outside the project's folder: keep their paths (keep, "
                                "the default; the project then cannot run), or replace them with random sources "
                                "(random)")
    flowgraph.add_argument("--room", type=_size, metavar="WxH",
                           help="size of the editor's canvas. If blocks overlap, Weir arranges them anew and breaks a "
                                "flowgraph wider than the canvas into rows (default: 1050x600)")
    flowgraph.add_argument("--force", action="store_true", help="replace an existing file with other contents")
    runs = parser.add_argument_group("options for runs")
    runs.add_argument("--machine", type=Path, metavar="FILE",
                      help="machine file of the machine that a generated program was planned for, or that another "
                           "program ran on (default: this machine)")
    runs.add_argument("--tree", type=Path, metavar="DIR",
                      help="folder of the generated project (default: Weir searches SOURCE, its parents and the "
                           "current folder)")
    runs.add_argument("--folder", type=Path, metavar="DIR",
                      help="folder that relative paths in a generated program's blocks start from (default: the "
                           "current folder)")
    runs.add_argument("--project", type=Path, metavar="P", dest="of_project",
                      help="project that another program ran (default: the only *.weir.json in SOURCE)")
    runs.add_argument("--deployment", metavar="D", help="deployment that the run belongs to (default: the first)")
    runs.add_argument("--trace", type=Path, metavar="DIR", help="LTTng trace of the run (default: the one in SOURCE)")
    runs.add_argument("--keep-trace", action="store_true", help="copy the trace into the run directory")
    add_common(runs, "--set", "--allow-path")
    parser.set_defaults(of_flowgraphs=flowgraph._group_actions, of_runs=runs._group_actions)
    return parser


def run(args: argparse.Namespace) -> int:
    if args.output is None:
        if any(source == "-" or source.endswith(".grc") for source in args.sources):
            raise WeirError(diagnostic("E_USAGE", "", "importing a flowgraph needs -o P.weir.json"))
        refuse_given(args, args.of_flowgraphs, "needs -o P.weir.json, and a flowgraph")
        return _import_runs.run(args)
    if len(args.sources) != 1:
        raise WeirError(diagnostic("E_USAGE", "", f"-o takes one flowgraph, but {len(args.sources)} were given"))
    refuse_given(args, args.of_runs, "applies to runs, which take no -o")
    return _flowgraph(args)


_LONGEST_SHOWN = 60


def _flowgraph(args: argparse.Namespace) -> int:
    """Write the flowgraph as a project, and report how each part was translated."""
    from weir.interop.grc.importing.hosting import Hosted
    from weir.interop.grc.importing.importer import Options, import_flowgraph, import_to_run
    from weir.interop.grc.reading.flowgraph import read_grc
    from weir.interop.grc.reading.yaml_text import MAX_BYTES
    from weir.model.catalog import load_catalog
    from weir.model.check import check
    from weir.model.document import jsontext

    [args.project] = args.sources
    catalog = load_catalog(args.block_path, args.scheduler_path, args.target_path)
    flow = read_grc(read_input(args.project, MAX_BYTES), "" if args.project == "-" else Path(args.project).stem)
    directory = Path.cwd() if args.output == "-" else Path(args.output).resolve().parent
    options = Options(args.stub or "keep", files=args.files or "keep",
                      unread=lambda name, path: _unread(directory, path))
    imported = (import_flowgraph if args.stub else import_to_run)(flow, catalog, options)
    checked = check(jsontext.write(imported.document), directory=directory, catalog=catalog)
    drawn = imported.document["ui"]["positions"]
    positions, faults = _laid_out(checked, args.room)
    if positions:
        # The export restores the original positions unless the user moves blocks.
        kept = "gnuradio" in imported.document
        imported.document["ui"]["positions"] = positions
        if not flow.is_gr4:
            imported.document["gnuradio" if kept else "x_grc"]["x_laid_out" if kept else "laid_out"] = positions
    unknown = Hosted(imported.document).unknown() if "gnuradio" in imported.document else ()
    return answer(args, imported.report, jsontext.write(imported.document),
                  [*checked.diagnostics, *unknown, *faults], drawn if positions else None)


def _unread(directory: Path, path: str) -> str:
    """Return the reason why a project in `directory` cannot read a file, or ""."""
    from weir.model.document.values import is_allowed

    shown = path if len(path) <= _LONGEST_SHOWN else f"…{path[-_LONGEST_SHOWN:]}"
    if not is_allowed(path, directory, ()):
        return f"`{shown}` lies outside the project's folder"
    return "" if os.path.isfile(directory / path) else f"`{shown}` is missing"


def _size(text: str) -> tuple[float, float]:
    """Parse the size of a window. Raises ArgumentTypeError if it is malformed."""
    found = re.fullmatch(r"(\d{1,6})x(\d{1,6})", text)
    if not found:
        raise argparse.ArgumentTypeError(f"`{text}` is not a size such as 1200x800")
    return float(found[1]), float(found[2])


def _laid_out(checked: Checked, room: tuple[float, float] | None
              ) -> tuple[dict[str, list[int]] | None, list[Diagnostic]]:
    """Return new positions if the blocks overlap, since Weir draws them larger; a warning if the layout fails."""
    from weir.read.reporting.scene import ROOM, build_scene, positions_with_room

    if checked.project is None:
        return None, []
    try:
        positions = positions_with_room(build_scene(checked.project, checked.catalog, checked.graph), room or ROOM)
    except WeirError as error:
        return None, [replace(fault, severity=WARNING) for fault in error.diagnostics]
    return {name: list(at) for name, at in positions.items()} if positions else None, []
