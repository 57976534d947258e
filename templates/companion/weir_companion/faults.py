"""Faults, and how an exception of the user's program is said in one line."""

from __future__ import annotations

import traceback


class Fault(Exception):
    """Fault that ends the runner: one line, and the exit code of docs/run-protocol.md."""

    def __init__(self, message: str, code: int = 2):
        super().__init__(message)
        self.code = code


def last_line(error: BaseException) -> str:
    """Return the last line of what Python would print for an exception: its type and text."""
    lines = "".join(traceback.format_exception_only(error)).strip().splitlines()
    return lines[-1].strip() if lines else type(error).__name__


def first_line(text: str) -> str:
    """Return the first line of a text that has one."""
    return next((line.strip() for line in text.splitlines() if line.strip()), "")
