"""weir setup: gets what no package of the distribution has."""

from __future__ import annotations

import argparse

from weir.cli.verbs import say

GROUP = "machine"
HELP = "get what no package of the distribution has: pyarrow, for tables as Parquet"


def add_parser(sub) -> argparse.ArgumentParser:
    parser = sub.add_parser("setup", help=HELP, description=HELP)
    parser.add_argument("what", choices=("parquet",),
                        help="parquet: pyarrow, into the cache; sweeps then write table.parquet beside table.csv")
    return parser


def run(args: argparse.Namespace) -> int:
    from weir.lab.sweeping import parquet

    if parquet.found():
        say("pyarrow is there: sweeps write table.parquet")
        return 0
    say("getting pyarrow (about 45 MB)")
    place = parquet.PACKAGE.get()
    if not parquet.found():
        from weir.diagnostics import WeirError, diagnostic

        raise WeirError(diagnostic("E_SETUP", "", f"what was got cannot be imported: {place}"))
    say(f"pyarrow is in {place}: sweeps write table.parquet")
    return 0
