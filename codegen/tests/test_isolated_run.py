"""Test runs that isolate CPUs and have an interference load: only the program runs there, and all is restored."""

from __future__ import annotations

import csv
import json
import os
import random
import signal
import sys
import time
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest
from isolated_machines import Own, groups_here, in_memory, journal_folder, journals  # noqa: F401
from processes import descendants
from stored_runs import EXAMPLES, planned, store
from target_world import TARGETS, small, weir, written
from test_isolate_killed import affinities, forked, others, several  # noqa: F401
from weir.diagnostics import WeirError
from weir.engine.measuring import isolated_run
from weir.engine.measuring.listener import Listener
from weir.engine.measuring.run_directory import load_run
from weir.engine.measuring.runnable import Runnable, RunOptions
from weir.engine.measuring.runner import run_all
from weir.engine.targets.interface import Program
from weir.machine import environment
from weir.machine.environment import timer_hz
from weir.machine.isolating import recovering
from weir.machine.isolating.session import restore
from weir.machine.processes import start_time
from weir.model.document.deployment import Deployment, InterferenceSettings, Isolate
from weir.model.planning.isolation_check import chosen_on
from weir.model.planning.topology import this_machine, write_list
from weir.read.comparing.work import _machine
from weir.read.reporting.sections import environments

LAST = max(os.sched_getaffinity(0))
ALL = os.sched_getaffinity(0)
pytestmark = pytest.mark.usefixtures("state")

#: Writes the given results, and the CPUs on which it and other processes run. It first waits until the runner, which
#: starts it from the isolated CPUs, has left these.
PROGRAM = """#!{python}
import json, os, sys, time
from pathlib import Path
def where(pid):
    return sorted(os.sched_getaffinity(pid))
limit = time.monotonic() + 5
while where(0) == where(os.getppid()) == {last} and time.monotonic() < limit:
    time.sleep(0.01)
Path("where.json").write_text(json.dumps({{
    "argv": sys.argv[1:], "own": where(0), "parent": where(os.getppid()), "others": [where(pid) for pid in {pids}],
    "group": Path("/proc/self/cgroup").read_text()}}))
time.sleep({seconds})
Path("results.json").write_bytes(Path({results!r}).read_bytes())
"""


class Bench:
    """Runs of one deployment on this machine, as far as its processes are ours."""

    def __init__(self, folder: Path, pids: tuple[int, ...], groups: Callable[[], set[str]]) -> None:
        self.folder, self.pids, self.groups, self.said = folder, pids, groups, []
        results = json.loads((store(folder / "before") / "results.json").read_text())
        (folder / "results").write_text(json.dumps({**results, "interference": None}))

    def run(self, *, seconds: float = 0, points: int = 1, **asked) -> dict:
        """Return the files of its run directory; where.json has what the program saw. `points`: number of points."""
        program = self.folder / "program"
        program.write_text(PROGRAM.format(python=sys.executable, pids=self.pids, seconds=seconds, last=[LAST],
                                          results=str(self.folder / "results")))
        program.chmod(0o755)
        checked, plan, machine = planned(EXAMPLES / "quickstart.weir.json")
        environments = [isolated_run.isolation_for(Deployment("d", "flow", **asked), this_machine())
                        for _ in range(points)]
        them = [Runnable(checked.project.document, EXAMPLES, plan, machine.as_json(), Program.of(program), {},
                         "weir run",
                         **({"run_environment": it} if it else {})) for it in environments]
        finished, *_ = run_all(them, RunOptions(self.folder / "runs", trace="off"), Listener(self.said.append))
        return {**{name: json.loads((finished.path / f"{name}.json").read_text()) for name in ("results", "run")},
                "where": json.loads((finished.path / "where.json").read_text())}


@pytest.fixture
def bench(tmp_path, others, groups_here, monkeypatch) -> Bench:  # noqa: F811
    monkeypatch.setattr(isolated_run, "Machine", lambda: Own(pids=others))
    monkeypatch.setattr(recovering, "Machine", lambda: Own(pids=others))
    return Bench(tmp_path, others, groups_here)


def reasons(results: dict) -> dict[str, str]:
    return {one["code"]: one["message"] for one in results["reasons"]}


@several
def test_the_program_has_the_cpus_and_nobody_else_the_runner_neither(bench):
    before, groups = affinities(bench.pids), bench.groups()
    made = bench.run(isolate=Isolate((LAST,), False, "keep"))
    left = sorted(ALL - {LAST})
    assert (made["where"]["own"], made["where"]["parent"]) == ([LAST], left)
    assert made["where"]["others"] == [left] * len(bench.pids)
    assert "--beside" not in made["where"]["argv"] and made["results"]["interference"] is None
    assert made["run"]["isolation"]["cpus"] == str(LAST) and made["run"]["isolation"]["tasks"] >= len(bench.pids)
    assert affinities(bench.pids) == before and bench.groups() == groups and os.sched_getaffinity(0) == ALL
    assert any(line.startswith(f"isolates CPU {LAST}") for line in bench.said)


@several
def test_loops_are_beside_an_isolated_run_too_and_are_no_others(bench):
    groups = bench.groups()
    made = bench.run(isolate=Isolate((LAST,), False, "keep"), interference=InterferenceSettings(2), seconds=0.3)
    told = made["results"]["interference"]
    [listed] = [words for option, words in zip(made["where"]["argv"], made["where"]["argv"][1:])
                if option == "--beside"]
    assert len(listed.split(",")) == 2 and told["granted"]["cpus"] == sorted(ALL)
    assert told["granted"]["loops"] == 2 and told["granted"]["cpu_time_s"] > 0.1
    assert not any(Path(f"/proc/{pid}").exists() for pid in listed.split(",")) and bench.groups() == groups


@several
@pytest.mark.parametrize("affinity", [{}, {"w0": (LAST,)}])
def test_loops_are_on_isolated_cpus_too_where_the_workers_are(bench, affinity):
    first = min(ALL)
    here = replace(this_machine(), allowed=(first,), isolated=(LAST,))
    asked = Deployment("d", "flow", affinity=affinity, interference=InterferenceSettings(1))
    with isolated_run.isolation_for(asked, here)(bench.said.append) as it:
        assert os.sched_getaffinity(it.beside[0]) == {first, *affinity.get("w0", ())}


def test_what_is_not_granted_is_a_warning_or_invalid_where_it_is_required(bench, monkeypatch):
    monkeypatch.setattr(isolated_run.groups, "found", lambda *_: None)
    monkeypatch.setattr("weir.machine.isolating.interference.groups.found", lambda *_: None)
    asked = {"interference": InterferenceSettings(1, 0.5)}
    warned = bench.run(**asked)["results"]
    assert warned["status"] == "ok" and "a limit of 0.5" in " ".join(
        one["message"] for one in warned["reasons"] if one["code"] == "W_NOT_GRANTED")
    required = bench.run(**asked, require=("interference",))["results"]
    assert required["status"] == "invalid" and reasons(required)["E_NOT_GRANTED"].startswith("interference load: ")


@several
def test_tasks_that_cannot_be_moved_are_reported_and_make_a_run_invalid_that_requires_it(bench, monkeypatch):
    class Powerless(Own):
        def set_affinity(self, tid, cpus):
            if tid != os.getpid():
                raise PermissionError(1, "Operation not permitted")
            super().set_affinity(tid, cpus)

    monkeypatch.setattr(isolated_run, "Machine", lambda: Powerless(pids=bench.pids))
    asked = {"isolate": Isolate((LAST,), False, "keep")}
    warned = bench.run(**asked)
    assert warned["results"]["status"] == "ok" and warned["where"]["own"] == [LAST]
    assert "tasks: Operation not permitted" in reasons(warned["results"])["W_NOT_GRANTED"]
    assert "E_NOT_GRANTED" in reasons(bench.run(**asked, require=("isolation",))["results"])


@several
def test_what_the_machine_cannot_do_is_a_note_and_a_governor_that_is_requested_is_more(bench):
    if Path(f"/sys/devices/system/cpu/cpu{LAST}/cpufreq").exists():
        pytest.skip("the frequency of this CPU is set")
    noted = bench.run(isolate=Isolate((LAST,)))["results"]
    assert noted["status"] == "ok" and "does not control their frequency" in reasons(noted)["N_ISOLATION"]
    asked = bench.run(isolate=Isolate((LAST,), False, "performance"), require=("isolation",))["results"]
    assert asked["status"] == "invalid" and "governor" in reasons(asked)["E_NOT_GRANTED"]


@several
def test_what_is_the_same_around_many_runs_is_said_once(bench):
    bench.run(points=3, interference=InterferenceSettings(1))
    assert len([line for line in bench.said if "loop" in line]) == 1, bench.said


@several
def test_within_an_isolation_none_is_made_and_other_cpus_are_refused(bench, monkeypatch):
    outer = {"id": "0" * 16, "cpus": str(LAST), "refused": []}
    monkeypatch.setattr(environment, "isolation", lambda: outer)
    before = affinities(bench.pids)
    with isolated_run.isolation_for(Deployment("d", "flow", isolate=Isolate((LAST,))),
                             this_machine())(bench.said.append) as it:
        assert affinities(bench.pids) == before and it.isolation == outer
    assert bench.said == [f"running inside an isolation of CPU {LAST}: Weir starts no second isolation"]
    other = min(ALL)
    with pytest.raises(WeirError, match=f"isolates CPU {other}, but runs inside an isolation of CPU {LAST}"):
        isolated_run.isolation_for(Deployment("d", "flow", isolate=Isolate((other,))), this_machine())(str).__enter__()


@several
def test_two_at_once_are_refused_by_name(bench, state):
    enter = isolated_run.isolation_for(Deployment("d", "flow", isolate=Isolate((LAST,))), this_machine())
    with enter(str):
        seen = affinities(bench.pids)
        with pytest.raises(WeirError, match=f"process {os.getpid()} isolates CPUs {LAST}"):
            enter(str).__enter__()
        with pytest.raises(WeirError, match="isolates CPUs"):
            bench.run(interference=InterferenceSettings(1))
        assert affinities(bench.pids) == seen
    assert journals(state) == []


def killed(bench: Bench, rng: random.Random, times: int) -> int:
    """Return how often something was changed at the moment of the kill."""
    before, groups, changed = affinities(bench.pids), bench.groups(), 0

    def once() -> int:
        # Only its journal matters, not its output.
        bench.run(isolate=Isolate((LAST,), False, "keep"), interference=InterferenceSettings(2, 0.5), seconds=0.05)
        return 0

    began = time.monotonic()
    assert os.waitpid(forked(once), 0)[1] == 0
    whole = time.monotonic() - began
    for _ in range(times):
        child = forked(once)
        time.sleep(rng.uniform(0, whole))
        left = list(descendants(child))
        os.kill(child, signal.SIGKILL)
        os.waitpid(child, 0)
        changed += affinities(bench.pids) != before
        gone(left)
        restore(Own(pids=bench.pids), lambda _: None)
        assert affinities(bench.pids) == before and bench.groups() == groups
    return changed


def gone(pids: list[int]) -> None:
    deadline = time.monotonic() + 5
    while any(start_time(pid) is not None for pid in pids):
        assert time.monotonic() < deadline, "a loop, or the program, is left"
        time.sleep(0.005)


@several
def test_killed_at_random_moments_a_run_leaves_nothing(bench):
    killed(bench, random.Random(5), 4)


@several
@pytest.mark.slow
def test_killed_at_twenty_random_moments_a_run_leaves_nothing(bench):
    assert killed(bench, random.Random(20), 20)


@several
def test_the_next_verb_that_runs_puts_back_what_a_kill_left_and_says_so(bench, state, tmp_path, capsys):
    before = affinities(bench.pids)

    def dies() -> int:
        deployment = Deployment("d", "flow", isolate=Isolate((LAST,), False, "keep"),
                                interference=InterferenceSettings(1))
        with isolated_run.isolation_for(deployment, this_machine())(str):
            os.kill(os.getpid(), signal.SIGKILL)
        return 1

    os.waitpid(forked(dies), 0)
    assert affinities(bench.pids) != before and len(journals(state)) == 1
    assert weir("run", written(tmp_path, small()), "--target-path", TARGETS, "--out", tmp_path / "r") == 0
    assert "an isolation was killed before it could undo its changes" in capsys.readouterr().err
    assert affinities(bench.pids) == before and journals(state) == []


@several
def test_a_sweep_varies_the_loops_their_limit_and_the_environment(bench, tmp_path):
    project = written(tmp_path, small())
    assert weir("sweep", project, "--target-path", TARGETS, "--out", tmp_path / "s", "--vary", "loops=1",
                "--vary", "cpu_limit=none,0.4", "--vary", "environment=as_is,isolate", "--quick") == 0
    rows = list(csv.DictReader((tmp_path / "s/table.csv").read_text().splitlines()))
    assert {(row["cpu_limit"], row["environment"], row["cpu_set"]) for row in rows} == {
        ("none", "as_is", ""), ("0.4", "as_is", ""), ("none", "isolate", free()), ("0.4", "isolate", free())}
    assert {row["interference_loops"] for row in rows} <= {"1", "0"}
    assert {row["timer_hz"] for row in rows} == {str(timer_hz() or "")}
    assert {row["cpu_limit"] for row in rows if row["interference_limit"]} <= {"0.4"}


def free() -> str:
    """Return the CPUs that a deployment isolates here by default."""
    return write_list(chosen_on(this_machine(), Deployment("d", "flow", isolate=Isolate())).cpus)


def test_reports_and_comparisons_tell_of_loops(tmp_path):
    told = {"requested": {"loops": 4, "cpu_limit": 0.1, "cpu_quota": None, "slice_us": None, "cpus": None},
            "granted": {"loops": 4, "cpu_limit": 0.1, "cpu_quota": 0.2, "slice_us": None, "cpus": [0, 1],
                        "by": "cgroup1", "seconds": 1.0, "cpu_time_s": 0.2, "throttled_s": 3.5}, "refused": []}
    runs = [load_run(store(tmp_path / name, changes={"interference": value}))
            for name, value in (("a", None), ("b", told))]
    first, second = (dict(view["rows"]) for view in environments(runs))
    words = "4 loops on CPUs 0-1, at most 10 % of their time (20 % of one CPU), by cgroup v1"
    assert (first["Interference load"], second["Interference load"]) == ("none", words)
    assert _machine(*runs)[0].startswith(f"the machines differ: interference none → {words[:50]}")
