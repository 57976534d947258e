"""The coordinates of a run: what it was asked, and where in an experiment it stands. results.json has them.

Runs made before there were coordinates get them when they are read, of what their directories have.
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
from weir.model.document.sweeps import OF_RUN

#: What programs were generated for where neither a run nor its plan says it.
_FIRST_TARGET = "cpp_app"


@dataclass(frozen=True)
class Asked:
    """What a run was asked. `parameters`: the project's; `settings`: `settings_of` and `params_of`.

    It is not taken from what a program says: one that crashes says nothing, and its run is none of another point.
    """

    target: str
    round: int
    items: int
    seed: int
    trace: str
    experiment: str | None = None
    parameters: Mapping[str, Any] = field(default_factory=dict)
    settings: Mapping[str, Any] = field(default_factory=dict)


#: Places of a project that have a coordinate of their own, and which.
PLACES = {OF_RUN[own.name]: own.name for own in fields(Asked) if own.name in OF_RUN}


def coordinates(results: Mapping, asked: Asked) -> dict[str, Any]:
    """`coordinates` of results.json."""
    return {"experiment": asked.experiment, "round": asked.round, "repetition": results["repetition"],
            "project": results["project"], "target": asked.target, "deployment": results["deployment"],
            "items": asked.items, "seed": asked.seed, "trace": asked.trace,
            "parameters": dict(asked.parameters), "settings": dict(asked.settings)}


def settings_of(places: Iterable[str], document: Mapping,
                parameters: Mapping[str, Any]) -> dict[str, Any]:
    """What `--set` put into the document, by JSON Pointer and evaluated. Parameters are coordinates by themselves."""
    found = {}
    for place in places:
        if place.startswith("/") and is_setting(place):
            try:
                found[place] = _evaluated(resolve(document, place), parameters)
            except LookupError:
                continue
    return found


def is_setting(place: str) -> bool:
    """Whether a place of a project is a coordinate by itself: it is none where it has a name, or changes no run."""
    return matters(place) and place not in PLACES and not re.fullmatch(r"/(name|parameters)(/.*)?", place, re.DOTALL)


def params_of(params: Iterable[str], plan: Mapping) -> dict[str, Any]:
    """What `--param` set, by `instance.parameter`: as programs read it, whose plan says by its value of what type."""
    planned = planned_params(plan)
    pairs = [(name.strip(), text) for name, _, text in (param.partition("=") for param in params)]
    return {name: as_param(text, planned.get(name)) for name, text in pairs}


def planned_params(plan: Mapping) -> dict[str, Any]:
    """The parameters of blocks as a plan.json has them, by `block.parameter`; {} where it is damaged."""
    try:
        return {f"{block['block']}.{name}": value for block in plan.get("blocks", ())
                for name, value in block["parameters"].items()}
    except (TypeError, KeyError, AttributeError):
        return {}


def as_param(text: str, planned: object) -> object:
    """The value that a text is where the plan has `planned`; the text where it is no number, list or truth."""
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
    """Of a run made before there were coordinates: its directory `folder` has project.json and plan.json.

    `run`: its run.json, whose command has what was set.
    """
    parameters = {name: value for name, value in results["parameters"].items()
                  if "." not in name and isinstance(value, (int, float))}
    request, made = run.get("request") or {}, run.get("set") or {}
    places = [place for place in _set_by(str(run.get("command", ""))) if place.startswith("/")]
    settings = settings_of(places, document(folder / "project.json"), parameters) if places else {}
    plan = document(folder / "plan.json")
    settings |= params_of(request.get("params", ()), plan)
    items = request.get("items")
    return coordinates(results, Asked(
        str(plan.get("target", _FIRST_TARGET)), run.get("round", results["repetition"]),
        results["items"] if items is None else items, results["seed"], results["trace"]["backend"], made.get("id"),
        parameters, settings))


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
        value, _ = jsontext.read(read_bounded(path, jsontext.MAX_BYTES))
    except OSError:
        return {}
    return value if isinstance(value, dict) else {}
