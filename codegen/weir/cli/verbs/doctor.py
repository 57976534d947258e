"""weir doctor: find what makes measurements on this machine noisy, and show its cores and caches."""

from __future__ import annotations

import argparse
import contextlib
import sys
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from weir.cli.verbs import (
    add_common,
    add_project_arguments,
    open_valid,
    parse_sets,
    refuse_given,
    say,
)
from weir.diagnostics import WeirError, diagnostic, wants_colour
from weir.model.document.sweeps import DEPLOYMENT

if TYPE_CHECKING:
    from weir.engine.pipeline import Pipeline
    from weir.lab.sweeping.point import Cell
    from weir.machine.doctoring.deployed import Deployed
    from weir.machine.doctoring.machine_view import MachineView

#: Settings of a deployment that a machine may refuse: keys in their JSON pointers.
REQUESTED_OF_MACHINES = {"policy", "priority", "runtime_us", "deadline_us", "period_us", "affinity", "memory",
                         "environment", "loops"}
GROUP = "machine"
HELP = "find what makes measurements on this machine noisy, and the remedies; show the cores with --topology"


def add_parser(sub) -> argparse.ArgumentParser:
    parser = sub.add_parser("doctor", help=HELP,
                            description=f"{HELP}. With a project, each finding names the deployments that it affects. "
                                        "The exit code is 0 even if there are findings.")
    add_project_arguments(parser, optional=True)
    add_common(parser, "--on", "--json")
    parser.add_argument("--install", choices=INSTALLED,
                        help="install something into the cache, and examine nothing. parquet: download pyarrow, with "
                             "which sweeps also write table.parquet beside table.csv. gnuradio4: build GNU Radio 4 "
                             "from --source")
    parser.add_argument("--source", metavar="DIR", type=Path, help="checkout of GNU Radio 4 for --install gnuradio4")
    topology = parser.add_argument_group("options that show the machine")
    topology.add_argument("--topology", action="store_true",
                          help="show cores, caches, NUMA nodes and measured speeds, and examine nothing; with --json, "
                               "print a machine file")
    which = topology.add_mutually_exclusive_group()
    which.add_argument("--machine", metavar="FILE", type=Path,
                       help="with --topology: show a machine file instead of this machine")
    which.add_argument("--measure", action="store_true",
                       help="with --topology: first measure the costs of a step, of the caches and of transfers "
                            "between cores. This takes a few seconds after the build. Later plans use the results")
    parser.set_defaults(of_topology=which._group_actions)
    return parser


def run(args: argparse.Namespace) -> int:
    if args.project and (args.topology or args.install):
        raise WeirError(diagnostic("E_USAGE", "", "--topology and --install take no PROJECT"))
    if args.topology and args.install:
        raise WeirError(diagnostic("E_USAGE", "", "--install and --topology exclude each other"))
    if (args.install == GNURADIO4) != bool(args.source):
        raise WeirError(diagnostic("E_USAGE", "", f"--install {GNURADIO4} and --source DIR need each other"))
    if args.topology:
        return _topology(args)
    refuse_given(args, args.of_topology, "needs --topology")
    if args.install:
        return _install(args)
    from weir.machine.doctoring.examination import examine, page
    from weir.machine.doctoring.machine_view import MachineView
    from weir.machine.environment import volk_machine
    from weir.model.document import jsontext

    deployments = _deployments(args) if args.project else []
    machine = MachineView(deployments=deployments, volk_machine=volk_machine)
    findings = examine(machine)
    about = {"machine": _machine(machine), "project": args.project,
             "deployments": [deployment.name for deployment in deployments]}
    answer = {**about, "findings": [finding.as_json() for finding in findings]}
    sys.stdout.write(jsontext.write(answer) if args.json else page(about, findings, wants_colour(sys.stdout)))
    return 0


def _deployments(args: argparse.Namespace) -> list[Deployed]:
    """Plan all deployments of the project and of its sweeps for this machine. Raises WeirError if it is invalid."""
    from weir.machine.doctoring.deployed import Deployed

    pipeline = open_valid(args)
    names = [deployment.name for deployment in pipeline.checked.loaded().deployments]
    found = [Deployed.of_plan(pipeline.plan(name).plan.as_json(), volk=pipeline.calls_volk) for name in names]
    return [*found, *_of_sweeps(args, pipeline, found)]


def _of_sweeps(args: argparse.Namespace, pipeline: Pipeline, stated: list[Deployed]) -> list[Deployed]:
    """Return one point of the sweeps for each request to the machine that no `stated` deployment makes.

    Ignores invalid sweeps and points that cannot be planned here: `weir sweep` reports them.
    """
    from weir.lab.sweeping import definition, ready
    from weir.machine.doctoring.deployed import Deployed
    from weir.model.document import jsontext

    found: list[Deployed] = []
    document = definition.settable(pipeline.checked.loaded().document)
    text, sets = jsontext.write(document).encode(), parse_sets(args.sets)
    for sweep in document.get("sweeps", ()):
        cells: dict[str, Cell] = {}
        with contextlib.suppress(WeirError):
            cells = _cells(document, sweep["name"], len(pipeline.this_machine.allowed))
        for name, cell in cells.items():
            for one in ready.openable(pipeline, text, [cell], None, sets)[0]:
                it = Deployed.of_plan(one.planned.plan.as_json(), volk=one.pipeline.calls_volk)
                if all(replace(it, name=other.name, buffer_bytes=other.buffer_bytes) != other
                       for other in (*stated, *found)):
                    found.append(replace(it, name=f"{sweep['name']}: {name}"))
    return found


def _cells(document: Mapping, sweep: str, cpus: int) -> dict[str, Cell]:
    """Return label -> first point, for each deployment and combination of requests to the machine."""
    from weir.lab.sweeping import axes, definition

    swept = definition.sweep_definition(document, sweep, [], None, cpus=cpus)
    those = [i for i, axis in enumerate(swept.axes)
             if not axis.parameter and not REQUESTED_OF_MACHINES.isdisjoint(axis.key.split("/"))]
    columns = [DEPLOYMENT, *(axes.columns(swept.axes)[i] for i in those)]
    found: dict[str, Cell] = {}
    for cell in axes.cells(swept, document, document["deployments"][0]["name"]) if those else ():
        found.setdefault(axes.label([cell.deployment, *(cell.values[i] for i in those)], columns), cell)
    return found


def _machine(machine: MachineView) -> dict[str, Any]:
    from weir.machine.environment import cpu_name, host

    return {"host": host()["name"], "cpu": cpu_name(), "cpus": len(machine.online), "kernel": machine.release,
            "virtual": machine.virtual or None, "container": machine.container}


#: Installable features: pyarrow for Parquet tables, and a peer runtime.
PARQUET, GNURADIO4 = "parquet", "gnuradio4"
INSTALLED = (PARQUET, GNURADIO4)


def _install(args: argparse.Namespace) -> int:
    from weir.model.document import jsontext

    was_there = _parquet() if args.install == PARQUET else _gnuradio4(args.source)
    if args.json:
        sys.stdout.write(jsontext.write({"installed": args.install, "was_there": was_there}))
    return 0


def _parquet() -> bool:
    """Download pyarrow into the cache if it is missing. Return whether it was there."""
    from weir.lab.sweeping import parquet

    there = parquet.found()
    if not there:
        say("downloading pyarrow (about 45 MB)")
        place = parquet.PACKAGE.get()
        if not parquet.found():
            raise WeirError(diagnostic("E_SETUP", "", f"the downloaded pyarrow cannot be imported: {place}"))
    say(f"pyarrow is {'installed' if there else f'in {place}'}: sweeps write table.parquet")
    return bool(there)


def _gnuradio4(source: Path) -> bool:
    """Build GNU Radio 4 from the checkout into the cache. Return whether it replaces an earlier one."""
    from weir.engine.generation import gnuradio4
    from weir.model.installed import kept_prefix

    there = kept_prefix(gnuradio4.LIBRARY).is_dir()
    say(f"GNU Radio 4 is in {gnuradio4.install(source, say)}: deployments can use its schedulers")
    return there


def _topology(args: argparse.Namespace) -> int:
    """Print this machine, with new measurements for --measure, or the machine of a file."""
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
