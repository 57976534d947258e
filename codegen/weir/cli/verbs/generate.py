"""weir generate: write the program of a deployment as source code, and compile it with --build."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path
from typing import TYPE_CHECKING

from weir.cli.verbs import add_common, add_project_arguments, open_valid, refuse_given, say
from weir.cli.verbs.plan import add_plan_arguments, plan_of
from weir.diagnostics import WeirError, diagnostic

if TYPE_CHECKING:
    from weir.engine.pipeline import Pipeline

GROUP = "run"
HELP = "generate a self-contained CMake project, and with --build compile it"


def add_parser(sub) -> argparse.ArgumentParser:
    parser = sub.add_parser("generate", help=HELP, description=HELP)
    add_project_arguments(parser)
    add_plan_arguments(parser)
    parser.add_argument("--target", metavar="T", help="target to generate for (default: the deployment's)")
    parser.add_argument("-o", "--output", metavar="DIR", type=Path,
                        help="folder to create; Weir replaces a project that it generated there before. --build "
                             "compiles in DIR/build, or without -o in the cache")
    add_common(parser, "--json")
    build = parser.add_argument_group("options that compile")
    build.add_argument("--build", action="store_true", help="also compile the project, and print the binary's path")
    build.add_argument("--no-cache", action="store_true",
                       help="with --build: recompile all sources, including the runtime's")
    build.add_argument("--progress", choices=("json",), help="with --build: report progress as one JSON object per "
                                                             "line on standard error")
    add_common(build, "--trust")
    parser.set_defaults(of_builds=build._group_actions)
    return parser


def run(args: argparse.Namespace) -> int:
    if not args.build:
        if args.output is None:
            raise WeirError(diagnostic("E_USAGE", "", "-o DIR is missing",
                                       "with --build, -o is optional: Weir then compiles in the cache"))
        refuse_given(args, args.of_builds, "needs --build")
    return (_build if args.build else _write)(args, open_valid(args))


def _write(args: argparse.Namespace, pipeline: Pipeline) -> int:
    from weir.model.document import jsontext

    plan = plan_of(args, pipeline)
    files = pipeline.write(plan, args.output)
    if args.json:
        sys.stdout.write(jsontext.write({"directory": str(args.output.absolute()), "deployment": plan.deployment.name,
                                         "files": files}))
    print(f"{args.output}: {len(files)} files", file=sys.stderr)
    return 0


def _build(args: argparse.Namespace, pipeline: Pipeline) -> int:
    from weir.engine.measuring.child import emit_progress
    from weir.model.document import jsontext

    def report(what: str) -> None:
        if args.progress:
            emit_progress({"phase": what, "done": 0, "total": None, "eta_s": None, "run_id": None,
                           "items_per_s": None})
        else:
            say(what)

    built = pipeline.build(plan_of(args, pipeline), report, args.output, args.no_cache)
    if args.json:
        sys.stdout.write(jsontext.write({
            "binary": str(built.binary), "directory": str(built.directory), "binary_hash": built.binary_hash,
            "compiler": built.compiler, "flags": list(built.flags), "seconds": built.seconds, "reused": built.reused}))
    else:
        print(built.binary)
    return 0
