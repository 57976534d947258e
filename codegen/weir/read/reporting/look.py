"""Look of drawn flowgraphs: look.json has the colours, sizes and shapes of `weir export` and the editor."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

LOOK: dict[str, Any] = json.loads((Path(__file__).parent / "look.json").read_text(encoding="utf-8"))
LIGHT: dict[str, Any] = LOOK["themes"]["light"]


def _colours(theme: Any) -> Iterator[str]:
    """Yield the colours of a theme, in the same order for every theme."""
    if isinstance(theme, str):
        yield theme
    elif isinstance(theme, dict):
        for value in theme.values():
            yield from _colours(value)
    elif isinstance(theme, list):
        for value in theme:
            yield from _colours(value)


#: Colour of the light theme -> that of the dark theme. White is also the text on coloured chips, and the first wins.
DARK = {light: dark for light, dark in reversed([*zip(_colours(LIGHT), _colours(LOOK["themes"]["dark"]))])}
