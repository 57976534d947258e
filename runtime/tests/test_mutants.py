"""Test that the checks catch each mutant of the runtime, which has one changed line.

A mutant gives a wrong result or hangs in `mutation_probe.cpp`, or relacy finds such an execution of `check_orders.cpp`.
"""

from __future__ import annotations

import os
import shutil
import signal
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

import pytest
from spoilt_runtime import RUNTIME, Build, Change
from test_orders import EXECUTIONS, FAULT, check
from test_orders import PROBE as ORDERS

PROBE = "mutation_probe"
WRONG, HANG, NOT_WHOLE = "wrong", "hang", "not whole"
HANG_AFTER_S = 3
#: Attempts: an error needs two workers that meet in one block, which does not happen in every attempt.
CHANCES = 20


@dataclass(frozen=True)
class Mutant:
    """Runtime with one changed line. `daily`: also run without WEIR_STRESS, which `weir test --all` sets; each needs a
    build.
    """

    name: str
    file: str
    line: str
    spoilt: str
    caught_by: str
    daily: bool = False


WORKED = "const WorkResult result = with_all(ins, outs, [this](auto&... views) { return block_.work(views...); });"
HALF = "out.produced() / 2"

MUTANTS = (
    Mutant("drop_the_tail", "include/weir/node.hpp",
           "Base::commit(ins_, read, outs_, written);",
           "if (result.status != WorkStatus::done) Base::commit(ins_, read, outs_, written);",
           WRONG, daily=True),
    Mutant("swap_two_chunks", "include/weir/hosted.hpp", WORKED,
           f"{WORKED} each(outs, [](auto& out) {{"
           f" std::swap_ranges(out.data(), out.data() + {HALF}, out.data() + {HALF}); }});",
           WRONG),
    Mutant("duplicate_a_chunk", "include/weir/hosted.hpp", WORKED,
           f"{WORKED} each(outs, [](auto& out) {{ std::copy_n(out.data(), {HALF}, out.data() + {HALF}); }});",
           WRONG),
    Mutant("forget_a_call_that_follows", "include/weir/node.hpp",
           "(std::get<O>(outs).move(std::get<O>(out_views).produced()), ...);", "", WRONG, daily=True),
    Mutant("read_a_chunk_twice", "include/weir/ports.hpp",
           "stream->consume(*reader, news);",
           "static thread_local int calls = 0; if (++calls % 5 != 0) stream->consume(*reader, news);",
           WRONG),
    Mutant("lose_the_wake_up_of_space", "include/weir/stream.hpp",
           "void wake_writer(const Fenced& fenced) noexcept { gets_space_->wake(fenced); }",
           "void wake_writer(const Fenced&) noexcept {}", HANG, daily=True),
    Mutant("lose_the_wake_up_of_done", "include/weir/ports.hpp",
           "if (stream->wakes_writer()) ++unheard;", "", HANG),
    Mutant("lose_the_wake_up_of_a_running_task", "include/weir/task_state.hpp",
           "if (value != Value::idle && value != Value::running) return false;",
           "if (value != Value::idle) return false;", HANG),
    Mutant("rest_without_a_look_at_rerun", "include/weir/task_state.hpp",
           "if (value_.compare_exchange_strong(running, Value::idle, std::memory_order_seq_cst)) return true;",
           "value_.store(Value::idle, std::memory_order_seq_cst); if (running == Value::running) return true;", HANG,
           daily=True),
    Mutant("wake_without_a_queue", "src/job_pool.cpp",
           "if (job.state_.wake(fenced)) put(job, this_worker);", "static_cast<void>(job.state_.wake(fenced));",
           HANG),
    Mutant("claim_what_another_worker_has", "include/weir/task_state.hpp",
           "return value_.compare_exchange_strong(queued, Value::running, std::memory_order_seq_cst);",
           "value_.store(Value::running, std::memory_order_seq_cst); return queued == Value::queued;", NOT_WHOLE),
)


def spoilt(build: Build, mutant: Mutant) -> Path:
    return build.spoilt(PROBE, mutant.name, Change(mutant.file, mutant.line, mutant.spoilt))


def verdict(program: Path, hang_after_s: int = 20) -> str:
    code = subprocess.run([str(program), str(hang_after_s)], capture_output=True, check=False, timeout=120).returncode
    return {0: "whole", 1: WRONG, -signal.SIGALRM: HANG}.get(code, f"exit {code}")


def test_the_unspoilt_runtime_passes(build: Build) -> None:
    assert verdict(build.whole(PROBE)) == "whole"


#: Only a forged object can replace a `Fenced` without a fence.
FORGED = "reinterpret_cast<const Fenced&>(*this)"

#: Mutants that a case of `check_orders.cpp` catches.
WAKING = (
    Mutant("no_fence_before_waking_in_a_turn", "include/weir/ports.hpp",
           "if (unheard >= stream->batch() && stream->has_writer_at_hand()) wake(fence_before_waking());",
           f"if (unheard >= stream->batch() && stream->has_writer_at_hand()) wake({FORGED});", "ports_at_hand",
           daily=True),
    Mutant("no_fence_before_waking_whose_turn_it_is", "include/weir/stretch.hpp",
           "wake(fence_before_waking());", f"wake({FORGED});", "turn"),
    Mutant("wake_before_the_turn_is_passed", "include/weir/stretch.hpp",
           "pass();\n        wake(fence_before_waking());", "wake(fence_before_waking());\n        pass();", "turn"),
    Mutant("load_the_index_before_the_end", "include/weir/stream.hpp",
           "reader.known_ended = ended_.load(std::memory_order_seq_cst);\n        yield_point();\n"
           "        reader.known_write = write_.load(std::memory_order_seq_cst);",
           "reader.known_write = write_.load(std::memory_order_seq_cst);\n"
           "        reader.known_ended = ended_.load(std::memory_order_seq_cst);", "ports_at_hand"),
    Mutant("round_the_space_up_over_unread_items", "src/stream.cpp",
           "(known_read_ + capacity_) / aligned_items() * aligned_items());",
           "round_up(known_read_ + capacity_, aligned_items()));", "ports_aligned"),
)

CHOSEN = [mutant for mutant in MUTANTS if mutant.daily or "WEIR_STRESS" in os.environ]


@pytest.mark.parametrize("mutant", CHOSEN, ids=lambda mutant: mutant.name)
def test_mutant_is_caught(build: Build, mutant: Mutant) -> None:
    program = spoilt(build, mutant)
    if mutant.caught_by == NOT_WHOLE:  # it may end in any way except success
        assert any(verdict(program, HANG_AFTER_S) != "whole" for _ in range(CHANCES))
    else:
        assert verdict(program, HANG_AFTER_S) == mutant.caught_by


@pytest.mark.parametrize("mutant", [mutant for mutant in WAKING if mutant.daily or "WEIR_STRESS" in os.environ],
                         ids=lambda mutant: mutant.name)
def test_mutant_that_misses_a_sleeper_is_found_by_relacy(checker: Build, mutant: Mutant) -> None:
    program = checker.spoilt(ORDERS, mutant.name, Change(mutant.file, mutant.line, mutant.spoilt))
    assert check(program, mutant.caught_by, str(EXECUTIONS)).returncode == FAULT


def test_what_has_not_passed_a_fence_does_not_compile(checker: Build) -> None:
    with pytest.raises(AssertionError, match="private"):
        checker.spoilt(ORDERS, "no_fence",
                       Change("include/weir/stretch.hpp", "wake(fence_before_waking());", "wake(Fenced());"))


def test_a_hop_without_its_minimum_is_caught(tmp_path: Path) -> None:
    codegen, copy = RUNTIME.parent / "codegen", tmp_path / "codegen"
    shutil.copytree(codegen / "weir", copy / "weir", ignore=shutil.ignore_patterns("__pycache__"))
    for name in ("pyproject.toml", "tests/conftest.py", "tests/test_latency.py"):
        (copy / name).parent.mkdir(exist_ok=True)
        shutil.copy(codegen / name, copy / name)
    spoilt, line = copy / "weir/engine/measuring/latency.py", "    entry = np.minimum(entry, stop)\n"
    text = spoilt.read_text()
    assert text.count(line) == 1
    spoilt.write_text(text.replace(line, ""))
    done = subprocess.run([sys.executable, "-m", "pytest", "-q", "tests/test_latency.py", "-k", "hop or sends"],
                          cwd=copy, capture_output=True, text=True, check=False, timeout=300)
    assert done.returncode == 1 and "1 failed" in done.stdout, done.stdout
