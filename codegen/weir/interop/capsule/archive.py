"""A capsule as a file: written so that the same contents are the same bytes."""

from __future__ import annotations

import hashlib
import zipfile
import zlib
from collections.abc import Mapping
from pathlib import Path

from weir.diagnostics import WeirError, diagnostic, trying
from weir.files import whole_file
from weir.interop.capsule.layout import CAPSULE, FORMAT, MOST_BYTES, MOST_FILES, SUMS, is_safe
from weir.model.document import jsontext

#: Neither the clock nor the user is in it.
_WHEN, _MODE, _UNIX = (1980, 1, 1, 0, 0, 0), 0o100644, 3


def sums(contents: Mapping[str, bytes]) -> bytes:
    """Return the hashes in the format of `sha256sum`."""
    return "".join(f"{hashlib.sha256(data).hexdigest()}  {name}\n"
                   for name, data in sorted(contents.items())).encode()


def write(path: Path, contents: Mapping[str, bytes]) -> str:
    """Whole or not at all; its SHA-256. WeirError (E_CAPSULE_SIZE, E_OUTPUT_EXISTS) where it would be too large, and
    where another's file is in its place.
    """
    size = sum(map(len, contents.values()))
    if size > MOST_BYTES or len(contents) >= MOST_FILES:
        raise WeirError(diagnostic("E_CAPSULE_SIZE", "",
                                   f"the capsule would hold {len(contents)} files with {size >> 20} MiB, but at most "
                                   f"{MOST_FILES} files and {MOST_BYTES >> 20} MiB are allowed"))
    whole = {**contents, SUMS: sums(contents)}
    if odd := next((name for name in contents if not is_safe(name)), None):
        raise WeirError(diagnostic("E_FILE_IO", "", f"{odd!r} cannot be a name in a capsule",
                                   "use letters, digits, `_`, `-` and `.`"))
    check_place(path)
    with trying(f"write {path}"):
        with whole_file(path) as file:
            with zipfile.ZipFile(file.buffer, "w", zipfile.ZIP_DEFLATED, compresslevel=9) as archive:
                for name, data in sorted(whole.items()):
                    entry = zipfile.ZipInfo(name, _WHEN)
                    entry.create_system, entry.external_attr = _UNIX, _MODE << 16
                    archive.writestr(entry, data, zipfile.ZIP_DEFLATED, 9)
        return hashlib.sha256(path.read_bytes()).hexdigest()


def check_place(path: Path) -> None:
    """WeirError where there is no folder for it (E_FILE_MISSING), or something that is no capsule (E_OUTPUT_EXISTS)."""
    if not path.parent.is_dir():
        raise WeirError(diagnostic("E_FILE_MISSING", "", f"there is no folder {path.parent}"))
    if path.is_symlink() or path.exists() and not is_capsule(path):
        raise WeirError(diagnostic("E_OUTPUT_EXISTS", "", f"{path} exists and is not a capsule",
                                   "name another file, or remove this one"))


def is_capsule(path: Path) -> bool:
    """Return whether the file claims to be a capsule. This checks only its own statement."""
    try:
        with zipfile.ZipFile(path) as archive, archive.open(CAPSULE) as file:
            value, faults = jsontext.read(file.read(jsontext.MAX_BYTES))
    except (OSError, EOFError, zipfile.BadZipFile, zlib.error, KeyError, ValueError, RuntimeError):
        return False
    return not faults and isinstance(value, dict) and value.get("format") == FORMAT
