"""`weir catalog`: what there is to draw with."""

from __future__ import annotations

import argparse
import json
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING, Any

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
                        help="a block, scheduler or target to describe; or blocks, schedulers or targets, to list them "
                             "alone")
    for kind in KINDS:
        parser.add_argument(f"--{kind}", action="append_const", const=kind, dest="kinds", help=argparse.SUPPRESS)
    add_catalog_arguments(parser)
    add_common(parser, "--json")
    return parser


def run(args: argparse.Namespace) -> int:
    from weir.cli.verbs._finding import what_finds
    from weir.engine.measuring.volk import implementations
    from weir.model import catalog_text
    from weir.model.catalog import catalog_json, load_catalog
    from weir.model.document.deployment import default_deployment, default_settings

    whole = load_catalog(args.block_path, args.scheduler_path, args.target_path)
    kinds = [*(args.kinds or ()), *(name for name in args.names if name in KINDS)]
    names = [name for name in args.names if name not in KINDS]
    if len(names) > 1:
        raise WeirError(diagnostic("E_USAGE", "", f"{', '.join(names)}: one of them is described at a time"))
    catalog = _chosen(whole, kinds)
    for name in names:
        catalog = _named(catalog, name)
    if args.json:
        answer = catalog_json(catalog, whole)
        answer["blocks"] = [{**block, **found} for block, found in zip(answer["blocks"], what_finds(catalog.blocks))]
        answer["volk"] = implementations(sorted({kernel for b in catalog.blocks.values() for kernel in b.kernels}))
        answer["defaults"] = default_settings(whole.target_for(default_deployment().scheduler))
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
    """What of the catalog has this name. WeirError (E_USAGE) when nothing has."""
    kinds: dict[str, Any] = {"blocks": catalog.blocks, "schedulers": catalog.schedulers, "targets": catalog.targets}
    if not any(name in things for things in kinds.values()):
        hint = did_you_mean(name, [known for things in kinds.values() for known in things])
        raise WeirError(diagnostic("E_USAGE", "", f"there is no block, scheduler or target `{name}`",
                                   hint or "weir catalog lists what there is"))
    return replace(catalog, **{kind: {name: things[name]} if name in things else {} for kind, things in kinds.items()})
