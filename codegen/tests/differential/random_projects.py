"""Random projects: flowgraphs of the catalog's blocks, deployed under each of its schedulers.

A seed gives the same project while the library is unchanged.
"""

from __future__ import annotations

import random
from collections import Counter
from dataclasses import dataclass, field
from fractions import Fraction
from pathlib import Path

from library import Library, Placed
from weir.model.catalog import BlockType, Catalog

#: Approximate limits of stream lengths: a run takes milliseconds and still has many chunks.
ITEMS = (1, 60_000)
LONGEST, SHORTEST = 12, Fraction(1, 400)


@dataclass
class Open:
    """Output port. `ratio`: items per item of the sources of its `part`."""

    block: str
    port: str
    item_type: str
    ratio: Fraction
    part: int
    readers: int = 0


@dataclass
class Drawn:
    """Result of `draw`. `topology` counts its shapes."""

    document: dict
    topology: Counter = field(default_factory=Counter)


class Draw:
    """Random project under construction."""

    def __init__(self, seed: int, catalog: Catalog, library: Library, folder: Path):
        self.random = random.Random(seed)
        self.catalog, self.library, self.folder = catalog, library, folder
        self.blocks: list[dict] = []
        self.groups: list[dict] = []
        self.connections: list[list[str]] = []
        self.open: list[Open] = []
        self.topology: Counter = Counter()
        self.names: Counter = Counter()
        self.parts = 0
        low, high = ITEMS
        self.items = int(low * (high / low) ** self.random.random() ** 0.4)

    def project(self, seed: int) -> Drawn:
        for _ in range(self.random.choice((1, 1, 1, 2, 2, 3))):
            self.source()
        moves = (self.extend, self.extend, self.extend, self.join, self.diamond, self.rate, self.series, self.group)
        for _ in range(self.random.randint(1, 8)):
            self.random.choice(moves)()
        self.sinks()
        if self.topology["sources"] > 1:
            self.topology["several sources"] += 1
        pipes = self.random.choice((None, None, None, 1, 2, 3))
        graph = {"blocks": self.blocks, "connections": self.connections}
        if self.groups:
            graph["groups"] = self.groups
        if pipes:
            graph["pipes"] = pipes
            self.topology["pipes"] += 1
        return Drawn({"schema_version": 1, "name": f"random-{seed}", "graph": graph,
                      "run": {"items": self.items, "seed": self.random.randrange(2**31), "timeout_s": 120,
                              "trace": {"backend": "memory", "probe_granularity": self.random.choice(
                                  ("auto", 1, 64, 1000))}}}, self.topology)

    # Moves ------------------------------------------------------------------------------------------------------

    def source(self) -> None:
        kind = self.random.choice(self.library.sources)
        placed = self.placed(kind, self.random.choice(kind.item_types or ("",)))
        if placed:
            self.add(placed, [])
            self.topology["sources"] += 1

    def extend(self) -> None:
        port = self.pick()
        placed = port and self.fitting(port, 1)
        if placed and self.paced(placed, port.ratio):
            self.add(placed, [port])
            self.topology["links"] += 1

    def rate(self) -> None:
        """Add a block that changes the rate, if one fits."""
        port = self.pick()
        for _ in range(12):
            placed = port and self.fitting(port, 1)
            if placed and placed.inputs + placed.outputs != [1] * 2 and self.paced(placed, port.ratio):
                self.add(placed, [port])
                self.topology["rate changes"] += 1
                return

    def join(self) -> None:
        """Join two open ports of one type. If they belong to one part, their rates must agree."""
        first = self.pick()
        placed = first and self.fitting(first, 2)
        if not placed or not self.paced(placed, first.ratio):
            return
        pace = first.ratio / placed.inputs[0] * placed.inputs[1]
        others = [p for p in self.open if p is not first and p.item_type == placed.in_type(1)
                  and (p.part != first.part or p.ratio == pace)]
        if others:
            other = self.random.choice(others)
            self.merge(other, first.part, pace / other.ratio)
            self.add(placed, [first, other])
            self.topology["joins"] += 1

    def diamond(self) -> None:
        """Add a fork whose branches join again."""
        port = self.pick()
        placed = port and self.fitting(port, 2)
        if not placed or placed.in_type(1) != port.item_type or len(set(placed.inputs)) > 1:
            return
        arms = [self.arm(port, self.random.randint(0, 2)) for _ in range(2)]
        self.add(placed, arms)
        self.topology["diamonds"] += 1

    def series(self) -> None:
        """Add a repeated block."""
        port = self.pick()
        placed = port and self.wire_like(port)
        if placed:
            self.add(placed, [port], {"repeat": self.random.randint(1, 4)})
            self.topology["repeated blocks"] += 1

    def group(self) -> None:
        """Add a repeated chain of blocks."""
        port = self.pick()
        stages = [self.wire_like(port) for _ in range(self.random.randint(2, 3))] if port else []
        if not stages or not all(stages):
            return
        members, end = [], port
        for stage in stages:
            end = self.add(stage, [end])[0]
            members.append(end.block)
        self.groups.append({"id": f"g{len(self.groups)}", "blocks": members, "repeat": self.random.randint(1, 3)})
        inside = members[:-1]
        self.open = [p for p in self.open if p.block not in inside]
        self.topology["repeated groups"] += 1

    def sinks(self) -> None:
        """Add a sink to every unread port and to some others."""
        for port in list(self.open):
            if port.readers and self.random.random() < 0.85:
                continue
            keep = self.random.random() < 0.9
            kinds = [k for k in self.library.sinks if self.library.keeps(k) or not keep]
            placed = self.placed(*self.random.choice(self.library.takes(kinds, port.item_type, 1)))
            if placed:
                self.add(placed, [port])
                self.topology["sinks"] += 1

    # Parts ------------------------------------------------------------------------------------------------------

    def arm(self, port: Open, stages: int) -> Open:
        for _ in range(stages):
            placed = self.wire_like(port)
            if placed:
                port = self.add(placed, [port])[0]
        return port

    def pick(self) -> Open | None:
        """Return mostly a port that nothing reads yet; any other port makes the move a fork."""
        free = [p for p in self.open if not p.readers]
        if not self.open:
            return None
        return self.random.choice(free if free and self.random.random() < 0.7 else self.open)

    def fitting(self, port: Open, inputs: int) -> Placed | None:
        found = self.library.takes(self.library.inner, port.item_type, inputs)
        return self.placed(*self.random.choice(found)) if found else None

    def placed(self, kind: BlockType, item_type: str) -> Placed | None:
        return self.library.placed(kind, item_type, self.items, self.folder, self.random)

    def wire_like(self, port: Open) -> Placed | None:
        for _ in range(10):
            placed = self.fitting(port, 1)
            if placed and placed.is_wire_like:
                return placed
        return None

    def paced(self, placed: Placed, ratio: Fraction) -> bool:
        """Return whether the streams behind the block have a reasonable length."""
        firing = ratio / placed.inputs[0]
        return all(SHORTEST <= firing * rate <= LONGEST for rate in placed.outputs)

    def merge(self, port: Open, part: int, factor: Fraction) -> None:
        """Assign `port`'s part to `part`, with its rates multiplied by `factor`."""
        old = port.part
        for other in self.open:
            if other.part == old and old != part:
                other.part, other.ratio = part, other.ratio * factor

    def add(self, placed: Placed, feeds: list[Open], more: dict | None = None) -> list[Open]:
        """Add the block and its connections. Return its output ports."""
        self.names[placed.kind.id] += 1
        name = f"{placed.kind.id}_{self.names[placed.kind.id]}"[:63]
        parameters = dict(placed.parameters)
        for parameter in placed.kind.parameters:
            if parameter.access == "write":
                parameters[parameter.id] = f"{name}.out"
        if placed.item_type:
            parameters = {"item_type": placed.item_type, **parameters}
        self.blocks.append({"id": name, "type": placed.kind.id,
                            **({"parameters": parameters} if parameters else {}), **(more or {})})
        for feed, port in zip(feeds, placed.kind.inputs):
            feed.readers += 1
            if feed.readers == 2:
                self.topology["forks"] += 1
            self.connections.append([feed.block, feed.port, name, port.id])
        if not feeds:
            self.parts += 1
        part = feeds[0].part if feeds else self.parts
        firing = feeds[0].ratio / placed.inputs[0] if feeds else Fraction(1)
        made = [Open(name, port.id, placed.out_type(i), firing * placed.outputs[i], part)
                for i, port in enumerate(placed.kind.outputs)]
        self.open += made
        return made


def draw(seed: int, catalog: Catalog, library: Library, folder: Path) -> Drawn:
    """Return the project of a seed, without deployments. Writes the files that its sources read into `folder`."""
    return Draw(seed, catalog, library, folder).project(seed)
