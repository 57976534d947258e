"""weir rate: search for the highest load that a deployment sustains."""

from __future__ import annotations

import argparse
import shlex
import sys
from pathlib import Path
from typing import TYPE_CHECKING

from weir.cli.verbs import add_common, add_hosting_arguments, add_project_arguments, open_valid, parse_sets, show
from weir.cli.verbs._quantities import seconds, share
from weir.cli.verbs._running import before_runs

if TYPE_CHECKING:
    from weir.engine.pipeline import Pipeline
    from weir.lab.rating.answer import RateAnswer

GROUP = "run"
MEASURES = True
HELP = "search for the highest load that a deployment sustains"
NO_ANSWER = 4


def add_parser(sub) -> argparse.ArgumentParser:
    parser = sub.add_parser("rate", help=HELP, description=HELP + ". Weir reports bounds of the sustainable rate, and "
                            "the latency at each load. Exit codes: 0 a lower bound was found; 4 no lower bound was "
                            "found, or the results contradict each other: a load failed below one that was sustained.")
    add_project_arguments(parser)
    add_common(parser, "--json", "--deployment")
    parser.add_argument("--latency", type=seconds(0, 3600.0, "10ms"), default=0.01, metavar="T",
                        help="an item that arrives more than this after its due time counts as lost (default: 10ms)")
    parser.add_argument("--loss", type=share(0, 0.5, "0.5%, of 50%% at most"), default=0.005, metavar="L",
                        help="share of a trial's items that may be lost (default: 0.5%%)")
    parser.add_argument("--trial", type=seconds(0.01, 3600.0, "1s, of more than 10 ms"), default=1.0, metavar="T",
                        help="duration of a full trial, at the end of the search (default: 1s)")
    parser.add_argument("--duration-sum", type=seconds(0.01, 24 * 3600.0, "5s"), default=5.0, metavar="T",
                        help="total duration of the full trials of a load (default: 5s)")
    parser.add_argument("--exceed", type=share(0, 0.95, "50%"), default=0.5, metavar="R",
                        help="share of a load's trials that may lose too many items (default: 50%%)")
    parser.add_argument("--width", type=share(0.001, 0.5, "5%"), default=0.05, metavar="W",
                        help="stop when the bounds are this close, as a share of the upper bound (default: 5%%)")
    parser.add_argument("--budget", type=seconds(0, 24 * 3600.0, "90s or 5m, of a day at most"), default=300.0,
                        metavar="T", help="time for trials, without the build (default: 5m)")
    parser.add_argument("--out", type=Path, metavar="DIR", help="keep the run directories in this folder")
    add_hosting_arguments(parser)
    add_common(parser, "--param")
    parser.add_argument("--trace", choices=("lttng", "memory"),
                        help="trace back-end (default: the project's, or memory if it has none)")
    add_common(parser, "--machine", "--profile", "--progress")
    return parser


def run(args: argparse.Namespace) -> int:
    from weir.engine.measuring.disk_watch import runs_folder
    from weir.model.document import jsontext

    pipeline = open_valid(args)
    stated = pipeline.checked.loaded().document.get("deployments")
    pipeline.check_params(args.params, [args.deployment] if stated else [None])
    with runs_folder(args.out, "weir-rate-") as out:
        answer = _rated(args, pipeline, out)
    sys.stdout.write(jsontext.write(answer.as_json()) if args.json else answer.text())
    return 0 if answer.ok and not answer.interrupted else NO_ANSWER


def _rated(args: argparse.Namespace, pipeline: Pipeline, out: Path) -> RateAnswer:
    from weir.cli.verbs._progress import RateProgress
    from weir.lab.rating.rate import Rate, RateRequest
    from weir.lab.rating.search import Goal

    progress = RateProgress(bool(args.progress))
    goal = Goal(args.loss, args.trial, args.duration_sum, args.exceed, args.width)
    request = RateRequest(args.deployment, args.latency, goal, args.budget, args.trace, tuple(args.params), out,
                          _command(args), args.machine)
    return Rate(request, pipeline, progress.say, lambda said: show(said, args.project),
                lambda made, planned: before_runs(made, [planned.plan]), progress.tried).go()


def _command(args: argparse.Namespace) -> str:
    words = ["weir", "rate", args.project, *(["--deployment", args.deployment] if args.deployment else [])]
    for key, value in parse_sets(args.sets).items():
        words += ["--set", f"{key}={value}"]
    return shlex.join(words)
