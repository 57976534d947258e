"""Python that lies in a folder of its own and not in Weir's package: that of a target, the planner of a scheduler."""

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

#: Where the packages are that code outside the tree may import, by the name that they had until revision d24d4c62: the
#: planners and targets of users and of capsules still import these.
OLD_NAMES = {"weir.planning": "weir.model.planning", "weir.catalog": "weir.model.catalog",
             "weir.document": "weir.model.document", "weir.flowgraph": "weir.model.flowgraph",
             "weir.folder_code": "weir.model.folder_code", "weir.ownership": "weir.model.ownership",
             "weir.targets": "weir.engine.targets", "weir.generation": "weir.engine.generation",
             "weir.measuring": "weir.engine.measuring"}


class _OldNames(MetaPathFinder, Loader):
    """Finds a module under the name that its package had before, as the same module."""

    def find_spec(self, name: str, path: object = None, target: object = None) -> ModuleSpec | None:
        """Finds what lies in a package of OLD_NAMES."""
        return ModuleSpec(name, self) if ".".join(name.split(".")[:2]) in OLD_NAMES else None

    def create_module(self, spec: ModuleSpec) -> None:
        """The module is there, or comes to be, under its own name."""

    def exec_module(self, module: ModuleType) -> None:
        """Puts the module itself in the place of the empty one."""
        package, *rest = module.__name__.removeprefix("weir.").split(".")
        sys.modules[module.__name__] = importlib.import_module(".".join([OLD_NAMES[f"weir.{package}"], *rest]))


def module_of(file: Path, kind: str) -> ModuleType:
    """Return the module of a file. Its code runs once, until the file changes. Raises whatever the code raises, and
    OSError.

    The file's folder is its package, so that it can import its neighbours. The name of the package contains `kind`.
    """
    file = file.resolve()
    return _module(file, file.stat().st_mtime_ns, kind)


class Astray(OSError):
    """A link that leads out of its folder, or back to where it lies."""


def files_of(folder: Path) -> Iterator[Path]:
    """All files of such a folder, sorted, those behind links too. What is hidden or Python's own is nobody's source.

    What lies there is kept and copied as it lies there, so a link may lead to what is in the folder alone. OSError,
    Astray where it does not.
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
            raise Astray(errno.EXDEV, f"is a link that leads out of {root}", str(path))
        if real in above:
            raise Astray(errno.ELOOP, "is a link that leads back to a folder above it", str(path))
        if os.path.isdir(path):
            yield from _files_of(path, root, (*above, real))
        elif os.path.isfile(path):
            yield path


def identity_of(folder: Path) -> str:
    """Changes with any Python in the folder and below it, whichever of it imports which. OSError."""
    whole = hashlib.sha256()
    for path in files_of(folder):
        if path.suffix == ".py":
            whole.update(f"{path.relative_to(folder)!s}\n{hashlib.sha256(path.read_bytes()).hexdigest()}\n"
                         .encode("utf-8", "surrogateescape"))
    return whole.hexdigest()


def place_of(error: BaseException, folder: Path) -> str:
    """`file:line` of the innermost frame in the folder; "" for an error that has none there, or is of the system's."""
    if isinstance(error, (SyntaxError, OSError)):
        own = Path(error.filename or "").is_relative_to(folder)
        if own and isinstance(error, SyntaxError):
            return f"{error.filename}:{error.lineno}"
        return own and error.filename or ""
    return frame_of(error, folder)


def frame_of(error: BaseException, folder: Path) -> str:
    """`file:line` of the innermost frame in the folder, "" where it has none there."""
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
    # A folder may be one of a run's, which holds what was kept and nothing else.
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
    """A package for the folder, so that its files import each other: `from .names import …`."""
    name = f"weir_{kind}_{folder.name}_{hashlib.sha256(str(folder).encode()).hexdigest()[:8]}"
    if name not in sys.modules:
        package = ModuleType(name)
        package.__path__ = [str(folder)]
        sys.modules[name] = package
    return name
