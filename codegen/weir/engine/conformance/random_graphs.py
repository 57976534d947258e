"""Random flowgraphs of fixed rates, for schedules made in advance. Equal seeds give equal graphs.

They use few block types, mostly the kit's own (runtime/tests/conformance/blocks): the schedule is under test, and numpy
reproduces every bit.
"""

from __future__ import annotations

import random
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from fractions import Fraction
from typing import Any

INPUTS = {"kit_mix": ("a", "b")}
OUTPUTS = {"kit_deal": ("a", "b")}
SOURCES, SINK, FAILS, HEAD = ("counter_source", "random_source"), "digest_sink", "kit_fails", "head"
ITEM_TYPES = ("u8", "i16", "i32")
#: Items of a run: one, fewer than a firing takes, and numbers that no rate divides.
ITEMS = (1, 2, 7, 100, 1009, 10_007)
_RATES = ((1, 2), (2, 1), (1, 3), (3, 1), (2, 3), (3, 2), (4, 3), (5, 1))
_MOST, _LEAST = 12, Fraction(1, 24)


@dataclass(frozen=True)
class Op:
    """One block of a random graph. `inputs` has the (block, output port) that feeds each of its input ports."""

    id: str
    type: str
    inputs: tuple[tuple[str, str], ...] = ()
    parameters: Mapping[str, Any] = field(default_factory=dict)
    repeat: int = 1

    @property
    def outputs(self) -> tuple[str, ...]:
        """Return the names of its output ports."""
        return () if self.type == SINK else OUTPUTS.get(self.type, ("out",))


@dataclass(frozen=True)
class Drawn:
    """A random graph. `ops` is in stream order, sources first. `items` is the number of items of each source in a run.
    """

    seed: int
    ops: tuple[Op, ...]
    pipes: int
    items: int

    def project(self, **more) -> dict[str, object]:
        """Return the project document; `more` adds keys such as `deployments`."""
        blocks = [{"id": op.id, "type": op.type, **({"parameters": dict(op.parameters)} if op.parameters else {}),
                   **({"repeat": op.repeat} if op.repeat > 1 else {})} for op in self.ops]
        wires = [[src, out, op.id, port] for op in self.ops
                 for (src, out), port in zip(op.inputs, INPUTS.get(op.type, ("in",)))]
        graph = {"blocks": blocks, "connections": wires, **({"pipes": self.pipes} if self.pipes > 1 else {})}
        return {"schema_version": 1, "name": f"graph_{self.seed}", "graph": graph,
                "run": {"items": self.items, "seed": self.seed % 2**31 + 1, "trace": {"backend": "off"}}, **more}

    def text(self) -> str:
        """Return the graph as text for people, one line per block."""
        def said(op: Op) -> str:
            given = ", ".join(f"{name} {value}" for name, value in op.parameters.items())
            fed = " <- " + ", ".join(".".join(end) for end in op.inputs) if op.inputs else ""
            times = f" × {op.repeat}" if op.repeat > 1 else ""
            return f"{op.id} {op.type}{times}" + (f" ({given})" if given else "") + fed
        pipes = f", {self.pipes} pipes" if self.pipes > 1 else ""
        return "\n".join([counted(self.items) + pipes, *map(said, self.ops)])

    def instances(self, op: Op) -> list[str]:
        """Return the names of a block's instances."""
        copies = [f"{op.id}[{i}]" for i in range(op.repeat)] if op.repeat > 1 else [op.id]
        return [f"{name}@p{pipe}" for name in copies for pipe in range(self.pipes)] if self.pipes > 1 else copies

    def of_type(self, type_id: str) -> list[Op]:
        """Return the blocks of one type."""
        return [op for op in self.ops if op.type == type_id]


def counted(items: int) -> str:
    """Return "1 item" or "N items"."""
    return f"{items} item{'' if items == 1 else 's'}"


@dataclass
class _End:
    """An output port that may still get readers.

    `ratio` is its number of items per item of the first source of its `part`.
    """

    op: str
    port: str
    item_type: str
    ratio: Fraction
    part: int


def draw(seed: int) -> Drawn:
    """Return the random graph of a seed."""
    return _Draw(random.Random(f"graph {seed}")).graph(seed)


class _Draw:
    def __init__(self, dice: random.Random):
        self.dice = dice
        self.ops: list[Op] = []
        self.ends: list[_End] = []

    def graph(self, seed: int) -> Drawn:
        dice = self.dice
        for part in range(dice.choice((1, 1, 1, 2, 2, 3))):
            self._source(part)
        self._single(FAILS)
        ways = (self._one, self._one, self._rate, self._fork, self._diamond, self._deal, self._join)
        for _ in range(dice.choice((0, 1, 2, 3, 4, 5, 6))):
            dice.choice(ways)()
        for end in self.ends:
            self._add(SINK, [end])
        return Drawn(seed, tuple(self.ops), dice.choice((1, 1, 1, 2, 3)), dice.choice(ITEMS))

    def _add(self, type_id: str, ends: list[_End], parameters: Mapping[str, object] | None = None,
             repeat: int = 1) -> Op:
        op = Op(f"op{len(self.ops)}", type_id, tuple((e.op, e.port) for e in ends), parameters or {}, repeat)
        self.ops.append(op)
        return op

    def _source(self, part: int) -> None:
        item_type = self.dice.choice(ITEM_TYPES)
        op = self._add(self.dice.choice(SOURCES), [], {"item_type": item_type})
        self.ends.append(_End(op.id, "out", item_type, Fraction(1), part))
        if self.dice.random() < 0.4:
            self._on(self.ends[-1], HEAD, {"items": self.dice.choice((0, 1, 5, 64, 701))})

    def _on(self, end: _End, type_id: str, parameters: Mapping[str, object] | None = None, repeat: int = 1,
            ratio: Fraction = Fraction(1)) -> None:
        """Append a block to the end, which becomes the block's output."""
        end.op, end.port = self._add(type_id, [end], parameters, repeat).id, "out"
        end.ratio *= ratio

    def _single(self, type_id: str, end: _End | None = None) -> None:
        parameters = {"kit_fails": {}, "copy": {}, "add_const": {"constant": self.dice.randint(1, 100)},
                      "delay": {"items": self.dice.choice((0, 1, 9, 300))}}[type_id]
        self._on(end or self.dice.choice(self.ends), type_id, parameters, self.dice.choice((1, 1, 1, 1, 2, 5)))

    def _one(self, end: _End | None = None) -> None:
        self._single(self.dice.choice((FAILS, "copy", "add_const", "delay")), end)

    def _ratio(self, end: _End, n: int, m: int) -> None:
        self._on(end, "kit_ratio", {"n": n, "m": m}, ratio=Fraction(m, n))

    def _rate(self) -> None:
        end, (n, m) = self.dice.choice(self.ends), self.dice.choice(_RATES)
        if _LEAST <= end.ratio * m / n <= _MOST:
            self._ratio(end, n, m)

    def _fork(self) -> _End:
        end = replace(self.dice.choice(self.ends))
        self.ends.append(end)
        self._one(end)
        return end

    def _diamond(self) -> None:
        """Add two branches that join again; their rates may differ in between."""
        end = self.dice.choice(self.ends)
        other = replace(end)
        for way in (end, other):
            n, m = self.dice.choice(_RATES)
            if self.dice.random() < 0.6:
                self._ratio(way, n, m)
                self._one(way)
                self._ratio(way, m, n)
            elif self.dice.random() < 0.7:
                self._one(way)
        self._mix(end, other)

    def _mix(self, end: _End, other: _End) -> None:
        self._on_two(end, other)
        if other in self.ends:
            self.ends.remove(other)

    def _on_two(self, end: _End, other: _End) -> None:
        end.op, end.port = self._add("kit_mix", [end, other]).id, "out"

    def _deal(self) -> None:
        end = self.dice.choice(self.ends)
        if end.ratio / 2 < _LEAST:
            return
        op = self._add("kit_deal", [end])
        end.op, end.port, end.ratio = op.id, "a", end.ratio / 2
        other = replace(end, port="b")
        self.ends.append(other)
        if self.dice.random() < 0.5:
            self._one(other)
            self._mix(end, other)

    def _join(self) -> None:
        """Join two streams of one item type: of the same rate, or of another part, which becomes part of this one."""
        end = self.dice.choice(self.ends)
        others = [o for o in self.ends if o is not end and o.item_type == end.item_type
                  and (o.part != end.part or o.ratio == end.ratio)]
        if not others:
            return
        other = self.dice.choice(others)
        if other.part != end.part:
            scale, part = end.ratio / other.ratio, other.part
            for one in self.ends:
                if one.part == part:
                    one.ratio, one.part = one.ratio * scale, end.part
        self._mix(end, other)


def smaller(graph: Drawn) -> Iterator[Drawn]:
    """Yield smaller graphs; the rates of some have no solution."""
    if graph.pipes > 1:
        yield replace(graph, pipes=1)
    for op in reversed(graph.ops):
        if op.repeat > 1:
            yield replace(graph, ops=tuple(replace(o, repeat=1) if o is op else o for o in graph.ops))
        if op.type == SINK or op.inputs:
            yield _without(graph, op)
    for items in ITEMS:
        if items < graph.items:
            yield replace(graph, items=items)


def _without(graph: Drawn, gone: Op) -> Drawn:
    """Return the graph without a block: its readers read its input instead, and blocks without readers go."""
    kept = [replace(op, inputs=tuple(gone.inputs[0] if src == gone.id else (src, port) for src, port in op.inputs))
            for op in graph.ops if op is not gone]
    while True:
        read = {src for op in kept for src, _ in op.inputs}
        needed = [op for op in kept if op.type == SINK or op.id in read]
        if len(needed) == len(kept):
            return replace(graph, ops=tuple(kept))
        kept = needed
