"""The coordinates of a run: what it was asked, and where in an experiment it stands. results.json has them.

Runs made before there were coordinates get them when they are read, of what their directories have.
"""

from __future__ import annotations

import json
import shlex
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from pathlib import Path

from weir.diagnostics import resolve
from weir.document.expressions import ExpressionError, evaluate
from weir.files import read_bounded

#: Places of a project that have a coordinate of their own.
PLACES = ("/run/items", "/run/seed", "/run/trace/backend")
#: What else is none by its place: what has a name, and what changes no run.
_ELSEWHERE = (*PLACES, "/parameters", "/name", "/ui")

#: What programs were generated for where neither a run nor its plan says it.
_FIRST_TARGET = "cpp_app"

MOST_BYTES = 1 << 26


@dataclass(frozen=True)
class Asked:
    """What a run was asked beyond what its results say. `parameters`: the project's; `settings`: `settings_of`."""

    target: str
    block: int
    experiment: str | None = None
    parameters: Mapping[str, object] = field(default_factory=dict)
    settings: Mapping[str, object] = field(default_factory=dict)


def coordinates(results: Mapping, asked: Asked) -> dict[str, object]:
    """`coordinates` of results.json."""
    return {"experiment": asked.experiment, "block": asked.block, "repetition": results["repetition"],
            "project": results["project"], "target": asked.target, "deployment": results["deployment"],
            "items": results["items"], "seed": results["seed"], "trace": results["trace"]["backend"],
            "parameters": dict(asked.parameters), "settings": dict(asked.settings)}


def settings_of(places: Iterable[str], document: Mapping,
                parameters: Mapping[str, object]) -> dict[str, object]:
    """What `--set` put into the document, by JSON Pointer and evaluated. Parameters are coordinates by themselves."""
    found = {}
    for place in places:
        if place.startswith("/") and not any(place == it or place.startswith(it + "/") for it in _ELSEWHERE):
            try:
                found[place] = _evaluated(resolve(document, place), parameters)
            except LookupError:
                continue
    return found


def params_of(params: Iterable[str], in_effect: Mapping[str, object]) -> dict[str, object]:
    """What `--param` set, by `instance.parameter`: the value that the program says, else the text."""
    pairs = [param.partition("=") for param in params]
    return {name.strip(): in_effect.get(name.strip(), text) for name, _, text in pairs}


def _evaluated(value: object, names: Mapping[str, object]) -> object:
    if isinstance(value, Mapping) and set(value) == {"expr"}:
        try:
            return evaluate(str(value["expr"]), names)
        except ExpressionError:
            return value["expr"]
    return value


def derived(results: Mapping, run: Mapping, folder: Path) -> dict[str, object]:
    """Of a run made before there were coordinates: its directory `folder` has project.json and plan.json.

    `run`: its run.json, whose command has what was set.
    """
    in_effect = results["parameters"]
    parameters = {name: value for name, value in in_effect.items() if "." not in name}
    request, made = run.get("request") or {}, run.get("set") or {}
    places = [place for place in _set_by(str(run.get("command", ""))) if place.startswith("/")]
    settings = settings_of(places, document(folder / "project.json"), parameters) if places else {}
    settings |= params_of(request.get("params", ()), in_effect)
    target = document(folder / "plan.json").get("target", _FIRST_TARGET)
    return coordinates(results, Asked(str(target), run.get("block", results["repetition"]), made.get("id"), parameters,
                                      settings))


def _set_by(command: str) -> list[str]:
    """The names that the words of a command set."""
    try:
        words = shlex.split(command)
    except ValueError:
        return []
    return [text.partition("=")[0] for option, text in zip(words, words[1:]) if option == "--set"]


def document(path: Path) -> Mapping:
    """A JSON file of a run directory; {} where it is not there or damaged."""
    try:
        value = json.loads(read_bounded(path, MOST_BYTES))
    except (OSError, ValueError):
        return {}
    return value if isinstance(value, dict) else {}
