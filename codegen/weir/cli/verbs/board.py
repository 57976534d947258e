"""weir board: the names of the machines that Weir reaches by ssh."""

from __future__ import annotations

import argparse
import sys

from weir.cli.verbs import add_common, say

GROUP = "machine"
HELP = "name other machines, on which `weir run`, `sweep` and `doctor` work with --on NAME"


def add_parser(sub) -> argparse.ArgumentParser:
    parser = sub.add_parser("board", help=HELP, description=HELP)
    actions = parser.add_subparsers(metavar="ACTION", dest="action", required=True)
    add_help = "name a machine, after trying to connect to it"
    adding = actions.add_parser("add", help=add_help, description=f"{add_help}. Keys and host checking are OpenSSH's.")
    adding.add_argument("name", metavar="NAME", help="name of the board")
    adding.add_argument("destination", metavar="user@host", help="destination of ssh, or a name of ~/.ssh/config")
    adding.add_argument("--cross", metavar="TRIPLET", default="",
                        help="build programs here, with Debian's cross compiler for this architecture, such as "
                             "aarch64-linux-gnu (default: the board builds them)")
    list_help = "list the boards"
    listing = actions.add_parser("list", help=list_help, description=list_help)
    remove_help = "remove a name; files on the board stay"
    removing = actions.add_parser("rm", help=remove_help, description=remove_help)
    removing.add_argument("name", metavar="NAME", help="name of the board")
    for action, act in ((adding, _add), (listing, _list), (removing, _remove)):
        add_common(action, "--json")
        action.set_defaults(act=act)
    return parser


def run(args: argparse.Namespace) -> int:
    from weir.interop.boards.board import as_json
    from weir.model.document import jsontext

    kept = args.act(args)
    if args.json:
        sys.stdout.write(jsontext.write(as_json(kept.values())))
    elif args.act is _list:
        for one in kept.values():
            print(f"{one.name}  {one.destination}")
    return 0


def _add(args: argparse.Namespace) -> dict:
    from weir.interop.boards.board import boards, checked, keep
    from weir.interop.boards.crossing import march_of
    from weir.interop.boards.link import Link

    new = checked(args.name, args.destination, args.cross)
    if new.cross:
        march_of(new.cross)
    says = Link(new).run("uname -nm; getconf _NPROCESSORS_ONLN").split()
    kept = {**boards(), new.name: new}
    keep(kept)
    say(f"{new.name} is {says[0]} ({says[1]}, {says[2]} CPUs)")
    return kept


def _list(args: argparse.Namespace) -> dict:
    from weir.interop.boards.board import boards

    return boards()


def _remove(args: argparse.Namespace) -> dict:
    from weir.interop.boards.board import board, boards, keep

    gone = board(args.name)
    kept = {name: one for name, one in boards().items() if name != gone.name}
    keep(kept)
    return kept
