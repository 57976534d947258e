"""The Python in a target's folder: executed to generate, build and run, never to look at what targets there are."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator
from types import ModuleType

from weir.catalog import Target
from weir.diagnostics import WeirError, diagnostic
from weir.folder_code import module_of, place_of, prints_to_stderr


def code_of(target: Target, name: str, *needed: str) -> ModuleType:
    """`<name>.py` of the target's folder. WeirError (E_TARGET_CODE) where it cannot be had or lacks what is `needed`."""
    file = target.folder.resolve() / f"{name}.py"
    with guarded(target):
        module = module_of(file, "target")
    for function in needed:
        if not callable(getattr(module, function, None)):
            raise WeirError(diagnostic("E_TARGET_CODE", "", f"{file} has no function `{function}`"))
    return module


@contextlib.contextmanager
def guarded(target: Target) -> Iterator[None]:
    """Around what a target's own code does: what goes wrong there is said with its place, not shown as ours."""
    try:
        with prints_to_stderr():
            yield
    except WeirError:
        raise
    except Exception as error:
        place = place_of(error, target.folder.resolve())
        if not place:
            raise
        raise WeirError(diagnostic("E_TARGET_CODE", "",
                                   f"target `{target.id}`: {place}: {type(error).__name__}: {error}")) from error
