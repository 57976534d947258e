"""Test the sweeps of the projects of the experiments: their points, quick forms, published numbers and contenders."""

from __future__ import annotations

import json
import re

import pytest
from planning import EXAMPLES, MACHINES
from weir import cli
from weir.diagnostics import WeirError
from weir.lab.sweeping import axes, definition
from weir.lab.sweeping.answer import colours_of
from weir.lab.sweeping.overlay import read_overlay
from weir.model.catalog import load_catalog

EXPERIMENTS = ("tracing_overhead", "saxpy_single_core", "saxpy_multi_core", "grcon_throughput")
#: Projects with sweeps.
SWEPT = [path for path in sorted(EXAMPLES.glob("*.weir.json")) if json.loads(path.read_text()).get("sweeps")]


@pytest.mark.parametrize("name", [*EXPERIMENTS, "null_rand_latency"])
def test_every_sweep_of_an_experiment_holds_something_has_a_quick_form_and_is_planned(name, capsys):
    project = EXAMPLES / f"{name}.weir.json"
    for sweep in json.loads(project.read_text())["sweeps"]:
        assert sweep["hold"] and sweep["quick"] and sweep["repetitions"] == 20
        if max(sweep["vary"].get("workers", [1])) > 2:
            continue  # needs more CPUs than this machine may have
        words = ["--sweep", sweep["name"], "--dry-run", "--quick", "--json", "--machine",
                 str(MACHINES / "two_core.json")]
        assert cli.main(["sweep", str(project), *words]) == 0
        planned = json.loads(capsys.readouterr().out)
        assert planned["rounds"] == 3 and 3 <= len(planned["points"]) <= 36


def test_the_chains_have_from_one_to_three_kernels_a_core_on_as_many_cores_as_there_are():
    it = json.loads((EXAMPLES / "saxpy_multi_core.weir.json").read_text())
    # The series for one core also has an isolated form, that for two cores one with equal buffers, and those of
    # GNU Radio and FutureSDR.
    assert sorted(sweep["vary"]["workers"][0] for sweep in it["sweeps"]) == [1, 1, 2, 2, 2, 2, 3, 4]
    for sweep in it["sweeps"]:
        [cores] = sweep["vary"]["workers"]
        made = axes.cells(definition.sweep_definition(it, sweep["name"], [], None, cpus=4), it, None)
        assert {dict(zip(sweep["vary"], cell.values))["stages"] for cell in made} == set(range(cores, 3 * cores + 1))
        if cores > 2:
            for quick in (False, True):
                with pytest.raises(WeirError, match="no point of the sweep"):
                    axes.cells(definition.sweep_definition(it, sweep["name"], [], None, quick, cpus=2), it, None)


def test_items_are_enough_for_a_thousand_boundaries_where_latency_is_shown():
    for name in ("null_rand_latency", "tracing_overhead"):
        it = json.loads((EXAMPLES / f"{name}.weir.json").read_text())
        run = it["run"]
        for items in (run["items"], *(items for sweep in it["sweeps"] for items in sweep["items"].values())):
            assert (items - run.get("warmup_items", 0)) // run["trace"]["probe_granularity"] >= 1000
        assert {"boundaries", "events"} & set(re.findall(r"\w+", it["description"]))


def test_the_published_numbers_say_whose_they_are_and_are_shares_of_their_ceiling():
    text = (EXAMPLES / "qsdr_kv260.csv").read_text()
    assert "Estévez" in text and "licence" in text
    for name in ("saxpy_single_core", "saxpy_multi_core"):
        it = json.loads((EXAMPLES / f"{name}.weir.json").read_text())
        for sweep in it["sweeps"]:
            rows = read_overlay(it, sweep["name"], EXAMPLES)
            assert bool(rows) == ("overlay" in sweep["plot"]) and all(0 < row["share"] <= 1 for row in rows)


def test_every_published_strategy_stands_beside_the_deployment_of_the_same_strategy():
    it = json.loads((EXAMPLES / "saxpy_multi_core.weir.json").read_text())
    for sweep in it["sweeps"]:
        rows = [row for row in read_overlay(it, sweep["name"], EXAMPLES) if row["values"]["stages"] != "single"]
        assert not rows or {row["name"]: row["values"]["deployment"] for row in rows} == {
            "FutureSDR custom (CPU-pin flow)": "futuresdr_custom", "FutureSDR default (smol)": "futuresdr_smol",
            "GNU Radio 3.10 custom (affinities)": "gnuradio_custom", "GNU Radio 3.10 default": "gnuradio",
            "GNU Radio 4.0 custom": "gnuradio4_custom", "GNU Radio 4.0 default (simple)": "gnuradio4_simple",
            "qsdr custom": "qsdr_custom", "qsdr Tokio work stealing": "qsdr_tokio",
            "qsdr async-executor work stealing": "qsdr_async_executor"}


@pytest.mark.slow
@pytest.mark.parametrize("name", [*EXPERIMENTS, "null_rand_latency", "load_curve", "radio"])
def test_the_quick_form_of_an_experiment_is_measured_and_drawn(name, tmp_path, capsys):
    out = tmp_path / "out"
    assert cli.main(["sweep", str(EXAMPLES / f"{name}.weir.json"), "--quick", "--repetitions", "1", "--out", str(out),
                     "--json"]) == 0
    answer = json.loads(capsys.readouterr().out)
    assert answer["runs"] == answer["ok"] > 0 and answer["state"] == "complete"
    assert cli.main(["report", str(out), "-o", str(tmp_path / "page.html")]) == 0
    assert list((tmp_path / "page_figures").glob("*.svg"))


def test_a_contender_has_one_title_and_one_colour_in_all_experiments():
    titles: dict[str, set] = {}
    colours: dict[str, set[int]] = {}
    for path in SWEPT:
        deployments = json.loads(path.read_text())["deployments"]
        numbers = colours_of(deployments)
        assert len({it["title"] for it in deployments}) == len(set(numbers.values())) == len(deployments)
        for it in deployments:
            titles.setdefault(it["title"], set()).add(it["scheduler"])
            if it["scheduler"] not in {other["scheduler"] for other in deployments if other is not it}:
                colours.setdefault(it["title"], set()).add(numbers[json.dumps(it["name"])])
    assert all(len(schedulers) == 1 for schedulers in titles.values()), titles
    assert all(len(numbers) == 1 for numbers in colours.values()) and len(colours) > 12, colours


def test_every_scheduler_has_a_colour_of_its_own_or_that_of_another_form():
    of = {name: it.descriptor["colour"] for name, it in load_catalog().schedulers.items()}
    # Forms of the same contender share a colour.
    assert len(set(of.values())) == len(of) - 3
    assert (of["futuresdr_smol"], of["drained"], of["gnuradio4_simple"]) == (
        of["futuresdr_smol_pinned"], of["handed_round"], of["gnuradio4_simple_mt"])


def test_a_second_deployment_of_a_scheduler_has_a_free_colour():
    flow = load_catalog().schedulers["flow"].descriptor["colour"]
    made = colours_of([{"name": "mine", "scheduler": "unknown"}, {"name": "a", "scheduler": "flow"},
                       {"name": "b", "scheduler": "flow"}])
    assert made['"a"'] == flow and len(set(made.values())) == 3
