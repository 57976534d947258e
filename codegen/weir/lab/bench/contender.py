"""What takes part in a benchmark: a contender builds its entries for a cell, each of which is measured once a round."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field

from weir.lab.bench.cells import Cell
from weir.lab.bench.kernels import Kernels
from weir.model.planning.machine import Machine

#: Of `Entry.buffers`: as the contender has them on its own, and the same bytes for every contender.
AUTO, EQUAL = "auto", "equal"
#: (contender, buffers, variant, condition) of an entry, and of the row that shows it.
Key = tuple[str, str | None, str | None, str | None]
#: Of each stream, and of a chunk, where buffers are equal.
EQUAL_BYTES = 16 * 1024


@dataclass(frozen=True)
class Site:
    """Where entries are built and run. `seconds`: how long one measurement is to be."""

    machine: Machine
    kernels: Kernels
    seconds: float

    def cpus(self, count: int) -> tuple[int, ...]:
        """Those that a measurement with so many workers has: a core each, as long as there are cores."""
        return self.machine.worker_cpus[:count]


@dataclass(frozen=True)
class Outcome:
    """One measurement. None: nobody knows.

    `cpu_s`: CPU seconds in a second, of all threads together; `latency`: p50_ns, p95_ns, p99_ns and max_ns, each None
    where there were too few samples for it.
    """

    items_per_s: float
    cpu_s: float | None = None
    latency: Mapping[str, float | None] | None = None


@dataclass(frozen=True)
class Facts:
    """What is the same in every round. None: not known, or there is no such thing.

    `items_per_call`: the mean over all calls of the stages, counted in a run of its own. `buffer_bytes`: of the largest
    stream; `total_buffer_bytes`: of all of them, where a stream that lies over another one has none of its own.
    `offered_items_per_s`: of paced sources, all together; `chunk_ns`: the time of one chunk of theirs with its work.
    """

    flags: str = ""
    buffer_bytes: int | None = None
    total_buffer_bytes: int | None = None
    in_place: bool = False
    items_per_call: float | None = None
    offered_items_per_s: float | None = None
    chunk_ns: float | None = None


@dataclass(frozen=True)
class Entry:
    """Measured once a round, by `run`, in a process of its own on `Site.cpus` of the cell's workers.

    Entries of one contender that have the same `buffers` (AUTO, EQUAL, or None where it has no choice) are variants of
    each other, and make one row: that of the better median. So it is in each `condition`, where the work has several;
    `against` is another condition, in which the same contender is measured for a ratio to it. WeirError of `run`: it
    failed.
    """

    contender: str
    run: Callable[[], Outcome]
    buffers: str | None = None
    variant: str | None = None
    facts: Facts = field(default_factory=Facts)
    condition: str | None = None
    against: str | None = None

    @property
    def key(self) -> Key:
        """Its own within a cell."""
        return self.contender, self.buffers, self.variant, self.condition

    def __str__(self) -> str:
        return " ".join(filter(None, (self.contender, self.buffers and f"{self.buffers} buffers", self.variant,
                                      self.condition)))


@dataclass(frozen=True)
class Contender:
    """`build` makes what is needed to measure it in a cell, and checks that it computes what it should.

    It gives no entries where the contender takes no part. WeirError where it does not build or computes wrongly.
    """

    name: str
    build: Callable[[Cell, Site], Sequence[Entry]]
