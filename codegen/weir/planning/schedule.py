"""A schedule that is made when the program is generated: for each worker a nest of loops, which it repeats.

It is data, and says nothing of how it was found. `schedule_check` says whether it can be run.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

#: Offsets in an arena are multiples of this many bytes: a cache line, and what every item type is aligned to.
ALIGNMENT = 64
#: Calls of work in a period of all workers. Each is gone through to find places and once more to check them: so many
#: take seconds, on many workers some more.
MAX_CALLS = 100_000
#: Bytes of a worker's arena, of a ring, and of what a call writes: all of them are there from the program's start.
MAX_BYTES = 2**30


@dataclass(frozen=True)
class Fire:
    """One call of an instance's work, in which it fires so many times."""

    instance: str
    times: int = 1


@dataclass(frozen=True)
class Loop:
    times: int
    body: tuple[Fire | Loop, ...]


@dataclass(frozen=True)
class Section:
    """What one worker does in a period, and repeats. Afterwards its arena is as empty as it was before."""

    worker: str
    body: tuple[Fire | Loop, ...]


@dataclass(frozen=True)
class Schedule:
    sections: tuple[Section, ...]

    def as_json(self) -> list[dict[str, object]]:
        return [{"worker": section.worker, "body": [_step_json(step) for step in section.body]}
                for section in self.sections]


def _step_json(step: Fire | Loop) -> dict[str, object]:
    if isinstance(step, Fire):
        return {"fire": step.instance, "times": step.times}
    return {"loop": step.times, "body": [_step_json(inner) for inner in step.body]}


def firings(body: Iterable[Fire | Loop]) -> Counter[str]:
    """How often each instance fires."""
    found: Counter[str] = Counter()
    for step in body:
        inner = {step.instance: 1} if isinstance(step, Fire) else firings(step.body)
        for name, times in inner.items():
            found[name] += step.times * times
    return found


def length(body: Iterable[Fire | Loop]) -> int:
    """Calls of work."""
    return sum(1 if isinstance(step, Fire) else step.times * length(step.body) for step in body)


def calls(body: Iterable[Fire | Loop]) -> Iterator[Fire]:
    """In the order in which they are made."""
    for step in body:
        if isinstance(step, Fire):
            yield step
        else:
            for _ in range(step.times):
                yield from calls(step.body)


def largest_calls(schedule: Schedule) -> dict[str, int]:
    """The most firings of a call, by instance."""
    found: dict[str, int] = {}

    def look(body: Iterable[Fire | Loop]) -> None:
        for step in body:
            if isinstance(step, Fire):
                found[step.instance] = max(found.get(step.instance, 0), step.times)
            else:
                look(step.body)

    for section in schedule.sections:
        look(section.body)
    return found
