"""The part of Python's expressions that flowgraphs are written in: parsed by hand and evaluated here, never by Python.

Numbers (1e6, 0x1F, 2j), texts, True, False, lists, names with dots, + - * / // % ** << >> & | ^ ~, comparisons,
`a if c else b`, and/or/not, indices, calls of a few functions; `(abs)(x)` is abs(x).
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from weir.sure import sure

MAX_LENGTH, MAX_DEPTH, MAX_NODES = 100_000, 48, 50_000

_TOKEN = re.compile(
    r"(?P<number>0[xX][0-9A-Fa-f_]+|0[oO][0-7_]+|0[bB][01_]+"
    r"|(?:[0-9][0-9_]*\.?[0-9_]*|\.[0-9][0-9_]*)(?:[eE][-+]?[0-9]+)?[jJ]?)"
    r"|(?P<name>[^\W\d]\w*)"
    r"|(?P<text>\"(?:[^\"\\\n]|\\.)*\"|'(?:[^'\\\n]|\\.)*')"
    r"|(?P<op>\*\*|//|<<|>>|<=|>=|==|!=|[-+*/%&|^~<>=()\[\],.:])", re.DOTALL)
_BLANK = re.compile(r"(?:[ \t\r\n]|\\\n|#[^\n]*)*")
_ESCAPE = re.compile(r"\\(.)", re.DOTALL)
_ESCAPES = {"n": "\n", "t": "\t", "\\": "\\", "'": "'", '"': '"', "\n": ""}
_WORDS = {"and", "or", "not", "if", "else", "lambda", "for", "in", "is"}
#: Operators by how tightly they bind, loosest first; all from left to right.
_LEVELS = (("|",), ("^",), ("&",), ("<<", ">>"), ("+", "-"), ("*", "/", "//", "%"))
_COMPARISONS = ("<", ">", "<=", ">=", "==", "!=")


class NotUnderstood(Exception):
    """An expression that is outside the language, or has no value in it; the message says why."""


@dataclass(frozen=True)
class Node:
    """`kind`: value, name, list, unary, binary, compare, logic, choice, call, index. `value`: of the kind's own."""

    kind: str
    value: object = None
    children: tuple[Node, ...] = ()
    keywords: tuple[tuple[str, Node], ...] = ()


def parse(text: str) -> Node:
    """The tree of an expression. NotUnderstood where it is none of the language."""
    try:
        return _Parser(text).result()
    except RecursionError:
        raise NotUnderstood("it is nested too deeply") from None


def names_in(node: Node) -> set[str]:
    """First words of the names that it uses; a call's function is none of them."""
    found: set[str] = set()
    pending = [node]
    while pending:
        node = pending.pop()
        if node.kind == "name":
            found.add(str(node.value).partition(".")[0])
        pending += node.children
        pending += [value for _, value in node.keywords]
    return found


def _tokens(text: str) -> list[tuple[str, Any]]:
    if len(text) > MAX_LENGTH:
        raise NotUnderstood(f"it has {len(text)} characters; at most {MAX_LENGTH} are read")
    tokens: list[tuple[str, Any]] = []
    at = sure(_BLANK.match(text)).end()
    while at < len(text):
        match = _TOKEN.match(text, at)
        if not match:
            raise NotUnderstood(f"{text[at]!r} has no meaning here")
        kind = str(match.lastgroup)
        meaning = {"number": _number, "text": _text}.get(kind, str)
        tokens.append((kind, meaning(match[0])))
        at = sure(_BLANK.match(text, match.end())).end()
    return [*tokens, ("end", "")]


def _number(digits: str) -> int | float | complex:
    plain = digits.replace("_", "")
    if len(plain) > 400:
        raise NotUnderstood(f"{plain[:20]}… is too large")
    try:
        if plain[:2].lower() in ("0x", "0o", "0b"):
            return int(plain, 0)
        if plain[-1] in "jJ":
            return complex(0.0, float(plain[:-1]))
        return int(plain) if plain.isdigit() else float(plain)
    except ValueError:
        raise NotUnderstood(f"`{digits[:40]}` is not a number") from None


def _text(quoted: str) -> str:
    return _ESCAPE.sub(lambda m: _ESCAPES.get(m[1], m[0]), quoted[1:-1])


class _Parser:
    """Recursive descent over the tokens; `depth` bounds it."""

    def __init__(self, text: str):
        self.tokens, self.next, self.depth, self.nodes = _tokens(text), 0, 0, 0

    def result(self) -> Node:
        node = self.choice()
        if self.tokens[self.next][0] != "end":
            raise self.unexpected()
        return node

    def unexpected(self) -> NotUnderstood:
        kind, value = self.tokens[self.next]
        return NotUnderstood("the text ends too early" if kind == "end" else
                             f"`{str(value)[:40]}` is not expected here")

    def peek(self, *words: str) -> bool:
        kind, value = self.tokens[self.next]
        return kind in ("op", "name") and value in words

    def accept(self, *words: str) -> str | None:
        if not self.peek(*words):
            return None
        self.next += 1
        return str(self.tokens[self.next - 1][1])

    def need(self, word: str) -> None:
        if not self.accept(word):
            raise self.unexpected()

    def make(self, kind: str, value: Any = None, children: tuple[Node, ...] = (), keywords: tuple = ()) -> Node:
        self.nodes += 1
        if self.nodes > MAX_NODES:
            raise NotUnderstood(f"it has more than {MAX_NODES} parts")
        return Node(kind, value, children, keywords)

    def deeper(self, rule: Callable[[], Node]) -> Node:
        self.depth += 1
        if self.depth > MAX_DEPTH:
            raise NotUnderstood(f"it is nested more than {MAX_DEPTH} deep")
        node = rule()
        self.depth -= 1
        return node

    def choice(self) -> Node:
        node = self.logic("or")
        if self.accept("if"):
            condition = self.logic("or")
            self.need("else")
            node = self.make("choice", None, (condition, node, self.deeper(self.choice)))
        return node

    def logic(self, word: str) -> Node:
        rule = self.negation if word == "and" else lambda: self.logic("and")
        node = rule()
        while self.accept(word):
            node = self.bounded(self.make("logic", word, (node, rule())))
        return node

    def negation(self) -> Node:
        if self.accept("not"):
            return self.make("unary", "not", (self.deeper(self.negation),))
        return self.comparison()

    def comparison(self) -> Node:
        node = self.level(0)
        if word := self.accept(*_COMPARISONS):
            node = self.make("compare", word, (node, self.level(0)))
        return node

    def level(self, level: int) -> Node:
        if level == len(_LEVELS):
            return self.signed()
        node = self.level(level + 1)
        while word := self.accept(*_LEVELS[level]):
            node = self.bounded(self.make("binary", word, (node, self.level(level + 1))))
        return node

    def bounded(self, node: Node) -> Node:
        """A chain such as 1+1+1… is a tree as deep as it is long: what walks it must not fall off the stack."""
        deep, inner = 0, node
        while inner.children and inner.kind in ("binary", "logic"):
            deep, inner = deep + 1, inner.children[0]
            if deep > 4 * MAX_DEPTH:
                raise NotUnderstood("it is too long a chain of operators")
        return node

    def signed(self) -> Node:
        if word := self.accept("+", "-", "~"):
            return self.make("unary", word, (self.deeper(self.signed),))
        node = self.postfix()
        if self.accept("**"):
            return self.make("binary", "**", (node, self.deeper(self.signed)))
        return node

    def postfix(self) -> Node:
        node, chain = self.atom(), 0
        while True:
            if self.peek("(") and node.kind == "name":
                self.next += 1
                node = self.call(str(node.value))
            elif self.peek("["):
                self.next += 1
                node = self.make("index", None, (node, self.deeper(self.choice)))
                self.need("]")
            else:
                return node
            chain += 1
            if chain > MAX_DEPTH:
                raise NotUnderstood("it has too many indices or calls in a row")

    def call(self, function: str) -> Node:
        children: list[Node] = []
        keywords: list[tuple[str, Node]] = []
        while not self.accept(")"):
            if self.tokens[self.next][0] == "name" and self.tokens[self.next + 1] == ("op", "="):
                name = str(self.tokens[self.next][1])
                self.next += 2
                keywords.append((name, self.deeper(self.choice)))
            else:
                children.append(self.deeper(self.choice))
            if not self.accept(",") and not self.peek(")"):
                raise self.unexpected()
        return self.make("call", function, tuple(children), tuple(keywords))

    def atom(self) -> Node:
        kind, value = self.tokens[self.next]
        if kind in ("number", "text"):
            self.next += 1
            while kind == "text" and self.tokens[self.next][0] == "text":
                value = str(value) + str(self.tokens[self.next][1])
                self.next += 1
            return self.make("value", value)
        if kind == "name" and value not in _WORDS:
            return self.name()
        if self.accept("("):
            return self.parentheses()
        if self.accept("["):
            return self.make("list", None, self.items("]"))
        raise self.unexpected()

    def name(self) -> Node:
        words = [str(self.tokens[self.next][1])]
        self.next += 1
        while self.accept("."):
            if self.tokens[self.next][0] != "name":
                raise self.unexpected()
            words.append(str(self.tokens[self.next][1]))
            self.next += 1
        constants = {"True": True, "False": False, "None": None}
        if words[0] in constants and len(words) == 1:
            return self.make("value", constants[words[0]])
        return self.make("name", ".".join(words))

    def parentheses(self) -> Node:
        """`(a)` is a; `(a, b)`, `(a,)` and `()` are lists."""
        if self.accept(")"):
            return self.make("list")
        first = self.deeper(self.choice)
        if self.accept(")"):
            return first
        self.need(",")
        return self.make("list", None, (first, *self.items(")")))

    def items(self, end: str) -> tuple[Node, ...]:
        found: list[Node] = []
        while not self.accept(end):
            found.append(self.deeper(self.choice))
            if not self.accept(",") and not self.peek(end):
                raise self.unexpected()
        return tuple(found)
