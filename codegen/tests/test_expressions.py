"""Test the expression parser."""

from __future__ import annotations

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st
from weir.model.document.expressions import ExpressionError, evaluate, names_in
from weir.model.document.jsontext import INT64_MAX, INT64_MIN


@pytest.mark.parametrize(("text", "value"), [
    ("1", 1), (" 2 * 3 + 4 ", 10), ("2 + 3 * 4", 14), ("(2 + 3) * 4", 20), ("10 - 4 - 3", 3), ("-2 ** 2", -4),
    ("2 ** 3 ** 2", 512), ("2 ** -1", 0.5), ("--3", 3), ("+3", 3), ("-7 // 2", -4), ("-7 % 3", 2), ("7 / 2", 3.5),
    ("6 / 2", 3.0),
    ("7.5 // 2", 3), ("7.5 % 2", 1.5), (".5", 0.5), ("5.", 5.0), ("1e3", 1000.0), ("2.5e-3", 0.0025),
    ("stages * pipes", 24), ("min(3, 1, 2)", 1), ("max(stages, 9)", 9), ("abs(-3)", 3), ("abs(-3.5)", 3.5),
    ("floor(-2.5)", -3), ("ceil(2.1)", 3), ("round(2.5)", 3), ("round(-2.5)", -3), ("round(2.4)", 2), ("round(7)", 7),
    ("round(0.49999999999999994)", 0), ("sqrt(16)", 4.0), ("log2(8)", 3.0), ("max(1, min(2, 3))", 2),
    ("min(4)", 4), ("max(2.5)", 2.5),
    ("9223372036854775807", INT64_MAX), ("-9223372036854775807 - 1", INT64_MIN), ("2 ** 62", 2**62), ("0 ** 0", 1),
])
def test_values(text: str, value: float) -> None:
    result = evaluate(text, {"stages": 6, "pipes": 4})
    assert result == value and type(result) is type(value)


@pytest.mark.parametrize(("text", "value"), [
    ("2.4M", 2400000), ("2.4 M", 2400000), ("1.1M", 1100000), ("5k", 5000), ("3G", 3 * 10**9), ("1T", 10**12),
    ("0.5k", 500),
    ("0.0005k", 0.5), ("10p", 1e-11), ("10n", 1e-8), ("10u", 1e-5), ("10µ", 1e-5), ("10 μ", 1e-5), ("1m", 0.001),
    ("1000m", 1.0), ("2k*2k", 4000000), ("2k**2", 4000000), ("1.5e3k", 1500000), ("max(1k,1M)", 10**6),
])
def test_suffixes(text: str, value: float) -> None:
    result = evaluate(text)
    assert result == value and type(result) is type(value)


@pytest.mark.parametrize(("text", "code"), [
    ("", "E_EXPR_SYNTAX"), ("  ", "E_EXPR_SYNTAX"), ("1 +", "E_EXPR_SYNTAX"), ("(1", "E_EXPR_SYNTAX"),
    ("1)", "E_EXPR_SYNTAX"),
    ("1 2", "E_EXPR_SYNTAX"), ("2  M", "E_EXPR_SYNTAX"), ("2K", "E_EXPR_SYNTAX"), ("2kk", "E_EXPR_SYNTAX"),
    ("2\tk", "E_EXPR_SYNTAX"),
    ("2Mi", "E_EXPR_SYNTAX"), ("a.b", "E_EXPR_SYNTAX"), ("a[0]", "E_EXPR_SYNTAX"), ("1 if 1 else 2", "E_EXPR_SYNTAX"),
    ("lambda: 1", "E_EXPR_SYNTAX"), ("'x'", "E_EXPR_SYNTAX"), ("2^3", "E_EXPR_SYNTAX"), ("1, 2", "E_EXPR_SYNTAX"),
    ("min()", "E_EXPR_SYNTAX"),
    ("abs(1, 2)", "E_EXPR_SYNTAX"), ("0x10", "E_EXPR_SYNTAX"), ("1_000", "E_EXPR_SYNTAX"), ("１", "E_EXPR_SYNTAX"),
    ("1\x00", "E_EXPR_SYNTAX"),
    ("x", "E_EXPR_NAME"), ("sqrt", "E_EXPR_NAME"), ("eval(1)", "E_EXPR_NAME"), ("__import__(1)", "E_EXPR_NAME"),
    ("k", "E_EXPR_NAME"),
    ("1 / 0", "E_EXPR_ZERO_DIVISION"), ("1 // 0.0", "E_EXPR_ZERO_DIVISION"), ("1 % 0", "E_EXPR_ZERO_DIVISION"),
    ("0 ** -1", "E_EXPR_ZERO_DIVISION"), ("9**9**9", "E_EXPR_OVERFLOW"), ("2 ** 65", "E_EXPR_OVERFLOW"),
    ("2 ** 63", "E_EXPR_OVERFLOW"),
    ("2 ** -65", "E_EXPR_OVERFLOW"), ("9223372036854775808", "E_EXPR_OVERFLOW"),
    ("9223372036854775807 + 1", "E_EXPR_OVERFLOW"),
    ("1e309", "E_EXPR_OVERFLOW"), ("1e308 * 10", "E_EXPR_OVERFLOW"), ("1e300 ** 2", "E_EXPR_OVERFLOW"),
    ("floor(1e300)", "E_EXPR_OVERFLOW"),
    ("1e308 // 1e-300", "E_EXPR_OVERFLOW"), ("1e300T", "E_EXPR_OVERFLOW"), ("9" * 500, "E_EXPR_OVERFLOW"),
    ("1e308T", "E_EXPR_OVERFLOW"),
    ("sqrt(-1)", "E_EXPR_DOMAIN"), ("log2(0)", "E_EXPR_DOMAIN"), ("(-8) ** 0.5", "E_EXPR_DOMAIN"),
    ("(" * 65 + "1" + ")" * 65, "E_EXPR_LIMIT"), ("-" * 66 + "1", "E_EXPR_LIMIT"), ("1" + " ** 1" * 66, "E_EXPR_LIMIT"),
    ("abs(" * 65 + "1" + ")" * 65, "E_EXPR_LIMIT"), ("1" * 1001, "E_EXPR_LIMIT"),
])
def test_faults(text: str, code: str) -> None:
    with pytest.raises(ExpressionError) as caught:
        evaluate(text, {"stages": 4})
    assert caught.value.code == code and 0 <= caught.value.position <= len(text)


def test_limits_that_are_still_allowed() -> None:
    assert evaluate("(" * 64 + "1" + ")" * 64) == 1
    assert evaluate(("1 + " * 250)[:-3]) == 250
    assert evaluate("2 ** 64.0") == 2.0**64


def test_hints() -> None:
    for text, hint in (("stage + 1", "stages"), ("mx(1)", "max"), ("2 K", "suffixes"), ("2^2", "**")):
        with pytest.raises(ExpressionError) as caught:
            evaluate(text, {"stages": 4})
        assert hint in caught.value.hint


def test_names() -> None:
    assert names_in("a + max(b, a) * 2 k - c") == ["a", "b", "c"]


@given(st.text(alphabet="0123456789.eE+-*/%(), kMuµpxyab\n_", max_size=60) | st.text(max_size=40))
def test_any_text_gives_a_number_or_an_expression_error(text: str) -> None:
    try:
        value = evaluate(text, {"x": 3, "y": -0.5, "a": 0, "b": INT64_MAX})
    except ExpressionError as error:
        assert 0 <= error.position <= len(text)
    else:
        assert INT64_MIN <= value <= INT64_MAX if isinstance(value, int) else math.isfinite(value)


@given(st.recursive(st.integers(0, 50).map(str),
                    lambda inner: st.tuples(inner, st.sampled_from(["+", "-", "*", "//", "%"]), inner)
                    .map(lambda t: f"({t[0]} {t[1]} {t[2]})"), max_leaves=12))
def test_integer_arithmetic_is_that_of_python(text: str) -> None:
    try:
        expected = eval(text)  # the text has only digits and five operators
    except ZeroDivisionError:
        with pytest.raises(ExpressionError, match="divides by zero"):
            evaluate(text)
        return
    assert evaluate(text) == expected
