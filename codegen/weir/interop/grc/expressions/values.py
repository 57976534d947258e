"""Values for a project's parameters: an expression if a project can express it, else the number itself."""

from __future__ import annotations

import math
from collections.abc import Mapping

from weir.interop.grc.expressions.evaluation import Namespace, designer
from weir.interop.grc.expressions.parsing import Node, NotUnderstood, names_in
from weir.interop.grc.expressions.spelling import to_project
from weir.interop.grc.expressions.taps import ARGUMENTS, bound, design_of
from weir.model.designing.design import FIELDS
from weir.model.document import expressions as ours
from weir.model.document.jsontext import INT64_MAX, INT64_MIN

_WHOLE = ("u8", "i8", "i16", "i32", "i64")


class Values:
    """Converter of values. `renamed`: the variables that become parameters of the project; `numbers`: the values of
    these.
    """

    def __init__(self, names: Namespace, renamed: Mapping[str, str], numbers: Mapping[str, int | float]):
        self.names, self.renamed, self.numbers = names, renamed, numbers

    def number(self, node: Node, value: object, kind: str) -> object:
        """Return `value` for a parameter of a type, or {"expr": …} if it follows from variables. Raises ValueError with
        the reason.
        """
        literal = _literal(value, kind)
        if isinstance(literal, list) or not names_in(node) & self.renamed.keys():
            return literal
        return self.spelled(node, literal) or literal

    def spelled(self, node: Node, literal: int | float) -> dict[str, str] | None:
        """Return the expression of a project, None if it does not give the same value."""
        text = to_project(node, self.names, self.renamed)
        if text is None or len(text) > ours.MAX_LENGTH:
            return None
        try:
            again = ours.evaluate(text, self.numbers)
        except ours.ExpressionError:
            return None
        return {"expr": text} if math.isclose(again, literal, rel_tol=1e-12, abs_tol=0.0) else None

    def design(self, node: Node) -> dict[str, object] | None:
        """Return the design of taps, as a project stores it beside them. None if the taps do not come from a function
        of `firdes`, directly or through variables.
        """
        try:
            while node.kind == "name" and str(node.value) in self.names.texts:
                node = self.names.node(str(node.value))
            function = designer(node)
            if function not in ARGUMENTS:
                return None
            nodes = bound(function, node.children, dict(node.keywords))
            given = {key: self.names.evaluate(child) for key, child in nodes.items()}
            entry = design_of(function, given).as_json()
            for key in FIELDS.keys() & entry.keys() & given.keys():
                if entry[key] != given[key]:
                    continue  # it follows from other arguments, too
                entry[key] = self.number(nodes[key], given[key], "i64" if key == "number_of_taps" else "f64")
        except (NotUnderstood, ValueError, TypeError):
            return None
        if entry["gain"] == 1:
            del entry["gain"]
        return entry


def _literal(value: object, kind: str) -> int | float | list[float]:
    if isinstance(value, bool):
        value = int(value)
    if isinstance(value, complex) and kind == "c64":
        return [value.real, value.imag] if value.imag else _finite(value.real)
    if isinstance(value, complex) and not value.imag:
        value = value.real
    if not isinstance(value, (int, float)):
        raise ValueError("a real number is needed")
    if kind in _WHOLE:
        if value != math.floor(value):
            raise ValueError("an integer is needed")
        value = int(value)
    return _finite(value)


def _finite(value: int | float) -> int | float:
    if isinstance(value, int) and not INT64_MIN <= value <= INT64_MAX or not math.isfinite(value):
        raise ValueError("the number is too large")
    return value


def as_number(value: object) -> int | float | None:
    """Return a number, as an int if it is whole; None for anything else."""
    if isinstance(value, bool) or not isinstance(value, (int, float)):
        return None
    return int(value) if value == math.floor(value) else value


def reals(value: object) -> list[float] | None:
    """Return a list of real numbers, None for anything else."""
    if not isinstance(value, list) or not value:
        return None
    numbers = [v.real if isinstance(v, complex) and v.imag == 0 else v for v in value]
    if any(isinstance(v, bool) or not isinstance(v, (int, float)) or not math.isfinite(v) or abs(v) > 3e38
           for v in numbers):
        return None
    return [float(v) for v in numbers]
