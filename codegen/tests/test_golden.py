"""Golden files: the generated project for each kind of worker schedule on a committed machine, and the plans of
examples.

`pytest --update-golden` rewrites them. Read the differences before you commit them.
"""

from __future__ import annotations

import shutil
import subprocess
from collections.abc import Iterable, Iterator
from pathlib import Path

import pytest
from conftest import CODEGEN
from golden_kinds import KINDS, WHOLE
from planning import EXAMPLES, checked, generated, plan
from weir.engine.generation.cpp.text import in_short
from weir.model.planning.plan import Plan

GOLDEN = CODEGEN / "tests" / "golden"
PLANS = GOLDEN / "plans.txt"
MACHINE = "two_core"
FLOWGRAPH = "src/flowgraph.hpp"
KEPT = ("CMakeLists.txt", "README.md", "plan.json", "source_map.json", FLOWGRAPH, "src/main.cpp")


def kept(kind: str) -> tuple[str, ...]:
    return KEPT if kind in WHOLE else (FLOWGRAPH,)


@pytest.mark.parametrize("kind", KINDS)
def test_generated_text_is_golden(kind: str, request: pytest.FixtureRequest) -> None:
    files = generated(KINDS[kind][0], MACHINE, KINDS[kind][1])
    folder = GOLDEN / kind
    if request.config.getoption("--update-golden"):
        shutil.rmtree(folder, ignore_errors=True)
        for path in kept(kind):
            (folder / path).parent.mkdir(parents=True, exist_ok=True)
            (folder / path).write_bytes(files[path])
    for path in kept(kind):
        assert (folder / path).is_file(), f"{path}: run pytest --update-golden"
        assert files[path].decode() == (folder / path).read_text(encoding="utf-8"), path


def test_no_golden_is_left_over() -> None:
    there = {str(path.relative_to(GOLDEN)) for path in GOLDEN.rglob("*") if path.is_file()}
    assert there == {PLANS.name, *(f"{kind}/{path}" for kind in KINDS for path in kept(kind))}


# Other tests compile and run programs of every kind.
@pytest.mark.parametrize("kind", [pytest.param(it, marks=() if it in WHOLE else pytest.mark.slow) for it in KINDS])
def test_golden_sources_compile_without_a_warning(kind: str, tmp_path: Path) -> None:
    """Compile the first with optimisation, which some warnings need; the others differ in structs and numbers."""
    flags = ["-O2", "-c", "-o", "/dev/null"] if kind == next(iter(KINDS)) else ["-fsyntax-only"]
    for path, data in generated(KINDS[kind][0], MACHINE, KINDS[kind][1]).items():
        (tmp_path / path).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / path).write_bytes((GOLDEN / kind / path).read_bytes() if path in kept(kind) else data)
    done = subprocess.run(
        ["g++", "-std=c++20", *flags, "-Wall", "-Wextra", "-Wpedantic", "-Wshadow", "-Werror",
         f"-I{tmp_path / 'weir'}", f"-I{tmp_path / 'weir/include'}", str(tmp_path / "src/main.cpp")],
        capture_output=True, text=True)
    assert done.returncode == 0, done.stderr


def by(pairs: Iterable[tuple[object, str]]) -> dict[object, list[str]]:
    found: dict[object, list[str]] = {}
    for key, name in pairs:
        found.setdefault(key, []).append(name)
    return found


def essentials(planned: Plan) -> Iterator[str]:
    """Yield the decisions of a plan, without what follows from the graph."""
    for worker in planned.workers:
        yield f"worker {worker.name} on {list(worker.cpus) or 'any'}: {in_short(worker.instances, 99)}".rstrip(": ")
    for job in planned.jobs:
        if job.instances != (job.name,):
            yield f"job {job.name}: {in_short(job.instances, 99)}"
    for items, names in by((b.chunk_items, b.instance) for b in planned.blocks).items():
        yield f"chunks of {items}: {in_short(names, 99)}"
    behind = ((f"{s.kind} of {s.planned_items}", s.name.rpartition(".")[0]) for s in planned.streams)
    for kind, names in by(behind).items():
        yield f"{kind} behind {in_short(names, 99)}"
    for items, names in by((b.probe_granularity, b.instance) for b in planned.blocks if b.probe_granularity).items():
        yield f"probes every {items}: {in_short(names, 99)}"
    yield f"{len(planned.pairs)} pairs, {len(planned.hops)} hops, metered at {in_short(planned.metered, 99)}"


def test_plans_are_golden(request: pytest.FixtureRequest) -> None:
    lines = []
    for example in sorted(EXAMPLES.glob("**/*.weir.json")):
        for deployment in checked(example).project.deployments:
            lines += [f"{example.name.partition('.')[0]}, {deployment.name}",
                      *(f"    {line}" for line in essentials(plan(example, MACHINE, deployment).plan)), ""]
    if request.config.getoption("--update-golden"):
        PLANS.write_text("\n".join(lines))
    assert "\n".join(lines) == PLANS.read_text()
