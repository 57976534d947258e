"""weir compare: compare two sets of runs, with intervals and a verdict. Given two deployments, measure them first."""

from __future__ import annotations

import argparse
import shlex
import sys
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from weir.cli.verbs import add_common, add_project_options, open_valid, say
from weir.cli.verbs._quantities import number
from weir.cli.verbs._running import shown
from weir.cli.verbs.run import INTERRUPTED, add_measuring_arguments, count_of, ready_to_run
from weir.diagnostics import WeirError, diagnostic, trying, wants_colour

if TYPE_CHECKING:
    from weir.engine.pipeline import Measured
    from weir.read.comparing.comparison import Comparison, Options

GROUP = "compare"
HELP = "compare two sets of runs, or two deployments: paired ratios, intervals and a verdict"
#: Rounds that usually detect a difference of 5 %, even on a shared machine (docs/statistics.md).
REPEAT = 16
#: Options that select among existing runs.
CHOOSING = ("deployment", "a_deployment", "b_deployment", "at", "a_point", "b_point", "a_set", "b_set")


def add_parser(sub) -> argparse.ArgumentParser:
    parser = sub.add_parser("compare", help=HELP, usage="%(prog)s [OPTION ...] A B\n"
                            "       %(prog)s [OPTION ...] PROJECT A B",
                            description=HELP + ". With a PROJECT, A and B are two of its deployments: Weir builds "
                            "both, measures them in random order, and keeps the runs. Exit codes: 0 B is nowhere "
                            "worse than A, and Weir compared everything; 1 B is worse than A; 4 there is too little "
                            "data, the machine may explain a difference, or a part cannot be compared or has no "
                            "counterpart.")
    parser.add_argument("first", metavar="A", help="baseline: a run directory or a folder of them; with PROJECT, a "
                                                   "deployment")
    parser.add_argument("second", metavar="B", help="candidate, which is compared with A")
    parser.add_argument("third", nargs="?", help=argparse.SUPPRESS)
    parser.add_argument("--metric", metavar="M",
                        help="metric of docs/results.md that decides (default: throughput, or the 99th percentile of "
                             "the latency if all sources are paced)")
    parser.add_argument("--threshold", type=number(0.0, 99.0, "a percentage from 0 to 99"), default=1.0, metavar="PCT",
                        help="smallest difference that counts as better or worse, in percent (default: 1)")
    parser.add_argument("--confidence", type=number(0.5, 0.9999, "a level from 0.5 to 0.9999"), default=0.95,
                        metavar="C", help="confidence level of the intervals (default: 0.95)")
    parser.add_argument("--deployment", metavar="D", help="compare only this deployment of both sides")
    parser.add_argument("--a-deployment", metavar="D", help="deployment of A, if B's has another name")
    parser.add_argument("--b-deployment", metavar="D", help="deployment of B, if A's has another name")
    parser.add_argument("--at", action="append", default=[], metavar="K=V",
                        help="compare only points where a parameter, setting or other coordinate has this value; may "
                             "be repeated")
    parser.add_argument("--a-point", action="append", default=[], metavar="K=V", help="like --at, for A only")
    parser.add_argument("--b-point", action="append", default=[], metavar="K=V", help="like --at, for B only")
    parser.add_argument("--a-set", metavar="ID", help="compare only A's runs of one command; run.json has the set ID")
    parser.add_argument("--b-set", metavar="ID", help="like --a-set, for B")
    parser.add_argument("--despite", action="append", default=[], choices=("graph", "cpu", "items", "digest"),
                        help="compare even if the flowgraphs, CPUs or item counts differ, or if only one side has a "
                             "digest; may be repeated")
    form = parser.add_mutually_exclusive_group()
    add_common(form, "--json")
    form.add_argument("--markdown", action="store_true", help="print Markdown for a pull request")
    form.add_argument("--junit", action="store_true", help="print JUnit's XML: worse is a failed test, no verdict a "
                                                           "skipped one")
    form.add_argument("--bencher", action="store_true", help="print B's numbers in the Bencher Metric Format")
    parser.add_argument("-o", "--output", metavar="FILE", type=Path, help="write to this file instead of printing")
    measuring = parser.add_argument_group("options with a PROJECT")
    measuring.add_argument("--repeat", type=count_of, default=REPEAT, metavar="N",
                           help=f"runs of each deployment, in random order (default: {REPEAT})")
    add_measuring_arguments(measuring)
    add_project_options(measuring)
    parser.set_defaults(measuring={action.dest: action for action in measuring._group_actions})
    return parser


def run(args: argparse.Namespace) -> int:
    from weir.diagnostics import did_you_mean
    from weir.files import write_whole
    from weir.model.document import jsontext
    from weir.read.comparing.comparison import Options
    from weir.read.comparing.metrics import BY_ID
    from weir.read.reporting.comparison import markdown, text
    from weir.read.reporting.exchange import bencher, junit

    if args.metric is not None and args.metric not in BY_ID:
        raise WeirError(diagnostic("E_USAGE", "", f"--metric {args.metric}: unknown metric",
                                   did_you_mean(args.metric, BY_ID)))
    if args.deployment and (args.a_deployment or args.b_deployment):
        raise WeirError(diagnostic("E_USAGE", "", "--deployment excludes --a-deployment and --b-deployment",
                                   "--deployment applies to both sides"))
    options = Options(args.metric, args.threshold, args.confidence, args.a_deployment or args.deployment,
                      args.b_deployment or args.deployment, (*args.at, *args.a_point), (*args.at, *args.b_point),
                      args.a_set, args.b_set, tuple(args.despite))
    comparison = _comparison(args, options)
    if comparison is None:
        return INTERRUPTED
    if args.json:
        answer = jsontext.write(comparison.as_json())
    elif args.markdown or args.junit or args.bencher:
        answer = (markdown if args.markdown else junit if args.junit else bencher)(comparison)
    else:
        answer = text(comparison, args.output is None and wants_colour(sys.stdout)) + "\n"
    if args.output is None:
        sys.stdout.write(answer)
    else:
        with trying(f"write {args.output}"):
            write_whole(args.output, answer)
    return comparison.exit_code


def _comparison(args: argparse.Namespace, options: Options) -> Comparison | None:
    """Compare existing runs, or measure them first. Returns None if measuring was interrupted."""
    from weir.read.comparing.comparison import compare

    if args.third is None:
        # The editor passes the folders of extensions to every verb, so these options are not an error here.
        unfit = [action.option_strings[0] for name, action in args.measuring.items()
                 if not name.endswith("_path") and getattr(args, name) != action.default]
        if unfit:
            raise WeirError(diagnostic("E_USAGE", "", f"{unfit[0]} applies only when Weir measures deployments",
                                       "weir compare PROJECT A B"))
        if Path(args.first).is_file() and args.first.endswith(".json"):
            raise WeirError(diagnostic("E_USAGE", "", f"{args.first} is a project; two of its deployments are missing",
                                       "weir compare PROJECT A B"))
        return compare(Path(args.first), Path(args.second), options, say)
    unfit = [f"--{name.replace('_', '-')}" for name in CHOOSING if getattr(args, name)]
    if unfit:
        raise WeirError(diagnostic("E_USAGE", "", f"{unfit[0]} selects existing runs; it cannot be combined with a "
                                   "PROJECT"))
    args.project, a, b = args.first, args.second, args.third
    args.deployment = [a, b]
    if a == b:
        raise WeirError(diagnostic("E_USAGE", "", f"A and B are the same deployment, `{a}`"))
    measured = _measured(args)
    out = args.out.absolute()
    if measured.interrupted:
        say(f"interrupted; the finished runs are in {shown(out)}" if measured.runs else
            "interrupted before the first run")
        return None
    made = measured.runs[0].results["coordinates"]["experiment"]
    folder = str(shown(out))
    again = shlex.join(["weir", "compare", folder, folder, "--a-deployment", a, "--b-deployment", b, "--a-set", made,
                        "--b-set", made, *_deciding(options)])
    say(f"the runs are in {folder}; to compare again: {again}")
    return compare(out, out, replace(options, a_deployment=a, b_deployment=b, a_set=made, b_set=made), say)


def _deciding(options: Options) -> list[str]:
    """Return the options on which the verdict depends, to repeat the comparison."""
    given = [(name, getattr(options, name)) for name in ("metric", "threshold", "confidence")
             if getattr(options, name) != getattr(type(options), name)]
    given += [("despite", difference) for difference in options.despite]
    return [word for name, value in given for word in (f"--{name}", str(value))]


def _measured(args: argparse.Namespace) -> Measured:
    """Measure both deployments in rounds of random order, like `weir run`."""
    from weir.engine.measuring.listener import Listener
    from weir.engine.pipeline import measure
    from weir.machine.isolating.recovering import recover_before

    recover_before(say)
    pipeline = open_valid(args)
    for name in args.deployment:
        pipeline.checked.loaded().deployment(name)
    with ready_to_run(args, pipeline, args.deployment, listener := Listener(say)) as (runnables, options):
        return measure(runnables, options, listener, pipeline.checked.catalog)
