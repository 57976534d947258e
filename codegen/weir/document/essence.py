"""What of a project matters to a run. Texts for people, the drawing, and what says how many runs there are do not."""

from __future__ import annotations

import re
from collections.abc import Mapping

from weir.diagnostics import pointer

#: The places, by JSON Pointer, of what changes no run.
_BESIDES = re.compile(r"/(title|description|ui|sweeps)(/.*)?|/parameters/[^/]*/description|/run/repetitions"
                      r"|/graph/(blocks|groups)/\d+/comment|(/.*)?/x_.*", re.DOTALL)


def matters(place: str) -> bool:
    return not _BESIDES.fullmatch(place)


def essential(value: object, place: str = "") -> object:
    """A copy of what is at that place of a project, or of all of it: the same for runs that are the same."""
    if isinstance(value, Mapping):
        places = {key: place + pointer(key) for key in value}
        return {key: essential(value[key], at) for key, at in places.items() if matters(at)}
    if isinstance(value, (list, tuple)):
        return [essential(child, f"{place}/{index}") for index, child in enumerate(value)]
    return value
