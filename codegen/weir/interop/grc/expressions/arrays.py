"""Arrays like those that numpy makes from lists: one dimension, with arithmetic on each item."""

from __future__ import annotations

import cmath
import math
from collections.abc import Callable, Sequence

from weir.interop.grc.expressions.parsing import NotUnderstood

#: Names of the module in flowgraphs.
NAMES = ("np", "numpy")
MOST_ITEMS = 100_000


class Array(list):
    """Array with arithmetic on items: `Array([1, 2]) * 2` is [2, 4], while a list would be repeated."""


def item_by_item(function: Callable, *operands: object) -> Array:
    """Apply a function to the items of arrays; a number is combined with each item. Raises NotUnderstood if lengths
    differ, or if items are lists.
    """
    lengths = {len(operand) for operand in operands if isinstance(operand, list)}
    if len(lengths) != 1:
        raise NotUnderstood("arrays have different lengths")
    count = lengths.pop()
    columns = [operand if isinstance(operand, list) else [operand] * count for operand in operands]
    return array([function(*row) for row in zip(*columns)])


def array(values: object) -> Array:
    """Return an array for a list of numbers. Raises NotUnderstood for anything else."""
    if not isinstance(values, list):
        raise NotUnderstood("an array needs a list")
    if any(isinstance(value, (list, str)) or value is None for value in values):
        raise NotUnderstood("only arrays of numbers with one dimension are supported")
    return Array(values)


def _count(items: object) -> int:
    if isinstance(items, bool) or not isinstance(items, int) or not 0 <= items <= MOST_ITEMS:
        raise NotUnderstood(f"an array has at most {MOST_ITEMS} entries")
    return items


def _of_each(real: Callable, of_complex: Callable | None = None) -> Callable:
    """Extend a function of a number to arrays and lists of numbers."""

    def one(value: object) -> object:
        return of_complex(value) if of_complex and isinstance(value, complex) else real(value)

    return lambda value: item_by_item(one, value) if isinstance(value, list) else one(value)


def _arange(*limits: float) -> Array:
    start, stop, step = (0, *limits, 1) if len(limits) == 1 else (*limits, 1)[:3]
    count = _count(max(0, math.ceil((stop - start) / step)))
    return Array(start + i * step for i in range(count))


def _linspace(start: float, stop: float, count: int = 50) -> Array:
    last = max(_count(count) - 1, 1)
    return Array(start + (stop - start) * i / last for i in range(count))


def _concatenate(parts: Sequence[object]) -> Array:
    if not isinstance(parts, list) or not all(isinstance(part, list) for part in parts):
        raise NotUnderstood("arrays are needed")
    _count(sum(map(len, parts)))
    return array([value for part in parts for value in part])


def _hstack(parts: Sequence[object]) -> Array:
    if not isinstance(parts, list):
        raise NotUnderstood("arrays are needed")
    return _concatenate([part if isinstance(part, list) else [part] for part in parts])


def _convolve(a: object, b: object) -> Array:
    a, b = array(a), array(b)
    _count(len(a) * len(b))
    made = [0.0] * (len(a) + len(b) - 1)
    for i, x in enumerate(a):
        for j, y in enumerate(b):
            made[i + j] += x * y
    return Array(made)


def _kron(a: object, b: object) -> Array:
    a, b = array(a), array(b)
    _count(len(a) * len(b))
    return Array(x * y for x in a for y in b)


def _mean(values: Sequence[float]) -> float:
    return sum(array(values)) / len(values)


def _sinc(x: float) -> float:
    return math.sin(math.pi * x) / (math.pi * x) if x else 1.0


FUNCTIONS: dict[str, Callable] = {
    "array": array, "zeros": lambda n: Array([0.0] * _count(n)), "ones": lambda n: Array([1.0] * _count(n)),
    "arange": _arange, "linspace": _linspace, "concatenate": _concatenate, "hstack": _hstack,
    "convolve": _convolve, "kron": _kron,
    "sum": lambda values: sum(array(values)), "mean": _mean, "min": lambda values: min(array(values)),
    "max": lambda values: max(array(values)), "size": lambda values: len(array(values)),
    "abs": _of_each(abs), "round": _of_each(round), "floor": _of_each(lambda x: float(math.floor(x))),
    "ceil": _of_each(lambda x: float(math.ceil(x))), "sqrt": _of_each(math.sqrt, cmath.sqrt),
    "log2": _of_each(math.log2), "log10": _of_each(math.log10, cmath.log10), "log": _of_each(math.log, cmath.log),
    "exp": _of_each(math.exp, cmath.exp), "sin": _of_each(math.sin, cmath.sin), "cos": _of_each(math.cos, cmath.cos),
    "tan": _of_each(math.tan, cmath.tan), "sinc": _of_each(_sinc), "real": _of_each(lambda x: x.real),
    "imag": _of_each(lambda x: x.imag), "conj": _of_each(lambda x: x.conjugate()), "angle": _of_each(cmath.phase),
    "radians": _of_each(math.radians), "degrees": _of_each(math.degrees)}
FUNCTIONS |= {"absolute": FUNCTIONS["abs"], "conjugate": FUNCTIONS["conj"]}
