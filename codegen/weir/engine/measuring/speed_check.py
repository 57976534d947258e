"""Compare the speed checks of several runs, to find those on a slower machine.

A run compares its own two speed checks (W_MACHINE_SLOWED). Only a comparison with other runs shows that the machine was
slow throughout a run. So Weir reports this when it reads runs together, and does not store it. docs/measuring.md
explains why.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping

#: Relative change that a run (`runtime/src/app_speed_check.cpp`) allows between its own two speed checks.
CHANGE_LIMIT = 0.15
#: The machine was slow if the run's better speed check is this far below the best of the set.
BEHIND_LIMIT = 0.20


def speed(results: Mapping) -> float | None:
    """Return items/s of the bare kernel: the better speed check, because interference may have slowed the other."""
    speed_check = results.get("speed_check")
    if not speed_check or results.get("interference"):  # the interference load slows the kernel too
        return None
    return max(speed_check["before_items_per_s"], speed_check["after_items_per_s"] or 0.0) or None


def slow_runs(runs: Iterable[Mapping]) -> dict[str, str]:
    """Return run_id -> message for slow runs. Compares only runs with the same machine, Linux kernel and compiler
    flags.
    """
    groups: dict[tuple, list[tuple[str, float]]] = {}
    for results in runs:
        at = speed(results)
        if at is not None:
            e = results["environment"]
            same = e["cpu"], e["kernel"], e["compiler"], e["flags"], results["speed_check"]["seconds"]
            groups.setdefault(same, []).append((results["run_id"], at))
    slow: dict[str, str] = {}
    for members in groups.values():
        best = max(at for _, at in members)
        slow.update((run_id, f"the machine was {100 * (1 - at / best):.0f} % slower than in the best of these runs: "
                             f"the bare kernel ran at {at / 1e9:.3g} Gitems/s, there at {best / 1e9:.3g} "
                             "(only the other runs show it)")
                    for run_id, at in members if at < (1 - BEHIND_LIMIT) * best)
    return slow
