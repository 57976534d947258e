"""Coordinates of a run, stored in results.json: its settings, and its position in an experiment.

Weir derives them from the run directory for runs of versions without coordinates.
"""

from __future__ import annotations

import re
import shlex
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, fields
from pathlib import Path
from typing import Any

from weir.diagnostics import resolve
from weir.files import read_bounded
from weir.model.document import jsontext
from weir.model.document.essence import matters
from weir.model.document.expressions import ExpressionError, evaluate
from weir.model.document.overrides import places_of
from weir.model.document.spelling import current_document, current_place
from weir.model.document.sweeps import OF_RUN

#: Target of runs whose plan names none.
_FIRST_TARGET = "cpp_app"


@dataclass(frozen=True)
class Requested:
    """Requested settings of a run. `parameters` are the project's; `settings` come from `settings_of` and `params_of`.

    They do not come from the program's results: a crashed program has none, but its run belongs to the same point.
    """

    target: str
    round: int
    items: int
    seed: int
    trace: str
    experiment: str | None = None
    parameters: Mapping[str, Any] = field(default_factory=dict)
    settings: Mapping[str, Any] = field(default_factory=dict)


#: JSON pointer of a project -> the coordinate with its value.
PLACES = {OF_RUN[own.name]: own.name for own in fields(Requested) if own.name in OF_RUN}


def coordinates(results: Mapping, requested: Requested) -> dict[str, Any]:
    """Return `coordinates` of results.json."""
    return {"experiment": requested.experiment, "round": requested.round, "repetition": results["repetition"],
            "project": results["project"], "target": requested.target, "deployment": results["deployment"],
            "items": requested.items, "seed": requested.seed, "trace": requested.trace,
            "parameters": dict(requested.parameters), "settings": dict(requested.settings)}


def settings_of(places: Iterable[str], document: Mapping,
                parameters: Mapping[str, Any]) -> dict[str, Any]:
    """Return the evaluated values set by `--set`, by JSON pointer, except parameters, which are coordinates.

    `document`: a project in the present spelling.
    """
    found = {}
    for place in (current_place(it) for given in places for it in places_of(given, document)):
        if place.startswith("/") and is_setting(place):
            try:
                found[place] = _evaluated(resolve(document, place), parameters)
            except LookupError:
                continue
    return found


def is_setting(place: str) -> bool:
    """Return whether a JSON pointer of a project is a coordinate: it has no name of its own and can change a run."""
    return matters(place) and place not in PLACES and not re.fullmatch(r"/(name|parameters)(/.*)?", place, re.DOTALL)


def params_of(params: Iterable[str], plan: Mapping) -> dict[str, Any]:
    """Return the values set by `--param`, by `instance.parameter`, typed like the plan's values."""
    planned = planned_params(plan)
    pairs = [(name.strip(), text) for name, _, text in (param.partition("=") for param in params)]
    return {name: as_param(text, planned.get(name)) for name, text in pairs}


def planned_params(plan: Mapping) -> dict[str, Any]:
    """Return the block parameters of a plan.json, by `block.parameter`; {} if it is damaged."""
    try:
        return {f"{block['block']}.{name}": value for block in plan.get("blocks", ())
                for name, value in block["parameters"].items()}
    except (TypeError, KeyError, AttributeError):
        return {}


def as_param(text: str, planned: object) -> object:
    """Return the value of a text, given the plan's value; the text itself if it is not a number, list or boolean."""
    words = text.strip()
    if isinstance(planned, str):
        return text
    if words in ("true", "false"):
        return words == "true"
    try:
        if isinstance(planned, list) or "," in words or words.startswith("["):
            inner = words.removeprefix("[").removesuffix("]")
            return [evaluate(part) for part in inner.split(",")] if inner.strip() else []
        return evaluate(words)
    except ExpressionError:
        return text


def _evaluated(value: object, names: Mapping[str, Any]) -> object:
    if isinstance(value, Mapping) and set(value) == {"expr"}:
        try:
            return evaluate(str(value["expr"]), names)
        except ExpressionError:
            return value["expr"]
    return value


def derived(results: Mapping, run: Mapping, folder: Path) -> dict[str, Any]:
    """Return the coordinates of a run that has none yet, from project.json and plan.json in `folder`.

    `run` is its run.json, whose command has the settings.
    """
    parameters = {name: value for name, value in results["parameters"].items()
                  if "." not in name and isinstance(value, (int, float))}
    request, made = run.get("request") or {}, run.get("set") or {}
    places = [place for place in _set_by(str(run.get("command", ""))) if place.startswith("/")]
    settings = settings_of(places, document(folder / "project.json"), parameters) if places else {}
    plan = document(folder / "plan.json")
    settings |= params_of(request.get("params", ()), plan)
    items = request.get("items")
    return coordinates(results, Requested(
        str(plan.get("target", _FIRST_TARGET)), run.get("round", results["repetition"]),
        results["items"] if items is None else items, results["seed"], results["trace"]["backend"], made.get("id"),
        parameters, settings))


def _set_by(command: str) -> list[str]:
    """Return the names that a command sets with --set."""
    try:
        words = shlex.split(command)
    except ValueError:
        return []
    return [text.partition("=")[0] for option, text in zip(words, words[1:]) if option == "--set"]


def document(path: Path) -> Mapping:
    """Return project.json or plan.json of a run directory in the present spelling; {} if it is missing or damaged."""
    try:
        value, _ = jsontext.read(read_bounded(path, jsontext.MAX_BYTES))
    except OSError:
        return {}
    return current_document(value, path.stem).value if isinstance(value, dict) else {}
