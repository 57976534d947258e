"""Text of a project as C++: literals and comments, safe for every string there is."""

from __future__ import annotations

import math
import re
import struct
from collections.abc import Sequence

from weir.sure import sure

INT64_MIN = -(2**63)
F32_MAX = 3.4028234663852886e38

# Trigraphs begin with ??, and a digit behind an octal escape of three digits is no part of it.
_CPP_PLAIN = re.compile(rb'[ !#-\[\]-~]')
_INSTANCE = re.compile(r"([^\[@]*)(?:\[([0-9]+)\])?(@p[0-9]+)?")
_CPP_SHORT = {0x22: r"\"", 0x5C: r"\\", 0x3F: r"\?", 0x0A: r"\n", 0x09: r"\t"}


def cpp_string(text: str) -> str:
    """A C++ string literal of the UTF-8 bytes of a text."""
    parts = []
    for byte in text.encode("utf-8", "surrogatepass"):
        plain = _CPP_PLAIN.match(bytes([byte])) and byte not in _CPP_SHORT
        parts.append(chr(byte) if plain else _CPP_SHORT.get(byte) or f"\\{byte:03o}")
    return '"' + "".join(parts) + '"'


def cpp_std_string(text: str) -> str:
    """What initialises a std::string: with its length where a NUL would cut the literal short."""
    return f"{{{cpp_string(text)}, {len(text.encode('utf-8', 'surrogatepass'))}}}" if "\0" in text else cpp_string(text)


def comment(text: str) -> str:
    """One line that is safe in // and in /* */ comments: no controls, line ends, backslashes, `*/` or trigraphs."""
    line = "".join(c if c.isprintable() else " " for c in text).replace("\\", "/")
    line = line.replace("*/", "* /").replace("/*", "/ *").replace("??", "? ?")
    return " ".join(line.split())


def cpp_integer(value: int) -> str:
    """An integer as a literal of C++."""
    # 9223372036854775808 is no literal of a signed type, so its negative cannot be written directly.
    return "INT64_MIN" if value == INT64_MIN else str(value)


def cpp_float(value: float) -> str:
    """The shortest literal that gives this float32 again."""
    single = struct.unpack("<f", struct.pack("<f", value))[0]
    for precision in range(1, 9):
        digits = f"{single:.{precision}g}"
        if abs(float(digits)) <= F32_MAX and struct.unpack("<f", struct.pack("<f", float(digits)))[0] == single:
            return _real(digits) + "F"
    return _real(f"{single:.9g}") + "F"


def cpp_double(value: float) -> str:
    """A double as a literal of C++. ValueError for NaN and infinities."""
    if not math.isfinite(value):
        raise ValueError(f"{value} has no literal")
    return _real(repr(float(value)))


def _real(digits: str) -> str:
    return digits if any(c in digits for c in ".e") else digits + ".0"


def in_short(names: Sequence[str], most: int = 8) -> str:
    """Instance names for a comment: source@p0, stage[0..5]@p0, sink@p0 and 45 more."""
    runs: list[tuple[str, str, list[int]]] = []  # block, pipe, first and last copy (-1: not repeated)
    for name in names:
        block, copy, pipe = sure(_INSTANCE.fullmatch(name)).group(1, 2, 3)
        if runs and copy is not None and runs[-1][:2] == (block, pipe) and runs[-1][2][1] + 1 == int(copy):
            runs[-1][2][1] += 1
        else:
            runs.append((block, pipe, [int(copy or -1)] * 2))
    shown = [block + ("" if first < 0 else f"[{first}]" if first == last else f"[{first}..{last}]") + (pipe or "")
             for block, pipe, (first, last) in runs[:most]]
    counted = sum(last - first + 1 for _, _, (first, last) in runs[:most])
    return ", ".join(shown) + (f" and {len(names) - counted} more" if counted < len(names) else "")
