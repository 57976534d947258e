"""Tests of `workers`: a number, one for each CPU, or one for each core; and CPUs that the threads of blocks share."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import pytest
from planning import EXAMPLES, chain, checked, deployed, machine, plan
from weir.cli import main
from weir.model.catalog import load_catalog
from weir.model.planning.deployment_check import check_machine
from weir.model.planning.machine import Core
from weir.model.planning.plan import make_plan

#: Threads of four cores of which Linux isolates one: what is left has three cores with six threads.
SIX = machine("quad_smt")
MACHINES = {"3 cores, 6 CPUs": SIX, "4 cores, 8 CPUs": replace(SIX, allowed=SIX.cpus, isolated=()),
            "64 cores, 64 CPUs": replace(SIX, cores=tuple(Core(i, 0, 0, (i,)) for i in range(64)),
                                         allowed=tuple(range(64)), isolated=())}
#: Schedulers with a chosen number of workers, and whether they start one for each CPU by themselves.
CHOSEN = {it.id: it.default_workers == "cpus" for it in load_catalog().schedulers.values() if it.workers == "chosen"}


@pytest.mark.parametrize("scheduler", CHOSEN)
def test_words_and_the_default_follow_the_machine(scheduler: str) -> None:
    """Use work that every scheduler can run: blocks in place for the loops by hand, chains for `drained`."""
    document = json.loads((EXAMPLES / "saxpy_multi_core.weir.json").read_text())
    document["parameters"]["stages"]["value"] = 1 if scheduler == "drained" else 66
    document["graph"]["pipes"] = 64 if scheduler == "drained" else 1
    wishes = {"by_cpu": {"workers": "cpus"}, "by_core": {"workers": "cores"}, "usual": {}, "two": {"workers": 2}}
    it = checked({**document, "sweeps": [], "deployments": [
        {"name": name, "scheduler": scheduler, **wish} for name, wish in wishes.items()]})
    for name, on in MACHINES.items():
        cores, cpus = (int(part.split()[0]) for part in name.split(", "))
        found = {wish: len(make_plan(it.project, it.graph, it.catalog, on, it.project.deployment(wish)).plan.workers)
                 for wish in wishes}
        assert found == {"by_cpu": cpus, "by_core": cores, "usual": cpus if CHOSEN[scheduler] else cores, "two": 2}


def test_peers_that_start_a_thread_for_each_cpu_do_so_by_default() -> None:
    assert {name for name, by_cpu in CHOSEN.items() if by_cpu} == {
        "futuresdr_flow", "futuresdr_smol", "futuresdr_smol_pinned", "futuresdr010_flow", "futuresdr010_local",
        "futuresdr010_smol", "qsdr_tokio"}


def test_isolated_cpus_count_with_their_hardware_threads() -> None:
    wish = {"scheduler": "flow", "workers": "cpus", "wait": "park",
            "environment": {"isolate": {"cpus": [1, 2, 5, 6]}}}
    found = plan(deployed(chain(8), **wish), MACHINES["4 cores, 8 CPUs"]).plan.workers
    assert [worker.cpus for worker in found] == [(1,), (2,), (5,), (6,)]


@pytest.mark.parametrize(("wish", "words"), [
    ({"scheduler": "flow", "workers": "cpus"}, "Workers: one for each CPU (6), as `workers` requests"),
    ({"scheduler": "flow", "workers": "cores"}, "Workers: one for each core (3), as `workers` requests"),
    ({"scheduler": "flow"}, "Workers: one for each core (3), the default of `flow`"),
    ({"scheduler": "futuresdr_smol"}, "Workers: one for each CPU (6), the default of `futuresdr_smol`"),
    ({"scheduler": "gnuradio310", "workers": 2}, "Workers: the threads share 2 CPUs, as `workers` requests"),
    ({"scheduler": "gnuradio310", "workers": "cpus"}, "Workers: the threads share 6 CPUs, as `workers` requests"),
    ({"scheduler": "gnuradio310", "workers": "cores", "placement": {"strategy": "contiguous"}},
     "Workers: one for each core (3), as `workers` requests"),
    ({"scheduler": "flow", "workers": 2}, "Workers"),
    ({"scheduler": "gnuradio310"}, "Workers"),
    ({"scheduler": "single_thread"}, "Workers"),
    ({"scheduler": "flow", "workers": "cpus", "placement": {"strategy": "explicit", "map": {"*": "w0"}}}, "Workers")])
def test_the_plan_says_which_number_it_took_and_why(wish: dict, words: str, tmp_path: Path,
                                                    capsys: pytest.CaptureFixture) -> None:
    project, on = tmp_path / "p.weir.json", tmp_path / "m.json"
    project.write_text(json.dumps(deployed(chain(4), **wish)))
    on.write_text(json.dumps(SIX.as_json()))
    assert main(["plan", str(project), "--machine", str(on)]) == 0
    assert words in capsys.readouterr().out.splitlines()
    assert main(["plan", str(project), "--machine", str(on), "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["requested"]["workers"] == wish.get("workers")


@pytest.mark.parametrize("scheduler", ["gnuradio310", "thread_per_block"])
@pytest.mark.parametrize(("number", "cpus"), [(1, (0,)), (2, (0, 1)), (4, (0, 1, 2, 4)), ("cores", (0, 1, 2)),
                                              ("cpus", (0, 1, 2, 4, 5, 6))])
def test_the_threads_of_blocks_share_the_first_cpus(scheduler: str, number: int | str, cpus: tuple) -> None:
    made = plan(deployed(chain(4), scheduler=scheduler, workers=number, wait="park"), SIX)
    assert {worker.cpus for worker in made.plan.workers} == {cpus} and not made.diagnostics


def test_threads_that_are_to_share_more_cpus_than_there_are(tmp_path: Path) -> None:
    made = plan(deployed(chain(4), scheduler="gnuradio310", workers=7), SIX)
    assert [(it.code, it.pointer) for it in made.diagnostics] == [("W_CPU_MISSING", "/deployments/0/workers")]
    scheduler = load_catalog().schedulers["gnuradio310"]
    found = check_machine(made.plan.workers, made.plan.deployment, scheduler, SIX)
    assert [it.code for it in found] == ["E_CPU_MISSING"]
    assert check_machine(made.plan.workers, made.plan.deployment, scheduler, MACHINES["4 cores, 8 CPUs"]) == []


@pytest.mark.parametrize(("value", "code", "message"), [
    ("cpu", "E_VALUE_TYPE", '"cpus" or "cores" or a whole number'), ("cpus", "E_SCHEDULER_WORKERS", "for each CPU"),
    ("cores", "E_SCHEDULER_WORKERS", "for each core")])
def test_words_that_do_not_fit_are_refused(value: str, code: str, message: str, tmp_path: Path,
                                           capsys: pytest.CaptureFixture) -> None:
    file = tmp_path / "p.weir.json"
    file.write_text(json.dumps(deployed(chain(2), scheduler="single_thread", workers=value)))
    assert main(["validate", str(file), "--json"]) == 1
    [found] = json.loads(capsys.readouterr().out)["diagnostics"]
    assert (found["code"], found["pointer"]) == (code, "/deployments/0/workers") and message in found["message"]


def test_a_sweep_varies_words_and_numbers(tmp_path: Path, capsys: pytest.CaptureFixture) -> None:
    file = tmp_path / "p.weir.json"
    file.write_text(json.dumps(deployed(chain(2))))
    assert main(["sweep", str(file), "--vary", "workers=1,cores,cpus", "--dry-run", "--json"]) == 0
    assert [it["values"]["vary_workers" if "vary_workers" in it["values"] else "workers"]
            for it in json.loads(capsys.readouterr().out)["points"]] == [1, "cores", "cpus"]


def test_a_dry_run_plans_for_a_machine_that_is_not_here(tmp_path: Path, capsys: pytest.CaptureFixture) -> None:
    on = tmp_path / "m64.json"
    on.write_text(json.dumps(replace(MACHINES["64 cores, 64 CPUs"], name="m64").as_json()))
    words = ["sweep", str(EXAMPLES / "saxpy_multi_core.weir.json"), "--sweep", "cores", "--dry-run",
             "--vary", "workers=4,64,65", "--vary", "stages=12,64", "--machine", str(on),
             "--vary", "deployment=flow_custom,gnuradio,futuresdr_large,qsdr_tokio"]
    assert main([*words, "--json"]) == 0  # without 65: `workers <= cpus`
    found = json.loads(capsys.readouterr().out)
    assert len(found["points"]) == 8 and found["left_out"] == []
    assert main(words) == 0
    assert "for m64: 64 cores, 64 CPUs" in capsys.readouterr().out
    assert main([*words, "--set", "/deployments/0/affinity/w0=[64]"]) == 3
    assert "E_CPU_MISSING" in capsys.readouterr().err
    on.write_text(json.dumps(replace(SIX, name="smaller").as_json()))
    assert main([*words, "--json"]) == 0
    assert len(json.loads(capsys.readouterr().out)["points"]) == 4


@pytest.mark.parametrize("name", ["null_rand_latency", "tracing_overhead", "grcon_throughput", "load_curve"])
def test_the_experiments_with_futuresdr_give_every_contender_a_worker_for_each_cpu(name: str) -> None:
    it = checked(EXAMPLES / f"{name}.weir.json")
    found = {own.name: make_plan(it.project, it.graph, it.catalog, SIX, own).plan.reason_for_count
             for own in it.project.deployments if own.scheduler in CHOSEN}
    assert {"flow", "futuresdr_flow", "futuresdr_smol"} <= found.keys()
    assert set(found.values()) == {"one for each CPU (6), as `workers` requests"}


@pytest.mark.parametrize(("name", "contenders"), [
    ("null_rand_latency", {"futuresdr_smol", "gnuradio"}),
    ("saxpy_single_core", {"qsdr_custom", "qsdr_tokio", "qsdr_async_executor"}),
    ("saxpy_multi_core", {"qsdr_custom", "qsdr_tokio", "qsdr_async_executor", "gnuradio"})])
def test_quick_forms_have_what_the_sources_compare(name: str, contenders: set[str]) -> None:
    for sweep in json.loads((EXAMPLES / f"{name}.weir.json").read_text())["sweeps"]:
        if not sweep["name"].startswith("equal") and sweep["name"] not in ("gnuradio4", "futuresdr010"):
            assert contenders <= set(sweep["quick"]["vary"]["deployment"]), sweep["name"]


@pytest.mark.parametrize("name", ["null_rand_latency", "saxpy_multi_core", "saxpy_single_core"])
def test_no_deployment_of_an_experiment_names_a_cpu(name: str) -> None:
    assert '"affinity' not in (EXAMPLES / f"{name}.weir.json").read_text()
