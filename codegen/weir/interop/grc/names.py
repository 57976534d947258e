"""Valid names for projects and for GNU Radio, made from arbitrary text."""

from __future__ import annotations

import builtins
import itertools
import keyword
import re
import unicodedata
from collections.abc import Container

_LONGEST = 64


def identifier(text: str) -> str:
    """Return the name of a block or port in a project."""
    word = re.sub(r"[^a-z0-9_]", "_", text.lower())[:_LONGEST]
    return word if re.match(r"[a-z]", word) else f"b{word}"[:_LONGEST] if word else "b"


def parameter(text: str) -> str:
    """Return the name of a parameter in a project. Accents are removed. A prefix keeps it from starting with x_, which
    is reserved for the user's own keys.
    """
    word = identifier(unicodedata.normalize("NFKD", text).encode("ascii", "ignore").decode() or text)
    return f"b{word}"[:_LONGEST] if word.startswith("x_") else word


def label(text: str) -> str:
    """Return the name of a project."""
    return re.sub(r"[^a-z0-9_-]", "_", text.lower())[:_LONGEST] or "flowgraph"


def unique(word: str, taken: Container[str]) -> str:
    """Return the word, with a number if it is taken."""
    endings = (f"_{number}" for number in itertools.count(2))
    numbered = (word[:_LONGEST - len(ending)] + ending for ending in endings)
    return next(it for it in itertools.chain([word], numbered) if it not in taken)


def python_name(text: str, taken: Container[str] = ()) -> str:
    """Return a Python identifier that is neither a keyword nor a name with another use in generated flowgraphs."""
    word = re.sub(r"\W", "_", text, flags=re.ASCII).strip("_") or "block"
    word = f"b_{word}" if word[0].isdigit() else word
    return unique(f"{word}_" if keyword.iskeyword(word) or word in _TAKEN else word, taken)


#: Names that GNU Radio refuses, and names that its generated code uses.
_TAKEN = {*dir(builtins), "self", "gnuradio", "default", "math", "gr", "blocks", "analog", "filter", "fft", "audio",
          "connect", "disconnect", "handle_sigint", "message_port_register_hier_in",
          "message_port_register_hier_out", "msg_connect", "msg_disconnect", "run", "start", "stop", "unlock", "wait",
          "options", "main", "signal", "sys", "firdes", "window", "digital", "eng_notation", "top_block"}
