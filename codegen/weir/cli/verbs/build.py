"""weir build: the binary of a deployment."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

from weir.cli.verbs import add_json_argument, add_project_arguments, open_valid
from weir.cli.verbs._planning import add_plan_arguments, plan_of

GROUP = "run"
HELP = "generate and compile; prints where the binary is"


def add_parser(sub) -> argparse.ArgumentParser:
    parser = sub.add_parser("build", help=HELP, description=HELP)
    add_project_arguments(parser)
    add_plan_arguments(parser)
    parser.add_argument("--target", metavar="T", help="which target's templates; the deployment's without this")
    parser.add_argument("-o", "--output", metavar="DIR", type=Path,
                        help="generate into this folder and build in DIR/build; without this, the cache is used")
    parser.add_argument("--no-cache", action="store_true",
                        help="build of all the sources, the runtime's too, whatever was built before")
    parser.add_argument("--progress", choices=("json",), help="json: an object a line on standard error")
    add_json_argument(parser)
    return parser


def run(args: argparse.Namespace) -> int:
    from weir.engine.measuring.child import emit_progress
    from weir.model.document import jsontext

    def say(what: str) -> None:
        if args.progress:
            emit_progress({"phase": what, "done": 0, "total": None, "eta_s": None, "run_id": None,
                           "items_per_s": None})
        else:
            print(f"weir: {what}", file=sys.stderr)

    pipeline = open_valid(args)
    built = pipeline.build(plan_of(args, pipeline), say, args.output, args.no_cache)
    if args.json:
        sys.stdout.write(jsontext.write({
            "binary": str(built.binary), "directory": str(built.directory), "binary_hash": built.binary_hash,
            "compiler": built.compiler, "flags": list(built.flags), "seconds": built.seconds, "reused": built.reused}))
    else:
        print(built.binary)
    return 0
