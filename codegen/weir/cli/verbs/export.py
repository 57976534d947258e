"""weir export: write a project for GNU Radio Companion or as a picture, and a sweep as a capsule."""

from __future__ import annotations

import argparse
import sys
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from weir.cli.verbs import (
    add_common,
    add_project_options,
    open_project,
    open_valid,
    refuse_given,
    requested_deployments,
    say,
    show,
)
from weir.cli.verbs._grc import answer
from weir.cli.verbs.plan import add_plan_arguments
from weir.diagnostics import WARNING, Diagnostic, WeirError, diagnostic, has_errors, trying

if TYPE_CHECKING:
    from weir.model.check import Checked

GROUP = "share"
HELP = "export a project to GNU Radio Companion or as a picture, or pack a finished sweep into a capsule"
FILES = "the file may be X.grc, X.svg, X.png, X.pdf or X.zip"


def add_parser(sub: argparse._SubParsersAction) -> argparse.ArgumentParser:
    parser = sub.add_parser("export", help=HELP, description=f"{HELP}. The suffix of the file decides.")
    parser.add_argument("project", metavar="PROJECT", help="project file (*.weir.json), or - for standard input; for "
                                                           "a capsule, the folder of a finished `weir sweep --out`")
    parser.add_argument("-o", "--output", metavar="FILE",
                        help="file to write: X.grc for GNU Radio Companion; X.svg, X.png or X.pdf for a picture; X.zip "
                             "for a capsule, which contains everything to repeat a sweep elsewhere; - prints the GNU "
                             "Radio flowgraph, or puts it into the answer of --json")
    add_common(parser, "--json")
    project = parser.add_argument_group("options for GNU Radio and pictures")
    add_project_options(project)
    add_plan_arguments(project)
    flowgraph = parser.add_argument_group("options for GNU Radio")
    flowgraph.add_argument("--force", action="store_true", help="replace an existing file with other contents")
    titled = parser.add_argument_group("options for pictures and capsules")
    titled.add_argument("--title", metavar="T",
                        help="title of the picture (default: the project's; empty: none), or title to cite a capsule "
                             "by")
    picture = parser.add_argument_group("options for pictures; --deployment colours the blocks by their workers")
    picture.add_argument("--picture", action="store_true", help="print the picture as SVG, without -o")
    capsule = parser.add_argument_group("options for capsules")
    capsule.add_argument("--author", action="append", default=[], metavar="NAME",
                         help="author of the measurements: `Family, Given`, or the name of a group; may be repeated")
    capsule.add_argument("--license", metavar="SPDX", help="licence of the measurements, such as CC-BY-4.0")
    parser.set_defaults(of_projects=project._group_actions, of_flowgraphs=flowgraph._group_actions,
                        titled=titled._group_actions, of_pictures=picture._group_actions,
                        of_capsules=capsule._group_actions)
    return parser


def run(args: argparse.Namespace) -> int:
    suffix = Path(args.output or "").suffix.lower().lstrip(".")
    if args.picture or suffix in FORMS:
        refuse_given(args, [*args.of_flowgraphs, *args.of_capsules], "does not apply to a picture")
        return _picture(args)
    if args.output is None:
        raise WeirError(diagnostic("E_USAGE", "", "-o FILE is required",
                                   f"{FILES}; --picture prints SVG"))
    if suffix == "zip" or suffix != "grc" and Path(args.project).is_dir():
        refuse_given(args, [*args.of_projects, *args.of_flowgraphs, *args.of_pictures], "does not apply to a capsule")
        return _capsule(args)
    refuse_given(args, [*args.titled, *args.of_pictures, *args.of_capsules], "does not apply to a flowgraph")
    if suffix not in ("grc", ""):
        raise WeirError(diagnostic("E_USAGE", "", f"{args.output}: unknown file type", FILES))
    return _flowgraph(args)


def _capsule(args: argparse.Namespace) -> int:
    """Pack the sweep into a capsule."""
    from weir.interop.capsule.about import Credits
    from weir.interop.capsule.archive import check_place, write
    from weir.interop.capsule.layout import CAPSULE
    from weir.interop.capsule.packing import contents
    from weir.lab.sweeping import state
    from weir.model.document import jsontext

    credits = Credits(args.title, tuple(args.author), args.license)
    credits.check()
    output = Path(args.output)
    check_place(output)
    at = state.read_state(Path(args.project))
    if at is None:
        raise WeirError(diagnostic("E_SWEEP_FOLDER", "", f"{args.project} is not the folder of a sweep",
                                   "`weir sweep P --out DIR` makes one"))
    found = contents(at, credits)
    remarks = jsontext.read(found[CAPSULE])[0]["remarks"]
    for remark in remarks:
        say(f"note: {remark}")
    digest = write(output, found)
    say(f"wrote {output}: {len(found) + 1} files; sha256 {digest}")
    if args.json:
        sys.stdout.write(jsontext.write({"output": str(output), "files": len(found) + 1, "sha256": digest,
                                         "remarks": remarks}))
    return 0


def _flowgraph(args: argparse.Namespace) -> int:
    """Write the GNU Radio flowgraph, and report how each part was translated."""
    from weir.interop.grc.exporting.exporter import export_project
    from weir.interop.grc.exporting.settings import needs_plan
    from weir.interop.grc.exporting.writing import write_grc

    pipeline = open_project(args)
    checked = pipeline.checked
    deployment = checked.loaded().deployment(args.deployment)
    plan = None
    if needs_plan(deployment, checked) and checked.graph and not has_errors(checked.diagnostics):
        plan = pipeline.plan(args.deployment).plan
    exported = export_project(checked, deployment, plan)
    return answer(args, exported.report, write_grc(exported.flow), checked.diagnostics)


FORMS = ("svg", "png", "pdf")


def _picture(args: argparse.Namespace) -> int:
    """Draw the flowgraph."""
    from weir.files import write_whole
    from weir.model.document import jsontext
    from weir.read.reporting.render import convert, svg
    from weir.read.reporting.scene import readable_scene

    output = Path(args.output) if args.output not in (None, "-") else None
    form = output.suffix.lstrip(".").lower() if output else "svg"
    if form not in FORMS:
        raise WeirError(diagnostic("E_USAGE", "", f"{output}: a picture's name must end in .svg, .png or .pdf"))
    if args.deployment is None:
        checked, workers = open_project(args).checked, None
        show(_drawable(checked, requested_deployments(args)), args.project)
    else:
        # The blocks are coloured by the workers that a deployment gives them.
        pipeline = open_valid(args)
        checked, workers = pipeline.checked, pipeline.plan(args.deployment).plan.owner_of
    scene = readable_scene(checked.loaded(), checked.catalog, checked.graph, workers)
    text = svg(replace(scene, title=args.title or scene.title), title=args.title != "")
    printed: dict[str, object] = {"output": output and str(output), "form": form}
    if output:
        data = text.encode() if form == "svg" else convert(text, form)
        with trying(f"write {output}"):
            write_whole(output, data)
    elif not args.json:
        sys.stdout.write(text)
    else:
        printed["document"] = text
    if args.json:
        sys.stdout.write(jsontext.write(printed))
    return 0


def _drawable(checked: Checked, requested: list[str] | None) -> list[Diagnostic]:
    """Return the diagnostics of a project that can be drawn. A missing block type, which an import may leave, is only
    a warning. Raises WeirError if the project cannot be drawn.
    """
    said = [replace(fault, severity=WARNING) if fault.code == "E_BLOCK_TYPE" else fault
            for fault in checked.concerning(requested)]
    if checked.project is None or has_errors(said):
        raise WeirError(said)
    return said
