"""Names and text in Rust: readable, and never a word that the language has taken."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from weir.engine.generation.cpp.names import unique_identifiers, upper_camel

_KEYWORDS = frozenset("""
    abstract as async await become box break const continue crate do dyn else enum extern false final fn for gen if impl
    in let loop macro match mod move mut override priv pub raw ref return self static struct super trait true try type
    typeof unsafe unsized use virtual where while yield
""".split())
#: What the generated function has itself.
_TAKEN = frozenset(("fg", "run", "reader", "work", "writer", "b", "quanta", "weir", "natives"))

#: An item of a stream.
TYPES: Mapping[str, str] = {"u8": "u8", "i8": "i8", "i16": "i16", "i32": "i32", "f32": "f32", "f64": "f64",
                            "c64": "Complex32"}


def names_of(instances: Iterable[str]) -> dict[str, str]:
    """A variable for each instance."""
    return {text: f"{name}_" if name in _KEYWORDS | _TAKEN else name
            for text, name in unique_identifiers(instances).items()}


def field(port: str) -> str:
    """A port as a field of its struct."""
    return {"in": "input", "out": "output"}.get(port, f"{port}_" if port in _KEYWORDS else port)


def struct(block: str, item_type: str | None, *more: str) -> str:
    """The name of what stands for blocks of a type; `more`: what else tells them from others of it."""
    return upper_camel("_".join(filter(None, (block, item_type, *more))))


def rust_string(text: str) -> str:
    """A literal: what is not plain is written as its code points."""
    plain = {chr(code) for code in range(0x20, 0x7f)} - set('"\\')
    return '"' + "".join(c if c in plain else f"\\u{{{ord(c):x}}}" for c in text) + '"'


def number(value: Any, kind: str) -> str:
    """A literal of an item type, or of a parameter's that is a number. A c64 is a number or (re, im)."""
    if kind == "c64":
        re, im = value if isinstance(value, (tuple, list)) else (value, 0)
        return f"Complex32::new({number(re, 'f32')}, {number(im, 'f32')})"
    if kind in ("f32", "f64"):
        return f"{format(value, '.9g') if kind == 'f32' else repr(float(value))}_{kind}"
    return str(int(value))
