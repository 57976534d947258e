"""weir compare: two sets of runs beside each other, with an interval and a verdict."""

from __future__ import annotations

import argparse
import math
import sys
from pathlib import Path

from weir.diagnostics import WeirError, diagnostic, os_error, wants_colour
from weir.verbs import add_json_argument, say

HELP = "compare two sets of runs: paired ratios, an interval, and a verdict"


def add_parser(sub) -> argparse.ArgumentParser:
    parser = sub.add_parser("compare", help=HELP, description=HELP + ". Exit codes: 0 everything that A or B "
                            "has was compared, and nothing of B is worse; 1 B is worse than A; 4 there is not enough "
                            "data, a difference may be the machine's, or something cannot be compared or has no "
                            "partner on the other side.")
    parser.add_argument("a", metavar="A", type=Path, help="what to compare with: run directories, or one")
    parser.add_argument("b", metavar="B", type=Path, help="what is compared: run directories, or one")
    parser.add_argument("--metric", metavar="M",
                        help="the metric that decides, of those in docs/results.md; throughput without this, and the "
                             "99th percentile of the latency where all sources are paced")
    parser.add_argument("--threshold", type=_threshold, default=1.0, metavar="PCT",
                        help="better or worse means by more than this, in percent (1)")
    parser.add_argument("--confidence", type=_confidence, default=0.95, metavar="C", help="of the intervals (0.95)")
    parser.add_argument("--deployment", metavar="D", help="this deployment of both sides alone")
    parser.add_argument("--a-deployment", metavar="D", help="the deployment of A, where B's has another name")
    parser.add_argument("--b-deployment", metavar="D", help="the deployment of B")
    parser.add_argument("--at", action="append", default=[], metavar="K=V",
                        help="the points of both sides at which a parameter, a setting or another coordinate has this "
                             "value; may be repeated")
    parser.add_argument("--a-point", action="append", default=[], metavar="K=V", help="the same of A alone")
    parser.add_argument("--b-point", action="append", default=[], metavar="K=V", help="the same of B alone")
    parser.add_argument("--a-set", metavar="ID", help="of A's runs those that one command made, as run.json has it")
    parser.add_argument("--b-set", metavar="ID", help="the same of B")
    parser.add_argument("--despite", action="append", default=[], choices=("graph", "cpu", "items", "digest"),
                        help="compare although the flowgraphs, the CPUs or the item counts are different ones, or one "
                             "side alone has a digest; may be repeated")
    form = parser.add_mutually_exclusive_group()
    add_json_argument(form)
    form.add_argument("--markdown", action="store_true", help="print Markdown for a pull request")
    parser.add_argument("-o", "--output", metavar="FILE", type=Path, help="write to this file instead of printing")
    return parser


def _threshold(text: str) -> float:
    return _number(text, 0.0, 99.0, "a percentage from 0 to 99")


def _confidence(text: str) -> float:
    return _number(text, 0.5, 0.9999, "a level from 0.5 to 0.9999")


def _number(text: str, low: float, high: float, what: str) -> float:
    try:
        value = float(text)
    except ValueError:
        value = math.nan
    if not low <= value <= high:
        raise argparse.ArgumentTypeError(f"`{text}` is not {what}")
    return value


def run(args: argparse.Namespace) -> int:
    from weir.comparing.comparison import Options, compare
    from weir.comparing.metrics import BY_ID
    from weir.diagnostics import did_you_mean
    from weir.document import jsontext
    from weir.files import write_whole
    from weir.reporting.comparison import markdown, text

    if args.metric is not None and args.metric not in BY_ID:
        raise WeirError(diagnostic("E_USAGE", "", f"--metric {args.metric}: there is no such metric",
                                   did_you_mean(args.metric, BY_ID)))
    if args.deployment and (args.a_deployment or args.b_deployment):
        raise WeirError(diagnostic("E_USAGE", "", "--deployment names that of both sides; leave it or the others out"))
    options = Options(args.metric, args.threshold, args.confidence, args.a_deployment or args.deployment,
                      args.b_deployment or args.deployment, (*args.at, *args.a_point), (*args.at, *args.b_point),
                      args.a_set, args.b_set, tuple(args.despite))
    comparison = compare(args.a, args.b, options, say)
    if args.json:
        answer = jsontext.write(comparison.as_json())
    elif args.markdown:
        answer = markdown(comparison)
    else:
        answer = text(comparison, args.output is None and wants_colour(sys.stdout)) + "\n"
    if args.output is None:
        sys.stdout.write(answer)
    else:
        try:
            write_whole(args.output, answer)
        except OSError as error:
            raise WeirError(os_error(error, f"write {args.output}")) from None
    return comparison.exit_code
