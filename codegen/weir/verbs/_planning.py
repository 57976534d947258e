"""What the verbs that need a plan share."""

from __future__ import annotations

import argparse
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from weir.diagnostics import WeirError, format_for_people, has_errors
from weir.verbs import check_project, diagnostics_that_concern

if TYPE_CHECKING:
    from weir.check import Checked
    from weir.diagnostics import Diagnostic
    from weir.planning.machine import Machine
    from weir.planning.plan import Plan


@dataclass(frozen=True)
class PlanFor:
    plan: Plan
    machine: Machine


@dataclass(frozen=True)
class PlanAnswer:
    """What can be said of a project that may not be valid: None is what there is not."""

    plan: Plan | None
    machine: Machine | None
    diagnostics: list[Diagnostic]

    def as_json(self) -> dict[str, object]:
        return {
            "ok": self.plan is not None,
            "plan": self.plan and self.plan.as_json(),
            "machine": self.machine and self.machine.as_json(),
            "diagnostics": [d.as_json() for d in self.diagnostics],
        }


def add_plan_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--deployment", metavar="D", help="which deployment of the project; the first without this")
    parser.add_argument("--machine", metavar="FILE", type=Path,
                        help="plan for the machine of this file (weir topology --json) instead of this one")


def plan_of(args: argparse.Namespace, checked: Checked) -> PlanFor:
    """The plan that the arguments ask for; warnings go to stderr."""
    from weir.planning.topology import get_machine
    from weir.planning.plan import make_plan

    deployment = checked.project.deployment(args.deployment)
    machine = get_machine(args.machine)
    planned = make_plan(checked.project, checked.graph, checked.catalog, machine, deployment)
    if planned.diagnostics:
        print(format_for_people(planned.diagnostics, args.project, sys.stderr.isatty()), file=sys.stderr)
    return PlanFor(planned.plan, machine)


def answer_of(args: argparse.Namespace) -> PlanAnswer:
    """The plan that the arguments ask for, its machine, and every diagnostic on the way."""
    from weir.planning.topology import get_machine
    from weir.planning.plan import make_plan

    found: list[Diagnostic] = []
    machine = None
    try:
        machine = get_machine(args.machine)
    except WeirError as error:
        found += error.diagnostics
    try:
        checked = check_project(args)
        found += diagnostics_that_concern(args, checked)
        if machine and not has_errors(found):
            deployment = checked.project.deployment(args.deployment)
            planned = make_plan(checked.project, checked.graph, checked.catalog, machine, deployment)
            return PlanAnswer(planned.plan, machine, [*found, *planned.diagnostics])
    except WeirError as error:
        found += error.diagnostics
    return PlanAnswer(None, machine, found)
