"""Build the generated CMake project with the compiler and flags of the deployment.

`-ffp-contract=off`, one of the `words` of target.json, makes products and sums round in C++ as in numpy. Every project
has the same copy of the runtime with the same rules, so Weir compiles it once and keeps it.
"""

from __future__ import annotations

import os
import shlex
import shutil
from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import AbstractContextManager, nullcontext
from dataclasses import replace
from pathlib import Path

from weir.diagnostics import WeirError
from weir.engine.generation import cmake, cmake_commands
from weir.engine.generation.cpp import precompiled, runtimes, shelf
from weir.engine.generation.cpp.compiler import find_compiler, headers_identity, helpers_identity
from weir.engine.generation.cpp.errors import faults
from weir.engine.generation.host import file_identity
from weir.engine.targets.interface import GenerationInput, Program, Tools, Workshop
from weir.model.folder_code import identity_of
from weir.model.ownership import sha256

#: Folder for a build's own copy of the kept runtime: no other process removes the copy while it is linked.
GIVEN = "runtime/"
MADE_ANEW = {**cmake.MADE_ANEW, GIVEN: None, precompiled.MADE_IN: None}
REFUSED = (cmake.PRELOADED,)
#: Kernel library, for plans that do not inline `work`.
KERNELS = "build/libweir_kernels.a"
#: Texts around the rules in CMakeLists.txt that compile the runtime.
RULES = ("set(WEIR_RUNTIME", "# End of the runtime.")


def find(subject: GenerationInput) -> Tools:
    """Return the compiler and its paths. Raises WeirError if it is missing."""
    name, *flags = subject.words
    compiler = find_compiler(name, flags)
    paths = {"compiler": compiler.path, "headers": os.pathsep.join(compiler.headers)}
    used = {library for block in subject.blocks for library in block.uses}
    return Tools(compiler.version, (name, *flags), f"{compiler.identity}\n{system_identity(paths, used)}", paths)


def system_identity(paths: Mapping[str, str], libraries: Iterable[str] = ()) -> str:
    """Return a text that changes with the system parts of a build, except the compiler's version and flags.

    `paths` are those of `Tools`; `libraries` are the pkg-config names of libraries that blocks use.
    """
    tools = [paths["compiler"], *filter(None, map(shutil.which, ("cmake", "ninja", "make", "pkg-config")))]
    return "\n".join((*map(file_identity, tools), helpers_identity(paths["compiler"]),
                      headers_identity(filter(None, paths.get("headers", "").split(os.pathsep))),
                      cmake.library_identity(*sorted({"lttng-ust", *libraries})), cmake.environment_identity()))


def program(directory: Path, subject: GenerationInput, tools: Tools) -> Program:
    """Return the program that a build leaves in `directory`."""
    made = Program.of(directory / subject.target.program_of(subject.plan.project))
    return replace(made, kernels=directory / KERNELS) if subject.plan.links_kernels else made


def build(shop: Workshop) -> None:
    """Configure and compile."""
    key = None if shop.anew else runtime_key(shop)
    if key is None:
        _configure(shop)
        shop.say("compiling")
        _make(shop, "--clean-first")
        return
    with runtimes.kept(key, shop.say) as runtime:
        if runtime.archive is None:
            _make_both(shop, key, runtime.keep)
            return
    given = shop.folder / GIVEN / runtimes.ARCHIVE
    given.parent.mkdir()
    given.write_bytes(runtime.archive)
    shop.note(f"using the compiled runtime {runtimes.folder() / key}, sha256 {sha256(runtime.archive)}")
    _make_graph(shop, key, given)


def _make_both(shop: Workshop, key: str, keep: Callable[[Path, Sequence[Path] | None], None]) -> None:
    """Build the runtime, which is kept, and the graph beside it."""
    _configure(shop)
    shop.say("compiling the graph and the runtime (kept for later builds)")
    try:
        with _headers(shop, key):
            _make(shop, "--clean-first")
    except WeirError:  # probably in the graph, which the user will fix and build again
        shop.say("compiling the runtime (kept for later builds)")
        _make(shop, "--target", "weir_runtime")
        _keep_runtime(shop, keep)
        raise
    _keep_runtime(shop, keep)


def _keep_runtime(shop: Workshop, keep: Callable[[Path, Sequence[Path] | None], None]) -> None:
    read = cmake.files_read(shop.folder, "weir_runtime")
    own = shop.directory.resolve()  # files of the project are in the key
    keep(shop.folder / runtimes.ARCHIVE,
         [path for path in read if not path.resolve().is_relative_to(own)] if read else None)


def _make_graph(shop: Workshop, runtime_key: str, runtime: Path) -> None:
    key = _commands_key(shop, runtime_key)
    commands = cmake_commands.load(key, shop.directory)
    if commands is not None:
        shop.say("compiling the graph")
        shop.note(f"using the CMake commands kept as {key}")
        headers = precompiled.of(shop, runtime_key, commands)
        if _made_with(headers, shop, commands):
            return
        with headers.beside() if headers else nullcontext():
            if _repeated(shop, commands):
                return
    _configure(shop, f"-DWEIR_RUNTIME={runtime}")
    cmake_commands.keep(key, shop.directory)
    shop.say("compiling the graph")
    made = cmake_commands.load(key, shop.directory) if commands is None else None
    if _made_with(precompiled.of(shop, runtime_key, made), shop, made or []):
        return
    with _headers(shop, runtime_key):
        _make(shop, "--clean-first")


def _made_with(headers: precompiled.Headers | None, shop: Workshop, commands: cmake_commands.Commands) -> bool:
    """Run the commands with precompiled headers. Return False if there are no usable headers."""
    return headers is not None and headers.used(lambda more: _run(shop, commands, more))


def _headers(shop: Workshop, runtime_key: str) -> AbstractContextManager[None]:
    """Return a context that precompiles the graph's headers for later builds."""
    headers = precompiled.of(shop, runtime_key, cmake_commands.made(shop.folder, precompiled.SOURCE))
    return headers.beside() if headers else nullcontext()


def _run(shop: Workshop, commands: cmake_commands.Commands, more: Sequence[str] = ()) -> None:
    """Run the commands. `more` are additional options for the compiler."""
    cmake_commands.make_folders(commands, shop.folder)
    for words in commands:
        own = [*precompiled.without_ccache(words)[:-2], *more, *words[-2:]] if more and "-c" in words[-2:] else words
        shop.note(shlex.join(own))
        shop.step(cmake_commands.within(shop.folder, own), faults=faults,
                  environment=cmake.build_environment(shop.directory))


def _repeated(shop: Workshop, commands: cmake_commands.Commands) -> bool:
    """Build with the kept commands. Return False if the commands may be at fault: CMake must then run again."""
    try:
        _run(shop, commands)
    except WeirError as error:
        if {"E_BLOCK_BUILD", "E_DISK_FULL"} & {fault.code for fault in error.diagnostics}:
            raise
        shop.note("the kept commands failed: running CMake again")
        return False
    return True


def _commands_key(shop: Workshop, runtime_key: str) -> str:
    """Return the key of CMake's commands for a given runtime."""
    return shelf.key({
        "runtime": runtime_key, "rules": (shop.directory / "CMakeLists.txt").read_text(encoding="utf-8"),
        "tools": shop.tools.identity, "ccache": str(shutil.which("ccache"))})


def runtime_key(shop: Workshop) -> str | None:
    """Return the key of the runtime's archive, None for a project without its own runtime.

    The shelf checks each system header.
    """
    text = (shop.directory / "CMakeLists.txt").read_text(encoding="utf-8")
    begin, end = map(text.find, RULES)
    sources = sorted(path for folder in ("weir/src", "weir/include") for path in (shop.directory / folder).rglob("*")
                     if path.is_file())
    if not 0 <= begin < end or not sources:
        return None
    template = shop.subject.target.folder / "CMakeLists.txt.j2"
    return shelf.key({
        "rules": text[begin:end], "template": sha256(template.read_bytes()), "machine": os.uname().machine,
        "toolchain": identity_of(shop.subject.target.folder),
        "compiler": f"{shop.tools.paths['compiler']}\n{shop.tools.name}", "system": system_identity(shop.tools.paths),
        **{str(path.relative_to(shop.directory)): sha256(path.read_bytes()) for path in sources}})


def _configure(shop: Workshop, *more: str) -> None:
    shop.say("configuring")
    shop.step([cmake.find_cmake(), "-S", str(shop.directory), "-B", str(shop.folder),
               *cmake.configure_arguments(shop.tools.paths["compiler"]), *more], faults=faults,
              environment=cmake.build_environment(shop.directory))


def _make(shop: Workshop, *more: str) -> None:
    """Build with CMake. `--clean-first` rebuilds everything: outputs of an earlier build may be damaged."""
    shop.step([cmake.find_cmake(), "--build", str(shop.folder), *more, "--parallel",
               str(len(os.sched_getaffinity(0)))], faults=faults, environment=cmake.build_environment(shop.directory))
