"""Build of a project for GNU Radio 4: its C++ like every C++ program of Weir, then GNU Radio's blocks around it.

A block of GNU Radio 4 takes the compiler a minute or more. All projects share the compiled blocks and schedulers, which
are in the cache.
"""

from __future__ import annotations

import fcntl
import os
import re
import shutil
from dataclasses import replace
from pathlib import Path

from weir.diagnostics import WeirError
from weir.engine.generation import cmake
from weir.engine.generation.cpp import shelf
from weir.engine.generation.cpp import toolchain as cpp
from weir.engine.generation.host import cache_folder, cpu_identity, file_identity, missing, own_folder
from weir.engine.targets.interface import GenerationInput, Program, Tools, Workshop
from weir.files import lock_file
from weir.model import ownership
from weir.model.document.deployment import Build
from weir.model.installed import variable
from weir.model.ownership import sha256
from weir.sure import sure

MADE_ANEW, REFUSED = cpp.MADE_ANEW, cpp.REFUSED
#: Library with the C++ part, in the build's folder.
LIBRARY = "build/libflowgraph.so"
#: Number of folders of objects kept, one for each set of flags. Each has about a MB for a kind of block.
KEPT = 4


def find(subject: GenerationInput) -> Tools:
    """Return the tools.

    Raises WeirError (E_RUNTIME_MISSING without GNU Radio 4, E_TOOL_MISSING without make or the compiler that built it).
    """
    version, tools = subject.runtime().version, cpp.find(subject)
    make = shutil.which("make")
    if make is None:
        raise WeirError(missing("make", "E_TOOL_MISSING"))
    package = sure(subject.target.runtime).library
    includes, libraries = (variable(package, name) for name in ("includedir", "libdir"))
    compiler = _compiler(includes)
    if shutil.which(compiler) is None:
        raise WeirError(missing(compiler, "E_TOOL_MISSING"))
    files = (compiler, f"{libraries}/libgnuradio-core.a", f"{includes}/gnuradio-4.0/config.hpp")
    identity = "\n".join((f"GNU Radio {version}", *map(file_identity, files)))
    return replace(tools, runtime=version, identity=f"{tools.identity}\n{identity}",
                   paths={**tools.paths, "make": make, "host": identity, "host_compiler": compiler,
                          "host_includes": includes, "host_libraries": libraries})


def _compiler(includes: str) -> str:
    """Return the compiler that built GNU Radio: its headers and objects need it."""
    try:
        text = Path(includes, "gnuradio-4.0", "config.hpp").read_text(encoding="utf-8", errors="replace")
    except OSError:
        text = ""
    said = re.search(r'^#define CXX_COMPILER_PATH\s+"(.+)"$', text, re.MULTILINE)
    return said[1] if said else "clang++"


def host_flags(build: Build) -> list[str]:
    """Return the flags for GNU Radio's blocks. `extra_flags` are of another compiler."""
    return [f"-{build.optimisation}", f"-march={build.march}", "-ffp-contract=off"]


def program(directory: Path, subject: GenerationInput, tools: Tools) -> Program:
    """Return the program that a build leaves in `directory`, with its library."""
    made = cpp.program(directory, subject, tools)
    return replace(made, files=(*made.files, directory / LIBRARY))


def build(shop: Workshop) -> None:
    """Build the C++ library, then the program around it."""
    cpp.build(shop)
    sources = shop.directory / "src"
    folder = cache_folder().with_name("gnuradio4_objects")
    # The folder must belong to this user: code compiled once runs in every such program.
    with own_folder(folder), lock_file(folder / "lock") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        objects = folder / _key(shop, sources)
        if shop.anew and objects.is_dir():
            ownership.remove(objects, ownership.WHOLE)
        shop.say("compiling GNU Radio's blocks around it (minutes, unless they are kept from another build)")
        paths = shop.tools.paths
        shop.step([paths["make"], "-C", str(sources), f"BUILD={shop.folder}", f"OBJECTS={objects}",
                   f"CXX={paths['host_compiler']}", f"INCLUDES={paths['host_includes']}",
                   f"LIBRARIES={paths['host_libraries']}", f"SCHEDULER={_scheduler(shop, sources, objects)}"],
                  environment={**cmake.build_environment(shop.directory), "MAKEFLAGS": ""})
        forget_old(folder, objects)


def forget_old(folder: Path, used: Path) -> None:
    """Remove folders of objects that were not used for the longest time, except the one that is in use."""
    os.utime(used)
    others = sorted((it for it in folder.iterdir() if it.is_dir() and it.name != used.name),
                    key=lambda it: it.stat().st_mtime, reverse=True)
    for it in others[KEPT - 1:]:
        ownership.remove(it, ownership.WHOLE)


def _key(shop: Workshop, sources: Path) -> str:
    """Return the key of the objects: their sources, the flags, the compiler and GNU Radio."""
    own = {it.name: sha256(it.read_bytes())
           for it in (*sources.glob("*.hpp"), *(sources / name for name in ("block.cpp", "native.cpp", "fused.cpp")))}
    header = shop.directory / "weir" / "hosted" / "weir_hosted.h"
    return shelf.key({**own, header.name: sha256(header.read_bytes()), "host": shop.tools.paths["host"],
                      "flags": " ".join(host_flags(shop.subject.plan.build)), "cpu": cpu_identity(),
                      "machine": os.uname().machine})


def _scheduler(shop: Workshop, sources: Path, objects: Path) -> Path:
    """Return the scheduler's object. The name has a key of its source, because projects share the folder."""
    name = shop.subject.plan.scheduler
    return objects / f"{name}-{sha256((sources / f'{name}.gr4.cpp').read_bytes())[:16]}.o"
