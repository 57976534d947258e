"""`weir validate`: every diagnostic of a project."""

import argparse
import json
import sys

from weir.diagnostics import exit_code_for, format_for_people, has_errors
from weir.verbs import add_json_argument, add_project_arguments, check_project

HELP = "check a project and say everything that is wrong with it"


def add_parser(sub: argparse._SubParsersAction) -> argparse.ArgumentParser:
    parser = sub.add_parser("validate", help=HELP, description=HELP)
    add_project_arguments(parser)
    add_json_argument(parser)
    parser.add_argument("--revision", type=int, default=0, metavar="N", help="repeated in the answer")
    return parser


def run(args: argparse.Namespace) -> int:
    diagnostics = check_project(args).diagnostics
    ok = not has_errors(diagnostics)
    if args.json:
        print(json.dumps({"revision": args.revision, "ok": ok, "diagnostics": [d.as_json() for d in diagnostics]}))
    elif diagnostics:
        print(format_for_people(diagnostics, args.project, sys.stderr.isatty()), file=sys.stderr)
    if ok and not args.json:
        print(f"{args.project}: valid")
    return exit_code_for(diagnostics)
