"""weir runs history: show metrics over commits or days, and their change points."""

from __future__ import annotations

import argparse
import shlex
import sys
from pathlib import Path

from weir.cli.verbs import add_common
from weir.diagnostics import WeirError, diagnostic

HELP = "show metrics over commits or days, and where they changed"
#: Default metrics.
METRICS = ("throughput_items_per_s", "p50_ns", "p99_ns")


def add_action(actions) -> argparse.ArgumentParser:
    """Add `history` to the actions of `weir runs`."""
    parser = actions.add_parser("history", help=HELP, description=f"{HELP}. Each change has an interval.")
    parser.add_argument("folders", nargs="+", metavar="DIR", type=Path,
                        help="folder of run directories, or a folder of such folders, such as sweeps")
    parser.add_argument("--metric", action="append", default=[], metavar="M",
                        help="metric of docs/results.md (default: throughput, and the 50th and 99th percentile of the "
                             "latency); may be repeated")
    parser.add_argument("--by", choices=("commit", "day"),
                        help="x axis (default: commit if all runs record their commit, else day)")
    parser.add_argument("--repository", metavar="DIR", type=Path,
                        help="git repository that gives the order of the commits (default: the current folder's, if it "
                             "has all of them)")
    parser.add_argument("--at", action="append", default=[], metavar="K=V",
                        help="show only points where a parameter, setting or other coordinate has this value; may be "
                             "repeated")
    parser.add_argument("-o", "--output", metavar="F.html", type=Path, help="write a page and its figures")
    parser.add_argument("--figures", metavar="DIR", type=Path,
                        help="folder for the figures (SVG, PNG, PDF); default: the page's name with _figures")
    add_common(parser, "--json")
    return parser


def run(args: argparse.Namespace) -> int:
    from weir.diagnostics import did_you_mean
    from weir.model.document import jsontext
    from weir.read.comparing.metrics import BY_ID
    from weir.read.history.answer import HistoryAnswer, why_days
    from weir.read.history.series import COMMIT, DAY, places_of, read_runs, series_of

    for name in args.metric:
        if name not in BY_ID:
            raise WeirError(diagnostic("E_USAGE", "", f"--metric {name}: unknown metric",
                                       did_you_mean(name, BY_ID)))
    if args.figures and not args.output:
        raise WeirError(diagnostic("E_USAGE", "", "--figures needs -o: the figures belong to a page"))
    runs = read_runs(args.folders)
    by = args.by or (COMMIT if runs.commits else DAY)
    metrics = [BY_ID[name] for name in dict.fromkeys(args.metric or METRICS)]
    places = places_of(runs, args.repository or Path.cwd()) if by == COMMIT else None
    if args.repository and places is None:
        raise WeirError(diagnostic("E_USAGE", "", f"--repository {args.repository}: " + (
            "a repository gives the order of commits, but these values are per day" if by == DAY else
            "the repository lacks commits of some runs"), "" if by == DAY else
            "name a clone with the full history; without one, commits are in the order of their first runs"))
    series = series_of(runs, metrics, by, args.at, places)
    if not series:
        raise WeirError(diagnostic("E_RUN_NONE", "", f"no run has {' or '.join(metric.id for metric in metrics)}",
                                   "choose another metric with --metric"))
    answer = HistoryAnswer(runs, series, by, "" if args.by else why_days(by, runs), places is not None)
    if args.output:
        _write_page(args, answer)
    sys.stdout.write(jsontext.write(answer.as_json()) if args.json else answer.text())
    return 0


def _write_page(args: argparse.Namespace, answer) -> None:
    from weir.cli.verbs.report import say_written, write_page
    from weir.read.history.page import lead

    words = ["weir", "runs", "history", *map(str, args.folders)]
    for option, values in (("--metric", args.metric), ("--by", [answer.by]), ("--at", args.at),
                           ("--repository", [args.repository] if args.repository else [])):
        words += [word for value in values for word in (option, str(value))]
    write_page(answer.runs.good, args.output, args.figures, lead=lead(answer, shlex.join([*words, "-o", "F.html"])))
    say_written(args.output, args.figures)
