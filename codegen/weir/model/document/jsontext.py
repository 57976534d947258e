"""JSON text: a strict reader that reports place and reason of a fault, and the only canonical writer.

`json` of the standard library accepts NaN, keeps the last of duplicate keys and overflows the stack on deep nesting. A
project file with any of these needs a diagnostic with a pointer. The standard library still reads texts without them.
"""

from __future__ import annotations

import json
import math
import re
from json.decoder import scanstring  # type: ignore[attr-defined]  # typeshed only knows the one of json.scanner
from json.encoder import encode_basestring as _string
from typing import Any

from weir.diagnostics import Diagnostic, diagnostic, pointer
from weir.sure import sure

MAX_DEPTH = 64
MAX_BYTES = 16 * 1024 * 1024
INT64_MIN, INT64_MAX = -(2**63), 2**63 - 1

_BLANK = re.compile(r"[ \t\n\r]*")
_NUMBER = re.compile(r"-?(?:0|[1-9][0-9]*)(\.[0-9]+)?([eE][-+]?[0-9]+)?")
_WORDS = {"true": True, "false": False, "null": None}
_NOT_FINITE = re.compile(r"[-+]?(?:NaN|nan|Infinity|inf)\b")
_WORD = re.compile(r"[A-Za-z]+")
_LONE_SURROGATE = re.compile("[\ud800-\udfff]")
_HALF_OF_A_PAIR = re.compile("[\ud800-\udfff]|\\\\u[dD][89a-fA-F]")  # or a whole pair, escaped
_LINE_COLUMNS, _LINE_LEVELS = 100, 3


class _Syntax(Exception):
    def __init__(self, code: str, position: int, message: str, hint: str = ""):
        self.code, self.position, self.message, self.hint = code, position, message, hint


def read(data: bytes | str, *, located: bool = False) -> tuple[Any, list[Diagnostic]]:
    """Return the value of a JSON text and its faults. The value is None with an E_JSON_… error.

    `located`: give syntax faults the pointer of the value in which reading ended, although the text has no value there.
    """
    text, faults = _decode(data)
    if faults:
        return None, faults
    try:
        return _read_at_once(text), []
    except (ValueError, RecursionError):
        pass  # the slow reader below reports where and why
    reader = _Reader(text, located)
    try:
        value = reader.document()
    except _Syntax as fault:
        reader.report(fault)
    return (None, reader.faults) if reader.faults else (value, [])


def _read_at_once(text: str) -> Any:
    """Return the value of a text without faults, four times as fast as the reader that reports faults. Raises
    ValueError or RecursionError if there may be a fault.
    """
    if _HALF_OF_A_PAIR.search(text):
        raise ValueError
    value = json.loads(text, object_pairs_hook=_keys_once, parse_int=_int64, parse_float=_finite,
                       parse_constant=_finite)
    _limit_depth(value, MAX_DEPTH)
    return value


def _keys_once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    result = dict(pairs)
    if len(result) < len(pairs):
        raise ValueError
    return result


def _int64(digits: str) -> int:
    value = int(digits)
    if not INT64_MIN <= value <= INT64_MAX:
        raise ValueError
    return value


def _finite(digits: str) -> float:
    value = float(digits)
    if not math.isfinite(value):
        raise ValueError
    return value


def _limit_depth(value: Any, levels: int) -> None:
    for child in value.values() if isinstance(value, dict) else value if isinstance(value, list) else ():
        if isinstance(child, (dict, list)):
            if levels == 1:
                raise ValueError
            _limit_depth(child, levels - 1)


def _decode(data: bytes | str) -> tuple[str, list[Diagnostic]]:
    if len(data) > MAX_BYTES:
        return "", [diagnostic("E_JSON_SIZE", "",
                               f"the text has {len(data)} bytes, but at most {MAX_BYTES} are allowed")]
    if isinstance(data, str):
        return data, []
    try:
        return data.decode("utf-8"), []
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        return "", [diagnostic("E_JSON_ENCODING", "", f"line {line}: byte {error.start} is not UTF-8",
                               "save the file as UTF-8")]


class _Reader:
    """Recursive descent parser, at most MAX_DEPTH deep. Collects faults that leave the structure intact."""

    def __init__(self, text: str, located: bool):
        self.text, self.located, self.at = text, located, 0
        self.path: list[str | int] = []
        self.faults: list[Diagnostic] = []

    def report(self, fault: _Syntax) -> None:
        line = self.text.count("\n", 0, fault.position) + 1
        column = fault.position - self.text.rfind("\n", 0, fault.position)
        place = pointer(*self.path) if self.located or fault.code in _LOCATED else ""
        self.faults.append(diagnostic(fault.code, place, f"line {line}, column {column}: {fault.message}", fault.hint))

    def document(self) -> Any:
        if self.text.startswith("\ufeff"):
            raise _Syntax("E_JSON_SYNTAX", 0, "the text begins with a byte order mark",
                          "save it as UTF-8 without a byte order mark")
        value = self.value(0)
        if self.peek():
            raise _Syntax("E_JSON_SYNTAX", self.at, "there is text after the end of the document")
        return value

    def peek(self) -> str:
        self.at = sure(_BLANK.match(self.text, self.at)).end()
        return self.text[self.at : self.at + 1]

    def expected(self, what: str, hint: str = "") -> _Syntax:
        here = self.peek()
        found = f"found {here!r}" if here else "the text ends"
        return _Syntax("E_JSON_SYNTAX", self.at, f"expected {what}, but {found}", hint)

    def value(self, depth: int) -> Any:
        here = self.peek()
        if here == '"':
            return self.string()
        if here in ("{", "["):
            if depth == MAX_DEPTH:
                raise _Syntax("E_JSON_DEPTH", self.at, f"nested more than {MAX_DEPTH} deep")
            self.at += 1
            return self.object(depth + 1) if here == "{" else self.array(depth + 1)
        return self.scalar()

    def object(self, depth: int) -> dict[str, Any]:
        result: dict[str, Any] = {}
        if self.peek() == "}":
            self.at += 1
            return result
        while True:
            if self.peek() != '"':
                hint = "remove the last comma" if self.peek() == "}" else "write keys in double quotes"
                raise self.expected("a key in double quotes", hint)
            start = self.at
            key = self.string()
            self.path.append(key)
            if key in result:
                message = f'the key "{key}" occurs twice'
                self.report(_Syntax("E_JSON_DUPLICATE_KEY", start, message, "remove one of the two"))
            if self.peek() != ":":
                raise self.expected('":"')
            self.at += 1
            result[key] = self.value(depth)
            self.path.pop()
            if not self.comma("}"):
                return result

    def array(self, depth: int) -> list[Any]:
        result: list[Any] = []
        if self.peek() == "]":
            self.at += 1
            return result
        while True:
            if result and self.peek() == "]":
                raise self.expected("a value", "remove the last comma")
            self.path.append(len(result))
            result.append(self.value(depth))
            self.path.pop()
            if not self.comma("]"):
                return result

    def comma(self, end: str) -> bool:
        here = self.peek()
        if here not in (",", end) or not here:
            raise self.expected(f'"," or "{end}"')
        self.at += 1
        return here == ","

    def string(self) -> str:
        start = self.at
        try:
            value, self.at = scanstring(self.text, start + 1, True)
        except ValueError as error:
            raise _Syntax("E_JSON_SYNTAX", getattr(error, "pos", start), getattr(error, "msg", str(error))) from None
        if _LONE_SURROGATE.search(value):
            self.report(_Syntax("E_JSON_ENCODING", start, "the text escapes half a surrogate pair"))
        return value

    def scalar(self) -> Any:
        text, start = self.text, self.at
        if match := _NOT_FINITE.match(text, start):
            self.at = match.end()
            message = f"{match[0]} is not a number in JSON"
            self.report(_Syntax("E_JSON_NOT_FINITE", start, message, "write a finite number"))
            return None
        if match := _NUMBER.match(text, start):
            self.at = match.end()
            if text[self.at : self.at + 1].isdecimal():
                raise _Syntax("E_JSON_SYNTAX", start, "a JSON number cannot begin with 0", "remove the 0")
            return self.number(match, start)
        word = _WORD.match(text, start)
        if word and word[0] in _WORDS:
            self.at = word.end()
            return _WORDS[word[0]]
        raise self.expected("a value", _hint_for_word(word[0]) if word else "")

    def number(self, match: re.Match, start: int) -> int | float | None:
        digits = match[0]
        if match[1] or match[2]:
            value: int | float = float(digits)
            fits = math.isfinite(value)
        else:
            value = int(digits) if len(digits) <= 20 else INT64_MAX + 1
            fits = INT64_MIN <= value <= INT64_MAX
        if fits:
            return value
        shown = digits if len(digits) <= 24 else digits[:20] + "…"
        self.report(_Syntax("E_JSON_NUMBER", start, f"{shown} does not fit a 64-bit number"))
        return None


_LOCATED = {"E_JSON_DUPLICATE_KEY", "E_JSON_NOT_FINITE", "E_JSON_NUMBER", "E_JSON_ENCODING"}


def _hint_for_word(word: str) -> str:
    if word.lower() in _WORDS:
        return f"did you mean `{word.lower()}`?"
    return "did you mean `null`?" if word == "None" else "write text in double quotes"





def write(value: Any) -> str:
    """Return the canonical text of a JSON value (docs/architecture.md section 6). Raises ValueError for NaN and
    infinities.
    """
    parts: list[str] = []
    _write(value, "", "", "", parts)
    return "".join(parts) + "\n"


def _scalar(value: Any) -> str:
    if isinstance(value, str):
        return _string(value)
    if value is None or isinstance(value, bool):
        return {None: "null", True: "true", False: "false"}[value]
    if isinstance(value, int):
        return str(int(value))
    if isinstance(value, float):
        if not math.isfinite(value):
            raise ValueError(f"{value} has no JSON text")
        return repr(value)
    raise ValueError(f"{type(value).__name__} has no JSON text")


def _entries(value: dict | list | tuple) -> Any:
    return value.items() if isinstance(value, dict) else enumerate(value)


def _line(value: Any, levels: int) -> str | None:
    """Return `value` on one line; None if it is nested deeper than `levels` or contains an array of containers."""
    if not isinstance(value, (dict, list, tuple)):
        return _scalar(value)
    if not levels:
        return None
    is_object = isinstance(value, dict)
    if not is_object and any(isinstance(v, (dict, list, tuple)) for v in value):
        return None
    parts = []
    for key, child in _entries(value):
        text = _line(child, levels - 1)
        if text is None:
            return None
        parts.append(f"{_string(str(key))}: {text}" if is_object else text)
    return ("{%s}" if is_object else "[%s]") % ", ".join(parts)


def _write(value: Any, indent: str, key: str, comma: str, parts: list[str]) -> None:
    if not isinstance(value, (dict, list, tuple)):
        parts.append(indent + key + _scalar(value) + comma)
        return
    if parts:
        line = _line(value, _LINE_LEVELS)
        if line is not None and len(indent) + len(key) + len(line) + len(comma) <= _LINE_COLUMNS:
            parts.append(indent + key + line + comma)
            return
    is_object = isinstance(value, dict)
    parts.append(indent + key + ("{\n" if is_object else "[\n"))
    last = len(value) - 1
    for i, (name, child) in enumerate(_entries(value)):
        _write(child, indent + "  ", f"{_string(name)}: " if is_object else "", "," if i < last else "", parts)
        parts.append("\n")
    parts.append(indent + ("}" if is_object else "]") + comma)
