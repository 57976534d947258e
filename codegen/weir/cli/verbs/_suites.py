"""Test suites of `weir test`: their commands, how they run, and their counts."""

from __future__ import annotations

import os
import re
import shlex
import shutil
import subprocess
import sys
import tempfile
import time
import xml.etree.ElementTree as ElementTree
from collections.abc import Mapping
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import IO, Any

from weir import ROOT, compilers
from weir.diagnostics import WeirError, diagnostic

LOGS = ROOT / "build" / "test"
LINES_OF_A_FAILURE = 150

#: Environment of `--all`: 20 times the random examples (a million inputs of the fuzzer), all cases of models, mutants
#: and random graphs, and 300 random projects.
THOROUGH = {"WEIR_FUZZ": "20", "WEIR_STRESS": "1", "WEIR_DIFF": "300"}

#: Linters that `codegen/lint.py` runs.
LINTERS = ("ruff", "mypy", "clang-format", "clang-tidy", "codespell", "prose", "tables")

#: One test process for each CPU. The tests of a file run in one process, because they share its fixtures.
SIDE_BY_SIDE = ("-n", str(len(os.sched_getaffinity(0))), "--dist=loadfile")

#: On a miss, ccache gets the included files from the compiler instead of running the preprocessor first.
QUICK_MISSES = {"CCACHE_DEPEND": "1"}

#: Crates of peer runtimes take minutes to optimize, and these tests do not depend on it. With --all they are compiled
#: as users compile them.
QUICK_CRATES = {"CARGO_PROFILE_RELEASE_OPT_LEVEL": "0", "CARGO_PROFILE_RELEASE_LTO": "off",
                "CARGO_PROFILE_RELEASE_CODEGEN_UNITS": "16"}

#: Tests start the command line some thousand times. Without cached byte code, compiling its modules would take most of
#: the time, and some containers disable the cache. numpy's threads spin while they wait, and parallel tests need the
#: CPUs.
OF_PYTHON = {"PYTHONDONTWRITEBYTECODE": "", "PYTHONPYCACHEPREFIX": str(ROOT / "build" / "pycache"),
             "OPENBLAS_NUM_THREADS": "1"}


@dataclass(frozen=True)
class Suite:
    """Test suite: commands that run in order until one fails; with `independent`, all of them, one for each CPU.

    The last command writes `junit`, which has the counts; without it, each command is one test. `only_by_name`: the
    suite runs only with --all or by its name.
    """

    name: str
    commands: tuple[tuple[str, ...], ...]
    junit: Path | None = None
    environment: Mapping[str, str] = field(default_factory=dict)
    only_by_name: bool = False
    independent: bool = False


@dataclass(frozen=True)
class Outcome:
    suite: str
    passed: int
    failed: int
    skipped: int
    seconds: float


def suites(everything: bool) -> list[Suite]:
    """Return all suites in the order in which they run."""
    tests, of_runtime = ROOT / "codegen" / "tests", ROOT / "runtime" / "tests"
    end_to_end = tests / "end_to_end"
    # Without optimisation and without compiling QML ahead, because these take longer than the tests.
    editor = _cpp("editor", ROOT / "editor", ROOT / "build/editor-test",
                  ("-G", "Ninja", "-DCMAKE_BUILD_TYPE=Debug", "-DCMAKE_CXX_FLAGS_DEBUG=-O0", "-DWEIR_EDITOR_TESTS=ON"),
                  compiler=compilers.QUICK, environment={"QT_QPA_PLATFORM": "offscreen"},
                  waiting=1)  # windows spend a quarter of their time waiting for a process or the next frame
    found = [
        Suite("layering", (
            ("cmake", "-P", str(ROOT / "cmake/check_layering.cmake")),
            ("cmake", f"-DWORK={LOGS / 'layering'}", "-P", str(ROOT / "cmake/tests/check_layering_test.cmake")))),
        # qmllint takes the editor's own types from files that the build generates.
        Suite("lint", (*((sys.executable, "-P", str(ROOT / "codegen/lint.py"), linter) for linter in LINTERS),
                       ("sh", "-c", f"{shlex.join(editor.commands[0])} && {shlex.join(editor.commands[1])}"
                                    " --target weir_editor_ui_qmllint")),
              independent=True),
        _pytest("python", everything, str(tests), f"--ignore={end_to_end}", *SIDE_BY_SIDE),
        _pytest("models", everything, str(of_runtime / "test_models.py"), str(of_runtime / "test_orders.py"),
                str(of_runtime / "test_mutants.py"), *SIDE_BY_SIDE[:2]),
        # The sanitizers run the same tests first. Generated projects are built as users build them.
        replace(_cpp("dev", ROOT, ROOT / "build/dev", ("--preset", "dev")), only_by_name=True),
        _cpp("asan", ROOT, ROOT / "build/asan", ("--preset", "asan"), compiler=compilers.QUICK, waiting=1),
        # Without this, every program would sleep for a second at its end to watch threads that are not joined.
        _cpp("tsan", ROOT, ROOT / "build/tsan", ("--preset", "tsan"), without_address_randomisation(),
             {"TSAN_OPTIONS": f"atexit_sleep_ms=0:{os.environ.get('TSAN_OPTIONS', '')}"}, waiting=1,
             compiler=compilers.QUICK),
        editor,
        # Parallel tests would wait for the same compilers and clocks, and the slow tests need the machine to
        # themselves.
        _pytest("end_to_end", everything, str(end_to_end), *(() if everything else SIDE_BY_SIDE)),
    ]
    return [replace(s, environment={**s.environment, **THOROUGH}) for s in found] if everything else found


def blocks_suite(folders: list[Path]) -> Suite:
    """Return the suite for blocks outside the tree. Raises WeirError if a folder contains none."""
    for folder in folders:
        if not any(any(folder.glob(pattern)) for pattern in ("*/block.json", "*/*/block.json")):
            raise WeirError(diagnostic("E_FILE_MISSING", "", f"{folder} contains no block",
                                       "a block is a folder with a block.json: DIR/<id> or DIR/<family>/<id>"))
    paths = ";".join(str(folder.resolve()) for folder in folders)
    return _cpp("blocks", ROOT / "block-library", ROOT / "build/blocks",
                ("-G", "Ninja", "-DCMAKE_BUILD_TYPE=RelWithDebInfo", "-DWEIR_BLOCKS_TESTS=ON",
                 f"-DWEIR_BLOCK_PATHS={paths}"))


def _pytest(name: str, everything: bool, *arguments: str) -> Suite:
    junit = LOGS / f"{name}.xml"
    selection = () if everything else ("-m", "not slow")
    command = (sys.executable, "-m", "pytest", "-q", f"--rootdir={ROOT / 'codegen'}",
               "-c", str(ROOT / "codegen/pyproject.toml"), f"--junitxml={junit}", *selection, *arguments)
    return Suite(name, (command,), junit, {} if everything else QUICK_CRATES)


def _cpp(name: str, source: Path, build: Path, options: tuple[str, ...], prefix: tuple[str, ...] = (),
         environment: Mapping[str, str] | None = None, waiting: int = 0, compiler: str = "c++") -> Suite:
    """Return a suite that configures, builds and runs the tests of a CMake tree, `waiting` more than CPUs at a time."""
    junit = LOGS / f"{name}.xml"
    cpus = len(os.sched_getaffinity(0))
    parallel = ("--parallel", str(cpus))
    configure = ["cmake", "-S", str(source), "-B", str(build), *options, f"-DCMAKE_CXX_COMPILER={compiler}",
                 "-DWEIR_WERROR=ON"]
    if not _cache_is_of(build, source, compiler):
        configure.append("--fresh")
    if shutil.which("ccache"):
        configure.append("-DCMAKE_CXX_COMPILER_LAUNCHER=ccache")
    return Suite(name, (
        tuple(configure),
        ("cmake", "--build", str(build), *parallel),
        # The layering check does not depend on the sanitizer, and has its own suite.
        (*prefix, "ctest", "--test-dir", str(build), "--parallel", str(cpus + waiting), "--output-on-failure",
         "--no-tests=error", "--exclude-regex", "^layering", "--timeout", "300", "--output-junit", str(junit)),
    ), junit, {**QUICK_MISSES, **(environment or {})})


def _cache_is_of(build: Path, source: Path, compiler: str) -> bool:
    """Return whether a build folder can be configured again, or does not exist.

    CMake rejects a folder of another source tree, and forgets all options if the compiler changes.
    """
    try:
        text = (build / "CMakeCache.txt").read_text(encoding="utf-8")
    except OSError:
        return True
    return (f"\nCMAKE_HOME_DIRECTORY:INTERNAL={source}\n" in text
            and re.search(f"^CMAKE_CXX_COMPILER:.*/{re.escape(compiler)}$", text, re.MULTILINE) is not None)


def without_address_randomisation() -> tuple[str, ...]:
    """Return the command prefix that disables address randomization, or nothing where a container forbids it.

    The thread sanitizer of g++ 12 fails if Linux randomizes addresses over a wide range.
    """
    command = ("setarch", "-R")
    try:
        works = subprocess.run((*command, "true"), capture_output=True, check=False).returncode == 0
    except OSError:
        works = False
    return command if works else ()


def chosen_of(known: list[Suite], everything: bool, names: list[str]) -> list[Suite]:
    """Return the named suites; without names, the default ones or all. Raises WeirError (E_USAGE) for unknown names."""
    unknown = sorted(set(names) - {s.name for s in known})
    if unknown:
        raise WeirError(diagnostic("E_USAGE", "", f"--only {unknown[0]}: unknown suite",
                                   "suites: " + ", ".join(s.name for s in known)))
    return [s for s in known if (s.name in names if names else everything or not s.only_by_name)]


def run_suite(suite: Suite) -> Outcome:
    """Run a suite and count its tests. A suite that could not run its tests has one failure.

    The output goes to a log, which is printed on failure.
    """
    log = LOGS / f"{suite.name}.log"
    if suite.junit:
        suite.junit.unlink(missing_ok=True)
    started = time.monotonic()
    with log.open("w", encoding="utf-8") as output:
        results = _all_at_once(suite, output) if suite.independent else _until_one_fails(suite, output)
    succeeded, broken = results.count(True), results.count(False)
    passed, failed, skipped = counts_of(suite.junit) if suite.junit else (succeeded, broken, 0)
    if broken or not passed + failed + skipped:
        failed = max(failed, 1)
    if failed:
        _show_failure(suite, log)
    return Outcome(suite.name, passed, failed, skipped, time.monotonic() - started)


def _until_one_fails(suite: Suite, output: IO[str]) -> list[bool]:
    results: list[bool] = []
    for command in suite.commands:
        # If Weir is interrupted, tests end the processes that they started.
        results.append(_succeeds(command, suite.environment, output, guarded=command[0] == "cmake"))
        if not results[-1]:
            break
    return results


def _all_at_once(suite: Suite, output: IO[str]) -> list[bool]:
    """Run the commands in parallel, and return whether each succeeded. The log has their outputs in order."""
    def run(command: tuple[str, ...]) -> tuple[bool, str]:
        with tempfile.TemporaryFile("w+", encoding="utf-8", errors="replace") as own:
            succeeded = _succeeds(command, suite.environment, own, guarded=True)
            own.seek(0)
            return succeeded, own.read()

    with ThreadPoolExecutor(len(os.sched_getaffinity(0))) as pool:
        try:
            found = list(pool.map(run, suite.commands))
        except BaseException:  # without this, the pool would wait for all commands
            compilers.end_all()
            raise
    output.writelines(said for _, said in found)
    return [succeeded for succeeded, _ in found]


def _succeeds(command: tuple[str, ...], environment: Mapping[str, str], output: IO[str], guarded: bool) -> bool:
    """Run a command and return whether it succeeded. `guarded`: it and its children end with this process."""
    output.write("$ " + " ".join(command) + "\n")
    output.flush()
    try:
        options: dict[str, Any] = {"cwd": ROOT, "env": {**os.environ, **OF_PYTHON, **environment}, "stdout": output,
                   "stderr": subprocess.STDOUT}
        if guarded:
            return compilers.run(command, **options) == 0
        return subprocess.run(command, stdin=subprocess.DEVNULL, check=False, **options).returncode == 0
    except OSError as error:
        output.write(f"{command[0]}: {error.strerror}\n")
        return False


def counts_of(junit: Path) -> tuple[int, int, int]:
    """Return (passed, failed, skipped) of a JUnit file of pytest or ctest; zeros if there is none."""
    try:
        cases = list(ElementTree.parse(junit).iter("testcase"))
    except (OSError, ElementTree.ParseError):
        return 0, 0, 0
    failed = sum(case.find("failure") is not None or case.find("error") is not None for case in cases)
    skipped = sum(case.find("skipped") is not None or case.get("status") == "disabled" for case in cases)
    return len(cases) - failed - skipped, failed, skipped


def _show_failure(suite: Suite, log: Path) -> None:
    lines = log.read_text(encoding="utf-8", errors="replace").splitlines()
    print(f"\n--- {suite.name}: the end of {log} ---", *lines[-LINES_OF_A_FAILURE:], "---",
          sep="\n", flush=True)


def row(outcome: Outcome) -> str:
    verdict = "FAILED" if outcome.failed else "ok"
    return (f"{outcome.suite:12} {outcome.passed:6} passed {outcome.failed:4} failed {outcome.skipped:4} skipped "
            f"{outcome.seconds:8.1f} s  {verdict}")


def table(outcomes: list[Outcome]) -> str:
    """Return a table with one row for each suite, and the totals in the last line."""
    passed, failed, skipped = (sum(getattr(o, key) for o in outcomes) for key in ("passed", "failed", "skipped"))
    return "\n".join([*map(row, outcomes), f"{sum(o.seconds for o in outcomes):.0f} s in all",
                      f"{passed} passed, {failed} failed, {skipped} skipped"])
