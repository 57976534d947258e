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


def rearranged(parts: Sequence[Part], taken: Sequence[int], given: Sequence[int]) -> Built:
    """Return chains that give `taken` items to each of some streams by turns, and take `given` items of each by turns.
    """
    first, last = dealt(parts[0], taken), joined(parts[1], given)
    named = {part.name: f"stream{part.name}" for part in first.parts}
    for part in first.parts:
        part.name = named[part.name]
    wires = [(named[a], p, named[b], q) for a, p, b, q in first.wires]
    wires += [(named[name], port, *into) for i, (name, port) in first.outputs.items() for into in last.inputs[i]]
    return Built([*first.parts, *last.parts], {0: [(named[""], "in")]}, last.outputs, wires + last.wires,
                 note=f"its items go through {len(taken)} streams, as in GNU Radio")


def mixed(weighted: Part, total: Part, weights: Sequence[Sequence[dict]]) -> Built:
    """Return the sums of all inputs, by `weights`: for each output the parameters of `weighted` for each input."""
    made, inputs = Built([], {}, {}), range(len(weights[0]))
    for out, row in enumerate(weights):
        sums = folded(total, len(row)) if len(row) > 1 else None
        names = {part.name: f"sum{out}_{part.name or 'all'}" for part in sums.parts} if sums else {}
        for i, own in enumerate(row):
            name = f"weight{out}_{i}"
            made.parts.append(Part(name, weighted.type, weighted.item_type, own))
            made.inputs.setdefault(i, []).append((name, "in"))
            if sums:
                [(into, port)] = sums.inputs[i]
                made.wires.append((name, "out", names[into], port))
        for part in sums.parts if sums else ():
            part.name = names[part.name]
            made.parts.append(part)
        made.wires += [(names[a], p, names[b], q) for a, p, b, q in sums.wires] if sums else []
        made.outputs[out] = (names[""] if sums else f"weight{out}_0", "out")
    made.note = f"each output is a sum of the {len(inputs)} weighted inputs"
    return made


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
