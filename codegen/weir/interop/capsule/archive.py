"""File of a capsule. The same contents always give the same bytes."""

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

#: Fixed values, because neither the clock nor the user may affect the bytes.
_WHEN, _MODE, _UNIX = (1980, 1, 1, 0, 0, 0), 0o100644, 3


def sums(contents: Mapping[str, bytes]) -> bytes:
    """Return the hashes in the format of `sha256sum`."""
    return "".join(f"{hashlib.sha256(data).hexdigest()}  {name}\n"
                   for name, data in sorted(contents.items())).encode()


def write(path: Path, contents: Mapping[str, bytes]) -> str:
    """Write the file atomically and return its SHA-256. Raises WeirError if it is too large (E_CAPSULE_SIZE), or if
    another file is in its place (E_OUTPUT_EXISTS).
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
    """Check the path. Raises WeirError if its folder is missing (E_FILE_MISSING), or if it is taken by a file that is
    not a capsule (E_OUTPUT_EXISTS).
    """
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
