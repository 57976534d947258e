"""A runtime with one line spoilt must be caught: each mutant either gives a wrong answer or hangs in
`mutation_probe.cpp`.
"""

from __future__ import annotations

import os
import signal
import subprocess
from dataclasses import dataclass
from pathlib import Path

import pytest
from spoilt_runtime import Build, Change

PROBE = "mutation_probe"
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


WORKED = "const WorkResult result = block_.work(std::get<I>(ins)..., std::get<O>(outs)...);"
HALF = "out.produced() / 2"

MUTANTS = (
    Mutant("drop_the_tail", "include/weir/node.hpp",
           "Base::commit(ins_, read, outs_, written);",
           "if (result.status != WorkStatus::done) Base::commit(ins_, read, outs_, written);",
           WRONG, daily=True),
    Mutant("swap_two_chunks", "include/weir/hosted.hpp", WORKED,
           f"{WORKED} ([](auto& out) {{ std::swap_ranges(out.data(), out.data() + {HALF}, out.data() + {HALF}); }}"
           f"(std::get<O>(outs)), ...);",
           WRONG),
    Mutant("duplicate_a_chunk", "include/weir/hosted.hpp", WORKED,
           f"{WORKED} ([](auto& out) {{ std::copy_n(out.data(), {HALF}, out.data() + {HALF}); }}(std::get<O>(outs)), "
           f"...);",
           WRONG),
    Mutant("forget_a_call_that_follows", "include/weir/node.hpp",
           "(std::get<O>(outs).move(std::get<O>(out_views).produced()), ...);", "", WRONG, daily=True),
    Mutant("read_a_chunk_twice", "include/weir/ports.hpp",
           "stream->consume(*reader, news);",
           "static thread_local int calls = 0; if (++calls % 5 != 0) stream->consume(*reader, news);",
           WRONG),
    Mutant("lose_the_wake_up_of_space", "include/weir/stream.hpp",
           "void wake_writer() noexcept { gets_space_->wake(); }", "void wake_writer() noexcept {}", HANG, daily=True),
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
           "if (job.state_.wake()) put(job, this_worker);", "static_cast<void>(job.state_.wake());", HANG),
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


CHOSEN = [mutant for mutant in MUTANTS if mutant.daily or "WEIR_STRESS" in os.environ]


@pytest.mark.parametrize("mutant", CHOSEN, ids=lambda mutant: mutant.name)
def test_mutant_is_caught(build: Build, mutant: Mutant) -> None:
    program = spoilt(build, mutant)
    if mutant.caught_by == NOT_WHOLE:  # it may end in any way, but not well
        assert any(verdict(program, HANG_AFTER_S) != "whole" for _ in range(CHANCES))
    else:
        assert verdict(program, HANG_AFTER_S) == mutant.caught_by
