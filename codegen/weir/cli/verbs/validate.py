"""weir validate: print all diagnostics of a project."""

from __future__ import annotations

import argparse
import json
import sys
from typing import TYPE_CHECKING

from weir.cli.verbs import add_common, add_project_arguments, open_project
from weir.diagnostics import exit_code_for, format_for_people, has_errors

if TYPE_CHECKING:
    from weir.diagnostics import Diagnostic
    from weir.engine.pipeline import Pipeline
    from weir.interop.grc.importing.hosting import Hosted
    from weir.model.check import Checked

GROUP = "draw"
HELP = "check a project and report all errors and warnings"


def add_parser(sub: argparse._SubParsersAction) -> argparse.ArgumentParser:
    parser = sub.add_parser("validate", help=HELP, description=HELP)
    add_project_arguments(parser)
    add_common(parser, "--machine", "--json")
    parser.add_argument("--values", action="store_true",
                        help="with --json: add the values of expressions, the item types and rates of ports, the "
                             "schedulers that cannot run the flowgraph, and the `essence` that `weir runs list` shows "
                             "for runs of this project")
    parser.add_argument("--revision", type=int, default=0, metavar="N", help="number to repeat in the answer")
    return parser


def run(args: argparse.Namespace) -> int:
    pipeline = open_project(args)
    checked = pipeline.checked
    hosted = _hosted(checked)
    diagnostics = (*checked.diagnostics, *_without_memory(checked), *_missing_cpus(pipeline),
                   *((*hosted.changed_ports(), *hosted.unknown()) if hosted else ()))
    ok = not has_errors(diagnostics)
    if args.json:
        answer = {"revision": args.revision, "ok": ok, "diagnostics": [d.as_json() for d in diagnostics]}
        if args.values:
            answer |= _values(checked) | ({"hidden": hosted.hidden()} if hosted else {})
        print(json.dumps(answer))
    elif diagnostics:
        print(format_for_people(diagnostics, args.project, sys.stderr.isatty()), file=sys.stderr)
    if ok and not args.json:
        print(f"{args.project}: valid")
    return exit_code_for(diagnostics)


def _without_memory(checked: Checked) -> list[Diagnostic]:
    """Return the errors of deployments whose requested buffers exceed this machine's memory. Needs no plan."""
    graph, project = checked.graph, checked.project
    requesting = [it for it in project.deployments if it.buffers] if project and graph else []
    if graph is None or not requesting:
        return []
    from weir.model.planning.memory import check_memory, machine_bytes, requested_bytes

    return [fault for it in requesting for fault in check_memory(it, requested_bytes(graph, it), machine_bytes())]


def _missing_cpus(pipeline: Pipeline) -> list[Diagnostic]:
    """Return warnings about CPUs that deployments name and the machine lacks."""
    from weir.model.planning.deployment_check import missing_cpus

    project = pipeline.checked.project
    naming = [it for it in project.deployments if it.affinity] if project else []
    if project is None or not naming:
        return []
    return project.located([fault for it in naming for fault in missing_cpus(it, pipeline.machine)])


def _hosted(checked: Checked) -> Hosted | None:
    """Return the blocks of a project that GNU Radio runs, None for another project."""
    if checked.project is None or "gnuradio" not in checked.project.document:
        return None
    from weir.interop.grc.importing.hosting import Hosted

    return Hosted(checked.project.document)


def _values(checked: Checked) -> dict[str, object]:
    from weir.model.document.essence import identity
    from weir.model.flowgraph.rates import port_facts
    from weir.model.planning.deployment_check import refused_schedulers

    return {"values": checked.project.expression_values() if checked.project else {},
            "blocks": port_facts(checked.graph) if checked.graph else {},
            "refused_schedulers": refused_schedulers(checked.graph, checked.catalog) if checked.graph else {},
            "essence": identity(checked.project.document) if checked.project else None}
