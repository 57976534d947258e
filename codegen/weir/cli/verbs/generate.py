"""weir generate: the C++ project of a deployment."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

from weir.cli.verbs import add_json_argument, add_project_arguments, open_valid
from weir.cli.verbs._planning import add_plan_arguments, plan_of

GROUP = "run"
HELP = "write a self-contained CMake project"


def add_parser(sub) -> argparse.ArgumentParser:
    parser = sub.add_parser("generate", help=HELP, description=HELP)
    add_project_arguments(parser)
    add_plan_arguments(parser)
    parser.add_argument("--target", metavar="T", help="which target's templates; the deployment's without this")
    parser.add_argument("-o", "--output", metavar="DIR", type=Path, required=True,
                        help="the folder to make; a project that Weir generated there before is replaced")
    add_json_argument(parser)
    return parser


def run(args: argparse.Namespace) -> int:
    from weir.model.document import jsontext

    pipeline = open_valid(args)
    plan = plan_of(args, pipeline)
    files = pipeline.write(plan, args.output)
    if args.json:
        sys.stdout.write(jsontext.write({"directory": str(args.output.absolute()), "deployment": plan.deployment.name,
                                         "files": files}))
    print(f"{args.output}: {len(files)} files", file=sys.stderr)
    return 0
