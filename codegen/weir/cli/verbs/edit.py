"""`weir edit`: the help of the editor. The launcher builds and starts it, before Python runs."""

from __future__ import annotations

import argparse

from weir.cli.verbs import add_catalog_arguments
from weir.diagnostics import WeirError, diagnostic

GROUP = "draw"
HELP = "open the editor"


def add_parser(sub: argparse._SubParsersAction) -> argparse.ArgumentParser:
    parser = sub.add_parser("edit", help=HELP,
                            description="Open the editor; it is built first when its sources changed.")
    parser.add_argument("project", metavar="PROJECT", nargs="?", help="project file (*.weir.json)")
    parser.add_argument("--screenshot", metavar="FILE", help="write a picture of the window, and close it")
    parser.add_argument("--view", metavar="NAME", help="the view to begin with, such as canvas, lanes or results")
    parser.add_argument("--out", metavar="DIR", help="folder of the run directories: those in it are shown, and new "
                                                      "ones go there; else runs beside the project, where those "
                                                      "of runs in the present folder are shown, too")
    parser.add_argument("--theme", choices=("light", "dark"), help="colours of the window")
    parser.add_argument("--size", metavar="WxH", help="size of the window")
    parser.add_argument("--select", metavar="BLOCK", help="the block that is selected at first")
    add_catalog_arguments(parser)
    return parser


def run(args: argparse.Namespace) -> int:
    raise WeirError(diagnostic("E_USAGE", "", "the editor is started by the launcher", "use ./weir edit"))
