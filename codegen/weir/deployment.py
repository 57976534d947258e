"""Deployments and run settings of a project: every value resolved, every default filled in."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field


@dataclass(frozen=True)
class Placement:
    """`map`: pattern over instance names -> worker; only for the strategy `explicit`."""

    strategy: str = "contiguous"
    map: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True)
class Memory:
    """`numa`: "" (leave it to the kernel), local, interleave, or a node number as text."""

    lock: bool = False
    hugepages: bool = False
    numa: str = ""


@dataclass(frozen=True)
class Build:
    compiler: str = "g++"
    march: str = "native"
    optimisation: str = "O3"
    extra_flags: tuple[str, ...] = ()


@dataclass(frozen=True)
class Deployment:
    """`workers` is None where the planner chooses; `wait` is "" for the scheduler's first; buffers are in items."""

    name: str
    scheduler: str
    parameters: Mapping[str, object] = field(default_factory=dict)
    workers: int | None = None
    placement: Placement | None = None
    affinity: Mapping[str, tuple[int, ...]] = field(default_factory=dict)
    buffers: Mapping[str, int] = field(default_factory=dict)
    chunk_items: int | str = "auto"
    wait: str = ""
    policy: str = "other"
    priority: int = 0
    memory: Memory = Memory()
    build: Build = Build()
    require: tuple[str, ...] = ()
    target: str = "app"
    pointer: str = ""


@dataclass(frozen=True)
class TraceSettings:
    backend: str = "lttng"
    probe_granularity: int | str = "auto"
    events: tuple[str, ...] = ()


@dataclass(frozen=True)
class RunSettings:
    items: int = 10_000_000
    warmup_items: int = 0
    repetitions: int = 1
    seed: int = 1
    timeout_s: float = 60.0
    metrics: str = "counters"
    trace: TraceSettings = TraceSettings()
