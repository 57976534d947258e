"""weir doctor: what is wrong with this machine for measuring."""

from __future__ import annotations

import argparse
import sys
from typing import TYPE_CHECKING

from weir.diagnostics import wants_colour
from weir.verbs import add_json_argument, add_project_arguments, open_valid

if TYPE_CHECKING:
    from weir.doctoring.deployed import Deployed
    from weir.doctoring.sight import Sight

HELP = "tell what makes measurements noisy on this machine, and what mends it"


def add_parser(sub) -> argparse.ArgumentParser:
    parser = sub.add_parser("doctor", help=HELP,
                            description=f"{HELP}; with a project, to which deployments it matters. The exit code is 0 "
                                        "whatever is found")
    add_project_arguments(parser, optional=True)
    add_json_argument(parser)
    return parser


def run(args: argparse.Namespace) -> int:
    from weir.document import jsontext
    from weir.doctoring.examination import examine
    from weir.doctoring.page import page
    from weir.doctoring.sight import Sight
    from weir.measuring.environment import volk_machine

    deployments = _deployments(args) if args.project else []
    sight = Sight(deployments=deployments, volk_machine=volk_machine)
    findings = examine(sight)
    about = {"machine": _machine(sight), "project": args.project,
             "deployments": [deployment.name for deployment in deployments]}
    answer = {**about, "findings": [finding.as_json() for finding in findings]}
    sys.stdout.write(jsontext.write(answer) if args.json else page(about, findings, wants_colour(sys.stdout)))
    return 0


def _deployments(args: argparse.Namespace) -> list[Deployed]:
    """All of the project, as they are planned for this machine. WeirError where it is not valid."""
    from weir.doctoring.deployed import Deployed

    pipeline = open_valid(args)
    names = [deployment.name for deployment in pipeline.checked.project.deployments]
    return [Deployed.of_plan(pipeline.plan(name).plan.as_json(), volk=pipeline.calls_volk) for name in names]


def _machine(sight: Sight) -> dict[str, object]:
    from weir.measuring.environment import cpu_name, host

    return {"host": host()["name"], "cpu": cpu_name(), "cpus": len(sight.online), "kernel": sight.release,
            "virtual": sight.virtual or None, "container": sight.container}
