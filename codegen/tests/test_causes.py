"""Test the causes of late items on synthetic kernel events, whose causes are known by construction."""

from __future__ import annotations

import os
import subprocess
from pathlib import Path

import numpy as np
import pytest
from planning import plan, project
from weir.engine.measuring.causes import causes, late_items, way_of
from weir.engine.measuring.kernel_events import Interrupt, Switch, Waking, read
from weir.engine.measuring.kernel_trace import KernelTrace, Recorded, _here, remove_leftovers
from weir.engine.measuring.latency import Boundaries, match
from weir.engine.measuring.thread_times import PREEMPTED, RUNNING, SLEEPING, WAITING, times_of
from weir.machine.processes import start_time

US, MS = 1000, 1_000_000
INTERFACE, PHY, LOOP, OTHER = 11, 12, 77, 88
NAMES = {0: "swapper/0", INTERFACE: "w0", PHY: "w1", LOOP: "loop", OTHER: "daemon of 2 words"}
DOCUMENT = project(
    [{"id": "slots", "type": "paced_source", "parameters": {"item_type": "f32", "rate": 1000}},
     {"id": "phy", "type": "copy"}, {"id": "mapper", "type": "copy"}, {"id": "answer", "type": "null_sink"}],
    ["slots.out > phy.in", "phy.out > mapper.in", "mapper.out > answer.in"],
    deployments=[{"name": "d", "scheduler": "flow", "workers": 2, "wait": "park", "placement": {
        "strategy": "explicit", "map": {"slots": "w0", "answer": "w0", "phy": "w1", "mapper": "w1"}}}],
    run={"deadline_us": 3000})


class Kernel:
    """Writes events in tracefs's format and keeps the time; times in µs."""

    def __init__(self) -> None:
        self.lines = ["# tracer: nop", "#", "#           TASK-PID     CPU#  |||||  TIMESTAMP  FUNCTION"]

    def _line(self, us: int, who: int, flags: str, what: str) -> None:
        self.lines.append(f"{NAMES[who]:>16}-{who:<7} [000] {flags} {us // 10**6:5}.{us % 10**6:06}: {what}")

    def switch(self, us: int, before: int, after: int, state: str = "S") -> None:
        self._line(us, before, "d..2.",
                   f"sched_switch: prev_comm={NAMES[before]} prev_pid={before} prev_prio=120 prev_state={state} ==> "
                                        f"next_comm={NAMES[after]} next_pid={after} next_prio=120")

    def wake(self, us: int, by: int, woken: int, interrupt: bool = False) -> None:
        self._line(us, by, "d.h4." if interrupt else "d..4.",
                   f"sched_waking: comm={NAMES[woken]} pid={woken} prio=120 target_cpu=000")

    def interrupt(self, us: int, until: int, who: int) -> None:
        self._line(us, who, "d.h1.", "irq_handler_entry: irq=24 name=virtio0-input.0")
        self._line(until, who, "d.h1.", "irq_handler_exit: irq=24 ret=handled")

    def slot(self, due: int, timer: int = 20, work: int = 200) -> int:
        """Write an undisturbed slot: the interface passes it on, phy works, the interface answers. Return when (µs)."""
        self.wake(due + timer, 0, INTERFACE, interrupt=True)
        self.switch(due + timer + 5, 0, INTERFACE, "R")
        self.wake(due + timer + 10, INTERFACE, PHY)
        self.switch(due + timer + 15, INTERFACE, 0)
        return self.answered(due + timer + 15, work)

    def answered(self, at: int, work: int = 200) -> int:
        """Write that phy is woken and gets the CPU now."""
        self.switch(at + 5, 0, PHY, "R")
        return self.done(at + 5, work)

    def done(self, at: int, work: int) -> int:
        """Write that phy works from here on and wakes the interface."""
        self.wake(at + work, PHY, INTERFACE)
        self.switch(at + work + 5, PHY, INTERFACE)
        self.switch(at + work + 15, INTERFACE, 0)
        return at + work + 12

    def answer(self, at: int) -> int:
        """Write the interface's answer while phy continues."""
        self.wake(at - 10, PHY, INTERFACE)
        self.switch(at - 5, 0, INTERFACE, "R")
        self.switch(at + 5, INTERFACE, 0)
        return at

    def quiet(self, slots: int = 20) -> dict[int, int]:
        """Write undisturbed slots, one each 5 ms from 0 s on. Return due -> answered."""
        self.switch(0, INTERFACE, 0)
        self.switch(1, PHY, 0)
        return {due: self.slot(due) for due in range(5000, 5000 * (slots + 1), 5000)}


def judged(kernel: Kernel, answers: dict[int, int], document: dict = DOCUMENT, lost: int = 0,
           blocks: dict | None = None) -> dict:
    planned = plan(document).plan.as_json()
    due = sorted(answers)
    k = range(1, len(due) + 1)
    pair = match("slots", "answer", None, Boundaries.of(k, [us * US for us in due], [us * US for us in due]),
                 Boundaries.of(k, [answers[us] * US for us in due]), len(due))
    of = blocks or {"slots": "w0", "answer": "w0", "phy": "w1", "mapper": "w1"}
    results = {"threads": [{"name": "w0", "tid": INTERFACE}, {"name": "w1", "tid": PHY}],
               "blocks": [{"id": block, "worker": worker} for block, worker in of.items()]}
    return causes([pair], planned, results, Recorded(sorted(read(kernel.lines), key=lambda event: event.time_ns), lost))


def cause(found: dict) -> dict:
    assert found["status"] == "ok" and found["late_items"] == 1 and len(found["items"]) == 1
    return found["items"][0]["cause"]


AT = 200_000


def held_up(how) -> dict:
    """Return the cause of one late slot after twenty in time. `how(kernel, due)` writes it and returns its end."""
    kernel = Kernel()
    answers = kernel.quiet()
    answers[AT] = how(kernel, AT)
    found = judged(kernel, answers)
    assert found["items"][0]["index"] == 21 and found["items"][0]["latency_ns"] == (answers[AT] - AT) * US
    return cause(found)


def handed_on(kernel: Kernel, due: int) -> int:
    """Write the slot until phy is woken; return the time in µs."""
    kernel.wake(due + 20, 0, INTERFACE, interrupt=True)
    kernel.switch(due + 25, 0, INTERFACE, "R")
    kernel.wake(due + 30, INTERFACE, PHY)
    kernel.switch(due + 35, INTERFACE, 0)
    return due + 30


def preempted(kernel: Kernel, due: int, by: int = LOOP) -> int:
    at = handed_on(kernel, due)
    kernel.switch(at + 10, 0, PHY, "R")
    kernel.switch(at + 100, PHY, by, "R+")
    kernel.switch(at + 4100, by, PHY, "R+" if by else "R")
    return kernel.done(at + 4100, 110)


def waited(kernel: Kernel, due: int) -> int:
    at = handed_on(kernel, due)
    kernel.switch(at + 4000, LOOP, PHY, "R+")
    return kernel.done(at + 4000, 200)


def interrupted(kernel: Kernel, due: int) -> int:
    at = handed_on(kernel, due)
    kernel.switch(at + 10, 0, PHY, "R")
    kernel.interrupt(at + 50, at + 4050, PHY)
    return kernel.done(at + 10, 4200)


def asleep(kernel: Kernel, due: int) -> int:
    at = handed_on(kernel, due)
    kernel.switch(at + 10, 0, PHY, "R")
    kernel.switch(at + 60, PHY, 0)
    kernel.wake(at + 4060, OTHER, PHY)
    kernel.switch(at + 4070, OTHER, PHY, "R")
    return kernel.done(at + 4070, 150)


def test_a_preempted_worker_names_the_process_that_took_its_cpu():
    assert held_up(preempted) == {"kind": "preempted", "by": "loop/77", "worker": "w1", "block": "mapper",
                                  "ns": 4000 * US, "behind": None}


def test_a_woken_worker_without_a_cpu_names_the_process_that_had_it():
    found = held_up(waited)
    assert (found["kind"], found["by"], found["worker"]) == ("waited_for_cpu", "loop/77", "w1")
    assert found["ns"] == pytest.approx(4000 * US, rel=0.01)


def test_the_interface_itself_may_have_been_held_up():
    def late_interface(kernel: Kernel, due: int) -> int:
        kernel.wake(due + 20, 0, INTERFACE, interrupt=True)
        kernel.switch(due + 4000, LOOP, INTERFACE, "R+")
        kernel.wake(due + 4010, INTERFACE, PHY)
        kernel.switch(due + 4015, INTERFACE, 0)
        return kernel.answered(due + 4015)

    found = held_up(late_interface)
    assert (found["kind"], found["by"], found["worker"],
            found["block"]) == ("waited_for_cpu", "loop/77", "w0", "answer")


def test_a_cpu_that_stood_idle_meanwhile_is_the_kernels_throttle():
    found = held_up(lambda kernel, due: preempted(kernel, due, by=0))
    assert (found["kind"], found["by"], found["worker"]) == ("throttled", None, "w1")


def test_interrupts_are_named():
    found = held_up(interrupted)
    assert (found["kind"], found["by"], found["ns"]) == ("interrupted", "irq handler virtio0-input.0", 4000 * US)


def test_a_timer_that_came_late():
    found = held_up(lambda kernel, due: kernel.slot(due, timer=4000))
    assert (found["kind"], found["by"], found["worker"], found["ns"]) == ("timer", None, "w0", 4000 * US)


def test_a_process_outside_the_run_that_was_waited_for():
    found = held_up(asleep)
    assert (found["kind"], found["by"], found["worker"],
            found["ns"]) == ("slept", "daemon of 2 words/88", "w1", 4000 * US)


def test_long_work_is_attributed_to_the_block_that_others_waited_for():
    found = held_up(lambda kernel, due: kernel.slot(due, work=4000))
    assert (found["kind"], found["by"], found["worker"], found["block"]) == ("work", None, "w1", "mapper")
    assert found["ns"] == pytest.approx(3800 * US, rel=0.02)  # beyond the usual time


def test_slots_queued_behind_a_delayed_one_have_its_cause():
    kernel = Kernel()
    answers = kernel.quiet()
    at = handed_on(kernel, AT)
    kernel.switch(at + 10, 0, PHY, "R")
    kernel.switch(at + 20, PHY, LOOP, "R+")
    kernel.switch(at + 20_020, LOOP, PHY, "R+")
    # Four slots arrived in between, and phy handles them one after the other. For the last two, work takes a larger
    # share of the latency.
    for i in range(5):
        answers[AT + 4000 * i] = kernel.answer(at + 20_200 + 3500 * i)
    found = judged(kernel, answers)
    assert found["late_items"] == 5 and found["by_kind"] == {"preempted": 5} and found["named"] == 5
    assert {it["cause"]["by"] for it in found["items"]} == {"loop/77"}
    assert {it["index"]: it["cause"]["behind"] for it in found["items"]} == {21: None, 22: None, 23: None, 24: 23,
                                                                             25: 23}


def test_a_queue_without_a_cause_stays_work():
    kernel = Kernel()
    answers = kernel.quiet()
    at = handed_on(kernel, AT)
    kernel.switch(at + 10, 0, PHY, "R")
    for i in range(4):
        answers[AT + 100 * i] = kernel.answer(at + 4000 * (i + 1))
    found = judged(kernel, answers)
    assert found["by_kind"] == {"work": 4} and all(it["cause"]["behind"] is None for it in found["items"])


def test_what_the_kernel_did_not_tell_is_unknown():
    kernel = Kernel()
    answers = kernel.quiet()
    found = judged(Kernel(), {**answers, AT: AT + 4000}, lost=3)
    assert (found["status"], found["late_items"], found["named"],
            found["by_kind"]) == ("incomplete", 1, 0, {"unknown": 1})
    assert "dropped 3 events" in found["reason"]


def test_workers_that_spin_are_judged_by_who_had_no_cpu():
    spinning = {**DOCUMENT, "deployments": [{**DOCUMENT["deployments"][0], "wait": "spin"}]}
    for held, kind in ((True, "preempted"), (False, "work")):
        kernel = Kernel()
        kernel.switch(0, 0, INTERFACE, "R")
        kernel.switch(1, 0, PHY, "R")
        answers = {due: due + 200 for due in range(5000, 105_000, 5000)}
        if held:
            kernel.switch(AT + 100, PHY, LOOP, "R+")
            kernel.switch(AT + 3900, LOOP, PHY, "R+")
        answers[AT] = AT + 4000
        found = cause(judged(kernel, answers, spinning))
        assert (found["kind"], found["by"]) == (kind, "loop/77" if held else None)


def test_where_blocks_move_the_one_that_ran_had_the_sink():
    kernel = Kernel()
    answers = kernel.quiet()
    answers[AT] = preempted(kernel, AT)
    moving = dict.fromkeys(("slots", "phy", "mapper", "answer"))
    assert cause(judged(kernel, answers, blocks=moving)) == {
        "kind": "preempted", "by": "loop/77", "worker": "w1", "block": None, "ns": 4000 * US, "behind": None}


def test_without_a_deadline_the_latest_hundred_are_looked_at_and_with_one_those_beyond_it():
    k = np.arange(1, 301)
    pair = match("a", "b", None, Boundaries.of(k, k * MS), Boundaries.of(k, k * MS + k * US), 300)
    latest = late_items([pair], None)
    assert [int(pair.k[i]) for _, i in latest] == list(range(300, 200, -1))
    assert [int(pair.k[i]) for _, i in late_items([pair], 298 * US)] == [300, 299]


def test_the_way_of_an_item_leaves_out_what_lies_beside_it():
    document = project(
        [{"id": "source", "type": "counter_source", "parameters": {"item_type": "f32"}},
         {"id": "limit", "type": "head"},
         {"id": "a", "type": "copy"}, {"id": "b", "type": "copy"}, {"id": "left", "type": "null_sink"},
         {"id": "right", "type": "null_sink"}],
        ["source.out > limit.in", "limit.out > a.in", "limit.out > b.in", "a.out > left.in", "b.out > right.in"],
        run={"items": 100_000})
    assert way_of(plan(document).plan.as_json(), "source", "left") == {"source", "limit", "a", "left"}


# Reading

def test_lines_of_tracefs_are_read_whatever_threads_are_called():
    kernel = Kernel()
    kernel.switch(1_500_000, OTHER, PHY, "R+")
    kernel.wake(1_500_001, OTHER, PHY, interrupt=True)
    kernel.interrupt(1_500_002, 1_500_009, PHY)
    lines = [*kernel.lines, "CPU:1 [LOST 37 EVENTS]",
             "    w1-12 [001] d.h1.  2.000000: softirq_entry: vec=1 [action=TIMER]",
             "    w1-12 [001] d.h1.  2.000004: softirq_exit: vec=1 [action=TIMER]",
             "    w1-12 [001] ..... 3.000000: sys_enter: NR 1"]
    assert list(read(lines)) == [
        Switch(1_500_000_000, OTHER, "daemon of 2 words", True, PHY, "w1"),
        Waking(1_500_001_000, PHY, OTHER, "daemon of 2 words", True),
        Interrupt(1_500_002_000, PHY, "irq handler virtio0-input.0", False),
        Interrupt(1_500_009_000, PHY, "irq handler", True),
        Interrupt(2 * 10**9, PHY, "softirq TIMER", False), Interrupt(2_000_004_000, PHY, "softirq", True)]


def test_where_no_latency_was_measured_nothing_is_said_of_late_items():
    told = causes([], {"run": {}}, {}, Recorded())
    assert (told["status"], told["reason"], told["events"]) == ("unavailable", "no latency was measured", None)


def test_the_times_of_a_thread_have_no_gap_and_each_says_who():
    kernel = Kernel()
    kernel.switch(10, 0, PHY, "R")
    kernel.switch(20, PHY, LOOP, "R")
    kernel.switch(30, LOOP, PHY, "R+")
    kernel.switch(40, PHY, 0)
    kernel.wake(50, INTERFACE, PHY)
    kernel.switch(60, OTHER, PHY, "S")
    of = times_of(read(kernel.lines), [PHY], 70 * US)[PHY]
    assert [(span.begin_ns // US, span.end_ns // US, span.state, span.by) for span in of.spans] == [
        (10, 20, RUNNING, None), (20, 30, PREEMPTED, LOOP), (30, 40, RUNNING, None), (40, 50, SLEEPING, INTERFACE),
        (50, 60, WAITING, OTHER), (60, 70, RUNNING, None)]
    assert (of.before(20 * US).state == RUNNING and of.before(20 * US + 1).state == PREEMPTED
            and of.before(10 * US) is None)
    assert sum(span.end_ns - span.begin_ns for span in of.within(15 * US, 55 * US)) == 40 * US


def test_a_thread_woken_while_it_falls_asleep_waits_for_a_cpu():
    kernel = Kernel()
    kernel.switch(10, 0, PHY, "R")
    kernel.wake(39, INTERFACE, PHY)
    kernel.switch(40, PHY, LOOP)
    kernel.switch(90, LOOP, PHY, "R+")
    of = times_of(read(kernel.lines), [PHY], 100 * US)[PHY]
    assert [(span.state, span.by) for span in of.spans] == [(RUNNING, None), (WAITING, LOOP), (RUNNING, None)]


# tracefs

def test_what_cannot_be_recorded_is_reported_and_nothing_stays(tmp_path):
    (tmp_path / "instances").mkdir()
    with KernelTrace(True, tmp_path) as kernel:  # a folder that is no tracefs
        assert "trace_clock" in kernel.recorded.why_not
    assert list((tmp_path / "instances").iterdir()) == []
    with KernelTrace(True, tmp_path / "nowhere") as kernel:
        assert "nowhere" in kernel.recorded.why_not
    told = causes([], {"run": {}}, {}, kernel.recorded)
    assert ((told["status"], told["events"], told["late_items"]) == ("unavailable", None, 0)
            and "nowhere" in told["reason"])
    with KernelTrace(False, tmp_path) as kernel:
        assert kernel.recorded.why_not == "" and not list((tmp_path / "instances").iterdir())


def ended() -> tuple[int, int]:
    """Return the number of a process that has ended, and its start time."""
    gone = subprocess.Popen(["true"])
    begun = start_time(gone.pid) or 1
    gone.wait()
    return gone.pid, begun


def test_only_instances_of_runs_that_are_gone_are_removed(tmp_path):
    gone, begun = ended()
    names = {f"weir-{gone}-{begun}-{_here()}": False, f"weir-{gone}-{begun}-{'0' * 8}": True, "somebody": True,
             f"weir-{os.getpid()}-{start_time(os.getpid())}-{_here()}": True, "weir-of-mine": True}
    for name in names:
        (tmp_path / name).mkdir()
    remove_leftovers(tmp_path)
    assert {name: (tmp_path / name).exists() for name in names} == names


def test_the_next_one_removes_what_a_killed_run_and_one_of_ours_left(tmp_path):
    gone, begun = ended()
    left, own, theirs = (tmp_path / "instances" / name for name in (
        f"weir-{gone}-{begun}-{_here()}", f"weir-{os.getpid()}-{start_time(os.getpid())}-{_here()}", "somebody"))
    for folder in (left, own, theirs):
        folder.mkdir(parents=True)
    with KernelTrace(True, tmp_path) as kernel:  # a folder that is no tracefs, so it fails at its own instance
        assert kernel.recorded.why_not == f"{own}/trace_clock: No such file or directory"
    assert list((tmp_path / "instances").iterdir()) == [theirs]


def test_a_user_who_is_not_root_gets_a_message(monkeypatch):
    monkeypatch.setattr("weir.engine.measuring.kernel_trace.os.geteuid", lambda: 1000)
    with KernelTrace(True) as kernel:
        assert "root" in kernel.recorded.why_not
    assert not list(Path("/sys/kernel/tracing").glob(f"instances/weir-{os.getpid()}-*"))
