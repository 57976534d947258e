"""Check that `weir test` builds every CMake target of the tree: in a suite, or in a test listed here."""

from __future__ import annotations

import json
import re
import subprocess
from collections.abc import Mapping
from pathlib import Path

import pytest
from conftest import CODEGEN
from weir.cli.verbs._suites import suites

ROOT = CODEGEN.parent
#: Components that Weir builds when it needs them -> a test that builds them.
BUILT_ALONE = {
    "bench": "codegen/tests/test_speeds.py",
    "codegen/native/trace_reader": "codegen/tests/end_to_end/test_trace_reader.py",
    "runtime/tests/conformance": "codegen/tests/test_conformance_runs.py",
    "templates/companion": "codegen/tests/test_companion_runner.py",
    "setup/gnuradio4": "codegen/tests/test_gnuradio4.py",
}
#: Generated projects are expected output, not components.
GENERATED = "codegen/tests/golden/"
_TARGET = re.compile(r"^\s*(?:qt_)?add_(?:executable|library)\(\s*([^\s)]+)(?=[\s)])(?!\s+(?:ALIAS|INTERFACE)\b)",
                     re.MULTILINE)


def unbuilt(files: Mapping[str, str], folders: set[str], targets: set[str]) -> list[str]:
    """Return the targets of CMake `files` that are neither in `folders`, which a suite configures, nor built alone.

    A target that exists only under some option must be among `targets`, the configured ones. A computed name cannot be
    read from the text, so its folder decides.
    """
    found = []
    for path, text in files.items():
        folder = path.rpartition("/")[0]
        names = _TARGET.findall(text)
        if folder not in folders | set(BUILT_ALONE):
            found += [f"{path}: {name}" for name in names]
        elif folder in folders:
            found += [f"{path}: {name}" for name in names if "$" not in name and name not in targets]
        if "EXCLUDE_FROM_ALL" in text:
            found.append(f"{path}: EXCLUDE_FROM_ALL")
    return found


@pytest.fixture(scope="module")
def configured(tmp_path_factory: pytest.TempPathFactory) -> tuple[set[str], set[str]]:
    """Return (folders, targets) that the suites build by default, from CMake's file API."""
    folders, targets = set(), set()
    for source, command in _trees().items():
        build = tmp_path_factory.mktemp("build")
        (build / ".cmake/api/v1/query").mkdir(parents=True)
        (build / ".cmake/api/v1/query/codemodel-v2").touch()
        words = [str(build) if before == "-B" else word for before, word in zip(("", *command), command, strict=False)]
        subprocess.run(words, check=True, capture_output=True, cwd=ROOT)
        [model] = (build / ".cmake/api/v1/reply").glob("codemodel-v2-*.json")
        [configuration] = json.loads(model.read_text())["configurations"]
        folders |= {str((source / it["source"]).resolve().relative_to(ROOT)) for it in configuration["directories"]
                    if (source / it["source"]).resolve().is_relative_to(ROOT)}
        targets |= {it["name"] for it in configuration["targets"]}
    return {"" if it == "." else it for it in folders}, targets


def _trees() -> dict[Path, tuple[str, ...]]:
    """Return source folder -> options with which a suite configures it."""
    commands = [suite.commands[0] for suite in suites(everything=False) if not suite.only_by_name]
    return {Path(it[it.index("-S") + 1]): it for it in reversed(commands) if it[0] == "cmake" and "-S" in it}


def _files() -> dict[str, str]:
    listed = subprocess.run(["git", "ls-files", "*CMakeLists.txt", "*.cmake"], cwd=ROOT, check=True, text=True,
                            capture_output=True).stdout.split()
    return {path: (ROOT / path).read_text(encoding="utf-8") for path in listed if not path.startswith(GENERATED)}


def test_a_suite_builds_every_target(configured: tuple[set[str], set[str]]) -> None:
    files = _files()
    assert len(files) > 10 and sum(len(_TARGET.findall(text)) for text in files.values()) > 15
    assert unbuilt(files, *configured) == []


def test_what_is_built_alone_is_built_by_a_test_that_always_runs() -> None:
    for folder, test in BUILT_ALONE.items():
        assert (ROOT / folder / "CMakeLists.txt").is_file()
        assert "pytestmark = pytest.mark.slow" not in (ROOT / test).read_text(encoding="utf-8")


@pytest.mark.parametrize(("path", "text"), [
    ("tools/CMakeLists.txt", "add_executable(tool tool.cpp)"),
    ("runtime/CMakeLists.txt", "if(SOMETHING)\n  add_library(extra STATIC extra.cpp)\nendif()"),
    ("runtime/more.cmake", "add_executable(runs EXCLUDE_FROM_ALL runs.cpp)"),
    ("runtime/tests/deep/CMakeLists.txt", "qt_add_executable(${name} ${name}.cpp)")])
def test_a_component_that_no_suite_builds_is_found(path: str, text: str) -> None:
    assert unbuilt({path: text}, {"", "runtime", "runtime/tests"}, {"weir_runtime", "runs"})


def test_what_is_configured_or_compiles_nothing_is_no_fault() -> None:
    text = "add_library(weir_runtime STATIC x.cpp)\nadd_library(weir::runtime ALIAS weir_runtime)\n" \
           "add_library(flags INTERFACE)\nadd_executable(${name} t.cpp)"
    assert unbuilt({"runtime/CMakeLists.txt": text}, {"runtime"}, {"weir_runtime"}) == []
