"""Test `weir test`: what counts as passed, and that no failure looks like success."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest
from weir.cli import main
from weir.cli.verbs import _suites as verb

PYTEST_XML = """<testsuites><testsuite tests="4"><testcase name="a"/><testcase name="b"><failure/></testcase>
<testcase name="c"><error/></testcase><testcase name="d"><skipped/></testcase></testsuite></testsuites>"""


@pytest.fixture(autouse=True)
def logs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setattr(verb, "LOGS", tmp_path)
    return tmp_path


def python(code: str) -> tuple[str, ...]:
    return (sys.executable, "-c", code)


def test_counts_of_a_junit_file(tmp_path: Path):
    (tmp_path / "x.xml").write_text(PYTEST_XML)
    assert verb.counts_of(tmp_path / "x.xml") == (1, 2, 1)
    (tmp_path / "broken.xml").write_text("<testsuite>")
    assert verb.counts_of(tmp_path / "broken.xml") == (0, 0, 0)


def test_counts_of_a_junit_file_of_ctest(tmp_path: Path):
    (tmp_path / "CTestTestfile.cmake").write_text("""
        add_test(good "true")
        add_test(bad "false")
        add_test(skips "true")
        set_tests_properties(skips PROPERTIES SKIP_RETURN_CODE 0)
        add_test(off "true")
        set_tests_properties(off PROPERTIES DISABLED TRUE)
    """)
    junit = tmp_path / "c.xml"
    command = ("ctest", "--test-dir", str(tmp_path), "--output-junit", str(junit))
    outcome = verb.run_suite(verb.Suite("c", (command,), junit))
    assert (outcome.passed, outcome.failed, outcome.skipped) == (1, 1, 2)


def test_commands_without_a_junit_file_are_a_test_each():
    outcome = verb.run_suite(verb.Suite("s", (python("pass"), python("pass"))))
    assert (outcome.passed, outcome.failed) == (2, 0)


def test_the_first_command_that_fails_ends_the_suite(tmp_path: Path, capfd: pytest.CaptureFixture[str]):
    marker = tmp_path / "marker"
    outcome = verb.run_suite(verb.Suite("s", (python("print('the reason'); raise SystemExit(1)"),
                                              python(f"open({str(marker)!r}, 'w')"))))
    assert outcome.failed == 1 and not marker.exists()
    assert "the reason" in capfd.readouterr().out


@pytest.mark.parametrize("command", [python("pass"), ("no-such-program",)])
def test_a_suite_that_ran_no_test_has_failed(tmp_path: Path, command: tuple[str, ...]):
    stale = tmp_path / "x.xml"
    stale.write_text("<testsuite><testcase/></testsuite>")
    outcome = verb.run_suite(verb.Suite("s", (command,), stale))
    assert (outcome.passed, outcome.failed) == (0, 1)


def test_a_crash_after_the_counts_were_written_is_a_failure(tmp_path: Path):
    junit = tmp_path / "x.xml"
    code = f"open({str(junit)!r}, 'w').write('<testsuite><testcase/></testsuite>'); raise SystemExit(3)"
    assert verb.run_suite(verb.Suite("s", (python(code),), junit)).failed == 1


def test_the_last_line_has_the_totals():
    outcomes = [verb.Outcome("a", 2, 0, 1, 1.0), verb.Outcome("b", 3, 1, 0, 2.0)]
    assert verb.table(outcomes).splitlines()[-1] == "5 passed, 1 failed, 1 skipped"


def test_one_suite_by_its_name(capfd: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch):
    good, bad = verb.Suite("good",
                           (python("pass"), python("pass"))), verb.Suite("bad", (python("raise SystemExit(1)"),))
    monkeypatch.setattr(verb, "suites", lambda everything: [good, bad])
    assert main(["test", "--only", "good"]) == 0
    assert capfd.readouterr().out.splitlines()[-1] == "2 passed, 0 failed, 0 skipped"
    assert main(["test"]) == 4
    assert capfd.readouterr().out.splitlines()[-1] == "2 passed, 1 failed, 0 skipped"


def test_what_python_compiled_is_kept(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    """Check this because tests often start the command line; also if the environment forbids bytecode files."""
    monkeypatch.setenv("PYTHONDONTWRITEBYTECODE", "1")
    told = tmp_path / "told"
    code = f"import sys; open({str(told)!r}, 'w').write(f'{{sys.dont_write_bytecode}} {{sys.pycache_prefix}}')"
    assert verb.run_suite(verb.Suite("s", (python(code),))).failed == 0
    assert told.read_text() == f"False {verb.ROOT / 'build' / 'pycache'}"


def test_the_arrows_between_folders_are_tried_once():
    """Check that only the suite of that name does, not each C++ build."""
    suites = {suite.name: suite for suite in verb.suites(False)}
    assert len(suites["layering"].commands) == 2
    for name in ("dev", "asan", "tsan"):
        assert "--exclude-regex ^layering" in " ".join(suites[name].commands[-1])


def test_tests_run_side_by_side():
    suites = {suite.name: suite for suite in verb.suites(False)}
    assert all("-n" in suites[name].commands[-1] for name in ("python", "models", "end_to_end"))


def test_all_does_more_in_every_suite():
    for usual, thorough in zip(verb.suites(False), verb.suites(True)):
        assert usual.name == thorough.name
        assert int(thorough.environment["WEIR_FUZZ"]) > 1 and "WEIR_STRESS" in thorough.environment
        as_quick = usual.environment.items() - verb.QUICK_CRATES.items()
        assert {**thorough.environment, **dict(as_quick)} == thorough.environment
        assert not {"WEIR_FUZZ", "WEIR_STRESS"} & set(usual.environment)
        last = [suite.commands[-1] for suite in (usual, thorough)]
        if "pytest" in last[0]:
            assert "not slow" in last[0] and "not slow" not in last[1]


def test_a_suite_that_others_cover_runs_when_it_is_requested():
    def names(everything: bool, *only: str) -> list[str]:
        return [suite.name for suite in verb.chosen_of(verb.suites(everything), everything, list(only))]

    assert set(names(True)) - set(names(False)) == {"dev"}
    assert names(False, "dev") == ["dev"]
    assert {"asan", "tsan", "models", "python", "editor", "end_to_end"} < set(names(False))


def test_the_examples_of_a_thorough_run_are_many_more():
    code = "import conftest, hypothesis; print(hypothesis.settings().max_examples)"
    found = [int(subprocess.run(python(code), cwd=Path(__file__).parent, env={**os.environ, **changed}, check=True,
                                capture_output=True, text=True).stdout)
             for changed in ({"WEIR_FUZZ": "1"}, verb.THOROUGH)]
    assert found == [100, 2000]


def test_an_unknown_suite_is_a_usage_error(capfd: pytest.CaptureFixture[str]):
    assert main(["test", "--only", "pyton"]) == 2
    assert "layering" in capfd.readouterr().err


def test_a_build_folder_that_had_another_compiler_keeps_its_options(tmp_path: Path):
    """Check that a sanitizer is not lost: CMake alone would drop it silently."""
    (tmp_path / "CMakeLists.txt").write_text("cmake_minimum_required(VERSION 3.25)\nproject(p LANGUAGES CXX)\n")
    build = tmp_path / "build"

    def configure(compiler: str) -> str:
        suite = verb._cpp("p", tmp_path, build, ("-DCMAKE_CXX_FLAGS=-fsanitize=address",), compiler=compiler)
        subprocess.run(suite.commands[0], check=True, capture_output=True, timeout=60)
        cached = (build / "CMakeCache.txt").read_text()
        assert "\nCMAKE_CXX_FLAGS:STRING=-fsanitize=address\n" in cached
        return next(line for line in cached.splitlines() if line.startswith("CMAKE_CXX_COMPILER:"))

    assert configure("c++").endswith("c++")
    kept = build / "CMakeFiles" / "kept"
    kept.touch()
    assert configure("c++").endswith("c++") and kept.exists()
    assert configure("g++").endswith("g++") and not kept.exists()
