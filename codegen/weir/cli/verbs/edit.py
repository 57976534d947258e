"""weir edit: help of the editor. The launcher builds and starts it before Python runs."""

from __future__ import annotations

import argparse

from weir.cli.verbs import add_catalog_arguments
from weir.diagnostics import WeirError, diagnostic

GROUP = "draw"
HELP = "open the editor"


def add_parser(sub: argparse._SubParsersAction) -> argparse.ArgumentParser:
    parser = sub.add_parser("edit", help=HELP, description=f"{HELP}. Weir first builds it if the sources changed.")
    parser.add_argument("project", metavar="PROJECT", nargs="?",
                        help="project (*.weir.json) or flowgraph of GNU Radio (*.grc)")
    parser.add_argument("--screenshot", metavar="FILE", help="write a picture of the window to FILE, and quit")
    parser.add_argument("--view", metavar="NAME", help="first view, such as canvas, lanes or results")
    parser.add_argument("--out", metavar="DIR",
                        help="folder of run directories to show and to write to (default: `runs` beside the project; "
                             "the editor also shows the runs in ./runs)")
    parser.add_argument("--theme", choices=("light", "dark"), help="colour theme of the window")
    parser.add_argument("--size", metavar="WxH", help="size of the window")
    parser.add_argument("--select", metavar="BLOCK", help="block to select at the start")
    add_catalog_arguments(parser)
    return parser


def run(args: argparse.Namespace) -> int:
    raise WeirError(diagnostic("E_USAGE", "", "only the launcher can start the editor", "use ./weir edit"))
