"""Measures the speeds of this machine, which plans are made with: `bench/speeds`, in a few processes one by one.

Who else is on the machine, on the other thread of a core above all, makes single numbers up to two times as long, and
never shorter: what counts is the fastest of the processes. How far two CPUs are from each other is another matter where
the machine is virtual, as they are now here and now there: of what goes between them, the median counts. They are
believed if the kernel within the caches ran alike in all of them but the fastest and the slowest, and measured again if
not.
"""

from __future__ import annotations

import functools
import json
import os
import subprocess
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from statistics import median

from weir import ROOT, compilers
from weir.diagnostics import WeirError, diagnostic
from weir.engine.measuring import speeds as kept
from weir.engine.measuring.speed_check import CHANGE_LIMIT
from weir.machine.processes import machine_lock
from weir.model.planning.machine import Machine
from weir.model.planning.speeds import ASSUMED, Speeds

FOLDER = ROOT / "build" / "bench"
PROCESSES, PROCESS_S, SERIES = 5, 0.35, 3
#: How often, and for how many seconds, each width of vectors is tried.
LOOKS, LOOK_S = 5, 0.05
#: The speed checks: nothing but the core and its caches has to do with them.
_SPEED_CHECKS = ("l1_kib", "l2_kib")
#: Of two CPUs.
_BETWEEN = ("far_kib", "line")
_DIGITS = 3

Say = Callable[[str], None]


def measure_and_keep(here: Machine, say: Say) -> Machine:
    """The machine with its speeds, measured now. WeirError where they cannot be, or nothing stays as it is."""
    with machine_lock(lambda: say("another run is measuring on this machine; waiting for it to end")):
        return measured(here, _built(say), say)


def keep_some(here: Machine, say: Say) -> None:
    """Measures the speeds of a machine that has none; says so where it is too restless for that."""
    if kept.with_kept(here).measured is None:
        try:
            measure_and_keep(here, say)
        except WeirError as error:
            say(f"{error}; plans are made with assumed speeds")


def measured(here: Machine, widths: Mapping[int, Path], say: Say) -> Machine:
    """The same for a caller that has the lock. `widths`: bits of vectors -> the program of the kernel."""
    bits = faster(widths, lambda program: _rate(program, here.worker_cpus[:1])) if len(widths) > 1 else 0
    command = [FOLDER / "speeds", "--l1", here.l1d, "--l2", here.l2, "--seconds", PROCESS_S]
    for series in range(SERIES):
        say("measuring the speeds of this machine" + (", again: they changed meanwhile" if series else ""))
        found = [json.loads(output(command, here.worker_cpus[:2])) for _ in range(PROCESSES)]
        speeds = summed_up(found, bits)
        if speeds is not None:
            kept.keep(here, speeds)
            return replace(here, measured=speeds)
    raise WeirError(diagnostic("E_SPEEDS", "", "the machine changes its speed from one measurement to the next",
                               "what was kept, or is assumed, stays; measure again when less else runs on it"))


def _built(say: Say) -> dict[int, Path]:
    """Builds the programs. WeirError (E_SPEEDS) where they do not build."""
    say("building the programs that measure the speeds")
    parallel = ("--parallel", len(os.sched_getaffinity(0)))
    for command in (["cmake", "-S", ROOT / "bench", "-B", FOLDER], ["cmake", "--build", FOLDER, *parallel]):
        output(command)
    listed = json.loads((FOLDER / "kernels.json").read_text(encoding="utf-8"))
    return {one["vector_bits"]: FOLDER / one["file"] for one in listed}


def _rate(program: Path, cpus: Collection[int]) -> float:
    return float(output([program, LOOK_S], cpus))


def faster(widths: Mapping[int, Path], rate: Callable[[Path], float]) -> int:
    """The width of the best median of a few rates, in turns."""
    rates: dict[int, list[float]] = {bits: [] for bits in widths}
    for _ in range(LOOKS):
        for bits, found in rates.items():
            found.append(rate(widths[bits]))
    return max(widths, key=lambda bits: median(rates[bits]))


def output(command: Sequence[object], cpus: Collection[int] = ()) -> str:
    """Runs a program on these CPUs, or on all without any, and returns what it printed. WeirError (E_SPEEDS)."""
    words = [str(word) for word in command]
    # Between fork and exec it calls the kernel and nothing else.
    before = functools.partial(os.sched_setaffinity, 0, cpus) if cpus else None
    try:
        with compilers.started(words, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
                               preexec_fn=before) as child:
            said, complaints = child.communicate()
    except FileNotFoundError:
        raise WeirError(diagnostic("E_TOOL_MISSING", "", f"{words[0]} is not installed", "install it")) from None
    except OSError as error:
        raise WeirError(diagnostic("E_SPEEDS", "", f"the speeds cannot be measured: {words[0]}: {error.strerror}")) \
            from None
    if child.returncode != 0:
        last = (complaints or said).strip().splitlines()[-8:]
        raise WeirError(diagnostic("E_SPEEDS", "", f"the speeds cannot be measured: {' '.join(words[:4])} … ended with "
                                   f"{child.returncode}", "\n".join(last)))
    return said


def summed_up(found: Sequence[Mapping[str, float | None]], vector_bits: int) -> Speeds | None:
    """One number of each, rounded; None where they are not to be believed. With one CPU nothing crosses, and what is
    assumed is as good as anything.
    """
    for name in _SPEED_CHECKS:
        _, low, *_, high, _ = sorted(float(one[name] or 0) for one in found)
        if low <= 0 or high - low > CHANGE_LIMIT * high:
            return None

    def summed(name: str) -> float:
        values = [value for one in found if (value := one[name]) is not None]
        of = median if name in _BETWEEN else min
        return float(f"{of(values):.{_DIGITS}g}") if values else getattr(ASSUMED, name)

    speeds = Speeds(**{name: summed(name) for name in found[0]}, vector_bits=vector_bits)
    return speeds if speeds.plausible else None
