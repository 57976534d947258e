"""Measures the speeds of this machine, which plans are made with: `bench/speeds`, in a few processes one by one.

Who else is on the machine, on the other thread of a core above all, makes single numbers up to two times as long, and
never shorter: what counts is the fastest of the processes. How far two CPUs are from each other is another matter where
the machine is virtual, as they are now here and now there: of what goes between them, the median counts. They are
believed if the kernel within the caches ran alike in all of them but the fastest and the slowest, and measured again if
not.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from statistics import median

from weir.diagnostics import WeirError, diagnostic
from weir.engine.measuring import speeds as kept
from weir.engine.measuring.witness import CHANGE_LIMIT
from weir.lab.bench.commands import output
from weir.lab.bench.kernels import FOLDER, Kernels, build_kernels
from weir.machine.processes import machine_lock
from weir.model.planning.machine import Machine
from weir.model.planning.speeds import ASSUMED, Speeds

PROCESSES, PROCESS_S, SERIES = 5, 0.35, 3
#: The witnesses: nothing but the core and its caches has to do with them.
_WITNESSES = ("l1_kib", "l2_kib")
#: Of two CPUs.
_BETWEEN = ("far_kib", "line")
_DIGITS = 3

Say = Callable[[str], None]


def measure_and_keep(here: Machine, say: Say) -> Machine:
    """The machine with its speeds, measured now. WeirError where they cannot be, or nothing stays as it is."""
    with machine_lock(lambda: say("another run is measuring on this machine; waiting for it to end")):
        return measured(here, build_kernels(here.worker_cpus[0], say), say)


def measured(here: Machine, kernels: Kernels, say: Say) -> Machine:
    """The same for who has the lock and the programs."""
    command = [FOLDER / "speeds", "--l1", here.l1d, "--l2", here.l2, "--seconds", PROCESS_S]
    for series in range(SERIES):
        say("measuring the speeds of this machine" + (", again: they changed meanwhile" if series else ""))
        found = [json.loads(output(command, "the speeds cannot be measured", here.worker_cpus[:2]))
                 for _ in range(PROCESSES)]
        speeds = summed_up(found, kernels.best.vector_bits if len(kernels.widths) > 1 else 0)
        if speeds is not None:
            kept.keep(here, speeds)
            return replace(here, measured=speeds)
    raise WeirError(diagnostic("E_BENCH", "", "the machine changes its speed from one measurement to the next",
                               "what was kept, or is assumed, stays; measure again when less else runs on it"))


def summed_up(found: Sequence[Mapping[str, float | None]], vector_bits: int) -> Speeds | None:
    """One number of each, rounded; None where they are not to be believed. With one CPU nothing crosses, and what is
    assumed is as good as anything.
    """
    for name in _WITNESSES:
        _, low, *_, high, _ = sorted(float(one[name] or 0) for one in found)
        if low <= 0 or high - low > CHANGE_LIMIT * high:
            return None

    def summed(name: str) -> float:
        values = [value for one in found if (value := one[name]) is not None]
        of = median if name in _BETWEEN else min
        return float(f"{of(values):.{_DIGITS}g}") if values else getattr(ASSUMED, name)

    speeds = Speeds(**{name: summed(name) for name in found[0]}, vector_bits=vector_bits)
    return speeds if speeds.plausible else None
