"""Static schedule, made when the program is generated. Each worker repeats its own nest of loops.

A schedule is pure data, whatever planner made it. `schedule_check` tells whether it can be run.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

#: Offsets in an arena are multiples of this many bytes: a cache line, and the alignment of every item type.
ALIGNMENT = 64
#: Most calls of `work` in a period of all workers. Planning executes each call twice, to place the buffers and to check
#: them. This many take seconds, and more on many workers.
MAX_CALLS = 100_000
#: Most bytes of a worker's arena, of a ring, and of the output of a call. All of them are allocated when the program
#: starts.
MAX_BYTES = 2**30


@dataclass(frozen=True)
class Fire:
    """Call of an instance's `work` with a number of firings."""

    instance: str
    times: int = 1

    @property
    def instances(self) -> tuple[str, ...]:
        """Return the instances that the call fires."""
        return (self.instance,)

    def __str__(self) -> str:
        return f"`{self.instance}`"


@dataclass(frozen=True)
class Fuse:
    """One loop over items in which all instances fire `times` times and pass items on in registers. `instances` are
    upstream first. `fusing` decides which instances can share a loop.
    """

    instances: tuple[str, ...]
    times: int = 1

    def __str__(self) -> str:
        return f"the loop of `{self.instances[0]}` to `{self.instances[-1]}`"


#: Step that is not a loop.
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
    """Worker without a worker schedule, whose blocks work whenever they can. `varying`: the blocks that prevent a
    schedule (`stepped`).
    """

    worker: str
    varying: tuple[str, ...]


@dataclass(frozen=True)
class Schedule:
    """Schedule with one worker schedule for each worker, except for `stepped` workers."""

    worker_schedules: tuple[WorkerSchedule, ...]
    stepped: tuple[Stepped, ...] = ()

    def as_json(self) -> list[dict[str, object]]:
        """Return the schedule in the form of plan.json."""
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
    """Return the instances that some worker schedule fires."""
    return {name for own in schedule.worker_schedules for name in firings(own.body)}


def length(body: Iterable[Step]) -> int:
    """Return the number of calls."""
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
    """Yield the calls in execution order, those of a loop only once."""
    for step in body:
        if isinstance(step, Loop):
            yield from different_calls(step.body)
        else:
            yield step


def largest_calls(schedule: Schedule) -> dict[str, int]:
    """Return the most firings of a call, by instance."""
    found: dict[str, int] = {}
    for own in schedule.worker_schedules:
        for call in different_calls(own.body):
            for name in call.instances:
                found[name] = max(found.get(name, 0), call.times)
    return found
