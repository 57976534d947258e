"""Rates of sources that stand in for a network or a device, in flowgraphs where something else keeps a rate."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping

from weir.interop.grc.importing.parts import Built, Part
from weir.interop.grc.importing.wires import Wire

_KEEPS = ("throttle", "paced_source")


def rate_keepers(made: Mapping[str, Built], enabled: Callable[[str], bool]) -> Iterator[tuple[str, Part]]:
    """Yield each part that keeps a rate, with the name of its block."""
    for name, built in made.items():
        if enabled(name):
            yield from ((name, part) for part in built.parts if part.type in _KEEPS and "rate" in part.parameters)


def flat_out(made: Mapping[str, Built], ids: Mapping[tuple[str, str], str], wires: Iterable[Wire],
             enabled: Callable[[str], bool]) -> Iterator[tuple[str, Part]]:
    """Yield each null source that replaces another block and is not connected to anything that keeps a rate, with the
    name of the block. In GNU Radio, the network or the device held the rate.
    """
    near: dict[str, set[str]] = {}
    for a, _, b, _ in (wire.ends for wire in wires):
        near.setdefault(a, set()).add(b)
        near.setdefault(b, set()).add(a)
    kept, waiting = set(), [ids[name, part.name] for name, part in rate_keepers(made, enabled)]
    while waiting:
        own = waiting.pop()
        if own not in kept:
            kept.add(own)
            waiting += near.get(own, ())
    for name, built in made.items():
        inside = {part.name for part in built.parts if part.type == "null_source"}
        if enabled(name) and built.reason and inside >= {part for part, _ in built.outputs.values()}:
            yield from ((name, part) for part in built.parts
                        if part.name in inside and ids[name, part.name] in near and ids[name, part.name] not in kept)
