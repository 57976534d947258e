"""What a search for loads has found so far, in the folder of a sweep that has no sweep.json yet.

Each contender takes minutes: who interrupts the search goes on with the next one. Once the sweep has begun, its
sweep.json says what was found, and this file says nothing any more.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path

from weir.diagnostics import WeirError, diagnostic, os_error
from weir.files import read_bounded, write_whole
from weir.model.document import jsontext
from weir.model.document.shape import check_shape

FILE = "loads.json"
#: Its parts; the first three are those of sweep.json. `programs`: by deployment, the hashes of the plan and of the
#: program that were searched.
_PARTS = {"request", "machine", "loads", "programs"}


def read(folder: Path) -> Mapping | None:
    """None where nothing was searched for. WeirError (E_SWEEP_FOLDER) where the file is damaged, or somebody else's."""
    try:
        value, faults = jsontext.read(read_bounded(folder / FILE, jsontext.MAX_BYTES))
    except FileNotFoundError:
        return None
    except OSError as error:
        raise WeirError(os_error(error, f"read {folder / FILE}")) from None
    whole = not faults and isinstance(value, dict) and value.keys() == _PARTS and isinstance(value["programs"], dict)
    if not whole or any(check_shape(value[part], "sweep", part) for part in ("request", "machine", "loads")):
        raise WeirError(diagnostic("E_SWEEP_FOLDER", "", f"{folder / FILE} is damaged, or nothing of Weir's",
                                   "without it, the search begins anew"))
    return value


def write(folder: Path, request: Mapping, machine: Mapping, loads: Mapping, programs: Mapping[str, str]) -> None:
    """`loads`: as sweep.json has it, of the contenders that were searched so far."""
    try:
        write_whole(folder / FILE, jsontext.write({"request": request, "machine": machine, "loads": loads,
                                                   "programs": programs}))
    except OSError as error:
        raise WeirError(os_error(error, f"write {folder / FILE}")) from None


def known(before: Mapping | None, machine: Mapping, loads: Mapping,
          program: Callable[[str], str]) -> dict[str, Mapping]:
    """By deployment, what was found of the same program for the same goal on this machine, where that is a load.

    `program`: that of a deployment as it is now, "" where it cannot be had.
    """
    now, _ = jsontext.read(jsontext.write({"machine": machine, "loads": {**loads, "found": []}}))
    if before is None or now != {"machine": before["machine"], "loads": {**before["loads"], "found": []}}:
        return {}
    return {name: it for it in before["loads"]["found"]
            if it["value"] is not None and before["programs"].get(name := it["deployment"]) == program(name)}
