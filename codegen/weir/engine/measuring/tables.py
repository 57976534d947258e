"""Write lists of results.json as tables for other programs: blocks.csv and hops.csv."""

from __future__ import annotations

import csv
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path

from weir.engine.results_model import fields, records


def write_tables(folder: Path, results: Mapping) -> None:
    """Write blocks.csv, and hops.csv if there are hops. Raises OSError."""
    write_table(folder / "blocks.csv", "block", results["blocks"])
    if results["hops"]:
        write_table(folder / "hops.csv", "hop", results["hops"])


def write_table(path: Path, record: str, rows: Iterable[Mapping[str, object]]) -> None:
    """Write one row per object and one column per field; nested fields become `waiting_p50_ns`, null is empty."""
    columns = list(_columns(record))
    with open(path, "w", newline="", encoding="utf-8") as file:
        writer = csv.writer(file, lineterminator="\n")
        writer.writerow(["_".join(column) for column in columns])
        for row in rows:
            writer.writerow([_cell(row, column) for column in columns])


def _columns(record: str) -> Iterator[tuple[str, ...]]:
    for name, it in fields(record).items():
        yield from ((name, *inner) for inner in _columns(it.kind.base)) if it.kind.base in records() else ((name,),)


def _cell(row: Mapping[str, object], column: tuple[str, ...]) -> object:
    value: object = row
    for name in column:
        value = value.get(name) if isinstance(value, Mapping) else None
    return value
