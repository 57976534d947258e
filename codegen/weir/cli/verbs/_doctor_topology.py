"""The topology of `weir doctor`: the machine as the planner sees it."""

from __future__ import annotations

import argparse
import sys

from weir.cli.verbs import say


def run(args: argparse.Namespace) -> int:
    """Prints this machine, measured first if asked, or that of a file."""
    from weir.engine.measuring.speeds import with_kept
    from weir.lab.speeds import measure_and_keep
    from weir.model.document import jsontext
    from weir.model.planning.plan_text import machine_tree
    from weir.model.planning.topology import get_machine

    machine = get_machine(args.machine)
    if args.measure:
        machine = measure_and_keep(machine, say)
    elif args.machine is None:
        machine = with_kept(machine)
    sys.stdout.write(jsontext.write(machine.as_json()) if args.json else machine_tree(machine))
    return 0
