"""Points: runs with the same coordinates but for block and repetition. How they are told apart, called and chosen."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TypeVar

from weir.diagnostics import WeirError, diagnostic, did_you_mean, resolve
from weir.document import jsontext
from weir.document.expressions import ExpressionError, evaluate
from weir.measuring.model import fields

#: Of the coordinates: which of the runs of a point it is, and those that hold values by name.
PLACE = ("experiment", "block", "repetition")
BY_NAME = ("parameters", "settings")
#: The others, each by itself. In a label the deployment is the last, and what is no name has its own before it.
OWN = tuple(name for name in fields("coordinates") if name not in (*PLACE, *BY_NAME))
_LABELLED = ("items", "seed", "trace", "target", "deployment")
_NAMES = ("project", "deployment")
MISSING = "–"
LONGEST = 24

#: ("parameters", "stages"), ("settings", "/run/warmup_items"), ("", "deployment")
Key = tuple[str, str]
Run = TypeVar("Run")
_ABSENT = object()


@dataclass(frozen=True)
class Point:
    """`text` is its identity: 4 and 4.0 are one value."""

    text: str
    values: Mapping[Key, object] = field(compare=False)

    @classmethod
    def of(cls, values: Mapping[Key, object]) -> Point:
        return cls(json.dumps(sorted((*key, _text(value)) for key, value in values.items())), values)

    @property
    def id(self) -> str:
        return hashlib.sha256(self.text.encode()).hexdigest()[:16]

    @property
    def deployment(self) -> str:
        return str(self.values["", "deployment"])

    def text_of(self, key: Key) -> str:
        return _text(self.values[key]) if key in self.values else ""

    def as_json(self) -> dict[str, object]:
        """Its coordinates, as results.json has them."""
        held = {part: {name: value for (of, name), value in self.values.items() if of == part} for part in BY_NAME}
        return {**{name: self.values["", name] for name in OWN}, **held}


def _text(value: object) -> str:
    """One text for values that are equal."""
    if isinstance(value, float) and value.is_integer():
        value = int(value)
    return json.dumps(value, sort_keys=True, ensure_ascii=False)


def by_point(runs: Iterable[Run], results: Callable[[Run], Mapping],
             document: Callable[[Run], Mapping] = lambda run: {}) -> dict[Point, list[Run]]:
    """The runs of each point, in the order of the first of each.

    `results`: results.json of a run, as it is read. A place that some of them set has in the others the value that
    `document`, their project.json, has there: it is asked where that is so alone.
    """
    members = [(run, results(run)) for run in runs]
    asked = list(dict.fromkeys(name for _, it in members for name in it["coordinates"]["settings"]))
    found: dict[Point, list[Run]] = {}
    for run, it in members:
        at, settings = it["coordinates"], dict(it["coordinates"]["settings"])
        for name in asked:
            if name not in settings:
                value = _value_at(name, it, document(run)) if name[0] == "/" else it["parameters"].get(name, _ABSENT)
                if value is not _ABSENT:
                    settings[name] = value
        values = {**{("", name): at[name] for name in OWN},
                  **{("parameters", name): value for name, value in at["parameters"].items()},
                  **{("settings", name): value for name, value in settings.items()}}
        found.setdefault(Point.of(values), []).append(run)
    return found


def _value_at(place: str, results: Mapping, document: Mapping) -> object:
    try:
        value = resolve(document, place)
        if isinstance(value, dict) and set(value) == {"expr"}:
            return evaluate(str(value["expr"]), results["coordinates"]["parameters"])
        return value
    except (LookupError, ExpressionError):
        return _ABSENT


def varying(points: Iterable[Point]) -> list[Key]:
    """What differs among points of one project, in the order of a label; and the project, where they are of several."""
    points = list(points)
    projects: dict[str, list[Point]] = {}
    for point in points:
        projects.setdefault(point.text_of(("", "project")), []).append(point)
    differing = {key for of in projects.values() for key in _differing(of)}
    return [*([("", "project")] if len(projects) > 1 else []), *sorted(differing, key=_place_of(points))]


def _differing(points: Sequence[Point]) -> set[Key]:
    keys = {key for point in points for key in point.values}
    return {key for key in keys if len({point.text_of(key) for point in points}) > 1}


def _place_of(points: Sequence[Point]) -> Callable[[Key], tuple[int, int]]:
    """Parameters as the project has them, then settings, then the others."""
    order = list(dict.fromkeys(key for point in points for key in point.values))
    kinds = [*BY_NAME, *_LABELLED]
    return lambda key: (kinds.index(key[0] or key[1]), order.index(key))


def labels(points: Iterable[Point]) -> dict[Point, str]:
    """What tells each from the others: `stages=5 · flow`. The deployment alone where nothing does."""
    points = list(points)
    keys = varying(points)
    if not set(keys) - {("", "project")}:
        keys = [*keys, ("", "deployment")]
    names = short_names(keys)
    # A parameter that only other projects have is none of a point's.
    known = {(point.values["", "project"], key) for point in points for key in point.values}
    return {point: " · ".join(_part(point, key, names[key]) for key in keys
                              if (point.values["", "project"], key) in known) for point in points}


def short_names(keys: Iterable[Key]) -> dict[Key, str]:
    """A place by its last word where no other has it: `/run/warmup_items` is warmup_items."""
    keys = list(keys)
    short = {key: key[1].rpartition("/")[2] for key in keys}
    return {key: name if list(short.values()).count(name) == 1 else key[1] for key, name in short.items()}


def _part(point: Point, key: Key, name: str) -> str:
    if key not in point.values:
        return f"{name}={MISSING}"
    words = _shown(point.values[key])
    return words if not key[0] and key[1] in _NAMES else f"{name}={words}"


def _shown(value: object) -> str:
    """A round count as people write it: 20000000 is 20M."""
    if isinstance(value, int) and not isinstance(value, bool):
        for factor, suffix in ((10**9, "G"), (10**6, "M"), (10**3, "k")):
            if abs(value) >= 10**4 and value % factor == 0:
                return f"{value // factor}{suffix}"
    words = value if isinstance(value, str) else _text(value)
    return words if len(words) <= LONGEST else words[:LONGEST] + "…"


def option_for(value: object) -> str:
    """The text by which `choose` finds it."""
    return value if isinstance(value, str) else _text(value)


def noun(points: Iterable[Point]) -> str:
    """What they are called where they are listed: deployments, where nothing else tells them apart."""
    return "deployment" if set(varying(points)) <= {("", "deployment")} else "point"


def in_order(points: Iterable[Point], deployments: Sequence[str] = ()) -> list[Point]:
    """By what differs among them, from left to right of their labels: numbers by size, deployments as they come."""
    points = list(points)
    keys, first = varying(points), {point: index for index, point in enumerate(points)}
    order = {name: index for index, name in enumerate(deployments)}

    def rank(point: Point, key: Key) -> tuple:
        value = point.values.get(key)
        if key == ("", "deployment"):
            return 1, order.get(str(value), len(order)), ""
        if isinstance(value, (int, float)) and not isinstance(value, bool):
            return 1, value, ""
        return (0, 0, "") if key not in point.values else (2, 0, point.text_of(key))

    return sorted(points, key=lambda point: (*(rank(point, key) for key in keys), first[point]))


def choose(points: Iterable[Point], conditions: Sequence[str], option: str, where: str) -> list[Point]:
    """Those at which each `key=value` holds. A key is a parameter, a setting or another coordinate.

    WeirError (E_USAGE) where there is no such key, (E_RUN_NONE) where no point has that value; `option` and `where`
    are for people.
    """
    left = list(points)
    for condition in conditions:
        name, equals, text = condition.partition("=")
        if not equals:
            raise WeirError(diagnostic("E_USAGE", "", f"{option} {condition}: it must be name=value"))
        key = _named(left, name, option)
        found = [point for point in left if key in point.values and _is(point.values[key], text)]
        if not found:
            there = dict.fromkeys(_shown(point.values[key]) for point in in_order(left) if key in point.values)
            raise WeirError(diagnostic("E_RUN_NONE", "", f"{where} has no run at {condition}",
                                       f"there are {', '.join(there)}"))
        left = found
    return left


def _named(points: Sequence[Point], name: str, option: str) -> Key:
    keys = list(dict.fromkeys(key for point in points for key in point.values))
    for part in (*BY_NAME, ""):
        if (part, name) in keys:
            return part, name
    last = [key for key in keys if key[0] == "settings" and key[1].rpartition("/")[2] == name]
    if len(last) == 1:
        return last[0]
    known = [key[1] for key in keys]
    raise WeirError(diagnostic("E_USAGE", "", f"{option} {name}: these runs have no such coordinate",
                               did_you_mean(name, known)))


def _is(value: object, text: str) -> bool:
    """As JSON, as an expression with a suffix, or as plain text."""
    if value == text:
        return True
    read, problems = jsontext.read(text)
    if problems:
        try:
            read = evaluate(text)
        except ExpressionError:
            return False
    return _text(read) == _text(value)
