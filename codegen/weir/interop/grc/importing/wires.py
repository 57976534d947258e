"""Streams of a flowgraph: connections, followed through virtual sources, sinks and vectors to their ends."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass

from weir.interop.grc.reading.flowgraph import Flowgraph, GrcBlock, GrcConnection
from weir.interop.grc.table import VIRTUAL, elided
from weir.model.flowgraph.replacing import feeds_device


@dataclass(frozen=True)
class Wire:
    """Connection of a project. `via`: the numbers of the flowgraph's connections that it replaces."""

    ends: tuple[str, str, str, str]
    via: tuple[int, ...]


@dataclass(frozen=True)
class Path:
    """Path from one translated block to another, along the connections `via`."""

    src: str
    src_port: int
    dst: str
    dst_port: int
    via: tuple[int, ...]

    @property
    def text(self) -> str:
        """Return `source:port -> destination:port`."""
        return f"{self.src}:{self.src_port} -> {self.dst}:{self.dst_port}"


class Streams:
    """Stream connections of a flowgraph, after resolving virtual and disabled blocks.

    `hosted`: GNU Radio runs the flowgraph, so only virtual blocks become wires.
    """

    def __init__(self, flow: Flowgraph, hosted: bool = False):
        self.hosted = hosted
        self.blocks = flow.by_name
        self.connections = flow.connections
        ends_known = [i for i, c in enumerate(flow.connections)
                      if c.is_stream and c.src in self.blocks and c.dst in self.blocks]
        self._on_device = [i for i in ends_known
                           if not hosted and feeds_device(self.blocks[flow.connections[i].src].id)]
        self.stream_numbers = [i for i in ends_known if i not in self._on_device]
        self.message_count = sum(not c.is_stream for c in flow.connections)
        self._ports: dict[str, tuple[set[int], set[int]]] = defaultdict(lambda: (set(), set()))
        self._into: dict[tuple[str, int], int] = {}
        for i in self.stream_numbers:
            c = flow.connections[i]
            self._ports[c.dst][0].add(int(c.dst_port))
            self._ports[c.src][1].add(int(c.src_port))
            into = (c.dst, int(c.dst_port))
            if into not in self._into or self.is_disabled(flow.connections[self._into[into]].src):
                self._into[into] = i
        self._message_ends = {end for c in flow.connections if not c.is_stream for end in (c.src, c.dst)}
        self._virtual_sinks: dict[str, str] = {}
        for block in flow.blocks:
            if block.id == "virtual_sink" and block.state == "enabled":
                self._virtual_sinks.setdefault(block.parameters.get("stream_id", ""), block.name)

    def is_wire(self, block: GrcBlock) -> bool:
        """Return whether a block becomes a wire."""
        return block.id in VIRTUAL if self.hosted else elided(block.id) is not None

    def ports(self, name: str) -> tuple[set[int], set[int]]:
        """Return the connected inputs and outputs of a block."""
        return self._ports[name] if name in self._ports else (set(), set())

    def is_disabled(self, name: str) -> bool:
        """Return whether a block is disabled."""
        return self.blocks[name].state == "disabled"

    def is_second(self, number: int) -> bool:
        """Return whether another connection feeds the same input. Of several, a connection from an enabled block stays,
        and if GNU Radio runs the flowgraph, those from disabled blocks, too.
        """
        c = self.connections[number]
        return self._into[c.dst, int(c.dst_port)] != number and not (self.hosted and self.is_disabled(c.src))

    def has_messages(self, name: str) -> bool:
        """Return whether a block has message ports."""
        return name in self._message_ends

    def message_keys(self, name: str) -> tuple[set[str], set[str]]:
        """Return the connected message inputs and outputs of a block."""
        messages = [c for c in self.connections if not c.is_stream]
        return {c.dst_port for c in messages if c.dst == name}, {c.src_port for c in messages if c.src == name}

    def seconds(self) -> list[str]:
        """Return the connections to inputs that are already connected."""
        return [self._text(i) for i in self.stream_numbers if self.is_second(i)]

    def on_device(self) -> list[str]:
        """Return the connections between blocks of a device, which carry no items here."""
        return [self._text(i) for i in self._on_device]

    def _text(self, number: int) -> str:
        ends = self.connections[number].ends
        return ":".join(ends[:2]) + " -> " + ":".join(ends[2:])

    def paths(self) -> Iterator[Path]:
        """Yield the paths between blocks that remain."""
        for i in self.stream_numbers:
            c = self.connections[i]
            if self.is_wire(self.blocks[c.dst]) or self.is_second(i):
                continue
            found = self._origin(i)
            if found:
                first, via = found
                yield Path(first.src, int(first.src_port), c.dst, int(c.dst_port), via)

    def message_paths(self) -> Iterator[tuple[GrcConnection, GrcConnection, tuple[int, ...]]]:
        """Yield the first and last connection of each path of messages, and the numbers of all connections on it."""
        into: dict[str, list[int]] = {}
        for number, c in enumerate(self.connections):
            if not c.is_stream:
                into.setdefault(c.dst, []).append(number)
        for number, last in enumerate(self.connections):
            if last.is_stream or self._is_virtual(last.dst):
                continue
            pending: list[tuple[int, tuple[int, ...]]] = [(number, (number,))]
            seen = set()
            while pending:
                at, via = pending.pop()
                if at in seen:
                    continue
                seen.add(at)
                first = self.connections[at]
                if not self._is_virtual(first.src):
                    yield first, last, via
                    continue
                sink = self._virtual_sinks.get(self.blocks[first.src].parameters.get("stream_id", ""))
                pending += [(before, (before, *via)) for before in into.get(sink or "", ())]

    def _is_virtual(self, name: str) -> bool:
        return name in self.blocks and self.is_wire(self.blocks[name])

    def _origin(self, number: int) -> tuple[GrcConnection, tuple[int, ...]] | None:
        """Return the connection at the start of a stream, and all connections on the way. None if the stream has no
        start.
        """
        via: list[int] = []
        while True:
            if number in via:
                return None  # a cycle of virtual sources
            via.append(number)
            connection = self.connections[number]
            block = self.blocks[connection.src]
            if not self.is_wire(block):
                return connection, tuple(reversed(via))
            if block.state == "disabled":
                return None
            before = block.name if block.id != "virtual_source" else self._virtual_sinks.get(
                block.parameters.get("stream_id", ""))
            following = self._into.get((before, 0)) if before else None
            if following is None:
                return None
            number = following
