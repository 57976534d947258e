"""Choose points by conditions such as `--at stages=5`, and find the conditions that select a point."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from weir.diagnostics import WeirError, diagnostic, did_you_mean
from weir.engine.measuring.coordinates import PLACES, as_param
from weir.engine.measuring.points import BY_NAME, MISSING, Key, Point, full_name, in_order, shown, value_text, varying
from weir.model.document import jsontext


def choose(points: Iterable[Point], conditions: Sequence[str], option: str, where: str) -> list[Point]:
    """Return the points at which each `key=value` holds. A key is a parameter, a setting or another coordinate.

    A coordinate may also be given by its JSON pointer: `/run/items`. `option` and `where` appear in messages. Raises
    WeirError: E_USAGE for an unknown key, E_RUN_NONE if no point has the value.
    """
    every = left = list(points)
    for condition in conditions:
        name, equals, text = condition.partition("=")
        if not equals:
            raise WeirError(diagnostic("E_USAGE", "", f"{option} {condition}: expected name=value"))
        try:
            key = _named(every, name, option)
        except WeirError:
            if text == MISSING:
                continue
            raise
        # Read 5 as a number if a point has that number, else as the text "5".
        found = next(filter(None, ([point for point in left if holds(point, key, text)] for holds in _WAYS)), [])
        if not found:
            there = dict.fromkeys(shown(point.values[key]) if key in point.values else MISSING
                                  for point in in_order(left))
            raise WeirError(diagnostic("E_RUN_NONE", "", f"{where} has no run at {condition}",
                                       f"available values: {', '.join(there)}"))
        left = found
    return left


def conditions(point: Point, among: Iterable[Point], keys: Iterable[Key] | None = None) -> list[str]:
    """Return the `key=value` by which `choose` finds the point: all keys that differ, or only `keys`."""
    among = list(among)
    known = {key for each in among for key in each.values}
    return [f"{full_name(key, known)}={_option(point, key)}" for key in (varying(among) if keys is None else keys)]


def _option(point: Point, key: Key) -> str:
    if key not in point.values:
        return MISSING
    value = point.values[key]
    plain = (isinstance(value, str) and value not in ("", MISSING) and "," not in value and jsontext.read(value)[1]
             and as_param(value, None) == value)
    return str(value) if plain else value_text(value)


def _named(points: Sequence[Point], name: str, option: str) -> Key:
    keys = list(dict.fromkeys(key for point in points for key in point.values))
    for key in (*((part, name) for part in (*BY_NAME, "")), ("", PLACES.get(name, name))):
        if key in keys:
            return key
    last = [key for key in keys if key[0] == "settings" and key[1].rpartition("/")[2] == name]
    if len(last) == 1:
        return last[0]
    known = list(dict.fromkeys(key[1] for key in keys))
    raise WeirError(diagnostic("E_USAGE", "", f"{option} {name}: these runs have no such coordinate",
                               did_you_mean(name, known)))


def _as_json(point: Point, key: Key, text: str) -> bool:
    """Return whether the text as JSON is the point's value; `–` matches a point without one."""
    if key not in point.values or text == MISSING:
        return key not in point.values and text == MISSING
    read, problems = jsontext.read(text)
    return not problems and value_text(read) == value_text(point.values[key])


def _as_param(point: Point, key: Key, text: str) -> bool:
    """Return whether the text, read as by `--param` (with a suffix, as an expression or a list), is the value."""
    value = point.values.get(key)
    return value is not None and not isinstance(value, str) and value_text(as_param(text, value)) == value_text(value)


def _as_text(point: Point, key: Key, text: str) -> bool:
    return point.values.get(key) == text


#: Ways to read a value; the first one that matches a point counts.
_WAYS = (_as_json, _as_param, _as_text)
