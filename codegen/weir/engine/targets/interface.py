"""What the engines of generation, building and running hand to a target, and what they want of it.

`view.py` and `toolchain.py` in a target's folder are modules with the functions of `View` and `Toolchain`.
"""

from __future__ import annotations

import hashlib
import signal
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass, field
from functools import cached_property
from pathlib import Path
from typing import Any, Literal, Protocol

from weir.diagnostics import WeirError, diagnostic, nearest_place, pointer
from weir.model import ownership
from weir.model.catalog import BlockType, Catalog, SchedulerType, Target
from weir.model.document.project import Project
from weir.model.installed import Found, look
from weir.model.planning import volk
from weir.model.planning.plan import Plan
from weir.sure import sure


class Refused(Exception):
    """Raised by any function of a target that cannot do what is asked: the user is told why, and where in the project.

    `pointer`: a JSON Pointer (`Subject.place`, `Subject.place_of`), "" for the whole; `hint`: what to do instead.
    """

    def __init__(self, message: str, pointer: str = "", hint: str = ""):
        super().__init__(message)
        self.pointer, self.hint = pointer, hint


@dataclass(frozen=True)
class Subject:
    """What is generated. Nothing in it is of a language."""

    plan: Plan
    project: Project
    catalog: Catalog

    @property
    def target(self) -> Target:
        """The target that the plan is for."""
        return self.catalog.targets[self.plan.target]

    @property
    def scheduler(self) -> SchedulerType:
        """The scheduler that the plan is for."""
        return self.catalog.schedulers[self.plan.scheduler]

    @cached_property
    def blocks(self) -> list[BlockType]:
        """Those that are used, by id."""
        return [self.catalog.blocks[name] for name in sorted({b.type for b in self.plan.blocks})]

    def instances_of(self, block_type: str) -> tuple[str, ...]:
        """The instances of a type of blocks."""
        return tuple(b.instance for b in self.plan.blocks if b.type == block_type)

    def using(self, library: str) -> tuple[str, ...]:
        """The instances whose blocks use a library."""
        return tuple(b.instance for b in self.plan.blocks if library in self.catalog.blocks[b.type].uses)

    def runtime(self) -> Found:
        """What there is of the runtime that the target's programs are built on. WeirError (E_RUNTIME_MISSING)."""
        runtime = sure(self.target.runtime)
        it = look(runtime)
        if it.lacks:
            raise WeirError(diagnostic("E_RUNTIME_MISSING", self.plan.deployment.pointer,
                                       f"{self.scheduler.title} cannot run here: {it.lacks}", runtime.install))
        return it

    def place(self, path: str) -> str:
        """A JSON Pointer into the project, or what is next above it where that leaves it to a default."""
        return nearest_place(self.project.document, path)

    def place_of(self, instance: str, parameter: str = "") -> str:
        """Where the project has the block of an instance, or a parameter of it."""
        block = next(it.block for it in self.plan.blocks if it.instance == instance)
        entries = self.project.document["graph"]["blocks"]
        index = next(i for i, entry in enumerate(entries) if entry["id"] == block)
        return self.place(pointer("graph", "blocks", index, *(("parameters", parameter) if parameter else ())))

    @property
    def words(self) -> tuple[str, ...]:
        """What the build settings make: the program that builds it, then its flags, and which kernels of VOLK are off.
        """
        off = volk.off(self.plan.deployment.volk, self.kernels)
        return (*self.target.words_for(asdict(self.plan.build)), *([f"-DWEIR_VOLK_OFF={','.join(off)}"] if off else ()))

    @property
    def kernels(self) -> list[str]:
        """Those of VOLK that the blocks call where they are not off."""
        return volk.called((self.catalog.blocks[it.type], it.item_type) for it in self.plan.blocks)


class View(Protocol):
    """What the templates see. `FILTERS` may be left out."""

    FILTERS: Mapping[str, Callable[..., str]]

    def context(self, subject: Subject) -> Mapping[str, Any]:
        """What the templates show."""


@dataclass(frozen=True)
class Tools:
    """What builds it, found and tried. `identity` changes when the same files may give another program. `runtime`: the
    version of another runtime that the program is built on.
    """

    name: str
    words: tuple[str, ...] = ()
    identity: str = ""
    paths: Mapping[str, str] = field(default_factory=dict)
    runtime: str | None = None


@dataclass
class Fault:
    """One error of a tool that builds.

    `through`: the places that it was reached through, the nearest first. `names`: what else tells it. `types`: the
    block types that it names, in lower case and without _; those of one entry are as likely.
    """

    message: str
    file: str = ""
    line: int = 0
    column: int = 0
    through: list[tuple[str, int]] = field(default_factory=list)
    included: list[tuple[str, int]] = field(default_factory=list)
    names: str = ""
    symbol: str = ""
    types: list[tuple[str, ...]] = field(default_factory=list)


#: The output of a failed step, and the folder that it ran for -> what was wrong, in order.
FaultReader = Callable[[str, Path], list[Fault]]


class Workshop(Protocol):
    """A build under way: locked, its folder begun, its log open.

    `directory` is the generated project, `folder` the `build` in it. `anew`: nothing that another build made is used.
    """

    subject: Subject
    tools: Tools
    directory: Path
    folder: Path
    anew: bool

    def say(self, what: str) -> None:
        """What is being done now."""

    def note(self, line: str) -> None:
        """A line in the log."""

    def step(self, command: Sequence[str], *, faults: FaultReader | None = None,
             environment: Mapping[str, str] | None = None) -> None:
        """Runs it in `directory`. WeirError (E_DISK_FULL, E_BLOCK_BUILD, E_LIBRARY_MISSING, E_BUILD_FAILED)."""


class Toolchain(Protocol):
    """How a generated project becomes a program. `MADE_ANEW`, `REFUSED` and `program` may be left out.

    `MADE_ANEW`: what each build makes anew in its folder; `REFUSED`: names that must lie neither in nor beside it.
    """

    MADE_ANEW: ownership.Files
    REFUSED: Sequence[str]

    def find(self, subject: Subject) -> Tools:
        """WeirError (E_COMPILER_MISSING, E_COMPILER_REFUSED, E_TOOL_MISSING, E_RUNTIME_MISSING)."""

    def build(self, shop: Workshop) -> None:
        """Makes the program. WeirError where that fails."""

    def program(self, directory: Path, subject: Subject, tools: Tools) -> Program:
        """Without it: the one file that target.json calls `program`."""


@dataclass(frozen=True)
class Program:
    """What is run. `files`: those whose bytes make it what it is; `kernels`: the library of kernels in it, if any."""

    command: tuple[str, ...]
    files: tuple[Path, ...]
    kernels: Path | None = None

    @classmethod
    def of(cls, binary: Path) -> Program:
        """The program that is one file."""
        return cls((str(binary),), (binary,))

    @cached_property
    def hash(self) -> str:
        """Of one file its SHA-256, of several that of their list. OSError."""
        hashes = [hashlib.sha256(path.read_bytes()).hexdigest() for path in self.files]
        return hashes[0] if len(hashes) == 1 else hashlib.sha256("\n".join(hashes).encode()).hexdigest()

    @cached_property
    def kernel_hash(self) -> str | None:
        """SHA-256 of the library of kernels, None where work is inlined. OSError."""
        return hashlib.sha256(self.kernels.read_bytes()).hexdigest() if self.kernels else None


@dataclass(frozen=True)
class Order:
    """One execution that somebody wants. `folder` is the current one of the program, `project_folder` the project's.

    `items`, `metrics`, `warmup_items`, `timeout_s`: None = as planned. `params`: `instance.parameter=value`. `counted`:
    a verifying run on counted data, which records the `taps` (`instance.port`); None = the program judges itself.
    `beside`: processes that are there to disturb it, whose CPU time is nobody else's.
    """

    folder: Path
    project_folder: Path
    run_id: str = ""
    repetition: int = 0
    items: int | None = None
    trace: str = "off"
    params: tuple[str, ...] = ()
    timeout_s: float | None = None
    progress: bool = False
    counted: bool = False
    taps: tuple[str, ...] | None = None
    metrics: str | None = None
    warmup_items: int | None = None
    beside: tuple[int, ...] = ()


@dataclass(frozen=True)
class Ended:
    """How a program's process ended.

    `code` as subprocess has it: negative for a signal. `last_lines`: what it said last.
    """

    code: int
    overdue: bool
    last_lines: tuple[str, ...]

    @property
    def signal_name(self) -> str:
        """SIGSEGV and the like; "" for a process that exited."""
        try:
            return signal.Signals(-self.code).name if self.code < 0 else ""
        except ValueError:
            return f"signal {-self.code}"


@dataclass(frozen=True)
class Verdict:
    """What the end of a program means. `usage`: it refused its options; `unwritten`: it could not write its results,
    `errno` says why where it did.

    `said`: its last lines for people; `crashed_in`: the block at whose work a signal ended it.
    """

    kind: Literal["ended", "failed", "usage", "unwritten"]
    said: tuple[str, ...] = ()
    crashed_in: str = ""
    errno: int = 0


class RunProtocol(Protocol):
    """How a program is run. `EVENTS` (its file with the memory back-end) and `progress` may be left out."""

    EVENTS: str

    def command(self, program: Program, order: Order) -> list[str]:
        """The command line of a run."""

    def verdict(self, ended: Ended) -> Verdict:
        """How the program ended."""

    def results(self, order: Order, plan: Mapping, ended: Ended, blank: Callable[[], dict]) -> dict | None:
        """results.json as its schema has it; None where the program left nothing. `blank`: with nothing measured."""

    def tapped(self, order: Order, number: int) -> Path:
        """The file of the n-th of `order.taps`: items as they lie in memory."""

    def progress(self, line: str) -> dict | None:
        """The object of `--progress=json` in a line of its output, None for another line."""
