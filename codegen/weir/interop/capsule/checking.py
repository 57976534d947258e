"""Check of an untrusted capsule. Nothing is unpacked or used before all hashes are verified.

The check finds damage, and changes by people who did not renew the hashes. It does not prove who made the capsule: for
that, compare the hash of the file with the published one.
"""

from __future__ import annotations

import hashlib
import re
import shutil
import stat
import tempfile
import zipfile
import zlib
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence, Set
from dataclasses import dataclass
from pathlib import Path, PurePosixPath
from typing import IO, Any, NoReturn, cast

from weir.diagnostics import WeirError, diagnostic, trying
from weir.files import umask
from weir.interop.capsule.layout import CAPSULE, MOST_BYTES, MOST_FILES, SUMS, SWEEP, is_safe
from weir.lab.sweeping.state import STATE
from weir.model import ownership
from weir.model.document import jsontext
from weir.model.document.shape import check_shape

_LINE = re.compile(r"([0-9a-f]{64})  (.+)")
_ENCRYPTED = 0x1
#: Most faults of a kind that are reported one by one.
MOST_REPORTED = 5
_PIECE = 1 << 20


@dataclass(frozen=True)
class Checked:
    """Checked capsule. `hash`: SHA-256 of the file; `about`: capsule.json; `sums`: name -> SHA-256 of all files but the
    sums.
    """

    path: Path
    hash: str
    about: Mapping
    sums: Mapping[str, str]

    def unpack(self, folder: Path) -> None:
        """Unpack into a new folder, completely or not at all. Raises WeirError if the folder exists or has no space."""
        with _opened(self.path) as archive, trying(f"unpack into {folder}"):
            needed = sum(entry.file_size for entry in archive.infolist())
            folder.parent.mkdir(parents=True, exist_ok=True)
            if shutil.disk_usage(folder.parent).free < needed:
                raise WeirError(diagnostic("E_DISK_FULL", "", f"{folder.parent}: the capsule takes "
                                           f"{needed >> 20} MiB"))
            self._unpack(archive, folder)

    def _unpack(self, archive: zipfile.ZipFile, folder: Path) -> None:
        staging = Path(tempfile.mkdtemp(prefix=f".{folder.name}.", dir=folder.parent))
        try:
            for name in [*self.sums, SUMS]:
                place = staging / name
                place.parent.mkdir(parents=True, exist_ok=True)
                with archive.open(name) as source, place.open("xb") as target:
                    shutil.copyfileobj(source, target, _PIECE)
            staging.chmod(0o777 & ~umask())
            staging.rename(folder)
        except BaseException:
            ownership.remove(staging, ownership.WHOLE)
            raise

    def params_that_may_be_files(self) -> list[str]:
        """Return those `--param` values of the sweep that are not numbers: they may be paths, and nothing has checked
        them yet.
        """
        with _opened(self.path) as archive:
            value, faults = jsontext.read(archive.read(f"{SWEEP}/{STATE}"))
        if faults or check_shape(value, "sweep"):
            _fail([f"{self.path}: {SWEEP}/{STATE} is damaged, or another version of Weir wrote it"])
        return [text for text in value["request"]["params"] if not _is_plain(text)]

    def stands(self, folder: Path) -> None:
        """Check that the capsule is unpacked in `folder` and unchanged. Raises WeirError (E_CAPSULE) otherwise."""
        there = set(ownership.entries(folder))
        faults = list(_differences(there - {SUMS}, self.sums.keys(), f"{folder}: "))
        for name in sorted(there & self.sums.keys()):
            with trying(f"read {folder / name}"):
                if (folder / name).is_symlink() or _hash((folder / name).open("rb")) != self.sums[name]:
                    faults.append(f"{folder / name} was changed after it was unpacked")
        _refuse(faults)


def _is_plain(text: str) -> bool:
    value, faults = jsontext.read(text.partition("=")[2])
    return not faults and isinstance(value, (bool, int, float, list))


def checked(path: Path) -> Checked:
    """Check a capsule. Raises WeirError with all faults (E_CAPSULE), or if it cannot be read (E_FILE_…)."""
    with _opened(path) as archive:
        _refuse(list(_wrong_entries(path, archive)))
        found = _hashes(path, archive)
        _refuse([f"{path} is not a capsule: {name} is missing" for name in (SUMS, CAPSULE) if name not in found])
        sums = dict(_sums(archive.read(SUMS), path))
        _refuse([*_differences(found.keys() - {SUMS}, sums.keys(), f"{path}: "),
                  *(f"{path}: {name} was changed: its SHA-256 differs from the one in {SUMS}"
                    for name in sorted(found.keys() & sums.keys()) if found[name] != sums[name])])
        about = _about(archive.read(CAPSULE), path)
        _refuse([f"{path} is not a capsule: {name} is missing" for name in (about["project_file"], f"{SWEEP}/{STATE}")
                 if name not in found])
    with trying(f"read {path}"):
        return Checked(path, _hash(path.open("rb")), about, sums)


def _opened(path: Path) -> zipfile.ZipFile:
    with trying(f"read {path}"):
        if path.exists() and not path.is_file():
            _fail([f"{path} is not a file"])
        try:
            return zipfile.ZipFile(path)
        except (zipfile.BadZipFile, NotImplementedError, ValueError, UnicodeDecodeError):
            _fail([f"{path} is not a zip file, or is damaged"])


def _wrong_entries(path: Path, archive: zipfile.ZipFile) -> Iterator[str]:
    """Yield the faults that the zip directory alone shows."""
    entries = archive.infolist()
    names = [entry.filename for entry in entries]
    folders = {str(parent) for name in names for parent in PurePosixPath(name).parents}
    if len(entries) > MOST_FILES:
        yield f"{path} has {len(entries)} files, but at most {MOST_FILES} are allowed"
    size = sum(entry.file_size for entry in entries)
    if size > MOST_BYTES:
        yield f"{path} would unpack to {size >> 20} MiB, but at most {MOST_BYTES >> 20} MiB are allowed"
    if sum(entry.compress_size for entry in entries) > path.stat().st_size:
        yield f"{path}: its entries overlap, like those of a zip bomb"
    yield from (f"{path}: {name!r} occurs {count} times" for name, count in Counter(names).items() if count > 1)
    for entry in entries:
        kind = stat.S_IFMT(entry.external_attr >> 16)
        # The library cuts names at a NUL, so compare with the name in the file.
        if not is_safe(entry.filename) or entry.orig_filename != entry.filename:
            yield f"{path}: {entry.orig_filename!r} is not the name of a file inside it"
        elif kind not in (0, stat.S_IFREG):
            yield f"{path}: {entry.filename!r} is a link or not a file"
        elif entry.filename in folders:
            yield f"{path}: {entry.filename!r} is both a file and a folder"
        elif entry.flag_bits & _ENCRYPTED or entry.compress_type not in (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED):
            yield f"{path}: {entry.filename!r} is encrypted, or compressed by a method that capsules do not use"


def _hashes(path: Path, archive: zipfile.ZipFile) -> dict[str, str]:
    found = {}
    for entry in archive.infolist():
        try:
            with trying(f"read {path}"):
                found[entry.filename] = _hash(archive.open(entry))
        except (zipfile.BadZipFile, zlib.error, EOFError, NotImplementedError, RuntimeError, ValueError):
            _fail([f"{path}: {entry.filename!r} is damaged"])
    return found


def _hash(file: IO[bytes]) -> str:
    with file:
        return hashlib.file_digest(cast(Any, file), "sha256").hexdigest()


def _sums(data: bytes, path: Path) -> Iterator[tuple[str, str]]:
    known = set()
    for line in data.decode("utf-8", "replace").splitlines():
        match = _LINE.fullmatch(line)
        if not match or match[2] in known:
            _fail([f"{path}: {SUMS} is damaged: {line[:100]!r}"])
        known.add(match[2])
        yield match[2], match[1]


def _about(data: bytes, path: Path) -> Mapping:
    value, faults = jsontext.read(data)
    wrong = faults or check_shape(value, "capsule")
    if wrong:
        _fail([f"{path}: {CAPSULE}: {wrong[0].pointer or 'all of it'}: {wrong[0].message}"])
    return value


def _differences(there: Set[str], listed: Set[str], lead: str) -> Iterator[str]:
    yield from (f"{lead}{name} is missing" for name in sorted(listed - there))
    yield from (f"{lead}{name} was added: {SUMS} does not list it" for name in sorted(there - listed))


def _refuse(faults: Sequence[str]) -> None:
    """Raise WeirError (E_CAPSULE) if there are faults."""
    if faults:
        _fail(faults)


def _fail(faults: Sequence[str]) -> NoReturn:
    more = len(faults) - MOST_REPORTED
    reported = [*faults[:MOST_REPORTED], *([f"and {more} more faults"] if more > 0 else [])]
    raise WeirError([diagnostic("E_CAPSULE", "", fault) for fault in reported])
