"""Request of a sweep: the options of `weir sweep` that decide what to measure."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, fields, replace
from pathlib import Path
from typing import Any

from weir.diagnostics import WeirError, diagnostic
from weir.engine.measuring.request import RunRequest
from weir.lab.sweeping.point import Cell

#: Options that `--resume` may repeat with the values that the sweep chose, not only with the requested ones.
DECIDED = ("repetitions", "repeats", "seed")


@dataclass(frozen=True)
class SweepRequest(RunRequest):
    """Request of a sweep. sweep.json stores all of it except `project`."""

    sweep: str | None = None
    vary: tuple[str, ...] = ()
    aa: bool = False
    best: str | None = None
    loads_of: str | None = None
    deployment: str | None = None
    repetitions: int | None = None
    repeats: int | None = None
    seed: int | None = None
    quick: bool = False
    fitting: bool = False

    def as_json(self) -> dict[str, Any]:
        """Return the options as plain JSON values. Paths are absolute, because a resume may run in another folder."""
        return {field.name: _plain(getattr(self, field.name)) for field in fields(self) if field.name != "project"}

    def resumed(self, begun: Mapping) -> SweepRequest:
        """Return the request that the sweep began with. `begun`: its sweep.json or loads.json.

        Raises WeirError (E_SWEEP_CHANGED) if this request differs.
        """
        was = SweepRequest.of({"project": self.project, **begun["request"]})
        requested = was.as_json()
        for name, said in self.as_json().items():
            same = said == requested[name] or name in DECIDED and said == begun.get(name)
            if said is not None and said is not False and said != [] and not same:
                raise WeirError(diagnostic("E_SWEEP_CHANGED", "", f"--{_option(name)}: the sweep has another value",
                                           "--resume needs none of the options that the sweep began with"))
        return was

    def command_at(self, cell: Cell) -> str:
        """Return the `weir run` command that measures one point alone."""
        sets = (*self.sets, *(f"{key}={text}" for key, text in cell.sets.items()))
        return replace(self, sets=sets, trace=cell.trace).command(cell.deployment)


def words(begun: Mapping) -> list[str]:
    """Return the words of `weir sweep PROJECT …` that repeat a sweep, without --out. `begun`: its sweep.json."""
    request, found = begun["request"], ["weir", "sweep", begun["source"]]
    for option, values in (("--sweep", [request["sweep"]]), ("--vary", request["vary"]), ("--set", request["sets"]),
                           ("--param", request["params"]), ("--loads-of", [request.get("loads_of")]),
                           ("--deployment", [request["deployment"]]), ("--items", [request["items"]]),
                           ("--trace", [request["trace"]]), *((f"--{name}", [begun[name]]) for name in DECIDED)):
        for one in values:
            found += [option, str(one)] if one is not None else []
    found += [f"--best={request['best']}"] if request["best"] else []
    return found + [f"--{name}" for name in ("aa", "quick", "fitting") if request[name]]


def _plain(value: Any) -> Any:
    if isinstance(value, tuple):
        return [_plain(one) for one in value]
    return str(value.absolute()) if isinstance(value, Path) else value


def _option(name: str) -> str:
    return {"sets": "set", "params": "param"}.get(name, name.replace("_", "-"))
