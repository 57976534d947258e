"""Types for a run: the built deployment, the options, and the result."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Protocol

from weir.engine.measuring import weir_protocol
from weir.engine.measuring.child import Interrupts
from weir.engine.targets.interface import Program, RunProtocol, Tools
from weir.machine import environment
from weir.tracers import BACKENDS


class Verified(Protocol):
    """Result of a binary's verification, known before it is measured."""

    @property
    def ok(self) -> bool:
        """Return whether the verification found nothing wrong."""

    @property
    def message(self) -> str:
        """Return the result in a sentence."""

    def add_to(self, results: dict) -> None:
        """Add the result to results.json."""

    def as_json(self) -> dict[str, object] | None:
        """Return the result as in results.json, None if nothing was verified."""


#: Verifies a binary with given `--param`. Returns None after an interrupt. The last argument True ignores the cache.
Verify = Callable[[Sequence[str], Interrupts, bool], Verified | None]


class RunEnvironment(Protocol):
    """Changes to the machine for a run, in force while entered.

    `beside` has the processes of the interference load; `isolation` is for run.json.
    """

    @property
    def beside(self) -> Sequence[int]:
        """Return the processes of the interference load."""

    @property
    def isolation(self) -> Mapping[str, object] | None:
        """Return the isolation in the format of run.json, None without one."""

    def __enter__(self) -> RunEnvironment: ...

    def __exit__(self, *exception: object) -> None: ...

    def inside(self) -> AbstractContextManager[Sequence[str]]:
        """Return a context in which to start the run's program; it yields words to put before the command."""

    def add_to(self, results: dict) -> None:
        """Add the outcome to the results, after leaving."""


class UnchangedEnvironment:
    """No changes to the machine."""

    beside: Sequence[int] = ()

    def __init__(self, _: Callable[[str], None]) -> None:
        self.isolation = environment.isolation()

    def __enter__(self) -> UnchangedEnvironment:
        return self

    def __exit__(self, *exception: object) -> None:
        pass

    def inside(self) -> AbstractContextManager[Sequence[str]]:
        """Change nothing."""
        return nullcontext(())

    def add_to(self, results: dict) -> None:
        """Add nothing."""
        pass


@dataclass(frozen=True)
class Runnable:
    """A built deployment. `document` is the project with its `--set`; relative paths start at `folder`.

    `parameters` are the project's, with `--set` applied; `command` repeats the run. `sources` has the sha256 of every
    source file. `kept` has the sources from outside of Weir's tree, by path below `sources/`; `catalog_paths` has the
    folders outside of the tree, by option. `own` overrides fields of RunOptions. `settings` are the values that the
    command line sets, by JSON pointer. `verify` is called before the first run; None: the binary stays unverified.
    `verifiable`: the target's programs can run a verification.
    `traces` are the back-ends of the target. `warnings` are the plan's warnings (code -> message), repeated by every
    run. `volk` says whether a block calls VOLK, None if unknown. `run_environment` makes the changes to the machine
    for each run; it gets a function for messages.
    """

    document: Mapping
    folder: Path
    plan: Mapping
    machine: Mapping
    program: Program
    parameters: Mapping[str, Any]
    command: str
    sources: Mapping[str, str] = field(default_factory=dict)
    catalog_paths: Mapping[str, Sequence[str]] = field(default_factory=dict)
    own: Mapping[str, Any] = field(default_factory=dict)
    verify: Verify | None = None
    verifiable: bool = True
    kept: Mapping[str, bytes] = field(default_factory=dict)
    protocol: RunProtocol = weir_protocol
    tools: Tools = Tools("")
    traces: Sequence[str] = BACKENDS
    settings: Mapping[str, Any] = field(default_factory=dict)
    warnings: Mapping[str, str] = field(default_factory=dict)
    volk: bool | None = None
    run_environment: Callable[[Callable[[str], None]], RunEnvironment] = UnchangedEnvironment

    @property
    def events_file(self) -> str:
        """Return the file that the program writes with the memory back-end."""
        return getattr(self.protocol, "EVENTS", weir_protocol.EVENTS)


@dataclass(frozen=True)
class RunOptions:
    """Options of runs. `trace`, `items`, `metrics`, `warmup_items`, `timeout_s`: None = the project's value.

    `params` are `instance.parameter=value` for the binary. `causes` enables causes of late items if the project
    requests them. `order_seed` decides the order of the runs; None = random.
    """

    out: Path
    repetitions: int = 1
    trace: str | None = None
    items: int | None = None
    keep_trace: bool = False
    params: tuple[str, ...] = ()
    order_seed: int | None = None
    metrics: str | None = None
    warmup_items: int | None = None
    timeout_s: float | None = None
    causes: bool = True


@dataclass(frozen=True)
class Slot:
    """Position of a run among the runs of one command. `position` is its place in its round.

    `point` is the number of its point, None if the set has no points.
    """

    set_id: str
    seed: int
    rounds: int
    round: int
    position: int
    size: int
    point: int | None = None

    def as_json(self) -> dict[str, object]:
        """Return the slot as plain JSON values."""
        return {"id": self.set_id, "seed": self.seed, "rounds": self.rounds, "size": self.size,
                "position": self.position, **({} if self.point is None else {"point": self.point})}


@dataclass(frozen=True)
class Finished:
    """A finished run. `document` is its project, as in its directory."""

    path: Path
    results: dict
    document: Mapping
