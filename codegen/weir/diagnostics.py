"""Diagnostics: one record for each fault found in the input, with a code from `weir.codes`."""

from __future__ import annotations

import difflib
import os
import re
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any, NamedTuple

from weir.codes import CODES, ERROR, EXIT_CODES, WARNING

#: Narrow no-break space. It is the only unprintable character that Weir sends to a terminal unescaped.
BETWEEN_DIGITS = "\u202f"


class Fix(NamedTuple):
    """Obvious fix; `title` says it in a few words.

    `kind` is the action at `pointer`: `rename` the last key to `what`; `set` the value `what`, even if the key does not
    exist yet; `remove` the value; `insert` the block {type, parameters, input, output} into the connection.
    """

    title: str
    pointer: str
    kind: str
    what: object = True

    def as_json(self) -> dict[str, Any]:
        """Return the fields as plain JSON values."""
        return {"title": self.title, "pointer": self.pointer, self.kind: self.what}


@dataclass(frozen=True)
class Place:
    """Place in generated code: `file` of the generated project, and line and column from 1, 0 if unknown.

    `source` is the original of a copied file. `blocks` are the project's blocks with this code.
    """

    file: str
    line: int
    column: int
    source: str
    blocks: tuple[str, ...]

    def as_json(self) -> dict[str, Any]:
        """Return the fields as plain JSON values."""
        return {"file": self.file, "line": self.line, "column": self.column, "source": self.source,
                "blocks": list(self.blocks)}


@dataclass(frozen=True)
class Diagnostic:
    """One diagnostic. `pointer` is a JSON Pointer (RFC 6901) into the document, "" for the whole document or without
    one.

    `blocks`: faulty blocks to which the pointer does not lead.
    """

    code: str
    severity: str
    pointer: str
    message: str
    hint: str = ""
    fixes: tuple[Fix, ...] = ()
    place: Place | None = None
    blocks: tuple[str, ...] = ()

    def as_json(self) -> dict[str, Any]:
        """Return the fields as plain JSON values."""
        answer: dict[str, Any] = {"code": self.code, "severity": self.severity, "pointer": self.pointer,
                  "message": self.message, "hint": self.hint}
        if self.fixes:
            answer["fixes"] = [fix.as_json() for fix in self.fixes]
        if self.blocks:
            answer["blocks"] = list(self.blocks)
        return {**answer, "place": self.place.as_json()} if self.place else answer


class WeirError(Exception):
    """Exception that ends a verb. The command line prints the diagnostics and exits with `exit_code`.

    `source`: the file of their pointers, "" for the one that the command line names.
    """

    def __init__(self, diagnostics: Diagnostic | Iterable[Diagnostic], exit_code: int | None = None, source: str = ""):
        self.diagnostics = [diagnostics] if isinstance(diagnostics, Diagnostic) else list(diagnostics)
        self.exit_code = exit_code_for(self.diagnostics) if exit_code is None else exit_code
        self.source = source
        super().__init__("; ".join(d.message for d in self.diagnostics))


def diagnostic(code: str, pointer: str, message: str, hint: str = "", fixes: Iterable[Fix] = (),
               place: Place | None = None, blocks: Iterable[str] = ()) -> Diagnostic:
    """Return a diagnostic with its code's severity and, if `hint` is empty, its code's hint. Raises KeyError for an
    unknown code.
    """
    if word := nearest(hint) if code in _FIXED_BY else None:
        fixes = (Fix(f"Use {word}", pointer, _FIXED_BY[code], word), *fixes)
    return Diagnostic(code, CODES[code].severity, pointer, message, hint or CODES[code].hint, tuple(fixes), place,
                      tuple(blocks))


def within(pointer: str, value: int | float, low: int | float | None, high: int | float | None) -> tuple[Fix, ...]:
    """Return a fix that sets a number outside its range to the nearest limit."""
    limit = low if low is not None and value < low else high if high is not None and value > high else None
    return () if limit is None else (Fix(f"Use {limit}", pointer, "set", limit),)


def has_errors(diagnostics: Iterable[Diagnostic]) -> bool:
    """Return whether any of them is an error."""
    return any(d.severity == ERROR for d in diagnostics)


def exit_code_for(diagnostics: Iterable[Diagnostic]) -> int:
    """Return 0 without errors, else the exit code of the first error's kind."""
    for d in diagnostics:
        if d.severity == ERROR:
            return EXIT_CODES[CODES[d.code].kind]
    return 0


def os_error(error: OSError, what: str) -> Diagnostic:
    """Return the diagnostic of a failed system call; `what` names the attempt, e.g. "write out/plan.json"."""
    import errno

    code = {errno.ENOENT: "E_FILE_MISSING", errno.EACCES: "E_FILE_PERMISSION", errno.EPERM: "E_FILE_PERMISSION",
            errno.EROFS: "E_FILE_PERMISSION", errno.ENOSPC: "E_DISK_FULL", errno.EDQUOT: "E_DISK_FULL"}
    return diagnostic(code.get(error.errno or 0, "E_FILE_IO"), "", f"cannot {what}: {error.strerror or error}")


@contextmanager
def trying(what: str) -> Iterator[None]:
    """Turn an OSError of the block into a WeirError; `what` is as in `os_error`."""
    try:
        yield
    except OSError as error:
        raise WeirError(os_error(error, what)) from None


def not_started(error: OSError, who: str) -> Diagnostic:
    """Return the diagnostic for a program that `who` could not start; the error has the program's name."""
    return diagnostic("E_TOOL_MISSING", "",
                      f"{who} cannot start the program `{printable(str(error.filename))}`: {error.strerror}",
                      "install it, or put its folder into PATH; if it is installed, check the interpreter in its first "
                      "line, and the folder to start in")


#: Fewer characters fit too many words.
LEAST_BEGUN = 3


def did_you_mean(word: str, choices: Iterable[str]) -> str:
    """Return a hint with the choice nearest to `word`, or with the one that begins with it. Otherwise list all choices
    if they are few, else return "".
    """
    choices = sorted(choices)
    near = difflib.get_close_matches(word, choices, n=1, cutoff=0.6)
    if not near and len(word) >= LEAST_BEGUN:
        near = [choice for choice in choices if choice.startswith(word)]
    if len(near) == 1:
        return f"did you mean `{near[0]}`?"
    if 0 < len(choices) <= 12:
        return "choose one of " + ", ".join(f"`{c}`" for c in choices)
    return ""


def nearest(hint: str) -> str | None:
    """Return the choice in a hint of `did_you_mean`, None if it names none."""
    match = _DID_YOU_MEAN.fullmatch(hint)
    return match[1] if match else None


_DID_YOU_MEAN = re.compile(r"did you mean `([^`]+)`\?")
# Codes for which the wrong word is the whole value, or the last key, at the pointer.
_FIXED_BY = {"E_KEY_UNKNOWN": "rename", "E_PARAMETER_UNKNOWN": "rename", "E_BUFFER_EDGE": "rename",
             **dict.fromkeys(("E_BLOCK_TYPE", "E_BLOCK_UNKNOWN", "E_PORT_UNKNOWN", "E_PARAMETER_CHOICE",
                              "E_VALUE_CHOICE", "E_TYPE_UNSUPPORTED", "E_SCHEDULER_UNKNOWN", "E_TARGET_UNKNOWN"),
                             "set")}


def pointer(*parts: str | int) -> str:
    """Return a JSON Pointer from its unescaped parts."""
    return "".join("/" + str(p).replace("~", "~0").replace("/", "~1") for p in parts)


def resolve(document: Any, path: str) -> Any:
    """Return the value at a JSON Pointer. Raises LookupError if there is none."""
    value = document
    for part in path.split("/")[1:] if path else ():
        part = part.replace("~1", "/").replace("~0", "~")
        if isinstance(value, list):
            if not (part.isascii() and part.isdigit()) or (part[0] == "0" and part != "0"):
                raise LookupError(part)
            value = value[int(part)]
        elif isinstance(value, dict):
            value = value[part]
        else:
            raise LookupError(part)
    return value


def nearest_place(document: Any, path: str) -> str:
    """Return the JSON Pointer, or the nearest one above it that exists in the document."""
    while path:
        try:
            resolve(document, path)
            return path
        except LookupError:
            path = path.rpartition("/")[0]
    return path


def wants_colour(stream) -> bool:
    """Return whether to use colours. Honours NO_COLOR (no-color.org) and terminals without colours."""
    return not os.environ.get("NO_COLOR") and os.environ.get("TERM") != "dumb" and stream.isatty()


def format_for_people(diagnostics: Iterable[Diagnostic], source: str, colour: bool = False) -> str:
    """Return one paragraph for each finding, as compilers print them: `file:pointer: error CODE: message`, then the
    hint. Findings in a row with the same hint have it once, after the last of them.
    """
    paint = {ERROR: "\033[1;31m", WARNING: "\033[1;33m"} if colour else {}
    lines = []
    said = list(diagnostics)
    for d, after in zip(said, [*said[1:], None]):
        place = printable(f"{source}:{d.pointer}" if d.pointer else source)
        severity = f"{paint[d.severity]}{d.severity}\033[0m" if d.severity in paint else d.severity
        lines.append(f"{place}: {severity} {d.code}: {printable(d.message)}")
        if d.hint and (after is None or after.hint != d.hint):
            lines.append(f"    hint: {printable(d.hint)}")
    return "\n".join(lines)


def printable(text: str) -> str:
    """Return `text` with control characters and lone surrogates escaped, because a project must not control the
    terminal.
    """
    return "".join(c if c.isprintable() or c == BETWEEN_DIGITS else f"\\u{ord(c):04x}" for c in text)
