"""Golden files: what is generated for each deployment of each example on a committed machine; it compiles cleanly.

`pytest --update-golden` writes them anew; what then differs is to be read before it is committed.
"""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

import pytest
from conftest import CODEGEN
from planning import EXAMPLES, checked, plan

from weir.generation.emit import generate

GOLDEN = CODEGEN / "tests" / "golden"
MACHINE = "two_core"
KEPT = ("CMakeLists.txt", "README.md", "plan.json", "source_map.json", "src/flowgraph.hpp", "src/main.cpp")
CASES = [(example, deployment.name) for example in sorted(EXAMPLES.glob("**/*.weir.json"))
         for deployment in checked(example).project.deployments]
NAMES = [f"{example.name.partition('.')[0]}/{deployment}" for example, deployment in CASES]


def generated(example: Path, deployment: str) -> dict[str, bytes]:
    result = checked(example)
    return generate(plan(example, MACHINE, deployment).plan, result.project, result.catalog)


@pytest.mark.parametrize("case,name", zip(CASES, NAMES), ids=NAMES)
def test_generated_text_is_golden(case: tuple[Path, str], name: str, request: pytest.FixtureRequest) -> None:
    files = generated(*case)
    folder = GOLDEN / name
    if request.config.getoption("--update-golden"):
        shutil.rmtree(folder, ignore_errors=True)
        for path in KEPT:
            (folder / path).parent.mkdir(parents=True, exist_ok=True)
            (folder / path).write_bytes(files[path])
    for path in KEPT:
        assert (folder / path).is_file(), f"{path}: run pytest --update-golden"
        assert files[path].decode() == (folder / path).read_text(encoding="utf-8"), path


def test_no_golden_is_left_over() -> None:
    there = {str(p.parent.relative_to(GOLDEN)) for p in GOLDEN.glob("*/*/plan.json")}
    assert there == set(NAMES)


@pytest.mark.parametrize("example", sorted({case[0] for case in CASES}), ids=lambda f: f.name.partition(".")[0])
def test_golden_sources_compile_without_a_warning(example: Path, tmp_path: Path) -> None:
    """The first deployment with optimisation, which some warnings need; the others differ in numbers and streams."""
    flags = ["-O2", "-c", "-o", "/dev/null"]
    for case, name in ((c, n) for c, n in zip(CASES, NAMES) if c[0] == example):
        root = tmp_path / name.replace("/", "-")
        for path, data in generated(*case).items():
            (root / path).parent.mkdir(parents=True, exist_ok=True)
            (root / path).write_bytes((GOLDEN / name / path).read_bytes() if path in KEPT else data)
        done = subprocess.run(
            ["g++", "-std=c++20", *flags, "-Wall", "-Wextra", "-Wpedantic", "-Wshadow", "-Werror",
             f"-I{root / 'weir'}", f"-I{root / 'weir/include'}", str(root / "src/main.cpp")],
            capture_output=True, text=True)
        assert done.returncode == 0, done.stderr
        flags = ["-fsyntax-only"]
