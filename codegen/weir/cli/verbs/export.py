"""weir export: a project as a flowgraph of GNU Radio Companion."""

from __future__ import annotations

import argparse

from weir.cli.verbs import add_project_arguments, open_project
from weir.cli.verbs._grc import add_output_arguments, answer
from weir.cli.verbs._planning import add_plan_arguments

GROUP = "share"
HELP = "write a project as a flowgraph of GNU Radio Companion"


def add_parser(sub: argparse._SubParsersAction) -> argparse.ArgumentParser:
    parser = sub.add_parser("export", help=HELP, description=f"{HELP.capitalize()}.")
    add_project_arguments(parser)
    add_plan_arguments(parser)
    add_output_arguments(parser, "X.grc")
    return parser


def run(args: argparse.Namespace) -> int:
    from weir.diagnostics import has_errors
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
