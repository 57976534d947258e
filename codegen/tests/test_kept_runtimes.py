"""Test kept compiled runtimes: when one is reused, and when not. `test_runtime_shelf` tests their folder."""

from __future__ import annotations

import json
import os
import shutil
import sys
import threading
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace

import pytest
from planning import EXAMPLES, chain, checked, deployed, generated, plan
from weir import cli
from weir.diagnostics import WeirError
from weir.engine.generation import build as building
from weir.engine.generation import cmake, cmake_commands
from weir.engine.generation.cpp import runtimes, toolchain
from weir.engine.generation.cpp.shelf import READ
from weir.engine.generation.emit import generate
from weir.engine.generation.rust import toolchain as rust
from weir.engine.targets.interface import Tools
from weir.model import ownership
from weir.model.catalog import load_catalog

TARGET = load_catalog().targets["cpp_app"]
BOTH, GRAPH = "compiling the graph and the runtime (kept for later builds)", "compiling the graph"


@pytest.fixture(autouse=True)
def kept(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Return the missing folder of kept runtimes."""
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    monkeypatch.delenv(building.NO_CACHE, raising=False)
    return tmp_path / "cache" / "weir" / "runtimes"


class Shop:
    """Build in progress whose steps leave an archive and compile nothing."""

    def __init__(self, directory: Path, anew: bool = False, archive: bytes = b"compiled", read: str = "",
                 version: str = "a compiler 1.0", compiler: Path | str = "/bin/true"):
        self.read = read
        self.directory, self.folder, self.anew = directory, directory / "build", anew
        self.subject = SimpleNamespace(target=TARGET, blocks=())
        self.tools = Tools(version, ("g++",), "", {"compiler": str(compiler)})
        self.said: list[str] = []
        self.steps: list[list[str]] = []
        self.notes: list[str] = []
        self._archive = archive
        shutil.rmtree(self.folder, ignore_errors=True)
        self.folder.mkdir()

    def say(self, what: str) -> None:
        self.said.append(what)

    def note(self, line: str) -> None:
        self.notes.append(line)

    def step(self, command: list[str], **_: object) -> None:
        self.steps.append(command)
        if "--build" in command and is_compiled(self):
            rule = self.folder / "CMakeFiles" / "weir_runtime.dir" / "a.cpp.o.d"
            rule.parent.mkdir(parents=True, exist_ok=True)
            rule.write_text(f"a.cpp.o: {self.directory}/weir/src/run.cpp \\\n {self.read}\n")
            (self.folder / runtimes.ARCHIVE).write_bytes(self._archive)

    def given(self) -> bytes | None:
        """Return the runtime that CMake received."""
        [option] = [word for step in self.steps for word in step if word.startswith("-DWEIR_RUNTIME=")] or [None]
        return Path(option.partition("=")[2]).read_bytes() if option else None


@pytest.fixture(scope="module")
def files() -> dict[str, bytes]:
    return generated(chain(1))


@pytest.fixture
def tree(files: dict[str, bytes], tmp_path: Path) -> Path:
    """Return a generated project."""
    ownership.create(tmp_path / "tree", files)
    return tmp_path / "tree"


def built(directory: Path, **options) -> Shop:
    shop = Shop(directory, **options)
    toolchain.build(shop)
    return shop


def is_compiled(shop: Shop) -> bool:
    return any("--build" in step for step in shop.steps) and shop.given() is None


# When it is used

def test_it_is_compiled_once_and_given_to_every_other_graph(tree: Path, tmp_path: Path) -> None:
    first, again = built(tree), built(tree)
    assert first.said == ["configuring", BOTH]
    assert first.given() is None and not first.notes
    assert again.said == ["configuring", GRAPH] and again.given() == b"compiled"
    assert "sha256" in again.notes[0] and not is_compiled(again)
    other = {**deployed(chain(3), build={"optimisation": "O1"}), "name": "other"}
    ownership.create(tmp_path / "other", generated(other))
    assert built(tmp_path / "other").given() == b"compiled"


@pytest.mark.parametrize("change", [
    lambda tree: (tree / "weir/src/run.cpp").write_text("int changed;\n"),
    lambda tree: (tree / "weir/include/weir/node.hpp").write_text("int changed;\n"),
    lambda tree: (tree / "weir/src/added.cpp").write_text("\n"),
    lambda tree: (tree / "weir/src/run.cpp").rename(tree / "weir/src/ran.cpp"),
    lambda tree: (tree / "CMakeLists.txt").write_text(
        (tree / "CMakeLists.txt").read_text().replace("WEIR_TRACING=1", "WEIR_TRACING=0")),
    lambda tree: (tree / "CMakeLists.txt").write_text((tree / "CMakeLists.txt").read_text().replace("-O2", "-O3"))])
def test_other_sources_or_rules_are_another_one(tree: Path, change: Callable[[Path], object]) -> None:
    built(tree)
    before = (tree / "CMakeLists.txt").read_text()
    change(tree)
    assert "CMakeLists" not in change.__code__.co_names or (tree / "CMakeLists.txt").read_text() != before
    assert is_compiled(built(tree))


@pytest.mark.parametrize(("variable", "value"), [("CMAKE_TOOLCHAIN_FILE", "/x"), ("PKG_CONFIG_PATH", "/x"),
                                                 ("LIBRARY_PATH", "/x")])
def test_another_environment_is_another_one(tree: Path, variable: str, value: str, monkeypatch) -> None:
    built(tree)
    monkeypatch.setenv(variable, value)
    assert is_compiled(built(tree))


def test_another_compiler_is_another_one(tree: Path, tmp_path: Path) -> None:
    mine = tmp_path / "g++"
    mine.write_text("#!/bin/sh\n")
    mine.chmod(0o755)
    assert is_compiled(built(tree)) and not is_compiled(built(tree))
    assert is_compiled(built(tree, version="1.1")) and is_compiled(built(tree, compiler=mine))
    mine.write_text("#!/bin/sh\n# other\n")
    assert is_compiled(built(tree, compiler=mine))


def test_another_header_of_the_system_is_another_one_in_its_place(tree: Path, tmp_path: Path, kept: Path) -> None:
    header = tmp_path / "a header.h"
    header.write_text("1")
    read = str(header).replace(" ", "\\ ")
    assert is_compiled(built(tree, read=read)) and not is_compiled(built(tree, read=read))
    header.write_text("2")
    shop = built(tree, read=read, archive=b"anew")
    assert is_compiled(shop) and built(tree).given() == b"anew"
    assert not [line for line in shop.said if "cannot keep" in line]
    header.unlink()
    assert is_compiled(built(tree)) and len([path for path in kept.iterdir() if path.is_dir()]) == 1


def test_another_assembler_is_another_one(tree: Path, tmp_path: Path) -> None:
    (tmp_path / "own").mkdir()
    (tmp_path / "g++").write_text(f"#!/bin/sh\necho programs: ={tmp_path}/own\n")
    for name in ("g++", "own/as", "own/cc1plus", "ld", "ar"):
        with (tmp_path / name).open("a") as file:
            file.write("\n")
        (tmp_path / name).chmod(0o755)
    compiler = tmp_path / "g++"
    assert is_compiled(built(tree, compiler=compiler)) and not is_compiled(built(tree, compiler=compiler))
    for name in ("own/as", "own/cc1plus", "ld", "ar"):
        (tmp_path / name).write_text("other")
        assert is_compiled(built(tree, compiler=compiler)), name


def test_a_package_that_was_upgraded_is_another_build_and_another_runtime(tmp_path: Path, monkeypatch) -> None:
    """Change `identity`, which is in the key of builds, without another call of the compiler."""
    headers, bare = tmp_path / "include", tmp_path / "bare"
    for folder in (headers / "volk", bare):
        folder.mkdir(parents=True)
    for file in ("include/volk/volk.h", "volk.pc", "other.pc"):
        (tmp_path / file).write_text("")
    (tmp_path / "pkg-config").write_text(f'#!/bin/sh\n[ "$3" ] && exit 1; echo {tmp_path}\n')
    (tmp_path / "pkg-config").chmod(0o755)
    monkeypatch.setenv("PATH", f"{tmp_path}:{os.environ['PATH']}")
    paths = {"compiler": "/bin/true", "headers": f"{headers}:{tmp_path / 'none'}"}
    known = {toolchain.system_identity(paths, ["volk"])}

    def is_another() -> bool:
        """Return whether it is another build, and remains so."""
        it, before = toolchain.system_identity(paths, ["volk"]), len(known)
        known.add(it)
        return len(known) > before and toolchain.system_identity(paths, ["volk"]) == it

    assert not is_another()
    for change in (lambda: os.replace(tmp_path / "include/volk/volk.h", tmp_path / "include/volk/more.h"),
                   lambda: (headers / "fftw3.h").write_text(""), lambda: (headers / "lttng").mkdir(),
                   lambda: (tmp_path / "volk.pc").write_text("Version: 4"),
                   lambda: (tmp_path / "pkg-config").write_text((tmp_path / "pkg-config").read_text() + "\n"),
                   lambda: monkeypatch.setenv("PKG_CONFIG_PATH", str(bare))):
        change()
        assert is_another()
    (tmp_path / "other.pc").write_text("Version: 4")  # no block uses this
    assert not is_another()
    monkeypatch.chdir(bare)
    (bare / "runs").mkdir()  # running something there creates such files
    assert not is_another()


def test_the_tools_of_a_build_know_the_libraries_of_its_blocks_and_the_folders_of_headers() -> None:
    fft = SimpleNamespace(words=("g++", "-O2"), blocks=[SimpleNamespace(uses=("fftw3f",))])
    none = SimpleNamespace(words=("g++", "-O2"), blocks=[])
    ours, plain = toolchain.find(fft), toolchain.find(none)
    assert "/usr/include" in ours.paths["headers"].split(":") and "/usr/include " in ours.identity
    assert "fftw3f.pc" in ours.identity and "fftw3f.pc" not in plain.identity and "cmake" in plain.identity


def test_one_of_which_it_is_not_known_what_was_read_is_not_kept(tree: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(cmake, "files_read", lambda *_: [])
    assert any("cannot keep" in what for what in built(tree).said) and is_compiled(built(tree))


@pytest.mark.parametrize("file", ["toolchain.py", "more/helps.py"])
def test_an_edited_toolchain_is_another_one(file: str, tree: Path, tmp_path: Path, monkeypatch) -> None:
    mine = shutil.copytree(TARGET.folder, tmp_path / "target", ignore=shutil.ignore_patterns("__pycache__"))
    monkeypatch.setattr(sys.modules[__name__], "TARGET", replace(TARGET, folder=mine))
    assert is_compiled(built(tree)) and not is_compiled(built(tree))
    (mine / file).parent.mkdir(exist_ok=True)
    with (mine / file).open("a") as code:
        code.write("\nFLAGS = ()\n")
    assert is_compiled(built(tree))


def test_what_a_graph_that_does_not_build_leaves_is_kept(tree: Path) -> None:
    class Failing(Shop):
        def step(self, command: list[str], **_: object) -> None:
            super().step(command)
            if "--build" in command and "weir_runtime" not in command:
                raise WeirError([])

    failing = Failing(tree)
    with pytest.raises(WeirError):
        toolchain.build(failing)
    assert failing.said[1:] == [BOTH, "compiling the runtime (kept for later builds)"]
    assert built(tree).given() == b"compiled"


# Whole builds, with a runtime of one line

RUNTIME = {"weir/src/r.cpp": b"#include <cstddef>\n#include <r.hpp>\nint answer() { return ANSWER; }\n",
           "weir/include/r.hpp": b"#define ANSWER 42\nint answer();\n"}


def small(monkeypatch: pytest.MonkeyPatch, main: str = "return answer() - 42", **more: bytes) -> None:
    """Build by the real rules a project whose runtime has one line."""
    def files(a_plan, a_project, catalog) -> dict[str, bytes]:
        rules = generate(a_plan, a_project, catalog)["CMakeLists.txt"]
        return {"manifest.json": b"{}", "CMakeLists.txt": rules, **RUNTIME,
                "src/main.cpp": f"#include <r.hpp>\nint main() {{ {main}; }}\n".encode(), **more}

    monkeypatch.setattr(building, "generate", files)


def program(said: list[str]) -> building.Built:
    it, document = checked(chain(1)), chain(1)
    return building.build_cached(plan(document).plan, it.project, it.catalog, said.append)


def test_a_program_is_the_same_bytes_with_a_kept_runtime_and_without(monkeypatch: pytest.MonkeyPatch, kept) -> None:
    """Check also that it was used: only the graph was compiled. `test_build` does the same with a whole example."""
    said: list[str] = []
    small(monkeypatch, "return 1")
    program(said)
    small(monkeypatch)
    mine = program(said)
    assert said == ["configuring", BOTH, "configuring", GRAPH]
    [record] = kept.glob(f"*/{READ}")
    read = json.loads(record.read_text())
    assert [path for path in read if path.endswith("/cstddef")] and not [path for path in read if "r.hpp" in path]
    log = (mine.directory / "build" / "build.log").read_text()
    assert str(kept) in log and "r.cpp" not in log and "main.cpp" in log
    monkeypatch.setenv(building.NO_CACHE, "1")
    whole = program(said)
    assert said[4:] == ["configuring", "compiling"]
    assert (whole.binary_hash, whole.reused) == (mine.binary_hash, False)
    log = (whole.directory / "build" / "build.log").read_text()
    assert str(kept) not in log and "main.cpp" in log and "weir_runtime.dir" in log


def test_what_cmake_made_of_an_equal_file_is_used_again_and_makes_the_same_bytes(
        monkeypatch: pytest.MonkeyPatch) -> None:
    said: list[str] = []
    made = {}
    for main in ("return 1", "return 2", "return 3"):  # compiles the runtime; configures; does neither
        small(monkeypatch, main)
        made[main] = program(said)
    assert said == ["configuring", BOTH, "configuring", GRAPH, GRAPH]
    assert not (made["return 3"].directory / "build" / "CMakeCache.txt").exists()
    assert "-c" in (made["return 3"].directory / "build" / "build.log").read_text()
    monkeypatch.setenv(building.NO_CACHE, "1")
    assert program(said).binary_hash == made["return 3"].binary_hash and said[-1] == "compiling"


@pytest.mark.parametrize("damage", ["", "[]", "[1]", "[[]]", '[["true", 1]]', "{}"])
def test_commands_that_cannot_be_read_are_made_again(damage: str, tree: Path, kept: Path) -> None:
    built(tree)
    commands = kept.with_name("commands")
    commands.mkdir(mode=0o700)
    key = toolchain._commands_key(Shop(tree), toolchain.runtime_key(Shop(tree)))
    (commands / f"{key}.json").write_text(damage)
    assert built(tree).said == ["configuring", GRAPH]
    (commands / f"{key}.json").write_text('[["true", "@PROJECT@/x"]]')
    shop = built(tree)
    assert shop.said == [GRAPH] and shop.steps == [["env", "-C", str(tree / "build"), "true", f"{tree}/x"]]
    (tree / "CMakeLists.txt").write_text((tree / "CMakeLists.txt").read_text() + "\n# other\n")
    assert built(tree).said == ["configuring", GRAPH]


def test_the_option_leaves_it_out(monkeypatch: pytest.MonkeyPatch, tree: Path) -> None:
    def cached(*words: object) -> building.Built:
        asked.append(words[-1])
        raise WeirError([])

    asked: list[object] = []
    monkeypatch.setattr(building, "build_cached", cached)
    for more in ([], ["--no-cache"]):
        cli.main(["generate", "--build", str(EXAMPLES / "quickstart.weir.json"), *more])
    assert asked == [False, True]
    built(tree)
    shop = built(tree, anew=True)
    assert shop.given() is None and shop.said == ["configuring", "compiling"]


def test_two_at_once_compile_it_once(monkeypatch: pytest.MonkeyPatch, kept: Path) -> None:
    """Build two graphs: the second build waits for the first and takes its runtime."""
    said: dict[str, list[str]] = {"return 1": [], "return 2": []}
    begun = threading.Barrier(2)

    def one(main: str) -> None:
        it, document = checked(chain(1)), chain(1)
        files = {**building.generate(plan(document).plan, it.project, it.catalog),
                 "src/main.cpp": f"#include <r.hpp>\nint main() {{ {main}; }}\n".encode()}
        begun.wait()
        site = building._site(plan(document).plan, it.project, it.catalog, said[main].append, False)
        folder = kept.parent / main.replace(" ", "")
        building.write_tree(files, folder)
        assert site.built(folder, files).binary.is_file()

    small(monkeypatch)
    threads = [threading.Thread(target=one, args=[main]) for main in said]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert sorted(words[-1] for words in said.values()) == [GRAPH, BOTH]


# Runtimes that cannot be kept

def test_a_folder_that_cannot_be_made_is_reported_and_no_error(kept: Path, tree: Path) -> None:
    kept.parent.parent.mkdir(parents=True)
    kept.parent.write_text("a file")
    shop = built(tree)
    assert shop.said[0].startswith("compiling the runtime again: ") and is_compiled(shop) and not shop.notes
    assert shop.steps[-1][:2] == [shutil.which("cmake"), "--build"]


def test_an_archive_that_cannot_be_kept_is_reported_and_no_error(monkeypatch: pytest.MonkeyPatch, tree: Path) -> None:
    def full(*_: object, **__: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(ownership, "create", full)
    shop = built(tree)
    assert any("cannot keep" in what and "No space left" in what for what in shop.said)
    assert shop.said[1] == BOTH


@pytest.mark.parametrize("cache", ["a/../cache", "//cache", "a b/cache"])
def test_each_project_is_built_of_its_own_source_however_the_cache_is_written(
        cache: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "a").mkdir()
    monkeypatch.setenv("XDG_CACHE_HOME", f"/{tmp_path}{cache}" if cache.startswith("//") else f"{tmp_path}/{cache}")
    said: list[str] = []
    hashes = set()
    for answer in range(4):
        small(monkeypatch, f"return {answer}")
        hashes.add(program(said).binary_hash)
    assert len(hashes) == 4 and said[-3:] == [GRAPH] * 3


def test_commands_that_would_build_one_project_whatever_is_requested_are_not_kept(
        kept: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    one = tmp_path / "0123"
    (one / "build").mkdir(parents=True)
    (one / "build" / "build.ninja").touch()
    for line in ("g++ -c /x/src/main.cpp", f"g++ -c {one}/src/main.cpp -I /elsewhere/0123", "g++ -c src/main.cpp",
                 f"a=b/g++ -c {one}/src/main.cpp", f"g++ -c {one}/src/main.cpp > it"):
        monkeypatch.setattr(cmake_commands.subprocess, "run",
                            lambda *_, line=line, **__: SimpleNamespace(returncode=0, stdout=line))
        cmake_commands.keep("k", one)
        assert cmake_commands.load("k", one) is None, line
    monkeypatch.setattr(cmake_commands.subprocess, "run",
                        lambda *_, **__: SimpleNamespace(returncode=0, stdout=f"g++ -c {one}/src/main.cpp"))
    cmake_commands.keep("k", one)
    assert cmake_commands.load("k", Path("/other")) == [["g++", "-c", "/other/src/main.cpp"]]


def test_commands_that_do_not_build_it_are_made_again(monkeypatch: pytest.MonkeyPatch, kept: Path) -> None:
    said: list[str] = []
    for main in ("return 1", "return 2"):
        small(monkeypatch, main)
        program(said)
    [commands] = kept.with_name("commands").iterdir()
    good = commands.read_text()
    commands.write_text(good.replace(runtimes.ARCHIVE, "gone.a"))
    small(monkeypatch, "return 3")
    assert program(said).binary.is_file() and said[-3:] == [GRAPH, "configuring", GRAPH]
    assert commands.read_text() == good


def test_the_tools_of_a_build_in_rust_know_what_cargo_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(rust, "sure", lambda _: sys.executable)
    subject = SimpleNamespace(words=("g++", "-O2"), blocks=[], runtime=lambda: SimpleNamespace(version="1.89"))
    known = {rust.find(subject, "1").identity}
    for setting in ("CARGO_PROFILE_RELEASE_DEBUG", "CARGO_BUILD_TARGET", "RUSTFLAGS", "RUSTC_WRAPPER"):
        monkeypatch.setenv(setting, "x")
        assert rust.find(subject, "1").identity not in known
        known.add(rust.find(subject, "1").identity)


def test_rust_is_compiled_for_the_cpu_of_the_c_plus_plus_if_rustc_knows_it(monkeypatch: pytest.MonkeyPatch,
                                                                           tmp_path: Path) -> None:
    rustc = tmp_path / "rustc"
    known = tmp_path / "known"
    known.write_text("Available CPUs for this target:\n    native - this CPU\n    haswell\n")
    rustc.write_text(f"#!/bin/sh\n[ \"$*\" = '--print target-cpus' ] && cat {known}\n")
    rustc.chmod(0o755)
    monkeypatch.setenv("RUSTC", str(rustc))
    monkeypatch.setattr(rust, "sure", lambda _: sys.executable)
    for march, told in (("native", True), ("haswell", True), ("x86-64", False)):
        subject = SimpleNamespace(words=("g++", f"-march={march}"), blocks=[],
                                  runtime=lambda: SimpleNamespace(version="1.89"))
        assert (f"target-cpu={march}" in rust.find(subject, "1").identity) == told
