"""Interference: processes in endless loops during a run, in their own control group. Records the requested, granted and
used CPU time.
"""

from __future__ import annotations

import contextlib
import os
import select
import subprocess
import sys
import time
from dataclasses import dataclass
from typing import Any

from weir.machine.isolating import groups
from weir.machine.isolating.loops import PROGRAM, set_slice, used_s
from weir.machine.isolating.undo_log import ChangeSet, Refused, UndoLog, needs
from weir.machine.isolating.words import loops
from weir.machine.processes import die_with_parent, start_time
from weir.model.document.deployment import InterferenceSettings
from weir.model.planning.isolation_check import PERIOD_US, quota_us
from weir.model.planning.topology import cpu_words
from weir.sure import sure

_ANSWER_S = 30.0
#: Tolerance for limits, because the group's file rounds them.
_SAME_LIMIT = 0.01


@dataclass(frozen=True)
class _Used:
    """CPU time used up to a moment. `throttled_s`: None if unknown."""

    at_s: float
    cpu_s: float
    throttled_s: float | None


class InterferenceLoad:
    """Context manager that runs the loops. `pids`: their processes.

    `cpus`: the CPUs of the loops if none are requested. `inside`: the program is in Weir's slice, where systemd owns
    the groups.
    """

    def __init__(self, requested: InterferenceSettings, cpus: frozenset[int], undo_log: UndoLog,
                 inside: bool = False) -> None:
        self._requested, self._machine, self._inside = requested, undo_log.machine, inside
        self._changes = ChangeSet(undo_log)
        self._wanted = frozenset(requested.cpus) or cpus
        self._cpus: frozenset[int] = frozenset()
        self._group: groups.Group | None = None
        self._helper: subprocess.Popen[Any] | None = None
        self._limited: float | None = None
        self._slice_us: int | None = None
        self._lost = 0
        self._before = self._after = _Used(0.0, 0.0, None)
        self.pids: tuple[int, ...] = ()

    def __enter__(self) -> InterferenceLoad:
        try:
            self._begin()
        except OSError as error:
            self._refuse("the loops", error)
            self._end()
        except BaseException:
            self._end()
            raise
        self._before = self._used()
        return self

    def __exit__(self, *_: object) -> None:
        self._after = self._used()
        self._lost = sum(start_time(pid) is None for pid in self.pids)
        self._end()

    def refused(self) -> list[Refused]:
        """Return the parts that were refused. Loops that ended early are known only afterwards."""
        lost = Refused("loops", f"{self._lost} of {len(self.pids)} loops", "they ended before the run did")
        return [*self._changes.refused(), *([lost] if self._lost else [])]

    def words(self) -> str:
        """Return the interference load as text."""
        return loops(self._granted())

    def summary(self) -> dict[str, Any]:
        """Return `interference` of results.json, after the exit."""
        requested, before, after = self._requested, self._before, self._after
        known = before.throttled_s is not None and after.throttled_s is not None
        throttled = sure(after.throttled_s) - sure(before.throttled_s) if known else None
        return {"requested": {"loops": requested.loops, "cpu_limit": requested.cpu_limit,
                              "cpu_quota": requested.cpu_quota, "slice_us": requested.slice_us or None,
                              "cpus": list(requested.cpus) or None},
                "granted": {**self._granted(), "seconds": after.at_s - before.at_s,
                            "cpu_time_s": max(0.0, after.cpu_s - before.cpu_s), "throttled_s": throttled},
                "refused": [one.as_json() for one in self.refused()]}

    def _granted(self) -> dict[str, Any]:
        return {"loops": len(self.pids) - self._lost,
                "cpu_limit": None if self._limited is None else min(1.0, self._limited / len(self._cpus)),
                "cpu_quota": self._limited,
                "slice_us": self._slice_us, "cpus": sorted(self._cpus), "by": self._group.by if self._group else None}

    def _refuse(self, what: str, error: OSError) -> None:
        self._changes.note("loops", what, error.strerror or str(error), needs(error, "loops"))

    def _used(self) -> _Used:
        throttled = self._group.throttled_s() if self._group and self.pids else None
        return _Used(time.monotonic(), used_s(self.pids), throttled)

    def _begin(self) -> None:
        where = groups.found(self._machine, "cpu")
        if where is None:
            self._changes.note("loops", "a group of the loops", "no control groups with CPU time are mounted here",
                               "Linux with cpu.max or cpu.cfs_quota_us")
            self._start([])
        elif where.by == groups.SYSTEMD:
            self._in_scope(where)
        else:
            self._in_group(where)
        quota = quota_us(self._requested, len(self._cpus))
        if quota is not None and (self._limited is None or
                                  abs(self._limited * PERIOD_US - quota) > _SAME_LIMIT * quota):
            # Without its limit, the load would be larger than requested.
            limit = self._requested.cpu_limit if self._requested.cpu_quota is None else self._requested.cpu_quota
            self._changes.note("loops", f"a limit of {limit:g}", "no control group was available, so no "
                               "loop was started")
            self._end()
            return
        self._go()

    def _in_scope(self, where: groups.Hierarchy) -> None:
        quota = quota_us(self._requested, len(self._wanted))
        unit = f"weir-{self._changes.undo_log.id or os.getpid()}-loops.scope"
        try:
            self._start(groups.scope_words(unit, quota, self._requested.loops, self._inside, os.geteuid() != 0))
            self._group = groups.of_process(self._machine, sure(self._helper).pid, where)
            self._limited = self._group.limited()
        except OSError as error:
            self._refuse("a group of the loops", error)
            self._end()
            self._group = self._limited = None
            self._start([])

    def _in_group(self, where: groups.Hierarchy) -> None:
        self._start([])
        changes, group = groups.to_make(self._machine, where)
        if len(self._changes.make(changes)) < len(changes):
            return
        self._group = group
        try:
            group.weigh(self._requested.loops)
            if (quota := quota_us(self._requested, len(self._cpus))) is not None:
                group.limit(quota)
            self._limited = group.limited()
            self._machine.write(f"{group.path}/cgroup.procs", str(sure(self._helper).pid))
        except OSError as error:
            self._refuse(f"the group {group.path}", error)
            self._group = self._limited = None

    def _start(self, before: list[str]) -> None:
        """Start the program of the loops on their CPUs. It waits for a command."""
        self._helper = subprocess.Popen(
            [*before, sys.executable, "-I", "-S", "-c", PROGRAM, str(self._requested.loops)], stdin=subprocess.PIPE,
            stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, errors="replace", cwd="/",
            start_new_session=True, preexec_fn=die_with_parent)
        if self._said() != "ready":
            helper, self._helper = self._helper, None
            helper.kill()
            raise OSError(0, (helper.communicate()[1].strip().splitlines() or ["it does not start"])[-1])
        try:
            os.sched_setaffinity(self._helper.pid, self._wanted)
        except OSError as error:
            self._refuse(cpu_words(self._wanted), error)
        self._cpus = frozenset(os.sched_getaffinity(self._helper.pid))
        if self._requested.cpus and self._cpus != self._wanted:
            self._changes.note("loops", cpu_words(self._wanted), f"Linux lets them use only {cpu_words(self._cpus)}")

    def _go(self) -> None:
        self._release()
        self.pids = tuple(map(int, self._said().split()))
        if len(self.pids) < self._requested.loops:
            self._changes.note("loops", f"{self._requested.loops} loops", f"the system started only {len(self.pids)}",
                               "a higher limit for the number of processes")
        if self._requested.slice_us:
            self._slice()
        self._release()

    def _slice(self) -> None:
        what = f"a slice of {self._requested.slice_us} us"
        try:
            given = {set_slice(pid, self._requested.slice_us) for pid in self.pids}
        except OSError as error:
            self._refuse(what, error)
            return
        self._slice_us = min((us for us in given if us is not None), default=None)
        if given != {self._requested.slice_us}:
            self._changes.note("loops", what, "Linux gives each loop its own" if self._slice_us is None else
                               f"Linux gave {self._slice_us} us", "Linux 6.12 or later")

    def _release(self) -> None:
        with contextlib.suppress(BrokenPipeError):
            sure(sure(self._helper).stdin).write("\n")
            sure(sure(self._helper).stdin).flush()

    def _said(self) -> str:
        """Read a line from the program, "" if none comes in time."""
        output = sure(sure(self._helper).stdout)
        return output.readline().strip() if select.select([output], [], [], _ANSWER_S)[0] else ""

    def _end(self) -> None:
        helper, self._helper = self._helper, None
        if helper is None:
            return
        try:
            helper.communicate(timeout=_ANSWER_S)  # the program and its loops end when its input is closed
        except subprocess.TimeoutExpired:
            helper.kill()
            helper.communicate()
