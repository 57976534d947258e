"""Test schedulers whose jobs move between workers: their plans, messages and generated code."""

from __future__ import annotations

import json
from pathlib import Path

import jsonschema
import pytest
from conftest import write_descriptor
from planning import chain, deployed, generated, machine, plan
from weir.diagnostics import WeirError
from weir.engine.generation.emit import generate
from weir.model.catalog import load_catalog
from weir.model.check import check
from weir.model.document import jsontext, shape
from weir.model.planning.plan import make_plan
from weir.model.planning.plan_text import plan_table


def pooled(scheduler: str = "thread_pool", stages: int = 6, **deployment) -> dict:
    return deployed(chain(stages), scheduler=scheduler, **deployment)


def main_cpp(document: dict) -> str:
    return generated(document)["src/main.cpp"].decode()


def jobs(planned) -> dict[str, list[str]]:
    return {job.name: list(job.instances) for job in planned.plan.jobs}


def test_a_thread_pool_has_a_list_for_each_worker_with_linear_streams_within() -> None:
    planned = plan(pooled(workers=2))
    assert [(w.name, w.instances) for w in planned.plan.workers] == [("w0", ()), ("w1", ())]
    assert jobs(planned) == {"j0": ["source", "limit", "stage[0]", "stage[1]", "stage[2]"],
                             "j1": ["stage[3]", "stage[4]", "stage[5]", "sink"]}
    assert {s.name: s.kind for s in planned.plan.streams if s.kind == "ring"} == {"stage[2].out": "ring"}
    assert {b.worker for b in planned.plan.blocks} == {None}
    assert {b.instance: b.job for b in planned.plan.blocks} == planned.plan.owner_of


@pytest.mark.parametrize("lists,names", [(1, ["j0"]), (3, ["j0", "j1", "j2"]), (0, ["j0", "j1"])])
def test_job_lists_says_how_many_there_are(lists: int, names: list[str]) -> None:
    assert list(jobs(plan(pooled(workers=2, parameters={"job_lists": lists})))) == names


def test_under_work_stealing_each_block_moves_alone_and_every_stream_is_a_ring() -> None:
    planned = plan(pooled("work_stealing", workers=2))
    names = [b.instance for b in planned.plan.blocks]
    assert jobs(planned) == {name: [name] for name in names}
    assert {s.kind for s in planned.plan.streams} == {"ring"}


def test_workers_get_cpus_as_chosen_workers_do() -> None:
    document = pooled("work_stealing", workers=2, affinity={"w1": [0]})
    assert [w.cpus for w in plan(document).plan.workers] == [w.cpus for w in plan(
        deployed(chain(6), workers=2, affinity={"w1": [0]})).plan.workers]
    wrong = check(json.dumps(pooled("work_stealing", workers=2, affinity={"w2": [0]}))).diagnostics
    assert [(d.code, d.pointer) for d in wrong] == [("E_WORKER_UNKNOWN", "/deployments/0/affinity/w2")]


def test_workers_without_a_job_are_left_out() -> None:
    planned = plan(pooled(stages=1, workers=4, parameters={"job_lists": 1}))
    assert [w.name for w in planned.plan.workers] == ["w0"]
    assert "W_WORKER_IDLE" in [d.code for d in planned.diagnostics]


def test_placement_is_refused() -> None:
    found = check(json.dumps(pooled(placement={"strategy": "contiguous"}))).diagnostics
    assert [d.code for d in found] == ["E_SCHEDULER_PLACEMENT"]


def test_the_plan_says_it_as_data_and_as_text() -> None:
    for scheduler in ("thread_pool", "work_stealing"):
        planned = plan(pooled(scheduler, workers=2)).plan
        jsonschema.Draft202012Validator(shape.schema("plan")).validate(json.loads(jsontext.write(planned.as_json())))
        text = plan_table(planned, machine("two_core"), load_catalog().targets[planned.target])
        assert "w1" in text and ("j1" in text) == (scheduler == "thread_pool")


def test_parameters_reach_the_program_and_those_of_the_planner_do_not() -> None:
    text = main_cpp(pooled(parameters={"job_lists": 3, "passes": 16}))
    assert "params = {.passes = 16};" in text
    assert 'table.add("scheduler.passes", params.passes, {.minimum = 1.0, .maximum = 1000000.0});' in text
    assert "job_lists" not in text
    assert "struct Scheduler" not in main_cpp(deployed(chain()))


def test_parameters_of_every_type(tmp_path: Path) -> None:
    parameters = [{"id": "order", "type": "enum", "options": ["oldest", "newest"], "default": "newest"},
                  {"id": "share", "type": "f64", "default": 0.5}, {"id": "fair", "type": "bool", "default": True},
                  {"id": "depth", "type": "i64", "default": 3, "structural": True}]
    write_descriptor(tmp_path, "scheduler", {
        "format": 1, "id": "many", "title": "Many", "workers": "chosen", "placement": True, "max_workers": 4,
        "wait": ["park"], "parameters": parameters})
    (tmp_path / "many" / "many.hpp").write_text("")  # here the file only has to exist
    result = check(json.dumps(deployed(chain(), scheduler="many")), scheduler_paths=[tmp_path])
    planned = make_plan(result.project, result.graph, result.catalog, machine("two_core")).plan
    text = generate(planned, result.project, result.catalog)["src/main.cpp"].decode()
    assert (".order = weir::schedulers::Many::Order::kNewest, .share = 0.5, .fair = true, .depth = 3"
            in " ".join(text.split()))
    assert 'params.order, {"oldest", "newest"}' in text
    assert "&params.depth" not in text


@pytest.mark.parametrize("pointer,change", [
    ("/jobs", {"workers": "per_block"}), ("/jobs", {"placement": True}), ("/job_count", {"jobs": "instance"}),
    ("/job_count", {"job_count": "none"}), ("/job_count", {"parameters": [{"id": "lists", "type": "i64"}]}),
])
def test_descriptors_that_contradict_themselves(pointer: str, change: dict, tmp_path: Path) -> None:
    descriptor = {"format": 1, "id": "odd", "title": "Odd", "workers": "chosen", "placement": False, "jobs": "list",
                  "job_count": "lists", "max_workers": 4, "wait": ["park"],
                  "parameters": [{"id": "lists", "type": "i64", "default": 0, "structural": True}]}
    write_descriptor(tmp_path / "good", "scheduler", descriptor)
    assert "odd" in load_catalog(scheduler_paths=[tmp_path / "good"]).schedulers
    write_descriptor(tmp_path / "bad", "scheduler", {**descriptor, **change})
    with pytest.raises(WeirError) as caught:
        load_catalog(scheduler_paths=[tmp_path / "bad"])
    assert [(d.code, d.pointer) for d in caught.value.diagnostics] == [("E_DESCRIPTOR", pointer)]
