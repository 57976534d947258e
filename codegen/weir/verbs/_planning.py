"""What the verbs that need a plan share."""

from __future__ import annotations

import argparse
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from weir.diagnostics import format_for_people

if TYPE_CHECKING:
    from weir.check import Checked
    from weir.planning.machine import Machine
    from weir.planning.plan import Plan


@dataclass(frozen=True)
class PlanFor:
    plan: Plan
    machine: Machine


def add_plan_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--deployment", metavar="D", help="which deployment of the project; the first without this")
    parser.add_argument("--machine", metavar="FILE", type=Path,
                        help="plan for the machine of this file (weir topology --json) instead of this one")


def plan_of(args: argparse.Namespace, checked: Checked) -> PlanFor:
    """The plan that the arguments ask for; warnings go to stderr."""
    from weir.planning.machine import get_machine
    from weir.planning.plan import make_plan

    deployment = checked.project.deployment(args.deployment)
    machine = get_machine(args.machine)
    planned = make_plan(checked.project, checked.graph, checked.catalog, machine, deployment)
    if planned.diagnostics:
        print(format_for_people(planned.diagnostics, args.project, sys.stderr.isatty()), file=sys.stderr)
    return PlanFor(planned.plan, machine)
