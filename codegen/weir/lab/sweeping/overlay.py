"""Overlay of a sweep's figure: published results from a CSV file beside the project."""

from __future__ import annotations

import csv
import io
import math
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from weir.diagnostics import WeirError, diagnostic, did_you_mean, os_error, pointer
from weir.files import read_bounded
from weir.model.document import jsontext
from weir.model.document.sweeps import is_number

MOST_BYTES = 1 << 20


def read_overlay(document: Mapping, sweep: str | None, directory: Path) -> list[dict[str, Any]]:
    """Return the overlay of a sweep's figure: `name`, `values` by axis, and `share` of the ceiling of their machine.
    `directory`: the project's.

    Raises WeirError (E_SWEEP_OVERLAY) at its JSON pointer if the file does not match the project.
    """
    for i, one in enumerate(document.get("sweeps", ())):
        if one["name"] == sweep and "overlay" in one.get("plot", {}):
            return _read(one["plot"]["overlay"], directory, ("sweeps", i, "plot", "overlay"))
    return []


def _read(overlay: Mapping, directory: Path, at: Sequence[str | int]) -> list[dict[str, Any]]:
    path = directory / overlay["file"]
    try:
        if path.resolve().parent != directory.resolve():
            raise _fault((*at, "file"), f"{path} is outside the project's folder")
        data = read_bounded(path, MOST_BYTES)
        if len(data) > MOST_BYTES:
            raise _fault((*at, "file"), f"{path} is larger than {MOST_BYTES >> 20} MiB")
        rows = [row for row in csv.reader(io.StringIO(data.decode("utf-8-sig"))) if row and not row[0].startswith("#")]
    except OSError as error:
        raise WeirError(os_error(error, f"read {path}")) from None
    except (UnicodeDecodeError, csv.Error) as error:
        raise _fault((*at, "file"), f"{path} is not a CSV file: {error}") from None
    heads, rows = (rows[0], rows[1:]) if rows else ([], [])
    _check_columns(overlay, heads, at)
    found = []
    for row in rows:
        entry = dict(zip(heads, row))
        if all(entry.get(column) in words for column, words in overlay.get("only", {}).items()):
            found.append({"name": " ".join(entry.get(column, "") for column in overlay["name"]),
                          "values": {axis: _value(text) for axis, column in overlay.get("columns", {}).items()
                                     if (text := entry.get(column, ""))},
                          "share": _share(entry.get(overlay["y"]), overlay["y"], path, at)})
    if not found:
        raise _fault((*at, "only") if "only" in overlay else at, f"{path} has no matching row")
    return found


def _value(text: str) -> Any:
    """Return a value of an axis: a JSON value, or the text itself for names."""
    value, faults = jsontext.read(text)
    return text if faults else value


def _check_columns(overlay: Mapping, heads: Sequence[str], at: Sequence[str | int]) -> None:
    named = [((*at, "y"), overlay["y"]), *(((*at, "name", j), name) for j, name in enumerate(overlay["name"])),
             *(((*at, "columns", axis), name) for axis, name in overlay.get("columns", {}).items()),
             *(((*at, "only", name), name) for name in overlay.get("only", {}))]
    for place, name in named:
        if name not in heads:
            raise _fault(place, f"{overlay['file']} has no column `{name}`", did_you_mean(name, heads))


def _share(text: str | None, column: str, path: Path, at: Sequence[str | int]) -> float:
    value, _ = jsontext.read(text or "")
    if not is_number(value) or not 0 <= value < math.inf:
        raise _fault((*at, "y"), f"{path}: `{text}` in column {column} is not a share")
    return float(value)


def _fault(at: Sequence[str | int], words: str, hint: str = "") -> WeirError:
    return WeirError(diagnostic("E_SWEEP_OVERLAY", pointer(*at), words, hint))
