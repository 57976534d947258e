"""One program for many deployments: each generated flowgraph.hpp, unchanged, in a separate namespace.

The runtime is compiled once and kept, with a precompiled header of the includes that every flowgraph has.
"""

from __future__ import annotations

import hashlib
import json
import math
import os
import shutil
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path

from weir import ROOT
from weir.engine.conformance import joined
from weir.engine.generation.emit import generate
from weir.engine.targets.interface import GenerationInput
from weir.model.catalog import Catalog
from weir.model.check import Checked
from weir.model.planning.machine import Machine
from weir.model.planning.plan import Plan, make_plan

sys.path.append(str(ROOT / "codegen" / "tests" / "end_to_end"))

import lttng_world  # noqa: E402

TRACED_RUN = Path(__file__).with_name("traced_run.py")
CACHE = ROOT / "build" / "test" / "differential"
KEPT = 4
#: With few projects, programs take longer to compile than to run.
COMMON = ("-std=c++20", "-O1" if "WEIR_DIFF" in os.environ else "-O0", "-ffp-contract=off", "-DNDEBUG",
          "-DWEIR_TRACING=1", "-pthread")
PRECOMPILED = ("complex", "cstdint", "string_view", "vector", "weir/app.hpp", "weir/node.hpp", "weir/param.hpp",
               "weir/plan.hpp", "weir/stream.hpp", "weir/worker_loop.hpp")


@dataclass(frozen=True)
class Runtime:
    """Compiled runtime. `sources`: folder of the runtime's sources, the same in every generated project."""

    sources: Path
    library: Path
    flags: tuple[str, ...]
    libraries: tuple[str, ...]


class BuildFailed(Exception):
    """Failed build, with the compiler's messages."""


def _call(command: list[str], folder: Path) -> None:
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True, errors="replace", check=False)
    if done.returncode:
        raise BuildFailed(" ".join(command) + "\n" + done.stderr[-4000:])


def _compiler() -> list[str]:
    return [*(["ccache"] if shutil.which("ccache") else []), "g++"]


def _module(name: str, option: str) -> tuple[str, ...]:
    done = subprocess.run(["pkg-config", option, name], capture_output=True, text=True, check=False)
    return tuple(done.stdout.split()) if done.returncode == 0 else ()


def runtime(files: dict[str, bytes], sanitizer: str = "") -> Runtime:
    """Return the compiled runtime of a generated project's `files`; from the cache if the files are unchanged."""
    parts = {name: data for name, data in files.items() if name.startswith(("weir/include/", "weir/src/"))}
    flags = [*COMMON, *([f"-fsanitize={sanitizer}", "-g"] if sanitizer else [])]
    key = hashlib.sha256(repr((sorted(parts.items()), flags)).encode()).hexdigest()[:16]
    lttng = _module("lttng-ust", "--libs")
    folder = CACHE / f"runtime-{key}"
    ready = Runtime(folder / "weir", folder / "libweir.a", tuple(flags), (*lttng, "-ldl"))
    if not ready.library.is_file():
        staging = CACHE / f"staging-{os.getpid()}"
        shutil.rmtree(staging, ignore_errors=True)
        for name, data in parts.items():
            (staging / name).parent.mkdir(parents=True, exist_ok=True)
            (staging / name).write_bytes(data)
        _compile_runtime(staging, flags, bool(lttng))
        shutil.rmtree(folder, ignore_errors=True)
        staging.rename(folder)
    os.utime(folder)
    for old in sorted(CACHE.glob("runtime-*"), key=lambda f: f.stat().st_mtime)[:-KEPT]:
        shutil.rmtree(old, ignore_errors=True)
    return ready


def _compile_runtime(folder: Path, flags: list[str], lttng: bool) -> None:
    units = _joined(folder / "weir/src")
    header = folder / "weir/include/weir_all.hpp"
    header.write_text("#pragma once\n" + "".join(f"#include <{name}>\n" for name in PRECOMPILED))
    include = ["-Iweir", "-Iweir/include", "-Iweir/src"]
    define = ["-DWEIR_HAVE_LTTNG", *_module("lttng-ust", "--cflags")] if lttng else []
    commands = [["g++", *flags, *include, "-x", "c++-header", str(header.relative_to(folder))]]
    commands += [[*_compiler(), *flags, *define, *include, "-c", str(unit.relative_to(folder)), "-o", f"{unit.stem}.o"]
                 for unit in units]
    with ThreadPoolExecutor(len(os.sched_getaffinity(0))) as pool:
        list(pool.map(lambda command: _call(command, folder), commands))
    _call(["ar", "rcs", "libweir.a", *(f"{unit.stem}.o" for unit in units)], folder)


def _joined(folder: Path) -> list[Path]:
    """Join many small sources into a few large ones, one per CPU, as in every generated project."""
    sources = sorted(folder.glob("*.cpp"))
    together = max(9, math.ceil(len(sources) / len(os.sched_getaffinity(0))))
    units = []
    for i in range(0, len(sources), together):
        units.append(folder / f"unit_{i}.cxx")
        units[-1].write_text("".join(f'#include "{s.name}"\n' for s in sources[i:i + together]))
    return units


@dataclass(frozen=True)
class Program:
    path: Path
    deployments: tuple[str, ...]
    plans: dict[str, Plan]

    def run(self, deployment: str, out: Path, arguments: list[str], timeout_s: float,
            recorded_in: Path | None = None) -> dict:
        """Return the results of one run. `recorded_in`: folder for a session daemon that records the run.

        Raises AssertionError if the run writes no results, does not end, or loses events.
        """
        command = [str(self.path), deployment, *arguments, "--out", str(out)]
        environment = None
        if recorded_in:
            out.mkdir(parents=True)
            environment = lttng_world.environment(recorded_in)
            events = str(64 * self.plans[deployment].run.items + 100_000)
            command = lttng_world.command(sys.executable, str(TRACED_RUN), events, str(out), *command)
        try:
            done = subprocess.run(command, capture_output=True, text=True, errors="replace", timeout=timeout_s,
                                  check=False, env=environment)
        except subprocess.TimeoutExpired:
            raise AssertionError(f"{deployment}: no end after {timeout_s} s") from None
        if recorded_in and not done.stdout.rstrip().endswith("discarded: 0"):
            raise AssertionError(f"{deployment}: {done.stdout[-500:]} {done.stderr[-2000:]}")
        try:
            result = json.loads((out / "results.json").read_text())
        except (OSError, ValueError):
            result = {}
        # A sanitizer reports findings only in the exit code.
        if not result or done.returncode and result["status"] == "ok":
            raise AssertionError(f"{deployment}: exit code {done.returncode}: {(done.stderr or done.stdout)[-3000:]}")
        return result


def build(checked: Checked, catalog: Catalog, machine: Machine, folder: Path, sanitizer: str = "") -> Program:
    """Build one program of all deployments of a project. Its first argument chooses a deployment."""
    programs: dict[str, dict[str, bytes]] = {}
    plans: dict[str, Plan] = {}
    libraries = set()
    for deployment in checked.project.deployments:
        plan = make_plan(checked.project, checked.graph, catalog, machine, deployment).plan
        programs[deployment.name] = generate(plan, checked.project, catalog)
        inputs = GenerationInput(plan, checked.project, catalog)
        libraries.update(name for block in inputs.blocks for name in block.uses)
        plans[deployment.name] = plan
    base = runtime(next(iter(programs.values())), sanitizer)
    for name, data in {name: data for files in programs.values()
                       for name, data in joined.shared(files).items()}.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_bytes(data)
    for name, text in joined.unit(programs).items():
        (folder / name).write_text(text)
    (folder / "main.cpp").write_text('#include <weir_all.hpp>\n#include "unit.cpp"\n' + joined.main_of(programs))
    compile_flags = [flag for library in sorted(libraries) for flag in _module(library, "--cflags")]
    link_flags = [flag for library in sorted(libraries) for flag in _module(library, "--libs")]
    _call([*_compiler(), *base.flags, "-Iweir", f"-I{base.sources}", f"-I{base.sources / 'include'}",
           "-I.", *compile_flags, "-c", "main.cpp", "-o", "main.o"], folder)
    _call(["g++", "main.o", str(base.library), *base.flags, *base.libraries, *link_flags, "-o", "program"], folder)
    (folder / "main.o").unlink()
    return Program(folder / "program", tuple(plans), plans)
