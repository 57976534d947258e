"""Notes in both directions: a block in a flowgraph, a text on the canvas in a project."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from weir.interop.grc.names import identifier, python_name
from weir.interop.grc.reading.flowgraph import GrcBlock, states_of

_SIZE = (220, 90)
_APART = 20
_LONGEST = 2000


def note_of(block: GrcBlock) -> dict[str, Any] | None:
    """Return the note as an entry of `ui.notes`, None if the block is not a note or is empty."""
    text = block.parameters.get("note", "").strip("'\"") or block.parameters.get("comment", "")
    if block.id != "note" or not text:
        return None
    return {"text": text, "rect": [*block.position, *_SIZE]}


def note_on(block: GrcBlock) -> dict[str, Any]:
    """Return a note that says what a block without connections is, with its parameters."""
    lines = [f"{block.name}: {block.id}", *(f"{name} = {text}" for name, text in block.parameters.items())]
    return {"text": "\n".join(lines)[:_LONGEST], "rect": [*block.position, *_SIZE]}


def above(notes: Mapping[str, Any], positions: Iterable[Sequence[int]]) -> dict[str, Any]:
    """Return the notes in a row above the blocks."""
    top = min((y for _, y in positions), default=0) - _SIZE[1] - _APART
    return {key: {**note, "rect": [i * (_SIZE[0] + _APART), top, *_SIZE]}
            for i, (key, note) in enumerate(notes.items())}


def note_back(block: GrcBlock, notes: Mapping[str, Any]) -> GrcBlock | None:
    """Return a note of the flowgraph with its current text, None if it was deleted."""
    before, now = note_of(block), notes.get(identifier(block.name))
    if before is None or now == before:
        return block
    if not isinstance(now, dict):
        return None
    states = dict(block.states)
    rect = now.get("rect")
    was = before["rect"]
    if isinstance(rect, list) and rect[:2] != was[:2] and all(isinstance(v, (int, float)) for v in rect[:2]):
        states["coordinate"] = [round(v) for v in rect[:2]]
    parameters = dict(block.parameters)
    if now.get("text") != before["text"]:
        parameters["note"] = str(now.get("text", ""))
    return GrcBlock(block.name, block.id, parameters, states)


def new_notes(notes: Mapping[str, Any], known: set[str], taken: set[str]) -> list[GrcBlock]:
    """Return blocks for the notes that are new."""
    made = []
    for key, note in notes.items():
        if isinstance(note, dict) and key not in known and isinstance(note.get("text"), str):
            name = python_name(f"note_{key}", taken)
            taken.add(name)
            rect = note.get("rect")
            at = [round(v) for v in rect[:2]] if isinstance(rect, list) and len(rect) == 4 and all(
                isinstance(v, (int, float)) for v in rect) else [8, 8]
            made.append(GrcBlock(name, "note", {"alias": "", "comment": "", "note": note["text"]}, states_of(at)))
    return made
