"""The bare kernels: bench/bare, compiled once for each width of vectors that this CPU has."""

from __future__ import annotations

import json
import os
import statistics
from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass
from pathlib import Path

from weir import ROOT
from weir.lab.bench.commands import output

FOLDER = ROOT / "build" / "bench"
#: How the better width is found before anything is measured.
LOOKS, LOOK_S = 5, 0.05


@dataclass(frozen=True)
class Kernel:
    """`vector_bits`: 0 where the width is left to the compiler."""

    program: Path
    vector_bits: int
    flags: str

    @property
    def width(self) -> str | None:
        """The width of its vectors, such as `256 bit`; None for a scalar kernel."""
        return f"{self.vector_bits} bit" if self.vector_bits else None

    def run(self, work: str, cpus: Collection[int], **options: float) -> Mapping:
        """What `bare WORK --option value …` prints. WeirError where it fails."""
        words = [word for name, value in options.items() for word in (f"--{name}", value)]
        return json.loads(output([self.program, work, *words], "the bare kernel failed", cpus))

    def saxpy(self, seconds: float, cpu: int) -> float:
        """Items/s of the kernel alone: 16 KiB in, 16 KiB out."""
        return float(self.run("saxpy", [cpu], seconds=seconds)["items_per_s"])


@dataclass(frozen=True)
class Kernels:
    """All widths, and the one whose kernel is the fastest here: `best` is what others run who have one width only."""

    widths: tuple[Kernel, ...]
    best: Kernel


def build_kernels(cpu: int, say: Callable[[str], None]) -> Kernels:
    """WeirError where they do not build or run. `cpu`: where the widths are compared."""
    say("building the bare kernels")
    parallel = ("--parallel", len(os.sched_getaffinity(0)))
    for command in (["cmake", "-S", ROOT / "bench", "-B", FOLDER], ["cmake", "--build", FOLDER, *parallel]):
        output(command, "the bare kernels do not build")
    listed = json.loads((FOLDER / "kernels.json").read_text(encoding="utf-8"))
    widths = tuple(Kernel(FOLDER / one["file"], one["vector_bits"], one["flags"]) for one in listed)
    return Kernels(widths, faster(widths, lambda kernel: kernel.saxpy(LOOK_S, cpu)))


def faster(widths: Collection[Kernel], rate: Callable[[Kernel], float]) -> Kernel:
    """The one of the best median of a few rates, in turns."""
    rates: dict[Kernel, list[float]] = {kernel: [] for kernel in widths}
    for _ in range(LOOKS if len(widths) > 1 else 0):
        for kernel, found in rates.items():
            found.append(rate(kernel))
    return max(widths, key=lambda kernel: statistics.median(rates[kernel] or [0.0]))
