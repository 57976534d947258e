"""Types of bytes: GNU Radio has one type, Weir has u8 and i8. The neighbours of a block decide which one it gets."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import cast

from weir.interop.grc.importing.parts import Part
from weir.model.catalog import Catalog
from weir.model.flowgraph.components import reached


def decide_bytes(parts: Mapping[str, Part], wires: Sequence[tuple[str, str, str, str]], catalog: Catalog) -> None:
    """Give each connected set of blocks of bytes i8 if a neighbour has it, else u8. Some connections may then need a
    conversion, because a stream of bytes can have readers of both types.
    """
    undecided = {name for name, part in parts.items() if part.item_type == "byte"}
    together: dict[str, set[str]] = {name: set() for name in undecided}
    neighbours: dict[str, set[str]] = {name: set() for name in undecided}
    for src, out, dst, into in wires:
        ends = [_type_at(parts[src], out, catalog), _type_at(parts[dst], into, catalog)]
        if ends == ["byte", "byte"]:
            together[src].add(dst)
            together[dst].add(src)
        for name, own, other in ((src, *ends), (dst, *reversed(ends))):
            if own == "byte" and other is not None and other in ("u8", "i8"):
                neighbours[cast(str, name)].add(other)
    while undecided:
        group = reached([undecided.pop()], together.__getitem__)
        undecided -= group
        signed = "i8" in set().union(*(neighbours[name] for name in group))
        for name in group:
            known = catalog.blocks[parts[name].type].item_types
            parts[name].item_type = "i8" if signed and "i8" in known or "u8" not in known else "u8"
            _wrap(parts[name], catalog)


def _wrap(part: Part, catalog: Catalog) -> None:
    """Wrap constants to the range of the byte type: 255 and -1 have the same bits."""
    lowest = -128 if part.item_type == "i8" else 0
    for parameter in catalog.blocks[part.type].parameters:
        value = part.parameters.get(parameter.id)
        if parameter.type == "item" and isinstance(value, int):
            part.parameters[parameter.id] = (value - lowest) % 256 + lowest


#: Blocks that convert between the two byte types.
CONVERSIONS = {("u8", "i8"): "uchar_to_char", ("i8", "u8"): "char_to_uchar"}


def conversion(parts: Mapping[str, Part], ends: tuple[str, str, str, str], catalog: Catalog) -> str | None:
    """Return the block that a connection between u8 and i8 needs, None for any other connection."""
    src, out, dst, into = ends
    given, taken = _type_at(parts[src], out, catalog), _type_at(parts[dst], into, catalog)
    return CONVERSIONS.get((given, taken)) if given and taken else None


def _type_at(part: Part, port: str, catalog: Catalog) -> str | None:
    kind = catalog.blocks.get(part.type)
    found = (kind.input(port) or kind.output(port)) if kind else None
    return found.item_type(part.item_type) if found else None
