"""The pictures of `weir export`: the flowgraph as SVG, PNG or PDF."""

from __future__ import annotations

import argparse
import sys
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from weir.cli.verbs import asked_deployments, open_project, open_valid, show
from weir.diagnostics import WARNING, Diagnostic, WeirError, diagnostic, has_errors, trying

if TYPE_CHECKING:
    from weir.model.check import Checked

FORMS = ("svg", "png", "pdf")


def run(args: argparse.Namespace) -> int:
    """Draws the flowgraph."""
    from weir.files import write_whole
    from weir.model.document import jsontext
    from weir.read.reporting.render import convert, svg
    from weir.read.reporting.scene import build_scene

    output = Path(args.output) if args.output not in (None, "-") else None
    form = output.suffix.lstrip(".").lower() if output else "svg"
    if form not in FORMS:
        raise WeirError(diagnostic("E_USAGE", "", f"{output}: the name of a picture must end with .svg, .png or .pdf"))
    if args.deployment is None:
        checked, workers = open_project(args).checked, None
        show(_drawable(checked, asked_deployments(args)), args.project)
    else:
        # The blocks are coloured by the workers that a deployment gives them.
        pipeline = open_valid(args)
        checked, workers = pipeline.checked, pipeline.plan(args.deployment).plan.owner_of
    scene = build_scene(checked.loaded(), checked.catalog, checked.graph, workers)
    text = svg(replace(scene, title=args.title or scene.title), title=args.title != "")
    answer: dict[str, object] = {"output": output and str(output), "form": form}
    if output:
        data = text.encode() if form == "svg" else convert(text, form)
        with trying(f"write {output}"):
            write_whole(output, data)
    elif not args.json:
        sys.stdout.write(text)
    else:
        answer["document"] = text
    if args.json:
        sys.stdout.write(jsontext.write(answer))
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
