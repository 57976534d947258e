"""weir import: a flowgraph of GNU Radio Companion as a project."""

from __future__ import annotations

import argparse
from pathlib import Path

from weir.verbs import add_catalog_arguments, read_input
from weir.verbs._grc import add_output_arguments, answer

HELP = "make a project of a flowgraph of GNU Radio Companion"


def add_parser(sub: argparse._SubParsersAction) -> argparse.ArgumentParser:
    parser = sub.add_parser("import", help=HELP, description=f"{HELP.capitalize()}; nothing of it is executed.")
    parser.add_argument("flowgraph", metavar="X.grc", help="the flowgraph (GNU Radio 3.8 to 3.10), or - for standard "
                                                          "input")
    parser.add_argument("--stub", choices=("keep", "copy"), default="keep",
                        help="what becomes of blocks that Weir lacks: they stay as stubs, which cannot run (keep), or "
                             "blocks that move as many items stand in (copy)")
    add_output_arguments(parser, "P.weir.json")
    add_catalog_arguments(parser)
    return parser


def run(args: argparse.Namespace) -> int:
    from weir.catalog import load_catalog
    from weir.check import check
    from weir.document import jsontext
    from weir.grc.reading import read_grc
    from weir.grc.importing import Options, import_flowgraph
    from weir.grc.yaml_text import MAX_BYTES

    args.project = args.flowgraph  # what the messages name
    catalog = load_catalog(args.block_path, args.scheduler_path, args.target_path)
    flow = read_grc(read_input(args.flowgraph, MAX_BYTES))
    imported = import_flowgraph(flow, catalog, Options(args.stub))
    text = jsontext.write(imported.document)
    directory = Path.cwd() if args.output == "-" else Path(args.output).resolve().parent
    return answer(args, imported.report, text, check(text, directory=directory, catalog=catalog).diagnostics)
