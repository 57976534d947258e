"""weir reproduce: repeats the sweep of a capsule, or runs, here, and says what is not as it was."""

from __future__ import annotations

import argparse
from pathlib import Path

from weir.cli.verbs import _reproduce_capsule, _reproduce_runs, add_catalog_arguments, add_common, refuse_given
from weir.diagnostics import WeirError, diagnostic

GROUP = "share"
MEASURES = True
HELP = "repeat the sweep of a capsule here and judge it by its shape, or do runs again and list what differs"


def add_parser(sub) -> argparse.ArgumentParser:
    parser = sub.add_parser("reproduce", help=HELP, description=HELP + ". Several runs are interleaved at random, for "
                            "`weir compare`. Exit codes of a capsule: 0 it agrees; 1 it differs; 4 there is not enough "
                            "data to say, or it was interrupted.")
    parser.add_argument("subjects", nargs="+", metavar="RUN|F.zip", type=Path,
                        help="run directories, or one capsule, which `weir export SWEEP -o F.zip` wrote")
    parser.add_argument("--out", type=Path, metavar="DIR",
                        help="folder of the new run directories (runs), with several RUNs of folders a, b, … of them; "
                             "of a capsule, folder of what is unpacked and of the sweep here (the capsule's name with "
                             "-reproduced)")
    parser.add_argument("--trust", action="store_true",
                        help="ask nothing: the code that the capsule brings, or that was kept with a run, is compiled "
                             "and run with your rights, and folders are read that the run asks for")
    add_common(parser, "--json")
    capsule = parser.add_argument_group("of a capsule")
    capsule.add_argument("--resume", action="store_true", help="go on in DIR, where it was broken off")
    capsule.add_argument("--quick", action="store_true",
                         help="measure less, as `weir sweep --quick` does: it shows that all of it builds and runs, "
                              "and is too little to agree")
    runs = parser.add_argument_group("of runs")
    runs.add_argument("--repeat", type=_reproduce_runs.count, metavar="N", help="how often each is done again (1)")
    runs.add_argument("--folder", type=Path, metavar="DIR",
                      help="where the project's relative paths start, where that is another folder now")
    add_common(runs, "--allow-path")
    add_catalog_arguments(runs)
    parser.set_defaults(of_capsules=capsule._group_actions, of_runs=runs._group_actions)
    return parser


def run(args: argparse.Namespace) -> int:
    files = [path for path in args.subjects if path.is_file() or path.suffix == ".zip"]
    if files:
        if len(args.subjects) > 1:
            raise WeirError(diagnostic("E_USAGE", "", f"{files[0]} is a capsule, which is reproduced alone"))
        refuse_given(args, args.of_runs, "needs run directories")
        return _reproduce_capsule.run(args)
    refuse_given(args, args.of_capsules, "needs a capsule")
    return _reproduce_runs.run(args)
