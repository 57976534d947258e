"""Test the ways in which a run records nothing: probes compiled out, switched off, or with disabled tracepoints."""

from __future__ import annotations

import json
import subprocess
from pathlib import Path

import pytest
from planning import EXAMPLES, chain, checked, machine
from stored_runs import store
from weir import cli
from weir.engine.generation.emit import generate, write_tree
from weir.engine.measuring import recording
from weir.engine.measuring.lttng_daemon import Unavailable
from weir.engine.measuring.run_directory import load_run
from weir.model.document.shape import check_shape, schema
from weir.model.planning.plan import make_plan
from weir.model.target_type import Target
from weir.tracers import BACKENDS, COMPILED_OUT, LTTNG, NOT_ENABLED, OFF, RECORDING, SILENT


def planned(document: dict, trace_with: str | None = None):
    it = checked(document)
    return make_plan(it.project, it.graph, it.catalog, machine("two_core"), trace_with=trace_with).plan, it


@pytest.mark.parametrize("asked, wanted, backend, probes", [
    ("lttng", COMPILED_OUT, COMPILED_OUT, 0), ("lttng", OFF, LTTNG, 1), ("lttng", NOT_ENABLED, LTTNG, 1),
    ("off", None, OFF, 0),
    ("off", NOT_ENABLED, NOT_ENABLED, 1), (COMPILED_OUT, None, COMPILED_OUT, 0), (COMPILED_OUT, LTTNG, LTTNG, 1),
    (NOT_ENABLED, None, NOT_ENABLED, 1)])
def test_the_back_end_decides_whether_a_program_has_its_probes(asked, wanted, backend, probes):
    plan, it = planned({**chain(1), "run": {"items": 1000, "trace": {"backend": asked}}}, wanted)
    assert plan.trace.backend == backend and (plan.trace.predicted_cost > 0) == bool(probes)
    files = generate(plan, it.project, it.catalog)
    assert any(f"WEIR_TRACING={probes})" in text for text in map(str, files.values()))


@pytest.fixture(scope="module")
def symbols(tmp_path_factory) -> list[set[str]]:
    """Compile one flowgraph with WEIR_TRACING=0 and =1, and return its object code."""
    folder = tmp_path_factory.mktemp("arms")
    plan, it = planned({**chain(1), "deployments": [{"name": "one", "scheduler": "single_thread"}],
                        "run": {"items": 1000}})
    write_tree(generate(plan, it.project, it.catalog), folder / "tree")
    found = []
    for tracing in (0, 1):
        made = folder / f"{tracing}.o"
        subprocess.run(["g++", "-std=c++20", "-O1", f"-DWEIR_TRACING={tracing}", f"-I{folder}/tree/weir",
                        f"-I{folder}/tree/weir/include",
                        "-c", folder / "tree/src/main.cpp", "-o", made], check=True, timeout=120)
        listed = subprocess.run(["nm", "--demangle", made], check=True, capture_output=True, text=True,
                                timeout=60).stdout
        found.append(set(listed.splitlines()))
    return found


def test_a_program_whose_probes_are_compiled_out_has_neither_probe_nor_check(symbols):
    probes = [{line for line in of if "note_items_out" in line} for of in symbols]
    assert not probes[0] and probes[1], ("the probe of a source is a function of its own, and is called where the "
                                         "check says so")


def test_every_target_of_the_tree_has_every_back_end_and_others_get_what_is_nearest():
    result = checked(chain(1))
    assert all(set(target.trace) == set(BACKENDS) for target in result.catalog.targets.values()
               if not target.hosts_gnuradio)  # whose programs have no arm without the probes
    less = Target.of({"id": "less", "title": "Less", "documentation": "", "trace": ["memory", "off"]}, Path())
    assert [less.nearest_trace(it) for it in BACKENDS] == ["memory", "memory", "off", "off", "off"]
    assert set(RECORDING) | set(SILENT) | {NOT_ENABLED} == set(BACKENDS)


@pytest.mark.parametrize("name, place", [
    ("project", ("properties", "run", "properties", "trace", "properties", "backend")),
    ("plan", ("properties", "trace", "properties", "backend")),
    ("results", ("$defs", "trace", "properties", "backend"))])
def test_the_schemas_have_the_words_of_the_code(name, place):
    rule = schema(name)
    for key in place:
        rule = rule[key]
    assert rule["enum"] == list(BACKENDS)


def results_of(tmp_path: Path, **trace) -> dict:
    results = json.loads((store(tmp_path / "one") / "results.json").read_text())
    results["trace"].update({"backend": NOT_ENABLED, "compiled_in": True, "events": 0, **trace})
    results["reasons"], results["status"] = [], "ok"
    return results


class _Place:
    """Replacement for a place in the session daemon."""

    def __init__(self, fails: bool = False):
        self.fails, self.told = fails, []

    def __call__(self) -> _Place:
        return self

    def enter(self) -> None:
        self.told.append("enter")
        if self.fails:
            raise Unavailable("lttng is not installed")

    def leave(self, wait: bool = True) -> None:
        self.told.append("leave")


@pytest.mark.parametrize("trace, said", [
    ({}, None), ({"events": 3}, "another session enabled its tracepoints: it wrote 3 events"),
    ({"backend": OFF, "events": None}, "built without lttng-ust")])
def test_a_run_is_of_that_arm_only_where_nothing_was_enabled(trace, said, tmp_path, monkeypatch):
    place = _Place()
    monkeypatch.setattr(recording, "WaitingSession", place)
    run = load_run(store(tmp_path / "kept"))
    plan = json.loads((run.path / "plan.json").read_text())
    results = results_of(tmp_path, **trace)
    with recording.Recording(plan, NOT_ENABLED, "id", tmp_path, 1.0) as it:
        assert place.told == ["enter"] and it.before_start is None
    assert place.told == ["enter", "leave"]
    assert it.add_to(results) == []
    assert [reason["code"] for reason in results["reasons"]] == (["E_TRACE_ARM"] if said else [])
    assert results["status"] == ("invalid" if said else "ok")
    assert not said or said in results["reasons"][0]["message"]


def test_without_a_session_daemon_there_is_no_such_arm(tmp_path, monkeypatch):
    place = _Place(fails=True)
    monkeypatch.setattr(recording, "WaitingSession", place)
    run = load_run(store(tmp_path / "kept"))
    plan = json.loads((run.path / "plan.json").read_text())
    with recording.Recording(plan, NOT_ENABLED, "id", tmp_path, 1.0) as it:
        assert it.backend == OFF
    assert place.told == ["enter", "leave"]
    results = results_of(tmp_path)
    it.add_to(results)
    [reason] = results["reasons"]
    assert reason["code"] == "E_TRACE_ARM" and "lttng is not installed" in reason["message"]
    assert results["trace"]["backend"] == OFF and results["status"] == "invalid"


def test_a_run_of_an_earlier_version_does_not_tell_whether_it_had_probes(tmp_path):
    path = store(tmp_path / "one")
    results = json.loads((path / "results.json").read_text())
    results["trace"].pop("compiled_in", None)
    (path / "results.json").write_text(json.dumps(results))
    assert load_run(path).results["trace"]["compiled_in"] is None


@pytest.mark.slow
def test_the_results_say_which_arm_it_was_and_a_program_without_probes_records_nothing_whatever_it_is_told(tmp_path,
                                                                                                           capsys):
    project = str(EXAMPLES / "quickstart.weir.json")
    found = {}
    for arm in BACKENDS:
        assert cli.main(["run", project, "--deployment", "single_thread", "--items", "300k", "--set",
                         "/run/warmup_items=0", "--trace",
                         arm, "--out", str(tmp_path / "runs"), "--json"]) == 0
        [results] = json.loads(capsys.readouterr().out)
        assert not check_shape(results, "results")
        found[arm] = results
    assert {arm: (it["trace"]["backend"], it["trace"]["compiled_in"]) for arm, it in found.items()} == {
        arm: (arm, arm != COMPILED_OUT) for arm in BACKENDS}
    assert {arm: it["coordinates"]["trace"] for arm, it in found.items()} == {arm: arm for arm in BACKENDS}
    assert found[NOT_ENABLED]["trace"]["events"] == 0 and found[LTTNG]["trace"]["events"] > 0
    assert found[NOT_ENABLED]["binary_hash"] == found[LTTNG]["binary_hash"] != found[COMPILED_OUT]["binary_hash"]

    tree = tmp_path / "tree"
    assert cli.main(["generate", project, "--deployment", "single_thread", "--set", "/run/trace/backend=compiled_out",
                     "-o", str(tree)]) == 0
    for words in (["cmake", "-S", tree, "-B", tree / "build", "-DCMAKE_BUILD_TYPE=Release"],
                  ["cmake", "--build", tree / "build"]):
        subprocess.run(words, check=True, capture_output=True, timeout=600)
    program, items = tree / "build" / "quickstart", ["--items", "300k", "--warmup-items", "0"]
    out = tmp_path / "out"
    told = subprocess.run([program, *items, "--trace", "memory", "--out", out], capture_output=True, timeout=120,
                          check=False)
    results = json.loads((out / "results.json").read_text())
    # No event was recorded, so every boundary is reported as lost.
    assert (told.returncode == 4 and results["trace"]["events"] == 0
            and "E_LOST" in [reason["code"] for reason in results["reasons"]])
    refused = subprocess.run([program, *items, "--trace", NOT_ENABLED, "--out", tmp_path / "no"], capture_output=True,
                             text=True,
                             timeout=120, check=False)
    assert refused.returncode == 2 and "lttng, memory, off or compiled_out" in refused.stderr


