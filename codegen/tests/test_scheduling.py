"""Test the scheduling policy of each worker: what `threads` allows and refuses, and what programs receive."""

from __future__ import annotations

import json
from dataclasses import replace

import pytest
from planning import chain, checked, deployed, machine, plan
from weir.diagnostics import WeirError
from weir.engine.generation.emit import generate
from weir.engine.measuring.results import requested, without_results
from weir.model.check import check
from weir.model.document.deployment import Scheduling
from weir.model.planning.plan_text import plan_table
from weir.model.planning.scheduling import in_words

FIFO, RR = {"policy": "fifo", "priority": 50}, {"policy": "rr", "priority": 3}
DEADLINE = {"policy": "deadline", "runtime_us": 500, "deadline_us": 4000, "period_us": 5000}
AS_FIFO, AS_RR = Scheduling("fifo", 50), Scheduling("rr", 3)


def scheduled(on: str = "two_core", **deployment) -> dict[str, Scheduling]:
    """Return worker -> how the kernel is to run it, for four stages."""
    planned = plan(deployed(chain(4), **{"workers": 2, "wait": "park", **deployment}), on).plan
    return {worker.name: worker.scheduling for worker in planned.workers}


def faults(**deployment) -> list[tuple[str, str]]:
    document = deployed(chain(4, run={"items": 10**9}), **{"workers": 2, "wait": "park", **deployment})
    return [(it.code, it.pointer.removeprefix("/deployments/0")) for it in check(json.dumps(document)).diagnostics]


def test_all_are_as_the_deployment_says_where_nobody_says_more() -> None:
    assert scheduled() == dict.fromkeys(("w0", "w1"), Scheduling())
    assert scheduled(**FIFO, timer_slack_ns=7) == dict.fromkeys(("w0", "w1"), replace(AS_FIFO, timer_slack_ns=7))


@pytest.mark.parametrize("threads, first, second", [
    ({"w1": FIFO}, Scheduling(), AS_FIFO),
    ({"sink": FIFO}, Scheduling(), AS_FIFO),
    ({"stage[0]": FIFO, "stage[2..3]": RR}, AS_FIFO, AS_RR),
    ({"*": FIFO}, AS_FIFO, AS_FIFO),
    ({"stage[*]": FIFO, "w0": RR}, AS_RR, AS_FIFO),
    ({"stage[1]": FIFO, "source": FIFO}, AS_FIFO, Scheduling()),
    ({"source": FIFO, "limit": {"timer_slack_ns": 9}}, replace(AS_FIFO, timer_slack_ns=9), Scheduling()),
    ({"source": FIFO, "limit": {**FIFO, "timer_slack_ns": 9}}, replace(AS_FIFO, timer_slack_ns=9), Scheduling()),
    ({"w0": DEADLINE}, Scheduling("deadline", 0, 500, 4000, 5000), Scheduling()),
])
def test_an_entry_is_of_the_worker_that_it_names_or_that_has_the_block(threads, first, second) -> None:
    assert scheduled(threads=threads) == {"w0": first, "w1": second}


@pytest.mark.parametrize("entry, expected", [
    ({"timer_slack_ns": 9}, Scheduling("deadline", 0, 500, 4000, 5000, 9)),
    ({"policy": "other"}, Scheduling(timer_slack_ns=7)),
    (FIFO, Scheduling("fifo", 50, timer_slack_ns=7)),
    ({**RR, "timer_slack_ns": 9}, Scheduling("rr", 3, timer_slack_ns=9)),
])
def test_a_policy_is_taken_with_all_that_goes_with_it_and_the_slack_by_itself(entry, expected) -> None:
    assert scheduled(**DEADLINE, timer_slack_ns=7, threads={"w1": entry})["w1"] == expected


def test_a_thread_of_a_block_is_named_as_it_and_an_exact_name_comes_first() -> None:
    found = scheduled(scheduler="thread_per_block", workers=7, threads={"stage": FIFO, "stage[1]": RR})
    assert found == {"source": Scheduling(), "limit": Scheduling(), "sink": Scheduling(), "stage[0]": AS_FIFO,
                     "stage[1]": AS_RR, "stage[2]": AS_FIFO, "stage[3]": AS_FIFO}


def test_a_block_that_is_called_as_a_worker_is_gives_it_nothing() -> None:
    text = json.dumps(deployed(chain(4), workers=2, wait="park", threads={"w1": FIFO})).replace('"source"', '"w1"')
    assert [it.scheduling for it in plan(json.loads(text)).plan.workers] == [Scheduling(), AS_FIFO]


def test_workers_between_which_blocks_move_are_named_and_blocks_are_refused() -> None:
    for scheduler in ("thread_pool", "work_stealing"):
        assert scheduled(scheduler=scheduler, threads={"w1": RR}) == {"w0": Scheduling(), "w1": AS_RR}
        assert faults(scheduler=scheduler, threads={"w1": RR, "sink": FIFO}) == [("E_THREAD_MOVES", "/threads/sink")]


def test_who_runs_everything_has_what_any_of_its_blocks_has() -> None:
    assert scheduled(scheduler="replicated", threads={"sink": FIFO}) == dict.fromkeys(("w0", "w1"), AS_FIFO)


@pytest.mark.parametrize("deployment, code, place", [
    ({"threads": {"sinc": FIFO}}, "E_THREAD_UNKNOWN", "/threads/sinc"),
    ({"threads": {"w2": FIFO}}, "E_THREAD_UNKNOWN", "/threads/w2"),
    ({"threads": {"stage[4]": FIFO}}, "E_THREAD_UNKNOWN", "/threads/stage[4]"),
    ({"threads": {"": FIFO}}, "E_THREAD_UNKNOWN", "/threads/"),
    ({"threads": {"source": FIFO, "limit": RR}}, "E_THREAD_CONFLICT", "/threads/limit"),
    ({"threads": {"source": FIFO, "limit": {**FIFO, "priority": 51}}}, "E_THREAD_CONFLICT", "/threads/limit"),
    ({"threads": {"source": {"timer_slack_ns": 1}, "limit": {"timer_slack_ns": 2}}}, "E_THREAD_CONFLICT",
     "/threads/limit"),
    ({"policy": "rr"}, "E_PRIORITY", "/policy"),
    ({"priority": 3}, "E_PRIORITY", "/priority"),
    ({**DEADLINE, "priority": 3}, "E_PRIORITY", "/priority"),
    ({**FIFO, "threads": {"w0": {"priority": 3}}}, "E_PRIORITY", "/threads/w0/priority"),
    ({"threads": {"w0": {"policy": "fifo"}}}, "E_PRIORITY", "/threads/w0/policy"),
    ({"policy": "deadline", "period_us": 9}, "E_DEADLINE", "/policy"),
    ({**DEADLINE, "runtime_us": 4001}, "E_DEADLINE", "/runtime_us"),
    ({**DEADLINE, "deadline_us": 5001}, "E_DEADLINE", "/deadline_us"),
    ({"runtime_us": 9}, "E_DEADLINE", "/runtime_us"),
    ({**DEADLINE, "threads": {"w0": {"runtime_us": 9}}}, "E_DEADLINE", "/threads/w0/runtime_us"),
    ({**DEADLINE, "affinity": {"w1": [1]}}, "E_DEADLINE_AFFINITY", "/affinity/w1"),
    ({"threads": {"sink": DEADLINE}, "affinity": {"w1": [0, 1]}}, "E_DEADLINE_AFFINITY", "/affinity/w1"),
    ({**DEADLINE, "affinity": {"w1": [1]}, "environment": {"isolate": {"cpus": [0, 1]}}}, "E_DEADLINE_AFFINITY",
     "/affinity/w1"),
    ({**DEADLINE, "affinity": {"w1": [1]}, "environment": "isolate"}, "E_DEADLINE_AFFINITY", "/affinity/w1"),
    ({"scheduler": "thread_per_block", "workers": 7, **DEADLINE, "affinity": {"stage": [1]}}, "E_DEADLINE_AFFINITY",
     "/affinity"),
])
def test_what_does_not_go_together_is_refused_where_it_stands(deployment, code, place) -> None:
    assert set(faults(**deployment)) == {(code, place)}


@pytest.mark.parametrize("deployment", [
    {"threads": {"sink": FIFO}, "affinity": {"w0": [0], "w1": [1]}},
    {"threads": {"sink": DEADLINE}, "affinity": {"w0": [0]}},
    {**DEADLINE, "affinity": {"w1": [1]}, "threads": {"w1": FIFO}},
    {**DEADLINE, "affinity": {"w0": [1], "w1": [1]}, "environment": {"isolate": {"cpus": [1]}}},
    {"threads": {"source": FIFO, "limit": FIFO}},
])
def test_what_goes_together_is_not(deployment) -> None:
    assert faults(**deployment) == []


def test_a_name_that_was_meant_is_reported() -> None:
    document = deployed(chain(4, run={"items": 10**9}), workers=2, wait="park", threads={"sinc": FIFO})
    [fault] = check(json.dumps(document)).diagnostics
    assert fault.hint == "did you mean `sink`?"


@pytest.mark.parametrize("deployment, code", [
    ({"placement": {"strategy": "auto"}, "threads": {"source": FIFO, "limit": RR}}, "E_THREAD_CONFLICT"),
    ({"placement": {"strategy": "auto"}, "threads": {"stage[0]": DEADLINE}, "affinity": {"w0": [1], "w1": [1]}},
     "E_DEADLINE_AFFINITY")])
def test_what_only_a_plan_can_tell_is_refused_with_it(deployment, code) -> None:
    with pytest.raises(WeirError) as caught:
        plan(deployed(chain(4), workers=2, wait="park", **deployment))
    assert {it.code for it in caught.value.diagnostics} == {code}


def test_a_worker_with_a_deadline_is_on_no_cpu_of_its_own_and_the_others_stay_on_theirs() -> None:
    workers = plan(deployed(chain(4), workers=2, wait="park", threads={"sink": DEADLINE})).plan.workers
    assert [it.cpus for it in workers] == [(0,), ()]
    isolated = plan(deployed(chain(4), workers=2, wait="park", **DEADLINE, affinity={"w1": [1]},
                             environment={"isolate": {"cpus": [1]}})).plan.workers
    assert [it.cpus for it in isolated] == [(), (1,)]
    moving = plan(deployed(chain(4), scheduler="work_stealing", workers=8, wait="park"), "quad_smt").plan.workers
    assert any(it.distances for it in moving)
    moving = plan(deployed(chain(4), scheduler="work_stealing", workers=8, wait="park", threads={"w1": DEADLINE}),
                  "quad_smt").plan.workers
    assert not any(it.distances for it in moving)


@pytest.mark.parametrize("scheduler", ["futuresdr_flow", "futuresdr_smol_pinned"])
def test_a_runtime_that_binds_its_threads_has_no_deadlines(scheduler) -> None:
    assert scheduled(scheduler=scheduler, threads={"w1": FIFO})["w1"] == AS_FIFO
    with pytest.raises(WeirError) as caught:
        scheduled(scheduler=scheduler, threads={"w1": DEADLINE})
    assert [it.code for it in caught.value.diagnostics] == ["E_PLANNER_REFUSES"]


def warnings(**deployment) -> list[tuple[str, str]]:
    found = plan(deployed(chain(4), **{"wait": "park", **deployment})).diagnostics
    return [(it.code, it.pointer.removeprefix("/deployments/0")) for it in found]


@pytest.mark.parametrize("runtime_us, cpus, warned", [(4749, [], False), (4751, [], True), (2374, [1], False),
                                                      (2376, [1], True)])
def test_deadlines_beyond_what_the_kernel_gives_are_reported(runtime_us, cpus, warned) -> None:
    """Use two workers on a machine with two CPUs, or with one isolated CPU; each CPU gives 95 %."""
    asked = {**DEADLINE, "runtime_us": runtime_us, "deadline_us": 5000}
    isolate = {"environment": {"isolate": {"cpus": cpus}}} if cpus else {}
    told = [it for it in warnings(workers=2, **asked, **isolate) if it[0] == "W_DEADLINE_BANDWIDTH"]
    assert told == [("W_DEADLINE_BANDWIDTH", "")] * warned


def test_a_worker_that_this_machine_lacks_is_reported() -> None:
    assert warnings(threads={"w1": FIFO, "w7": RR}) == [("W_THREAD_UNUSED", "/threads/w7")]


@pytest.mark.parametrize("deployment, warned", [
    ({"wait": "spin", **FIFO}, ["/wait"]), ({"wait": None, "threads": {"sink": RR}}, [""]), ({**FIFO}, []),
    ({"wait": "yield", **FIFO}, []), ({"wait": "spin", "timer_slack_ns": 4}, []),
    ({"wait": "spin", **DEADLINE}, ["/wait"])])
def test_real_time_workers_that_spin_are_reported(deployment, warned) -> None:
    deployment = {key: value for key, value in {"wait": "park", **deployment}.items() if value is not None}
    document = deployed(chain(4, run={"items": 10**9}), workers=2, **deployment)
    found = check(json.dumps(document)).diagnostics
    assert [(it.code, it.pointer) for it in found] == [("W_REALTIME_SPINS", f"/deployments/0{at}") for at in warned]
    assert all([(fix.pointer, fix.what) for fix in it.fixes] == [("/deployments/0/wait", "park")] for it in found)


@pytest.mark.parametrize("deployment, warned", [
    ({**FIFO, "timer_slack_ns": 4}, ["/timer_slack_ns"]), ({"threads": {"w0": {**DEADLINE, "timer_slack_ns": 4}}},
     ["/threads/w0/timer_slack_ns"]), ({"timer_slack_ns": 4, "threads": {"w0": FIFO}}, [])])
def test_a_slack_that_the_kernel_does_not_heed_is_reported(deployment, warned) -> None:
    assert faults(**deployment) == [("W_TIMER_SLACK", at) for at in warned]


def test_a_plan_has_the_workers_that_differ_and_says_so_to_people() -> None:
    document = deployed(chain(4), workers=2, wait="park", timer_slack_ns=50000, threads={"sink": DEADLINE})
    planned = plan(document).plan
    as_json = planned.as_json()
    assert as_json["timer_slack_ns"] == 50000 and as_json["requested"]["threads"] == {"sink": DEADLINE}
    assert [it.get("scheduling") for it in as_json["workers"]] == [None, {**DEADLINE, "timer_slack_ns": 50000}]
    made = checked(document)
    text = plan_table(planned, machine("two_core"), made.catalog.targets[planned.target])
    assert "waits by park, other, slack 50000 ns" in text
    assert "deadline 500/4000/5000 us, slack 50000 ns" in text and "policy" in text
    plain = plan(deployed(chain(4), workers=2)).plan
    assert not any("scheduling" in it for it in plain.as_json()["workers"])
    assert "threads" not in plain.as_json()["requested"]
    assert "policy" not in plan_table(plain, machine("two_core"), made.catalog.targets[plain.target])
    assert plain.hash != plan(deployed(chain(4), workers=2, threads={"w0": FIFO})).plan.hash


def test_results_have_what_was_requested_and_planned() -> None:
    document = deployed(chain(4), workers=2, wait="park", **RR, threads={"sink": DEADLINE})
    as_json = plan(document).plan.as_json()
    asked = requested(as_json, document)
    assert asked["priority"]["policy"] == "rr" and asked["priority"]["period_us"] is None
    assert asked["threads"] == {"sink": DEADLINE}
    planned = without_results(as_json, "r", 0, "off", {})["planned"]
    nothing = {"priority": 0, "runtime_us": 0, "deadline_us": 0, "period_us": 0, "timer_slack_ns": None}
    assert planned["priority"] == {**nothing, **RR} and planned["threads"] == {"w1": {**nothing, **DEADLINE}}


def test_a_program_has_the_policies_of_its_workers_and_others_say_nothing_of_them() -> None:
    def text(**deployment) -> str:
        document = deployed(chain(4), workers=2, wait="park", **deployment)
        made = checked(document)
        return generate(plan(document).plan, made.project, made.catalog)["src/flowgraph.hpp"].decode()

    plain, single = text(), text(threads={"sink": FIFO, "w0": {"timer_slack_ns": 9}})
    whole = text(**DEADLINE, timer_slack_ns=3)
    assert "weir::Scheduling{" not in plain and "timer_slack_ns" not in plain and "runtime_us" not in plain
    assert ".scheduling = weir::Scheduling{.policy = weir::SchedulingPolicy::fifo, .priority = 50}" in single
    assert ".scheduling = weir::Scheduling{.policy = weir::SchedulingPolicy::other, .timer_slack_ns = 9}" in single
    for line in (".policy = weir::SchedulingPolicy::deadline,", ".runtime_us = 500,", ".deadline_us = 4000,",
                 ".period_us = 5000,", ".timer_slack_ns = 3,"):
        assert line in whole


@pytest.mark.parametrize("it, words", [
    ({"policy": "other"}, "other"), ({**FIFO, "runtime_us": 0}, "fifo 50"), (DEADLINE, "deadline 500/4000/5000 us"),
    ({"policy": "other", "priority": 0, "timer_slack_ns": 1}, "other"),
    ({"policy": "fifo", "priority": 1, "timer_slack_ns": 0}, "fifo 1"),
    ({"policy": "other", "timer_slack_ns": 50000}, "other, slack 50000 ns"),
    ({"policy": "deadline", "period_us": None}, "deadline")])
def test_words(it, words) -> None:
    assert in_words(it) == words
