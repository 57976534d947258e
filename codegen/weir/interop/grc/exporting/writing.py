"""Text of a flowgraph, in the layout of GNU Radio Companion, and the order of its blocks. Saving a flowgraph of
Companion there changes nothing.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any, cast

from weir.interop.grc.importing.variables import is_variable
from weir.interop.grc.reading.flowgraph import Flowgraph, GrcBlock, connection_json
from weir.interop.grc.reading.yaml_text import Plain, library

_SECTIONS = ("blocks", "connections", "metadata")


def in_order(blocks: Iterable[GrcBlock], base: Flowgraph | None) -> list[GrcBlock]:
    """Return the blocks in the order of the original flowgraph, with others where Companion writes them: variables
    come first.

    What is a variable there differs between versions of GNU Radio, so the order that a file has is kept.
    """
    def place(b: GrcBlock) -> tuple[bool, str]:
        return b.id == "parameter" or not is_variable(b.id), b.name

    numbers: dict[str, int] = {}
    for number, b in enumerate(base.blocks if base else ()):
        numbers.setdefault(b.name, number)
    blocks = list(blocks)
    ordered = sorted((b for b in blocks if b.name in numbers), key=lambda b: numbers[b.name])
    new = sorted((b for b in blocks if b.name not in numbers), key=place, reverse=True)
    found: list[GrcBlock] = []
    for b in ordered:
        while new and place(new[-1]) < place(b):
            found.append(new.pop())
        found.append(b)
    return found + new[::-1]


def write_grc(flow: Flowgraph) -> str:
    """Return the text of the .grc file."""
    yaml: Any = library()

    class Flowing(list):
        """List that is written on one line."""

    class Dumper(yaml.SafeDumper):
        def ignore_aliases(self, data: object) -> bool:
            return True

    Dumper.add_representer(Flowing, lambda dumper, data: dumper.represent_sequence("tag:yaml.org,2002:seq", data,
                                                                                   flow_style=True))
    Dumper.add_representer(dict, lambda dumper, data: dumper.represent_mapping("tag:yaml.org,2002:map", data.items()))

    def block(b: GrcBlock) -> dict[str, Plain]:
        states = dict(sorted(b.states.items()))
        if isinstance(states.get("coordinate"), list):
            states["coordinate"] = Flowing(cast(list, states["coordinate"]))
        head = {"name": b.name, "id": b.id} if b.id != "options" else {}
        return head | {"parameters": dict(sorted(b.parameters.items())), "states": states}

    connections = [connection_json(c) for c in sorted(flow.connections, key=lambda c: c.ends)]
    data: Mapping[str, Plain] = {
        "options": block(flow.options), "blocks": [block(b) for b in flow.blocks],
        "connections": [Flowing(c) if isinstance(c, list) else c for c in connections],
        "metadata": dict(sorted(flow.metadata.items()))}
    sections = []
    for name, value in data.items():
        text = yaml.dump_all([{name: value}], Dumper=Dumper, default_flow_style=False, indent=2, allow_unicode=False)
        sections.append(("\n" if name in _SECTIONS else "") + text)
    return "".join(sections)
