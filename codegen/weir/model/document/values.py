"""Values of a project: literals and expressions evaluated, then typed and checked against a descriptor's parameter."""

from __future__ import annotations

import math
import os
import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, TypeGuard

from weir.diagnostics import Diagnostic, Fix, diagnostic, did_you_mean, nearest, pointer, within
from weir.model.document.digits import counted
from weir.model.document.expressions import FUNCTIONS, ExpressionError, Number, evaluate, names_in
from weir.model.document.item_types import F32_MAX, ITEM_TYPES, Parameter
from weir.model.document.jsontext import INT64_MAX, INT64_MIN
from weir.model.document.shape import describe
from weir.sure import sure

Path_ = tuple[str | int, ...]


def is_expression(value: object) -> TypeGuard[dict[str, Any]]:
    """Return whether a JSON value is `{"expr": "..."}`."""
    return isinstance(value, dict) and isinstance(value.get("expr"), str)


def expressions_in(value: object, path: Path_ = ()) -> Iterator[tuple[Path_, str]]:
    """Yield the expressions of a JSON value with their paths."""
    if is_expression(value):
        yield path, value["expr"]
    elif isinstance(value, (dict, list)):
        for key, child in value.items() if isinstance(value, dict) else enumerate(value):
            yield from expressions_in(child, (*path, key))


@dataclass
class Evaluator:
    """Evaluates values and collects their faults. A faulty value becomes None.

    `broken`: parameters whose own value is faulty. Expressions that use them fail, too, without another diagnostic.
    """

    names: Mapping[str, Number]
    broken: frozenset[str] = frozenset()
    directory: Path = Path()
    allow_paths: tuple[Path, ...] = ()
    diagnostics: list[Diagnostic] = field(default_factory=list)
    _defaults: dict[tuple[int, str | None], object] = field(default_factory=dict)

    def fault(self, code: str, path: Path_, message: str, hint: str = "", fixes: Iterable[Fix] = ()) -> None:
        """Add a diagnostic."""
        self.diagnostics.append(diagnostic(code, pointer(*path), message, hint, fixes))

    def literal(self, value: Any, path: Path_) -> Any:
        """Return a literal value, or the value of an expression; None after a fault."""
        if not is_expression(value):
            return value
        text = value["expr"]
        try:
            if self.broken and not self.broken.isdisjoint(names_in(text)):
                return None
            return evaluate(text, self.names)
        except ExpressionError as error:
            where = f"expression `{_shorten(text)}`, character {error.position + 1}"
            self.diagnostics.append(diagnostic(error.code, pointer(*path), f"{where}: {error.message}", error.hint,
                                               _corrected(text, error, pointer(*path))))
            return None

    def integer(self, value: Any, path: Path_, minimum: int = INT64_MIN, maximum: int = INT64_MAX) -> int | None:
        """Return the integer of a literal or expression within these limits; None after a fault."""
        result = self.literal(value, path)
        if result is None:
            return None
        if isinstance(result, float):
            if not result.is_integer():
                self.fault("E_EXPR_FRACTION", path, f"the value must be an integer, not {result}",
                           "round the value with floor(), ceil() or round()")
                return None
            result = int(result)
        if not minimum <= result <= maximum:
            self.fault("E_VALUE_RANGE", path, f"{result} is too {'small' if result < minimum else 'large'}",
                       f"use at least {minimum}" if result < minimum else f"use at most {maximum}",
                       _to_limit(value, path, result, minimum, maximum))
            return None
        return result

    def parameters(self, given: Mapping[str, Any], known: Iterable[Parameter], path: Path_, owner: str,
                   item_type: str | None = None) -> dict[str, Any]:
        """Return each parameter of a descriptor with its given value or its default. Faulty parameters are left out.

        `path` is the path of the object that holds `parameters`.
        """
        known, values = list(known), {}
        for name in given:
            if not name.startswith("x_") and all(p.id != name for p in known):
                self.fault("E_PARAMETER_UNKNOWN", (*path, "parameters", name), f"{owner} has no parameter `{name}`",
                           did_you_mean(name, [p.id for p in known]))
        for parameter in known:
            if parameter.id in given:
                value = self.typed(parameter, given[parameter.id], (*path, "parameters", parameter.id), item_type)
            elif parameter.required:
                self.fault("E_PARAMETER_MISSING", path, f"{owner} needs a value for its parameter `{parameter.id}`",
                           parameter.documentation)
                value = None
            else:
                value = self._default(parameter, path, item_type)
            if value is not None:
                values[parameter.id] = value
        return {p.id: values[p.id] for p in known
                if p.id in values and self._related(p, values, given, path, item_type)}

    def _related(self, parameter: Parameter, values: Mapping[str, Any], given: Mapping[str, Any], path: Path_,
                 item_type: str | None) -> bool:
        """Check a value against a range that depends on another parameter."""
        at = (*path, "parameters", parameter.id) if parameter.id in given else path
        value, rate = values[parameter.id], values.get(parameter.sampled_at)
        if rate and abs(value) > rate / 2:
            self.fault("W_ALIASED", at, f"`{parameter.id}` is {value:.12g} Hz, above half the sample rate of "
                                        f"{rate:.12g} Hz")
        other = values.get(parameter.below or parameter.within_file)
        if other is None:
            return True
        most = other - 1 if parameter.below else self._items_of(other, item_type)
        if most is None or value <= most:
            return True
        where = (f" where `{parameter.below}` is {other}" if parameter.below else
                 f": the file `{parameter.within_file}` has {counted(most, 'item')}")
        self.fault("E_PARAMETER_RANGE", at, f"`{parameter.id}` cannot be {value}{where}", f"use at most {most}",
                   _to_limit(given[parameter.id], at, value, -math.inf, most) if parameter.id in given else ())
        return False

    def _items_of(self, file: str, item_type: str | None) -> int | None:
        """Return the number of whole items in a file, None if the file does not exist."""
        path = self.directory / file
        if item_type is None or not os.path.isfile(path):
            return None
        return os.path.getsize(path) // ITEM_TYPES[item_type].size

    def _default(self, parameter: Parameter, path: Path_, item_type: str | None) -> Any:
        # A thousand blocks of a type share their defaults.
        key = (id(parameter), item_type)
        if self._defaults.get(key) is None:
            said = len(self.diagnostics)
            self._defaults[key] = self.typed(parameter, parameter.default, path, item_type)
            # Drop the fixes: a default is not in the project file.
            self.diagnostics[said:] = [replace(d, fixes=()) for d in self.diagnostics[said:]]
        return self._defaults[key]

    def typed(self, parameter: Parameter, value: Any, path: Path_, item_type: str | None = None) -> Any:
        """Return `value` in the parameter's type: int, float, bool, str, a list of floats, or (re, im) for c64."""
        kind = item_type if parameter.type == "item" else parameter.type
        if kind is None or value is None:
            return None
        if kind in ("bool", "string", "enum", "path"):
            return self._word(parameter, kind, value, path)
        if kind == "f32_list":
            return self._list(parameter, value, path)
        if kind == "c64":
            parts = value if isinstance(value, list) else [value, 0.0]
            if len(parts) != 2:
                self.fault("E_PARAMETER_TYPE", path, "write a complex value as a number or [re, im]")
                return None
            numbers = [self._scalar(parameter, "f32", v, (*path, i) if parts is value else path)
                       for i, v in enumerate(parts)]
            return None if None in numbers else (numbers[0], numbers[1])
        return self._scalar(parameter, kind, value, path)

    def _word(self, parameter: Parameter, kind: str, value: Any, path: Path_) -> Any:
        if not isinstance(value, (bool if kind == "bool" else str)):
            wanted = "true or false" if kind == "bool" else "a text"
            self.fault("E_PARAMETER_TYPE", path, f"`{parameter.id}` is {wanted}, not {describe(value)}")
            return None
        if kind == "enum" and value not in parameter.options:
            self.fault("E_PARAMETER_CHOICE", path, f"`{parameter.id}` cannot be {describe(value)}",
                       did_you_mean(str(value), parameter.options))
            return None
        if isinstance(value, str) and "\0" in value:
            self.fault("E_PARAMETER_TYPE", path, f"`{parameter.id}` contains a NUL character")
            return None
        if kind != "path" or not value:  # "" means no file
            return value
        base, suffix = os.path.splitext(str(value))
        files = [str(value), *(base + other for other in parameter.beside
                               if suffix in parameter.beside and other != suffix)]
        if not all(self._path_allowed(parameter, file, path) for file in files):
            return None
        if parameter.access == "read" and os.path.isdir(self.directory / str(value)):
            self.fault("E_PATH_FOLDER", path, f"`{parameter.id}`: {describe(value)} is a folder")
            return None
        return value

    def _path_allowed(self, parameter: Parameter, value: str, path: Path_) -> bool:
        if parameter.access == "write" and _goes_down(value):
            return True  # the file is written to the run directory
        if is_allowed(value, self.directory, self.allow_paths):
            return True
        self.fault("E_PATH_OUTSIDE", path, f"`{parameter.id}`: {describe(value)} is outside the project's folder",
                   "write the path relative to the project file, or allow its folder with --allow-path")
        return False

    def _list(self, parameter: Parameter, value: Any, path: Path_) -> list[float] | None:
        if not isinstance(value, list):
            self.fault("E_PARAMETER_TYPE", path, f"`{parameter.id}` must be a list of numbers, not {describe(value)}")
            return None
        if len(value) < parameter.minimum_length:
            self.fault("E_PARAMETER_RANGE", path, f"`{parameter.id}` is a list of {counted(len(value), 'value')}",
                       f"use at least {counted(parameter.minimum_length, 'value')}")
            return None
        numbers = [self._scalar(parameter, "f32", v, (*path, i)) for i, v in enumerate(value)]
        return None if None in numbers else [number for number in numbers if number is not None]

    def _scalar(self, parameter: Parameter, kind: str, value: Any, path: Path_) -> Number | None:
        result = self.literal(value, path)
        if result is None:
            return None
        if isinstance(result, bool) or not isinstance(result, (int, float)):
            self.fault("E_PARAMETER_TYPE", path, f"`{parameter.id}` must be a number, not {describe(result)}",
                       "write an expression as {\"expr\": \"…\"}" if isinstance(result, str) else "")
            return None
        whole = kind == "i64" or kind in ITEM_TYPES and ITEM_TYPES[kind].integer
        if whole and isinstance(result, float):
            if not result.is_integer():
                self.fault("E_EXPR_FRACTION", path, f"`{parameter.id}` must be an integer, not {result}",
                           "round the value with floor(), ceil() or round()" if is_expression(value) else "")
                return None
            result = int(result)
        low, high = limits(parameter, kind)
        if not low <= result <= high:
            unit = f" {parameter.unit}" if parameter.unit else ""
            self.fault("E_PARAMETER_RANGE", path, f"`{parameter.id}` cannot be {result}{unit}",
                       f"use at least {low}{unit}" if result < low else f"use at most {high}{unit}",
                       _to_limit(value, path, result, low, high))
            return None
        return result if whole else float(result)


def is_allowed(path: str, directory: Path, allow_paths: Iterable[Path]) -> bool:
    """Return whether a project in `directory` may read the file."""
    # realpath also catches symbolic links that lead out.
    target = os.path.realpath(directory / path)
    roots = [directory, *allow_paths] if _goes_down(path) else allow_paths
    return any(os.path.commonpath([target, root]) == root for root in map(os.path.realpath, roots))


def _goes_down(path: str) -> bool:
    return ".." not in Path(path).parts and not os.path.isabs(path)


def limits(parameter: Parameter, kind: str) -> tuple[Number, Number]:
    """Return the smallest and the largest number that a parameter accepts. `kind` is its type, or the item type for T.
    """
    if kind in ITEM_TYPES:
        low, high = ITEM_TYPES[kind].minimum, ITEM_TYPES[kind].maximum
    else:
        low, high = (INT64_MIN, INT64_MAX) if kind == "i64" else (-F32_MAX, F32_MAX)
    return (max(low, -math.inf if parameter.minimum is None else parameter.minimum),
            min(high, math.inf if parameter.maximum is None else parameter.maximum))


def _to_limit(value: Any, path: Path_, result: Number, low: Number, high: Number) -> tuple[Fix, ...]:
    """Return a fix that replaces a number with its limit. A value that depends on parameters must be mended there
    instead.
    """
    return () if is_expression(value) and names_in(value["expr"]) else within(pointer(*path), result, low, high)


def _corrected(text: str, error: ExpressionError, path: str) -> list[Fix]:
    """Return fixes for an unknown name: replace it with the name in the hint, or add it as a parameter."""
    if error.code != "E_EXPR_NAME":
        return []
    wrong = sure(re.match(r"[A-Za-z0-9_]*", text[error.position:]))[0]
    after = text[error.position + len(wrong):]
    fixes = []
    if word := nearest(error.hint):
        fixes.append(Fix(f"Use {word}", path, "set", {"expr": text[:error.position] + word + after}))
    if re.fullmatch(r"[a-z][a-z0-9_]{0,63}", wrong) and wrong not in FUNCTIONS and not after.lstrip().startswith("("):
        fixes.append(Fix(f"Define the parameter {wrong}", pointer("parameters", wrong), "set", {"value": 1}))
    return fixes


def _shorten(text: str) -> str:
    return text if len(text) <= 60 else text[:57] + "…"
