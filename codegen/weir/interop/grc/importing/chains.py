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


def _inside(built: Built, prefix: str) -> Built:
    """Return a chain that is inside of a larger one: the names of its parts begin with `prefix`."""
    for part in built.parts:
        part.name = prefix + part.name
    return Built(built.parts, {i: [(prefix + name, port) for name, port in into] for i, into in built.inputs.items()},
                 {i: (prefix + name, port) for i, (name, port) in built.outputs.items()},
                 [(prefix + a, p, prefix + b, q) for a, p, b, q in built.wires])


def rearranged(parts: Sequence[Part], taken: Sequence[int], given: Sequence[int]) -> Built:
    """Return chains that give `taken` items to each of some streams by turns, and take `given` items of each by turns.
    """
    first, last = _inside(dealt(parts[0], taken), "stream"), joined(parts[1], given)
    between = [(*out, *into) for i, out in first.outputs.items() for into in last.inputs[i]]
    return Built([*first.parts, *last.parts], first.inputs, last.outputs, first.wires + between + last.wires,
                 note=f"its items go through {len(taken)} streams, as in GNU Radio")


def mixed(weighted: Part, total: Part, weights: Sequence[Sequence[dict]]) -> Built:
    """Return the sums of all inputs, by `weights`: for each output the parameters of `weighted` for each input."""
    made = Built([], {}, {}, note=f"each output is the sum of {len(weights[0])} weighted inputs")
    for out, row in enumerate(weights):
        sums = _inside(folded(total, len(row)), f"sum{out}_")
        for i, own in enumerate(row):
            made.parts.append(Part(f"weight{out}_{i}", weighted.type, weighted.item_type, own))
            made.inputs.setdefault(i, []).append((f"weight{out}_{i}", "in"))
            made.wires += [(f"weight{out}_{i}", "out", *into) for into in sums.inputs[i]]
        made.parts += sums.parts
        made.wires += sums.wires
        made.outputs[out] = sums.outputs[0]
    return made


def channelized(parts: Sequence[Part], count: int) -> Built:
    """Return a polyphase filter bank for `count` channels: streams by turns, a filter for each, and a Fourier transform
    across them. The taps of the filter, the second part, are dealt to the streams, the last first.
    """
    split, one, join, transform, out = parts
    taps = [*one.parameters["taps"], *[0.0] * (-len(one.parameters["taps"]) % count)]
    taken, given = _inside(dealt(split, count * [1]), "stream"), _inside(joined(join, count * [1]), "vector")
    last = dealt(out, count * [1])
    filters = [Part(f"filter{i}", one.type, one.item_type, one.parameters | {"taps": taps[i::count][::-1]})
               for i in range(count)]
    wires = [(*taken.outputs[i], it.name, "in") for i, it in enumerate(filters)]
    wires += [(it.name, "out", *into) for i, it in enumerate(filters) for into in given.inputs[i]]
    wires += [(*given.outputs[0], transform.name, "in"), (transform.name, "out", *last.inputs[0][0])]
    return Built([*taken.parts, *filters, *given.parts, transform, *last.parts], taken.inputs, last.outputs,
                 taken.wires + given.wires + last.wires + wires, note=f"a bank of {count} filters, as in GNU Radio")


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
