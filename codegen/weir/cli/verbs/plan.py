"""weir plan: show the plan of a deployment on a machine, requested and planned."""

from __future__ import annotations

import argparse
import sys
from typing import TYPE_CHECKING

from weir.cli.verbs import add_common, add_project_arguments, open_project, open_valid, requested_deployments, show
from weir.diagnostics import WeirError, exit_code_for, has_errors

if TYPE_CHECKING:
    from weir.diagnostics import Diagnostic
    from weir.engine.pipeline import Pipeline
    from weir.model.planning.machine import Machine
    from weir.model.planning.plan import Plan

GROUP = "run"
HELP = "show firing order, chunks, buffers, workers and CPUs: requested and planned"


def add_parser(sub) -> argparse.ArgumentParser:
    parser = sub.add_parser("plan", help=HELP, description=HELP)
    add_project_arguments(parser)
    add_plan_arguments(parser)
    add_common(parser, "--json")
    parser.add_argument("--diagnostics", action="store_true",
                        help="print {ok, plan, machine, diagnostics} as JSON, also for an invalid project")
    return parser


def run(args: argparse.Namespace) -> int:
    from weir.model.document import jsontext
    from weir.model.planning.plan_text import plan_table

    if args.diagnostics:
        plan, machine, said = _answer_of(args)
        sys.stdout.write(jsontext.write({"ok": plan is not None, "plan": plan and plan.as_json(),
                                         "machine": machine and machine.as_json(),
                                         "diagnostics": [it.as_json() for it in said]}))
        return 0 if plan else exit_code_for(said)
    pipeline = open_valid(args)
    plan = plan_of(args, pipeline)
    target = pipeline.checked.catalog.targets[plan.target]
    sys.stdout.write(jsontext.write(plan.as_json()) if args.json else plan_table(plan, pipeline.machine, target))
    return 0


def add_plan_arguments(parser: argparse.ArgumentParser) -> None:
    add_common(parser, "--deployment", "--machine", "--profile")


def plan_of(args: argparse.Namespace, pipeline: Pipeline) -> Plan:
    """Return the plan that the arguments request; warnings go to stderr."""
    planned = pipeline.plan(args.deployment, target=getattr(args, "target", None))
    show(planned.diagnostics, args.project)
    return planned.plan


def _answer_of(args: argparse.Namespace) -> tuple[Plan | None, Machine | None, list[Diagnostic]]:
    """Return the requested plan, its machine and all diagnostics. Plan and machine may be None."""
    found: list[Diagnostic] = []
    machine = None
    try:
        pipeline = open_project(args)
        try:
            machine = pipeline.machine
        except WeirError as error:
            found += error.diagnostics  # --machine belongs to this request, so its faults precede those of the project
        found += pipeline.checked.concerning(requested_deployments(args))
        if machine and not has_errors(found):
            planned = pipeline.plan(args.deployment)
            return planned.plan, machine, [*found, *planned.diagnostics]
    except WeirError as error:
        found += error.diagnostics
    return None, machine, found
