"""What is run: a deployment that is built, what is asked of it, and what came of it."""

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
    """What is known of a binary before it is measured."""

    @property
    def ok(self) -> bool:
        """Whether nothing speaks against it."""

    @property
    def message(self) -> str:
        """What is told of it, in a sentence."""

    def add_to(self, results: dict) -> None:
        """Adds what it found to the results."""

    def as_json(self) -> dict[str, object] | None:
        """Returns it as results.json has it; None where nothing was verified."""


#: Of a binary with these `--param`: None after an interrupt. With True it is found out anew.
Verify = Callable[[Sequence[str], Interrupts, bool], Verified | None]


class Around(Protocol):
    """What is done to the machine for a run: in force while it is entered. `beside`: processes that are there because
    its deployment wants them; `isolation`: as run.json has it.
    """

    @property
    def beside(self) -> Sequence[int]:
        """The CPUs that what runs beside is kept to."""

    @property
    def isolation(self) -> Mapping[str, object] | None:
        """What results.json has of the isolation; None without one."""

    def __enter__(self) -> Around: ...

    def __exit__(self, *exception: object) -> None: ...

    def inside(self) -> AbstractContextManager[Sequence[str]]:
        """While it is entered, what is started is the run's program, with these words before its own."""

    def add_to(self, results: dict) -> None:
        """Once it was left."""


class AsIs:
    """Nothing is done to the machine."""

    beside: Sequence[int] = ()

    def __init__(self, _: Callable[[str], None]) -> None:
        self.isolation = environment.isolation()

    def __enter__(self) -> AsIs:
        return self

    def __exit__(self, *exception: object) -> None:
        pass

    def inside(self) -> AbstractContextManager[Sequence[str]]:
        """Changes nothing."""
        return nullcontext(())

    def add_to(self, results: dict) -> None:
        """Adds nothing."""
        pass


@dataclass(frozen=True)
class Runnable:
    """A deployment that is built. `document` is the project with its `--set`, `folder` where its relative paths start.

    `parameters` are the project's, with `--set` applied; `command` makes such a run again. `sources`: sha256 of every
    file that it is built from; `kept`: those that are not Weir's own, by their path below `sources/`; `catalog_paths`:
    the folders outside the tree that it needs, by their option. `own`: fields of the RunOptions that are others for
    this one. `settings`: what its command line set, by its place in the project. `verify` is asked before the first
    run; None: unverified. `traces`: the back-ends that its target has. `warnings`: code -> message of what its plan
    says against the numbers of every run. `volk`: whether blocks of it call VOLK, None where nobody looked. `around`:
    what is done to the machine for each run, which says so to whom it is given.
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
    kept: Mapping[str, bytes] = field(default_factory=dict)
    protocol: RunProtocol = weir_protocol
    tools: Tools = Tools("")
    traces: Sequence[str] = BACKENDS
    settings: Mapping[str, Any] = field(default_factory=dict)
    warnings: Mapping[str, str] = field(default_factory=dict)
    volk: bool | None = None
    around: Callable[[Callable[[str], None]], Around] = AsIs

    @property
    def events_file(self) -> str:
        """The file that the program writes with the memory back-end."""
        return getattr(self.protocol, "EVENTS", weir_protocol.EVENTS)


@dataclass(frozen=True)
class RunOptions:
    """`trace`, `items`, `metrics`, `warmup_items`, `timeout_s`: None = as the project has them. `params`:
    `instance.parameter=value` of the binary.

    `causes`: also of late items, where the project wants them. `order_seed` decides the order of the runs; None =
    another one every time.
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
    """The place of a run among those of one command, its set. `position`: how manieth of its round it was; `point`: the
    number of what it is a run of, where the set has numbers for that.
    """

    set_id: str
    seed: int
    rounds: int
    round: int
    position: int
    size: int
    point: int | None = None

    def as_json(self) -> dict[str, object]:
        """Returns it as plain JSON values."""
        return {"id": self.set_id, "seed": self.seed, "rounds": self.rounds, "size": self.size,
                "position": self.position, **({} if self.point is None else {"point": self.point})}


@dataclass(frozen=True)
class Finished:
    """`document`: the project of the run, as its directory has it."""

    path: Path
    results: dict
    document: Mapping
