"""weir catalog: list the blocks, schedulers, targets and item types that a project can use."""

from __future__ import annotations

import argparse
import json
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

from weir import ROOT
from weir.cli.verbs import add_catalog_arguments, add_common
from weir.diagnostics import WeirError, diagnostic, did_you_mean

if TYPE_CHECKING:
    from weir.model.catalog import Catalog

GROUP = "extend"
HELP = "list blocks, schedulers, targets and item types, or describe one"
KINDS = ("blocks", "schedulers", "targets")


def add_parser(sub: argparse._SubParsersAction) -> argparse.ArgumentParser:
    parser = sub.add_parser("catalog", help=HELP, description=HELP)
    parser.add_argument("names", nargs="*", metavar="NAME",
                        help="describe this block, scheduler or target; or list only `blocks`, `schedulers` or "
                             "`targets`")
    for kind in KINDS:
        parser.add_argument(f"--{kind}", action="append_const", const=kind, dest="kinds", help=argparse.SUPPRESS)
    add_catalog_arguments(parser)
    add_common(parser, "--json")
    parser.add_argument("--gnuradio", action="store_true",
                        help="with --json: add the blocks of the installed GNU Radio, which it runs itself")
    return parser


def run(args: argparse.Namespace) -> int:
    from weir.engine.measuring.volk import implementations
    from weir.model import catalog_text
    from weir.model.catalog import catalog_json, load_catalog
    from weir.model.document.deployment import default_deployment, default_settings

    whole = load_catalog(args.block_path, args.scheduler_path, args.target_path)
    kinds = [*(args.kinds or ()), *(name for name in args.names if name in KINDS)]
    names = [name for name in args.names if name not in KINDS]
    if args.gnuradio and not args.json:
        raise WeirError(diagnostic("E_USAGE", "", "--gnuradio needs --json"))
    if len(names) > 1:
        raise WeirError(diagnostic("E_USAGE", "", f"{', '.join(names)}: `weir catalog` describes one at a time"))
    catalog = _chosen(whole, kinds)
    for name in names:
        catalog = _named(catalog, name)
    if args.json:
        answer = catalog_json(catalog, whole)
        answer["blocks"] = [{**block, **found} for block, found in zip(answer["blocks"], what_finds(catalog.blocks))]
        answer["volk"] = implementations(sorted({kernel for b in catalog.blocks.values() for kernel in b.kernels}))
        answer["defaults"] = default_settings(whole.target_for(default_deployment().scheduler))
        if args.gnuradio:
            from weir.interop.grc.importing import hosting

            answer["gnuradio"] = hosting.catalog()
        print(json.dumps(answer, ensure_ascii=False, indent=1))
    elif names:
        found: list[Any] = [*catalog.blocks.values(), *catalog.schedulers.values(), *catalog.targets.values()]
        print("\n\n".join(map(catalog_text.description, found)))
    else:
        tables: dict[str, Any] = {"blocks": catalog_text.block_rows, "schedulers": catalog_text.scheduler_rows,
                  "targets": partial(catalog_text.target_rows, whole=whole)}
        print("\n\n".join(catalog_text.table(rows(catalog)) for kind, rows in tables.items()
                          if not kinds or kind in kinds))
    return 0


def _chosen(catalog: Catalog, kinds: list[str]) -> Catalog:
    if not kinds:
        return catalog
    return replace(catalog, **{kind: {} for kind in KINDS if kind not in kinds})


def _named(catalog: Catalog, name: str) -> Catalog:
    """Return the entries of the catalog with this name. Raises WeirError (E_USAGE) if there is none."""
    kinds: dict[str, Any] = {"blocks": catalog.blocks, "schedulers": catalog.schedulers, "targets": catalog.targets}
    if not any(name in things for things in kinds.values()):
        hint = did_you_mean(name, [known for things in kinds.values() for known in things])
        raise WeirError(diagnostic("E_USAGE", "", f"no block, scheduler or target is called `{name}`",
                                   hint or "weir catalog lists all of them"))
    return replace(catalog, **{kind: {name: things[name]} if name in things else {} for kind, things in kinds.items()})


def what_finds(blocks: Iterable[str], root: Path = ROOT) -> Iterator[dict[str, object]]:
    """Yield `gnuradio` and `followed_by` of each block, for `weir catalog --json`."""
    names, next_to = _gnuradio_names(), followers(_examples(root))
    for block in blocks:
        yield {"gnuradio": names[block], "followed_by": dict(next_to[block].most_common())}


def _gnuradio_names() -> Mapping[str, list[str]]:
    """Map our block types to the names of GNU Radio. A block of GNU Radio that becomes several blocks counts for the
    first one.
    """
    from weir.interop.grc import table

    names = defaultdict(list)
    for name in table.block_names():
        parts = [part for rule in table.rules(name)[:1] for part in rule.parts[:1]]
        for part in parts:
            names[part.type].append(name)
    return names


def _examples(root: Path) -> Iterator[Mapping]:
    from weir.files import read_bounded
    from weir.model.document import jsontext
    from weir.model.document.shape import check_shape

    for file in sorted((root / "examples").glob("**/*.weir.json")):
        project, problems = jsontext.read(read_bounded(file, jsontext.MAX_BYTES))
        if not problems and isinstance(project, dict) and not check_shape(project.get("graph"), "project", "graph"):
            yield project


def followers(projects: Iterable[Mapping]) -> Mapping[str, Counter[str]]:
    """Return block type -> types of the blocks that its outputs lead to, with the number of connections."""
    counts: Mapping[str, Counter[str]] = defaultdict(Counter)
    for project in projects:
        types = {block["id"]: block["type"] for block in project["graph"]["blocks"]}
        for source, _, target, _ in project["graph"]["connections"]:
            if source in types and target in types:
                counts[types[source]][types[target]] += 1
    return counts
