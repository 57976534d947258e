"""`weir catalog`: what there is to draw with."""

import argparse
import json

from weir.verbs import add_catalog_arguments, add_json_argument

HELP = "list blocks, schedulers, targets and item types"


def add_parser(sub: argparse._SubParsersAction) -> argparse.ArgumentParser:
    parser = sub.add_parser("catalog", help=HELP, description=HELP)
    add_catalog_arguments(parser)
    add_json_argument(parser)
    return parser


def run(args: argparse.Namespace) -> int:
    from weir.catalog import catalog_json, load_catalog

    catalog = load_catalog(args.block_path, args.scheduler_path)
    if args.json:
        print(json.dumps(catalog_json(catalog), ensure_ascii=False, indent=1))
        return 0
    rows = [("BLOCK", "FAMILY", "PORTS", "ITEM TYPES", "")]
    rows += [(b.id, b.family, f"{len(b.inputs)} -> {len(b.outputs)}", " ".join(b.item_types) or "fixed", b.title)
             for b in catalog.blocks.values()]
    print_table(rows)
    print()
    print_table([("SCHEDULER", "WORKERS", "WAIT", ""),
                 *((s.id, s.workers, " ".join(s.wait), s.title) for s in catalog.schedulers.values())])
    print()
    print_table([("TARGET", ""), *((t.id, t.title) for t in catalog.targets.values())])
    return 0


def print_table(rows: list[tuple[str, ...]]) -> None:
    widths = [max(len(row[i]) for row in rows) for i in range(len(rows[0]))]
    for row in rows:
        print("  ".join(cell.ljust(width) for cell, width in zip(row, widths)).rstrip())
