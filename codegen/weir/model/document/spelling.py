"""Former spellings of keys and words: a schema names each with `x-was`, beside the present one.

Files keep a former spelling until something writes them again, so that readers take both for ever. Hashes cover the
former spelling: a renamed key changes no hash, so stored runs still match their projects and plans.
"""

from __future__ import annotations

import functools
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from weir.diagnostics import Diagnostic, Fix, diagnostic, pointer
from weir.model.document.shape import alternatives, schema

_KEY, _WORD, _PLACES = "key", "word", "places"
#: Keys from the root of a document to a value. None stands for every index, and for every key without own rules.
_Steps = tuple[str | None, ...]


@dataclass(frozen=True)
class _Renaming:
    """Key of the object at `steps`; word at `steps`; or JSON pointers in the text, or the keys, of the value there."""

    kind: str
    steps: _Steps
    now: str = ""
    was: str = ""


@dataclass
class CurrentDocument:
    """Document in the present spelling. `places`: JSON pointer of a renamed value -> its pointer in the file. `twice`:
    (pointer, former key, present key) of objects with both keys, which stay as they are.
    """

    value: Any
    places: dict[str, str] = field(default_factory=dict)
    twice: list[tuple[str, str, str]] = field(default_factory=list)

    def faults(self) -> list[Diagnostic]:
        """Return a diagnostic for each object with both keys."""
        return [diagnostic("E_KEY_RENAMED", at, f"`{was}` is the former name of `{now}`, and the object has both keys",
                           f"remove one of them, and write `{now}`", [Fix(f"Remove {was}", at, "remove")])
                for at, was, now in self.twice]


def current_document(document: Any, name: str) -> CurrentDocument:
    """Return the document of the schema `name` in the present spelling."""
    found = CurrentDocument(None)
    found.value = _written(document, _renamings(name), 0, "was", found)
    return found


def in_former_spelling(document: Any, name: str) -> Any:
    """Return the document of the schema `name` as hashes cover it."""
    return _written(document, _renamings(name), 0, "now", CurrentDocument(None))


def current_place(place: str) -> str:
    """Return a JSON pointer of a project in the present spelling."""
    return _place(place, "was", _renamings("project"))[0]


def current_settings(settings: Mapping[str, Any]) -> dict[str, Any]:
    """Return values by JSON pointer of a project, or by another name, with pointers and values in the present spelling.
    """
    found = {}
    for name, value in settings.items():
        place, rules = _place(name, "was", _renamings("project"))
        found[place] = _written(value, rules, place.count("/"), "was", CurrentDocument(None))
    return found


def place_in_file(place: str, places: Mapping[str, str]) -> str:
    """Return the pointer in the file for one in the document as read. `places`: those of `CurrentDocument`."""
    for now in sorted(places, key=len, reverse=True):
        if place == now or place.startswith(now + "/"):
            return places[now] + place.removeprefix(now)
    return place


@functools.cache
def _renamings(name: str) -> tuple[_Renaming, ...]:
    return tuple(_found(schema(name), schema(name), (), ()))


def _found(rule: Any, root: Mapping, steps: _Steps, inside: tuple[str, ...]) -> Iterator[_Renaming]:
    """Yield the renamings in a schema. `inside`: references that led here, some of which are recursive."""
    if not isinstance(rule, dict) or rule.get("$ref") in inside:
        return
    if "$ref" in rule:
        yield from _found(next(alternatives(rule, root)), root, steps, (*inside, rule["$ref"]))
    if isinstance(rule.get("x-was"), dict):
        yield from (_Renaming(_WORD, steps, now, was) for now, was in rule["x-was"].items())
    if rule.get("x-places"):
        yield _Renaming(_PLACES, steps)
    for key, inner in rule.get("properties", {}).items():
        if isinstance(inner, dict) and isinstance(inner.get("x-was"), str):
            yield _Renaming(_KEY, steps, key, inner["x-was"])
        yield from _found(inner, root, (*steps, key), inside)
    for keyword in ("items", "additionalProperties"):
        yield from _found(rule.get(keyword), root, (*steps, None), inside)
    for keyword in ("anyOf", "oneOf"):
        for one in rule.get(keyword, ()):
            yield from _found(one, root, steps, inside)


def _written(value: Any, rules: Sequence[_Renaming], depth: int, origin: str, found: CurrentDocument, at: str = "",
             was_at: str = "") -> Any:
    """Return `value`, spelled as in `origin` (the field `now` or `was`), in the other spelling.

    `rules`: those that concern the value or a part of it, which is `depth` keys from the root; `at`, `was_at`: its
    pointers in the result and in the document.
    """
    if not rules:
        return value
    own = [rule for rule in rules if len(rule.steps) == depth]
    if isinstance(value, str):
        return _spelled(value, _WORD, own, origin)
    if isinstance(value, (list, tuple)):
        inner = _below(rules, depth, None)
        return [_written(child, inner, depth + 1, origin, found, f"{at}/{i}", f"{was_at}/{i}")
                for i, child in enumerate(value)]
    if not isinstance(value, Mapping):
        return value
    result: dict[str, Any] = {}
    for key, child in value.items():
        other = _spelled(key, _KEY, own, origin)
        if other != key and other in value:
            found.twice.append((was_at + pointer(key), key, other))
            other = key
        here, there = at + pointer(other), was_at + pointer(key)
        if other != key:
            found.places[here] = there
        # The steps have present keys.
        inner = _below(rules, depth, other if origin == "was" else key)
        result[other] = _written(child, inner, depth + 1, origin, found, here, there)
    return result


def _below(rules: Sequence[_Renaming], depth: int, key: str | None) -> list[_Renaming]:
    return [rule for rule in rules if len(rule.steps) > depth and rule.steps[depth] in (None, key)]


def _spelled(text: str, kind: str, own: Sequence[_Renaming], origin: str) -> str:
    """Return a key or a text (`kind`) in the other spelling. Where pointers are allowed, it may be one."""
    for rule in own:
        if rule.kind == kind and text == getattr(rule, origin):
            return rule.was if origin == "now" else rule.now
        if rule.kind == _PLACES:
            return _place(text, origin, _renamings("project"))[0]
    return text


def _place(place: str, origin: str, rules: Sequence[_Renaming]) -> tuple[str, Sequence[_Renaming]]:
    """Return a JSON pointer in the other spelling, and the rules for the value there. A text that is no pointer stays
    as it is.
    """
    if not place.startswith("/"):
        return place, ()
    keys = place.split("/")
    for depth, key in enumerate(keys[1:]):
        other = _spelled(key, _KEY, [rule for rule in rules if rule.kind == _KEY and len(rule.steps) == depth], origin)
        keys[depth + 1] = other
        rules = _below(rules, depth, other if origin == "was" else key)
    return "/".join(keys), rules
