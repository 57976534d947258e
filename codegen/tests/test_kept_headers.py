"""Test precompiled headers of a graph: when they are used, and that nothing else is compiled then."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import time
from collections.abc import Callable
from contextlib import nullcontext
from pathlib import Path
from types import SimpleNamespace

import pytest
from planning import chain, checked, deployed, plan
from weir.engine.generation import build as building
from weir.engine.generation.cpp import precompiled, shelf
from weir.engine.generation.emit import generate
from weir.engine.targets.interface import Tools
from weir.model import ownership

MADE = "compiling the graph, and precompiling its headers for later builds"
GRAPH = "compiling the graph"
HEADER = "weir/include/weir/r.hpp"
SMALL = {"weir/src/r.cpp": b"#include <weir/r.hpp>\nint answer() { return ANSWER; }\n",
         HEADER: b"#pragma once\n#define ANSWER 42\nint answer();\n",
         "src/flowgraph.hpp": b'#include <cstddef>\n#include "weir/r.hpp"\n#include "blocks/none.hpp"\n',
         "weir/blocks/none.hpp": b"#pragma once\n"}


@pytest.fixture(autouse=True)
def kept(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Return the missing folder of kept headers. A build that makes some waits for them, as in a second build."""
    monkeypatch.setattr(precompiled, "_USES", SimpleNamespace(load=lambda _: 1, store=lambda *_: None))
    monkeypatch.setattr(os, "getloadavg", lambda: (0, 0, 0))
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    monkeypatch.setenv("CCACHE_DISABLE", "1")
    monkeypatch.delenv(building.NO_CACHE, raising=False)
    return tmp_path / "cache" / "weir" / "headers"


@pytest.fixture
def built(monkeypatch: pytest.MonkeyPatch) -> Callable[..., tuple[building.Built, list[str]]]:
    """Return a function that builds a one-line project, which ends with `answer`, and returns its messages."""
    def build(answer: str, document: dict | None = None, **more: bytes) -> tuple[building.Built, list[str]]:
        def files(a_plan, a_project, catalog) -> dict[str, bytes]:
            return {"manifest.json": b"{}", "CMakeLists.txt": generate(a_plan, a_project, catalog)["CMakeLists.txt"],
                    **SMALL, **more, "src/main.cpp": f'#include "flowgraph.hpp"\nint main() {{ return {answer}; }}\n'
                    .encode()}

        monkeypatch.setattr(building, "generate", files)
        document, said = document or chain(1), []
        it = checked(document)
        return building.build_cached(plan(document).plan, it.project, it.catalog, said.append), said

    return build


def code(program: building.Built) -> int:
    return subprocess.run([program.binary]).returncode


def log(program: building.Built) -> str:
    return (program.directory / "build" / "build.log").read_text()


def test_they_are_made_once_and_the_program_is_the_same_bytes(built, kept: Path, monkeypatch) -> None:
    first, second = built("1"), built("2")  # makes both; configures, and keeps the commands
    assert MADE in first[1] and MADE not in second[1]
    it, said = built("answer() - 40")
    [file] = kept.glob("*/" + precompiled.FILE)
    [used] = [line for line in log(it).splitlines() if f"-include {file.with_suffix('')} -c" in line]
    assert said == [GRAPH] and code(it) == 2 and "ccache" not in used
    read = json.loads((file.parent / shelf.READ).read_text())
    assert [path for path in read if path.endswith("/cstddef")] and not [path for path in read if "r.hpp" in path]
    assert not list(it.directory.parent.glob(f"*/build/{precompiled.MADE_IN}"))
    monkeypatch.setenv(building.NO_CACHE, "1")
    plain, said = built("answer() - 40")
    assert plain.binary_hash == it.binary_hash and "-include" not in log(plain) and said == ["configuring", "compiling"]


def test_other_flags_and_other_headers_are_others(built, kept: Path) -> None:
    built("1")
    for document in (deployed(chain(1), build={"optimisation": "O1"}), chain(1)):
        more = {} if document != chain(1) else {HEADER: SMALL[HEADER].replace(b"42", b"43")}
        before = set(kept.glob("*/" + precompiled.FILE))
        made = [built(f"answer() - {n}", document, **more) for n in (1, 2, 3)]
        [new] = set(kept.glob("*/" + precompiled.FILE)) - before
        assert str(new.parent) in log(made[2][0]) and code(made[2][0]) == (40 if more else 39)


SPOILT = [
    (lambda it: it.write_bytes(it.read_bytes()[:-4096]), ""), (lambda it: it.write_bytes(b"gpch" + bytes(100_000)), ""),
    (lambda it: it.unlink(), ""), (lambda it: (it.unlink(), it.mkdir()), ""),
    (lambda it: it.write_bytes(it.read_bytes() + b"more"), "changed since Weir wrote it"),
    (lambda it: it.parent.chmod(0o755), "chmod 700"),
    (lambda it: (it.parent / ownership.MARKER).unlink(), "Weir did not create")]


def test_a_damaged_one_does_not_break_a_build(built, kept: Path, tmp_path: Path) -> None:
    for answer in "12":
        built(answer)
    [file] = kept.glob("*/" + precompiled.FILE)
    shutil.copytree(file.parent, tmp_path / "whole")
    for number, (spoil, why) in enumerate(SPOILT):
        spoil(file)
        it, said = built(f"answer() - {number}")
        assert code(it) == 42 - number and (not why or why in said[1]), said
        assert "-include" not in [line for line in log(it).splitlines() if line.endswith("/main.cpp")][-1]
        shutil.rmtree(file.parent)
        shutil.copytree(tmp_path / "whole", file.parent)
    assert "-include" in log(built("answer() - 41")[0])


def test_one_whose_system_has_other_headers_is_made_again(built, kept: Path) -> None:
    for answer in "12":
        built(answer)
    [file] = kept.glob("*/" + precompiled.FILE)
    read = json.loads((file.parent / shelf.READ).read_text())
    [name] = [path for path in read if path.endswith("/cstddef")]
    (file.parent / shelf.READ).write_text(json.dumps({**read, name: [1, 1]}, indent=0))
    marker, then = ownership.read(file.parent), ownership.sha256((file.parent / shelf.READ).read_bytes())
    ownership.mark(file.parent, ownership.Marker(marker.kind, marker.id, {**marker.files, shelf.READ: (then,)}))
    it, said = built("answer() - 40")
    assert code(it) == 2 and said[0] == GRAPH and "system headers changed" in said[1] and said[2] == MADE
    assert built("3")[1] == [GRAPH] and json.loads((file.parent / shelf.READ).read_text()) == read


def test_a_graph_that_does_not_compile_is_reported_as_without_them(built) -> None:
    for answer in "12":
        built(answer)
    with pytest.raises(building.WeirError) as raised:
        built("question()")
    assert "question" in raised.value.diagnostics[0].message


def test_a_cache_that_cannot_be_written_is_no_error(built, kept: Path) -> None:
    kept.parent.mkdir(parents=True, mode=0o700)
    kept.write_text("a file")
    for answer in "123":
        it, said = built(answer)
        assert code(it) == int(answer) and MADE not in said
    assert kept.read_text() == "a file"


# Compilers and flags

def shop(tmp_path: Path, compiler: str = "/usr/bin/g++", blocks: tuple[str, ...] = ()) -> SimpleNamespace:
    for name in (precompiled.SOURCE, precompiled.HEADER):
        (tmp_path / name).parent.mkdir(exist_ok=True)
        included = ("weir/r", *(f"blocks/{it}" for it in blocks))
        (tmp_path / name).write_text("".join(f'#include "{it}.hpp"\n' for it in included))
    (tmp_path / "build").mkdir(exist_ok=True)
    tools = Tools("1.0", ("g++",), "", {"compiler": compiler})
    return SimpleNamespace(directory=tmp_path, folder=tmp_path / "build", tools=tools,
        say=lambda _: None, note=lambda _: None)


def of(tmp_path: Path, *words: str, **options) -> precompiled.Headers | None:
    it = shop(tmp_path, **options)
    return precompiled.of(it, "key", [["true"], [*words, "-MD", "-MF", "x.d", "-o", "x.o", "-c",
                                                 str(tmp_path / precompiled.SOURCE)]])


def test_who_would_get_other_bytes_or_has_another_compiler_gets_none(tmp_path: Path) -> None:
    mine = of(tmp_path, "/usr/bin/g++", "-O2", f"-I{tmp_path}/weir")
    assert mine and mine.flags == ("/usr/bin/g++", "-O2", f"-I{tmp_path}/weir")
    assert mine.text == '#include "weir/r.hpp"\n'
    assert of(tmp_path, "ccache", "/usr/bin/g++", "-O2", f"-I{tmp_path}/weir").key == mine.key
    assert of(tmp_path, "/usr/bin/g++", "-O3", f"-I{tmp_path}/weir").key != mine.key
    for flag in ("-g", "-g3", "-flto"):
        assert of(tmp_path, "/usr/bin/g++", flag) is None
    assert of(tmp_path, "/usr/bin/clang++", compiler="/usr/bin/clang++") is None
    assert of(tmp_path, "/usr/bin/g++", "-O2", f"-I{tmp_path}/weir", blocks=("a", "b")).key == mine.key


@pytest.mark.parametrize("patient", [False, True])
def test_those_that_are_not_ready_are_given_up_with_all_that_makes_them(tmp_path: Path, kept: Path, monkeypatch,
                                                                        patient: bool) -> None:
    """End at the end of the build, or at Ctrl-C even if the build waits for them."""
    monkeypatch.undo()
    monkeypatch.setattr(os, "getloadavg", lambda: (0, 0, 0))
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    compiler = tmp_path / "g++"
    compiler.write_text(f"#!/bin/sh\ncd {tmp_path}; sleep 600 & echo $! > new; mv new child; wait\n")
    compiler.chmod(0o755)
    headers = of(tmp_path, str(compiler), compiler=str(compiler))
    if patient:
        precompiled._USES.store(headers.key, 1)
    with pytest.raises(KeyboardInterrupt) if patient else nullcontext(), headers.beside():
        while not (tmp_path / "child").exists():
            time.sleep(0.01)
        child = Path("/proc", (tmp_path / "child").read_text().strip(), "stat")
        assert patient or child.read_text().rpartition(")")[2].split()[16] == "19"  # its niceness
        if patient:
            raise KeyboardInterrupt
    deadline = time.monotonic() + 5
    while child.exists() and " Z " not in child.read_text() and time.monotonic() < deadline:
        time.sleep(0.01)
    assert not child.exists() or " Z " in child.read_text()
    assert precompiled._USES.load(headers.key) == 1 + patient and not list(kept.iterdir())
    assert not (tmp_path / "build" / precompiled.MADE_IN).exists()


def test_a_busy_machine_makes_them_beside_the_third_build(built, kept: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.undo()
    monkeypatch.setenv("XDG_CACHE_HOME", str(kept.parents[1]))
    monkeypatch.setattr(os, "getloadavg", lambda: (os.cpu_count(), 0, 0))
    assert [(MADE in built(answer)[1], len(list(kept.glob(f"*/{precompiled.FILE}")))) for answer in "123"] == [
        (False, 0), (False, 0), (True, 1)]
