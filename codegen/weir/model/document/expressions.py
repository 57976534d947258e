"""Expressions of a project: a small language of numbers, evaluated during parsing, never by Python's `eval`.

    sum      product (("+" | "-") product)*
    product  signed (("*" | "/" | "//" | "%") signed)*
    signed   ("+" | "-") signed | power
    power    atom ["**" signed]
    atom     number [suffix] | name | name "(" sum ("," sum)* ")" | "(" sum ")"

Numbers are int64 or finite doubles. `/` is real, `//` and `%` round down, `round` rounds halves away from zero.
A suffix follows a literal, after at most one space: 2.4M, 10 µ. What a suffix makes whole is an integer.
A condition is two expressions and how they compare, such as `stages <= 3 * workers`.
"""

from __future__ import annotations

import math
import operator
import re
from collections.abc import Callable, Mapping
from fractions import Fraction
from typing import Any, cast

from weir.diagnostics import did_you_mean
from weir.model.document.jsontext import INT64_MAX, INT64_MIN
from weir.sure import sure

MAX_LENGTH, MAX_DEPTH, MAX_EXPONENT = 1000, 64, 64

Number = int | float

SUFFIXES = {"p": -12, "n": -9, "u": -6, "µ": -6, "μ": -6, "m": -3, "k": 3, "M": 6, "G": 9, "T": 12}
_TOKEN = re.compile(
    r"(?P<number>(?:[0-9]+(?:\.[0-9]*)?|\.[0-9]+)(?:[eE][-+]?[0-9]+)?)(?: ?(?P<suffix>[pnuµμmkMGT])(?![A-Za-z0-9_]))?"
    r"|(?P<name>[A-Za-z_][A-Za-z0-9_]*)|(?P<op>\*\*|//|[-+*/%(),])")
_BLANK = re.compile(r"[ \t\n\r]*")


COMPARE: dict[str, Callable[[Any, Any], bool]] = {
    "<=": operator.le, ">=": operator.ge, "==": operator.eq, "!=": operator.ne, "<": operator.lt, ">": operator.gt}
_COMPARISONS = re.compile("(<=|>=|==|!=|<|>)")


class ExpressionError(Exception):
    """Fault of an expression. `code` is a diagnostic's code; `position` counts characters from 0."""

    def __init__(self, code: str, position: int, message: str, hint: str = ""):
        super().__init__(message)
        self.code, self.position, self.message, self.hint = code, position, message, hint


#: Codes of faults that do not depend on the values of names.
WHATEVER_THE_VALUES = ("E_EXPR_SYNTAX", "E_EXPR_NAME", "E_EXPR_LIMIT")


def _round(x: Number) -> int:
    return math.floor(x + Fraction(1, 2)) if x >= 0 else -math.floor(-x + Fraction(1, 2))


FUNCTIONS: dict[str, tuple[int | None, Callable[..., Number]]] = {  # number of arguments (None: one or more), function
    "min": (None, lambda *x: min(x)), "max": (None, lambda *x: max(x)), "abs": (1, abs),
    "floor": (1, math.floor), "ceil": (1, math.ceil),
    "round": (1, lambda x: x if isinstance(x, int) else _round(cast(Any, Fraction(x)))),
    "sqrt": (1, math.sqrt), "log2": (1, math.log2),
}


def evaluate(text: str, names: Mapping[str, Number] | None = None) -> Number:
    """Return the value of an expression, with `names` for its parameters. Raises ExpressionError if it is faulty."""
    return _Parser(text, names or {}).result()


def names_in(text: str) -> list[str]:
    """Return the parameter names that an expression uses, in order. Raises ExpressionError if it cannot be split into
    tokens.
    """
    tokens = _tokens(text)
    return list(dict.fromkeys(value for (kind, value, _), (_, after, _) in zip(tokens, tokens[1:])
                              if kind == "name" and after != "("))


def holds(text: str, names: Mapping[str, Number]) -> bool:
    """Return whether a condition holds, with `names` for its parameters. Raises ExpressionError if it is faulty."""
    parts = _COMPARISONS.split(text)
    if len(parts) != 3:
        raise ExpressionError("E_EXPR_SYNTAX", 0, "is not a comparison of two expressions",
                              f"write a condition such as stages <= 3 * workers, with one of {' '.join(COMPARE)}")
    return COMPARE[parts[1]](evaluate(parts[0], names), evaluate(parts[2], names))


def _tokens(text: str) -> list[tuple[str, Any, int]]:
    """Split a text into (kind, value, position); kind is number, name, op or end."""
    if len(text) > MAX_LENGTH:
        raise ExpressionError("E_EXPR_LIMIT", MAX_LENGTH, f"has {len(text)} characters, but at most {MAX_LENGTH} are "
                                                          "allowed")
    tokens: list[tuple[str, object, int]] = []
    at = sure(_BLANK.match(text)).end()
    while at < len(text):
        match = _TOKEN.match(text, at)
        if not match:
            raise ExpressionError("E_EXPR_SYNTAX", at, f"{text[at]!r} has no meaning here",
                                  "write ** for powers" if text[at] == "^" else "")
        kind = match.lastgroup if match.lastgroup != "suffix" else "number"
        tokens.append((str(kind), _literal(match, at) if kind == "number" else match[0], at))
        at = sure(_BLANK.match(text, match.end())).end()
    return [*tokens, ("end", "", len(text))]


def _literal(match: re.Match, at: int) -> Number:
    digits, suffix = match["number"], match["suffix"]
    real = not digits.isdigit()
    if real and not math.isfinite(float(digits)) or len(digits) > 400:
        raise ExpressionError("E_EXPR_OVERFLOW", at, f"{digits[:24]} is too large")
    if not suffix:
        return _checked(float(digits) if real else int(digits), at)
    if real and abs(float(digits)) < 1e-300:
        return 0.0 if SUFFIXES[suffix] < 0 else 0
    exact = Fraction(digits) * Fraction(10) ** SUFFIXES[suffix]
    if SUFFIXES[suffix] > 0 and exact.denominator == 1:
        return _checked(int(exact), at)
    try:
        return _checked(float(exact), at)
    except OverflowError:
        raise ExpressionError("E_EXPR_OVERFLOW", at, f"{match[0]} is too large") from None


def _checked(value: Number, at: int) -> Number:
    if isinstance(value, int):
        if not INT64_MIN <= value <= INT64_MAX:
            raise ExpressionError("E_EXPR_OVERFLOW", at, "the value does not fit a 64-bit integer")
    elif not math.isfinite(value):
        raise ExpressionError("E_EXPR_OVERFLOW", at, "the value is too large")
    return value


class _Parser:
    def __init__(self, text: str, names: Mapping[str, Number]):
        self.tokens, self.next, self.depth, self.names = _tokens(text), 0, 0, names

    def result(self) -> Number:
        if self.tokens[0][0] == "end":
            raise ExpressionError("E_EXPR_SYNTAX", 0, "is empty")
        value = self.sum()
        if self.tokens[self.next][0] != "end":
            raise self.unexpected("an operator")
        return value

    def unexpected(self, wanted: str) -> ExpressionError:
        kind, value, at = self.tokens[self.next]
        hint = ""
        if kind == "name" and self.next and self.tokens[self.next - 1][0] == "number":
            hint = "suffixes are p n u µ m k M G T, in this case"
        found = "the text ends" if kind == "end" else f"found `{value}`"
        return ExpressionError("E_EXPR_SYNTAX", at, f"expected {wanted}, but {found}", hint)

    def accept(self, *operators: str) -> tuple[str, int] | None:
        kind, value, at = self.tokens[self.next]
        if kind != "op" or value not in operators:
            return None
        self.next += 1
        return value, at

    def nested(self, rule: Callable[[], Number]) -> Number:
        self.depth += 1
        if self.depth > MAX_DEPTH:
            raise ExpressionError("E_EXPR_LIMIT", self.tokens[self.next][2], f"is nested more than {MAX_DEPTH} deep")
        value = rule()
        self.depth -= 1
        return value

    def sum(self) -> Number:
        value = self.product()
        while op := self.accept("+", "-"):
            value = _apply(op, value, self.product())
        return value

    def product(self) -> Number:
        value = self.signed()
        while op := self.accept("*", "/", "//", "%"):
            value = _apply(op, value, self.signed())
        return value

    def signed(self) -> Number:
        if op := self.accept("+", "-"):
            value = self.nested(self.signed)
            return _checked(-value, op[1]) if op[0] == "-" else value
        return self.power()

    def power(self) -> Number:
        base = self.atom()
        if op := self.accept("**"):
            return _apply(op, base, self.nested(self.signed))
        return base

    def atom(self) -> Number:
        kind, value, at = self.tokens[self.next]
        if kind == "number":
            self.next += 1
            return value
        if kind == "name":
            self.next += 1
            return self.call(value, at) if self.accept("(") else self.lookup(value, at)
        if self.accept("("):
            value = self.nested(self.sum)
            if not self.accept(")"):
                raise self.unexpected("`)`")
            return value
        raise self.unexpected("a number, a name or `(`")

    def lookup(self, name: str, at: int) -> Number:
        if name in self.names:
            return self.names[name]
        what = "needs its arguments in parentheses" if name in FUNCTIONS else "is not a parameter of the project"
        raise ExpressionError("E_EXPR_NAME", at, f"`{name}` {what}", did_you_mean(name, self.names))

    def call(self, name: str, at: int) -> Number:
        if name not in FUNCTIONS:
            raise ExpressionError("E_EXPR_NAME", at, f"`{name}` is not a function", did_you_mean(name, FUNCTIONS))
        count, function = FUNCTIONS[name]
        arguments = [self.nested(self.sum)]
        while self.accept(","):
            arguments.append(self.nested(self.sum))
        if not self.accept(")"):
            raise self.unexpected("`,` or `)`")
        if count is not None and len(arguments) != count:
            raise ExpressionError("E_EXPR_SYNTAX", at, f"`{name}` takes {count} argument, not {len(arguments)}")
        try:
            return _checked(function(*arguments), at)
        except ValueError:
            raise ExpressionError("E_EXPR_DOMAIN", at, f"{name}({arguments[0]}) has no real value") from None


def _apply(op: tuple[str, int], a: Number, b: Number) -> Number:
    symbol, at = op
    if symbol in ("/", "//", "%") and b == 0:
        raise ExpressionError("E_EXPR_ZERO_DIVISION", at, f"{a} {symbol} 0 divides by zero")
    if symbol == "**":
        return _checked(_power(a, b, at), at)
    try:
        return _checked(_OPERATORS[symbol](a, b), at)
    except OverflowError:
        raise ExpressionError("E_EXPR_OVERFLOW", at, "the value is too large") from None


_OPERATORS: dict[str, Callable[[Number, Number], Number]] = {
    "+": lambda a, b: a + b, "-": lambda a, b: a - b, "*": lambda a, b: a * b, "/": lambda a, b: a / b,
    "//": lambda a, b: math.floor(a / b) if isinstance(a, float) or isinstance(b, float) else a // b,
    "%": lambda a, b: a % b,
}


def _power(a: Number, b: Number, at: int) -> Number:
    if abs(b) > MAX_EXPONENT:
        raise ExpressionError("E_EXPR_OVERFLOW", at, f"the exponent {b} is larger than {MAX_EXPONENT}")
    if a == 0 and b < 0:
        raise ExpressionError("E_EXPR_ZERO_DIVISION", at, f"0 ** {b} divides by zero")
    if a < 0 and b != math.floor(b):
        raise ExpressionError("E_EXPR_DOMAIN", at, f"{a} ** {b} has no real value")
    try:
        return a**b
    except OverflowError:
        raise ExpressionError("E_EXPR_OVERFLOW", at, "the value is too large") from None
