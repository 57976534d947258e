"""weir report: run directories into one HTML page and its figures."""

from __future__ import annotations

import argparse
import shutil
import sys
import tempfile
from pathlib import Path

from weir.diagnostics import WeirError, diagnostic, os_error

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
    parser.add_argument("--json", action="store_true",
                        help="of one DIR with a sweep, print its figures' points and the runs behind them as JSON, and "
                             "make no page")
    return parser


def run(args: argparse.Namespace) -> int:
    from weir.files import write_whole
    from weir.reporting.report import make_report
    from weir.reporting.sections import load_runs

    if args.compare and len(args.runs) != 2:
        raise WeirError(diagnostic("E_USAGE", "", f"--compare takes two DIRs, and there are {len(args.runs)}"))
    if args.json:
        return _outline(args.runs)
    runs = load_runs(args.runs)
    lead = _lead(args.runs)
    comparison = _comparison(*args.runs) if args.compare else None
    figures = args.figures or args.output.with_name(args.output.stem + "_figures")
    try:
        # Beside its place first: a disk that fills up leaves neither half a page nor half of the figures.
        with tempfile.TemporaryDirectory(dir=args.output.resolve().parent, prefix=".weir-report-") as scratch:
            page = make_report(runs, Path(scratch), comparison, lead)
            write_whole(args.output, page)
            figures.mkdir(parents=True, exist_ok=True)
            for drawn in sorted(Path(scratch).iterdir()):
                shutil.move(drawn, figures / drawn.name)
    except OSError as error:
        raise WeirError(os_error(error, f"write {error.filename or args.output}")) from None
    print(f"weir: wrote {args.output} and {figures}", file=sys.stderr)
    left_out = sum(r.status != "ok" for r in runs)
    if left_out:
        print(f"weir: {left_out} of {len(runs)} runs are not ok; the report lists them and averages none of them in",
              file=sys.stderr)
    return 0


def _outline(folders: list[Path]) -> int:
    from weir.document import jsontext
    from weir.sweeping import outline, state

    at = state.read_state(folders[0]) if len(folders) == 1 else None
    if at is None:
        raise WeirError(diagnostic("E_USAGE", "", "--json takes one DIR, with a sweep in it"))
    sys.stdout.write(jsontext.write(outline.outline(at)))
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
