"""Test the effect of a deployment's `environment` and `interference` on its plan, and their diagnostics."""

from __future__ import annotations

import json
from dataclasses import replace

import pytest
from planning import chain, checked, deployed, machine, plan
from weir.diagnostics import WeirError
from weir.engine.pipeline import Pipeline
from weir.model.check import check
from weir.model.document.deployment import InterferenceSettings, Isolate
from weir.model.planning.isolation_check import chosen_on, quota_us

#: Four cores with two threads each: CPUs 0 and 4 are one core, and so on. The kernel isolates the last core.
QUAD = "quad_smt"


def isolating(**asked) -> dict:
    return deployed(chain(), environment={"isolate": asked} if asked else "isolate")


def disturbed(**asked) -> dict:
    return deployed(chain(), interference={"loops": 4, **asked})


def refused(document: dict, on: str) -> list[tuple[str, str, str]]:
    """Return the message with which a run on this machine is refused."""
    with pytest.raises(WeirError) as caught:
        Pipeline.open(json.dumps(document), machine=None, here=machine(on)).plan_to_run()
    return [(one.code, one.pointer, one.message) for one in caught.value.diagnostics if one.severity == "error"]


def test_the_keys_are_read():
    one = checked(isolating(cpus=[1], free_siblings=True, governor="powersave")).project.deployment(None)
    assert one.isolate == Isolate((1,), True, "powersave")
    two = checked(deployed(chain(), environment="as_is",
                           interference={"loops": 4, "cpu_limit": "none", "slice_us": 500}))
    assert two.project.deployment(None).isolate is None
    assert two.project.deployment(None).interference == InterferenceSettings(4, None, 500, ())


@pytest.mark.parametrize("asked,cpus", [({}, [3]), ({"cpus": [1, 5]}, [1]), ({"cpus": [0, 2]}, [0, 2])])
def test_workers_are_planned_on_the_isolated_cpus_alone_a_core_each(asked, cpus):
    made = plan(isolating(**asked), QUAD)
    assert [list(worker.cpus) for worker in made.plan.workers] == [[cpu] for cpu in cpus] and made.diagnostics == ()
    assert made.plan.machine_hash == plan(chain(), QUAD).plan.machine_hash


def test_which_cpus_are_taken_where_none_are_named():
    here, asks = machine(QUAD), checked(isolating()).project.deployment(None)
    assert chosen_on(here, asks).cpus == {3, 7}
    assert chosen_on(replace(here, isolated=()), asks).cpus == {1, 2, 5, 6}
    assert chosen_on(replace(here, isolated=(), allowed=(2, 3, 6)), asks).cpus == {3}
    assert chosen_on(here, checked(isolating(cpus=[1], free_siblings=True)).project.deployment(None)).free == {1, 5}
    assert chosen_on(here, checked(chain()).project.deployment(None)) is None


@pytest.mark.parametrize("document,on,code,at,words", [
    (isolating(cpus=[9]), QUAD, "E_ENVIRONMENT_CPUS", "/environment/isolate/cpus", "CPU 9 is missing"),
    (isolating(cpus=[0, 1]), "two_core", "E_ENVIRONMENT_CPUS", "/environment/isolate/cpus", "leaves no CPU"),
    (isolating(), "one_cpu", "E_ENVIRONMENT_CPUS", "/environment", "only one core"),
    (isolating(cpus=[0]), "one_cpu", "E_ENVIRONMENT_CPUS", "/environment/isolate/cpus", "leaves no CPU"),
    (deployed(chain(), environment="isolate", affinity={"w0": [0]}), "two_core", "E_ENVIRONMENT_CPUS", "/affinity/w0",
     "w0 is placed on CPU 0, but CPU 1 is isolated"),
    (disturbed(cpus=[7]), "two_core", "E_DISTURB", "/interference/cpus", "CPU 7 is missing"),
    (disturbed(cpu_limit=0.004), "two_core", "E_DISTURB", "/interference/cpu_limit", "0.8 ms of each 100 ms"),
    (disturbed(cpu_quota=0.008), "two_core", "E_DISTURB", "/interference/cpu_quota",
     "0.008 of 1 CPU is 0.8 ms of each 100 ms")])
def test_what_cannot_be_had_is_a_warning_in_a_plan_and_an_error_in_a_run(document, on, code, at, words):
    warned = [one for one in plan(document, on).diagnostics if one.code == "W_SURROUNDINGS"]
    assert [one.pointer for one in warned] == [f"/deployments/0{at}"] and words in warned[0].message
    [(found, pointer, message)] = refused(document, on)
    assert (found, pointer) == (code, f"/deployments/0{at}") and words in message


@pytest.mark.parametrize("asked,fits", [({"cpu_limit": 0.005}, True), ({"cpu_limit": 0.01, "cpus": [1]}, True),
                                        ({"cpu_limit": 0.009, "cpus": [1]}, False), ({"cpu_limit": "none"}, True),
                                        ({"cpu_quota": 0.01}, True), ({"cpu_quota": 2}, True),
                                        ({"cpu_quota": 0.009, "cpus": [0, 1]}, False),
                                        ({"cpu_quota": 0.1, "cpu_limit": "none"}, True),
                                        ({"cpu_quota": 0.1, "cpu_limit": 0.1}, False)])
def test_a_limit_is_at_least_a_millisecond_of_each_period(asked, fits):
    document = disturbed(**asked)
    assert (not check(json.dumps(document)).diagnostics) == fits
    assert not fits or plan(document).diagnostics == ()


@pytest.mark.parametrize("more,cpus", [({}, 6), ({"environment": "isolate"}, 8), ({"affinity": {"w0": [3]}}, 7)])
def test_a_limit_is_of_all_cpus_that_the_run_might_use_isolated_ones_too(more, cpus):
    """Use a machine on which Linux isolates two of eight CPUs."""
    def asked(limit: float) -> dict:
        return deployed(chain(), interference={"loops": 1, "cpu_limit": limit}, **more)

    assert plan(asked(round(0.01 / cpus + 0.00005, 5)), QUAD).diagnostics == ()
    [(code, _, message)] = refused(asked(round(0.01 / cpus - 0.00005, 5)), QUAD)
    assert code == "E_DISTURB" and f" of {cpus} CPUs is " in message


@pytest.mark.parametrize("document,at", [
    (disturbed(cpu_limit=0), "/interference/cpu_limit"), (disturbed(cpu_limit=1.5), "/interference/cpu_limit"),
    (disturbed(cpu_limit="all"), "/interference/cpu_limit"), (disturbed(cpu_quota=0), "/interference/cpu_quota"),
    (disturbed(cpu_quota=0.1, cpu_limit=0.1), "/interference/cpu_quota"),
    (deployed(chain(), interference={"cpu_limit": 0.5}), "/interference"),
    (deployed(chain(), environment="isolated"), "/environment"), (isolating(cpus=[]), "/environment")])
def test_what_is_no_environment_or_interference_is_diagnosed(document, at):
    found = check(json.dumps(document)).diagnostics
    assert found and all(one.pointer.startswith(f"/deployments/0{at}") for one in found)


def test_plans_without_them_are_as_they_were_and_with_them_say_so():
    assert not {"isolate", "interference"} & plan(chain()).plan.as_json().keys()
    made = plan(deployed(chain(), environment="isolate", interference={"loops": 2, "cpu_limit": 0.5})).plan.as_json()
    assert made["isolate"] == {"cpus": [], "free_siblings": False, "governor": ""}
    assert made["interference"] == {"loops": 2, "cpu_limit": 0.5, "slice_us": 0, "cpus": []}
    assert plan(disturbed(cpu_quota=0.1)).plan.as_json()["interference"]["cpu_quota"] == 0.1


@pytest.mark.parametrize("on,of_all", [("two_core", 20_000), (QUAD, 80_000)])
def test_a_quota_is_of_one_cpu_whatever_the_number_of_cpus(on, of_all):
    quota, limit = (checked(disturbed(**asked)).project.deployment(None).interference
                    for asked in ({"cpu_quota": 0.1}, {"cpu_limit": 0.1}))
    cpus = len(machine(on).cpus)
    assert (quota_us(quota, cpus), quota_us(limit, cpus)) == (10_000, of_all)
    assert quota_us(InterferenceSettings(4), cpus) is None
