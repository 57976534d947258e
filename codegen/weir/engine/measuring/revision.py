"""Read the commit that is checked out around a folder, without executing anything that its repository names.

`git status` runs programs that a repository's configuration names: core.fsmonitor, filters and hooks, also from
included files and submodules. So Weir reads the commit from the repository's files. To find changed files, it runs git
in a temporary repository that has no configuration and borrows the objects and the index.
"""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import tempfile
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

from weir.files import read_bounded

#: Suffixes of the commit: files differ from it; it is unknown whether files differ.
DIRTY, UNCHECKED = "-dirty", "-unchecked"

_COMMIT = re.compile(r"[0-9a-f]{40}|[0-9a-f]{64}")
_REFERENCE = re.compile(r"refs(/(?!\.)[^/\x00-\x20\x7f~^:?*\[\\]+)+")
_LONGEST_CHAIN = 5  # most symbolic references to follow, as in git
_MOST_BYTES = 16 * 1024 * 1024  # size limit of packed-refs
_TIME_LIMIT_S = 10


@dataclass(frozen=True)
class _Repository:
    """A git repository. `own` has HEAD and the index, `shared` the branches and objects.

    The two folders differ in a linked work tree.
    """

    top: Path
    own: Path
    shared: Path


def git_revision(folder: Path) -> str | None:
    """Return the commit that is checked out around `folder`, None if there is none.

    The suffix `-dirty` means that tracked files differ, not counting submodules. `-unchecked` means that Weir could not
    find out: git is not installed, or cannot read the repository without its configuration.
    """
    try:
        repository = _find(Path(os.path.realpath(folder)))
        commit = repository and _resolve(repository, "HEAD")
    except (OSError, ValueError):
        return None
    return commit + _state(repository, commit) if repository and commit else None


def _find(folder: Path) -> _Repository | None:
    for top in (folder, *folder.parents):
        entry = top / ".git"
        if entry.is_file():
            entry = top / _text(entry).removeprefix("gitdir:").strip()
        if (entry / "HEAD").is_file():
            common = entry / "commondir"
            return _Repository(top, entry, entry / _text(common).strip() if common.is_file() else entry)
    return None


def _text(path: Path) -> str:
    return read_bounded(path, _MOST_BYTES).decode("utf-8", "replace")


def _resolve(repository: _Repository, name: str) -> str | None:
    for _ in range(_LONGEST_CHAIN):
        value = _value(repository, name)
        if value is None or _COMMIT.fullmatch(value):
            return value
        name = value.removeprefix("ref:").strip()
        if not _REFERENCE.fullmatch(name):
            return None
    return None


def _value(repository: _Repository, name: str) -> str | None:
    for folder in (repository.own, repository.shared):
        if (folder / name).is_file():
            return _text(folder / name).strip()
    packed = repository.shared / "packed-refs"
    lines = _text(packed).splitlines() if packed.is_file() else ()
    return next((commit for commit, _, of in (line.partition(" ") for line in lines) if of == name), None)


def order_of(commits: Iterable[str], folder: Path) -> dict[str, int] | None:
    """Return the position of each commit (full hash) in the history around `folder`: ancestors come first.

    Returns None if there is no repository, git is not installed, or a commit is missing.
    """
    named = sorted(set(commits))
    try:
        repository = _find(Path(os.path.realpath(folder)))
    except (OSError, ValueError):
        return None
    if repository is None or not all(map(_COMMIT.fullmatch, named)):
        return None
    output = _git(repository, named[0], "rev-list", "--topo-order", "--reverse", *named, "--")
    places = {commit: place for place, commit in enumerate((output or "").split())}
    return {commit: places[commit] for commit in named} if places.keys() >= set(named) else None


def _state(repository: _Repository, commit: str) -> str:
    # Submodules have configurations of their own.
    output = _git(repository, commit, "status", "--porcelain", "--untracked-files=no", "--ignore-submodules=all")
    return UNCHECKED if output is None else DIRTY if output.strip() else ""


def _git(repository: _Repository, head: str, *arguments: str) -> str | None:
    """Return git's output in a temporary repository with this commit checked out; None if git fails or is missing."""
    git = shutil.which("git")
    if git is None or not os.path.isabs(git):
        return None
    with tempfile.TemporaryDirectory(prefix="weir-git-") as name:
        empty = Path(name)
        for folder in ("objects", "refs"):
            (empty / folder).mkdir()
        (empty / "HEAD").write_text(head + "\n")
        (empty / "config").write_text("[core]\n\trepositoryformatversion = 0\n\tbare = false\n")
        # Remove variables that name another repository, configuration or program.
        environment = {key: value for key, value in os.environ.items() if not key.startswith("GIT_")}
        environment |= {
            "GIT_DIR": name, "GIT_WORK_TREE": str(repository.top), "GIT_INDEX_FILE": str(repository.own / "index"),
            "GIT_OBJECT_DIRECTORY": str(repository.shared / "objects"), "GIT_CONFIG_NOSYSTEM": "1",
            "GIT_CONFIG_GLOBAL": os.devnull, "GIT_ATTR_NOSYSTEM": "1", "GIT_OPTIONAL_LOCKS": "0", "HOME": name,
            "XDG_CONFIG_HOME": name, "LC_ALL": "C"}
        try:
            done = subprocess.run([git, *arguments], cwd="/", env=environment, stdin=subprocess.DEVNULL,
                                  capture_output=True, text=True, errors="replace", timeout=_TIME_LIMIT_S)
        except (OSError, subprocess.TimeoutExpired):
            return None
    return done.stdout if done.returncode == 0 else None
