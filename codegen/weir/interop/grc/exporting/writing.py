"""Text of a flowgraph, in the order and layout of GNU Radio Companion. Saving it there changes nothing."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, cast

from weir.interop.grc.importing.variables import is_variable
from weir.interop.grc.reading.flowgraph import Flowgraph, GrcBlock, connection_json
from weir.interop.grc.reading.yaml_text import Plain, library

_SECTIONS = ("blocks", "connections", "metadata")


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

    ordered = sorted(flow.blocks, key=lambda b: (not is_variable(b.id), b.name))
    connections = [connection_json(c) for c in sorted(flow.connections, key=lambda c: c.ends)]
    data: Mapping[str, Plain] = {
        "options": block(flow.options), "blocks": [block(b) for b in ordered],
        "connections": [Flowing(c) if isinstance(c, list) else c for c in connections],
        "metadata": dict(sorted(flow.metadata.items()))}
    sections = []
    for name, value in data.items():
        text = yaml.dump_all([{name: value}], Dumper=Dumper, default_flow_style=False, indent=2, allow_unicode=False)
        sections.append(("\n" if name in _SECTIONS else "") + text)
    return "".join(sections)
