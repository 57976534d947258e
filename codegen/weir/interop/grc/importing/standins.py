"""Stand-ins on request: blocks that move as many items as an unknown block, so that the flowgraph runs."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

from weir.interop.grc.expressions.parsing import NotUnderstood
from weir.interop.grc.expressions.values import Values, as_number
from weir.interop.grc.importing.building import NotBuilt
from weir.interop.grc.importing.parts import Built, Part
from weir.interop.grc.importing.signatures import Signature
from weir.interop.grc.importing.wires import Streams
from weir.interop.grc.reading.flowgraph import GrcBlock
from weir.sure import sure

_SAID = "stand-in as requested: it moves items without the computation of the block"
_TO_F32 = {"c64": "complex_to_real", "i16": "integer_to_float", "i32": "integer_to_float", "byte": "integer_to_float"}
_FROM_F32 = {"c64": "real_imag_to_complex", "i16": "float_to_integer", "i32": "float_to_integer",
             "byte": "float_to_integer"}
_PLAIN = ("complex_to_real", "real_imag_to_complex")  # no templates
_LARGEST_RATE = 1_000_000


def stand_in(block: GrcBlock, known: Signature | None, values: Values, streams: Streams) -> Built:
    """Build a stand-in from null sources, null sinks, or sums, conversions and rate changes, depending on the ports.
    Raises NotBuilt if none fits.
    """
    inputs, outputs = (sorted(ports) for ports in streams.ports(block.name))
    if not known:
        raise NotBuilt("its ports are unknown, because GNU Radio is not installed or does not have the block")
    into = [_at(known.inputs, i) for i in inputs]
    out = [_at(known.outputs, i) for i in outputs]
    if None in into or None in out:
        raise NotBuilt("the types of its ports are unknown")
    if not outputs:
        parts = [Part("" if i == inputs[0] else str(i), "null_sink", kind) for i, kind in zip(inputs, into)]
        return Built(parts, {i: [(part.name, "in")] for i, part in zip(inputs, parts)}, {}, reason=_SAID)
    if not inputs:
        parts = [Part("" if i == outputs[0] else str(i), "null_source", kind) for i, kind in zip(outputs, out)]
        return Built(parts, {}, {i: (part.name, "out") for i, part in zip(outputs, parts)}, reason=_SAID)
    if len(set(into)) != 1:
        raise NotBuilt("its inputs have different types")
    chain = _Chain(block, values, inputs, sure(into[0]))
    types = [sure(kind) for kind in out]
    return chain.built(types[0], outputs) if len(set(types)) == 1 else chain.forked(dict(zip(outputs, types)))


class _Chain:
    """Chain of blocks. One of them gets the name of the replaced block."""

    def __init__(self, block: GrcBlock, values: Values, inputs: Sequence[int], kind: str):
        self.block, self.values, self.kind = block, values, kind
        self.parts: list[Part] = []
        self.last = ""  # the last part so far
        self.wires: list[tuple[str, str, str, str]] = []
        self.inputs: dict[int, list[tuple[str, str]]] = {}
        for number in inputs[1:]:
            part = self.append("add", kind, ("in0",))
            self.inputs[number] = [(part, "in1")]
        self.first = inputs[0]

    def append(self, kind: str, item_type: str | None, ports: tuple[str, ...] = ("in",)) -> str:
        name = f"s{len(self.parts) + 1}"
        if self.parts:
            self.wires += [(self.last, "out", name, port) for port in ports]
        else:
            self.entry = [(name, port) for port in ports]
        self.parts.append(Part(name, kind, item_type))
        self.last = name
        return name

    def convert(self, to: str) -> None:
        if self.kind == to:
            return
        if self.kind != "f32":
            kind = _TO_F32[self.kind]
            self.append(kind, None if kind in _PLAIN else self.kind)
        if to != "f32":
            kind = _FROM_F32[to]
            self.append(kind, None if kind in _PLAIN else to, ("real", "imag") if to == "c64" else ("in",))
        self.kind = to

    def rate(self, *names: str) -> int:
        for name in names:
            text = self.block.parameters.get(name, "").strip()
            try:
                value = as_number(self.values.names.text_value(text)) if text else None
            except NotUnderstood:
                value = None
            if isinstance(value, int) and 1 < value <= _LARGEST_RATE:
                return value
        return 1

    def forked(self, outputs: Mapping[int, str]) -> Built:
        """Build a copy block, with a separate conversion to each type of output."""
        start, kind = self.append("copy", self.kind), self.kind
        ends: dict[str, str] = {}
        for to in dict.fromkeys(outputs.values()):
            self.last, self.kind = start, kind
            self.convert(to)
            ends[to] = self.last
        return self.named(start, {number: ends[to] for number, to in outputs.items()}, 1, 1)

    def built(self, to: str, outputs: Sequence[int]) -> Built:
        up, down = self.rate("interp", "interpolation"), self.rate("decim", "decimation", "decimation_factor")
        self.convert(to)
        if up > 1 and to in ("f32", "c64"):
            self.append("interpolate", to)
            self.parts[-1].parameters["interpolation"] = up
        if down > 1:
            self.append("keep_one_in_n", to)
            self.parts[-1].parameters["n"] = down
        if not self.parts:
            self.append("copy", to)
        return self.named(self.last, dict.fromkeys(outputs, self.last), up, down)

    def named(self, main: str, outputs: Mapping[int, str], up: int, down: int) -> Built:
        """Return the whole chain. The part `main` gets the name of the block. `outputs`: the source part of each
        output.
        """
        def own(name: str) -> str:
            return "" if name == main else name

        return Built([replace(part, name=own(part.name)) for part in self.parts],
                     {number: [(own(name), port) for name, port in ends]
                      for number, ends in ({self.first: self.entry} | self.inputs).items()},
                     {number: (own(name), "out") for number, name in outputs.items()},
                     [(own(a), p, own(b), q) for a, p, b, q in self.wires],
                     reason=f"{_SAID}; its rate is assumed to be {up} / {down}")


def _at(types: tuple[str | None, ...], port: int) -> str | None:
    """Return the type of a port. A port beyond the listed ones has the last type."""
    return types[min(port, len(types) - 1)] if types else None
