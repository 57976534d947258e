"""Ownership of files: in a folder with Weir's marker, Weir may delete or replace the listed files and nothing else.

Every function that deletes or replaces a folder or its files calls `standing`, the only check. The marker lists files
of a generated project with their hashes, files of a run and of a build by name. Weir does not touch unlisted files.
"""

from __future__ import annotations

import contextlib
import enum
import errno
import hashlib
import os
import stat
import tempfile
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path, PurePosixPath
from typing import Any

from weir.files import umask, write_whole
from weir.model.document import jsontext
from weir.model.document.shape import check_shape

MARKER = ".weir-owned.json"
#: Name prefix of the temporary file that `write_whole` leaves if it is killed.
HALF_A_MARKER = f".{MARKER}."
#: Files that a run makes at the top of its directory, besides those that its blocks write: patterns of names.
OF_A_RUN = ("results.json", "run.json", "project.json", "plan.json", "machine.json", "measured.json", "blocks.csv",
            "hops.csv", "events.bin", "pairs.csv", "latency.hgrm", "latency.*.hgrm", "stdout.log", "note.txt", "trace",
            "sources", ".reserve", ".weir-*")
TREE, BUILD, RUN, RUNTIME, HEADERS = "generated project", "build", "run", "runtime", "precompiled headers"
LIBRARY = "library"

#: Name of a file -> the SHA-256 hashes that it may have, None for any content. `name/` is a folder with everything
#: below it.
Files = Mapping[str, tuple[str, ...] | None]

#: A whole folder: used while a run still goes, when its files are not known yet.
WHOLE: Files = {"./": None}


class Standing(enum.Enum):
    """State of a file that Weir wrote."""

    GONE = "gone"
    OURS = "ours"
    EDITED = "edited"
    NOT_OURS = "foreign"


@dataclass(frozen=True)
class Marker:
    """Content of a marker. `live`: the process of a run in progress, with its host and boot; None after the run."""

    kind: str
    id: str
    files: Files
    live: Mapping[str, Any] | None = None

    def text(self) -> str:
        """Return the content of the marker file."""
        files = {name: hashes and list(hashes) for name, hashes in sorted(self.files.items())}
        return jsontext.write({"format": 1, "kind": self.kind, "id": self.id,
                               **({"live": dict(self.live)} if self.live else {}), "files": files})


def sha256(data: bytes) -> str:
    """Return the SHA-256 of bytes in hexadecimal."""
    return hashlib.sha256(data).hexdigest()


def standing(directory: Path, files: Files, name: str) -> Standing:
    """Return the state of a file of `directory`; `files` are Weir's files there. Follows no links. Raises OSError."""
    folders = [str(parent) for parent in PurePosixPath(name).parents if parent.name]
    try:
        for folder in reversed(folders):
            if not stat.S_ISDIR((directory / folder).lstat().st_mode):
                return Standing.NOT_OURS  # a link leads into another folder
        mode = (directory / name).lstat().st_mode
    except FileNotFoundError:
        return Standing.GONE
    own = name.removesuffix("/") + "/"
    if any(f"{folder}/" in files for folder in (*folders, ".")) or own in files and stat.S_ISDIR(mode):
        return Standing.OURS
    if "/" not in name and name.startswith(HALF_A_MARKER):
        return Standing.OURS
    if name not in files or name == own or stat.S_ISDIR(mode):
        return Standing.NOT_OURS  # also if a file or link replaced a folder
    hashes = files[name]
    same = hashes is None or stat.S_ISREG(mode) and sha256((directory / name).read_bytes()) in hashes
    return Standing.OURS if same else Standing.EDITED


def entries(directory: Path, below: str = "") -> Iterator[str]:
    """Yield the names of all files in a folder, or in its subfolder `below` (`name/`), except the marker. Empty folders
    are `name/`.
    """
    try:
        found = sorted(os.scandir(directory / below), key=lambda entry: entry.name)
    except (FileNotFoundError, NotADirectoryError):
        return  # another program removed it
    if not found and below:
        yield below
    for entry in found:
        name = below + entry.name
        if entry.is_dir(follow_symlinks=False):
            yield from entries(directory, name + "/")
        elif name != MARKER or entry.is_symlink():
            yield name


def strangers(directory: Path, files: Files) -> Iterator[str]:
    """Yield the `entries` that Weir may not remove."""
    return (name for name in entries(directory)
            if standing(directory, files, name) in (Standing.EDITED, Standing.NOT_OURS))


def remove(directory: Path, files: Files, below: str = "") -> list[str]:
    """Remove Weir's files from a folder, then the folder itself if it is empty. Return the names that stay. Raises
    OSError.

    `below` (`name/`) limits this to a subfolder, or to one file.
    """
    left = []
    for name in [*entries(directory, below)] if not below or below.endswith("/") else [below]:
        if standing(directory, files, name) in (Standing.EDITED, Standing.NOT_OURS):
            left.append(name)
        else:
            discard(directory, name)
    if not below:
        # Without the marker, Weir claims nothing here: the remaining files are not Weir's.
        (directory / MARKER).unlink(missing_ok=True)
        if not left:
            with contextlib.suppress(FileNotFoundError):
                directory.rmdir()
    return left


def discard(directory: Path, name: str) -> None:
    """Remove a file that is `OURS`, and the folders in `directory` that become empty."""
    path = directory / name
    with contextlib.suppress(FileNotFoundError):
        path.rmdir() if name.endswith("/") else path.unlink()
    with contextlib.suppress(OSError):
        for parent in PurePosixPath(name).parents:
            if parent.name:
                (directory / parent).rmdir()


def mark(directory: Path, marker: Marker) -> None:
    """Write the marker of a folder atomically. Raises OSError."""
    if (directory / MARKER).is_symlink():
        raise FileExistsError(errno.EEXIST, f"{MARKER} is a symbolic link", str(directory))
    for path in directory.glob(f"{HALF_A_MARKER}*"):
        path.unlink(missing_ok=True)
    write_whole(directory / MARKER, marker.text())


def read(directory: Path) -> Marker | None:
    """Return the marker of a folder; None if there is none, or if Weir did not write it."""
    value = _object(directory / MARKER)
    if value is None or check_shape(value, "owned"):
        return None
    if not all(name in WHOLE or stays_inside(name) for name in value["files"]):
        return None
    files = {name: hashes and tuple(hashes) for name, hashes in value["files"].items()}
    return Marker(value["kind"], value["id"], files, value.get("live"))


def create(directory: Path, contents: Mapping[str, bytes], mode: int = 0o777) -> None:
    """Create a folder with these files, all or none. Raises OSError, also if the folder already has files."""
    directory.parent.mkdir(parents=True, exist_ok=True)
    staging = Path(tempfile.mkdtemp(prefix=f".{directory.name}.", dir=directory.parent))
    try:
        write_files(staging, contents)
        os.chmod(staging, mode & ~umask())
        os.rename(staging, directory)
    except BaseException:
        remove(staging, WHOLE)
        raise


def write_files(directory: Path, contents: Mapping[str, bytes]) -> None:
    """Write files below `directory`. Raises OSError."""
    for name, data in contents.items():
        path = directory / name
        path.parent.mkdir(parents=True, exist_ok=True)
        with path.open("wb") as file:
            file.write(data)


def unmarked_tree(directory: Path, manifest: str) -> Files | None:
    """Return the files of a project generated before markers existed, or None unless each file matches its manifest."""
    value = _object(directory / manifest)
    if value is None or check_shape(value, "manifest") or not {"plan.json", "project.json"} <= value["files"].keys():
        return None
    files: Files = {name: (found,) for name, found in value["files"].items()}
    if not all(stays_inside(name) and standing(directory, files, name) is Standing.OURS for name in files):
        return None
    return {**files, manifest: (sha256((directory / manifest).read_bytes()),)}


def _object(path: Path) -> dict | None:
    try:
        if not stat.S_ISREG(path.lstat().st_mode):
            return None
        value, faults = jsontext.read(path.read_bytes())
    except OSError:
        return None
    return value if not faults and isinstance(value, dict) else None


def stays_inside(name: str) -> bool:
    """Return whether a name from an untrusted marker, manifest or descriptor stays inside its folder."""
    path = PurePosixPath(name)
    return bool(path.parts) and not path.is_absolute() and ".." not in path.parts and "\0" not in name
