"""Build probes against a copy of the runtime, unchanged and with mutated lines."""

from __future__ import annotations

import os
import shutil
import subprocess
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path

import pytest

RUNTIME = Path(__file__).resolve().parents[1]
SOURCES = ("memory", "fill_series", "ring_limit", "stream", "cpu_counters", "realtime", "thread", "expected", "futex",
           "wait", "worker_loop", "job_pool", "task", "ports", "digest", "run", "run_blocks", "run_hosted",
           "run_owners", "run_threads", "run_window", "crash")

#: Sources and flags of a program whose headers use relacy's atomics. relacy replaces `delete`, but only without a size.
CHECKER: tuple[tuple[str, ...], tuple[str, ...]] = ((), ("-DWEIR_CHECKED_ATOMICS", "-fno-sized-deallocation"))


@dataclass(frozen=True)
class Change:
    """Change of one line of a runtime file. The line must occur exactly once."""

    file: str
    line: str
    spoilt: str


class Build:
    """Copy of the runtime and its objects, with which probes (`tests/PROBE.cpp`) are linked.

    Without `sources` a probe is a complete program that includes the sources it needs.
    """

    def __init__(self, folder: Path, sources: tuple[str, ...] = SOURCES, flags: tuple[str, ...] = ()) -> None:
        if shutil.which(_compiler()) is None:
            pytest.skip("no C++ compiler")
        self.root = folder / "runtime"
        shutil.copytree(RUNTIME, self.root, ignore=shutil.ignore_patterns("__pycache__", ".pytest_cache"))
        self.flags = flags
        self.sources: list[Path] = []
        if sources:
            # One file, because a mutant costs mostly recompilation, and recompilation costs mostly the shared headers.
            self.sources.append(self.root / "src" / "joined.cpp")
            self.sources[0].write_text("".join(f'#include "{name}.cpp"\n' for name in sources))
        self.objects = folder / "whole"
        self._compile(self.sources, self.objects)

    def whole(self, probe: str) -> Path:
        """Return the program of the unchanged runtime."""
        unit = self._unit(probe)
        if not self._object(unit).exists():
            self._compile([unit], self.objects)
        return self._link(probe, [], self.objects)

    def spoilt(self, probe: str, name: str, *changes: Change) -> Path:
        """Return the program with these changes. Compile the sources that include a changed file, in a separate folder.
        """
        self.whole(probe)
        texts = {self.root / change.file: (self.root / change.file).read_text() for change in changes}
        stale = [unit for unit in [*self.sources, self._unit(probe)] if texts.keys() & self._made_of(unit)]
        assert stale, f"nothing is built from {', '.join(change.file for change in changes)}"
        objects = self.objects.with_name(name)
        try:
            for change in changes:
                file = self.root / change.file
                text = file.read_text()
                assert text.count(change.line) == 1, f"{change.file} must have this line exactly once: {change.line}"
                file.write_text(text.replace(change.line, change.spoilt))
            self._compile(stale, objects)
        finally:
            for file, text in texts.items():
                file.write_text(text)
        return self._link(probe, stale, objects)

    def _unit(self, probe: str) -> Path:
        return self.root / "tests" / f"{probe}.cpp"

    def _made_of(self, unit: Path) -> set[Path]:
        made_of = self._object(unit).with_suffix(".d").read_text().replace("\\\n", " ").split()
        return {Path(os.path.normpath(file)) for file in made_of[1:]}

    def _object(self, unit: Path) -> Path:
        return self.objects / f"{unit.stem}.o"

    def _compile(self, units: list[Path], into: Path) -> None:
        into.mkdir(exist_ok=True)
        includes = (f"-I{self.root / folder}" for folder in ("include", "schedulers", "tests"))
        flags = (*self.flags, "-std=c++20", "-O1", "-MMD", "-pthread", *includes)
        with ThreadPoolExecutor(os.cpu_count()) as pool:
            list(pool.map(lambda unit: _run(*flags, "-c", str(unit), "-o", str(into / f"{unit.stem}.o")), units))

    def _link(self, probe: str, stale: list[Path], objects: Path) -> Path:
        units = [*self.sources, self._unit(probe)]
        linked = [objects / f"{unit.stem}.o" if unit in stale else self._object(unit) for unit in units]
        _run("-pthread", *map(str, linked), "-o", str(objects / probe))
        return objects / probe


def _compiler() -> str:
    return os.environ.get("CXX", "g++")


def _run(*arguments: str) -> None:
    done = subprocess.run([_compiler(), *arguments], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
