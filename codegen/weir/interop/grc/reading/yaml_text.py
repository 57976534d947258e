"""YAML reader that builds plain data from events. It constructs nothing from tags, follows no aliases, and bounds size
and depth.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, field

from weir.diagnostics import WeirError, diagnostic

MAX_BYTES, MAX_DEPTH, MAX_NODES = 16 * 1024 * 1024, 32, 1_000_000
#: Tags that only repeat the type of a plain value.
_HARMLESS = {f"tag:yaml.org,2002:{name}" for name in ("str", "int", "float", "bool", "null", "map", "seq")} | {"!"}
_LONGEST_NUMBER = 40

Plain = str | int | float | bool | None | list["Plain"] | dict[str, "Plain"]


@dataclass
class _Builder:
    """Builder of nested values from events. It keeps the open containers and the keys that have no value yet."""

    open: list[tuple[list | dict, list[str]]] = field(default_factory=list)
    root: Plain = None
    done: bool = False

    def add(self, value: Plain) -> None:
        if not self.open:
            self.root, self.done = value, True
            return
        container, key = self.open[-1]
        if isinstance(container, list):
            container.append(value)
        elif key:
            container[key.pop()] = value
        elif isinstance(value, (list, dict)):
            raise _fault("E_GRC_SYNTAX", "a key is a list or a mapping", "use words as keys")
        else:
            key.append(str(value))


def _fault(code: str, message: str, hint: str = "") -> WeirError:
    return WeirError(diagnostic(code, "", message, hint))


def read_yaml(text: str) -> tuple[Plain, list[str]]:
    """Return the first document's value, and its tags that would construct an object elsewhere.

    Raises WeirError for malformed YAML (E_GRC_SYNTAX), and beyond the limits (E_GRC_LIMIT).
    """
    yaml = library()
    loader, resolver = getattr(yaml, "CSafeLoader", yaml.SafeLoader), yaml.resolver.Resolver()
    builder, tags, count = _Builder(), [], 0
    try:
        for event in yaml.parse(text, Loader=loader):
            count += 1
            if count > MAX_NODES:
                raise _fault("E_GRC_LIMIT", f"more than {MAX_NODES} values", "a flowgraph has few values")
            if isinstance(event, yaml.AliasEvent):
                raise _fault("E_GRC_SYNTAX", f"{_at(event)}: an alias (*{event.anchor})",
                             "replace the alias by its value: GNU Radio Companion writes no aliases")
            tag = getattr(event, "tag", None)
            if tag and tag not in _HARMLESS:
                tags.append(f"{_at(event)}: the tag {tag}")
            if isinstance(event, yaml.ScalarEvent):
                builder.add(_scalar(event, resolver, yaml))
            elif isinstance(event, (yaml.SequenceStartEvent, yaml.MappingStartEvent)):
                if len(builder.open) == MAX_DEPTH:
                    raise _fault("E_GRC_LIMIT", f"{_at(event)}: nested more than {MAX_DEPTH} deep",
                                 "a flowgraph needs few levels")
                builder.open.append(([] if isinstance(event, yaml.SequenceStartEvent) else {}, []))
            elif isinstance(event, (yaml.SequenceEndEvent, yaml.MappingEndEvent)):
                builder.add(builder.open.pop()[0])
            elif isinstance(event, yaml.DocumentEndEvent):
                break
    except yaml.YAMLError as error:
        raise _fault("E_GRC_SYNTAX", _what_yaml_says(error)) from None
    return builder.root, tags


def library():
    """Return the YAML library. Raises WeirError (E_TOOL_MISSING) without it."""
    try:
        import yaml
    except ImportError:
        raise _fault("E_TOOL_MISSING", "the YAML library of Python is not installed",
                     "install the package python3-yaml") from None
    return yaml


def _at(event) -> str:
    return f"line {event.start_mark.line + 1}"


def _what_yaml_says(error: Exception) -> str:
    mark, problem = getattr(error, "problem_mark", None), getattr(error, "problem", None)
    place = f"line {mark.line + 1}, column {mark.column + 1}: " if mark else ""
    return f"{place}{problem or getattr(error, 'reason', None) or 'the text is not YAML'}"


def _scalar(event, resolver, yaml) -> Plain:
    """Return text, or the value of a plain scalar in YAML 1.1. A number with too many digits stays text."""
    text: str = event.value.encode("utf-8", "replace").decode()  # JSON cannot contain half a surrogate pair
    if not event.implicit[0] or event.style:
        return text
    tag = resolver.resolve(yaml.ScalarNode, text, (True, False)).rpartition(":")[2]
    if tag == "null":
        return None
    if tag == "bool":
        return text.lower() in ("true", "yes", "on")
    if tag in ("int", "float") and len(text) <= _LONGEST_NUMBER:
        return _number(text, tag)
    return text


def _number(text: str, tag: str) -> Plain:
    digits = text.replace("_", "")
    try:
        if tag == "float":
            value = float(digits)
            return value if math.isfinite(value) else text
        octal = digits.lstrip("+-").startswith("0") and digits.lstrip("+-").isdigit() and len(digits.lstrip("+-")) > 1
        whole = int(digits, 8 if octal else 0)
        return whole if -(2**63) <= whole < 2**63 else text
    except ValueError:
        return text  # for example sexagesimal numbers and .inf
