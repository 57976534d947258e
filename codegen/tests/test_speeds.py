"""Test the speeds of a machine: which measurements are accepted, what is kept, and for which machine."""

from __future__ import annotations

import json
import shutil
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest
from planning import MACHINES, machine
from weir import cli
from weir.diagnostics import WeirError
from weir.engine.measuring import speeds as keeping
from weir.lab import speeds as measuring
from weir.model.document import jsontext
from weir.model.planning.machine import Machine, read_machine
from weir.model.planning.speeds import ASSUMED

QUIET = {"step": 34.123456, "varying_step": 210, "l1_kib": 16, "l2_kib": 22, "l3_kib": 28, "far_kib": 110, "line": 270,
         "wake": 3e4}
SOME = replace(ASSUMED, step=20, line=99)
ONE_WIDTH = {0: Path("saxpy")}


@pytest.fixture
def here(alone: Path) -> Machine:
    return machine("two_core")


def processes(monkeypatch: pytest.MonkeyPatch, answers: Iterator[dict]) -> list[tuple]:
    """Return the program's answers, one process after the other, and record the commands."""
    asked: list[tuple] = []

    def output(command, cpus):
        asked.append((*map(str, command), tuple(cpus)))
        return json.dumps(next(answers))

    monkeypatch.setattr(measuring, "output", output)
    return asked


def test_the_programs_are_built_and_say_what_is_asked_of_them() -> None:
    widths = measuring._built(lambda _: None)
    assert widths and all(float(measuring.output([program, 0.01])) > 0 for program in widths.values())
    found = json.loads(measuring.output([measuring.FOLDER / "speeds", "--seconds", 0.05]))
    assert found.keys() == QUIET.keys() and found["step"] > 0


def test_a_machine_with_speeds_round_trips_through_its_file_and_is_another_one(here: Machine, tmp_path: Path) -> None:
    file = tmp_path / "machine.json"
    fast = replace(here, measured=SOME)
    file.write_text(jsontext.write(fast.as_json()))
    assert read_machine(file) == fast and fast.hash != here.hash
    assert fast.speeds == SOME and here.speeds == ASSUMED and "speeds" not in here.as_json()


def test_a_machine_file_from_before_items_of_another_core_were_measured(here: Machine, tmp_path: Path) -> None:
    file = tmp_path / "machine.json"
    speeds = {name: ns for name, ns in SOME.as_json().items() if name != "far_kib"}
    file.write_text(jsontext.write({**here.as_json(), "speeds": speeds}))
    assert read_machine(file).speeds == replace(SOME, far_kib=SOME.l3_kib)


@pytest.mark.parametrize("speeds", [{}, {**SOME.as_json(), "step": 0}, {**SOME.as_json(), "more": 1}, 3])
def test_a_machine_file_with_odd_speeds_is_refused(here: Machine, tmp_path: Path, speeds: object) -> None:
    file = tmp_path / "machine.json"
    file.write_text(jsontext.write({**here.as_json(), "speeds": speeds}))
    with pytest.raises(WeirError):
        read_machine(file)


def test_what_was_measured_is_kept_for_this_machine_alone(here: Machine) -> None:
    assert keeping.with_kept(here) == here
    keeping.keep(here, SOME)
    assert keeping.with_kept(here).measured == SOME
    fewer = replace(here, allowed=here.allowed[:1])
    smaller = replace(here, caches=tuple(replace(it, bytes=it.bytes // 2) for it in here.caches))
    assert keeping.with_kept(fewer) == fewer and keeping.with_kept(smaller) == smaller


@pytest.mark.parametrize("source", ["bench/CMakeLists.txt", "bench/speeds/speeds.cpp", "runtime/include/weir/node.hpp",
                                    "runtime/src/stream.cpp"])
def test_another_program_measures_again(here: Machine, alone: Path, monkeypatch: pytest.MonkeyPatch,
                                        source: str) -> None:
    for name in ("bench", "runtime"):
        shutil.copytree(keeping.ROOT / name, alone / "tree" / name, ignore=shutil.ignore_patterns("results", "tests"))
    monkeypatch.setattr(keeping, "ROOT", alone / "tree")
    keeping.keep(here, SOME)
    assert keeping.with_kept(here).measured == SOME
    with (alone / "tree" / source).open("a") as file:
        file.write("# another one")
    assert keeping.with_kept(here).measured is None


def test_another_compiler_measures_again(here: Machine, alone: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    keeping.keep(here, SOME)
    compiler = alone / "c++"
    compiler.write_text("#!/bin/sh")
    monkeypatch.setenv("CXX", str(compiler))
    assert keeping.with_kept(here).measured is None


@pytest.mark.parametrize("spoil", [
    lambda kept: "{",
    lambda kept: "[]",
    lambda kept: json.dumps({**kept, "key": "0" * 64}),
    lambda kept: json.dumps({"key": kept["key"]}),
    lambda kept: json.dumps({**kept, "speeds": {**kept["speeds"], "step": "fast"}}),
    lambda kept: json.dumps({**kept, "speeds": {**kept["speeds"], "l1_kib": 1000}}),
], ids=["cut", "list", "foreign", "empty", "text", "l1_behind_l2"])
def test_a_broken_or_foreign_file_does_not_count(here: Machine, alone: Path, spoil) -> None:
    keeping.keep(here, SOME)
    (file,) = (alone / "cache" / "weir" / "speeds").iterdir()
    file.write_text(spoil(json.loads(file.read_text())))
    assert keeping.with_kept(here) == here
    keeping.keep(here, SOME)
    assert keeping.with_kept(here).measured == SOME


def test_the_fastest_process_counts(here: Machine, monkeypatch: pytest.MonkeyPatch) -> None:
    disturbed = {name: 3 * ns for name, ns in QUIET.items()}
    by_a_neighbour = {**QUIET, "step": 80.5, "varying_step": 400}  # affects steps, but not the kernel within the caches
    asked = processes(monkeypatch, iter([by_a_neighbour, disturbed, by_a_neighbour, QUIET, by_a_neighbour]))
    found = measuring.measured(here, ONE_WIDTH, lambda _: None).measured
    assert (found.step, found.l1_kib, found.vector_bits) == (34.1, 16, 0)
    assert keeping.with_kept(here).measured == found
    assert {it[1:5] for it in asked} == {("--l1", str(here.l1d), "--l2", str(here.l2))}
    assert {it[-1] for it in asked} == {here.worker_cpus[:2]}


def test_between_two_cpus_the_median_counts_and_not_the_process_that_had_them_side_by_side(
        here: Machine, monkeypatch: pytest.MonkeyPatch) -> None:
    near = {**QUIET, "far_kib": 35, "line": 26}
    far = {**QUIET, "far_kib": 150, "line": 600}
    processes(monkeypatch, iter([near, QUIET, far, near, far]))
    found = measuring.measured(here, ONE_WIDTH, lambda _: None).measured
    assert (found.far_kib, found.line) == (110, 270)


def test_a_restless_machine_is_measured_again_and_not_believed(here: Machine, monkeypatch: pytest.MonkeyPatch) -> None:
    slow = {**QUIET, "l1_kib": 20, "l2_kib": 30, "l3_kib": 40}
    restless = [QUIET, slow, QUIET, slow, slow]
    asked = processes(monkeypatch, iter([*restless, *[QUIET] * 5]))
    assert measuring.measured(here, ONE_WIDTH, lambda _: None).measured.l1_kib == 16 and len(asked) == 10
    keeping.keep(here, SOME)
    processes(monkeypatch, iter(restless * measuring.SERIES))
    with pytest.raises(WeirError, match="changes its speed"):
        measuring.measured(here, ONE_WIDTH, lambda _: None)
    assert keeping.with_kept(here).measured == SOME


def test_the_width_of_vectors_is_that_of_the_better_median() -> None:
    rates = {Path("narrow"): iter([9.0, 3.0, 3.0, 3.0, 3.0]), Path("wide"): iter([1.0, 4.0, 4.0, 4.0, 4.0])}
    assert measuring.faster({256: Path("narrow"), 512: Path("wide")}, lambda program: next(rates[program])) == 512


def test_one_cpu_has_nothing_that_crosses(monkeypatch: pytest.MonkeyPatch, alone: Path) -> None:
    processes(monkeypatch, iter([{**QUIET, "far_kib": None, "line": None, "wake": None}] * measuring.PROCESSES))
    found = measuring.measured(machine("one_cpu"), ONE_WIDTH, lambda _: None).measured
    assert (found.far_kib, found.line, found.wake) == (ASSUMED.far_kib, ASSUMED.line, ASSUMED.wake)


def test_caches_that_get_faster_outwards_are_not_believed() -> None:
    assert measuring.summed_up([{**QUIET, "l3_kib": 10}] * 5, 0) is None
    assert measuring.summed_up([QUIET] * 5, 512).vector_bits == 512


def test_topology_tells_what_plans_are_made_with(here: Machine, alone: Path, capsys: pytest.CaptureFixture,
                                                 monkeypatch: pytest.MonkeyPatch) -> None:
    assert cli.main(["doctor", "--topology", "--machine", str(MACHINES / "two_core.json")]) == 0
    assert "speeds, assumed" in capsys.readouterr().out
    file = alone / "fast.json"
    file.write_text(jsontext.write(replace(here, measured=SOME).as_json()))
    assert cli.main(["doctor", "--topology", "--machine", str(file)]) == 0
    assert "speeds, measured: a step 20 ns" in capsys.readouterr().out
    with pytest.raises(SystemExit, match="2"):
        cli.main(["doctor", "--topology", "--machine", str(file), "--measure"])


def test_this_machine_is_planned_for_with_what_is_kept_of_it(alone: Path, capsys: pytest.CaptureFixture) -> None:
    from weir.model.planning.topology import this_machine

    example = str(MACHINES.parents[2] / "examples" / "saxpy_chain.weir.json")

    def speeds() -> str:
        assert cli.main(["plan", example, "--json"]) == 0
        return json.loads(capsys.readouterr().out)["predicted"]["speeds"]

    assert speeds() == "assumed"
    keeping.keep(this_machine(), SOME)
    assert speeds() == "measured"
