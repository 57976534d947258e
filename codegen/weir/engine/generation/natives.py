"""Native blocks of a peer runtime in place of the library's: `native.json` of its target lists the equivalents."""

from __future__ import annotations

import json
import re
from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from weir.model.catalog import BlockType, Catalog
from weir.model.document.item_types import Parameter
from weir.model.planning.plan import Plan

#: Returns the literal for a parameter and its value, given the block and its item type.
Literal = Callable[[Parameter, object, BlockType, "str | None"], str]


@dataclass(frozen=True)
class Native:
    """A native block. `make` is the expression that constructs it.

    `takes_total`: the expression needs the number of items after which the block ends. `at_end`: the block is used only
    in runs that measure nothing there. `entry` is its entry in the table.
    """

    make: str
    takes_total: bool
    at_end: bool
    entry: Mapping

    def of(self, key: str, item_type: str | None) -> Any:
        """Return the entry's value of `key` for an item type."""
        return _of_type(self.entry[key], item_type)


def natives_of(plan: Plan, catalog: Catalog, file: Path, item: Callable[[str | None], str],
               literal: Literal) -> dict[str, Native]:
    """Return instance -> native block. `item` gives an item type in the target's language.

    Instances with a probe have no native block. A source or sink of the graph has one only in runs that measure nothing
    there.
    """
    if plan.deployment.blocks != "native":
        return {}
    table = json.loads(file.read_text(encoding="utf-8"))
    ways = _Ways(plan, catalog)
    found: dict[str, Native] = {}
    for block in plan.blocks:
        kind, entry = catalog.blocks[block.type], table.get(block.type)
        make = entry and _of_type(entry["make"], block.item_type)
        if not make or any(block.parameters.get(name) != value for name, value in entry.get("if", {}).items()):
            continue
        at_end = block.instance in ways.ends or block.instance in plan.metered
        if at_end and not (entry.get("ends") and ways.is_on_a_chain(block.instance) and not block.ends_at_run_items):
            continue
        if not at_end and (block.probe_granularity or ways.may_end_others(block.instance)):
            continue
        words = {"item": item(block.item_type), "total": "total",
                 **{p.id: literal(p, block.parameters[p.id], kind, block.item_type) for p in kind.parameters
                    if f"{{{p.id}}}" in make}}
        found[block.instance] = Native(_filled(make, words),
                                       "{total}" in make, at_end, entry)
    if not all(name in found for name in ways.sinks):
        # A sink of Weir's closes the window at once, and metered blocks must report their counts at that moment.
        found = {name: native for name, native in found.items() if name not in plan.metered}
    return found


def _filled(text: str, words: Mapping[str, str]) -> str:
    return re.sub(r"\{(\w+)\}", lambda name: words[name[1]], text)


def _of_type(value: Any, item_type: str | None) -> Any:
    return value.get(item_type) if isinstance(value, Mapping) else value


class _Ways:
    """Readers and writers of each instance."""

    def __init__(self, plan: Plan, catalog: Catalog) -> None:
        self._readers: dict[str, list[str]] = defaultdict(list)
        self._writers: dict[str, list[str]] = defaultdict(list)
        for stream in plan.streams:
            writer = stream.name.rpartition(".")[0]
            for reader in (it.rpartition(".")[0] for it in stream.readers):
                self._readers[writer].append(reader)
                self._writers[reader].append(writer)
        names = [b.instance for b in plan.blocks]
        self.sinks = [name for name in names if name not in self._readers]
        self.ends = {*self.sinks, *(name for name in names if name not in self._writers)}
        self._forked = {name for ways in (self._readers, self._writers) for name, near in ways.items() if len(near) > 1}
        self._ending: dict[str, bool] = {}
        for block in plan.blocks:  # upstream first
            self._ending[block.instance] = any(self._ending[it] for it in self._writers.get(block.instance, ())) or (
                _ends_early(catalog.blocks[block.type]) and self._has_sink_beside(block.instance))

    def is_on_a_chain(self, instance: str) -> bool:
        """Return whether the instance is on a plain chain, where no block waits for the end of another branch."""
        return not self._forked & (self._reached([instance], self._writers) | self._reached([instance], self._readers))

    def may_end_others(self, instance: str) -> bool:
        """Return whether the block may end before all blocks upstream, and so end blocks that others still read.

        This is true if it, or a block upstream, ends by itself or with one of its inputs. The library's blocks wait for
        other readers.
        """
        return self._ending[instance]

    def _has_sink_beside(self, instance: str) -> bool:
        """Return whether a block upstream of the instance also reaches a sink by a path without the instance."""
        above = self._reached([instance], self._writers)
        if not self._forked & above:
            return False
        behind = self._reached(above - {instance}, self._readers, but=instance)
        return any(name not in self._readers for name in behind)

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


def _ends_early(kind: BlockType) -> bool:
    return len(kind.inputs) > 1 or "bounds" in kind.behaviour or kind.rates == "until_end"
