"""Answers that are kept in the cache as JSON: the one that was used longest ago goes first."""

from __future__ import annotations

import json
import os
from dataclasses import dataclass
from pathlib import Path

from weir.engine.generation.host import cache_folder, own_folder
from weir.files import write_whole
from weir.model.document import jsontext


@dataclass(frozen=True)
class Answers:
    """`name`: of their folder, which is this user's alone; `most`: how many there are."""

    name: str
    most: int

    @property
    def folder(self) -> Path:
        """Where they are kept."""
        return cache_folder().with_name(self.name)

    def load(self, key: str) -> object:
        """None where there is none, or it cannot be read."""
        try:
            with own_folder(self.folder) as place:
                text = (place / f"{key}.json").read_text(encoding="utf-8")
                os.utime(place / f"{key}.json")
                return json.loads(text)
        except (OSError, ValueError, RecursionError):
            return None

    def store(self, key: str, answer: object) -> None:
        """Where the folder cannot be written, it is found out again the next time."""
        try:
            with own_folder(self.folder) as place:
                write_whole(place / f"{key}.json", jsontext.write(answer))
                ours = sorted(place.glob("*.json"), key=lambda path: path.stat().st_mtime, reverse=True)
                for old in ours[self.most:]:
                    old.unlink(missing_ok=True)
        except (OSError, UnicodeError):
            return
