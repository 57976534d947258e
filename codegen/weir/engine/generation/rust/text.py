"""Names and text in Rust: readable, and not reserved by the language."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from weir.engine.generation.cpp.names import unique_identifiers, upper_camel

_KEYWORDS = frozenset("""
    abstract as async await become box break const continue crate do dyn else enum extern false final fn for gen if impl
    in let loop macro match mod move mut override priv pub raw ref return self static struct super trait true try type
    typeof unsafe unsized use virtual where while yield
""".split())
#: Names in the generated function.
_TAKEN = frozenset(("fg", "run", "reader", "work", "writer", "b", "quanta", "weir", "natives", "domain",
                    "domains"))

#: Rust type of an item.
TYPES: Mapping[str, str] = {"u8": "u8", "i8": "i8", "i16": "i16", "i32": "i32", "f32": "f32", "f64": "f64",
                            "c64": "Complex32"}


def names_of(instances: Iterable[str]) -> dict[str, str]:
    """Return a variable for each instance."""
    return {text: f"{name}_" if name in _KEYWORDS | _TAKEN else name
            for text, name in unique_identifiers(instances).items()}


def field(port: str) -> str:
    """Return the field of a port in its struct."""
    return {"in": "input", "out": "output"}.get(port, f"{port}_" if port in _KEYWORDS else port)


def struct(block: str, item_type: str | None, *more: str) -> str:
    """Return the struct name for blocks of a type; `more` tells it from others of that type."""
    return upper_camel("_".join(filter(None, (block, item_type, *more))))


def rust_string(text: str) -> str:
    """Return a string literal; characters that are not plain ASCII become code points."""
    plain = {chr(code) for code in range(0x20, 0x7f)} - set('"\\')
    return '"' + "".join(c if c in plain else f"\\u{{{ord(c):x}}}" for c in text) + '"'


def number(value: Any, kind: str) -> str:
    """Return a literal of an item type or of a numeric parameter. A c64 is a number or (re, im)."""
    if kind == "c64":
        re, im = value if isinstance(value, (tuple, list)) else (value, 0)
        return f"Complex32::new({number(re, 'f32')}, {number(im, 'f32')})"
    if kind in ("f32", "f64"):
        return f"{format(value, '.9g') if kind == 'f32' else repr(float(value))}_{kind}"
    return str(int(value))
