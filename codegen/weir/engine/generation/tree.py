"""Write a generated project to disk: create it whole, or replace it in place without touching other files.

To replace in place, Weir writes the old and the new hash of each file into the marker. It stages the new files in the
folder, moves them to their places and removes old ones. Then it reduces the marker to the new hashes. After an
interruption at any step, Weir can generate into the folder again.
"""

from __future__ import annotations

import contextlib
import errno
import fcntl
import hashlib
import os
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path

from weir.diagnostics import WeirError, diagnostic
from weir.model import ownership
from weir.model.ownership import MARKER, Files, Marker, Standing, sha256

MANIFEST = "manifest.json"
STAGING = ".weir-staging/"
MOST_NAMES = 5


def put_tree(contents: Mapping[str, bytes], directory: Path) -> None:
    """Write a generated project.

    Raises OSError, or WeirError if it would replace a file that is not Weir's or was edited, or write outside of the
    folder.
    """
    elsewhere = [name for name in contents
                 if not ownership.stays_inside(name) or name.split("/")[0] in (MARKER, STAGING.rstrip("/"))]
    if elsewhere:
        raise WeirError(diagnostic("E_DESCRIPTOR", "", f"the target may not write {_listed(elsewhere)}",
                                   "use paths inside the generated project"))
    directory = Path(os.path.realpath(directory))
    if not directory.exists():
        try:
            return ownership.create(directory, {**contents, MARKER: _marker(_hashes(contents)).text().encode()})
        except OSError as error:
            if error.errno not in (errno.ENOTEMPTY, errno.EEXIST):
                raise  # otherwise another process was faster
    if not directory.is_dir():
        raise _exists(f"{directory} exists and is not a folder")
    with _alone_in(directory):
        _replace(contents, directory)


def tree_files(directory: Path) -> Files | None:
    """Return the files that Weir generated in a folder, None if it generated nothing there."""
    marker = ownership.read(directory)
    if marker is None:
        return ownership.unmarked_tree(directory, MANIFEST)
    named = [name for name, hashes in marker.files.items() if hashes is None]
    return marker.files if marker.kind == ownership.TREE and set(named) <= {STAGING} else None


def _replace(contents: Mapping[str, bytes], directory: Path) -> None:
    owned = tree_files(directory)
    if owned is None and next(ownership.strangers(directory, {}), None) is not None:
        raise _exists(f"{directory} exists, and Weir did not generate it")
    before, after = owned or {}, _hashes(contents)
    changed = _checked(before, after, directory)
    marked = (directory / MARKER).is_file()
    both = {name: tuple(dict.fromkeys((*(before.get(name) or ()), *(after.get(name) or ()))))
            for name in {**before, **after} if name != STAGING}
    try:
        ownership.mark(directory, _marker({**both, STAGING: None}))
        ownership.remove(directory, {STAGING: None}, STAGING)
        (directory / STAGING).mkdir()
        ownership.write_files(directory / STAGING, {name: contents[name] for name in changed})
    except BaseException:
        # No file is replaced yet: restore the marker, as far as the disk allows.
        with contextlib.suppress(OSError):
            ownership.remove(directory, {STAGING: None}, STAGING)
            if marked:
                ownership.mark(directory, _marker(before))
            else:
                (directory / MARKER).unlink(missing_ok=True)
        raise
    for name in changed:
        (directory / name).parent.mkdir(parents=True, exist_ok=True)
        os.replace(directory / STAGING / name, directory / name)
    for name in both:
        if name not in after and ownership.standing(directory, before, name) is Standing.OURS:
            ownership.discard(directory, name)
    ownership.remove(directory, {STAGING: None}, STAGING)
    stays: Files = {STAGING: None} if (directory / STAGING).exists() else {}  # it could not be removed
    ownership.mark(directory, _marker({**after, **stays}))


def _checked(before: Files, after: Files, directory: Path) -> list[str]:
    """Return the files to write. Raises WeirError if a file to replace or remove is not as Weir wrote it."""
    now = {name: ownership.standing(directory, before, name) for name in {**before, **after, STAGING.rstrip("/"): None}}
    same = {name for name in after if _is(directory / name, after[name])}
    edited = [name for name, found in now.items() if found is Standing.EDITED and name not in same]
    covered = [name for name, found in now.items()
               if found is Standing.NOT_OURS and (name in after or name not in before)]
    if edited:
        raise WeirError(diagnostic("E_OUTPUT_EDITED", "", f"{directory}: edited since Weir wrote it: {_listed(edited)}",
                                   "move these files away, or generate into another folder: Weir changed nothing"))
    if covered:
        raise _exists(f"{directory}: Weir would overwrite files that it did not write: {_listed(covered)}")
    return [name for name in after if name not in same]


def _is(path: Path, hashes: tuple[str, ...] | None) -> bool:
    return path.is_file() and not path.is_symlink() and sha256(path.read_bytes()) in (hashes or ())


def _hashes(contents: Mapping[str, bytes]) -> Files:
    return {name: (sha256(data),) for name, data in contents.items()}


def _marker(files: Files) -> Marker:
    """Return the marker, which depends on the files only, not on time or place."""
    whole = hashlib.sha256()
    for name, hashes in sorted(files.items()):
        whole.update(f"{name}\n{' '.join(hashes or ())}\n".encode())
    return Marker(ownership.TREE, whole.hexdigest()[:32], files)


def _exists(message: str) -> WeirError:
    return WeirError(diagnostic("E_OUTPUT_EXISTS", "", message, "choose another folder, or remove what is in the way"))


def _listed(names: Iterable[str]) -> str:
    names = sorted(names)
    more = f" and {len(names) - MOST_NAMES} more" if len(names) > MOST_NAMES else ""
    return ", ".join(names[:MOST_NAMES]) + more


@contextlib.contextmanager
def _alone_in(directory: Path) -> Iterator[None]:
    """Lock a folder if its file system supports locks: two processes then generate into it in turn."""
    handle = os.open(directory, os.O_RDONLY | os.O_DIRECTORY)
    try:
        with contextlib.suppress(OSError):
            fcntl.flock(handle, fcntl.LOCK_EX)
        yield
    finally:
        os.close(handle)
