"""weir runs: lists and removes run directories."""

from __future__ import annotations

import argparse
import shutil
import sys
from pathlib import Path

from weir.diagnostics import WeirError, diagnostic, os_error, printable
from weir.verbs import add_json_argument

HELP = "list run directories, or remove some"


def add_parser(sub) -> argparse.ArgumentParser:
    parser = sub.add_parser("runs", help=HELP, description=HELP)
    actions = parser.add_subparsers(metavar="ACTION", dest="action", required=True)
    listing = actions.add_parser("list", help="list the runs in a folder, the oldest first")
    add_json_argument(listing)
    listing.add_argument("--out", type=Path, default=Path("runs"), metavar="DIR",
                         help="folder of the run directories (runs)")
    removing = actions.add_parser("rm", help="remove runs")
    removing.add_argument("runs", nargs="+", metavar="RUN", help="a run directory, or its name in the folder")
    removing.add_argument("--out", type=Path, default=Path("runs"), metavar="DIR",
                          help="folder of the run directories (runs)")
    return parser


def run(args: argparse.Namespace) -> int:
    return _list(args) if args.action == "list" else _remove(args)


def _list(args: argparse.Namespace) -> int:
    from weir.document import jsontext
    from weir.reporting.quantities import duration, si
    from weir.measuring.run_directory import find_runs, load_run

    try:
        paths = list(find_runs(args.out)) if args.out.exists() else []
    except OSError as error:
        raise WeirError(os_error(error, f"read {args.out}")) from None
    rows = []
    for path in paths:
        try:
            results = load_run(path).results
        except WeirError as error:
            _warn(error)
            continue
        latency = results.get("latency") or {}
        rows.append({"path": str(path), "run_id": results["run_id"], "project": results["project"],
                     "deployment": results["deployment"], "repetition": results["repetition"],
                     "status": results["status"],
                     "throughput_items_per_s": results["throughput_items_per_s"], "p50_ns": latency.get("p50_ns"),
                     "p95_ns": latency.get("p95_ns")})
    if args.json:
        sys.stdout.write(jsontext.write(rows))
    else:
        for row in rows:
            print(f"{row['status']:<8} {si(row['throughput_items_per_s'], 'items/s'):>14} "
                  f"{duration(row['p50_ns']):>10} {printable(row['run_id'])}")
        if not rows:
            print(f"weir: no runs in {args.out}", file=sys.stderr)
    return 0


def _remove(args: argparse.Namespace) -> int:
    from weir.measuring.run_directory import load_run

    chosen = []
    for name in args.runs:
        path = Path(name) if (Path(name) / "results.json").is_file() else args.out / name
        load_run(path)  # nothing but a run directory is ever removed
        if path.is_symlink():
            raise WeirError(diagnostic("E_RUN_DIRECTORY", "", f"{path} is a symbolic link; remove what it points to"))
        chosen.append(path)
    for path in chosen:
        try:
            shutil.rmtree(path)
        except OSError as error:
            raise WeirError(os_error(error, f"remove {path}")) from None
    return 0


def _warn(error: WeirError) -> None:
    for found in error.diagnostics:
        print(f"weir: skipped: {found.message}", file=sys.stderr)
