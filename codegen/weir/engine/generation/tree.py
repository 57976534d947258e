"""A generated project on the disk: made whole, and replaced in place without touching what is not Weir's.

In place: the marker lists both the old and the new of each file, new files are staged in the folder, then take their
places, what is no longer needed goes, and the marker lists the new alone. Wherever that is cut off, the folder is one
that Weir may generate into again.
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
    """Writes a generated project. OSError; WeirError where a file that it would replace is not Weir's, or was edited,
    and where one would not lie in it.
    """
    elsewhere = [name for name in contents
                 if not ownership.stays_inside(name) or name.split("/")[0] in (MARKER, STAGING.rstrip("/"))]
    if elsewhere:
        raise WeirError(diagnostic("E_DESCRIPTOR", "", f"the target has no business with {_listed(elsewhere)}",
                                   "what it makes has names below the generated project"))
    directory = Path(os.path.realpath(directory))
    if not directory.exists():
        try:
            return ownership.create(directory, {**contents, MARKER: _marker(_hashes(contents)).text().encode()})
        except OSError as error:
            if error.errno not in (errno.ENOTEMPTY, errno.EEXIST):
                raise  # else somebody was quicker
    if not directory.is_dir():
        raise _exists(f"{directory} is there, and is no folder")
    with _alone_in(directory):
        _replace(contents, directory)


def tree_files(directory: Path) -> Files | None:
    """What of a folder is a project that Weir generated there; None where it is none."""
    marker = ownership.read(directory)
    if marker is None:
        return ownership.unmarked_tree(directory, MANIFEST)
    named = [name for name, hashes in marker.files.items() if hashes is None]
    return marker.files if marker.kind == ownership.TREE and set(named) <= {STAGING} else None


def _replace(contents: Mapping[str, bytes], directory: Path) -> None:
    owned = tree_files(directory)
    if owned is None and next(ownership.strangers(directory, {}), None) is not None:
        raise _exists(f"{directory} is there, and Weir did not generate it")
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
        # Nothing has changed yet: as it was, as far as the disk allows.
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
    """The files that will be written. WeirError where that, or what then goes, is not Weir's as it wrote it."""
    now = {name: ownership.standing(directory, before, name) for name in {**before, **after, STAGING.rstrip("/"): None}}
    same = {name for name in after if _is(directory / name, after[name])}
    edited = [name for name, found in now.items() if found is Standing.EDITED and name not in same]
    covered = [name for name, found in now.items()
               if found is Standing.FOREIGN and (name in after or name not in before)]
    if edited:
        raise WeirError(diagnostic("E_OUTPUT_EDITED", "", f"{directory}: edited since Weir wrote it: {_listed(edited)}",
                                   "move it out of the folder, or generate into another one: nothing was changed"))
    if covered:
        raise _exists(f"{directory}: not of Weir, and in the way of what it would write: {_listed(covered)}")
    return [name for name in after if name not in same]


def _is(path: Path, hashes: tuple[str, ...] | None) -> bool:
    return path.is_file() and not path.is_symlink() and sha256(path.read_bytes()) in (hashes or ())


def _hashes(contents: Mapping[str, bytes]) -> Files:
    return {name: (sha256(data),) for name, data in contents.items()}


def _marker(files: Files) -> Marker:
    """The same for the same files: a generated project is no other for when and where it was written."""
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
    """Two that generate into one folder wait for each other, where its file system can tell them to."""
    handle = os.open(directory, os.O_RDONLY | os.O_DIRECTORY)
    try:
        with contextlib.suppress(OSError):
            fcntl.flock(handle, fcntl.LOCK_EX)
        yield
    finally:
        os.close(handle)
