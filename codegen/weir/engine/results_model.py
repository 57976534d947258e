"""Data model of results.json: objects, fields, units and metrics, read from `schema/results.model.json`.

`codegen/make_results.py` generates the schema, the fields of the C++ writer and docs/results.md from it. The code that
fills in results, tables and comparisons reads it at run time.
"""

from __future__ import annotations

import functools
import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from weir.model.document.shape import SCHEMA_FOLDER
from weir.sure import sure

MODEL_FILE = SCHEMA_FOLDER / "results.model.json"
ROOT = "results"

#: Name suffix -> unit; longer suffixes first.
UNITS = {"_items_per_s": "items/s", "_bytes": "bytes", "_items": "items", "_ulp": "ulp", "_ns": "ns", "_us": "us",
         "_s": "s"}


@dataclass(frozen=True)
class Kind:
    """Type of a field, from its text: `sink[]?` is a list of sinks or null, `count{}` counts by name.

    `form` is "" for the type or object `of`, "?" (or null), "[]" (a list) or "{}" (by name) of the kind `of`.
    """

    form: str
    of: Kind | str

    @classmethod
    def parse(cls, text: str) -> Kind:
        """Return the kind for a text such as `integer?`."""
        for form in ("?", "[]", "{}"):
            if text.endswith(form):
                return cls(form, cls.parse(text.removesuffix(form)))
        return cls("", text)

    @property
    def inner(self) -> Kind:
        """Return the kind of its elements if it has a form."""
        return self.of if isinstance(self.of, Kind) else Kind("", self.of)

    @property
    def base(self) -> str:
        """Return the name of its innermost type or object."""
        return self.of if isinstance(self.of, str) else self.of.base


@dataclass(frozen=True)
class Field:
    """A field. `by` is its author: program, runner or both. `later`: results of earlier versions may lack it.

    `unit` is "" for plain numbers and other values. `per_mille` is the share of samples at or below a percentile.
    `changed` is its meaning in earlier versions, `was` its earlier name.
    """

    name: str
    kind: Kind
    meaning: str
    unit: str
    by: str = "program"
    later: bool = False
    title: str = ""
    per_mille: int | None = None
    changed: str = ""
    was: str = ""


@dataclass(frozen=True)
class Record:
    """An object of results.json. `parts` are its fields, and names of objects whose fields it includes.

    `layout` of the program's text: one line per object, or (block) one line per field.
    """

    id: str
    parts: tuple[Field | str, ...]
    meaning: str = ""
    title: str = ""
    layout: str = "line"

    @functools.cached_property
    def fields(self) -> dict[str, Field]:
        """Return all fields by name, in order."""
        found: dict[str, Field] = {}
        for part in self.parts:
            found.update({part.name: part} if isinstance(part, Field) else records()[part].fields)
        return found


@functools.cache
def model() -> Mapping[str, Any]:
    """Return the content of the model's file."""
    return json.loads(MODEL_FILE.read_text(encoding="utf-8"))


@functools.cache
def records() -> dict[str, Record]:
    """Return the objects by id, the root first."""
    return {name: Record(name, tuple(map(_part, entry["fields"])), **{k: v for k, v in entry.items() if k != "fields"})
            for name, entry in model()["objects"].items()}


def _part(entry: Mapping[str, Any]) -> Field | str:
    if "all_of" in entry:
        return entry["all_of"]
    unit = next((unit for end, unit in UNITS.items() if f"_{entry['name']}".endswith(end)), "")
    others = {key: value for key, value in entry.items() if key != "type"}
    return Field(**{"meaning": "", "unit": unit, **others}, kind=Kind.parse(entry["type"]))


def fields(record: str) -> dict[str, Field]:
    """Return the fields of a record, by name."""
    return records()[record].fields


def blank(kind: Kind = Kind("", ROOT)) -> Any:
    """Return a value of that kind with nothing measured: all fields exist; lists and mappings are empty."""
    if kind.form:
        return {"?": None, "[]": [], "{}": {}}[kind.form]
    return {name: blank(it.kind) for name, it in fields(kind.base).items()} if kind.base in records() else None


def fill_in(value: Any, kind: Kind = Kind("", ROOT), every: bool = False) -> None:
    """Add fields that results of earlier versions lack, or `every` field, and rename old names.

    Leaves a value of another kind alone.
    """
    if kind.form:
        for inner in _inside(value, kind.form):
            fill_in(inner, kind.inner, every)
    elif isinstance(value, dict) and kind.base in records():
        for name, it in fields(kind.base).items():
            if it.was and it.was in value:
                value.setdefault(name, value.pop(it.was))
            if name in value:
                fill_in(value[name], it.kind, every)
            elif it.later or every:
                value[name] = blank(it.kind)


def _inside(value: Any, form: str) -> Iterator[Any]:
    if form == "?":
        yield value
    elif form == "[]" and isinstance(value, list):
        yield from value
    elif form == "{}" and isinstance(value, dict):
        yield from value.values()


def field_at(pointer: str) -> Field:
    """Return the field of a JSON pointer into results.json, in which `*` means every element. Raises KeyError."""
    found, record = None, ROOT
    for name in pointer.strip("/").split("/"):
        if name != "*":
            found = fields(record)[name]
            record = found.kind.base
    return sure(found)


def values_at(value: Any, pointer: str) -> Iterator[Any]:
    """Yield the values at a JSON pointer: for `/threads/*/cpu_time_s` one per thread, None if not measured."""
    name, _, rest = pointer.removeprefix("/").partition("/")
    if not name:
        yield value
    elif name == "*":
        for each in value if isinstance(value, list) else ():
            yield from values_at(each, rest)
    else:
        yield from values_at(value.get(name) if isinstance(value, Mapping) else None, rest)
