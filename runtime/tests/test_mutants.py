"""A runtime with one line spoilt must be caught: each mutant either gives a wrong answer or hangs in `mutation_probe.cpp`."""

from __future__ import annotations

import os
import shutil
import signal
import subprocess
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path

import pytest

RUNTIME = Path(__file__).resolve().parents[1]
SOURCES = ("memory", "stream", "thread", "expected", "wait", "worker_loop", "job_pool", "run", "crash")
WRONG, HANG, NOT_WHOLE = "wrong", "hang", "not whole"
HANG_AFTER_S = 3
#: Two workers must meet in one block for the harm to be done, and now and then they do not.
CHANCES = 20


@dataclass(frozen=True)
class Mutant:
    """`daily`: also without WEIR_STRESS, which `weir test --all` sets; each takes a build."""

    name: str
    file: str
    line: str
    spoilt: str
    caught_by: str
    daily: bool = False


MUTANTS = (
    Mutant("drop_the_tail", "include/weir/node.hpp",
           "(produce(std::get<O>(outs_), std::get<O>(out_views).produced()), ...);",
           "if (result.status != WorkStatus::done) (produce(std::get<O>(outs_), std::get<O>(out_views).produced()), ...);",
           WRONG, daily=True),
    Mutant("swap_two_chunks", "include/weir/node.hpp",
           "out.stream->produce(n);",
           "std::swap_ranges(out.stream->write_data(), out.stream->write_data() + n / 2, out.stream->write_data() + n / 2);"
           " out.stream->produce(n);",
           WRONG),
    Mutant("lose_the_wake_up_of_space", "include/weir/stream.hpp",
           "if (writer_task_ != nullptr) writer_task_->wake();", "", HANG, daily=True),
    Mutant("lose_the_wake_up_of_done", "src/stream.cpp",
           "if (ring_ && writer_task_ != nullptr) writer_task_->wake();", "", HANG),
    Mutant("lose_the_wake_up_of_a_running_task", "include/weir/task_state.hpp",
           "if (value != Value::idle && value != Value::running) return false;",
           "if (value != Value::idle) return false;", HANG),
    Mutant("rest_without_a_look_at_rerun", "include/weir/task_state.hpp",
           "if (value_.compare_exchange_strong(running, Value::idle, std::memory_order_seq_cst)) return true;",
           "value_.store(Value::idle, std::memory_order_seq_cst); if (running == Value::running) return true;", HANG, daily=True),
    Mutant("wake_without_a_queue", "src/job_pool.cpp",
           "if (job.state_.wake()) put(job, this_worker);", "static_cast<void>(job.state_.wake());", HANG),
    Mutant("claim_what_another_worker_has", "include/weir/task_state.hpp",
           "return value_.compare_exchange_strong(queued, Value::running, std::memory_order_seq_cst);",
           "value_.store(Value::running, std::memory_order_seq_cst); return queued == Value::queued;", NOT_WHOLE),
)


class Build:
    """A copy of the runtime and its objects. A mutant compiles only what includes its file, into a folder of its own."""

    def __init__(self, folder: Path) -> None:
        self.root = folder / "runtime"
        shutil.copytree(RUNTIME, self.root, ignore=shutil.ignore_patterns("__pycache__", ".pytest_cache"))
        self.units = [self.root / "src" / f"{name}.cpp" for name in SOURCES] + [self.root / "tests/mutation_probe.cpp"]
        self.whole = folder / "whole"
        self.program = self._build(self.units, self.whole)

    def spoilt(self, mutant: Mutant) -> Path:
        """Builds with one line changed; returns the program."""
        file = self.root / mutant.file
        text = file.read_text()
        assert text.count(mutant.line) == 1, f"{mutant.file} must have this line exactly once: {mutant.line}"
        stale = [unit for unit in self.units if str(file) in (self.whole / f"{unit.stem}.d").read_text().split()]
        assert stale, f"nothing is built from {mutant.file}"
        file.write_text(text.replace(mutant.line, mutant.spoilt))
        try:
            return self._build(stale, self.whole.with_name(mutant.name))
        finally:
            file.write_text(text)

    def _build(self, stale: list[Path], objects: Path) -> Path:
        objects.mkdir()
        flags = ("-std=c++20", "-O1", "-MMD", "-pthread", f"-I{self.root / 'include'}", f"-I{self.root / 'schedulers'}")
        with ThreadPoolExecutor(os.cpu_count()) as pool:
            list(pool.map(lambda unit: compiler(*flags, "-c", str(unit), "-o", str(objects / f"{unit.stem}.o")), stale))
        linked = [(objects if unit in stale else self.whole) / f"{unit.stem}.o" for unit in self.units]
        program = objects / "probe"
        compiler("-pthread", *map(str, linked), "-o", str(program))
        return program


def compiler(*arguments: str) -> None:
    done = subprocess.run([os.environ.get("CXX", "g++"), *arguments], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr


@pytest.fixture(scope="module")
def build(tmp_path_factory: pytest.TempPathFactory) -> Build:
    if shutil.which(os.environ.get("CXX", "g++")) is None:
        pytest.skip("no C++ compiler")
    return Build(tmp_path_factory.mktemp("mutants"))


def verdict(program: Path, hang_after_s: int = 20) -> str:
    code = subprocess.run([str(program), str(hang_after_s)], capture_output=True, check=False, timeout=120).returncode
    return {0: "whole", 1: WRONG, -signal.SIGALRM: HANG}.get(code, f"exit {code}")


def test_the_unspoilt_runtime_passes(build: Build) -> None:
    assert verdict(build.program) == "whole"


CHOSEN = [mutant for mutant in MUTANTS if mutant.daily or "WEIR_STRESS" in os.environ]


@pytest.mark.parametrize("mutant", CHOSEN, ids=lambda mutant: mutant.name)
def test_mutant_is_caught(build: Build, mutant: Mutant) -> None:
    program = build.spoilt(mutant)
    if mutant.caught_by == NOT_WHOLE:  # it may end in any way, but not well
        assert any(verdict(program, HANG_AFTER_S) != "whole" for _ in range(CHANCES))
    else:
        assert verdict(program, HANG_AFTER_S) == mutant.caught_by
