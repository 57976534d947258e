"""What `weir doctor --install` gets: what no package of the distribution has."""

from __future__ import annotations

import argparse
import sys

from weir.cli.verbs import say
from weir.diagnostics import WeirError, diagnostic

#: There is pyarrow alone, for tables as Parquet.
WHAT = ("parquet",)


def run(args: argparse.Namespace) -> int:
    """Gets pyarrow into the cache, where it is not there."""
    from weir.lab.sweeping import parquet
    from weir.model.document import jsontext

    there = parquet.found()
    if not there:
        say("getting pyarrow (about 45 MB)")
        place = parquet.PACKAGE.get()
        if not parquet.found():
            raise WeirError(diagnostic("E_SETUP", "", f"what was got cannot be imported: {place}"))
    say(f"pyarrow is {'there' if there else f'in {place}'}: sweeps write table.parquet")
    if args.json:
        sys.stdout.write(jsontext.write({"installed": args.install, "was_there": bool(there)}))
    return 0
