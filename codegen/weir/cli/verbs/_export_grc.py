"""The flowgraphs of `weir export`: a project for GNU Radio Companion."""

from __future__ import annotations

import argparse

from weir.cli.verbs import open_project
from weir.cli.verbs._grc import answer


def run(args: argparse.Namespace) -> int:
    """Writes the flowgraph, and says what became of everything."""
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
