"""weir new: create a project, a block, a scheduler or a target from a scaffold."""

from __future__ import annotations

import argparse
import json
import re
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import TYPE_CHECKING

from weir.cli.verbs import add_catalog_arguments, add_common
from weir.diagnostics import WeirError, diagnostic, did_you_mean, trying

if TYPE_CHECKING:
    from weir.model.catalog import Catalog

GROUP = "draw"
HELP = "create a project, a block, a scheduler or a target to start from"
MOST_PORTS = 8
USAGE = 2
#: Names that the scaffold's header uses. A class with such a name would hide them.
TAKEN = {"block": ("In", "Out", "Block", "BlockContext", "WorkResult", "WorkStatus", "Params", "T"),
         "scheduler": ("Run", "Worker", "Task", "Waiting", "Pass", "Params", "ScheduledWorker", "WorkerSchedules"),
         "target": ()}


def add_parser(sub: argparse._SubParsersAction) -> argparse.ArgumentParser:
    parser = sub.add_parser("new", help=HELP, description=HELP)
    kinds = parser.add_subparsers(metavar="KIND", dest="kind", required=True)
    _add_kind(kinds, "project", "create a project file NAME.weir.json that is ready to run", new_project)
    block = _add_kind(kinds, "block", "create a folder with a descriptor, a C++ header, a reference and test vectors",
                      new_block)
    block.add_argument("--family", metavar="F", help="put the block into DIR/F")
    block.add_argument("--inputs", type=int, default=1, metavar="N", help="input ports (default: 1); 0 makes a source")
    block.add_argument("--outputs", type=int, default=1, metavar="N", help="output ports (default: 1); 0 makes a sink")
    block.add_argument("--item-type", action="append", default=[], metavar="T",
                       help="item type (default: f32 and c64); may be repeated: several types make a template")
    scheduler = _add_kind(kinds, "scheduler", "create a folder with a descriptor and a C++ header, or with --planner "
                          "a Python planner", new_scheduler)
    scheduler.add_argument("--planner", action="store_true",
                           help="create a static scheduler, with a Python planner that fixes the firing order")
    _add_kind(kinds, "target", "create a target that generates, builds and runs Python programs, with a scheduler",
              new_target)
    return parser


def _add_kind(kinds: argparse._SubParsersAction, kind: str, text: str,
              make: Callable[[argparse.Namespace], list[Path]]) -> argparse.ArgumentParser:
    parser = kinds.add_parser(kind, help=text, description=text)
    parser.add_argument("name", metavar="NAME")
    parser.add_argument("-o", "--output", type=Path, default=Path(), metavar="DIR",
                        help="folder to create it in (default: the current one)")
    parser.add_argument("--out", type=Path, dest="output", default=argparse.SUPPRESS, help=argparse.SUPPRESS)
    add_common(parser, "--json")
    if kind != "project":
        add_catalog_arguments(parser)
    parser.set_defaults(make=make)
    return parser


def _catalog(args: argparse.Namespace) -> Catalog:
    """Return the catalog, whose names a new extension may not use."""
    from weir.model.catalog import load_catalog

    return load_catalog(args.block_path, args.scheduler_path, args.target_path)


def run(args: argparse.Namespace) -> int:
    files = args.make(args)
    if args.json:
        print(json.dumps({"kind": args.kind, "name": args.name, "files": [str(file) for file in files]}, indent=1))
        return 0
    for file in files:
        print(file)
    print()
    print(_what_now(args))
    return 0


def new_project(args: argparse.Namespace) -> list[Path]:
    """Write a project and return its files."""
    from weir.cli import scaffolds
    from weir.files import write_whole

    _check_name(args.name, "[a-z0-9_-]{1,64}", "1 to 64 lower-case letters, digits, _ and -")
    [(name, text)] = scaffolds.rendered("project", {"name": args.name, "title": scaffolds.title_of(args.name)}).items()
    file = args.output / name
    if file.exists() or file.is_symlink():
        raise WeirError(diagnostic("E_OUTPUT_EXISTS", "", f"{file} already exists",
                                   "choose another name, or remove the file"))
    with trying(f"write {file}"):
        args.output.mkdir(parents=True, exist_ok=True)
        write_whole(file, text)
    return [file]


def new_block(args: argparse.Namespace) -> list[Path]:
    """Write a block and return its files."""
    from weir.cli import scaffolds

    _check_identifier(args.name)
    if args.family is not None:
        _check_identifier(args.family)
    _check_ports(args.inputs, args.outputs)
    item_types = _item_types(args.item_type)
    _check_free("block", args.name, _catalog(args).blocks)
    folder = args.output / args.family / args.name if args.family else args.output / args.name
    facts = scaffolds.block_facts(args.name, args.inputs, args.outputs, item_types)
    return scaffolds.write_folder(folder, scaffolds.rendered("block", facts))


def new_scheduler(args: argparse.Namespace) -> list[Path]:
    """Write a scheduler and return its files."""
    from weir.cli import scaffolds

    _check_identifier(args.name)
    _check_free("scheduler", args.name, _catalog(args).schedulers)
    facts = {"name": args.name, "title": scaffolds.title_of(args.name), "class_name": scaffolds.class_of(args.name)}
    kind = "planner" if args.planner else "scheduler"
    return scaffolds.write_folder(args.output / args.name, scaffolds.rendered(kind, facts))


def new_target(args: argparse.Namespace) -> list[Path]:
    """Write a target and return its files."""
    from weir.cli import scaffolds

    _check_identifier(args.name)
    catalog = _catalog(args)
    _check_free("target", args.name, catalog.targets)
    _check_free("scheduler", args.name, catalog.schedulers)  # the scaffold contains a scheduler of the same name
    facts = {"name": args.name, "title": scaffolds.title_of(args.name)}
    return scaffolds.write_folder(args.output / args.name, scaffolds.rendered("target", facts))


def _usage(message: str, hint: str = "", code: str = "E_USAGE") -> WeirError:
    return WeirError(diagnostic(code, "", message, hint), USAGE)


def _check_name(name: str, pattern: str, rule: str) -> None:
    if not re.fullmatch(pattern, name):
        raise _usage(f"`{name}` is not a valid name", f"allowed: {rule}", "E_NAME_INVALID")


def _check_identifier(name: str) -> None:
    _check_name(name, "[a-z][a-z0-9_]{0,63}", "a lower-case letter, then at most 63 lower-case letters, digits and _")


def _check_free(kind: str, name: str, taken: Iterable[str]) -> None:
    from weir.cli.scaffolds import class_of

    class_name = class_of(name)
    if class_name in TAKEN[kind]:
        raise _usage(f"a {kind} cannot be called `{name}`: its class would hide another `{class_name}`",
                     "choose another name")
    if name in taken:
        raise _usage(f"the catalog already has a {kind} `{name}`", "choose another name",
                     "E_DESCRIPTOR_DUPLICATE")


def _check_ports(inputs: int, outputs: int) -> None:
    for option, count in (("--inputs", inputs), ("--outputs", outputs)):
        if not 0 <= count <= MOST_PORTS:
            raise _usage(f"{option} {count}: expected 0 to {MOST_PORTS}")
    if inputs + outputs == 0:
        raise _usage("a block needs at least one port", "--inputs 0 makes a source, --outputs 0 makes a sink")


def _item_types(names: list[str]) -> list[str]:
    from weir.model.document.item_types import ITEM_TYPES

    for name in names:
        if name not in ITEM_TYPES:
            raise _usage(f"--item-type {name}: unknown item type", did_you_mean(name, ITEM_TYPES))
    return list(dict.fromkeys(names)) or ["f32", "c64"]


def _what_now(args: argparse.Namespace) -> str:
    return {
        "project": f"Run it: weir run {args.output / args.name}.weir.json",
        "block": f"Test it: weir test --only blocks --block-path {args.output}\n"
                 f"Use it:  weir run PROJECT --extensions {args.output}\n"
                 "Draw it: an icon.svg beside block.json is optional (CONTRIBUTING.md, \"Add a block\")",
        "scheduler": f"Test it: weir test --scheduler-path {args.output / args.name}\n"
                     f"Use it:  weir run PROJECT --extensions {args.output}, with \"scheduler\": \"{args.name}\" "
                     "in a deployment",
        "target": f"Use it:  weir run PROJECT --extensions {args.output}, with \"scheduler\": \"{args.name}\" "
                  "in a deployment",
    }[args.kind]
