"""Deployments and run settings of a project: every value resolved, every default filled in."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field, fields, replace
from typing import Any, TypeVar, cast

from weir.diagnostics import Fix, pointer
from weir.model.document.jsontext import INT64_MIN
from weir.model.document.options import of_deployment, of_run
from weir.model.document.shape import describe
from weir.model.document.values import Evaluator

Made = TypeVar("Made")

MAX_WORKERS = 4096
#: Words for the number of workers: one for each CPU (hardware thread), or one for each core.
CPUS, CORES = "cpus", "cores"
#: The same in sentences, for a single one.
ONE_OF = {CPUS: "CPU", CORES: "core"}
MAX_ITEMS = 2**40
MAX_TIMEOUT_S = 7 * 24 * 3600


@dataclass(frozen=True)
class Placement:
    """Placement strategy. `map`: pattern over instance names -> worker; only for the strategy `explicit`."""

    strategy: str = "contiguous"
    map: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True)
class Memory:
    """Memory settings. `numa`: "" (leave it to Linux), local, interleave, or a node number as text."""

    lock: bool = of_deployment("memory/lock")
    hugepages: bool = of_deployment("memory/hugepages")
    numa: str = ""


@dataclass(frozen=True)
class Scheduling:
    """Scheduling of a thread by Linux. The three times in microseconds belong to the policy deadline and are 0 for
    other policies. A slack of None means the smallest. Policy "" marks an entry of `threads` without a policy.
    """

    policy: str = of_deployment("policy")
    priority: int = of_deployment("priority")
    runtime_us: int = 0
    deadline_us: int = 0
    period_us: int = 0
    timer_slack_ns: int | None = None


@dataclass(frozen=True)
class Isolate:
    """Isolation settings. Empty `cpus` and `governor` "" mean the defaults of `weir isolate`."""

    cpus: tuple[int, ...] = ()
    free_siblings: bool = of_deployment("environment/isolate/free_siblings")
    governor: str = ""


@dataclass(frozen=True)
class InterferenceSettings:
    """Interference load. `cpu_limit`: share of the time of all CPUs that the loops may use; `cpu_quota`: the same as a
    share of one CPU; both None for no limit. `cpus` empty: all CPUs; `slice_us` 0: Linux's default.
    """

    loops: int = of_deployment("interference/loops")
    cpu_limit: float | None = None
    slice_us: int = 0
    cpus: tuple[int, ...] = ()
    cpu_quota: float | None = None

    def as_json(self) -> dict[str, Any]:
        """Return the load for a plan, which has `cpu_quota` only if it is set."""
        values = {**asdict(self), "cpus": list(self.cpus)}
        return {key: value for key, value in values.items() if key != "cpu_quota" or value is not None}


#: VOLK's own choice, as a value of a project.
AUTO = "auto"


@dataclass(frozen=True)
class Volk:
    """VOLK implementation by name: `off` for the scalar code, "" if VOLK chooses. `kernels` overrides it per kernel,
    with `auto` if VOLK chooses.
    """

    implementation: str = ""
    kernels: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True)
class Build:
    """Build settings of a deployment."""

    compiler: str = of_deployment("build/compiler")
    march: str = of_deployment("build/march")
    optimisation: str = of_deployment("build/optimisation")
    extra_flags: tuple[str, ...] = ()


@dataclass(frozen=True)
class Deployment:
    """Settings of one deployment. `workers`: a number, CPUS, CORES, or None if the planner chooses. `wait`, `target`,
    `blocks` and `kernels` are "" for the first that the scheduler or target supports. Buffers are in items. `blocks`:
    shared by all runtimes, or native blocks of a runtime. `kernels`: inlined into their callers, or compiled once and
    linked. `replace`: kinds of GNU Radio's blocks that others stand in for.
    """

    name: str
    scheduler: str
    blocks: str = ""
    kernels: str = ""
    parameters: Mapping[str, Any] = field(default_factory=dict)
    workers: int | str | None = None
    placement: Placement | None = None
    affinity: Mapping[str, tuple[int, ...]] = field(default_factory=dict)
    buffers: Mapping[str, int] = field(default_factory=dict)
    chunk_items: int | str = of_deployment("chunk_items")
    wait: str = ""
    policy: str = of_deployment("policy")
    priority: int = of_deployment("priority")
    runtime_us: int = 0
    deadline_us: int = 0
    period_us: int = 0
    timer_slack_ns: int | None = None
    threads: Mapping[str, Scheduling] = field(default_factory=dict)
    memory: Memory = Memory()
    volk: Volk = Volk()
    alignment: bool = of_deployment("alignment")
    isolate: Isolate | None = None
    interference: InterferenceSettings = InterferenceSettings()
    build: Build = Build()
    replace: tuple[str, ...] = ()
    windows: str = of_deployment("windows")
    require: tuple[str, ...] = ()
    target: str = ""
    pointer: str = ""  # "" for the default deployment, which is not in the document

    @property
    def worker_number(self) -> int | None:
        """Return the requested number of workers, None if it depends on the machine."""
        return self.workers if isinstance(self.workers, int) else None

    @property
    def scheduling(self) -> Scheduling:
        """Return the scheduling of workers that `threads` does not mention."""
        return Scheduling(*(getattr(self, f.name) for f in fields(Scheduling)))


@dataclass(frozen=True)
class TraceSettings:
    """Settings of the trace of a run."""

    backend: str = of_run("trace/backend")
    probe_granularity: int | str = of_run("trace/probe_granularity")
    events: tuple[str, ...] = ()
    causes: bool = of_run("trace/causes")


@dataclass(frozen=True)
class RunSettings:
    """Settings for the length of a run and for its measurements."""

    items: int = of_run("items")
    warmup_items: int = of_run("warmup_items")
    repetitions: int = of_run("repetitions")
    seed: int = of_run("seed")
    timeout_s: float = of_run("timeout_s")
    deadline_us: float | None = None
    metrics: str = of_run("metrics")
    cpu_counters: bool = of_run("cpu_counters")
    trace: TraceSettings = TraceSettings()


def default_deployment() -> Deployment:
    """Return the deployment of a project that has none."""
    return Deployment("single_thread", "single_thread")


def reference_deployment(of: Deployment, scheduler: str) -> Deployment:
    """Return a deployment that runs the same work under another scheduler with default settings: the single-threaded
    baseline.
    """
    return replace(of, name=scheduler, scheduler=scheduler, blocks="", parameters={}, workers=None,
                   placement=None, affinity={}, buffers={}, wait="", memory=Memory(), **asdict(Scheduling()),
                   threads={}, isolate=None, interference=InterferenceSettings(), pointer="")


def default_settings(target: str) -> dict[str, Any]:
    """Return the defaults by the keys of the project file. `target` is the target of the default deployment."""
    deployment = asdict(replace(default_deployment(), target=target))
    return {"deployment": {key: deployment[key] for key in ("workers", "chunk_items", "wait", "policy", "priority",
                                                            "memory", "alignment", "build", "require", "target")},
            "run": asdict(RunSettings())}


def read_deployment(entry: Mapping, evaluator: Evaluator, path: tuple[str | int, ...]) -> Deployment:
    """Read an entry of `deployments` that fits the schema. Faults in its values go to `evaluator`."""
    values = _plain(entry, Deployment) | asdict(_scheduling(entry))
    if not isinstance(entry.get("workers", ""), str):
        values["workers"] = evaluator.integer(entry["workers"], (*path, "workers"), 1, MAX_WORKERS)
    if entry.get("chunk_items", "auto") != "auto":
        values["chunk_items"] = evaluator.integer(entry["chunk_items"], (*path, "chunk_items"), 1, MAX_ITEMS) or "auto"
    if "placement" in entry:
        values["placement"] = Placement(entry["placement"]["strategy"], dict(entry["placement"].get("map", {})))
    memory = dict(entry.get("memory", {}))
    numa = memory.get("numa", "")
    memory["numa"] = numa if isinstance(numa, str) else str(int(numa))
    buffers = {edge: evaluator.integer(buffer["items"], (*path, "buffers", edge, "items"), 1, MAX_ITEMS)
               for edge, buffer in entry.get("buffers", {}).items()}
    return Deployment(
        parameters=dict(entry.get("parameters", {})),
        affinity={worker: tuple(int(cpu) for cpu in cpus) for worker, cpus in entry.get("affinity", {}).items()},
        buffers={edge: items for edge, items in buffers.items() if items is not None},
        memory=_make(Memory, memory), build=_build(entry.get("build", {}), evaluator, (*path, "build")),
        threads={name: _scheduling({"policy": "", **one}) for name, one in entry.get("threads", {}).items()},
        volk=_volk(entry.get("volk", {})), isolate=_isolate(entry.get("environment")),
        interference=_interference(entry.get("interference", {})), replace=tuple(entry.get("replace", ())),
        require=tuple(entry.get("require", ())), pointer=pointer(*path), **values)


def _volk(entry: Mapping) -> Volk:
    """Return the implementations of the entry. Where `auto` is the default, it is left out: it makes no other plan."""
    of_all = "" if (stated := entry.get("implementation", "")) == AUTO else stated
    return Volk(of_all, {kernel: name for kernel, name in entry.get("kernels", {}).items() if of_all or name != AUTO})


def _plain(entry: Mapping, kind: type) -> dict[str, Any]:
    """Return the choices, switches and numbers for the fields of `kind`. 2.0 becomes 2, because JSON does not
    distinguish them.
    """
    names = {f.name for f in fields(kind)}
    return {key: int(value) if isinstance(value, float) and value.is_integer() else value
            for key, value in entry.items() if key in names and not isinstance(value, (dict, list))}


def _scheduling(entry: Mapping) -> Scheduling:
    return _make(Scheduling, {key: value if isinstance(value, str) else int(value) for key, value in entry.items()
                              if key in {f.name for f in fields(Scheduling)}})


def _isolate(environment: str | Mapping | None) -> Isolate | None:
    if environment in (None, "as_is"):
        return None
    settings = environment["isolate"] if isinstance(environment, Mapping) else {}
    return _make(Isolate, {**settings, "cpus": tuple(map(int, settings.get("cpus", ())))})


def _interference(entry: Mapping) -> InterferenceSettings:
    limit, quota = (None if (value := entry.get(key, "none")) == "none" else float(value)
                    for key in ("cpu_limit", "cpu_quota"))
    return InterferenceSettings(int(entry.get("loops", 0)), limit, int(entry.get("slice_us", 0)),
                                tuple(map(int, entry.get("cpus", ()))), quota)


def read_run(entry: Mapping, evaluator: Evaluator) -> RunSettings:
    """Read the `run` object, which fits the schema. Faults in its values go to `evaluator`."""
    values = _plain(entry, RunSettings)
    for key, low in (("items", 0), ("warmup_items", 0), ("repetitions", 1), ("seed", INT64_MIN)):
        if key in entry:
            values[key] = evaluator.integer(entry[key], ("run", key), low)
    for key, what, unit, most in (("timeout_s", "time-out", "s", MAX_TIMEOUT_S),
                                  ("deadline_us", "deadline", "us", MAX_TIMEOUT_S * 10**6)):
        if key in entry:
            value = evaluator.literal(entry[key], ("run", key))
            if value is not None and not 0 < value <= most:
                evaluator.fault("E_VALUE_RANGE", ("run", key), f"{value} {unit} is not a valid {what}",
                                f"use more than 0 and at most {most}")
            values[key] = value and float(value)
    settings = _make(RunSettings, {**values, "trace": _trace(entry.get("trace", {}), evaluator)})
    if settings.items and settings.warmup_items >= settings.items:
        evaluator.fault("E_VALUE_RANGE", ("run", "warmup_items"),
                        f"{settings.warmup_items} warm-up items leave none of {settings.items} items to measure",
                        "reduce the warm-up, or run more items",
                        [Fix(f"Use {settings.items // 10}", "/run/warmup_items", "set", settings.items // 10)])
    return settings


def _trace(entry: Mapping, evaluator: Evaluator) -> TraceSettings:
    granularity = entry.get("probe_granularity", "auto")
    if granularity != "auto":
        granularity = evaluator.integer(granularity, ("run", "trace", "probe_granularity"), 1)
    return _make(TraceSettings, {"backend": entry.get("backend"), "probe_granularity": granularity,
                                 "events": tuple(entry.get("events", ())), "causes": entry.get("causes")})


def _make(kind: type[Made], values: Mapping[str, Any]) -> Made:
    """Make a `kind` from the values that are its fields and not None; other fields get their defaults."""
    names = {f.name for f in fields(cast(Any, kind))}
    return kind(**{key: value for key, value in values.items() if key in names and value is not None})


# Compiler options that a project may set: none that run, read or write anything, or change floating-point results.
_COMPILER = re.compile(r"(?:g\+\+|clang\+\+)(?:-[0-9]{1,2})?")
_MARCH = re.compile(r"[a-z][a-z0-9._+-]{0,63}")
_FLAGS = re.compile(
    r"-g[0-3]?|-pipe|-f(?:no-)?(?:unroll-loops|tree-(?:loop-)?vectorize|omit-frame-pointer|prefetch-loop-arrays)"
    r"|-f(?:no-)?(?:lto|inline-functions)"
    r"|-falign-(?:functions|loops)=[0-9]{1,4}|-mprefer-vector-width=(?:128|256|512|none)"
    r"|-mtune=[a-z][a-z0-9._+-]{0,63}|-m(?:no-)?(?:sse4\.[12]|avx|avx2|avx512[a-z0-9]{1,12}|fma|bmi2?)")


def _build(entry: Mapping, evaluator: Evaluator, path: tuple[str | int, ...]) -> Build:
    build = _make(Build, {**entry, "extra_flags": tuple(entry.get("extra_flags", ()))})

    def refuse(key: str | int, value: str, allowed: str, *more: str | int) -> None:
        evaluator.fault("E_BUILD_REFUSED", (*path, key, *more), f"{describe(value)} is not allowed as `{key}`", allowed)

    if not _COMPILER.fullmatch(build.compiler):
        refuse("compiler", build.compiler, "use g++ or clang++, with or without a version: g++-12")
    if not _MARCH.fullmatch(build.march):
        refuse("march", build.march, "use the name of an architecture, such as native or x86-64-v3")
    for i, flag in enumerate(build.extra_flags):
        if not _FLAGS.fullmatch(flag):
            refuse("extra_flags", flag, "use flags for debugging, vectors, unrolling, alignment or tuning", i)
    return build
