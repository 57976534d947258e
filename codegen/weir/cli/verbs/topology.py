"""weir topology: the machine as the planner sees it."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

from weir.cli.verbs import add_json_argument

GROUP = "machine"
HELP = "show cores, caches, memory nodes and speeds; --json is a machine file"


def add_parser(sub) -> argparse.ArgumentParser:
    parser = sub.add_parser("topology", help=HELP, description=HELP)
    add_json_argument(parser)
    which = parser.add_mutually_exclusive_group()
    which.add_argument("--machine", metavar="FILE", type=Path, help="show a machine file instead of this machine")
    which.add_argument("--measure", action="store_true",
                       help="first measure what a step, its caches and a crossing between cores cost here, in a few "
                            "seconds once it is built: plans are made with what was measured last")
    return parser


def run(args: argparse.Namespace) -> int:
    from weir.engine.measuring.speeds import with_kept
    from weir.lab.bench.speeds import measure_and_keep
    from weir.model.document import jsontext
    from weir.model.planning.plan_text import machine_tree
    from weir.model.planning.topology import get_machine

    machine = get_machine(args.machine)
    if args.measure:
        machine = measure_and_keep(machine, lambda text: print(f"weir: {text}", file=sys.stderr, flush=True))
    elif args.machine is None:
        machine = with_kept(machine)
    sys.stdout.write(jsontext.write(machine.as_json()) if args.json else machine_tree(machine))
    return 0
