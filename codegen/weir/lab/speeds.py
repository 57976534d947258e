"""Measure the speeds of this machine, which the planner uses, with several processes of `bench/speeds` in sequence.

Other programs, above all on the other thread of a core, double single times but never shorten them. So the fastest
process counts. The distance of two CPUs of a virtual machine varies as its host moves them, so for transfers between
CPUs the median counts. The result is valid if the cached kernel ran at the same speed in all processes except the
fastest and the slowest one; otherwise Weir measures again.
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
#: Number and seconds of the trials of each vector width.
LOOKS, LOOK_S = 5, 0.05
#: Speed checks, which depend only on the core and its caches.
_SPEED_CHECKS = ("l1_kib", "l2_kib")
#: Transfers between two CPUs.
_BETWEEN = ("far_kib", "line")
_DIGITS = 3

Say = Callable[[str], None]


def measure_and_keep(here: Machine, say: Say) -> Machine:
    """Measure and keep the machine's speeds; return the machine with them. Raises WeirError if that is impossible."""
    with machine_lock(lambda: say("waiting for another measurement on this machine to end")):
        return measured(here, _built(say), say)


def keep_some(here: Machine, say: Say) -> None:
    """Measure the speeds of a machine that has none, and report it if the machine is too noisy."""
    if kept.with_kept(here).measured is None:
        try:
            measure_and_keep(here, say)
        except WeirError as error:
            say(f"{error}; the planner uses assumed speeds")


def measured(here: Machine, widths: Mapping[int, Path], say: Say) -> Machine:
    """Measure like `measure_and_keep` for a caller with the lock. `widths`: vector bits -> program of the kernel."""
    bits = faster(widths, lambda program: _rate(program, here.worker_cpus[:1])) if len(widths) > 1 else 0
    command = [FOLDER / "speeds", "--l1", here.l1d, "--l2", here.l2, "--seconds", PROCESS_S]
    for series in range(SERIES):
        say("measuring the speeds of this machine" + (" again, because they changed meanwhile" if series else ""))
        found = [json.loads(output(command, here.worker_cpus[:2])) for _ in range(PROCESSES)]
        speeds = summed_up(found, bits)
        if speeds is not None:
            kept.keep(here, speeds)
            return replace(here, measured=speeds)
    raise WeirError(diagnostic("E_SPEEDS", "", "the machine changes its speed between measurements",
                               "Weir keeps the earlier or assumed speeds; measure again when fewer programs run"))


def _built(say: Say) -> dict[int, Path]:
    """Build the programs. Raises WeirError (E_SPEEDS) if a build fails."""
    say("building the programs that measure the speeds")
    parallel = ("--parallel", len(os.sched_getaffinity(0)))
    for command in (["cmake", "-S", ROOT / "bench", "-B", FOLDER], ["cmake", "--build", FOLDER, *parallel]):
        output(command)
    listed = json.loads((FOLDER / "kernels.json").read_text(encoding="utf-8"))
    return {one["vector_bits"]: FOLDER / one["file"] for one in listed}


def _rate(program: Path, cpus: Collection[int]) -> float:
    return float(output([program, LOOK_S], cpus))


def faster(widths: Mapping[int, Path], rate: Callable[[Path], float]) -> int:
    """Return the vector width with the best median rate. The widths take turns."""
    rates: dict[int, list[float]] = {bits: [] for bits in widths}
    for _ in range(LOOKS):
        for bits, found in rates.items():
            found.append(rate(widths[bits]))
    return max(widths, key=lambda bits: median(rates[bits]))


def output(command: Sequence[object], cpus: Collection[int] = ()) -> str:
    """Run a program on these CPUs (none: all) and return its output. Raises WeirError (E_SPEEDS) if it fails."""
    words = [str(word) for word in command]
    # Between fork and exec, only system calls are safe.
    before = functools.partial(os.sched_setaffinity, 0, cpus) if cpus else None
    try:
        with compilers.started(words, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
                               preexec_fn=before) as child:
            said, complaints = child.communicate()
    except FileNotFoundError:
        raise WeirError(diagnostic("E_TOOL_MISSING", "", f"{words[0]} is not installed", "install it")) from None
    except OSError as error:
        raise WeirError(diagnostic("E_SPEEDS", "", f"cannot measure the speeds: {words[0]}: {error.strerror}")) \
            from None
    if child.returncode != 0:
        last = (complaints or said).strip().splitlines()[-8:]
        raise WeirError(diagnostic("E_SPEEDS", "", f"cannot measure the speeds: {' '.join(words[:4])} … ended with "
                                   f"exit code {child.returncode}", "\n".join(last)))
    return said


def summed_up(found: Sequence[Mapping[str, float | None]], vector_bits: int) -> Speeds | None:
    """Return the summary of all processes, rounded; None if the speed checks disagree.

    With one CPU there are no transfers between CPUs, and the assumed speeds stand in.
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
