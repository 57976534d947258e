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
    """Call of an instance's `work` with a number of firings."""

    instance: str
    times: int = 1

    @property
    def instances(self) -> tuple[str, ...]:
        """The instances that it fires."""
        return (self.instance,)

    def __str__(self) -> str:
        return f"`{self.instance}`"


@dataclass(frozen=True)
class Fuse:
    """One loop over items in which all of the instances fire so many times: what one makes, the next one takes from a
    register. Upstream first; `fusing` says of which a loop can be.
    """

    instances: tuple[str, ...]
    times: int = 1

    def __str__(self) -> str:
        return f"the loop of `{self.instances[0]}` to `{self.instances[-1]}`"


#: What is done at once.
Call = Fire | Fuse


@dataclass(frozen=True)
class Loop:
    """Steps that are repeated."""

    times: int
    body: tuple[Step, ...]


Step = Call | Loop


@dataclass(frozen=True)
class WorkerSchedule:
    """Worker schedule: the calls of one worker in a period. After a period, its arena is as empty as before."""

    worker: str
    body: tuple[Step, ...]


#: Former name, for planners written for earlier versions.
Section = WorkerSchedule


@dataclass(frozen=True)
class Stepped:
    """A worker that repeats nothing, whose blocks work when they can. `varying`: those that are why (`stepped`)."""

    worker: str
    varying: tuple[str, ...]


@dataclass(frozen=True)
class Schedule:
    """Schedule with one worker schedule for each worker, except for `stepped` workers."""

    worker_schedules: tuple[WorkerSchedule, ...]
    stepped: tuple[Stepped, ...] = ()

    def as_json(self) -> list[dict[str, object]]:
        """Returns it as plan.json has it."""
        return [{"worker": own.worker, "body": [_step_json(step) for step in own.body]}
                for own in self.worker_schedules]

    @property
    def sections(self) -> tuple[WorkerSchedule, ...]:
        """Return `worker_schedules` by its former name, for planners written for earlier versions."""
        return self.worker_schedules


def _step_json(step: Step) -> dict[str, object]:
    if isinstance(step, Fire):
        return {"fire": step.instance, "times": step.times}
    if isinstance(step, Fuse):
        return {"fuse": list(step.instances), "times": step.times}
    return {"loop": step.times, "body": [_step_json(inner) for inner in step.body]}


def firings(body: Iterable[Step]) -> Counter[str]:
    """Return how often each instance fires."""
    found: Counter[str] = Counter()
    for step in body:
        inner = firings(step.body) if isinstance(step, Loop) else dict.fromkeys(step.instances, 1)
        for name, times in inner.items():
            found[name] += step.times * times
    return found


def fired(schedule: Schedule) -> set[str]:
    """The instances that a worker schedule fires."""
    return {name for own in schedule.worker_schedules for name in firings(own.body)}


def length(body: Iterable[Step]) -> int:
    """Calls."""
    return sum(step.times * length(step.body) if isinstance(step, Loop) else 1 for step in body)


def calls(body: Iterable[Step]) -> Iterator[Call]:
    """Yield the calls in execution order."""
    for step in body:
        if isinstance(step, Loop):
            for _ in range(step.times):
                yield from calls(step.body)
        else:
            yield step


def different_calls(body: Iterable[Step]) -> Iterator[Call]:
    """Likewise, those of a loop once."""
    for step in body:
        if isinstance(step, Loop):
            yield from different_calls(step.body)
        else:
            yield step


def largest_calls(schedule: Schedule) -> dict[str, int]:
    """The most firings of a call, by instance."""
    found: dict[str, int] = {}
    for own in schedule.worker_schedules:
        for call in different_calls(own.body):
            for name in call.instances:
                found[name] = max(found.get(name, 0), call.times)
    return found
