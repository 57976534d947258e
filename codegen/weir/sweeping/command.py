"""The words that make a sweep again, from what its sweep.json says."""

from __future__ import annotations

from collections.abc import Mapping


def words(value: Mapping, project: str, sets: bool = True, whole: bool = True) -> list[str]:
    """`weir sweep PROJECT …` without folders and without --out. `value`: sweep.json. `sets`: with what held at every
    point; sweep.json's own document has that in it. `whole`: with as many blocks in the same order.
    """
    request, found = value["request"], ["weir", "sweep", project]
    order = [("--repetitions", [value["repetitions"]]), ("--repeats", [value["repeats"]]), ("--seed", [value["seed"]])]
    for option, values in (("--sweep", [request["sweep"]]), ("--vary", request["vary"]),
                           ("--set", request["sets"] if sets else []), ("--param", request["params"]),
                           ("--loads-of", [request.get("loads_of")]), ("--deployment", [request["deployment"]]),
                           ("--items", [request["items"]]),
                           ("--trace", [request["trace"]]), *(order if whole else order[2:])):
        for one in values:
            found += [option, str(one)] if one is not None else []
    found += [f"--best={request['best']}"] if request["best"] else []
    return found + [f"--{name}" for name in ("aa", "quick", "fitting") if request[name]]
