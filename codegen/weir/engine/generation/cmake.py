"""Text for the CMakeLists.txt of generated projects, and the steps of a CMake build."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
from pathlib import Path

from weir.diagnostics import WeirError
from weir.engine.generation.host import file_identity, missing
from weir.model import ownership

#: Files that each build recreates in its folder: CMake remembers the compiler and the path in them, and executes them.
MADE_ANEW: ownership.Files = {"CMakeCache.txt": None, "CMakeFiles/": None}
#: CMake executes this file if it is beside a CMakeLists.txt or in a build folder.
PRELOADED = "PreLoad.cmake"
#: Compiler cache, used if it is installed.
LAUNCHER = "ccache"

# Environment variables that would change the build without a trace in the plan.
_SILENT = ("CXX", "CXXFLAGS", "CPPFLAGS", "LDFLAGS", "CPATH", "CPLUS_INCLUDE_PATH", "CMAKE_GENERATOR",
           "CMAKE_BUILD_TYPE")


def quoted(text: str) -> str:
    """Return a quoted CMake argument that stays one argument and expands nothing."""
    line = "".join(c if c.isprintable() else " " for c in text)
    return '"' + re.sub(r'([\\"$@#])', r"\\\1", line).replace(";", ",") + '"'


def find_cmake() -> str:
    """Return the path of cmake. Raises WeirError (E_TOOL_MISSING) if it is not installed."""
    path = shutil.which("cmake")
    if path is None:
        raise WeirError(missing("cmake", "E_TOOL_MISSING"))
    return path


def build_environment(directory: Path) -> dict[str, str]:
    """Return the environment of a build, without variables that silently change flags.

    It lets ccache ignore the name of the project's folder.
    """
    kept = {key: value for key, value in os.environ.items() if key not in _SILENT}
    return {**kept, "LC_ALL": "C", "CCACHE_BASEDIR": str(directory), "CCACHE_NOHASHDIR": "1"}


def environment_identity() -> str:
    """Return the variables left by `build_environment` that CMake, the compiler and pkg-config use."""
    begins = ("CMAKE_", "PKG_CONFIG", "GCC_", "COMPILER_PATH", "LIBRARY_PATH", "C_INCLUDE_PATH", "SOURCE_DATE_EPOCH")
    kept = sorted(item for item in os.environ.items() if item[0].startswith(begins))
    named = os.environ.get("CMAKE_TOOLCHAIN_FILE")
    return "\n".join((repr(kept), file_identity(named) if named else ""))


def library_identity(*names: str) -> str:
    """Return a text that changes with the pkg-config files of these libraries; "" if they are not installed."""
    program = shutil.which("pkg-config")
    if program is None or not names:
        return ""
    done = subprocess.run([program, "--variable=pcfiledir", *names], stdin=subprocess.DEVNULL, capture_output=True,
                          text=True, errors="replace")
    if done.returncode != 0 and len(names) > 1:   # one unknown name makes pkg-config fail for all
        return "\n".join(map(library_identity, names))
    says = subprocess.run([program, "--cflags", "--libs", *names], stdin=subprocess.DEVNULL, capture_output=True,
                          text=True, errors="replace").stdout   # includes the libraries that these require
    files = (file_identity(f"{folder}/{name}.pc") for name, folder in zip(names, done.stdout.split()))
    return "\n".join((*files, says))


def configure_arguments(compiler: str) -> list[str]:
    """Return the arguments to configure a project with a compiler, given by its path."""
    arguments = [f"-DCMAKE_CXX_COMPILER={compiler}"]
    if shutil.which("ninja"):
        arguments += ["-G", "Ninja"]
    elif not shutil.which("make"):
        raise WeirError(missing("make", "E_TOOL_MISSING"))
    # Always set: CMake remembers the ccache of an earlier build, which may be gone.
    arguments.append(f"-DCMAKE_CXX_COMPILER_LAUNCHER={LAUNCHER if shutil.which(LAUNCHER) else ''}")
    return arguments


def prerequisites(rule: Path) -> list[str]:
    """Return the files named in a Make rule, as compilers write it. Raises OSError."""
    text = rule.read_text(encoding="utf-8", errors="surrogateescape").replace("\\\n", " ").partition("\n")[0]
    return [re.sub(r"\\(.)", r"\1", name).replace("$$", "$")
            for name in re.findall(r"(?:\\.|[^\s\\])+", text.partition(": ")[2])]


def files_read(folder: Path, target: str) -> list[Path]:
    """Return the files, system headers included, that the compiler read to build a target. Raises OSError."""
    begin = f"CMakeFiles/{target}.dir/"
    names: list[str] = []
    for rule in (folder / begin).rglob("*.d"):  # Make keeps a rule beside each object, Ninja a log
        names += prerequisites(rule)
    ninja = shutil.which("ninja")
    if ninja and (folder / "build.ninja").exists():
        ours = False
        for line in subprocess.run([ninja, "-C", str(folder), "-t", "deps"], stdin=subprocess.DEVNULL,
                                   capture_output=True, text=True, errors="surrogateescape").stdout.splitlines():
            if line.startswith("    "):
                names += [line[4:]] if ours else []
            else:
                ours = line.startswith(begin)
    return [Path(os.path.normpath(folder / name)) for name in dict.fromkeys(names)]
