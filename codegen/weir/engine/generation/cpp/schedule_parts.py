"""Split a worker's period into functions of bounded size, because compile time grows faster than linearly."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, cast

from weir.model.planning.schedule import Fire, Fuse, Loop

#: Most calls in one function.
MOST_CALLS = 40


@dataclass(frozen=True)
class Call:
    """Call of a function with a part of the worker schedule. `instances` fire in it."""

    part: str
    instances: tuple[str, ...] = ()


Step = Fire | Fuse | Loop | Call


def bounded(body: Sequence[Step], part: Callable[[Sequence[Step]], Call]) -> Sequence[Step]:
    """Return the body in at most MOST_CALLS calls; `part` moves the rest into functions."""
    steps = [Loop(it.times, tuple(cast(Any, bounded(it.body, part)))) if isinstance(it, Loop) else it for it in body]
    while sum(map(_size, steps)) > MOST_CALLS:
        steps = [own[0] if len(own) == 1 and _size(own[0]) == 1 else part(own) for own in _groups(steps)]
    return steps


def _size(step: Step) -> int:
    return sum(map(_size, step.body)) if isinstance(step, Loop) else 1


def _groups(steps: Sequence[Step]) -> list[list[Step]]:
    """Group neighbouring steps, as many as fit into a function."""
    found: list[list[Step]] = []
    room = 0
    for step in steps:
        if _size(step) > room:
            found.append([])
            room = MOST_CALLS
        found[-1].append(step)
        room -= _size(step)
    return found
