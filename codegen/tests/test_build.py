"""Test builds: a whole project really built and run; the cache; a missing or failing toolchain."""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import threading
import time
from dataclasses import replace
from pathlib import Path

import jsonschema
import pytest
from graph_reference import ROOT, expected_sinks
from owned_folders import snapshot
from planning import EXAMPLES, chain, checked, deployed, plan
from weir import cli
from weir.diagnostics import WeirError
from weir.engine.generation import build as building
from weir.engine.generation import cmake
from weir.engine.generation.build import Built, build_cached, build_in
from weir.engine.generation.cpp.compiler import find_compiler
from weir.files import disk_bytes
from weir.model import ownership
from weir.model.document import shape
from weir.model.planning.topology import this_machine

MADE_ANEW = {**cmake.MADE_ANEW, "build.json": None, "build.log": None}
CMAKE = ("cmake_minimum_required(VERSION 3.22)\nproject(t LANGUAGES CXX)\nadd_executable(flowgraph main.cpp)\n"
         "set_target_properties(flowgraph PROPERTIES OUTPUT_NAME test)\n")


@pytest.fixture(autouse=True)
def cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    return tmp_path / "cache" / "weir" / "builds"


def small(monkeypatch: pytest.MonkeyPatch, source: str = "int main() {}\n", cmake: str = CMAKE) -> None:
    """Build a one-line project instead of the whole runtime."""
    files = {"manifest.json": b"{}", "CMakeLists.txt": cmake.encode(), "main.cpp": source.encode()}
    monkeypatch.setattr(building, "generate", lambda *_: files)


def built(**build) -> Built:
    result = checked(deployed(chain(1), build=build) if build else chain(1))
    return build_cached(plan(deployed(chain(1), build=build) if build else chain(1)).plan, result.project,
                        result.catalog)


def failure(**build) -> WeirError:
    with pytest.raises(WeirError) as caught:
        built(**build)
    assert caught.value.exit_code == 3
    return caught.value


# Whole project

def test_an_example_is_built_and_run_away_from_weir(tmp_path: Path) -> None:
    """Generate, move and build with plain CMake, without warnings, with and without a given runtime; pin and verify."""
    out, moved = tmp_path / "out", tmp_path / "moved"
    unoptimised = '/deployments/0/build={"optimisation": "O0"}'  # the whole runtime is compiled
    assert cli.main(["generate", str(EXAMPLES / "diamond.weir.json"), "--deployment", "flow", "-o", str(out),
                     "--set", unoptimised]) == 0
    out.rename(moved)
    for file in filter(Path.is_file, moved.rglob("*")):
        assert str(ROOT).encode() not in file.read_bytes(), file
    environment = {k: v for k, v in os.environ.items() if not k.startswith(("PYTHON", "WEIR"))}
    alike = {"CXX": "g++"}  # the compiler of other builds, from which ccache has the runtime, also without -Werror
    launcher = ["-DCMAKE_CXX_COMPILER_LAUNCHER=ccache"] if shutil.which("ccache") else []
    runtime = moved / "b" / "libweir_runtime.a"
    for command in (["cmake", "-S", moved, "-B", moved / "b", *launcher],
                    ["cmake", "--build", moved / "b", "-j", "2"],
                    ["cmake", "-S", moved, "-B", moved / "c", f"-DWEIR_RUNTIME={runtime}", *launcher],
                    ["cmake", "--build", moved / "c", "-j", "2"]):
        done = subprocess.run(command, capture_output=True, text=True,
                              env={**environment, **cmake.build_environment(moved), **alike})
        assert done.returncode == 0, done.stdout + done.stderr
        assert "warning:" not in done.stdout + done.stderr
    binary = moved / "b" / "diamond"
    ran = subprocess.run([binary, "--items", "300000", "--trace", "memory", "--out", tmp_path / "flow"],
                         capture_output=True, text=True, cwd=tmp_path, env=environment)
    assert ran.returncode == 0, ran.stdout + ran.stderr
    results = json.loads((tmp_path / "flow" / "results.json").read_text())
    assert results["status"] == "ok" and results["scheduler"] == "flow"
    wanted = expected_sinks(EXAMPLES / "diamond.weir.json", EXAMPLES, {"/run/items": "300000"})
    assert {s["id"]: (s["items"], s["digest"]) for s in results["sinks"]} == wanted
    assert str(tmp_path).encode() not in binary.read_bytes()
    assert (moved / "c" / "diamond").read_bytes() == binary.read_bytes(), "with a runtime that was compiled before"
    assert not (moved / "c" / runtime.name).exists()
    assert subprocess.run([binary, "--verify", "--items", "100000", "--out", tmp_path / "v"],
                          cwd=tmp_path).returncode == 0
    if len(this_machine().allowed_cores) >= 2:
        assert {t["name"]: t["cpu"] for t in results["threads"]} == dict(zip(("w0", "w1"), this_machine().worker_cpus))


def test_build_verb(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture) -> None:
    small(monkeypatch)
    file = tmp_path / "p.weir.json"
    file.write_text(json.dumps(chain(1)))
    assert cli.main(["generate", "--build", str(file), "-o", str(tmp_path / "out")]) == 0
    assert capsys.readouterr().out.strip() == str(tmp_path / "out" / "build" / "test")
    assert cli.main(["generate", "--build", str(file), "--json"]) == 0
    answer = json.loads(capsys.readouterr().out)
    jsonschema.Draft202012Validator(shape.schema("build")).validate(answer)
    assert answer["reused"] is False and Path(answer["binary"]).is_file() and "-O3" in answer["flags"]
    assert cli.main(["generate", "--build", str(file), "-o", str(tmp_path / "out"), "--progress=json"]) == 0
    phases = [json.loads(line) for line in capsys.readouterr().err.splitlines() if line.startswith("{")]
    for phase in phases:
        jsonschema.Draft202012Validator(shape.schema("progress")).validate(phase)
    assert [phase["phase"] for phase in phases] == ["configuring", "compiling"]


def test_a_ccache_that_has_gone_is_not_asked_for(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    small(monkeypatch)
    file, out = tmp_path / "p.weir.json", tmp_path / "out"
    file.write_text(json.dumps(chain(1)))
    which, launchers = shutil.which, []
    for there in ("/usr/bin/ccache", None):
        monkeypatch.setattr(cmake.shutil, "which", lambda name, there=there, **more:
                            there if name == "ccache" else which(name, **more))
        cli.main(["generate", "--build", str(file), "-o", str(out)])
        kept = (out / "build" / "CMakeCache.txt").read_text()
        launchers += re.findall("CMAKE_CXX_COMPILER_LAUNCHER:[A-Z]+=(.*)", kept)
    assert launchers == ["ccache", ""]
    assert (out / "build" / "test").is_file()


# Cache

def test_the_same_is_built_once(monkeypatch: pytest.MonkeyPatch, cache: Path) -> None:
    small(monkeypatch)
    first, second = built(), built()
    assert (first.reused, second.reused) == (False, True) and first.binary == second.binary
    assert replace(first, reused=True) == second and re.fullmatch("[0-9a-f]{64}", first.binary_hash)
    small(monkeypatch, "int main() { return 0; }\n")
    assert not built().reused and len([f for f in cache.iterdir() if f.is_dir()]) == 2


def test_other_flags_are_another_build(monkeypatch: pytest.MonkeyPatch) -> None:
    small(monkeypatch)
    assert built().binary != built(optimisation="O1").binary


@pytest.mark.parametrize("damage", ["binary", "record", "half"])
def test_a_damaged_cache_is_built_again(damage: str, monkeypatch: pytest.MonkeyPatch) -> None:
    small(monkeypatch)
    first = built()
    record = first.binary.parent / "build.json"
    if damage == "binary":
        first.binary.write_bytes(first.binary.read_bytes()[:-1])
    elif damage == "record":
        record.write_text("{")
    else:
        record.unlink()
    again = built()
    assert not again.reused and again.binary_hash == first.binary_hash


def test_two_at_once_build_once(monkeypatch: pytest.MonkeyPatch) -> None:
    small(monkeypatch)
    answers: list[Built] = []
    threads = [threading.Thread(target=lambda: answers.append(built())) for _ in range(3)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert sorted(a.reused for a in answers) == [False, True, True]


def test_a_build_says_how_large_it_is(monkeypatch: pytest.MonkeyPatch) -> None:
    small(monkeypatch)
    folder = built().directory
    beside = disk_bytes(folder) - (folder / "build" / "build.json").stat().st_blocks * 512
    assert json.loads((folder / "build" / "build.json").read_text())["bytes"] == beside > 0


def test_builds_that_this_process_uses_stay(monkeypatch: pytest.MonkeyPatch) -> None:
    """Keep builds that this process uses while others build and prune: it still reads manifests and runs programs."""
    monkeypatch.setattr(building, "KEPT_BYTES", 0)
    folders = []
    for i in range(4):
        small(monkeypatch, f"int main() {{ return {i}; }}\n")
        folders.append(built().directory)
        os.utime(folders[-1] / "build" / "build.json", (i, time.time() - 1000 + i))
    assert all((f / "manifest.json").is_file() and (f / "build" / "test").is_file() for f in folders)


@pytest.mark.parametrize("again", ["anew", "damaged"])
def test_a_build_that_somebody_uses_is_not_built_again_there(again: str, monkeypatch: pytest.MonkeyPatch,
                                                             cache: Path) -> None:
    """Build in another folder, because the program may be running. That folder is pruned like any other."""
    small(monkeypatch)
    first = built()
    if again == "anew":
        monkeypatch.setenv(building.NO_CACHE, "1")
    else:
        (first.directory / "build" / "build.json").unlink()
    before = {path: path.stat().st_ino for path in first.directory.rglob("*")}
    second = built()
    assert {path: path.stat().st_ino for path in first.directory.rglob("*")} == before
    assert second.directory != first.directory and second.directory.parent == cache and not second.reused
    assert second.binary_hash == first.binary_hash and second.sources == first.sources
    building._in_use.clear()  # as if that process had ended
    assert built().directory == first.directory, "where nobody uses it, it is built in its place"
    building._in_use.clear()
    monkeypatch.setattr(building, "KEPT_BYTES", 0)
    built()
    assert {path.name.partition(".")[0] for path in cache.iterdir()} == {first.directory.name}


def test_who_waited_for_a_lock_that_was_removed_locks_the_next(tmp_path: Path, monkeypatch) -> None:
    """Simulate that the build is pruned in between."""
    def flock(file: object, how: int) -> None:
        monkeypatch.setattr(building.fcntl, "flock", lock)
        (tmp_path / "a.lock").unlink()
        lock(file, how)

    lock = building.fcntl.flock
    monkeypatch.setattr(building.fcntl, "flock", flock)
    with building.locked(tmp_path / "a.lock"), pytest.raises(BlockingIOError):
        with building.locked(tmp_path / "a.lock", building.fcntl.LOCK_EX | building.fcntl.LOCK_NB):
            pass


def test_flags_of_the_environment_do_not_sneak_in(monkeypatch: pytest.MonkeyPatch) -> None:
    small(monkeypatch, "#ifdef SNEAKED\n#error sneaked\n#endif\nint main() {}\n")
    monkeypatch.setenv("CXXFLAGS", "-DSNEAKED")
    monkeypatch.setenv("CXX", "/nowhere")
    assert built().binary.is_file()


def test_another_compiler_in_the_same_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    small(monkeypatch)
    other = tmp_path / "bin" / "g++-99"
    other.parent.mkdir()
    other.symlink_to(shutil.which("g++"))
    result = checked(chain(1))
    build_in(tmp_path / "out", plan(chain(1)).plan, result.project, result.catalog)
    monkeypatch.setenv("PATH", f"{other.parent}:{os.environ['PATH']}")
    second = plan(deployed(chain(1), build={"compiler": "g++-99"})).plan
    build_in(tmp_path / "out", second, result.project, result.catalog)
    assert f"={other}\n" in (tmp_path / "out" / "build" / "CMakeCache.txt").read_text()


def test_a_tree_that_was_moved_with_its_build_is_built_again_and_strangers_in_it_stay(tmp_path: Path,
                                                                                      monkeypatch) -> None:
    small(monkeypatch)
    result = checked(chain(1))
    build_in(tmp_path / "out", plan(chain(1)).plan, result.project, result.catalog)
    (tmp_path / "out" / "build" / "notes.txt").write_text("mine")
    shutil.move(tmp_path / "out", tmp_path / "moved")
    made = build_in(tmp_path / "moved", plan(chain(1)).plan, result.project, result.catalog)
    assert made.binary.is_file() and (tmp_path / "moved" / "build" / "notes.txt").read_text() == "mine"


def refused(out: Path) -> str:
    """Return the message when nothing is built; no existing file may have changed."""
    before = snapshot(out.parent)
    result = checked(chain(1))
    with pytest.raises(WeirError) as caught:
        build_in(out, plan(chain(1)).plan, result.project, result.catalog)
    [said] = caught.value.diagnostics
    assert said.code == "E_OUTPUT_EXISTS" and "move or remove it" in said.hint and snapshot(out.parent) == before
    return said.message


@pytest.fixture
def out(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Return a generated project that is not built."""
    small(monkeypatch)
    result = checked(chain(1))
    building.write_tree(building.generate(plan(chain(1)).plan, result.project, result.catalog), tmp_path / "out")
    return tmp_path / "out"


STRANGERS_CODE = "file(WRITE [[{}]] executed)\n"


@pytest.mark.parametrize("marked", [False, True])
def test_a_build_folder_that_was_configured_by_hand_is_left_alone(out: Path, tmp_path: Path, marked: bool) -> None:
    """Check this because CMake would execute names from the cache of a folder that another user may have made."""
    (tmp_path / "evil.cmake").write_text(STRANGERS_CODE.format(tmp_path / "executed"))
    (out / "build").mkdir()
    (out / "build" / "CMakeCache.txt").write_text(f"CMAKE_PROJECT_INCLUDE:FILEPATH={tmp_path / 'evil.cmake'}\n")
    if marked:
        ownership.mark(out / "build", ownership.Marker(ownership.BUILD, "cmake", {"CMakeFiles/": None}))
    assert ("CMakeCache.txt" in refused(out)) is marked and not (tmp_path / "executed").exists()


def test_a_cache_of_cmake_that_a_strangers_marker_claims_is_not_used(out: Path, tmp_path: Path) -> None:
    (tmp_path / "evil.cmake").write_text(STRANGERS_CODE.format(tmp_path / "executed"))
    ownership.write_files(out / "build", {
        "CMakeCache.txt": f"CMAKE_PROJECT_INCLUDE:FILEPATH={tmp_path / 'evil.cmake'}\n".encode()})
    ownership.mark(out / "build", ownership.Marker(ownership.BUILD, "cmake", MADE_ANEW))
    result = checked(chain(1))
    assert build_in(out, plan(chain(1)).plan, result.project, result.catalog).binary.is_file()
    assert not (tmp_path / "executed").exists()


@pytest.mark.parametrize("where", [".", "build"])
def test_code_that_cmake_would_load_unasked_is_refused(out: Path, tmp_path: Path, where: str) -> None:
    (out / "build").mkdir()
    ownership.mark(out / "build", ownership.Marker(ownership.BUILD, "cmake", MADE_ANEW))
    (out / where / "PreLoad.cmake").write_text(STRANGERS_CODE.format(tmp_path / "executed"))
    assert "PreLoad.cmake" in refused(out) and not (tmp_path / "executed").exists()


@pytest.mark.parametrize("name", ["", "CMakeFiles", "CMakeCache.txt", "build.log", "build.json", "test", "build.ninja",
                                  "Makefile", "cmake_install.cmake"])
def test_a_build_follows_no_link(out: Path, tmp_path: Path, name: str) -> None:
    victim = tmp_path / "docs"
    victim.mkdir()
    (victim / "CMakeCache.txt").write_text("mine")
    link = out / "build" / name
    if name:
        (out / "build").mkdir()
        ownership.mark(out / "build", ownership.Marker(ownership.BUILD, "cmake", MADE_ANEW))
    link.symlink_to(victim if name in ("", "CMakeFiles") else victim / "CMakeCache.txt")
    if name in ("", "CMakeFiles"):
        assert str(link) in refused(out)
    else:
        result = checked(chain(1))
        build_in(out, plan(chain(1)).plan, result.project, result.catalog)
    assert snapshot(victim) == {"CMakeCache.txt": b"mine"}


@pytest.mark.parametrize("name", ["build.log", "notes.txt"])
def test_a_build_folder_of_somebody_else_is_not_written_to(out: Path, tmp_path: Path, name: str) -> None:
    (out / "build").mkdir()
    (out / "build" / name).symlink_to(tmp_path / "victim")
    (tmp_path / "victim").write_text("mine")
    assert "has no .weir-owned.json" in refused(out)


# Errors

def test_no_compiler(monkeypatch: pytest.MonkeyPatch, cache: Path) -> None:
    error = failure(compiler="clang++-42")
    assert error.diagnostics[0].code == "E_COMPILER_MISSING" and "clang-42" in error.diagnostics[0].hint
    assert not cache.exists()


def test_no_cmake(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for program in ("g++", "as", "ld"):
        (tmp_path / program).symlink_to(shutil.which(program))
    monkeypatch.setenv("PATH", str(tmp_path))
    assert [d.code for d in failure().diagnostics] == ["E_TOOL_MISSING"]


def test_a_flag_that_the_compiler_refuses() -> None:
    error = failure(march="pentium-9000")
    assert error.diagnostics[0].code == "E_COMPILER_REFUSED" and "pentium-9000" in error.diagnostics[0].message


def test_the_first_errors_of_a_failed_build_are_shown(monkeypatch: pytest.MonkeyPatch) -> None:
    small(monkeypatch, "int main() { return nothing; }\n")
    (d,) = failure().diagnostics
    assert d.code == "E_BUILD_FAILED" and "nothing" in d.message and "was not declared" in d.message
    assert Path(d.hint.removeprefix("the whole output is in ")).is_file()
    small(monkeypatch, cmake=CMAKE + "pkg_check_modules(NO REQUIRED no)\n")
    (d,) = failure().diagnostics
    assert "CMakeLists.txt:5: Unknown CMake command" in d.message and d.place and d.place.line == 5
    small(monkeypatch)
    assert built().binary.is_file()


def test_a_full_disk_is_reported_as_such(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    small(monkeypatch, cmake='message(FATAL_ERROR "write: No space left on device")\n')
    assert failure().diagnostics[0].code == "E_DISK_FULL"


def test_a_cache_that_cannot_be_made(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    small(monkeypatch)
    (tmp_path / "file").write_text("")
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "file"))
    assert failure().diagnostics[0].code == "E_FILE_IO"


def test_a_pipe_in_the_place_of_a_lock_is_reported_and_not_waited_for(monkeypatch: pytest.MonkeyPatch) -> None:
    small(monkeypatch)
    lock = built().directory.with_suffix(".lock")
    lock.unlink()
    os.mkfifo(lock)
    assert f"the lock {lock} is in the way: it is a named pipe and not a file" in failure().diagnostics[0].message


def test_the_cpu_is_part_of_a_native_build() -> None:
    oldest = "x86-64" if os.uname().machine == "x86_64" else "armv8-a"
    native, plain = (find_compiler("g++", [f"-march={m}"]) for m in ("native", oldest))
    assert len(native.identity) > len(plain.identity) and native.version == plain.version
