"""Parsers of times, shares and other numbers on the command line."""

from __future__ import annotations

import argparse
import math
import re
from collections.abc import Callable
from contextlib import suppress

_SECONDS = {"": 1.0, "ns": 1e-9, "us": 1e-6, "ms": 1e-3, "s": 1.0, "m": 60.0, "h": 3600.0}


def seconds(least: float, most: float, such_as: str) -> Callable[[str], float]:
    """Return a parser of times with a unit (default: seconds), above `least` and up to `most` seconds."""
    def of(text: str) -> float:
        match = re.fullmatch(r"(\d{1,6}(?:\.\d{1,3})?)(ns|us|ms|s|m|h|)", text)
        value = float(match[1]) * _SECONDS[match[2]] if match else math.nan
        if not least < value <= most:
            raise argparse.ArgumentTypeError(f"`{text}` is not a time such as {such_as}")
        return value
    return of


def whole(least: int, most: int, what: str) -> Callable[[str], int]:
    """Return a parser of integers from `least` to `most`. `what` describes the number."""
    def of(text: str) -> int:
        if not text.isdecimal() or len(text) > len(str(most)) or not least <= int(text) <= most:
            raise argparse.ArgumentTypeError(f"`{text}` is not {what}")
        return int(text)
    return of


def number(least: float, most: float, what: str) -> Callable[[str], float]:
    """Return a parser of numbers from `least` to `most`. `what` describes the number."""
    def of(text: str) -> float:
        with suppress(ValueError):
            if least <= float(text) <= most:
                return float(text)
        raise argparse.ArgumentTypeError(f"`{text}` is not {what}")
    return of


def share(least: float, most: float, such_as: str) -> Callable[[str], float]:
    """Return a parser of shares such as 0.005 or 0.5%, from `least` to `most` (both are shares of 1)."""
    def of(text: str) -> float:
        match = re.fullmatch(r"(\d{1,3}(?:\.\d{1,9})?|\.\d{1,9})(%?)", text)
        value = float(match[1]) / (100.0 if match[2] else 1.0) if match else math.nan
        if not least <= value <= most:
            raise argparse.ArgumentTypeError(f"`{text}` is not a share such as {such_as}")
        return value
    return of
