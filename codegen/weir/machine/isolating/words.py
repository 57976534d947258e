"""Text for isolation and interference, also for the records in `run.json` and `results.json`."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from weir.machine.isolating.groups import WORDS
from weir.model.planning.topology import cpu_words, parse_list


def place(isolation: Mapping[str, Any]) -> str:
    """Return the CPUs and the means of their isolation as text."""
    siblings = ""
    if isolation["siblings"]:
        siblings = (f" (with {cpu_words(parse_list(isolation['siblings']))} on the same cores, "
                    + ("free, too)" if isolation["free"] != isolation["cpus"] else "where other programs still run)"))
    return f"{cpu_words(parse_list(isolation['cpus']))}{siblings} by {WORDS[isolation['by']]}"


def loops(granted: Mapping[str, Any]) -> str:
    """Return the text for the granted part of `interference` in results.json."""
    count, limit, quota = granted["loops"], granted["cpu_limit"], granted.get("cpu_quota")
    if not count:
        return "no loop runs"
    return (f"{count} loop{'s' * (count != 1)} on {cpu_words(granted['cpus'])}"
            + (f", at most {100 * limit:.3g} % of their time" if limit is not None else "")
            + (f" ({100 * quota:.3g} % of one CPU)" if quota is not None and len(granted["cpus"]) > 1 else "")
            + (f", slices of {granted['slice_us']} us" if granted["slice_us"] else "")
            + (f", by {WORDS[granted['by']]}" if granted["by"] else ""))


def words(isolation: Mapping[str, Any]) -> list[str]:
    """Return what was done, then what was not."""
    moved = " and ".join(f"{count} {name}{'s' * (count != 1)}" for name in ("task", "interrupt")
                         if (count := isolation[f"{name}s"]))
    done = [place(isolation), *([f"{moved} moved away"] if moved else []),
            *([f"governor `{isolation['governor']}`"] if isolation["governor"] else [])]
    return ["; ".join(done), *(f"not done: {one['what']}: {one['reason']}"
                               + (f" (needs {one['needs']})" if one["needs"] else "") for one in isolation["refused"])]
