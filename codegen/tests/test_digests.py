"""Test digests of equal work: whether two runs did it, and the report when digests differ."""

from __future__ import annotations

import json

import pytest
from conftest import block, document
from stored_runs import EXAMPLES, store
from weir.engine.measuring.run_directory import load_run
from weir.engine.measuring.runnable import Finished
from weir.engine.verifying.digests import Work, compare_digests, mark_different_digests

QUICKSTART = json.loads((EXAMPLES / "quickstart.weir.json").read_text())
ROUNDS = document([block("a", "fir_filter")], [])
EXACT = document([block("a", "copy")], [])
SINKS = [{"id": "sink", "items": 10, "expected": 10, "digest": "0" * 16}]
OTHER = [{**SINKS[0], "digest": "1" * 16}]


def work(project: dict = EXACT, environment: dict | None = None, **changes) -> Work:
    results = {"seed": 1, "items": 10, "status": "ok", "parameters": {"gain": 2, "scheduler.grain": 3}, "sinks": SINKS,
               "environment": {"cpu": "A", "compiler": "g++", "flags": "-O2", "volk_machine": "avx2",
                               **(environment or {})}}
    return Work({**results, **changes}, project)


def test_equal_work_with_equal_digests_passes(library):
    compared = compare_digests(work(), work(), library)
    assert compared.comparable and compared.differing == ()


def test_a_digest_that_differs_is_reported_by_its_sink(library):
    assert compare_digests(work(), work(sinks=OTHER), library).differing == ("sink",)


@pytest.mark.parametrize("other, why", [
    ({"seed": 2}, "different seed"), ({"items": 11}, "different number of items"),
    ({"parameters": {"gain": 3}}, "different parameters"), ({"status": "partial"}, "did not complete"),
    ({"project": document([block("a", "head")], [])}, "different flowgraphs"),
    ({"sinks": [{**SINKS[0], "digest": None}]}, "no sink has a digest")])
def test_other_work_is_not_comparable(library, other, why):
    compared = compare_digests(work(), work(**{"sinks": OTHER, **other}), library)
    assert why in compared.why and compared.differing == ()


@pytest.mark.parametrize("where", ["cpu", "compiler", "flags", "volk_machine"])
def test_floats_that_round_are_compared_on_equal_ground_only(library, where):
    elsewhere = {where: "another"}
    compared = compare_digests(work(ROUNDS), work(ROUNDS, elsewhere, sinks=OTHER), library)
    assert "round" in compared.why
    assert compare_digests(work(), work(environment=elsewhere, sinks=OTHER), library).differing == ("sink",)
    assert compare_digests(work(ROUNDS), work(ROUNDS, sinks=OTHER), library).differing == ("sink",)


def test_what_moves_no_item_does_not_matter(library):
    moved = {**EXACT, "graph": {**EXACT["graph"], "blocks": [
        {**each, "comment": "another one", "x_seen": 1} for each in EXACT["graph"]["blocks"]]}}
    tuned = {"parameters": {"gain": 2, "scheduler.grain": 99}}
    assert compare_digests(work(), work(moved, **tuned, sinks=OTHER), library).differing == ("sink",)


def test_runs_that_differ_are_both_invalid_and_written_again(tmp_path, library):
    paths = [store(tmp_path, seed=1, deployment="flow"), store(tmp_path, seed=2, deployment="single_thread"),
             store(tmp_path, seed=3, changes={"sinks": OTHER, "items": 5})]
    runs = [Finished(path, load_run(path).results, QUICKSTART) for path in paths]
    assert mark_different_digests(runs, library) == []
    runs[1].results["sinks"][0]["digest"] = "f" * 16
    said = mark_different_digests(runs, library)
    assert len(said) == 1 and "flow" in said[0] and "single_thread" in said[0]
    for path, wanted in zip(paths, ("invalid", "invalid", "ok")):
        results = load_run(path).results
        assert results["status"] == wanted
        assert [r["code"] for r in results["reasons"]] == (["E_DIGEST"] if wanted == "invalid" else [])
