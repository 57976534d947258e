"""Isolation and interference load that a deployment requests around each of its runs."""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

from weir.diagnostics import WeirError, diagnostic
from weir.engine.measuring import results as res
from weir.machine import environment
from weir.machine.isolating import groups
from weir.machine.isolating.interference import InterferenceLoad
from weir.machine.isolating.isolation import Isolation
from weir.machine.isolating.machine import Machine
from weir.machine.isolating.recovering import Recovered, begun
from weir.machine.isolating.undo_log import UndoLog
from weir.machine.isolating.words import words
from weir.model.document.deployment import Deployment
from weir.model.planning.isolation_check import Chosen, chosen_on, interference_cpus
from weir.model.planning.machine import Machine as Planned
from weir.model.planning.topology import cpu_words, parse_list, write_list
from weir.sure import sure

Say = Callable[[str], None]


def isolation_for(deployment: Deployment, here: Planned) -> Callable[[Say], RunIsolation] | None:
    """Return a function that makes the isolation for a run; None if the deployment requests none."""
    if deployment.isolate is None and not deployment.interference.loops:
        return None
    return lambda say: RunIsolation(deployment, here, Machine(), say)


class RunIsolation:
    """Isolated CPUs and interference load, in force while entered.

    Raises WeirError if another isolation is in force or the CPUs are not available.
    """

    def __init__(self, deployment: Deployment, here: Planned, machine: Machine, say: Say) -> None:
        self._deployment, self._here, self._machine, self._say = deployment, here, machine, say
        self._outer = environment.isolation()
        self._isolation: Isolation | None = None
        self._load: InterferenceLoad | None = None
        self._left = contextlib.ExitStack()

    def __enter__(self) -> RunIsolation:
        chosen = self._chosen()
        with contextlib.ExitStack() as entered:
            if chosen or self._deployment.interference.loops:
                self._enter(entered, chosen)
            self._left = entered.pop_all()
        return self

    def __exit__(self, *exception: Any) -> None:
        self._left.__exit__(*exception)

    def inside(self) -> contextlib.AbstractContextManager[Sequence[str]]:
        """Return a context in which to start the run's program; it yields words to put before the command.

        Raises WeirError.
        """
        return self._inside() if self._isolation else contextlib.nullcontext(())

    @property
    def beside(self) -> tuple[int, ...]:
        """Return the processes of the interference load."""
        return self._load.pids if self._load else ()

    @property
    def isolation(self) -> Mapping[str, Any] | None:
        """Return the isolation in the format of run.json."""
        return self._isolation.summary() if self._isolation else self._outer

    def add_to(self, results: dict[Any, Any]) -> None:
        """Add the interference load and refused requests to the results, after the isolation has ended."""
        required = self._deployment.require
        if self._isolation:
            lacking = self._isolation.lacking()
            for one in lacking:
                res.add_not_granted(results, f"isolation: {one}", "isolation" in required)
            others = [one for one in self._isolation.refused() if one not in lacking]
            if others:
                res.add_reason(results, "N_ISOLATION", f"parts of the isolation failed: {'; '.join(map(str, others))}")
        if self._load:
            results["interference"] = self._load.summary()
            for one in self._load.refused():
                res.add_not_granted(results, f"interference load: {one}", "interference" in required)

    def _chosen(self) -> Chosen | None:
        """Return the CPUs to isolate; None if there are none or they are already isolated."""
        chosen = chosen_on(self._here, self._deployment)
        if chosen is None or self._outer is None:
            return chosen
        outer = parse_list(str(self._outer["cpus"]))
        if chosen.cpus - outer:
            raise WeirError(diagnostic("E_ENVIRONMENT_CPUS", self._deployment.pointer + "/environment",
                                       f"`{self._deployment.name}` isolates {cpu_words(chosen.cpus)}, but runs inside "
                                       f"an isolation of {cpu_words(outer)}",
                                       "run it without `weir isolate`, or request CPUs of that isolation"))
        self._say(f"running inside an isolation of {cpu_words(outer)}: Weir starts no second isolation")
        return None

    def _enter(self, entered: contextlib.ExitStack, chosen: Chosen | None) -> None:
        requested = self._deployment.interference
        undo_log = entered.enter_context(self._reporting(begun(self._machine, write_list(chosen.cpus) if chosen else "",
                                                               self._recovered,
                                                               str(self._outer["id"]) if self._outer else "")))
        if chosen:
            self._isolation = entered.enter_context(
                Isolation(chosen, sure(self._deployment.isolate).governor or None, undo_log,
                          shared=requested.loops > 0))
        if requested.loops:
            usable = interference_cpus(self._here, self._deployment, chosen)
            in_slice = self._isolation is not None and self._isolation.by == groups.SYSTEMD
            self._load = entered.enter_context(InterferenceLoad(requested, usable, undo_log, in_slice))
            self._say("; ".join([self._load.words(), *(f"not done: {one}" for one in
                                                              self._load.refused())]))

    def _recovered(self, those: Sequence[Recovered]) -> None:
        for line in (line for one in those for line in one.words()):
            self._say(line)

    @contextlib.contextmanager
    def _reporting(self, undo_log: UndoLog) -> Iterator[UndoLog]:
        try:
            with undo_log:
                yield undo_log
        finally:
            for line in undo_log.not_undone():
                self._say(line)

    @contextlib.contextmanager
    def _inside(self) -> Iterator[Sequence[str]]:
        with sure(self._isolation).inside() as before:
            done, *not_done = words(sure(self._isolation).summary())
            for line in (f"isolates {done}", *not_done):
                self._say(line)
            yield before
