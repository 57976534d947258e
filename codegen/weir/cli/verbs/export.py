"""weir export: a project for GNU Radio Companion or as a picture, and a sweep as one file."""

from __future__ import annotations

import argparse
from pathlib import Path

from weir.cli.verbs import _export_capsule, _export_grc, _export_picture, add_common, add_project_options, refuse_given
from weir.cli.verbs._planning import add_plan_arguments
from weir.diagnostics import WeirError, diagnostic

GROUP = "share"
HELP = "write a project as a flowgraph of GNU Radio Companion or a picture, and a sweep as a capsule"
FILES = "the file may be X.grc, X.svg, X.png, X.pdf or X.zip"


def add_parser(sub: argparse._SubParsersAction) -> argparse.ArgumentParser:
    parser = sub.add_parser("export", help=HELP, description=f"{HELP}. The name of the file says which.")
    parser.add_argument("project", metavar="PROJECT", help="project file (*.weir.json), or - for standard input; for "
                                                           "a capsule, the folder of a finished `weir sweep --out`")
    parser.add_argument("-o", "--output", metavar="FILE",
                        help="the file to write: X.grc; X.svg, X.png or X.pdf; X.zip, a capsule, which has all that "
                             "it takes to repeat a sweep elsewhere; - for a flowgraph on standard output, which "
                             "--json puts into its answer")
    add_common(parser, "--json")
    project = parser.add_argument_group("of a flowgraph, and a picture")
    add_project_options(project)
    add_plan_arguments(project)
    flowgraph = parser.add_argument_group("of a flowgraph")
    flowgraph.add_argument("--force", action="store_true", help="replace a file that is there and says something else")
    titled = parser.add_argument_group("of a picture, and a capsule")
    titled.add_argument("--title", metavar="T",
                        help="title of the picture, instead of the project's (an empty one draws none); title of the "
                             "measurements, to cite them by")
    picture = parser.add_argument_group("of a picture; --deployment colours the blocks by their workers")
    picture.add_argument("--picture", action="store_true", help="without -o, print the picture as SVG")
    capsule = parser.add_argument_group("of a capsule")
    capsule.add_argument("--author", action="append", default=[], metavar="NAME",
                         help="who made them: `Family, Given`, or the name of a group; may be repeated")
    capsule.add_argument("--license", metavar="SPDX", help="under which others may use them, such as CC-BY-4.0")
    parser.set_defaults(of_projects=project._group_actions, of_flowgraphs=flowgraph._group_actions,
                        titled=titled._group_actions, of_pictures=picture._group_actions,
                        of_capsules=capsule._group_actions)
    return parser


def run(args: argparse.Namespace) -> int:
    suffix = Path(args.output or "").suffix.lower().lstrip(".")
    if args.picture or suffix in _export_picture.FORMS:
        refuse_given(args, [*args.of_flowgraphs, *args.of_capsules], "does not apply to a picture")
        return _export_picture.run(args)
    if args.output is None:
        raise WeirError(diagnostic("E_USAGE", "", "-o FILE is required",
                                   f"{FILES}; --picture prints SVG"))
    if suffix == "zip" or suffix != "grc" and Path(args.project).is_dir():
        refuse_given(args, [*args.of_projects, *args.of_flowgraphs, *args.of_pictures], "does not apply to a capsule")
        return _export_capsule.run(args)
    refuse_given(args, [*args.titled, *args.of_pictures, *args.of_capsules], "does not apply to a flowgraph")
    if suffix not in ("grc", ""):
        raise WeirError(diagnostic("E_USAGE", "", f"{args.output}: unknown file type", FILES))
    return _export_grc.run(args)
