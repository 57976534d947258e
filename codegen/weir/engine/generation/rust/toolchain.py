"""Build the generated cargo project: its C++ like every C++ program of Weir, then the Rust around it.

Cargo compiles dependencies once, into a target folder in the cache that all such projects share. Weir removes the
project's own crate from that folder.
"""

from __future__ import annotations

import fcntl
import os
import re
import shutil
import subprocess
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

from weir.engine.generation import cmake
from weir.engine.generation.cpp import toolchain as cpp
from weir.engine.generation.host import cache_folder, file_identity, own_folder
from weir.engine.targets.interface import GenerationInput, Program, Tools, Workshop
from weir.files import lock_file
from weir.model import ownership
from weir.sure import sure

MADE_ANEW, REFUSED = cpp.MADE_ANEW, cpp.REFUSED
#: Name of the project's own crate.
CRATE = "flowgraph"
#: Library with the C++ part, in the build's folder.
LIBRARY = "build/libflowgraph.so"
#: Environment variables that change cargo's output for the same sources.
_SETTINGS = ("CARGO_PROFILE_", "CARGO_BUILD_", "CARGO_ENCODED_RUSTFLAGS", "RUSTC", "RUSTFLAGS")


def find(subject: GenerationInput, version: str) -> Tools:
    """Return the tools. `version` is the peer runtime's.

    Raises WeirError (E_RUNTIME_MISSING) if there is no cargo or it is too old.
    """
    cargo = subject.runtime()
    place = sure(shutil.which("cargo"))
    tools = cpp.find(subject)
    settings = sorted(item for item in os.environ.items() if item[0].startswith(_SETTINGS))
    return replace(tools, runtime=version, paths={**tools.paths, "cargo": place},
                   identity=f"{tools.identity}\ncargo {cargo.version}\n{file_identity(place)}\n{settings}\n"
                            f"{_for_cpu(subject.words)}")


def _for_cpu(words: Sequence[str]) -> list[str]:
    """Return the arguments with which rustc compiles the project's own crate for the CPU of the C++. Empty if rustc
    does not know a CPU of that name.
    """
    prefix, rustc = "-march=", shutil.which(os.environ.get("RUSTC") or "rustc")
    march = next((word.removeprefix(prefix) for word in reversed(words) if word.startswith(prefix)), None)
    if march is None or rustc is None:
        return []
    known = subprocess.run([rustc, "--print", "target-cpus"], stdin=subprocess.DEVNULL, capture_output=True, text=True,
                           check=False).stdout
    return ["-C", f"target-cpu={march}"] if march in {line.partition(" - ")[0].strip()
                                                      for line in known.splitlines()} else []


def program(directory: Path, subject: GenerationInput, tools: Tools) -> Program:
    """Return the program that a build leaves in `directory`, with its library."""
    made = cpp.program(directory, subject, tools)
    return replace(made, files=(*made.files, directory / LIBRARY))


def build(shop: Workshop, *options: str) -> None:
    """Build the C++ library, then the crate around it. `options`: more arguments of cargo."""
    cpp.build(shop)
    folder, name = cache_folder().with_name("cargo"), shop.subject.plan.project
    # The folder must belong to this user: code compiled once runs in every such program.
    with own_folder(folder), lock_file(folder / "lock") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        shop.say("compiling the Rust around it")
        shop.step([shop.tools.paths["cargo"], "rustc", "--release", "--locked", *options, "--",
                   *_for_cpu(shop.subject.words)], environment={
            **cmake.build_environment(shop.directory), "WEIR_NATIVE": str(shop.folder),
            "CARGO_TARGET_DIR": str(folder)})
        shutil.copy2(folder / "release" / name, shop.folder / name)
        _forget(folder / "release", name, (shop.directory / "Cargo.lock").read_text(encoding="utf-8"))


def _forget(release: Path, name: str, lock: str) -> None:
    """Remove the project's own crate from the shared target folder."""
    crate = name.replace("-", "_")
    own = [release / name, release / f"{name}.d", *(release / ".fingerprint").glob(f"{CRATE}-*"),
           *(release / "build").glob(f"{CRATE}-*")]
    if not re.search(rf'^name = "{re.escape(name)}"$', lock, re.MULTILINE):  # keep a dependency of the same name
        own += (release / "deps").glob(f"{crate}-*")
    for path in own:
        if path.is_dir():
            ownership.remove(path, ownership.WHOLE)
        else:
            ownership.discard(path.parent, path.name)
