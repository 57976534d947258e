"""Evaluation of the expressions of a flowgraph. Values are numbers, complex numbers, texts, and lists of these, all of
bounded size.
"""

from __future__ import annotations

import cmath
import math
import operator
from collections import ChainMap
from collections.abc import Callable, Mapping
from fractions import Fraction
from typing import Any, cast

from weir.interop.grc.expressions.arrays import FUNCTIONS as OF_ARRAYS
from weir.interop.grc.expressions.arrays import NAMES as NUMPY
from weir.interop.grc.expressions.arrays import Array, item_by_item
from weir.interop.grc.expressions.constellations import FUNCTIONS as OF_CONSTELLATIONS
from weir.interop.grc.expressions.constellations import METHODS, NORMALIZATIONS, Constellation
from weir.interop.grc.expressions.constellations import NAMES as DIGITAL
from weir.interop.grc.expressions.parsing import Node, NotUnderstood, names_in, parse
from weir.interop.grc.expressions.taps import FUNCTIONS, WINDOWS, designed
from weir.model.document.expressions import COMPARE

MOST_ITEMS, MOST_BITS, MAX_EXPONENT = 100_000, 128, 64
#: Most items in all lists of one flowgraph's expressions together, because thousands of small lists add up.
MOST_ITEMS_TOGETHER = 2_000_000
#: Items of lists that take as long as a step of a comprehension.
_STEP = 8

Value = int | float | complex | bool | str | None | Constellation | list["Value"]

_CONSTANTS = {"math.pi": math.pi, "math.e": math.e, "math.tau": math.tau, "pi": math.pi, "np.pi": math.pi,
              "numpy.pi": math.pi, "cmath.pi": math.pi}


class Namespace:
    """Names and their values. Each of `texts` is parsed and evaluated once, at its first use; `values` have been."""

    def __init__(self, texts: Mapping[str, str], values: Mapping[str, Value] | None = None):
        self.texts = {**dict.fromkeys(values or (), ""), **texts}
        self._nodes: dict[str, Node | NotUnderstood] = {}
        self._values: dict[str, Value | NotUnderstood] = dict(values or {})
        self._items = 0

    def node(self, name: str) -> Node:
        """Return the parsed expression of a variable. Raises NotUnderstood if it cannot be parsed."""
        if name not in self._nodes:
            try:
                self._nodes[name] = parse(self.texts[name])
            except NotUnderstood as error:
                self._nodes[name] = error
        found = self._nodes[name]
        if isinstance(found, NotUnderstood):
            raise NotUnderstood(f"`{name}`: {found}")
        return found

    def value(self, name: str) -> Value:
        """Return the value of a variable. Raises NotUnderstood if it does not exist, has no value here, or depends on
        itself.
        """
        if name not in self.texts:
            raise NotUnderstood(f"`{name}` is not a variable of the flowgraph")
        self._settle(name)
        found = self._values[name]
        if isinstance(found, NotUnderstood):
            raise NotUnderstood(str(found))
        return found

    def _settle(self, name: str) -> None:
        """Evaluate the variables that `name` needs, then `name`, without recursion, because the chain may be long."""
        pending, open_ = [name], set()
        while pending:
            current = pending[-1]
            missing = [] if current in self._values else [n for n in self._needs(current) if n not in self._values]
            if missing and current not in open_:
                open_.add(current)
                pending += missing
                continue
            pending.pop()
            open_.discard(current)
            if missing:
                self._values[current] = NotUnderstood(f"`{current}` is defined in terms of itself")
            elif current not in self._values:
                try:
                    self._values[current] = self.evaluate(self.node(current))
                except NotUnderstood as error:
                    self._values[current] = error

    def _needs(self, name: str) -> list[str]:
        try:
            return sorted(names_in(self.node(name)) & self.texts.keys())
        except NotUnderstood:
            return []

    def evaluate(self, node: Node) -> Value:
        """Return the value of a tree. Raises NotUnderstood if it has none."""
        try:
            return _checked(_evaluate(node, self))
        except (ValueError, ZeroDivisionError, OverflowError, TypeError, IndexError, AttributeError) as error:
            raise NotUnderstood(f"it has no value: {error}") from None
        except RecursionError:
            raise NotUnderstood("it is nested too deeply") from None

    def text_value(self, text: str) -> Value:
        """Return the value of an expression's text."""
        return self.evaluate(parse(text))

    def count(self, items: int) -> None:
        """Count items of lists. Raises NotUnderstood if all lists together have too many."""
        self._items += items
        if self._items > MOST_ITEMS_TOGETHER:
            raise NotUnderstood(f"the lists of the flowgraph have more than {MOST_ITEMS_TOGETHER} entries together")


class _Inside(Namespace):
    """Names inside a comprehension: its own, and those around it."""

    def __init__(self, outer: Namespace, own: Mapping[str, Value]):
        self.own: Mapping[str, Value] = {**outer.own, **own} if isinstance(outer, _Inside) else own
        self.root: Namespace = outer.root if isinstance(outer, _Inside) else outer
        super().__init__(ChainMap(dict.fromkeys(self.own, ""), cast(Any, self.root.texts)))

    def value(self, name: str) -> Value:
        return self.own[name] if name in self.own else self.root.value(name)

    def count(self, items: int) -> None:
        self.root.count(items)


def _checked(value: Value) -> Value:
    if isinstance(value, int) and value.bit_length() > MOST_BITS:
        raise NotUnderstood("a number is too large")
    if isinstance(value, float) and not math.isfinite(value):
        raise NotUnderstood("a number is not finite")
    if isinstance(value, (list, str)) and len(value) > MOST_ITEMS:
        raise NotUnderstood(f"a list has more than {MOST_ITEMS} entries")
    return value


def _evaluate(node: Node, names: Namespace) -> Value:
    if node.kind == "call":
        names.count(0)  # stop before making a list that is too long
    value = _value(node, names)
    if isinstance(names, _Inside):  # each step is repeated, so it counts, too
        names.count(_STEP + (len(value) if isinstance(value, (list, str)) else 0))
    elif isinstance(value, list) and node.kind != "name":
        names.count(len(value))
    return value


def _value(node: Node, names: Namespace) -> Value:
    kind, inner = node.kind, node.children
    if kind == "value":
        return _checked(cast(Value, node.value))
    if kind == "name":
        return _named(str(node.value), names)
    if kind == "call":
        return _checked(_call(node, names))
    if kind == "method":
        return _checked(_method(_evaluate(inner[0], names), str(node.value)))
    if kind == "choice":
        return _evaluate(inner[1] if _truth(_evaluate(inner[0], names)) else inner[2], names)
    if kind == "logic":
        for child in inner[:-1]:
            value = _evaluate(child, names)
            if _truth(value) == (node.value == "or"):
                return value
        return _evaluate(inner[-1], names)
    if kind == "each":
        return _checked(_each(node, names))
    values = [_evaluate(child, names) for child in inner]
    if kind == "slice":
        return _slice(*values)
    if kind == "list":
        return _checked(values)
    if kind == "index":
        return _index(*values)
    if kind == "unary":
        return _checked(_unary(str(node.value), values[0]))
    if kind == "compare":
        _flat(values)
        return COMPARE[str(node.value)](*values)
    return _checked(_binary(str(node.value), *values))


def _truth(value: Value) -> bool:
    if isinstance(value, Array):
        raise NotUnderstood("an array is neither true nor false")
    return bool(value)


def _flat(values: list[Value]) -> None:
    """Refuse to compare arrays, and nested lists: nested lists that share parts could take forever."""
    if any(isinstance(value, Array) for value in values):
        raise NotUnderstood("arrays cannot be compared")
    if any(isinstance(inner, list) for value in values if isinstance(value, list) for inner in value):
        raise NotUnderstood("lists of lists cannot be compared")


def _named(name: str, names: Namespace) -> Value:
    if name in names.texts:
        return names.value(name)
    if name in _CONSTANTS:
        return _CONSTANTS[name]
    last = name.rpartition(".")[2]
    if last in WINDOWS or last in NORMALIZATIONS:
        return last
    raise NotUnderstood(f"`{name}` is not a variable of the flowgraph")


def _index(value: Value, at: Value) -> Value:
    if not isinstance(value, list) or isinstance(at, bool) or not isinstance(at, int):
        raise NotUnderstood("only lists have an index, and it must be an integer")
    return value[at]


def _slice(value: Value, *ends: Any) -> Value:
    if not isinstance(value, (list, str)) or any(isinstance(it, bool) for it in ends):
        raise NotUnderstood("only lists and texts have slices, and their ends must be integers")
    part = value[slice(*ends)]
    return Array(part) if isinstance(value, Array) else part


def _each(node: Node, names: Namespace) -> list[Value]:
    own, (items, result, *conditions) = cast("tuple[str, ...]", node.value), node.children
    found: list[Value] = []
    for item in _listed(_evaluate(items, names)):
        parts = [item] if len(own) == 1 else _listed(item)
        inside = _Inside(names, dict(zip(own, parts, strict=True)))
        if all(_truth(_evaluate(condition, inside)) for condition in conditions):
            found.append(_evaluate(result, inside))
    return found


def _is_number(value: Value) -> bool:
    return isinstance(value, (int, float, complex))


def _unary(op: str, value: Value) -> Value:
    if op == "not":
        return not _truth(value)
    if isinstance(value, Array):
        return item_by_item(_UNARY[op], value)
    return _UNARY[op](value)


def _binary(op: str, a: Any, b: Any) -> Value:
    if isinstance(a, Array) or isinstance(b, Array):
        return item_by_item(lambda x, y: _checked(_binary(op, x, y)), a, b)
    if op == "*" and (isinstance(a, list) or isinstance(b, list)):
        return _repeated(a, b)
    if op == "+" and isinstance(a, (list, str)) and type(a) is type(b):
        return _checked(cast(Any, a) + b)
    if not (_is_number(a) and _is_number(b)):
        raise NotUnderstood(f"`{op}` needs numbers")
    if op == "**":
        return _power(a, b)
    if op in ("<<", ">>") and not 0 <= b <= MOST_BITS:
        raise NotUnderstood("a shift is too large")
    return _BINARY[op](a, b)


def _repeated(a: Any, b: Any) -> Value:
    values, times = (a, b) if isinstance(a, list) else (b, a)
    if isinstance(times, bool) or not isinstance(times, int) or len(values) * times > MOST_ITEMS:
        raise NotUnderstood("the repetitions of a list are too many, or not an integer")
    return values * times


def _power(a: Any, b: Any) -> Any:
    if isinstance(b, complex) or abs(b) > MAX_EXPONENT or isinstance(a, int) and abs(a) > 2**MOST_BITS:
        raise NotUnderstood(f"an exponent is larger than {MAX_EXPONENT}")
    return a**b


_UNARY: dict[str, Callable] = {"+": operator.pos, "-": operator.neg, "~": operator.invert}
_BINARY: dict[str, Callable] = {
    "+": operator.add, "-": operator.sub, "*": operator.mul, "/": operator.truediv, "//": operator.floordiv,
    "%": operator.mod, "<<": operator.lshift, ">>": operator.rshift, "&": operator.and_, "|": operator.or_,
    "^": operator.xor}


def _int(value: Any) -> int:
    if isinstance(value, str) and len(value) > 40:
        raise NotUnderstood("a number is too long")
    return int(value)


def _range(*limits: Any) -> list[int]:
    numbers = range(*limits)
    if len(numbers) > MOST_ITEMS:
        raise NotUnderstood("a range is too long")
    return list(numbers)


def _listed(value: Value) -> list:
    if not isinstance(value, list):
        raise NotUnderstood("a list is needed")
    return list(value)


def _zip(*lists: Value) -> Value:
    return [list(row) for row in zip(*map(_listed, lists))]


def _abs(value: Any) -> Value:
    return item_by_item(abs, value) if isinstance(value, Array) else abs(value)


def _ratio(value: Any) -> list[int]:
    """Return numerator and denominator of the simplest fraction that rounds to a positive number in float32."""
    number = Fraction(value)
    if number <= 0:
        raise NotUnderstood("a ratio is above 0")
    low, high = (number * (1 + Fraction(side, 2**25)) for side in (-1, 1))
    before, after, over, under = 1, 0, 0, 1  # convergents of the continued fraction that both ends share
    while math.ceil(low) > high:
        whole = math.floor(low)
        before, after, over, under = whole * before + after, before, whole * over + under, over
        low, high = 1 / (high - whole), 1 / (low - whole)
    whole = math.ceil(low)
    return [whole * before + after, whole * over + under]


#: Methods of texts.
_OF_TEXTS = ("startswith", "endswith")
#: Built-in functions, and those of `math`.
_BUILTIN: dict[str, Callable] = {
    "int": _int, "float": float, "complex": complex, "abs": _abs, "min": min, "max": max, "round": round, "len": len,
    "sum": sum, "bool": bool, "str": str, "list": _listed, "tuple": _listed, "range": _range, "zip": _zip,
    "pow": _power}
_MATH: dict[str, Callable] = {
    "floor": math.floor, "ceil": math.ceil, "sqrt": math.sqrt, "log2": math.log2, "log10": math.log10,
    "log": math.log, "exp": math.exp, "sin": math.sin, "cos": math.cos, "tan": math.tan, "atan": math.atan,
    "atan2": math.atan2, "radians": math.radians, "degrees": math.degrees, "trunc": math.trunc, "gcd": math.gcd,
    "pow": lambda a, b: float(_power(a, b)), "fabs": math.fabs, "hypot": math.hypot}
_CMATH: dict[str, Callable] = {name: getattr(cmath, name) for name in (
    "sqrt", "log10", "log", "exp", "sin", "cos", "tan", "atan", "phase")}
#: Functions for the table of blocks alone.
_OURS: dict[str, Callable] = {"ratio": _ratio}
_MODULES: dict[str, dict[str, Callable]] = {
    "": _BUILTIN, "weir": _OURS, "math": _MATH, "cmath": _CMATH, **{name: OF_ARRAYS for name in NUMPY},
    **{name: OF_CONSTELLATIONS for name in DIGITAL}}


def designer(node: Node) -> str:
    """Return the function of `firdes` that a node calls, "" for any other node."""
    module, _, last = str(node.value).rpartition(".")
    return last if node.kind == "call" and module.rpartition(".")[2] == "firdes" and last in FUNCTIONS else ""


def _method(value: Value, name: str) -> Value:
    if not isinstance(value, Constellation) or name not in METHODS:
        raise NotUnderstood(f"Weir does not support the method `{name}()`")
    return METHODS[name](value)


def _call(node: Node, names: Namespace) -> Value:
    name = str(node.value)
    arguments = [_evaluate(child, names) for child in node.children]
    keywords = {word: _evaluate(child, names) for word, child in node.keywords}
    module, _, last = name.rpartition(".")
    if designer(node):
        return [*designed(last, arguments, keywords)]
    if last in METHODS and module in names.texts and not arguments and not keywords:
        return _method(names.value(module), last)
    function = _MODULES.get(module, {}).get(last)
    if function and name not in names.texts and not keywords:
        if any(isinstance(it, Constellation) for it in arguments):
            raise NotUnderstood("a constellation is neither number nor list")
        of_arrays = module in NUMPY or any(isinstance(it, Array) for it in arguments)
        if not of_arrays and function not in (len, _listed):
            _flat(arguments)
        return function(*arguments)
    if last in _OF_TEXTS and module in names.texts and not keywords and all(isinstance(it, str) for it in arguments):
        text = names.value(module)
        if isinstance(text, str):
            return getattr(text, last)(*arguments)
    raise NotUnderstood(f"Weir does not support the function `{name}()`")
