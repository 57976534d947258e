"""The machine that a plan is made for: cores, their hardware threads, caches and memory nodes.

Read from a machine file, which is the same JSON as `weir doctor --topology --json`; `topology` looks at the
machine itself.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Mapping
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from weir.diagnostics import WeirError, diagnostic, trying
from weir.files import read_bounded
from weir.model.document import jsontext
from weir.model.document.shape import check_shape
from weir.model.planning.speeds import ASSUMED, Speeds, speeds_from_json

# Assumed if a machine does not report its caches: the smallest of the last decade's application processors.
DEFAULT_L1D, DEFAULT_L2 = 32 * 1024, 256 * 1024


@dataclass(frozen=True)
class Core:
    """A physical core. `cpus` are its hardware threads by the kernel's numbers, ascending."""

    id: int
    package: int
    numa: int
    cpus: tuple[int, ...]


@dataclass(frozen=True)
class Cache:
    """A data or unified cache, and the CPUs that share it."""

    level: int
    bytes: int
    line_bytes: int
    cpus: tuple[int, ...]


@dataclass(frozen=True)
class MemoryNode:
    """A NUMA node and its CPUs."""

    id: int
    cpus: tuple[int, ...]


@dataclass(frozen=True)
class Machine:
    """A machine. `allowed`: CPUs that this process may use; `isolated`: CPUs that Linux keeps free of other work.

    `measured`: its measured speeds, None if unknown.
    """

    name: str
    architecture: str
    page_bytes: int
    cores: tuple[Core, ...]
    caches: tuple[Cache, ...]
    nodes: tuple[MemoryNode, ...]
    allowed: tuple[int, ...]
    isolated: tuple[int, ...]
    measured: Speeds | None = None

    @property
    def speeds(self) -> Speeds:
        """Return the speeds to plan with."""
        return self.measured or ASSUMED

    @property
    def cpus(self) -> tuple[int, ...]:
        """Return all CPUs, in order."""
        return tuple(sorted(cpu for core in self.cores for cpu in core.cpus))

    @property
    def usable(self) -> frozenset[int]:
        """Return the CPUs that a worker can be pinned to. Isolated CPUs must be requested explicitly."""
        return frozenset(self.allowed) | (frozenset(self.isolated) & frozenset(self.cpus))

    @property
    def allowed_cores(self) -> tuple[Core, ...]:
        """Return the cores with an allowed CPU."""
        return tuple(core for core in self.cores if set(core.cpus) & set(self.allowed))

    @property
    def worker_cpus(self) -> tuple[int, ...]:
        """Return the allowed CPUs in the order of assignment to workers: one thread of each core first, then their
        siblings.
        """
        threads = [[cpu for cpu in core.cpus if cpu in self.allowed] for core in self.allowed_cores]
        return tuple(t[rank] for rank in range(max(map(len, threads), default=0)) for t in threads if rank < len(t))

    def cache_share(self, level: int, default: int) -> int:
        """Return the bytes of a cache level that one core can count on: the smallest cache, divided by the cores that
        share it.
        """
        shares = [cache.bytes // sum(1 for core in self.cores if set(core.cpus) & set(cache.cpus))
                  for cache in self.caches if cache.level == level and set(cache.cpus) & set(self.cpus)]
        return min(shares, default=default)

    def distance(self, a: Iterable[int], b: Iterable[int]) -> int:
        """Return the distance of two CPUs by what they share: 0 an L2 cache, 1 an L3 cache, 2 a NUMA node, 3 none of
        them.
        """
        both = {*a, *b}
        for level in (2, 3):
            if any(cache.level == level and both <= set(cache.cpus) for cache in self.caches):
                return level - 2
        return 2 if any(both <= set(node.cpus) for node in self.nodes) else 3

    @property
    def l1d(self) -> int:
        """Return the bytes of the L1 data cache for each CPU."""
        return self.cache_share(1, DEFAULT_L1D)

    @property
    def l2(self) -> int:
        """Return the bytes of the L2 cache for each CPU."""
        return self.cache_share(2, DEFAULT_L2)

    @property
    def l3(self) -> int:
        """Return the size of the L3 cache, or of L2 if there is none."""
        return self.cache_share(3, self.l2)

    def as_json(self) -> dict[str, Any]:
        """Return the JSON of a machine file."""
        document = {"format": 1, **asdict(self)}
        measured = document.pop("measured")
        return document if measured is None else {**document, "speeds": measured}

    @property
    def hash(self) -> str:
        """Return the SHA-256 of the machine file."""
        return hashlib.sha256(jsontext.write(self.as_json()).encode()).hexdigest()


def sorted_machine(name: str, architecture: str, page_bytes: int, cores: Iterable[Core], caches: Iterable[Cache],
                    nodes: Iterable[MemoryNode], allowed: Iterable[int], isolated: Iterable[int],
                    measured: Speeds | None = None) -> Machine:
    """Make a machine with cores numbered by their first CPU, so that hwloc, /sys and a reordered machine file agree."""
    by_cpu = sorted(cores, key=lambda core: core.cpus)
    return Machine(
        name, architecture, page_bytes,
        tuple(Core(i, core.package, core.numa, core.cpus) for i, core in enumerate(by_cpu)),
        tuple(sorted(set(caches), key=lambda cache: (cache.level, cache.cpus))),
        tuple(sorted(nodes, key=lambda node: node.id)),
        tuple(sorted(set(allowed))), tuple(sorted(set(isolated))), measured)


def read_machine(path: Path) -> Machine:
    """Return the machine of a machine file. Raises WeirError if it cannot be read or is invalid."""
    with trying(f"read the machine file {path}"):
        data = read_bounded(path, jsontext.MAX_BYTES)
    document, faults = jsontext.read(data)
    faults = faults or check_shape(document, "machine")
    if not faults:
        machine = machine_from_json(document)
        stray = sorted(set(machine.allowed) - set(machine.cpus))
        if stray:
            faults = [diagnostic("E_MACHINE", "/allowed", f"CPU {stray[0]} belongs to no core")]
        elif len(machine.cpus) != len(set(machine.cpus)):
            faults = [diagnostic("E_MACHINE", "/cores", "two cores have the same CPU")]
    if faults:
        # The faults are not the project's, so the message has the pointers into the machine file.
        raise WeirError([diagnostic("E_MACHINE", "", f"{path}:{d.pointer}: {d.message}", d.hint) for d in faults])
    return machine


def machine_from_json(document: Mapping[str, Any]) -> Machine:
    """Make a machine from JSON that fits the schema. The schema accepts 4096.0 as an integer."""
    def cpus(listed: Iterable[int | float]) -> tuple[int, ...]:
        return tuple(sorted(map(int, listed)))

    return sorted_machine(
        document["name"], document["architecture"], int(document["page_bytes"]),
        [Core(int(c["id"]), int(c["package"]), int(c["numa"]), cpus(c["cpus"])) for c in document["cores"]],
        [Cache(int(c["level"]), int(c["bytes"]), int(c["line_bytes"]), cpus(c["cpus"])) for c in document["caches"]],
        [MemoryNode(int(n["id"]), cpus(n["cpus"])) for n in document["nodes"]],
        cpus(document["allowed"]), cpus(document["isolated"]),
        speeds_from_json(document["speeds"]) if "speeds" in document else None)
