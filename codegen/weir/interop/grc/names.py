"""Names for projects and for GNU Radio, made of whatever names there were."""

from __future__ import annotations

import builtins
import itertools
import keyword
import re
import unicodedata
from collections.abc import Container

_LONGEST = 64


def identifier(text: str) -> str:
    """A block's or port's name in a project."""
    word = re.sub(r"[^a-z0-9_]", "_", text.lower())[:_LONGEST]
    return word if re.match(r"[a-z]", word) else f"b{word}"[:_LONGEST] if word else "b"


def parameter(text: str) -> str:
    """A parameter's name in a project. Letters lose their marks; keys that begin with x_ are the user's own there."""
    word = identifier(unicodedata.normalize("NFKD", text).encode("ascii", "ignore").decode() or text)
    return f"b{word}"[:_LONGEST] if word.startswith("x_") else word


def label(text: str) -> str:
    """A project's name."""
    return re.sub(r"[^a-z0-9_-]", "_", text.lower())[:_LONGEST] or "flowgraph"


def unique(word: str, taken: Container[str]) -> str:
    """The word, with a number where it is taken."""
    endings = (f"_{number}" for number in itertools.count(2))
    numbered = (word[:_LONGEST - len(ending)] + ending for ending in endings)
    return next(it for it in itertools.chain([word], numbered) if it not in taken)


def python_name(text: str, taken: Container[str] = ()) -> str:
    """An identifier of Python that is no keyword, nor a name that generated flowgraphs use for something else."""
    word = re.sub(r"\W", "_", text, flags=re.ASCII).strip("_") or "block"
    word = f"b_{word}" if word[0].isdigit() else word
    return unique(f"{word}_" if keyword.iskeyword(word) or word in _TAKEN else word, taken)


#: What GNU Radio refuses as a name, and what its generated code uses.
_TAKEN = {*dir(builtins), "self", "gnuradio", "default", "math", "gr", "blocks", "analog", "filter", "fft", "audio",
          "connect", "disconnect", "handle_sigint", "message_port_register_hier_in",
          "message_port_register_hier_out", "msg_connect", "msg_disconnect", "run", "start", "stop", "unlock", "wait",
          "options", "main", "signal", "sys", "firdes", "window", "digital", "eng_notation", "top_block"}
