"""What must be as it was where a sweep is gone on with, so that its runs are of one thing."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from weir.diagnostics import WeirError, diagnostic
from weir.model.document.essence import essential

#: What of sweep.json is compared as it is, and what it is called.
_SAME = {"axes": "the axes", "hold": "what is held equal"}


def check(was: Mapping, now: Mapping, another_machine: bool) -> None:
    """WeirError (E_SWEEP_CHANGED) with everything that is not as it was."""
    faults = [diagnostic("E_SWEEP_CHANGED", "", what) for what in _changed(was, now)]
    if was["machine"] != now["machine"] and not another_machine:
        parts = [name for name in was["machine"] if was["machine"][name] != now["machine"].get(name)]
        faults.append(diagnostic("E_SWEEP_CHANGED", "", f"it was begun on another machine: another {', '.join(parts)}",
                                 "--another-machine goes on all the same"))
    if faults:
        raise WeirError(faults)


def _changed(was: Mapping, now: Mapping) -> Iterator[str]:
    if essential(was["document"]) != essential(now["document"]):
        yield "the project is not the one that the sweep was begun with; sweep.json has that"
    for key, words in _SAME.items():
        if was[key] != now[key]:
            yield f"{words} are others than at the beginning"
    binaries = {point["number"]: point["binary_hash"] for point in now["points"]}
    for point in was["points"]:
        if point["number"] not in binaries:
            yield f"what it needs for {point['scheduler']} is not here any more"
        elif binaries[point["number"]] != point["binary_hash"]:
            yield (f"the program of point {point['number']} ({point['scheduler']}) is another one: Weir, the compiler "
                   "or a block was changed")
    known = {point["number"] for point in was["points"]}
    if new := sorted(binaries.keys() - known):
        yield f"{len(new)} points that were left out at the beginning can be run now"
