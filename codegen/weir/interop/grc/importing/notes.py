"""Notes: a block in a flowgraph, a text on the canvas in a project."""

from __future__ import annotations

from weir.interop.grc.reading.flowgraph import GrcBlock

_SIZE = (220, 90)


def note_of(block: GrcBlock) -> dict[str, object] | None:
    """As `ui.notes` has it; None for what is no note, or an empty one."""
    text = _text(block)
    if block.id != "note" or not text:
        return None
    return {"text": text, "rect": [*block.position, *_SIZE]}


def _text(block: GrcBlock) -> str:
    return block.parameters.get("note", "").strip("'\"") or block.parameters.get("comment", "")
