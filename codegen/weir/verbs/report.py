"""weir report: run directories into one HTML page and its figures."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

from weir.diagnostics import WeirError, diagnostic

HELP = "make one self-contained HTML page, and figures, from run directories"


def add_parser(sub) -> argparse.ArgumentParser:
    parser = sub.add_parser("report", help=HELP, description=HELP)
    parser.add_argument("runs", nargs="+", metavar="DIR", type=Path, help="a run directory, or a folder of them")
    parser.add_argument("--compare", action="store_true",
                        help="of two DIRs, put the comparison of the second with the first on the page")
    parser.add_argument("-o", "--output", metavar="F.html", type=Path, default=Path("report.html"),
                        help="the page (report.html)")
    parser.add_argument("--figures", metavar="DIR", type=Path,
                        help="folder of the figures as SVG, PNG and PDF (the page's name with _figures)")
    return parser


def run(args: argparse.Namespace) -> int:
    from weir.reporting.sections import load_runs
    from weir.verbs._pages import write_page

    if args.compare and len(args.runs) != 2:
        raise WeirError(diagnostic("E_USAGE", "", f"--compare takes two DIRs, and there are {len(args.runs)}"))
    runs = load_runs(args.runs)
    lead = _lead(args.runs)
    comparison = _comparison(*args.runs) if args.compare else None
    write_page(runs, args.output, args.figures, comparison, lead)
    left_out = sum(r.status != "ok" for r in runs)
    if left_out:
        print(f"weir: {left_out} of {len(runs)} runs are not ok; the report lists them and averages none of them in",
              file=sys.stderr)
    return 0


def _lead(folders: list[Path]):
    """Of a sweep, where that is all there is."""
    from weir.sweeping import page, state

    at = state.read_state(folders[0]) if len(folders) == 1 else None
    return page.lead(at) if at else None


def _comparison(a: Path, b: Path):
    from weir.comparing.comparison import Options, compare
    from weir.reporting.comparison import view

    return view(compare(a, b, Options()))
