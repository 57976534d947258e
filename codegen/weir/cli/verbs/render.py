"""weir render: a picture of the flowgraph."""

from __future__ import annotations

import argparse
import sys
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from weir.cli.verbs import add_project_arguments, asked_deployments, open_project, open_valid, show
from weir.diagnostics import WARNING, Diagnostic, WeirError, diagnostic, has_errors, os_error

if TYPE_CHECKING:
    from weir.model.check import Checked

GROUP = "draw"
HELP = "draw the flowgraph as SVG, PNG or PDF"
FORMS = ("svg", "png", "pdf")


def add_parser(sub) -> argparse.ArgumentParser:
    parser = sub.add_parser("render", help=HELP, description=HELP)
    add_project_arguments(parser)
    parser.add_argument("-o", "--output", metavar="FILE", type=Path,
                        help="its suffix says the format; without it, SVG on stdout")
    parser.add_argument("--deployment", metavar="D",
                        help="colour the blocks by the worker that this deployment gives them")
    parser.add_argument("--machine", metavar="FILE", type=Path,
                        help="plan for this machine file instead of this machine")
    parser.add_argument("--no-title", action="store_true", help="leave the project's title out")
    return parser


def run(args: argparse.Namespace) -> int:
    from weir.files import write_whole
    from weir.read.reporting.render import convert, svg
    from weir.read.reporting.scene import build_scene

    form = args.output.suffix.lstrip(".").lower() if args.output else "svg"
    if form not in FORMS:
        raise WeirError(diagnostic("E_USAGE", "", f"{args.output}: the name must end with .svg, .png or .pdf"))
    if args.deployment is None:
        checked, workers = open_project(args).checked, None
        show(_drawable(checked, asked_deployments(args)), args.project)
    else:
        # The blocks are coloured by the workers that a deployment gives them.
        pipeline = open_valid(args)
        checked, workers = pipeline.checked, pipeline.plan(args.deployment).plan.owner_of
    scene = build_scene(checked.loaded(), checked.catalog, checked.graph, workers)
    text = svg(scene, title=not args.no_title)
    if not args.output:
        sys.stdout.write(text)
        return 0
    data = text.encode() if form == "svg" else convert(text, form)
    try:
        write_whole(args.output, data)
    except OSError as error:
        raise WeirError(os_error(error, f"write {args.output}")) from None
    return 0


def _drawable(checked: Checked, asked: list[str] | None) -> list[Diagnostic]:
    """What there is to say about a project that can be drawn: that a block is not there, as an import leaves it, is no
    more than a warning. WeirError where it cannot be.
    """
    said = [replace(fault, severity=WARNING) if fault.code == "E_BLOCK_TYPE" else fault
            for fault in checked.concerning(asked)]
    if checked.project is None or has_errors(said):
        raise WeirError(said)
    return said
