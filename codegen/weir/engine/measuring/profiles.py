"""Read profiles from a file, or from the run directory of a run with metrics `profile`."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping
from pathlib import Path

from weir.diagnostics import WeirError, diagnostic, trying
from weir.engine.measuring.run_directory import load_run
from weir.files import read_bounded
from weir.model.document import jsontext
from weir.model.document.shape import check_shape
from weir.model.planning.profile import BlockCost, Profile, profile_from_json

#: Significant digits to keep: a mean of clock readings has no more.
_DIGITS = 4


def read_profile(path: Path) -> Profile:
    """Read a profile file or a run directory. Raises WeirError (E_PROFILE, E_RUN_DIRECTORY) if it is neither."""
    if path.is_dir():
        run = load_run(path)
        if run.results["metrics"] != "profile" or run.status in ("failed", "timeout"):
            why = (f"its status is {run.status}" if run.results["metrics"] == "profile" else
                   f"its metrics were `{run.results['metrics']}`")
            raise WeirError(diagnostic("E_PROFILE", "", f"{path} is not a run with metrics `profile`: {why}"))
        return profile_of(run.results, _blocks_of(path))
    with trying(f"read the profile {path}"):
        data = read_bounded(path, jsontext.MAX_BYTES)
    document, faults = jsontext.read(data)
    faults = faults or check_shape(document, "profile")
    if faults:
        # The pointers lead into the profile, so they go into the messages: a diagnostic's pointer is for the project.
        raise WeirError([diagnostic("E_PROFILE", "", f"{path}{d.pointer and ':' + d.pointer}: {d.message}", d.hint)
                         for d in faults])
    return profile_from_json(document)


def profile_of(results: Mapping, block_of: Mapping[str, str]) -> Profile:
    """Return the profile from the results of a run. `block_of` maps an instance to its block.

    Raises WeirError (E_PROFILE) if blocks share a time.
    """
    clock = (results["metrics_cost"] or {}).get("clock_read_ns", 0.0)
    totals: dict[str, list[float]] = defaultdict(lambda: [0.0, 0.0, 0.0])
    for block in results["blocks"]:
        items = block["items_in"] or block["items_out"]
        if not items or block["id"] not in block_of:
            continue
        if block["busy_ns"] is None:
            raise WeirError(diagnostic("E_PROFILE", "", f"`{block['id']}` has no time of its own: it ran in a fused "
                                       "loop, whose blocks share one time", "profile with scheduler `single_thread`"))
        total = totals[block_of[block["id"]]]
        # Two clock reads surround a call; the measured time includes the cost of one.
        total[0] += max(block["busy_ns"] - clock * (block["calls"] or 0), 0.0)
        total[1] += items
        total[2] += block["calls"] or 0
    return Profile({name: BlockCost(_rounded(ns / items), _rounded(items / calls) if calls else None)
                    for name, (ns, items, calls) in totals.items()},
                   str(results["deployment"]), results["throughput_items_per_s"],
                   {name: ns for name, (ns, _, _) in totals.items()})


def _rounded(value: float) -> float:
    return float(f"{value:.{_DIGITS}g}")


def _blocks_of(path: Path) -> dict[str, str]:
    """Return instance -> block from the run's plan. Raises WeirError (E_RUN_DIRECTORY) if it is missing or damaged."""
    try:
        plan, faults = jsontext.read(read_bounded(path / "plan.json", jsontext.MAX_BYTES))
        if not faults:
            return {block["instance"]: block["block"] for block in plan["blocks"]}
    except (OSError, KeyError, TypeError):
        pass
    raise WeirError(diagnostic("E_RUN_DIRECTORY", "", f"{path}: plan.json is missing or damaged"))
