"""The capsules of `weir export`: a sweep with all that it takes to repeat it, in one file."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

from weir.cli.verbs import say
from weir.diagnostics import WeirError, diagnostic


def run(args: argparse.Namespace) -> int:
    """Packs the sweep."""
    from weir.interop.capsule.about import Credits
    from weir.interop.capsule.archive import check_place, write
    from weir.interop.capsule.layout import CAPSULE
    from weir.interop.capsule.packing import contents
    from weir.lab.sweeping import state
    from weir.model.document import jsontext

    credits = Credits(args.title, tuple(args.author), args.license)
    credits.check()
    output = Path(args.output)
    check_place(output)
    at = state.read_state(Path(args.project))
    if at is None:
        raise WeirError(diagnostic("E_SWEEP_FOLDER", "", f"{args.project} is no folder of a sweep",
                                   "`weir sweep P --out DIR` makes one"))
    found = contents(at, credits)
    remarks = jsontext.read(found[CAPSULE])[0]["remarks"]
    for remark in remarks:
        say(f"note: {remark}")
    digest = write(output, found)
    say(f"wrote {output}: {len(found) + 1} files; sha256 {digest}")
    if args.json:
        sys.stdout.write(jsontext.write({"output": str(output), "files": len(found) + 1, "sha256": digest,
                                         "remarks": remarks}))
    return 0
