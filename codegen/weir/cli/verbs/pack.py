"""weir pack: a sweep with all that it takes to repeat it, in one file."""

from __future__ import annotations

import argparse
from pathlib import Path

from weir.cli.verbs import say
from weir.diagnostics import WeirError, diagnostic

GROUP = "share"
HELP = "put a sweep into one file with all that it takes to repeat it elsewhere"


def add_parser(sub) -> argparse.ArgumentParser:
    parser = sub.add_parser("pack", help=HELP, description=HELP)
    parser.add_argument("sweep", metavar="SWEEP", type=Path, help="the folder of a finished `weir sweep --out`")
    parser.add_argument("-o", "--output", metavar="F.zip", type=Path, required=True, help="the capsule")
    parser.add_argument("--title", metavar="T", help="of the measurements, for who cites them")
    parser.add_argument("--author", action="append", default=[], metavar="NAME",
                        help="who made them: `Family, Given`, or the name of a group; may be repeated")
    parser.add_argument("--license", metavar="SPDX", help="under which others may use them, such as CC-BY-4.0")
    return parser


def run(args: argparse.Namespace) -> int:
    from weir.interop.capsule.about import Credits
    from weir.interop.capsule.archive import check_place, write
    from weir.interop.capsule.layout import CAPSULE
    from weir.interop.capsule.packing import contents
    from weir.lab.sweeping import state
    from weir.model.document import jsontext

    credits = Credits(args.title, tuple(args.author), args.license)
    credits.check()
    check_place(args.output)
    at = state.read_state(args.sweep)
    if at is None:
        raise WeirError(diagnostic("E_SWEEP_FOLDER", "", f"{args.sweep} is no folder of a sweep",
                                   "`weir sweep P --out DIR` makes one"))
    found = contents(at, credits)
    for remark in jsontext.read(found[CAPSULE])[0]["remarks"]:
        say(f"note: {remark}")
    digest = write(args.output, found)
    say(f"wrote {args.output}: {len(found) + 1} files; sha256 {digest}")
    return 0
