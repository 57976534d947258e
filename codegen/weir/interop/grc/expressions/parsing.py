"""Parser for the subset of Python's expressions that flowgraphs use. Python parses them, and Weir evaluates the tree.

Numbers (1e6, 0x1F, 2j), texts, True, False, lists, names with dots, + - * / // % ** << >> & | ^ ~, comparisons,
`a if c else b`, and/or/not, indices, slices, `[f(x) for x in list if c]`, `map(lambda x: f(x), list)`, calls of a few
functions.
"""

from __future__ import annotations

import ast
import warnings
from dataclasses import dataclass
from typing import cast

MAX_LENGTH = 100_000
#: Functions on trees recurse once per level, and a deeper tree would exhaust the stack.
MAX_DEPTH = 192

_UNARY = {ast.UAdd: "+", ast.USub: "-", ast.Invert: "~", ast.Not: "not"}
_BINARY = {ast.BitOr: "|", ast.BitXor: "^", ast.BitAnd: "&", ast.LShift: "<<", ast.RShift: ">>", ast.Add: "+",
           ast.Sub: "-", ast.Mult: "*", ast.Div: "/", ast.FloorDiv: "//", ast.Mod: "%", ast.Pow: "**"}
_COMPARISONS = {ast.Lt: "<", ast.Gt: ">", ast.LtE: "<=", ast.GtE: ">=", ast.Eq: "==", ast.NotEq: "!="}


class NotUnderstood(Exception):
    """Exception for an expression outside the language or without a value. The message says why."""


@dataclass(frozen=True)
class Node:
    """Node of a tree. `kind`: value, name, list, unary, binary, compare, logic, choice, call, method, index, slice or
    each. The kind determines the meaning of `value`. `each` is a comprehension: `value` has the names of the item, the
    children are the list, the result, and the conditions.
    """

    kind: str
    value: object = None
    children: tuple[Node, ...] = ()
    keywords: tuple[tuple[str, Node], ...] = ()


def parse(text: str) -> Node:
    """Return the tree of an expression. Raises NotUnderstood if it is outside the language."""
    if len(text) > MAX_LENGTH:
        raise NotUnderstood(f"it has {len(text)} characters, but at most {MAX_LENGTH} are allowed")
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # warnings about unknown escapes
            return _node(ast.parse(text.strip(), mode="eval").body, 0)
    except SyntaxError as error:
        raise NotUnderstood(error.msg) from None
    except (RecursionError, MemoryError):
        raise NotUnderstood("it is nested too deeply") from None
    except ValueError as error:  # a null byte, half of a surrogate pair
        raise NotUnderstood(str(error)) from None


def names_in(node: Node) -> set[str]:
    """Return the first words of the names that an expression uses, without the functions of calls."""
    found: set[str] = set()
    pending = [node]
    while pending:
        node = pending.pop()
        if node.kind == "name":
            found.add(str(node.value).partition(".")[0])
        if node.kind == "each":
            found |= set().union(*map(names_in, node.children[1:])) - set(cast("tuple[str, ...]", node.value))
            pending.append(node.children[0])
            continue
        pending += node.children
        pending += [value for _, value in node.keywords]
    return found


def _node(of: ast.expr, depth: int) -> Node:
    if depth > MAX_DEPTH:
        raise NotUnderstood("it is nested too deeply")

    def inner(*nodes: ast.expr) -> tuple[Node, ...]:
        return tuple(_node(it, depth + 1) for it in nodes)

    match of:
        case ast.Constant(value=int() | float() | complex() | None):
            return Node("value", of.value)
        case ast.Constant(value=str() as text):
            return Node("value", _text(text))
        case ast.Name() | ast.Attribute():
            return Node("name", _dotted(of))
        case ast.List() | ast.Tuple():
            return Node("list", None, inner(*of.elts))
        case ast.UnaryOp():
            return Node("unary", _UNARY[type(of.op)], inner(of.operand))
        case ast.BinOp() if type(of.op) in _BINARY:
            return Node("binary", _BINARY[type(of.op)], inner(of.left, of.right))
        case ast.BoolOp():
            return Node("logic", "and" if isinstance(of.op, ast.And) else "or", inner(*of.values))
        case ast.Compare(ops=[op]) if type(op) in _COMPARISONS:
            return Node("compare", _COMPARISONS[type(op)], inner(of.left, *of.comparators))
        case ast.IfExp():
            return Node("choice", None, inner(of.test, of.body, of.orelse))
        case ast.Subscript(slice=ast.Slice() as part):
            ends = (it or ast.Constant(None) for it in (part.lower, part.upper, part.step))
            return Node("slice", None, inner(of.value, *ends))
        case ast.ListComp(generators=[ast.comprehension(is_async=0) as each]):
            return Node("each", _targets(each.target), inner(each.iter, of.elt, *each.ifs))
        case ast.Subscript():
            return Node("index", None, inner(of.value, of.slice))
        case ast.Call(func=ast.Attribute(value=ast.Call() as whose, attr=method), args=[], keywords=[]):
            return Node("method", method, inner(whose))
        case ast.Call(func=ast.Name(id="map"), keywords=[], args=[ast.Lambda(args=ast.arguments(
                posonlyargs=[], args=[own], vararg=None, kwonlyargs=[], kwarg=None, defaults=[])) as each, items]):
            return Node("each", (own.arg,), inner(items, each.body))
        case ast.Call():
            named = [(it.arg, _node(it.value, depth + 1)) for it in of.keywords if it.arg]
            if len(named) == len(of.keywords):
                return Node("call", _dotted(of.func), inner(*of.args), tuple(named))
    raise _not_evaluated(of)


def _targets(of: ast.expr) -> tuple[str, ...]:
    """Return the names that take an item, or its parts."""
    names = of.elts if isinstance(of, ast.Tuple) else [of]
    if not names or not all(isinstance(it, ast.Name) for it in names):
        raise _not_evaluated(of)
    return tuple(it.id for it in names if isinstance(it, ast.Name))


def _text(value: str) -> str:
    value.encode()  # an escape can make half of a surrogate pair, which no file can hold
    if "\0" in value:
        raise NotUnderstood("a text has a null byte")
    return value


def _dotted(of: ast.expr) -> str:
    words: list[str] = []
    while isinstance(of, ast.Attribute):
        words.append(of.attr)
        of = of.value
    if not isinstance(of, ast.Name):
        raise _not_evaluated(of)
    return ".".join([of.id, *reversed(words)])


def _not_evaluated(of: ast.expr) -> NotUnderstood:
    return NotUnderstood(f"Weir does not evaluate the Python `{ast.unparse(of)[:40]}`")
