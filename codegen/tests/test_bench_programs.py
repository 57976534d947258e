"""The programs of bench/bare: what they print, where they run, and that the hand-written chain and pipeline compute."""

from __future__ import annotations

import json
import os
import subprocess
import time
from collections.abc import Callable
from dataclasses import fields
from pathlib import Path

import pytest
from planning import EXAMPLES
from processes import of_threads
from weir.model.planning.speeds import Speeds

pytestmark = pytest.mark.slow
BENCH = EXAMPLES.parent / "bench"
CPUS = sorted(os.sched_getaffinity(0))


@pytest.fixture(scope="module")
def programs(tmp_path_factory: pytest.TempPathFactory) -> list[dict]:
    """kernels.json of a build, with whole paths."""
    folder = tmp_path_factory.mktemp("bare")
    for command in (["cmake", "-S", BENCH, "-B", folder], ["cmake", "--build", folder, "--parallel", len(CPUS)]):
        subprocess.run([*map(str, command)], check=True, capture_output=True)
    listed = json.loads((folder / "kernels.json").read_text())
    return [{**one, "file": folder / one["file"]} for one in listed]


def said(program: Path, *words: object) -> subprocess.CompletedProcess:
    return subprocess.run([program, *map(str, words)], capture_output=True, text=True, check=False)


def test_each_width_is_a_program_with_the_flags_of_generated_projects(programs: list[dict]) -> None:
    target = json.loads((EXAMPLES.parent / "templates/cpp_app/target.json").read_text())
    assert "-ffp-contract=off" in json.dumps(target)
    widths = [one["vector_bits"] for one in programs]
    assert widths in ([256, 512], [256], [512], [0])
    for one in programs:
        wide = f" -mprefer-vector-width={one['vector_bits']}" if one["vector_bits"] else ""
        assert one["flags"] == "-O3 -march=native -ffp-contract=off" + wide
        assert json.loads(said(one["file"], "saxpy", "--seconds", 0.01).stdout)["vector_bits"] == one["vector_bits"]


def test_the_speeds_of_this_machine_are_of_a_kind(programs: list[dict]) -> None:
    """No limits that a busy machine could break: only what no machine can have."""
    program = programs[0]["file"].with_name("speeds")
    found = json.loads(said(program, "--l1", 32768, "--l2", 524288, "--seconds", 0.1).stdout)
    assert {*found} | {"vector_bits"} == {field.name for field in fields(Speeds)}
    assert all(found[name] > 0 for name in ("step", "varying_step", "l1_kib", "l2_kib", "l3_kib"))
    assert all((found[name] is None) == (len(CPUS) == 1) for name in ("far_kib", "line", "wake"))
    assert found["varying_step"] > found["step"]
    assert all(said(program, *words).returncode == 2 for words in (["--l1"], ["--l1", 0], ["--l1", "x"], ["--l4", 1]))


def calls_to_drain(items: int) -> float:
    """Of copy_rand, on average: each takes 1 to 512 of what is left, all equally likely."""
    calls = [0.0]
    for left in range(1, items + 1):
        most = min(512, left)
        calls.append(1 + sum(calls[left - most:left]) / most)
    return calls[items]


def test_each_work_says_its_rate_and_its_buffers(programs: list[dict]) -> None:
    shape = ("--stages", 5, "--buffer", 8192, "--seconds", 0.05)
    expected = {("saxpy",): (16384, 32768), ("fma_peak",): (0, 0), ("null_rand", *shape): (8192, 6 * 7 * 8192),
                ("busy_work", "--workers", 3, "--buffer", 256, "--iterations", 10): (256, 3 * 2 * 256),
                ("chain", *shape): (8192, 2 * 8192)}
    if len(CPUS) > 1:
        expected["pipeline", "--slots", 3, *shape] = (3 * 8192, 3 * 8192 + 2 * 16384)
    for one in programs:
        for words, buffers in expected.items():
            it = json.loads(said(one["file"], *words).stdout)
            assert it["work"] == words[0] and it["items_per_s"] > 1e5 and it["cpu_s_per_s"] > 0
            assert (it["buffer_bytes"], it["total_buffer_bytes"]) == buffers
            calls = {"saxpy": 4096, "fma_peak": 0, "null_rand": 2048 / calls_to_drain(2048), "pipeline": 2048,
                     "busy_work": 64, "chain": 2048}
            assert it["items_per_call"] == pytest.approx(calls[words[0]], rel=0.005)


@pytest.mark.parametrize(("stages", "buffer"), [(1, 16384), (2, 4), (6, 11264), (3, 20000)])
def test_the_chain_computes_what_its_stages_do_one_by_one(programs: list[dict], stages: int, buffer: int) -> None:
    for one in programs:
        done = said(one["file"], "chain", "--check", 1, "--stages", stages, "--buffer", buffer)
        assert (done.returncode, json.loads(done.stdout)) == (0, {"work": "chain", "right": True})


@pytest.mark.skipif(len(CPUS) < 2, reason="a pipeline is of two CPUs")
@pytest.mark.parametrize("stages", [2, 3, 6])
@pytest.mark.parametrize(("slots", "buffer"), [(1, 16384), (3, 16384), (8, 65536), (3, 20000), (2, 4)])
def test_the_pipeline_computes_what_its_stages_do_one_by_one(programs: list[dict], stages: int, slots: int,
                                                             buffer: int) -> None:
    """With slots that are no whole tiles, or less than one, too."""
    for one in programs:
        done = said(one["file"], "pipeline", "--check", 1, "--stages", stages, "--slots", slots, "--buffer", buffer)
        assert (done.returncode, json.loads(done.stdout)) == (0, {"work": "pipeline", "right": True})


def _threads_cpus(pid: int) -> list[str]:
    return [status.partition("Cpus_allowed_list:")[2].split()[0] for status in of_threads(pid, "status")]


def _seen(program: Path, cpus: list[int], enough: Callable[[list[str]], bool]) -> list[str]:
    """The CPUs of the threads of a run of null_rand, as soon as they are as wanted; at its end, as they are."""
    with subprocess.Popen([program, "null_rand", "--seconds", "5", "--stages", "2"], stdout=subprocess.DEVNULL,
                          preexec_fn=lambda: os.sched_setaffinity(0, cpus)) as running:
        try:
            deadline = time.monotonic() + 4
            while not enough(found := _threads_cpus(running.pid)) and time.monotonic() < deadline:
                time.sleep(0.01)
            return found
        finally:
            running.kill()


def test_pipes_run_on_the_cpus_that_are_allowed(programs: list[dict]) -> None:
    """Not on CPU w for worker w."""
    last = CPUS[-1]
    found = _seen(programs[0]["file"], [last], lambda it: len(it) == 2)
    assert found == [str(last)] * 2
    if len(CPUS) > 1:
        pair = CPUS[-2:]
        wanted = {*map(str, pair)}
        assert wanted <= set(_seen(programs[0]["file"], pair, lambda it: wanted <= set(it)))


@pytest.mark.parametrize(("words", "why"), [
    ([], "what to run?"), (["dance"], "unknown work dance"), (["saxpy", "--cpu", "0"], "unknown option --cpu"),
    (["saxpy", "--seconds"], "--seconds wants a number"), (["saxpy", "--seconds", "0.1x"], "0.1x is none"),
    (["saxpy", "--seconds", "nan"], "nan is none"), (["saxpy", "--buffer", "-4"], "-4 is none"),
    (["saxpy", "--buffer", "6"], "whole items"), (["pipeline", "--stages", "1"], "2 stages or more"),
    (["null_rand", "--stages", "0.5"], "1 or more"), (["chain", "--stages", "0.5"], "1 or more"),
    (["busy_work", "--iterations", "0.5"], "1 or more"), (["busy_work", "--workers", "2000"], "1 to 1024"),
    (["pipeline", "--slots", "0.5"], "1 slot or more")])
def test_what_makes_no_sense_is_refused(programs: list[dict], words: list[str], why: str) -> None:
    done = said(programs[0]["file"], *words)
    assert done.returncode == 2 and why in done.stderr and not done.stdout
