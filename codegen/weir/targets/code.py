"""The Python in a target's folder: executed to generate, build and run, never to look at what targets there are."""

from __future__ import annotations

import contextlib
import hashlib
import importlib.util
import sys
import traceback
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from types import ModuleType

from weir.catalog import Target
from weir.diagnostics import WeirError, diagnostic


def code_of(target: Target, name: str, *needed: str) -> ModuleType:
    """`<name>.py` of the target's folder. WeirError (E_TARGET_CODE) where it cannot be had or lacks what is `needed`."""
    file = target.folder.resolve() / f"{name}.py"
    with guarded(target):
        module = _module(file, file.stat().st_mtime_ns)
    for function in needed:
        if not callable(getattr(module, function, None)):
            raise WeirError(diagnostic("E_TARGET_CODE", "", f"{file} has no function `{function}`"))
    return module


@contextlib.contextmanager
def guarded(target: Target) -> Iterator[None]:
    """Around what a target's own code does: what goes wrong there is said with its place, not shown as ours."""
    try:
        yield
    except WeirError:
        raise
    except Exception as error:
        place = _place(error, target.folder.resolve())
        if not place:
            raise
        raise WeirError(diagnostic("E_TARGET_CODE", "",
                                   f"target `{target.id}`: {place}: {type(error).__name__}: {error}")) from error


def _place(error: Exception, folder: Path) -> str:
    """`file:line` of the innermost frame in the folder; "" for an error that has none there, or is of the system's."""
    if isinstance(error, (SyntaxError, OSError)):
        own = Path(error.filename or "").is_relative_to(folder)
        return f"{error.filename}:{error.lineno}" if own and isinstance(error, SyntaxError) else own and error.filename or ""
    inside = [frame for frame in traceback.extract_tb(error.__traceback__)
              if Path(frame.filename).resolve().is_relative_to(folder)]
    return f"{inside[-1].filename}:{inside[-1].lineno}" if inside else ""


@cache
def _module(file: Path, _changed_ns: int) -> ModuleType:
    """Executed once as long as the file stays as it is."""
    package = _package(file.parent)
    spec = importlib.util.spec_from_file_location(f"{package}.{file.stem}", file)
    module = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = module
    # A folder may be one of a run's, which holds what was kept and nothing else.
    before, sys.dont_write_bytecode = sys.dont_write_bytecode, True
    try:
        spec.loader.exec_module(module)
    except BaseException:
        del sys.modules[spec.name]
        raise
    finally:
        sys.dont_write_bytecode = before
    return module


def _package(folder: Path) -> str:
    """A package for the folder, so that its files import each other: `from .names import …`."""
    name = f"weir_target_{folder.name}_{hashlib.sha256(str(folder).encode()).hexdigest()[:8]}"
    if name not in sys.modules:
        package = ModuleType(name)
        package.__path__ = [str(folder)]
        sys.modules[name] = package
    return name
