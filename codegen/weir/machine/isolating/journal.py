"""Journal of an isolation, written to disk before each change. With it, Weir can undo the changes however the isolation
ends.

Each isolation has a file with one JSON object per line: first its owner, then its changes.
"""

from __future__ import annotations

import errno
import fcntl
import json
import os
import secrets
import stat
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from weir.files import lock_file, user_folder, write_whole
from weir.machine.isolating.changes import Change, change_of
from weir.machine.processes import identity, is_alive, place

FORMAT = 1
_ENDING, _DAMAGED, _UNSETTLED = ".journal", ".damaged", ".unsettled"


def folder(make: bool = True) -> Path:
    """Return the folder of this user's journals, by default after creating it. Raises OSError."""
    found = user_folder("XDG_STATE_HOME", ".local/state") / "weir/isolation"
    if make:
        found.mkdir(mode=0o700, parents=True, exist_ok=True)
    if found.stat().st_uid != os.geteuid():
        raise PermissionError(1, "not a folder of this user", str(found))
    return found


@contextmanager
def locked(where: Path) -> Iterator[None]:
    """Lock the folder, because only one process at a time may start or undo an isolation. Raises OSError."""
    with lock_file(where / "lock", 0o600) as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        yield


class Journal:
    """Journal of an isolation in progress. `since`: its start, in clock ticks since boot.

    Raises OSError if it cannot be written, for example because the disk is full.
    """

    def __init__(self, where: Path, cpus: str) -> None:
        self.id = secrets.token_hex(8)
        self.since = int(time.clock_gettime(time.CLOCK_BOOTTIME) * os.sysconf("SC_CLK_TCK"))
        self.path = where / f"{self.id}{_ENDING}"
        owner = {**identity(), **place()}
        write_whole(self.path, _line({"format": FORMAT, "id": self.id, "owner": owner, "since": self.since,
                                      "cpus": cpus}))
        _sync(where)

    def announce(self, changes: Sequence[Change]) -> None:
        """Write changes to disk before they are made."""
        file = os.open(self.path, os.O_WRONLY | os.O_APPEND | os.O_CLOEXEC)
        try:
            data, size = "".join(_line(asdict(change)) for change in changes).encode(), os.fstat(file).st_size
            try:
                if os.write(file, data) < len(data):
                    raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
                os.fsync(file)
            except OSError:
                os.ftruncate(file, size)
                raise
        finally:
            os.close(file)

    def remove(self) -> None:
        """Remove the journal once everything is undone."""
        self.path.unlink(missing_ok=True)

    def put_aside(self) -> Path:
        """Set the journal aside and return its new path. Raises OSError."""
        return _put_aside(self.path, _UNSETTLED)


@dataclass(frozen=True)
class LeftJournal:
    """Journal left by an isolation. `damaged`: it has malformed lines. `owner` is empty if unknown. `since`: start of
    the isolation, in clock ticks since boot.
    """

    path: Path
    owner: Mapping[str, Any]
    since: int
    cpus: str
    changes: tuple[Change, ...]
    damaged: bool

    @property
    def id(self) -> str:
        """Return the journal's id."""
        return self.path.stem

    @property
    def elsewhere(self) -> bool:
        """Return whether the journal belongs to another machine with the same home folder, whose processes are not
        visible here.
        """
        return bool(self.owner) and self.owner.get("host") != place()["host"]

    @property
    def alive(self) -> bool:
        """Return whether its owner still runs."""
        return not self.elsewhere and self.owner.get("boot") == place()["boot"] and is_alive(self.owner)

    @property
    def of_this_boot(self) -> bool:
        """Return whether the machine has not been rebooted since."""
        return self.owner.get("boot") == place()["boot"]

    def remove(self) -> None:
        """Remove the file."""
        self.path.unlink(missing_ok=True)

    def put_aside(self) -> Path:
        """Set the journal aside and return its new path. Raises OSError."""
        return _put_aside(self.path, _DAMAGED if self.damaged else _UNSETTLED)


def kept(where: Path, unsettled: bool = False) -> list[LeftJournal]:
    """Return the journals in the folder, by name. `unsettled`: also those set aside, except damaged ones. Raises
    OSError.
    """
    endings = (_ENDING, _UNSETTLED) if unsettled else (_ENDING,)
    return [_read(path) for path in sorted(where.iterdir()) if path.suffix in endings]


def _put_aside(path: Path, ending: str) -> Path:
    """Rename a journal, which is then read again only on request."""
    to = path.with_suffix(ending)
    os.replace(path, to)
    return to


def _read(path: Path) -> LeftJournal:
    status = path.lstat()
    # Root executes what a journal says, so a file of another user, or a link, counts as damaged.
    if not stat.S_ISREG(status.st_mode) or status.st_uid != os.geteuid():
        return LeftJournal(path, {}, 0, "", (), True)
    # An incomplete last line was cut off during writing. Its changes were never made.
    lines = path.read_bytes().split(b"\n")[:-1]
    head = _object(lines[0]) if lines else {}
    owner = head.get("owner")
    if head.get("format") != FORMAT or not isinstance(owner, dict) or not all(
            isinstance(owner.get(key), int) for key in ("pid", "start")):
        return LeftJournal(path, {}, 0, "", (), True)
    found = [change_of(_object(line)) for line in lines[1:]]
    since = head.get("since")  # journals of earlier versions lack it; their process started with the isolation
    return LeftJournal(path, owner, since if isinstance(since, int) else owner["start"], str(head.get("cpus")),
                       tuple(change for change in found if change), None in found)


def _object(line: bytes) -> dict[Any, Any]:
    try:
        value = json.loads(line)
    except ValueError:
        return {}
    return value if isinstance(value, dict) else {}


def _line(value: Mapping[str, Any]) -> str:
    return json.dumps(value) + "\n"


def _sync(where: Path) -> None:
    directory = os.open(where, os.O_RDONLY | os.O_CLOEXEC)
    try:
        os.fsync(directory)
    finally:
        os.close(directory)
