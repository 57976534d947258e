"""What a value of a difference is in words: no JSON, as it stands in a table."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping

NOT_SET = "not set"
_HASH = re.compile("[0-9a-f]{64}")


def words_of(value: object) -> str:
    """A worker by its blocks, a block by its type, another object as `strategy contiguous`; of a digest its first
    digits.
    """
    if value is None or value == "":
        return NOT_SET
    if isinstance(value, Mapping):
        told = next((value[key] for key in ("instances", "type") if value.get(key)), None)
        # What is not set says nothing of the others.
        fields = ", ".join(f"{key} {words_of(it)}" for key, it in value.items() if it not in (None, {}))
        return words_of(told) if told else fields or "nothing"
    if isinstance(value, list):
        return ", ".join(map(words_of, value)) or "none"
    if isinstance(value, str):
        return value[:8] if _HASH.fullmatch(value) else value
    return json.dumps(value)
