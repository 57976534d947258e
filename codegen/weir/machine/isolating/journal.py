"""Journal of an isolation, written to disk before each change, so that the changes can be undone however the isolation
ends.

There is a file for each isolation, with one JSON object in a line: first its owner, then its changes.
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
    """Return the folder of this user's journals, and make it. Raises OSError."""
    found = user_folder("XDG_STATE_HOME", ".local/state") / "weir/isolation"
    if make:
        found.mkdir(mode=0o700, parents=True, exist_ok=True)
    if found.stat().st_uid != os.geteuid():
        raise PermissionError(1, "not a folder of this user", str(found))
    return found


@contextmanager
def locked(where: Path) -> Iterator[None]:
    """One at a time begins or puts back. OSError."""
    with lock_file(where / "lock", 0o600) as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        yield


class Journal:
    """One that is written. `since`: when, in clock ticks since boot.

    OSError, as that of a full disk, where it cannot be.
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
        """Before they are made."""
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
        """Remove the journal once everything is settled."""
        self.path.unlink(missing_ok=True)

    def put_aside(self) -> Path:
        """Returns the path that it has from now on. OSError."""
        return _put_aside(self.path, _UNSETTLED)


@dataclass(frozen=True)
class Kept:
    """One that is read. `damaged`: it has lines that nobody wrote so. `owner` is empty where it is not known. `since`:
    when it began, in clock ticks since boot.
    """

    path: Path
    owner: Mapping[str, Any]
    since: int
    cpus: str
    changes: tuple[Change, ...]
    damaged: bool

    @property
    def id(self) -> str:
        """The journal's id."""
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
        """Removes the file."""
        self.path.unlink(missing_ok=True)

    def put_aside(self) -> Path:
        """Returns the path that it has from now on. OSError."""
        return _put_aside(self.path, _DAMAGED if self.damaged else _UNSETTLED)


def kept(where: Path, unsettled: bool = False) -> list[Kept]:
    """The journals that are there, by name. `unsettled`: those too that are set aside, except damaged ones. OSError."""
    endings = (_ENDING, _UNSETTLED) if unsettled else (_ENDING,)
    return [_read(path) for path in sorted(where.iterdir()) if path.suffix in endings]


def _put_aside(path: Path, ending: str) -> Path:
    """Rename a journal, so that it is read again only on request."""
    to = path.with_suffix(ending)
    os.replace(path, to)
    return to


def _read(path: Path) -> Kept:
    status = path.lstat()
    # Root does what it says: another user's word, or a link to it, counts for nothing.
    if not stat.S_ISREG(status.st_mode) or status.st_uid != os.geteuid():
        return Kept(path, {}, 0, "", (), True)
    # Half a line at the end was cut off as it was written, before anything was done.
    lines = path.read_bytes().split(b"\n")[:-1]
    head = _object(lines[0]) if lines else {}
    owner = head.get("owner")
    if head.get("format") != FORMAT or not isinstance(owner, dict) or not all(
            isinstance(owner.get(key), int) for key in ("pid", "start")):
        return Kept(path, {}, 0, "", (), True)
    found = [change_of(_object(line)) for line in lines[1:]]
    since = head.get("since")  # not of journals of earlier versions, whose process did nothing else
    return Kept(path, owner, since if isinstance(since, int) else owner["start"], str(head.get("cpus")),
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
