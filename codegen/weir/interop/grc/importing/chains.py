"""Blocks of GNU Radio with any number of streams, as chains of blocks with two."""

from __future__ import annotations

from collections.abc import Sequence, Set
from itertools import accumulate

from weir.interop.grc.importing.parts import Built, Part


def folded(part: Part, count: int, own: Sequence[dict] = ()) -> Built:
    """Return a chain for `count` inputs: (a + b) + c, as GNU Radio computes it. The last part has the block's name.
    `own`: the parameters of each part, besides those of `part`.
    """
    if count == 1:
        return Built([Part("", "copy", part.item_type)], {0: [("", "in")]}, {0: ("", "out")})
    names = [str(i) for i in range(1, count - 1)] + [""]
    parts = [Part(name, part.type, part.item_type, part.parameters | (own[i] if own else {}))
             for i, name in enumerate(names)]
    inputs = {0: [(names[0], "in0")], **{i: [(names[i - 1], "in1")] for i in range(1, count)}}
    wires = [(a, "out", b, "in0") for a, b in zip(names, names[1:])]
    note = f"its {count} inputs are {len(parts)} blocks of two inputs, in the order in which they are computed"
    return Built(parts, inputs, {0: ("", "out")}, wires, note=note if len(parts) > 1 else "")


def joined(part: Part, lengths: Sequence[int]) -> Built:
    """Return a chain that takes `lengths` items of each input by turns."""
    sums = list(accumulate(lengths))
    return folded(part, len(lengths), [{"first": before, "second": length}
                                       for before, length in zip(sums, lengths[1:])])


def dealt(part: Part, lengths: Sequence[int]) -> Built:
    """Return a chain that gives `lengths` items to each output by turns. The first part has the block's name."""
    if len(lengths) == 1:
        return folded(part, 1)
    names = ["", *(str(i) for i in range(1, len(lengths) - 1))]
    parts = [Part(name, part.type, part.item_type, {"first": length, "second": sum(lengths[i + 1:])})
             for i, (name, length) in enumerate(zip(names, lengths))]
    outputs = {i: (name, "out0") for i, name in enumerate(names)} | {len(names): (names[-1], "out1")}
    note = f"its {len(lengths)} outputs are {len(parts)} blocks of two outputs"
    return Built(parts, {0: [("", "in")]}, outputs, [(a, "out1", b, "in") for a, b in zip(names, names[1:])],
                 note=note if len(parts) > 1 else "")


def selected(part: Part, count: int, into: int, out: int, outputs: Set[int]) -> Built:
    """Return a chain that passes input `into` to output `out`. Other connected outputs get an empty stream."""
    built = folded(part, count, [{"index": int(i == into)} for i in range(1, count)])
    built.outputs = {out: ("", "out")}
    for other in sorted(outputs - {out}):
        name = f"empty_{other}"
        built.parts.append(Part(name, "vector_source", part.item_type, {"values": []}))
        built.outputs[other] = name, "out"
    if len(built.outputs) > 1:
        built.note = f"only its output {out} gets items"
    return built
