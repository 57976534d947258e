"""Blocks of another runtime in the place of the library's: `native.json` of its target says which mean the same."""

from __future__ import annotations

import json
import re
from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path

from weir.catalog import BlockType, Catalog
from weir.document.item_types import Parameter
from weir.planning.plan import Plan, PlannedBlock

#: A parameter of a block's, its value, the block and its item type -> a literal.
Literal = Callable[[Parameter, object, BlockType, "str | None"], str]


@dataclass(frozen=True)
class Native:
    """`make`: an expression that makes it; where `takes_total`, with the items after which it is to end. `at_end`: only
    in runs that watch nothing at it. `entry`: of the table.
    """

    make: str
    takes_total: bool
    at_end: bool
    entry: Mapping

    def of(self, key: str, item_type: str | None) -> object:
        return _of_type(self.entry[key], item_type)


def natives_of(plan: Plan, catalog: Catalog, file: Path, item: Callable[[str | None], str], literal: Literal,
               total: Callable[[PlannedBlock], str] = lambda block: "total") -> dict[str, Native]:
    """Instance -> what stands for it. `item`, `total`: in the language of the target, an item type, and the items after
    which a block is to end.

    None stands for what has a probe, or meters a run: there a run measures. Where an end of the graph is one of the
    runtime's own, that is so in runs that measure nothing there.
    """
    if plan.deployment.blocks != "native":
        return {}
    table = json.loads(file.read_text(encoding="utf-8"))
    ways = _Ways(plan)
    found = {}
    for block in plan.blocks:
        kind, entry = catalog.blocks[block.type], table.get(block.type)
        make = entry and _of_type(entry["make"], block.item_type)
        if not make or any(block.parameters.get(name) != value for name, value in entry.get("if", {}).items()):
            continue
        metered = block.instance in plan.metered
        at_end = metered or block.instance in ways.ends
        if at_end and not (entry.get("ends") and ways.is_on_a_chain(block.instance) and not block.ends_at_run_items):
            continue
        if metered and not entry.get("metered", True):
            continue
        if not at_end and (block.probe_granularity or _ends_others(block, ways, catalog)):
            continue
        words = {"item": item(block.item_type), "total": total(block),
                 **{p.id: literal(p, block.parameters[p.id], kind, block.item_type) for p in kind.parameters
                    if f"{{{p.id}}}" in make}}
        found[block.instance] = Native(re.sub(r"\{(\w+)\}", lambda name, words=words: words[name[1]], make),
                                       "{total}" in make, at_end, entry)
    return found


def _ends_others(block: PlannedBlock, ways: _Ways, catalog: Catalog) -> bool:
    """Whether it may end before all that is above it has, and take that with it, though it is read elsewhere: where it,
    or something above it, ends by itself or with one of its inputs. The library's wait for others there.
    """
    def ends_early(kind: BlockType) -> bool:
        return len(kind.inputs) > 1 or "bounds" in kind.behaviour or kind.rates == "until_end"

    return any(ends_early(catalog.blocks[ways.types[name]]) and ways.has_sink_beside(name)
               for name in ways.above(block.instance))


def _of_type(value: object, item_type: str | None) -> object:
    return value.get(item_type) if isinstance(value, Mapping) else value


class _Ways:
    """Who writes for whom."""

    def __init__(self, plan: Plan) -> None:
        self._readers: dict[str, list[str]] = defaultdict(list)
        self._writers: dict[str, list[str]] = defaultdict(list)
        for stream in plan.streams:
            writer = stream.name.rpartition(".")[0]
            for reader in (it.rpartition(".")[0] for it in stream.readers):
                self._readers[writer].append(reader)
                self._writers[reader].append(writer)
        self.types = {b.instance: b.type for b in plan.blocks}
        self.ends = {b.instance for b in plan.blocks} - (self._readers.keys() & self._writers.keys())

    def is_on_a_chain(self, instance: str) -> bool:
        """Whether nothing forks or joins of what it is connected with: there no block waits for another one's end."""
        both = {name: self._readers.get(name, []) + self._writers.get(name, [])
                for name in self._readers.keys() | self._writers.keys()}
        part = self._reached([instance], both)
        return all(len(ways.get(name, ())) < 2 for ways in (self._readers, self._writers) for name in part)

    def above(self, instance: str) -> set[str]:
        """It, and all that comes to it comes from."""
        return self._reached([instance], self._writers)

    def has_sink_beside(self, instance: str) -> bool:
        """Whether what comes to it comes to a sink, too, by a way on which it is not."""
        above = self.above(instance)
        behind = self._reached(above - {instance}, self._readers, but=instance)
        return any(not self._readers.get(name) for name in behind)

    @staticmethod
    def _reached(start: Iterable[str], ways: Mapping[str, list[str]], but: str = "") -> set[str]:
        seen = set(start)
        pending = list(seen)
        while pending:
            for other in ways.get(pending.pop(), ()):
                if other not in seen and other != but:
                    seen.add(other)
                    pending.append(other)
        return seen
