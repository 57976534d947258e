"""Points: runs with equal coordinates except round and repetition. Compares them and gives them labels."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import Any, TypeVar

from weir.engine.measuring.coordinates import PLACES
from weir.engine.measuring.places import Files, settings_at, with_defaults
from weir.engine.results_model import fields

#: Coordinates that identify a run within its point, and coordinates that are mappings.
PLACE = ("experiment", "round", "repetition")
BY_NAME = ("parameters", "settings")
#: All other coordinates. In a label the deployment is last; values other than names follow their coordinate's name.
OWN = tuple(name for name in fields("coordinates") if name not in (*PLACE, *BY_NAME))
_LABELLED = ("items", "seed", "trace", "target", "deployment")
_NAMES = ("project", "deployment")
MISSING = "–"
#: Lengths of a value in a label: the first that makes all labels different is used.
LENGTHS = (24, 48, 96)

#: ("parameters", "stages"), ("settings", "/run/warmup_items"), ("", "deployment")
Key = tuple[str, str]
Run = TypeVar("Run")


@dataclass(frozen=True)
class Point:
    """A point. `text` is its identity: 4 and 4.0 are one value."""

    text: str
    values: Mapping[Key, object] = field(compare=False)

    @classmethod
    def of(cls, values: Mapping[Key, Any]) -> Point:
        """Return the point with these values."""
        return cls(json.dumps(sorted((*key, value_text(value)) for key, value in values.items())), values)

    @property
    def id(self) -> str:
        """Return sixteen hex digits that identify the point."""
        return hashlib.sha256(self.text.encode()).hexdigest()[:16]

    @property
    def deployment(self) -> str:
        """Return the name of its deployment."""
        return str(self.values["", "deployment"])

    def text_of(self, key: Key) -> str:
        """Return the text of one value, "" if the point has none."""
        return value_text(self.values[key]) if key in self.values else ""

    def as_json(self) -> dict[str, Any]:
        """Return its coordinates as in results.json. Settings are split, and those of other points are added."""
        held = {part: {name: value for (of, name), value in self.values.items() if of == part} for part in BY_NAME}
        return {**{name: self.values["", name] for name in OWN}, **held}


def value_text(value: Any) -> str:
    """Return a text that is equal for equal values."""
    return json.dumps(_whole(value), sort_keys=True, ensure_ascii=False)


def _whole(value: Any) -> Any:
    if isinstance(value, list):
        return [_whole(each) for each in value]
    return int(value) if isinstance(value, float) and value.is_integer() else value


def by_point(runs: Iterable[Run], results: Callable[[Run], Mapping],
             folder: Callable[[Run], Path | None] = lambda run: None) -> dict[Point, list[Run]]:
    """Return the runs of each point, in the order of the points' first runs.

    `results` returns a run's results.json. If only some runs set a value, the other runs get it from the project and
    the plan in their directory, `folder`. Only then is the directory read.
    """
    members = [(run, results(run)) for run in runs]
    known_settings = list(dict.fromkeys(name for _, it in members for name in it["coordinates"]["settings"]))
    of_hashes: dict[tuple, Files] = {}
    for run, it in members:
        files = of_hashes.setdefault((it["project_hash"], it["plan_hash"]), Files())
        files.folders.extend(filter(None, [folder(run)]))
    all_files = [of_hashes[it["project_hash"], it["plan_hash"]] for _, it in members]
    own = [settings_at(known_settings, it, files) for (_, it), files in zip(members, all_files)]
    places = list(dict.fromkeys(name for of in own for name in of))
    found: dict[Point, list[Run]] = {}
    for (run, it), mine, files in zip(members, own, all_files):
        at = it["coordinates"]
        settings = with_defaults(places, mine, at["deployment"], files)
        values = {**{("", name): at[name] for name in OWN},
                  **{("parameters", name): value for name, value in at["parameters"].items()},
                  **{("settings", name): value for name, value in settings.items()}}
        found.setdefault(Point.of(values), []).append(run)
    return found


def varying(points: Iterable[Point]) -> list[Key]:
    """Return the keys that differ among the points of a project, in label order, and the project if there are several.
    """
    points = list(points)
    projects: dict[str, list[Point]] = {}
    for point in points:
        projects.setdefault(point.text_of(("", "project")), []).append(point)
    differing = {key for of in projects.values() for key in _differing(of)}
    return [*([("", "project")] if len(projects) > 1 else []), *sorted(differing, key=_place_of(points))]


def _differing(points: Sequence[Point]) -> set[Key]:
    """Return the keys that differ; those of a deployment count if they differ among its points."""
    keys = {key for point in points for key in point.values}
    return {key for key in keys if any(
        len({point.text_of(key) for point in points if _owner(point, key) == owner}) > 1
        for owner in {_owner(point, key) for point in points})}


def _owner(point: Point, key: Key) -> str:
    """Return the only deployment within which the key's values can be compared, "" if deployments do not matter."""
    return point.deployment if key[0] == "settings" and key[1].startswith("/deployments/") else ""


def _place_of(points: Sequence[Point]) -> Callable[[Key], tuple[int, int]]:
    """Return the sort key of a label: parameters in project order, then settings, then the others."""
    order = list(dict.fromkeys(key for point in points for key in point.values))
    kinds = [*BY_NAME, *_LABELLED]
    return lambda key: (kinds.index(key[0] or key[1]), order.index(key))


def labels(points: Iterable[Point]) -> dict[Point, str]:
    """Return a label for each point: the values that differ, but at least the deployment. Example: `stages=5 · flow`.
    """
    points = list(points)
    keys = _shown_keys(points)
    if not set(keys) - {("", "project")}:
        keys = [*keys, ("", "deployment")]
    names = short_names(keys)
    # Parameters of other projects and settings of other deployments do not apply to a point.
    known = {(point.values["", "project"], _owner(point, key), key) for point in points for key in point.values}

    def labels_with(show: Callable[[Any], str]) -> dict[Point, str]:
        return {point: " · ".join(_part(point, key, names[key], show) for key in keys
                                  if (point.values["", "project"], _owner(point, key), key) in known)
                for point in points}

    ways: tuple[Callable[[Any], str], ...] = (*(partial(shown, most=most) for most in LENGTHS), value_text)
    return next((it for it in map(labels_with, ways) if len(set(it.values())) == len(points)), labels_with(value_text))


def _shown_keys(points: Sequence[Point]) -> list[Key]:
    """Return the keys that differ, without the target if the deployment determines it."""
    keys, target = varying(points), ("", "target")
    pairs = {(point.text_of(target), point.deployment) for point in points}
    return [key for key in keys if key != target or len(pairs) > len({deployment for _, deployment in pairs})]


def short_names(keys: Iterable[Key]) -> dict[Key, str]:
    """Return the last word of each pointer if it is unique: `/run/warmup_items` becomes warmup_items."""
    keys = list(keys)
    short = {key: key[1].rpartition("/")[2] for key in keys}
    taken = [*short.values(), *(name for name in OWN if ("", name) not in short)]
    return {key: name if taken.count(name) == 1 else full_name(key, keys) for key, name in short.items()}


def full_name(key: Key, keys: Iterable[Key]) -> str:
    """Return the key's name. A coordinate with the name of a parameter gets its pointer: seed=3 · /run/seed=1."""
    part, name = key
    shadowed = not part and any((of, name) in keys for of in BY_NAME)
    return next((place for place, of in PLACES.items() if shadowed and of == name), name)


def _part(point: Point, key: Key, name: str, show: Callable[[Any], str]) -> str:
    if key not in point.values:
        return f"{name}={MISSING}"
    value = point.values[key]
    return str(value) if not key[0] and key[1] in _NAMES else f"{name}={show(value)}"


def shown(value: Any, most: int = LENGTHS[0]) -> str:
    """Return a value as people write it: 20000000 is 20M. Long texts keep both ends, because paths differ there."""
    if isinstance(value, int) and not isinstance(value, bool):
        for factor, suffix in ((10**9, "G"), (10**6, "M"), (10**3, "k")):
            if abs(value) >= 10**4 and value % factor == 0:
                return f"{value // factor}{suffix}"
    words = value if isinstance(value, str) else value_text(value)
    return words if len(words) <= most else f"{words[:most // 2]}…{words[-most // 2:]}"


def noun(points: Iterable[Point]) -> str:
    """Return the word for these points in lists: "deployment" if only the deployment differs, else "point"."""
    return "deployment" if set(_shown_keys(list(points))) <= {("", "deployment")} else "point"


def in_order(points: Iterable[Point], deployments: Sequence[str] = ()) -> list[Point]:
    """Sort the points by their labels, from left to right: numbers by size, deployments in the given order."""
    points = list(points)
    keys, first = _shown_keys(points), {point: index for index, point in enumerate(points)}
    order = {name: index for index, name in enumerate(deployments)}

    def rank(point: Point, key: Key) -> tuple:
        value = point.values.get(key)
        if key == ("", "deployment"):
            return 1, order.get(str(value), len(order)), ""
        if isinstance(value, (int, float)) and not isinstance(value, bool):
            return 1, value, ""
        return (0, 0, "") if key not in point.values else (2, 0, point.text_of(key))

    return sorted(points, key=lambda point: (*(rank(point, key) for key in keys), first[point]))
