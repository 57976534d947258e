"""What the verbs that need a plan share."""

from __future__ import annotations

import argparse
from dataclasses import dataclass
from typing import TYPE_CHECKING

from weir.cli.verbs import add_common, asked_deployments, open_project, show
from weir.diagnostics import WeirError, has_errors

if TYPE_CHECKING:
    from weir.diagnostics import Diagnostic
    from weir.engine.pipeline import Pipeline
    from weir.model.planning.machine import Machine
    from weir.model.planning.plan import Plan


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
    add_common(parser, "--deployment", "--machine", "--profile")


def plan_of(args: argparse.Namespace, pipeline: Pipeline) -> Plan:
    """The plan that the arguments ask for; warnings go to stderr."""
    planned = pipeline.plan(args.deployment, target=getattr(args, "target", None))
    show(planned.diagnostics, args.project)
    return planned.plan


def answer_of(args: argparse.Namespace) -> PlanAnswer:
    """The plan that the arguments ask for, its machine, and every diagnostic on the way."""
    found: list[Diagnostic] = []
    machine = None
    try:
        pipeline = open_project(args)
        try:
            machine = pipeline.machine
        except WeirError as error:
            found += error.diagnostics  # the first that is said: the machine was chosen for this question
        found += pipeline.checked.concerning(asked_deployments(args))
        if machine and not has_errors(found):
            planned = pipeline.plan(args.deployment)
            return PlanAnswer(planned.plan, machine, [*found, *planned.diagnostics])
    except WeirError as error:
        found += error.diagnostics
    return PlanAnswer(None, machine, found)
