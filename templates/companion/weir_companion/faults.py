"""Faults, and exceptions of the user's program in one line."""

from __future__ import annotations

import traceback


class Fault(Exception):
    """Fault that ends the runner: one line, and the exit code of docs/run-protocol.md."""

    def __init__(self, message: str, code: int = 2):
        super().__init__(message)
        self.code = code


def in_a_line(error: BaseException) -> str:
    """Return the type and text of an exception, as Python prints them, in one line."""
    text = "".join(traceback.format_exception_only(error)).strip()
    lines = [line.strip() for line in text.splitlines()] or [type(error).__name__]
    # The lines of a syntax error before the last one show the source.
    return lines[-1] if isinstance(error, SyntaxError) else " ".join(filter(None, lines))[:300]


def first_line(text: str) -> str:
    """Return the first line of a text that has one."""
    return next((line.strip() for line in text.splitlines() if line.strip()), "")
