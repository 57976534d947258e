"""Load and call the Python in a target's folder, only to generate, build and run, never to list targets."""

from __future__ import annotations

import contextlib
import functools
import subprocess
import traceback
from collections.abc import Callable, Iterator
from pathlib import Path
from types import ModuleType
from typing import Any, cast

from weir.diagnostics import WeirError, diagnostic, not_started
from weir.engine.targets import returned
from weir.engine.targets.interface import Refused
from weir.model.catalog import Target
from weir.model.folder_code import frame_of, module_of, place_of
from weir.standard_output import prints_to_stderr

_HINT = "see docs/write-a-target.md"


class Code:
    """A Python file of a target. Guards calls of its functions and validates their results."""

    def __init__(self, target: Target, file: Path, module: ModuleType):
        self._target, self._file, self._module = target, file, module

    def __getattr__(self, name: str) -> Any:
        """Return a guarded function or a constant. Raises AttributeError if the file does not have it."""
        value = getattr(self._module, name)
        taken = returned.FUNCTIONS[self._file.stem].get(name)
        return value if taken is None else functools.partial(self._called, name, value, taken)

    def _called(self, name: str, function: Callable, taken: Callable[..., Any], *given: object) -> Any:
        # A build may fail for reasons of the system, such as a full disk; for a protocol, every error is a bug.
        with guarded(self._target, self._file, everything=self._file.stem == "protocol"):
            value = function(*given)
            line = getattr(getattr(function, "__code__", None), "co_firstlineno", None)
            return self._looked_at(value, lambda: taken(value, *given), f"{self._file}{f':{line}' if line else ''}: "
                                   f"`{name}` returned")

    def check(self, needed: tuple[str, ...]) -> None:
        """Raise WeirError if a needed function is missing or a constant is invalid."""
        functions, constants = returned.FUNCTIONS[self._file.stem], returned.CONSTANTS[self._file.stem]
        for name in (*needed, *(it for it in functions if hasattr(self._module, it))):
            if not callable(getattr(self._module, name, None)):
                raise WeirError(diagnostic("E_TARGET_CODE", "", f"{self._file} has no function `{name}`", _HINT))
        for name in (it for it in constants if hasattr(self._module, it)):
            value = getattr(self._module, name)
            self._looked_at(value, functools.partial(constants[name], value), f"{self._file}: `{name}` is")

    def _looked_at(self, value: Any, taken: Callable[[], Any], what: str) -> Any:
        try:
            return taken()
        except returned.Unfit as wanted:
            raise WeirError(diagnostic("E_TARGET_CODE", "", f"target `{self._target.id}`: {what} {_shown(value)}, and "
                                       f"not {wanted}", _HINT)) from None


def code_of(target: Target, name: str, *needed: str) -> Code:
    """Return `<name>.py` of the target's folder. Raises WeirError (E_TARGET_CODE) if it fails or lacks a `needed` name.
    """
    file = target.folder.resolve() / f"{name}.py"
    with guarded(target):
        code = Code(target, file, module_of(file, "target"))
    code.check(needed)
    return code


@contextlib.contextmanager
def guarded(target: Target, file: Path | None = None, everything: bool = False) -> Iterator[None]:
    """Turn exceptions of a target's code into diagnostics with their place in the target.

    `Refused` becomes E_TARGET_REFUSES, and a program that cannot start becomes E_TOOL_MISSING. If `file` is given,
    exceptions without a frame in the target's folder count as the file's too, except errors of the system; with
    `everything`, those also.
    """
    folder = target.folder.resolve()
    try:
        with prints_to_stderr():
            yield
    except WeirError:
        raise
    except Refused as refusal:
        raise WeirError(diagnostic("E_TARGET_REFUSES", refusal.pointer, f"target `{target.id}`: {_one_line(refusal)}",
                                   _one_line(refusal.hint))) from None
    except (Exception, SystemExit) as error:
        if _is_of_a_start(error):
            raise WeirError(not_started(cast(OSError, error),
                                        f"target `{target.id}`: {frame_of(error, folder) or file or folder}"
                                        )) from error
        place = frame_of(error, folder) if everything else place_of(error, folder)
        if not place and (file is None or isinstance(error, OSError) and not everything):
            raise
        said = _one_line(f"{type(error).__name__}: {error}")
        raise WeirError(diagnostic("E_TARGET_CODE", "", f"target `{target.id}`: {place or file}: {said}")) from error


def _is_of_a_start(error: BaseException) -> bool:
    """Return whether subprocess could not start a program."""
    frames = traceback.extract_tb(error.__traceback__)
    return isinstance(error, OSError) and bool(error.filename and frames) and frames[-1].filename == subprocess.__file__


def _one_line(text: Any) -> str:
    return " ".join(str(text).split())


def _shown(value: Any) -> str:
    text = _one_line(repr(value))
    return text if len(text) <= 60 else text[:57] + "..."
