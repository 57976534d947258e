"""Report of an import or export: each block was kept, replaced, stubbed or dropped, with a reason."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field, replace

from weir.diagnostics import printable

OUTCOMES = ("kept", "replaced", "stubbed", "dropped")
_MEANING = {"kept": "the same here", "replaced": "replaced by something else",
            "stubbed": "no counterpart: it keeps its parameters and connections, but cannot run",
            "dropped": "left out"}


@dataclass(frozen=True)
class Entry:
    """Entry of a report. `kind`: block, variable, connection, or setting. `became`: its names on the other side."""

    outcome: str
    kind: str
    name: str
    type: str
    became: tuple[str, ...] = ()
    reason: str = ""

    def as_json(self) -> dict[str, object]:
        """Return the fields as plain JSON values."""
        return {"kind": self.kind, "name": self.name, "type": self.type, "became": list(self.became),
                "reason": self.reason}


@dataclass
class Report:
    """Report with `entries` in the order of the file."""

    entries: list[Entry] = field(default_factory=list)

    def add(self, outcome: str, kind: str, name: str, type: str = "", became: tuple[str, ...] = (),
            reason: str = "") -> None:
        """Add an entry."""
        self.entries.append(Entry(outcome, kind, name, type, became, reason))

    def extend(self, name: str, became: str, reason: str) -> None:
        """Add a name and a reason to the entry of a block."""
        self.entries = [replace(it, became=(*it.became, became), reason=f"{it.reason}, {reason}")
                        if (it.kind, it.name) == ("block", name) and it.became else it for it in self.entries]

    def of(self, outcome: str) -> list[Entry]:
        """Return the entries with one outcome."""
        return [entry for entry in self.entries if entry.outcome == outcome]

    def as_json(self) -> dict[str, object]:
        """Return the entries by outcome, with their counts."""
        return {"counts": {outcome: len(self.of(outcome)) for outcome in OUTCOMES},
                **{outcome: [entry.as_json() for entry in self.of(outcome)] for outcome in OUTCOMES}}

    def lines(self) -> Iterator[str]:
        """Yield the lines for people, without unchanged entries."""
        yield ", ".join(f"{len(self.of(outcome))} {outcome}" for outcome in OUTCOMES)
        for outcome in OUTCOMES:
            entries = [entry for entry in self.of(outcome) if entry.reason]
            if entries:
                yield f"{outcome} ({_MEANING[outcome]}):"
            for entry in entries:
                became = f" -> {', '.join(entry.became)}" if entry.became and entry.outcome != "dropped" else ""
                kind = f"{entry.type} " if entry.type else ""
                yield printable(f"  {kind}{entry.name}{became}: {entry.reason}")
