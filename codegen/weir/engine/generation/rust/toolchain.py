"""The generated cargo project becomes a program: its C++ as every C++ program of Weir's, then the Rust around it.

What it depends on is compiled once, into a target folder in the cache that all such projects share; of a project's own
crate nothing stays there.
"""

from __future__ import annotations

import fcntl
import os
import re
import shutil
from dataclasses import replace
from pathlib import Path

from weir.engine.generation import cmake
from weir.engine.generation.cpp import toolchain as cpp
from weir.engine.generation.host import cache_folder, file_identity, own_folder
from weir.engine.targets.interface import Program, Subject, Tools, Workshop
from weir.files import lock_file
from weir.model import ownership
from weir.sure import sure

MADE_ANEW, REFUSED = cpp.MADE_ANEW, cpp.REFUSED
#: The project's own crate.
CRATE = "flowgraph"
#: The C++ part, in the folder of the build.
LIBRARY = "build/libflowgraph.so"
#: Of the environment, what has cargo compile the same sources otherwise.
_SETTINGS = ("CARGO_PROFILE_", "CARGO_BUILD_", "CARGO_ENCODED_RUSTFLAGS", "RUSTC", "RUSTFLAGS")


def find(subject: Subject, version: str) -> Tools:
    """`version`: of the runtime. WeirError (E_RUNTIME_MISSING) without a cargo that is new enough."""
    cargo = subject.runtime()
    place = sure(shutil.which("cargo"))
    tools = cpp.find(subject)
    asked = sorted(item for item in os.environ.items() if item[0].startswith(_SETTINGS))
    return replace(tools, runtime=version, paths={**tools.paths, "cargo": place},
                   identity=f"{tools.identity}\ncargo {cargo.version}\n{file_identity(place)}\n{asked}")


def program(directory: Path, subject: Subject, tools: Tools) -> Program:
    """The program that a build leaves in `directory`, with its library."""
    made = cpp.program(directory, subject, tools)
    return replace(made, files=(*made.files, directory / LIBRARY))


def build(shop: Workshop) -> None:
    """Compiles the crate, then what calls it."""
    cpp.build(shop)
    folder, name = cache_folder().with_name("cargo"), shop.subject.plan.project
    # Nobody else's may lie there: what is compiled once is run in every such program.
    with own_folder(folder), lock_file(folder / "lock") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        shop.say("compiling the Rust around it")
        shop.step([shop.tools.paths["cargo"], "build", "--release", "--locked"], environment={
            **cmake.build_environment(shop.directory), "WEIR_NATIVE": str(shop.folder),
            "CARGO_TARGET_DIR": str(folder)})
        shutil.copy2(folder / "release" / name, shop.folder / name)
        _forget(folder / "release", name, (shop.directory / "Cargo.lock").read_text(encoding="utf-8"))


def _forget(release: Path, name: str, lock: str) -> None:
    """Removes what the project's own crate has left among what all of them share."""
    crate = name.replace("-", "_")
    own = [release / name, release / f"{name}.d", *(release / ".fingerprint").glob(f"{CRATE}-*"),
           *(release / "build").glob(f"{CRATE}-*")]
    if not re.search(rf'^name = "{re.escape(name)}"$', lock, re.MULTILINE):  # else it is called as one of the others
        own += (release / "deps").glob(f"{crate}-*")
    for path in own:
        if path.is_dir():
            ownership.remove(path, ownership.WHOLE)
        else:
            ownership.discard(path.parent, path.name)
