"""The generated cargo project becomes a program: its C++ as every C++ program of Weir's, then the Rust around it.

What it depends on is compiled once, into a target folder in the cache that all such projects share; of a project's own
crate nothing stays there.
"""

from __future__ import annotations

import fcntl
import re
import shutil
import subprocess
from dataclasses import replace
from pathlib import Path

from weir.diagnostics import WeirError, diagnostic
from weir.generation import cmake
from weir.generation.cpp import toolchain as cpp
from weir.generation.host import cache_folder, file_identity, own_folder
from weir.targets.interface import Program, Subject, Tools, Workshop

MADE_ANEW, REFUSED = cpp.MADE_ANEW, cpp.REFUSED
#: The oldest cargo that builds what these projects depend on.
OLDEST = (1, 89)
PACKAGES = "cargo-web rustc-web"
#: The project's own crate.
PACKAGE = "flowgraph"
#: The C++ part, in the folder of the build.
LIBRARY = "build/libflowgraph.so"


def find(subject: Subject, runtime: str) -> Tools:
    """`runtime`: its version. WeirError (E_RUNTIME_MISSING) without a cargo that is new enough."""
    place, found = shutil.which("cargo"), None
    if place is not None:
        said = subprocess.run([place, "--version"], stdin=subprocess.DEVNULL, capture_output=True, text=True,
                              errors="replace").stdout
        found = re.match(r"cargo (\d+)\.(\d+)\S*", said)
    if found is None or tuple(map(int, found.groups())) < OLDEST:
        oldest = ".".join(map(str, OLDEST))
        raise WeirError(diagnostic(
            "E_RUNTIME_MISSING", subject.plan.deployment.pointer,
            f"{subject.scheduler.title} takes cargo {oldest} or newer: "
            + (f"{place} is {found[0] if found else 'none'}" if place else "there is none on the PATH"),
            f"on Debian 12, with its security archive: apt install {PACKAGES}"))
    tools = cpp.find(subject)
    return replace(tools, runtime=runtime, paths={**tools.paths, "cargo": place},
                   identity=f"{tools.identity}\n{found[0]}\n{file_identity(place)}")


def program(directory: Path, subject: Subject, tools: Tools) -> Program:
    made = cpp.program(directory, subject, tools)
    return replace(made, files=(*made.files, directory / LIBRARY))


def build(shop: Workshop) -> None:
    cpp.build(shop)
    folder, name = cache_folder().with_name("cargo"), shop.subject.plan.project
    # Nobody else's may lie there: what is compiled once is run in every such program.
    with own_folder(folder), (folder / "lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        shop.say("compiling the Rust around it")
        shop.step([shop.tools.paths["cargo"], "build", "--release", "--locked"], environment={
            **cmake.build_environment(shop.directory), "WEIR_NATIVE": str(shop.folder), "CARGO_TARGET_DIR": str(folder)})
        shutil.copy2(folder / "release" / name, shop.folder / name)
        _forget(folder / "release", name, (shop.directory / "Cargo.lock").read_text(encoding="utf-8"))


def _forget(release: Path, name: str, lock: str) -> None:
    """Removes what the project's own crate has left among what all of them share."""
    crate = name.replace("-", "_")
    own = [release / name, release / f"{name}.d", *(release / ".fingerprint").glob(f"{PACKAGE}-*"),
           *(release / "build").glob(f"{PACKAGE}-*")]
    if not re.search(rf'^name = "{re.escape(name)}"$', lock, re.MULTILINE):  # else it is called as one of the others
        own += (release / "deps").glob(f"{crate}-*")
    for path in own:
        if path.is_dir():
            shutil.rmtree(path, ignore_errors=True)
        else:
            path.unlink(missing_ok=True)
