"""Programs for a board that the cross compiler of Debian builds here, where a board is slow or has no compiler."""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from functools import partial
from pathlib import Path

from weir.besides import side_by_side
from weir.diagnostics import WeirError, diagnostic, trying
from weir.engine.generation.build import RECORD, SENT_KERNELS, SENT_PROGRAM, Built, sent_key
from weir.engine.generation.host import cache_folder
from weir.engine.pipeline import Pipeline
from weir.files import write_whole
from weir.model.planning.plan import Plan

#: Parallel builds, as for programs of this machine.
_MOST_BUILDS = 4
#: Instruction sets that all machines of an architecture have, for programs without one of their own.
MARCH = {"aarch64": "armv8-a", "x86_64": "x86-64-v2", "riscv64": "rv64gc", "arm": "armv7-a+fp"}
_TOOLCHAIN = """\
set(CMAKE_SYSTEM_NAME Linux)
set(CMAKE_SYSTEM_PROCESSOR {machine})
set(CMAKE_LIBRARY_ARCHITECTURE {triplet})
set(CMAKE_FIND_ROOT_PATH_MODE_PROGRAM NEVER)
"""


def march_of(triplet: str) -> str:
    """Return the instruction set for programs of an architecture. Raises WeirError (E_USAGE) for an unknown one."""
    machine = triplet.partition("-")[0]
    if machine not in MARCH:
        raise WeirError(diagnostic("E_USAGE", "", f"Weir does not know the architecture of `{triplet}`",
                                   f"use one of {', '.join(MARCH)}, such as aarch64-linux-gnu"))
    return MARCH[machine]


@contextmanager
def crossing(triplet: str) -> Iterator[None]:
    """Let builds within the block make programs for an architecture. Raises WeirError (E_COMPILER_MISSING)."""
    compiler = shutil.which(f"{triplet}-g++")
    if compiler is None:
        raise WeirError(diagnostic("E_COMPILER_MISSING", "", f"{triplet}-g++ is not installed",
                                   f"on Debian: apt install g++-{triplet.replace('_', '-')}"))
    machine = triplet.partition("-")[0]
    with trying("write the cross compiler's settings"):
        # The folder keeps its name, so that later builds find earlier ones.
        folder = cache_folder().with_name("cross") / triplet
        folder.mkdir(parents=True, exist_ok=True)
        write_whole(folder / "toolchain.cmake", _TOOLCHAIN.format(machine=machine, triplet=triplet))
        link = folder / "g++"
        if not link.is_symlink() or os.readlink(link) != compiler:
            link.unlink(missing_ok=True)
            link.symlink_to(compiler)
    changed = {"PATH": f"{folder}:{os.environ.get('PATH', os.defpath)}",
               "CMAKE_TOOLCHAIN_FILE": str(folder / "toolchain.cmake"),
               "PKG_CONFIG_LIBDIR": f"/usr/lib/{triplet}/pkgconfig:/usr/share/pkgconfig"}
    before = {name: os.environ.get(name) for name in changed}
    os.environ.update(changed)
    try:
        yield
    finally:
        for name, value in before.items():
            if value is None:
                del os.environ[name]
            else:
                os.environ[name] = value


def built(plans: Sequence[tuple[Pipeline, Plan]]) -> list[tuple[Path, str]]:
    """Build programs within `crossing`. Return the files to send, with their places below the folder of programs.

    Raises WeirError if a build fails, or if the deployment is one of a peer runtime.
    """
    found: dict[str, Path] = {}
    for key, it in side_by_side([partial(_built, *one) for one in plans], _MOST_BUILDS):
        found |= {f"{key}/{SENT_PROGRAM}": it.binary, f"{key}/{RECORD}": it.directory / "build" / RECORD}
        if it.program.kernels:
            found[f"{key}/{SENT_KERNELS}"] = it.program.kernels
    return [(path, name) for name, path in found.items()]


def _built(pipeline: Pipeline, plan: Plan) -> tuple[str, Built]:
    project, catalog = pipeline.checked.valid().project, pipeline.checked.catalog
    if catalog.targets[plan.target].runtime:
        raise WeirError(diagnostic("E_USAGE", plan.deployment.pointer,
                                   f"Weir does not cross-compile for {catalog.targets[plan.target].title}",
                                   "choose other deployments, or a board without --cross"))
    return sent_key(plan, project, catalog), pipeline.build(plan)
