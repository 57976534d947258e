"""Types that the engines exchange with a target for generating, building and running.

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
from weir.model.installed import InstalledRuntime, look
from weir.model.planning import volk
from weir.model.planning.plan import Plan
from weir.sure import sure


class Refused(Exception):
    """Raised by a function of a target that cannot do what is requested; Weir shows the reason to the user.

    `pointer` is a JSON Pointer into the project (`GenerationInput.place`, `place_of`), "" for all of it. `hint` says
    what to do instead.
    """

    def __init__(self, message: str, pointer: str = "", hint: str = ""):
        super().__init__(message)
        self.pointer, self.hint = pointer, hint


@dataclass(frozen=True)
class GenerationInput:
    """Input of code generation, independent of the language."""

    plan: Plan
    project: Project
    catalog: Catalog

    @property
    def target(self) -> Target:
        """Return the target of the plan."""
        return self.catalog.targets[self.plan.target]

    @property
    def scheduler(self) -> SchedulerType:
        """Return the scheduler of the plan."""
        return self.catalog.schedulers[self.plan.scheduler]

    @cached_property
    def blocks(self) -> list[BlockType]:
        """Return the used block types of the catalog, by id. Blocks of GNU Radio are not in it."""
        known = self.catalog.blocks
        return [known[name] for name in sorted({b.type for b in self.plan.blocks} & known.keys())]

    def instances_of(self, block_type: str) -> tuple[str, ...]:
        """Return the instances of a block type."""
        return tuple(b.instance for b in self.plan.blocks if b.type == block_type)

    def using(self, library: str) -> tuple[str, ...]:
        """Return the instances whose blocks use a library."""
        using = {block.id for block in self.blocks if library in block.uses}
        return tuple(b.instance for b in self.plan.blocks if b.type in using)

    def runtime(self) -> InstalledRuntime:
        """Return the installed peer runtime of the target. Raises WeirError (E_RUNTIME_MISSING)."""
        runtime = sure(self.target.runtime)
        it = look(runtime)
        if it.lacks:
            raise WeirError(diagnostic("E_RUNTIME_MISSING", self.plan.deployment.pointer,
                                       f"{self.scheduler.title} cannot run here: {it.lacks}", runtime.install))
        return it

    def place(self, path: str) -> str:
        """Return a JSON Pointer into the project, or its nearest existing parent if the project uses a default."""
        return nearest_place(self.project.document, path)

    def place_of(self, instance: str, parameter: str = "") -> str:
        """Return the JSON Pointer of an instance's block, or of a parameter of it."""
        block = next(it.block for it in self.plan.blocks if it.instance == instance)
        entries = self.project.document["graph"]["blocks"]
        index = next(i for i, entry in enumerate(entries) if entry["id"] == block)
        return self.place(pointer("graph", "blocks", index, *(("parameters", parameter) if parameter else ())))

    @property
    def words(self) -> tuple[str, ...]:
        """Return the build command from the build settings: program, flags, and the VOLK kernels that are off."""
        off = volk.off(self.plan.deployment.volk, self.kernels)
        return (*self.target.words_for(asdict(self.plan.build)), *([f"-DWEIR_VOLK_OFF={','.join(off)}"] if off else ()))

    @property
    def kernels(self) -> list[str]:
        """Return the VOLK kernels that the blocks call unless they are off."""
        known = self.catalog.blocks
        return volk.called((known[it.type], it.item_type) for it in self.plan.blocks if it.type in known)


#: Former name, which targets outside of the tree may import.
Subject = GenerationInput


class View(Protocol):
    """Interface of `view.py`. `FILTERS` is optional."""

    FILTERS: Mapping[str, Callable[..., str]]

    def context(self, subject: GenerationInput) -> Mapping[str, Any]:
        """Return the names that templates can use."""


@dataclass(frozen=True)
class Tools:
    """Build tools, found and tried. `identity` changes if the same files may give another program.

    `runtime` is the version of the peer runtime that the program is built on.
    """

    name: str
    words: tuple[str, ...] = ()
    identity: str = ""
    paths: Mapping[str, str] = field(default_factory=dict)
    runtime: str | None = None


@dataclass
class Fault:
    """One error of a build tool.

    `through` has the places of its instantiation chain, nearest first. `names` is more text about it. `types` has the
    block types that it names, in lower case and without _; those in one entry are equally likely. `pointer` is the
    place in the project, if it is known.
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
    pointer: str = ""


#: Parses the output of a failed step in a folder into faults, in order.
FaultReader = Callable[[str, Path], list[Fault]]


class Workshop(Protocol):
    """A build in progress: locked, with its folder prepared and its log open.

    `directory` is the generated project, `folder` the `build` in it. `anew`: do not use outputs of other builds.
    """

    subject: GenerationInput
    tools: Tools
    directory: Path
    folder: Path
    anew: bool

    def say(self, what: str) -> None:
        """Report the current step."""

    def note(self, line: str) -> None:
        """Write a line to the log."""

    def step(self, command: Sequence[str], *, faults: FaultReader | None = None,
             environment: Mapping[str, str] | None = None, by: str = "") -> None:
        """Run a command in `directory`. `by`: the tool that a fault names, else the compiler.

        Raises WeirError (E_DISK_FULL, E_BLOCK_BUILD, E_LIBRARY_MISSING, E_BUILD_FAILED).
        """


class Toolchain(Protocol):
    """Interface of `toolchain.py`, which builds a generated project. `MADE_ANEW`, `REFUSED` and `program` are optional.

    `MADE_ANEW` are files that each build recreates in its folder; `REFUSED` are names that must be neither in nor
    beside it.
    """

    MADE_ANEW: ownership.Files
    REFUSED: Sequence[str]

    def find(self, subject: GenerationInput) -> Tools:
        """Return the tools. Raises WeirError (E_COMPILER_MISSING, E_COMPILER_REFUSED, E_TOOL_MISSING,
        E_RUNTIME_MISSING).
        """

    def build(self, shop: Workshop) -> None:
        """Build the program. Raises WeirError if that fails."""

    def program(self, directory: Path, subject: GenerationInput, tools: Tools) -> Program:
        """Return the program. Without this function, it is the file that target.json calls `program`."""


@dataclass(frozen=True)
class Program:
    """A program to run. The bytes of `files` identify it; `kernels` is the kernel library in it, if any."""

    command: tuple[str, ...]
    files: tuple[Path, ...]
    kernels: Path | None = None

    @classmethod
    def of(cls, binary: Path) -> Program:
        """Return a program that is one file."""
        return cls((str(binary),), (binary,))

    @cached_property
    def hash(self) -> str:
        """Return the SHA-256 of the file, or of the list of hashes if there are several. Raises OSError."""
        hashes = [hashlib.sha256(path.read_bytes()).hexdigest() for path in self.files]
        return hashes[0] if len(hashes) == 1 else hashlib.sha256("\n".join(hashes).encode()).hexdigest()

    @cached_property
    def kernel_hash(self) -> str | None:
        """Return the SHA-256 of the kernel library, None if work is inlined. Raises OSError."""
        return hashlib.sha256(self.kernels.read_bytes()).hexdigest() if self.kernels else None


@dataclass(frozen=True)
class Order:
    """Settings of one execution. `folder` is the program's working directory, `project_folder` the project's.

    `items`, `metrics`, `warmup_items`, `timeout_s`: None = as planned. `params` are `instance.parameter=value`.
    `counted`: a verifying run on counted data, which records the ports in `taps` (`instance.port`); None = the program
    judges itself. `beside` has the processes of the interference load, whose CPU time does not count as that of other
    programs.
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
    """End of a program's process.

    `code` is subprocess's: negative for a signal. `last_lines` are its last lines of output.
    """

    code: int
    overdue: bool
    last_lines: tuple[str, ...]

    @property
    def signal_name(self) -> str:
        """Return the signal's name such as SIGSEGV; "" for a process that exited."""
        try:
            return signal.Signals(-self.code).name if self.code < 0 else ""
        except ValueError:
            return f"signal {-self.code}"


@dataclass(frozen=True)
class Verdict:
    """Meaning of a program's end. `usage`: it refused its options. `unwritten`: it could not write its results, with
    the reason in `errno` if known.

    `said` are its last lines for people; `crashed_in` is the block that worked when a signal ended it.
    """

    kind: Literal["ended", "failed", "usage", "unwritten"]
    said: tuple[str, ...] = ()
    crashed_in: str = ""
    errno: int = 0


class RunProtocol(Protocol):
    """Interface of `protocol.py`, which runs programs. `EVENTS` (the file of the memory back-end), `progress` and
    `as_run` are optional.
    """

    EVENTS: str

    def command(self, program: Program, order: Order) -> list[str]:
        """Return the command line of a run."""

    def verdict(self, ended: Ended) -> Verdict:
        """Return how the program ended."""

    def results(self, order: Order, plan: Mapping, ended: Ended, blank: Callable[[], dict]) -> dict | None:
        """Return results.json by its schema, None if the program left none. `blank` returns results with nothing
        measured.
        """

    def tapped(self, order: Order, number: int) -> Path:
        """Return the file of the n-th of `order.taps`: items as they are in memory."""

    def as_run(self, order: Order, plan: Mapping) -> Mapping:
        """Return the plan as the program carried it out: pairs with their granularities and `boundaries`, and the
        numbers of blocks in events as `index`, or those of a pair as its `tx` and `rx`. `unused_events`: numbers that
        no pair uses, None if nobody knows the numbers. For programs whose rates the planner does not know.
        """

    def progress(self, line: str) -> dict | None:
        """Return the `--progress=json` object in a line of output, None for another line."""
