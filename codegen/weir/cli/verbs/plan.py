"""weir plan: what a deployment comes to on a machine, asked and planned."""

from __future__ import annotations

import argparse
import sys

from weir.cli.verbs import add_common, add_project_arguments, open_valid
from weir.cli.verbs._planning import add_plan_arguments, answer_of, plan_of
from weir.diagnostics import exit_code_for

GROUP = "run"
HELP = "show order, chunks, buffers, workers and CPUs: asked for and planned"


def add_parser(sub) -> argparse.ArgumentParser:
    parser = sub.add_parser("plan", help=HELP, description=HELP)
    add_project_arguments(parser)
    add_plan_arguments(parser)
    add_common(parser, "--json")
    parser.add_argument("--diagnostics", action="store_true",
                        help="print {ok, plan, machine, diagnostics} as JSON, also for a project that is not valid")
    return parser


def run(args: argparse.Namespace) -> int:
    from weir.model.document import jsontext
    from weir.model.planning.plan_text import plan_table

    if args.diagnostics:
        answer = answer_of(args)
        sys.stdout.write(jsontext.write(answer.as_json()))
        return 0 if answer.plan else exit_code_for(answer.diagnostics)
    pipeline = open_valid(args)
    plan = plan_of(args, pipeline)
    target = pipeline.checked.catalog.targets[plan.target]
    sys.stdout.write(jsontext.write(plan.as_json()) if args.json else plan_table(plan, pipeline.machine, target))
    return 0
