"""Test that everything can be restored after a kill of `weir isolate`, at each change and at random moments."""

from __future__ import annotations

import os
import random
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest
from isolated_machines import KINDS, Own, Recorded, groups_here, in_memory, recorded, snapshot  # noqa: F401
from weir.machine.isolating.journal import folder, kept
from weir.machine.isolating.machine import Machine
from weir.machine.isolating.session import choose, isolate, restore
from weir.machine.isolating.undo_log import ChangeSet
from weir.model.planning.topology import parse_list, write_list

#: Replaces systemd's program where systemd is missing: starts the command after `--`.
SYSTEMD_RUN = """#!/bin/sh
while [ "$1" != -- ]; do shift; done
shift
exec "$@"
"""


@pytest.fixture(autouse=True)
def place(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "state"))
    (tmp_path / "bin").mkdir()
    (tmp_path / "bin/systemd-run").write_text(SYSTEMD_RUN)
    (tmp_path / "bin/systemd-run").chmod(0o755)
    monkeypatch.setenv("PATH", f"{tmp_path / 'bin'}:{os.environ['PATH']}")


def forked(work: Callable[[], int]) -> int:
    """Start a process that runs `work`, and return its id."""
    child = os.fork()
    if child == 0:
        code = 70
        for number in (signal.SIGHUP, signal.SIGINT):  # also if the tests run under nohup, or behind a shell
            signal.signal(number, signal.SIG_DFL)
        try:
            code = work()
        finally:
            os._exit(code)
    return child


def was_killed(child: int) -> bool:
    status = os.waitpid(child, 0)[1]
    assert os.WIFSIGNALED(status) or os.WEXITSTATUS(status) == 0
    return os.WIFSIGNALED(status)


def dies(here: Recorded) -> bool:
    """Return whether an isolation in a separate process was killed."""
    return was_killed(forked(lambda: isolate(here, choose(here, "2-3", True), None, ["true"], None,
                                             lambda _: None).exit_code))


def killed_at_every_change(tmp_path: Path, kind: str) -> int:
    """Return the number of changes. Raises AssertionError if one of them was not undone."""
    here = recorded(tmp_path / "m", kind)
    before, at = snapshot(here.root), 1
    while dies(replace(here, dies_after=at, counted=[], own=[])):
        restore(here, lambda _: None)
        assert snapshot(here.root) == before, f"killed after change {at}"
        assert kept(folder()) == []
        at += 1
    assert snapshot(here.root) == before
    return at - 1


@pytest.mark.parametrize("kind", KINDS)
def test_killed_after_any_of_its_changes_everything_is_put_back(tmp_path, kind):
    assert killed_at_every_change(tmp_path, kind) >= 2 * 13  # tasks, interrupts, governors: changed and restored


def test_a_change_that_is_made_before_it_is_written_down_is_noticed(tmp_path, monkeypatch):
    def too_late(self, changes):
        for change in changes:
            change.make(self.machine)
            self.undo_log.announce([change])
        self.made += changes
        return list(changes)

    monkeypatch.setattr(ChangeSet, "make", too_late)
    with pytest.raises(AssertionError, match="killed after change 1"):
        killed_at_every_change(tmp_path, "none")


def test_a_restore_that_is_killed_itself_is_continued(tmp_path):
    here = recorded(tmp_path / "m", "cgroup1")
    before, at = snapshot(here.root), 1
    half = killed_at_every_change(tmp_path / "all", "cgroup1") // 2
    while True:
        assert dies(replace(here, dies_after=half, counted=[], own=[]))
        dying = replace(here, dies_after=at, counted=[], own=[])
        killed = was_killed(forked(lambda dying=dying: int(not restore(dying, lambda _: None).all_is_back)))
        restore(here, lambda _: None)
        assert snapshot(here.root) == before and kept(folder()) == []
        if not killed:
            break
        at += 3
    assert at > 6


# On this machine, as far as it is writable: our own group, and the affinity of our own processes.

REAL = Machine()
DRIVER = """
import sys, threading
sys.path[:0] = {path!r}
from isolated_machines import Own
from weir.machine.isolating.session import choose
from weir.machine.isolating.session import isolate
here = Own(pids={pids!r}, numbers={numbers!r})
sys.exit(isolate(here, choose(here, {cpus!r}), None, {words!r}, 1, lambda line: print(line, file=sys.stderr)).exit_code)
"""
several = pytest.mark.skipif(len(os.sched_getaffinity(0)) < 2, reason="a single CPU")


def driver(pids: tuple[int, ...], words: list[str], numbers: tuple[int, ...] = ()) -> list[str]:
    last = str(max(os.sched_getaffinity(0)))
    path = [str(Path(__file__).parent), str(Path(__file__).parents[1])]
    return [sys.executable, "-B", "-c",
            DRIVER.format(path=path, pids=pids, numbers=numbers, cpus=last, words=words)]


@pytest.fixture
def others(groups_here):  # noqa: F811
    """Yield processes that may be moved: one that may run anywhere, one with pinned threads."""
    code = "import os, threading, time\n" \
        "def pinned(cpu):\n    os.sched_setaffinity(0, {cpu})\n    time.sleep(100)\n" \
        "for cpu in os.sched_getaffinity(0):\n    threading.Thread(target=pinned, args=(cpu,), daemon=True).start()\n" \
        "time.sleep(0.2); print(flush=True); time.sleep(100)"
    started = [subprocess.Popen(["sleep", "100"]),
               subprocess.Popen([sys.executable, "-c", code], stdout=subprocess.PIPE)]
    started[1].stdout.readline()
    yield tuple(one.pid for one in started)
    for one in started:
        one.kill()
        one.wait()


def affinities(pids: tuple[int, ...]) -> dict[int, str]:
    return {task.tid: write_list(REAL.affinity(task.tid)) for task in Own(pids=pids).tasks()}


@several
def test_here_a_program_has_the_cpu_and_others_have_not(others, groups_here):  # noqa: F811
    before, groups, last = affinities(others), groups_here(), max(os.sched_getaffinity(0))
    probe = f"import os; print(os.sched_getaffinity(0), [os.sched_getaffinity(p) for p in {others}], input())"
    done = subprocess.run(driver(others, [sys.executable, "-c", probe]), input="typed", capture_output=True, text=True)
    left = os.sched_getaffinity(0) - {last}
    assert done.stdout == f"{ {last} } {[left, left]} typed\n", done.stderr
    assert affinities(others) == before and groups_here() == groups


@several
def test_here_killed_at_twenty_random_moments_everything_is_put_back(others, groups_here):  # noqa: F811
    before, groups, rng = affinities(others), groups_here(), random.Random(20)
    here, moved = Own(pids=others), 0
    chosen = choose(here, str(max(os.sched_getaffinity(0))))

    def begin() -> int:
        return forked(lambda: isolate(here, chosen, None, ["sleep", "0.02"], None, lambda _: None).exit_code)

    started = time.monotonic()
    assert not was_killed(begin())
    whole = time.monotonic() - started
    for _ in range(20):
        child = begin()
        time.sleep(rng.uniform(0, whole))
        os.kill(child, signal.SIGKILL)
        os.waitpid(child, 0)
        moved += affinities(others) != before
        restore(here, lambda _: None)
        assert affinities(others) == before and groups_here() == groups and kept(folder()) == []
    assert moved  # some were killed during a change


@several
@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM, signal.SIGHUP])
def test_signals_go_to_the_program_and_everything_is_put_back(others, number, groups_here):  # noqa: F811
    before, groups = affinities(others), groups_here()
    said, says = os.pipe()
    here = Own(pids=others)
    child = forked(lambda: isolate(here, choose(here, str(max(os.sched_getaffinity(0)))), None,
                                   ["sh", "-c", "echo; exec sleep 50"], says, lambda _: None).exit_code)
    os.read(said, 1)
    assert affinities(others) != before
    os.kill(child, number)
    assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 128 + number
    assert affinities(others) == before and groups_here() == groups and kept(folder()) == []


@several
@pytest.mark.slow
def test_here_everything_that_can_be_moved_is_moved_and_put_back(groups_here):  # noqa: F811
    """Use all tasks and interrupts of this machine."""
    def now():
        here = Machine()
        return ({task.tid: here.affinity(task.tid) for task in here.tasks()},
                {n: here.text(f"proc/irq/{n}/smp_affinity_list") for n in here.interrupts()},
                here.text("proc/irq/default_smp_affinity"))

    before, groups = now(), groups_here()
    isolate(Machine(), choose(Machine(), str(max(os.sched_getaffinity(0)))), None, ["true"], None, lambda _: None)
    after = now()
    assert {tid: cpus for tid, cpus in after[0].items() if tid in before[0] and cpus != before[0][tid]} == {}
    assert after[1:] == before[1:] and groups_here() == groups


@several
@pytest.mark.skipif(not os.access("/proc/irq/default_smp_affinity", os.W_OK), reason="needs root")
@pytest.mark.usefixtures("groups_here")
def test_here_an_interrupt_is_moved_and_put_back():
    last, path = max(os.sched_getaffinity(0)), "proc/irq/{}/smp_affinity_list"
    number = next((n for n in Machine().interrupts() if last in parse_list(Machine().text(path.format(n)))
                   and len(parse_list(Machine().text(path.format(n)))) > 1 and writable(path.format(n))), None)
    if number is None:
        pytest.skip("no interrupt can be moved here")
    before = [Machine().text(name) for name in (path.format(number), "proc/irq/default_smp_affinity")]
    words = ["cat", f"/{path.format(number)}"]
    done = subprocess.run(driver((), words, (number,)), capture_output=True, text=True)
    assert parse_list(done.stdout) == parse_list(before[0]) - {last}, done.stderr
    assert [Machine().text(name) for name in (path.format(number), "proc/irq/default_smp_affinity")] == before


def writable(path: str) -> bool:
    """Return whether an interrupt file can be written; writing its own value changes nothing."""
    try:
        Machine().write(path, Machine().text(path))
    except OSError:
        return False
    return True
