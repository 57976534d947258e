"""The notes of a project as blocks of a flowgraph: those that came from one, and new ones."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, cast

from weir.interop.grc.importing.notes import note_of
from weir.interop.grc.names import identifier, python_name
from weir.interop.grc.reading.flowgraph import GrcBlock


def note_back(block: GrcBlock, notes: Mapping[str, Any]) -> GrcBlock | None:
    """A note of the flowgraph with the text that it has now; None where it was taken away."""
    before, now = note_of(block), notes.get(identifier(block.name))
    if before is None or now == before:
        return block
    if not isinstance(now, dict):
        return None
    states = dict(block.states)
    rect = now.get("rect")
    was = cast(Any, before["rect"])
    if isinstance(rect, list) and rect[:2] != was[:2] and all(isinstance(v, (int, float)) for v in rect[:2]):
        states["coordinate"] = [round(v) for v in rect[:2]]
    parameters = dict(block.parameters)
    if now.get("text") != before["text"]:
        parameters["note"] = str(now.get("text", ""))
    return GrcBlock(block.name, block.id, parameters, states)


def new_notes(notes: Mapping[str, Any], known: set[str], taken: set[str]) -> list[GrcBlock]:
    """Blocks for the notes that no flowgraph had."""
    made = []
    for key, note in notes.items():
        if isinstance(note, dict) and key not in known and isinstance(note.get("text"), str):
            name = python_name(f"note_{key}", taken)
            taken.add(name)
            rect = note.get("rect")
            at = [round(v) for v in rect[:2]] if isinstance(rect, list) and len(rect) == 4 and all(
                isinstance(v, (int, float)) for v in rect) else [8, 8]
            made.append(GrcBlock(name, "note", {"alias": "", "comment": "", "note": note["text"]},
                                 {"bus_sink": False, "bus_source": False, "bus_structure": None, "coordinate": at,
                                  "rotation": 0, "state": "enabled"}))
    return made
