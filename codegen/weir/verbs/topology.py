"""weir topology: the machine as the planner sees it."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

from weir.verbs import add_json_argument

HELP = "show cores, caches and memory nodes; --json is a machine file"


def add_parser(sub) -> argparse.ArgumentParser:
    parser = sub.add_parser("topology", help=HELP, description=HELP)
    add_json_argument(parser)
    parser.add_argument("--machine", metavar="FILE", type=Path, help="show a machine file instead of this machine")
    return parser


def run(args: argparse.Namespace) -> int:
    from weir.document import jsontext
    from weir.planning.topology import get_machine
    from weir.planning.plan_text import machine_tree

    machine = get_machine(args.machine)
    sys.stdout.write(jsontext.write(machine.as_json()) if args.json else machine_tree(machine))
    return 0
