"""Run many inputs on all cores: batches of a fuzz target and a seed, with limits of time and memory per input."""

from __future__ import annotations

import multiprocessing
import os
import random
import resource
import signal
import time
import traceback
from collections import Counter
from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass, field
from pathlib import Path

from fuzz_targets import FUZZ_TARGETS, FuzzTarget
from world import World, base_folder

BATCH = 200
#: CPU time in seconds, so a busy machine does not matter. A project takes a few ms.
HANG_S = 10.0
MEMORY_BYTES = 6 << 30


class Hang(BaseException):
    """Timeout of an input. Not an Exception, so that no handler in the fuzzed code catches it."""


@dataclass(frozen=True)
class Fault:
    """Fault of one input. `seed` makes the input again: `replay.py TARGET SEED`."""

    target: str
    seed: str
    traceback: str

    @property
    def kind(self) -> tuple[str, ...]:
        """Return where the fault was raised and its kind; equal for faults that are probably the same."""
        lines = self.traceback.strip().splitlines()
        return self.target, *[line.strip() for line in lines if line.startswith('  File "')][-1:], lines[-1][:40]


@dataclass
class Fuzzed:
    """Summary of a fuzzer run.

    `counts`: inputs by fuzz target; `reached`: how far projects came; `seconds`: CPU time; `faults`: location and kind
    -> the first such fault; `faulty`: inputs with a fault.
    """

    counts: Counter = field(default_factory=Counter)
    reached: Counter = field(default_factory=Counter)
    seconds: Counter = field(default_factory=Counter)
    faults: dict[tuple[str, ...], Fault] = field(default_factory=dict)
    faulty: int = 0
    elapsed_s: float = 0.0

    @property
    def total(self) -> int:
        return sum(self.counts.values())

    def summary(self) -> str:
        rate = self.total / max(self.elapsed_s, 1e-9)
        parts = ", ".join(f"{name} {n}" for name, n in sorted(self.counts.items()))
        far = ", ".join(f"{n} {name}" for name, n in sorted(self.reached.items()))
        return (f"fuzz: {self.total} inputs, {self.faulty} faulty, {self.elapsed_s:.0f} s, {rate:.0f} inputs/s "
                f"({parts}; {far})")


_world: World | None = None


def _begin(base: Path) -> None:
    global _world
    resource.setrlimit(resource.RLIMIT_AS, (MEMORY_BYTES, MEMORY_BYTES))
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    _world = World.make(base)


def _late(*_: object) -> None:
    raise Hang


def try_input(target: FuzzTarget, seed: str, world: World, hang_s: float = HANG_S) -> str:
    """Return a description of the fault, or ""."""
    signal.signal(signal.SIGVTALRM, _late)
    try:
        signal.setitimer(signal.ITIMER_VIRTUAL, hang_s)
        target.check(target.make(random.Random(seed), world), world)
    except Hang:
        return f"no end after {hang_s} s of CPU time\n" + traceback.format_exc()[-3000:]
    except Exception:
        return traceback.format_exc()[-3000:]
    finally:
        signal.setitimer(signal.ITIMER_VIRTUAL, 0)
    return ""


def _batch(job: tuple[int, str, int]) -> tuple[str, int, float, Counter, list[Fault]]:
    index, seed, count = job
    _world.reached.clear()
    target, faults = FUZZ_TARGETS[index], []
    started = time.process_time()
    for i in range(count):
        words = try_input(target, f"{seed}/{i}", _world)
        if words:
            faults.append(Fault(target.name, f"{seed}/{i}", words))
    return target.name, count, time.process_time() - started, Counter(_world.reached), faults


def _jobs(inputs: int, seed: str) -> Iterator[tuple[int, str, int]]:
    """Yield batches of every fuzz target in mixed order, so that an early end covers all targets."""
    jobs = []
    for index, target in enumerate(FUZZ_TARGETS):
        wanted = max(1, round(inputs * target.share))
        for batch in range(-(-wanted // BATCH)):
            jobs.append((index, f"{seed}/{batch}", min(BATCH, wanted - batch * BATCH)))
    random.Random(seed).shuffle(jobs)
    return iter(jobs)


def fuzz(inputs: int, seed: str = "0", processes: int | None = None) -> Fuzzed:
    """Try about `inputs` inputs (each share is rounded up)."""
    done = Fuzzed()
    started = time.monotonic()
    context = multiprocessing.get_context("fork")
    workers = processes or len(os.sched_getaffinity(0))
    # An executor, not a Pool: it reports a dead worker, for which a Pool would wait forever.
    with base_folder() as base, ProcessPoolExecutor(workers, context, _begin, (base,)) as pool:
        for name, count, seconds, reached, faults in pool.map(_batch, _jobs(inputs, seed)):
            done.counts[name] += count
            done.seconds[name] += seconds
            done.reached += reached
            done.faulty += len(faults)
            for fault in faults:
                done.faults.setdefault(fault.kind, fault)
    done.elapsed_s = time.monotonic() - started
    return done
