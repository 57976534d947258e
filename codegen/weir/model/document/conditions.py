"""A condition of a project: two expressions and how they compare, such as `stages <= 3 * workers`."""

from __future__ import annotations

import operator
import re
from collections.abc import Mapping

from weir.model.document.expressions import ExpressionError, Number, evaluate, names_in

_COMPARE = {"<=": operator.le, ">=": operator.ge, "==": operator.eq, "!=": operator.ne, "<": operator.lt,
            ">": operator.gt}
_WORDS = re.compile("(<=|>=|==|!=|<|>)")


def holds(text: str, names: Mapping[str, Number]) -> bool:
    """Whether it does, with `names` for its parameters. ExpressionError says what is wrong with it."""
    left, how, right = _parts(text)
    return _COMPARE[how](evaluate(left, names), evaluate(right, names))


def names_in_condition(text: str) -> list[str]:
    """The names that it uses, in order. ExpressionError where it is none."""
    left, _, right = _parts(text)
    return list(dict.fromkeys([*names_in(left), *names_in(right)]))


def _parts(text: str) -> tuple[str, str, str]:
    parts = _WORDS.split(text)
    if len(parts) != 3:
        raise ExpressionError("E_EXPR_SYNTAX", 0, "does not compare two expressions",
                              f"such as stages <= 3 * workers, with one of {' '.join(_COMPARE)}")
    return parts[0], parts[1], parts[2]
