"""The loop nests of a schedule for people."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from weir.model.planning.replication import Replication
from weir.model.planning.schedule import Fire, Fuse, Schedule, Step

MAX_LINES = 200
MAX_NAMES = 4


def schedule_lines(schedule: Schedule, arenas: dict[str, str], replication: Replication | None = None) -> list[str]:
    """`arenas`: what is said of each worker's arena, by worker."""
    lines = []
    if replication:
        others = ", ".join(section.worker for section in schedule.sections[1:])
        lines = [f"  {others + ': as ' if others else ''}{schedule.sections[0].worker}, each with a stretch of items "
                 "that nobody else has"]
        if replication.again:
            lines[0] += (f"; before it the last {replication.again} of the loop in the one before again, for what "
                         "blocks remember")
    for section in schedule.sections[:1 if replication else None]:
        arena = arenas.get(section.worker)
        lines += [f"  {section.worker} repeats" + (f", with an arena of {arena}" if arena else ""),
                  *_body(section.body, "    ")]
    for it in schedule.stepped:
        more = len(it.varying) - MAX_NAMES
        names = ", ".join(it.varying[:MAX_NAMES]) + (f" and {more} more" if more > 0 else "")
        lines.append(f"  {it.worker} repeats nothing, as {names} may move less than offered: "
                     "its blocks work when they can")
    left_out = len(lines) - MAX_LINES
    return lines if left_out <= 0 else [*lines[:MAX_LINES], f"  … and {left_out} more lines (--json has them all)"]


def _body(body: Iterable[Step], indent: str) -> Iterator[str]:
    for step in body:
        if isinstance(step, (Fire, Fuse)):
            times = f" × {step.times}" if step.times > 1 else ""
            yield f"{indent}{' '.join(step.instances)}{times}" + (", in one loop" if isinstance(step, Fuse) else "")
        else:
            yield f"{indent}{step.times} times"
            yield from _body(step.body, indent + "  ")
