"""Loads Python code from folders outside Weir's package: targets, and planners of schedulers."""

from __future__ import annotations

import errno
import hashlib
import importlib.util
import os
import sys
import traceback
from collections.abc import Iterator
from functools import cache
from importlib.abc import Loader, MetaPathFinder
from importlib.machinery import ModuleSpec
from pathlib import Path
from types import ModuleType

from weir.sure import sure

#: Old package names (until revision d24d4c62) and where these packages are now. Planners and targets of users and in
#: capsules still import the old names.
OLD_NAMES = {"weir.planning": "weir.model.planning", "weir.catalog": "weir.model.catalog",
             "weir.document": "weir.model.document", "weir.flowgraph": "weir.model.flowgraph",
             "weir.folder_code": "weir.model.folder_code", "weir.ownership": "weir.model.ownership",
             "weir.targets": "weir.engine.targets", "weir.generation": "weir.engine.generation",
             "weir.measuring": "weir.engine.measuring"}


class _OldNames(MetaPathFinder, Loader):
    """Import hook that maps a module's old name to the same module under its present name."""

    def find_spec(self, name: str, path: object = None, target: object = None) -> ModuleSpec | None:
        """Return a spec for modules in packages of OLD_NAMES."""
        return ModuleSpec(name, self) if ".".join(name.split(".")[:2]) in OLD_NAMES else None

    def create_module(self, spec: ModuleSpec) -> None:
        """Create nothing: `exec_module` imports the module under its present name."""

    def exec_module(self, module: ModuleType) -> None:
        """Replace the empty module with the real one."""
        package, *rest = module.__name__.removeprefix("weir.").split(".")
        sys.modules[module.__name__] = importlib.import_module(".".join([OLD_NAMES[f"weir.{package}"], *rest]))


def module_of(file: Path, kind: str) -> ModuleType:
    """Return the module of a file. Its code runs once, until the file changes. Raises OSError, and any exception of the
    code.

    The file's folder is its package, so the file can import its neighbours. The name of the package contains `kind`.
    """
    file = file.resolve()
    return _module(file, file.stat().st_mtime_ns, kind)


class ForbiddenLink(OSError):
    """Symbolic link that leads out of its folder, or to a folder that contains the link."""


def files_of(folder: Path) -> Iterator[Path]:
    """Yield all files of such a folder, sorted, including those behind links. Hidden files and Python's caches are left
    out.

    The files are copied as they are, so a link may only lead to a file in the same folder. Raises OSError, and
    ForbiddenLink for other links.
    """
    root = os.path.realpath(folder)
    yield from _files_of(folder, root, (root,))


def _files_of(folder: Path, root: str, above: tuple[str, ...]) -> Iterator[Path]:
    for name in sorted(os.listdir(folder)):
        if name.startswith(".") or name == "__pycache__":
            continue
        path = folder / name
        real = os.path.realpath(path) if path.is_symlink() else os.path.join(above[-1], name)
        if not Path(real).is_relative_to(root):
            raise ForbiddenLink(errno.EXDEV, f"is a link that leads out of {root}", str(path))
        if real in above:
            raise ForbiddenLink(errno.ELOOP, "is a link that leads back to a folder above it", str(path))
        if os.path.isdir(path):
            yield from _files_of(path, root, (*above, real))
        elif os.path.isfile(path):
            yield path


def identity_of(folder: Path) -> str:
    """Return a hash of all Python files in and below the folder, regardless of which are imported. Raises OSError."""
    whole = hashlib.sha256()
    for path in files_of(folder):
        if path.suffix == ".py":
            whole.update(f"{path.relative_to(folder)!s}\n{hashlib.sha256(path.read_bytes()).hexdigest()}\n"
                         .encode("utf-8", "surrogateescape"))
    return whole.hexdigest()


def place_of(error: BaseException, folder: Path) -> str:
    """Return `file:line` of the innermost frame in the folder; "" if there is none. For an OSError, the file in the
    folder.
    """
    if isinstance(error, (SyntaxError, OSError)):
        own = Path(error.filename or "").is_relative_to(folder)
        if own and isinstance(error, SyntaxError):
            return f"{error.filename}:{error.lineno}"
        return own and error.filename or ""
    return frame_of(error, folder)


def frame_of(error: BaseException, folder: Path) -> str:
    """Return `file:line` of the innermost frame in the folder, "" if there is none."""
    inside = [frame for frame in traceback.extract_tb(error.__traceback__)
              if Path(frame.filename).resolve().is_relative_to(folder)]
    return f"{inside[-1].filename}:{inside[-1].lineno}" if inside else ""


@cache
def _module(file: Path, _changed_ns: int, kind: str) -> ModuleType:
    if not any(isinstance(finder, _OldNames) for finder in sys.meta_path):
        sys.meta_path.insert(0, _OldNames())
    package = _package(file.parent, kind)
    spec = sure(importlib.util.spec_from_file_location(f"{package}.{file.stem}", file))
    module = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = module
    # The folder may belong to a run directory, which must not gain caches.
    before, sys.dont_write_bytecode = sys.dont_write_bytecode, True
    try:
        sure(spec.loader).exec_module(module)
    except BaseException:
        del sys.modules[spec.name]
        raise
    finally:
        sys.dont_write_bytecode = before
    return module


def _package(folder: Path, kind: str) -> str:
    """Create a package for the folder, so its files can import each other: `from .names import …`."""
    name = f"weir_{kind}_{folder.name}_{hashlib.sha256(str(folder).encode()).hexdigest()[:8]}"
    if name not in sys.modules:
        package = ModuleType(name)
        package.__path__ = [str(folder)]
        sys.modules[name] = package
    return name
