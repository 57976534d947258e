"""Text of a project as C++ literals and comments, safe for every string."""

from __future__ import annotations

import math
import re
import struct
from collections.abc import Sequence

from weir.sure import sure

INT64_MIN = -(2**63)
F32_MAX = 3.4028234663852886e38

# Escapes ??, which begins trigraphs. Octal escapes have three digits, so that a digit may follow them.
_CPP_PLAIN = re.compile(rb'[ !#-\[\]-~]')
_INSTANCE = re.compile(r"([^\[@]*)(?:\[([0-9]+)\])?(@p[0-9]+)?")
_CPP_SHORT = {0x22: r"\"", 0x5C: r"\\", 0x3F: r"\?", 0x0A: r"\n", 0x09: r"\t"}


def cpp_string(text: str) -> str:
    """Return a C++ string literal of the UTF-8 bytes of a text."""
    parts = []
    for byte in text.encode("utf-8", "surrogatepass"):
        plain = _CPP_PLAIN.match(bytes([byte])) and byte not in _CPP_SHORT
        parts.append(chr(byte) if plain else _CPP_SHORT.get(byte) or f"\\{byte:03o}")
    return '"' + "".join(parts) + '"'


def cpp_std_string(text: str) -> str:
    """Return an initialiser of a std::string, with its length if the text contains a NUL."""
    return f"{{{cpp_string(text)}, {len(text.encode('utf-8', 'surrogatepass'))}}}" if "\0" in text else cpp_string(text)


def comment(text: str) -> str:
    """Return one line that is safe in // and /* */ comments."""
    line = "".join(c if c.isprintable() else " " for c in text).replace("\\", "/")
    line = line.replace("*/", "* /").replace("/*", "/ *").replace("??", "? ?")
    return " ".join(line.split())


def cpp_integer(value: int) -> str:
    """Return an integer as a C++ literal."""
    # C++ parses a minus and then 9223372036854775808, which does not fit a signed type.
    return "INT64_MIN" if value == INT64_MIN else str(value)


def cpp_float(value: float) -> str:
    """Return the shortest literal that gives this float32 again."""
    single = struct.unpack("<f", struct.pack("<f", value))[0]
    for precision in range(1, 9):
        digits = f"{single:.{precision}g}"
        if abs(float(digits)) <= F32_MAX and struct.unpack("<f", struct.pack("<f", float(digits)))[0] == single:
            return _real(digits) + "F"
    return _real(f"{single:.9g}") + "F"


def cpp_double(value: float) -> str:
    """Return a double as a C++ literal. Raises ValueError for NaN and infinities."""
    if not math.isfinite(value):
        raise ValueError(f"{value} has no literal")
    return _real(repr(float(value)))


def _real(digits: str) -> str:
    return digits if any(c in digits for c in ".e") else digits + ".0"


def in_short(names: Sequence[str], most: int = 8) -> str:
    """Return instance names for a comment: source@p0, stage[0..5]@p0, sink@p0 and 45 more."""
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
