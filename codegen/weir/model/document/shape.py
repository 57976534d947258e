"""Checks a JSON value against one of Weir's schemas, with messages that tell a person how to mend it.

Interprets only the JSON Schema 2020-12 keywords that the schemas use. A general validator reports `anyOf` failures
incomprehensibly and takes longer than the rest of `weir validate`. The tests compare this one with jsonschema. A schema
with any other keyword is refused, because ignoring it would accept what it forbids.

Weir's annotations: `x-code` is the diagnostic of a failed `pattern`, `x-hint` its hint. `x-axis` is the name by which a
sweep varies a setting, and `examples` the values that the sweep proposes. `x-form` is the form of the editor with a
field for the setting, in the order of the schema. `x-name` is the field's name if the key is another's, `x-unit` its
unit: a field shows a `share`, up to 1, and a `portion`, which may exceed 1, in per cent. `x-unset` says in words what
applies if the setting is missing and has no `default`. `x-with` lists the values of a neighbour with which the setting
is needed, `x-switches` the same for each word that a list may hold. `x-was` is the former name of a key, or has the
former spelling of words. `x-places` marks texts, or objects with keys, that may be JSON pointers of the project
(`weir.model.document.spelling`).
"""

from __future__ import annotations

import functools
import json
import re
from collections.abc import Callable, Iterator, Mapping
from typing import Any

from weir import PACKAGE
from weir.diagnostics import Diagnostic, Fix, diagnostic, did_you_mean, pointer, within

SCHEMA_FOLDER = PACKAGE / "schema"

_TYPES: dict[str, Callable[[object], bool]] = {
    "object": lambda v: isinstance(v, dict),
    "array": lambda v: isinstance(v, list),
    "string": lambda v: isinstance(v, str),
    "boolean": lambda v: isinstance(v, bool),
    "number": lambda v: isinstance(v, (int, float)) and not isinstance(v, bool),
    "integer": lambda v: isinstance(v, int) and not isinstance(v, bool) or isinstance(v, float) and v.is_integer(),
    "null": lambda v: v is None,
}
_WORDS = {"object": "an object", "array": "a list", "string": "a text", "boolean": "true or false",
          "number": "a number", "integer": "a whole number", "null": "null"}

#: Features that users of other runtimes look for, by the key that they try.
_OUT_OF_SCOPE = {
    **dict.fromkeys(("tags", "stream_tags", "tag_propagation"), "stream tags"),
    **dict.fromkeys(("messages", "message_ports", "msg_ports", "message_connections", "msg_connections"),
                    "message ports"),
    **dict.fromkeys(("feedback", "loops"), "feedback cycles"),
}


#: Interpreted keywords; keywords that hold schemas by name, in a list or as their value; and annotations.
_OF_VALUES = frozenset((
    "type", "const", "enum", "pattern", "minLength", "maxLength", "minimum", "maximum", "exclusiveMinimum", "required",
    "dependentRequired", "minProperties", "maxProperties", "minItems", "maxItems", "uniqueItems"))
_BY_NAME, _IN_LIST = frozenset(("properties", "patternProperties", "$defs")), frozenset(("anyOf", "oneOf"))
_AS_VALUE = frozenset(("items", "additionalProperties", "propertyNames"))
_ANNOTATIONS = frozenset((
    "$schema", "$id", "title", "description", "default", "examples", "x-axis", "x-code", "x-form", "x-hint", "x-name",
    "x-places", "x-switches", "x-unit", "x-unset", "x-was", "x-with"))
_LOCAL = "#/$defs/"


@functools.cache
def schema(name: str) -> dict:
    """Return the schema in `<name>.schema.json`. Raises ValueError if it has a keyword that is not interpreted here."""
    root = json.loads((SCHEMA_FOLDER / f"{name}.schema.json").read_text(encoding="utf-8"))
    for place, what in not_interpreted(root):
        raise ValueError(f"{name}.schema.json:{place}: {what} is not interpreted")
    return root


def not_interpreted(rule: Any, path: tuple = ()) -> Iterator[tuple[str, str]]:
    """Yield (pointer, description) of everything in a schema that `check_shape` would ignore."""
    if not isinstance(rule, dict):
        # `false` forbids other keys. Anywhere else it could not give a message.
        if rule is not True and not (rule is False and path[-1:] == ("additionalProperties",)):
            yield pointer(*path), f"the schema {json.dumps(rule)}"
        return
    for key, value in rule.items():
        here = (*path, key)
        if key in _BY_NAME:
            for name, child in value.items():
                yield from not_interpreted(child, (*here, name))
        elif key in _IN_LIST:
            for i, child in enumerate(value):
                yield from not_interpreted(child, (*here, i))
        elif key in _AS_VALUE:
            yield from not_interpreted(value, here)
        elif key == "$ref" and not value.startswith(_LOCAL):
            yield pointer(*here), f"the reference {value}"
        elif key not in _OF_VALUES | _ANNOTATIONS | {"$ref"}:
            yield pointer(*here), f"the keyword {key}"


def check_shape(value: Any, name: str, part: str | None = None) -> list[Diagnostic]:
    """Return all violations of the schema `name` by `value`; with `part`, of the schema of that property."""
    root = schema(name)
    return list(_check(value, root if part is None else root["properties"][part], root, ()))


def describe(value: Any) -> str:
    """Return a value for a message, shortened if it is large."""
    if isinstance(value, (dict, list)):
        return _WORDS["object" if isinstance(value, dict) else "array"]
    text = json.dumps(value, ensure_ascii=False)
    return text if len(text) <= 60 else text[:57] + "…"


def alternatives(rule: Mapping, root: Mapping) -> Iterator[Mapping]:
    """Yield `rule` itself, then its alternatives, one of which a matching value satisfies."""
    rule = root["$defs"][rule["$ref"].removeprefix(_LOCAL)] if "$ref" in rule else rule
    yield rule
    for keyword in sorted(_IN_LIST & rule.keys()):
        yield from rule[keyword]


def _check(value: Any, rule: Any, root: dict, path: tuple) -> Iterator[Diagnostic]:
    if rule is True:
        return
    if "$ref" in rule:
        yield from _check(value, root["$defs"][rule["$ref"].removeprefix(_LOCAL)], root, path)
    for keyword in _IN_LIST & rule.keys():
        yield from _any_of(value, rule[keyword], root, path, keyword == "oneOf")
    wanted = _kinds(rule)
    if wanted and not any(_TYPES[kind](value) for kind in wanted):
        words = " or ".join(_WORDS[kind] for kind in wanted)
        yield diagnostic("E_VALUE_TYPE", pointer(*path), f"expected {words}, found {describe(value)}")
        return
    yield from _choices(value, rule, path)
    if isinstance(value, dict):
        yield from _object(value, rule, root, path)
    elif isinstance(value, list):
        yield from _array(value, rule, root, path)
    elif isinstance(value, str):
        yield from _string(value, rule, path)
    elif isinstance(value, (int, float)) and not isinstance(value, bool):
        yield from _number(value, rule, path)


def _any_of(value: Any, branches: list, root: dict, path: tuple, only_one: bool) -> Iterator[Diagnostic]:
    """Check `anyOf` or `oneOf`. Without a match, yield the faults of the only branch whose type fits, or else list the
    allowed shapes.
    """
    likely, wanted, matches = None, [], 0
    for branch in branches:
        if "$ref" in branch:
            branch = root["$defs"][branch["$ref"].removeprefix(_LOCAL)]
        findings = list(_check(value, branch, root, path))
        if not findings:
            matches += 1
            if not only_one:
                return
        if any(_TYPES[kind](value) for kind in _kinds(branch)):
            likely = findings
        wanted.append(_expectation(branch))
    if matches > 1:
        yield diagnostic("E_VALUE_TYPE", pointer(*path), f"{describe(value)} can be read in {matches} ways")
    if matches:
        return
    if likely:
        yield from likely
        return
    yield diagnostic("E_VALUE_TYPE", pointer(*path), f"expected {' or '.join(wanted)}, found {describe(value)}",
                     "write an expression as {\"expr\": \"…\"}" if isinstance(value, str) else "")


def _expectation(branch: dict) -> str:
    if "const" in branch or "enum" in branch:
        return " or ".join(json.dumps(v) for v in branch.get("enum", [branch.get("const")]))
    return '{"expr": …}' if "expr" in branch.get("properties", ()) else " or ".join(_WORDS[k] for k in _kinds(branch))


def _kinds(rule: dict) -> list[str]:
    wanted = rule.get("type", [])
    return [wanted] if isinstance(wanted, str) else wanted


def _same(a: Any, b: Any) -> bool:
    return a == b and isinstance(a, bool) == isinstance(b, bool)


def _choices(value: Any, rule: dict, path: tuple) -> Iterator[Diagnostic]:
    allowed = rule.get("enum", [rule["const"]] if "const" in rule else None)
    if allowed is not None and not any(_same(value, a) for a in allowed):
        texts = [a for a in allowed if isinstance(a, str)]
        hint = did_you_mean(value, texts) if isinstance(value, str) and texts else \
            "choose one of " + ", ".join(f"`{describe(a)}`" for a in allowed)
        of = f" of `{path[-1]}`" if path and isinstance(path[-1], str) else ""
        yield diagnostic("E_VALUE_CHOICE", pointer(*path), f"{describe(value)} is not an allowed value{of}", hint)


def _object(value: dict, rule: dict, root: dict, path: tuple) -> Iterator[Diagnostic]:
    known, patterns = rule.get("properties", {}), rule.get("patternProperties", {})
    others, names = rule.get("additionalProperties", True), rule.get("propertyNames")
    for key, child in value.items():
        here = (*path, key)
        if names is not None:
            yield from _check(key, names, root, here)
        rules = [known[key]] if key in known else []
        rules += [rule for text, rule in patterns.items() if _pattern(text).search(key)]
        for rule_of_key in rules:
            yield from _check(child, rule_of_key, root, here)
        if rules:
            continue
        if others is False and key in _OUT_OF_SCOPE:
            yield diagnostic("E_OUT_OF_SCOPE", pointer(*here),
                             f"`{key}`: this version of Weir does not support {_OUT_OF_SCOPE[key]}")
        elif others is False:
            yield diagnostic("E_KEY_UNKNOWN", pointer(*here), f"unknown key `{key}`", did_you_mean(key, known))
        else:
            yield from _check(child, others, root, here)
    for key in rule.get("required", ()):
        if key not in value:
            yield diagnostic("E_KEY_MISSING", pointer(*path), f"the key `{key}` is missing",
                             fixes=_only_choice(known.get(key, {}), (*path, key)))
    for key, needed in rule.get("dependentRequired", {}).items():
        for other in needed if key in value else ():
            if other not in value:
                yield diagnostic("E_KEY_MISSING", pointer(*path), f"the key `{other}` is missing; `{key}` "
                                                                  "requires it")
    low, high = rule.get("minProperties", 0), rule.get("maxProperties", len(value))
    if not low <= len(value) <= high:
        wanted = f"at least {low}" if len(value) < low else f"at most {high}"
        yield diagnostic("E_VALUE_RANGE", pointer(*path), f"the object has {len(value)} keys, but needs {wanted}")


def _only_choice(rule: dict, path: tuple) -> list[Fix]:
    """Return fixes that add missing keys with only one possible value."""
    return [Fix(f"Add {path[-1]}", pointer(*path), "set", rule["const"])] if "const" in rule else []


def _array(value: list, rule: dict, root: dict, path: tuple) -> Iterator[Diagnostic]:
    low, high = rule.get("minItems", 0), rule.get("maxItems", len(value))
    if not low <= len(value) <= high:
        wanted = f"{low}" if low == high else f"at least {low}" if len(value) < low else f"at most {high}"
        yield diagnostic("E_VALUE_RANGE", pointer(*path), f"the list has {len(value)} entries, but needs {wanted}")
    if rule.get("uniqueItems") and len({json.dumps(_whole(v)) for v in value}) < len(value):
        yield diagnostic("E_VALUE_RANGE", pointer(*path), "the list has the same entry twice")
    items = rule.get("items", True)
    if items is not True:
        for i, child in enumerate(value):
            yield from _check(child, items, root, (*path, i))


def _whole(value: Any) -> Any:
    """Return 2.0 as 2, because JSON does not distinguish them."""
    return int(value) if isinstance(value, float) and value.is_integer() else value


def _string(value: str, rule: dict, path: tuple) -> Iterator[Diagnostic]:
    if len(value) > rule.get("maxLength", len(value)):
        yield diagnostic("E_VALUE_RANGE", pointer(*path), f"the text has {len(value)} characters, but at most "
                                                          f"{rule['maxLength']} are allowed")
    if len(value) < rule.get("minLength", 0):
        yield diagnostic("E_VALUE_RANGE", pointer(*path), f"the text has {len(value)} characters, but at least "
                                                          f"{rule['minLength']} are needed")
    if "pattern" in rule and not _pattern(rule["pattern"]).search(value):
        code = rule.get("x-code", "E_VALUE_RANGE")
        yield diagnostic(code, pointer(*path), f"{describe(value)} is not a valid name", rule.get("x-hint", ""))


@functools.cache
def _pattern(text: str) -> re.Pattern:
    # In Python `$` also matches before a final newline; in ECMA 262, which JSON Schema means, it does not.
    return re.compile(text[:-1] + r"\Z" if text.endswith("$") else text)


def _number(value: int | float, rule: dict, path: tuple) -> Iterator[Diagnostic]:
    low, high = rule.get("minimum"), rule.get("maximum")
    if low is not None and value < low:
        yield diagnostic("E_VALUE_RANGE", pointer(*path), f"{value} is too small", f"use at least {low}",
                         within(pointer(*path), value, low, high))
    if "exclusiveMinimum" in rule and value <= rule["exclusiveMinimum"]:
        yield diagnostic("E_VALUE_RANGE", pointer(*path), f"{value} is too small",
                         f"use more than {rule['exclusiveMinimum']}")
    if high is not None and value > high:
        yield diagnostic("E_VALUE_RANGE", pointer(*path), f"{value} is too large", f"use at most {high}",
                         within(pointer(*path), value, low, high))
