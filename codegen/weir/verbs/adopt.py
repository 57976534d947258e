"""weir adopt: a run that a generated program made on its own, as a run directory that every verb takes."""

from __future__ import annotations

import argparse
import secrets
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

from weir.diagnostics import WeirError, diagnostic
from weir.verbs import add_json_argument, say
from weir.verbs._running import shown

if TYPE_CHECKING:
    from weir.measuring.adopting import Tree
    from weir.planning.machine import Machine

HELP = "make run directories of what generated programs wrote without the runner"


def add_parser(sub) -> argparse.ArgumentParser:
    parser = sub.add_parser("adopt", help=HELP, description=f"{HELP.capitalize()}; what is there stays as it is.")
    parser.add_argument("results", nargs="+", metavar="DIR", type=Path,
                        help="a folder with the results.json of a program, or a folder of such")
    parser.add_argument("--out", type=Path, default=Path("runs"), metavar="DIR",
                        help="folder of the run directories (runs)")
    parser.add_argument("--tree", type=Path, metavar="DIR",
                        help="the generated project; without it, it is looked for in DIR, above it and here")
    parser.add_argument("--folder", type=Path, metavar="DIR", default=Path(),
                        help="where the relative paths of the program's blocks started (the current folder)")
    parser.add_argument("--machine", type=Path, metavar="FILE",
                        help="the machine file that it was planned for, where that is not this machine")
    add_json_argument(parser)
    return parser


def run(args: argparse.Namespace) -> int:
    from weir.document import jsontext
    from weir.measuring.adopting import Place, adopt, find_tree, made_by_hand, read_by_hand

    sources = [folder for path in args.results for folder in made_by_hand(path)]
    set_id, answers = secrets.token_hex(8), []
    for block, source in enumerate(sources):
        results = read_by_hand(source)
        tree = find_tree(results, [args.tree] if args.tree else _around(source))
        path = adopt(source.absolute(), results, tree, _machine(tree, args.machine), args.folder.absolute(),
                     args.out.absolute(), Place(set_id, len(sources), block))
        answers.append({"source": str(source.absolute()), "run": str(path), "run_id": path.name,
                        "status": results["status"]})
        if not args.json:
            print(shown(path))
    if args.json:
        sys.stdout.write(jsontext.write(answers))
    return 0


def _around(source: Path) -> Iterator[Path]:
    """Where the generated project may be: in the folder, above it, or here."""
    folder = source.absolute()
    yield from (folder, *folder.parents, Path.cwd())


def _machine(tree: Tree, file: Path | None) -> Machine | None:
    """The machine that the plan was made for, None where nobody knows it any more. WeirError for a wrong file."""
    from weir.measuring.speeds import with_kept
    from weir.planning.topology import get_machine

    machine = get_machine(file)
    # It may have been planned before the speeds of this machine were measured, or after.
    for possible in (machine,) if file else (with_kept(machine), machine):
        if possible.hash == tree.plan["machine_hash"]:
            return possible
    if file is not None:
        raise WeirError(diagnostic("E_MACHINE", "", f"{file} is not the machine that {tree.folder} was planned for",
                                   "its hash is `machine_hash` of manifest.json"))
    say("it was planned for another machine; with its file, --machine FILE, the run can be done again")
    return None
