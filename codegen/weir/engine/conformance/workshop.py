"""Build the kit's programs: one library per sanitizer, plus one file per scheduler."""

from __future__ import annotations

import contextlib
import functools
import hashlib
import os
import re
import shutil
import subprocess
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from weir import ROOT, compilers
from weir.besides import side_by_side
from weir.diagnostics import WeirError, diagnostic, trying
from weir.engine.conformance import joined, subject
from weir.engine.conformance.claims import ADDRESS, THREAD
from weir.engine.conformance.findings import Finding
from weir.engine.generation.cpp.compiler import find_compiler
from weir.engine.generation.cpp.text import cpp_string
from weir.engine.generation.host import locked, missing
from weir.model import ownership
from weir.model.catalog import SchedulerType

KIT = ROOT / "runtime" / "tests" / "conformance"
BUILD = ROOT / "build" / "conformance"
_COMMON = ("-O0", "-g1", "-fno-omit-frame-pointer", "-Wno-tsan", "-Wno-unknown-warning-option", "-DWEIR_FORCED_YIELDS")
#: Both builds force yields at the places where interleavings matter. The thread build maps no mirrors: TSan does not
#: know that both addresses are the same memory.
FLAGS = {ADDRESS: (*_COMMON, "-fsanitize=address,undefined", "-fno-sanitize-recover=all"),
         THREAD: (*_COMMON, "-fsanitize=thread", "-DWEIR_UNMIRRORED=1")}
#: A header must compile with these flags and print nothing.
WARNINGS = ("-Wall", "-Wextra", "-Werror")
#: Code that a program of many graphs runs before it selects one.
_SEED_YIELDS = """    if (argc < 3) return 2;
    weir::seed_yields(std::strtoull(argv[2], nullptr, 10));
    argv[2] = argv[1];
    ++argv, --argc;"""
_ERROR = re.compile(r"^(?P<place>[^\s:][^:]*:\d+)(?::\d+)?: (?:fatal )?error: (?P<message>.*)$", re.MULTILINE)


@dataclass(frozen=True)
class Workshop:
    """Compilers and folder of the kit's builds.

    `compiler` judges headers, `sanitizing` builds the programs, `parallel` is the number of compilers at a time, and
    `build` is the folder for all outputs.
    """

    compiler: str
    sanitizing: str
    parallel: int
    build: Path

    @classmethod
    def open(cls, build: Path = BUILD) -> Workshop:
        """Find the tools. Raises WeirError (E_COMPILER_MISSING, E_TOOL_MISSING) if one is missing."""
        for tool in ("cmake", "ninja"):
            if shutil.which(tool) is None:
                raise WeirError(missing("ninja-build" if tool == "ninja" else tool, "E_TOOL_MISSING"))
        cxx = os.environ.get("CXX")
        compiler = find_compiler(cxx or "g++", ()).path
        return cls(compiler, (not cxx and shutil.which(compilers.QUICK)) or compiler, len(os.sched_getaffinity(0)),
                   build)

    def header_findings(self, scheduler: SchedulerType) -> tuple[list[Finding], bool]:
        """Return the findings on the header, and whether a program can be built with it nevertheless."""
        header = subject.header_of(scheduler)
        if not header.is_file():
            return [Finding("header", f"{header} is missing")], False
        found = []
        if said := self._said(scheduler, subject.header_alone(scheduler), WARNINGS):
            only_warns = all(error["message"].endswith("]") and "[-Werror" in error["message"]
                             for error in _ERROR.finditer(said))
            what = "compiles with warnings" if only_warns else "does not compile by itself"
            found.append(_compile_finding(f"{header.name} {what}", said))
            if not only_warns:
                return found, False
        if said := self._said(scheduler, subject.subject(scheduler), ()):
            if scheduler.planner:  # `run` may also take the schedule
                said = self._said(scheduler, subject.scheduled(scheduler), ())
                if not said:
                    return found, False
            return [*found, _compile_finding("the class does not match its descriptor", said)], False
        return found, True

    def _said(self, scheduler: SchedulerType, text: str, flags: Sequence[str]) -> str:
        """Return the compiler's messages on a source, "" if it compiles."""
        command = [self.compiler, "-std=c++20", "-fsyntax-only", *flags, *_includes(scheduler), "-x", "c++", "-"]
        with compilers.started(command, stdin=subprocess.PIPE, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE,
                               text=True, errors="replace", env={**os.environ, "LC_ALL": "C"}) as compiler:
            _, said = compiler.communicate(text)
        return said if compiler.returncode else ""

    def program(self, scheduler: SchedulerType, kind: str) -> Path:
        """Build the scheduler's program of this kind. Raises WeirError (E_BUILD_FAILED)."""
        with self._trying():
            libraries = self._libraries(kind, "weir_conformance")
            folder = self.place(scheduler)
            folder.mkdir(parents=True, exist_ok=True)
            source, made, program = (folder / name for name in ("subject.cpp", f"{kind}.o", kind))
            text = subject.subject(scheduler)
            if not source.is_file() or source.read_text(encoding="utf-8") != text:
                source.write_text(text, encoding="utf-8")
            log = folder / f"{kind}.log"
            log.write_bytes(b"")
            flags = ("-std=c++20", *FLAGS[kind])
            self._step([*_cached(), self.sanitizing, *flags, *_includes(scheduler), "-c", str(source), "-o", str(made)],
                       log)
            self._step([self.sanitizing, *flags, str(made), *libraries, "-pthread", "-o", str(program)], log)
        return program

    def place(self, scheduler: SchedulerType) -> Path:
        """Return the folder of the scheduler's programs and logs. Equal names in different folders stay apart."""
        home = hashlib.sha256(str(scheduler.folder.resolve()).encode()).hexdigest()[:8]
        return self.build / "schedulers" / f"{scheduler.id}-{home}"

    @contextlib.contextmanager
    def scheduler_lock(self, scheduler: SchedulerType) -> Iterator[None]:
        """Hold the scheduler's lock, so that two tests of it run one after the other."""
        lock = self.place(scheduler).with_suffix(".lock")
        with self._trying():
            lock.parent.mkdir(parents=True, exist_ok=True)
            with locked(lock):
                yield

    def scheduled_program(self, scheduler: SchedulerType, kind: str,
                          programs: Mapping[str, Mapping[str, bytes]]) -> Path:
        """Build one program of graphs with a schedule each (name -> generated files). Raises WeirError
        (E_BUILD_FAILED).

        Its arguments are the name, the seed of forced yields, and the options of the graph's own program.
        """
        with self._trying():
            libraries = self._libraries(kind, "weir_generated")
            folder = self.place(scheduler) / f"scheduled-{kind}"
            if folder.exists():  # only the kit writes to this folder
                ownership.remove(folder, ownership.WHOLE)
            log = self.place(scheduler) / f"{folder.name}.log"
            names = list(programs)
            units = [folder / str(i) for i in range(min(self.parallel, len(names)))]
            _write(folder, {"main.cpp": joined.main_of(names, _SEED_YIELDS)})
            for i, unit in enumerate(units):
                _write(unit, joined.unit({name: programs[name] for name in names[i::len(units)]}))
            _write(folder, {name: data.decode()
                            for one in programs.values() for name, data in joined.shared(one).items()})
            # Include the scheduler under test from its own folder, so that sanitizers report that path.
            header = subject.header_of(scheduler).resolve()
            _write(folder, {f"weir/schedulers/{header.name}": f"#include {cpp_string(str(header))}\n"})
            log.write_bytes(b"")
            flags = ("-std=c++20", *FLAGS[kind], "-ffp-contract=off")
            sources = [folder / "main.cpp", *(unit / "unit.cpp" for unit in units)]
            makes = [[*_cached(), self.sanitizing, *flags, f"-I{ROOT / 'runtime/include'}", f"-I{folder / 'weir'}",
                      f"-I{source.parent}", "-c", str(source), "-o", str(source.with_suffix(".o"))]
                     for source in sources]
            side_by_side([functools.partial(self._step, command, log) for command in makes], self.parallel)
            self._step([self.sanitizing, *flags, *(str(source.with_suffix(".o")) for source in sources), *libraries,
                        "-pthread", "-ldl", "-o", str(folder / "program")], log)
        return folder / "program"

    def _libraries(self, kind: str, name: str) -> list[str]:
        """Build the library of this name; return its path and the runtime's."""
        folder = self.build / f"{kind}-{Path(self.sanitizing).name}"
        log = self.build / f"{kind}.log"
        self.build.mkdir(parents=True, exist_ok=True)
        with locked(self.build / f"{kind}.lock"):
            log.write_bytes(b"")
            configure = ["cmake", "-S", str(KIT), "-B", str(folder), "-G", "Ninja", "-DCMAKE_BUILD_TYPE=Debug",
                         f"-DCMAKE_CXX_COMPILER={self.sanitizing}",
                         f"-DCMAKE_CXX_FLAGS_DEBUG={' '.join(FLAGS[kind])}"]
            if _cached():
                configure.append("-DCMAKE_CXX_COMPILER_LAUNCHER=ccache")
            if not _is_of(folder, KIT):
                configure.append("--fresh")
            self._step(configure, log)
            self._step(["cmake", "--build", str(folder), "--target", name, "weir_runtime",
                        "--parallel", str(self.parallel)], log)
        return [str(folder / f"lib{library}.a") for library in (name, "weir_runtime")]

    def _trying(self) -> contextlib.AbstractContextManager[None]:
        return trying(f"build in {self.build}")

    @staticmethod
    def _step(command: Sequence[str], log: Path) -> None:
        with log.open("ab") as file:
            file.write(("$ " + " ".join(command) + "\n").encode())
            file.flush()
            # Without CCACHE_BASEDIR, sanitizers print full paths.
            code = compilers.run(command, stdout=file, stderr=subprocess.STDOUT,
                                 env={**os.environ, "CCACHE_BASEDIR": "", "LC_ALL": "C"})
        if code:
            last = "; ".join(log.read_text(encoding="utf-8", errors="replace").splitlines()[-3:])
            raise WeirError(diagnostic("E_BUILD_FAILED", "", f"the conformance kit failed to build: {last}",
                                       f"the whole output is in {log}"))


def _write(folder: Path, texts: Mapping[str, str]) -> None:
    for name, text in texts.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(text, encoding="utf-8")


def _includes(scheduler: SchedulerType) -> list[str]:
    folders = (ROOT / "runtime/include", ROOT / "runtime/tests", scheduler.code_folder.resolve().parent)
    return [f"-I{folder}" for folder in folders]


def _cached() -> list[str]:
    return ["ccache"] if shutil.which("ccache") else []


def _is_of(folder: Path, source: Path) -> bool:
    """Return whether CMake can use a build folder. CMake refuses a folder that was copied with its source tree."""
    try:
        return f"CMAKE_HOME_DIRECTORY:INTERNAL={source}" in (folder / "CMakeCache.txt").read_text().splitlines()
    except OSError:
        return True


def _compile_finding(what: str, said: str) -> Finding:
    errors = [(m["place"], m["message"]) for m in _ERROR.finditer(said)]
    places = tuple(dict.fromkeys(os.path.normpath(place) for place, _ in errors))[:3]
    first = errors[0][1] if errors else said.strip().partition("\n")[0]
    return Finding("header", f"{what}: {first}", detail=said.rstrip(), places=places)
