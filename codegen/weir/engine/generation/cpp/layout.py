"""Break long lines at the commas of their lists, so that templates need not care about widths."""

from __future__ import annotations

import re
from collections.abc import Iterator

from weir.sure import sure

COLUMNS = 120
INDENT = 4
# Marks of the source map, which have no width (source_map.py).
_MARKED = re.compile("((?:\x02[0-9]+\x02)*)(.*?)(\x03*)", re.DOTALL)
_STRING = re.compile(r'"(?:[^"\\]|\\.)*"')
_OPENING = {"{": "}", "(": ")"}


def laid_out(text: str) -> str:
    """Return the text with lines of at most 120 columns where lists allow it. Comments stay as they are."""
    return "\n".join(_line(line) for line in text.split("\n"))


def _line(line: str) -> str:
    if len(line) <= COLUMNS:
        return line
    before, code, after = sure(_MARKED.fullmatch(line)).groups()
    return before + "\n".join(_broken(code)) + after


def _broken(code: str) -> Iterator[str]:
    """Yield the line with its widest outermost list broken over several lines, recursively."""
    lists = [] if len(code) <= COLUMNS or code.lstrip().startswith("//") else list(_lists(code))
    if not lists:
        yield code
        return
    first, last, commas = max(lists, key=lambda it: it[1] - it[0])
    cuts = [first, *(comma + 1 for comma in commas), last]
    items = [code[a:b].strip() for a, b in zip(cuts, cuts[1:])]
    items[-1] += code[last:]
    yield code[:first]
    indent = " " * (len(code) - len(code.lstrip()) + INDENT)
    line = ""
    for item in items:
        if line and len(indent) + len(line) + 1 + len(item) > COLUMNS:
            yield from _broken(indent + line)
            line = ""
        line = f"{line} {item}" if line else item
    yield from _broken(indent + line)


def _lists(code: str) -> Iterator[tuple[int, int, list[int]]]:
    """Yield (start, end, commas) of the content of each outermost list that is not empty."""
    closing: list[str] = []
    commas: list[int] = []
    first = at = 0
    while at < len(code):
        if code[at] == '"':
            at = sure(_STRING.match(code, at)).end()
            continue
        if code.startswith("//", at):
            break
        # A < before a digit opens a list: weir::tasks<0, 1>.
        opens = _OPENING.get(code[at]) or (">" if code[at] == "<" and code[at + 1:at + 2].isdigit() else None)
        if opens:
            closing.append(opens)
            if len(closing) == 1:
                first, commas = at + 1, []
        elif closing and code[at] == closing[-1]:
            closing.pop()
            if not closing and at > first:
                yield first, at, commas
        elif code[at] == "," and len(closing) == 1:
            commas.append(at)
        at += 1
    if closing and first < at - 1:
        yield first, at, commas
