"""Profile: measured costs of blocks. Like the machine, it is an input of planning. The plan stores it with its hash.

Costs are by block and not by instance. Copies do the same work, and the mean over all copies is steadier than a single
one. Items of a block count at its first input, those of a source at its first output.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any

from weir.diagnostics import Diagnostic, diagnostic
from weir.model.document import jsontext
from weir.model.flowgraph.graph import Graph
from weir.model.flowgraph.replacing import is_throttle

#: Most blocks missing from a profile that are named one by one.
MOST_NAMED = 8


@dataclass(frozen=True)
class BlockCost:
    """Cost of a block. `ns_per_item`: time in `work`, without the cost of reading the clock. `items_per_call`: the
    mean; None: unknown.
    """

    ns_per_item: float
    items_per_call: float | None = None

    def as_json(self) -> dict[str, float]:
        """Return the cost as plain JSON values."""
        calls = {} if self.items_per_call is None else {"items_per_call": self.items_per_call}
        return {"ns_per_item": self.ns_per_item, **calls}


@dataclass(frozen=True)
class Profile:
    """Costs by block id. `deployment`, `items_per_s`: of the run that the profile comes from, if any. Profiling slowed
    that run down. `busy_ns`: time of each block in that run, which a profile's file does not have.
    """

    blocks: Mapping[str, BlockCost] = field(default_factory=dict)
    deployment: str | None = None
    items_per_s: float | None = None
    busy_ns: Mapping[str, float] = field(default_factory=dict, compare=False)

    def as_json(self) -> dict[str, object]:
        """Return the contents of a profile's file."""
        run = {"deployment": self.deployment, "items_per_s": self.items_per_s} if self.items_per_s else None
        return {"format": 1, "blocks": {name: cost.as_json() for name, cost in sorted(self.blocks.items())},
                **({"run": run} if run else {})}

    @property
    def hash(self) -> str:
        """Return the SHA-256 of the profile's file."""
        return hashlib.sha256(jsontext.write(self.as_json()).encode()).hexdigest()

    def lacking(self, graph: Graph) -> list[Diagnostic]:
        """Return a warning for each block of the graph that the profile lacks. Throttles cost nothing."""
        missing = {i.block_id: i.pointer for i in graph.instances
                   if i.block_id not in self.blocks and not is_throttle(i.type.id)}
        return [diagnostic("W_PROFILE_BLOCK", at, f"the profile has no block `{name}`, so its cost is assumed")
                for name, at in list(missing.items())[:MOST_NAMED]]


def known_share(profile: Profile | None, names: Iterable[str]) -> str:
    """Return whether the costs of these blocks are `measured`, `partly` so, or `assumed`."""
    known = {name in profile.blocks for name in names} if profile else {False}
    return "partly" if len(known) > 1 else "measured" if known == {True} else "assumed"


def profile_from_json(document: Mapping[str, Any]) -> Profile:
    """Return the profile of a document that fits the schema."""
    run = document.get("run") or {}
    return Profile({name: BlockCost(float(cost["ns_per_item"]),
                                    None if cost.get("items_per_call") is None else float(cost["items_per_call"]))
                    for name, cost in document["blocks"].items()}, run.get("deployment"), run.get("items_per_s"))
