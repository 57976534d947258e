"""weir plan: what a deployment comes to on a machine, asked and planned."""

from __future__ import annotations

import argparse
import sys

from weir.verbs import add_json_argument, add_project_arguments, load_valid
from weir.verbs._planning import add_plan_arguments, plan_of

HELP = "show order, chunks, buffers, workers and CPUs: asked for and planned"


def add_parser(sub) -> argparse.ArgumentParser:
    parser = sub.add_parser("plan", help=HELP, description=HELP)
    add_project_arguments(parser)
    add_plan_arguments(parser)
    add_json_argument(parser)
    return parser


def run(args: argparse.Namespace) -> int:
    from weir.document import jsontext
    from weir.planning.plan_text import plan_table

    planned = plan_of(args, load_valid(args))
    sys.stdout.write(jsontext.write(planned.plan.as_json()) if args.json else plan_table(planned.plan, planned.machine))
    return 0
