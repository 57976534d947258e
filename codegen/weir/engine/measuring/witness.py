"""Runs of a set that met a slower machine than others of it: the speed witnesses of several runs compared.

A run compares its own two witnesses itself (W_MACHINE_SLOWED). What was slow from its beginning to its end shows only
beside other runs, and is therefore told where runs are read together, and stored nowhere. docs/measuring.md says why.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping

#: What a run (`runtime/src/app_witness.cpp`) allows between its own two.
CHANGE_LIMIT = 0.15
#: A run whose better witness is so much below the best of its set met a slower machine.
BEHIND_LIMIT = 0.20


def speed(results: Mapping) -> float | None:
    """Items/s of the bare kernel around the run: the better of the two, as one alone may have been disturbed."""
    witness = results.get("witness")
    if not witness or results.get("disturbance"):  # what disturbs the run on purpose slows it, too
        return None
    return max(witness["before_items_per_s"], witness["after_items_per_s"] or 0.0) or None


def slow_runs(runs: Iterable[Mapping]) -> dict[str, str]:
    """run_id -> what to say of it. Only witnesses of the same machine, kernel and compiler flags are compared."""
    groups: dict[tuple, list[tuple[str, float]]] = {}
    for results in runs:
        at = speed(results)
        if at is not None:
            e = results["environment"]
            same = e["cpu"], e["kernel"], e["compiler"], e["flags"], results["witness"]["seconds"]
            groups.setdefault(same, []).append((results["run_id"], at))
    slow: dict[str, str] = {}
    for members in groups.values():
        best = max(at for _, at in members)
        slow.update((run_id, f"the machine was {100 * (1 - at / best):.0f} % slower than in the best of these runs: "
                             f"the bare kernel ran at {at / 1e9:.3g} Gitems/s, there at {best / 1e9:.3g} "
                             "(only the other runs show it)")
                    for run_id, at in members if at < (1 - BEHIND_LIMIT) * best)
    return slow
