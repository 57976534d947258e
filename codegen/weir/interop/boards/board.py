"""Boards by the names that the user gave them, kept in ~/.config/weir/boards.json."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from weir.diagnostics import WeirError, diagnostic, did_you_mean, trying
from weir.files import read_bounded, user_folder, write_whole
from weir.model.document import jsontext
from weir.model.document.shape import check_shape

FORMAT = 1
_MOST_BYTES = 1 << 20


@dataclass(frozen=True)
class Board:
    """Board. `destination` is OpenSSH's: user@host, or a name of ~/.ssh/config. `cross` is the architecture for which
    programs are built here, "" if the board builds them.
    """

    name: str
    destination: str
    cross: str = ""


def path() -> Path:
    """Return the file of the boards. Raises OSError without a home folder."""
    return user_folder("XDG_CONFIG_HOME", ".config") / "weir/boards.json"


def boards() -> dict[str, Board]:
    """Return the boards by name. Raises WeirError (E_BOARD) if their file is damaged."""
    with trying("read the list of boards"):
        file = path()
        data = read_bounded(file, _MOST_BYTES) if file.exists() else None
    if data is None:
        return {}
    value, faults = jsontext.read(data)
    if faults := faults or check_shape(value, "board"):
        raise WeirError(diagnostic("E_BOARD", "", f"{file} is damaged: {faults[0].message}",
                                   "correct or remove it; `weir board add` writes it again"))
    return {one["name"]: Board(**one) for one in value["boards"]}


def board(name: str) -> Board:
    """Return a board. Raises WeirError (E_BOARD) if there is none of that name."""
    known = boards()
    if name not in known:
        raise WeirError(diagnostic("E_BOARD", "", f"there is no board `{name}`",
                                   did_you_mean(name, known) or f"weir board add {name} user@host"))
    return known[name]


def as_json(those: Iterable[Board]) -> dict[str, Any]:
    """Return boards as in their file."""
    return {"format": FORMAT, "boards": [asdict(one) for one in sorted(those, key=lambda it: it.name)]}


def keep(those: Mapping[str, Board]) -> None:
    """Write the list of boards. Raises WeirError."""
    text = jsontext.write(as_json(those.values()))
    with trying("write the list of boards"):
        file = path()
        file.parent.mkdir(parents=True, exist_ok=True)
        write_whole(file, text)


def checked(name: str, destination: str, cross: str = "") -> Board:
    """Return a new board. Raises WeirError (E_USAGE) if the schema of the list refuses its name or destination."""
    it = Board(name, destination, cross)
    for fault in check_shape(as_json([it]), "board"):
        raise WeirError(diagnostic("E_USAGE", "", fault.message,
                                   "a name has letters, digits, `_`, `-` and `.`; a destination is user@host, or a "
                                   "name of ~/.ssh/config"))
    return it
