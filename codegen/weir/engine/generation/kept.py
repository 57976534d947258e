"""Cache of answers as JSON files; the least recently used one is removed first."""

from __future__ import annotations

import json
import os
from dataclasses import dataclass
from pathlib import Path

from weir.engine.generation.host import cache_folder, own_folder
from weir.files import write_whole
from weir.model.document import jsontext


@dataclass(frozen=True)
class AnswerCache:
    """Cache of up to `most` answers in the folder `name`, which belongs to this user alone."""

    name: str
    most: int

    @property
    def folder(self) -> Path:
        """Return the folder of the answers."""
        return cache_folder().with_name(self.name)

    def load(self, key: str) -> object:
        """Return the answer, None if there is none or it cannot be read."""
        try:
            with own_folder(self.folder) as place:
                text = (place / f"{key}.json").read_text(encoding="utf-8")
                os.utime(place / f"{key}.json")
                return json.loads(text)
        except (OSError, ValueError, RecursionError):
            return None

    def store(self, key: str, answer: object) -> None:
        """Store an answer. Does nothing if the folder cannot be written."""
        try:
            with own_folder(self.folder) as place:
                write_whole(place / f"{key}.json", jsontext.write(answer))
                ours = sorted(place.glob("*.json"), key=lambda path: path.stat().st_mtime, reverse=True)
                for old in ours[self.most:]:
                    old.unlink(missing_ok=True)
        except (OSError, UnicodeError):
            return
