"""Test that the judge of random projects finds its faults: one bit, one item, one sink."""

from __future__ import annotations

import dataclasses
import json
import random
import re

import binary
import numpy as np
import pytest
from deployments import deployed
from graph_reference import digest
from judging import Outputs, compare_with_numpy, differences
from library import Library
from planning import machine, project
from trial import settled, try_project
from weir.engine.verifying.evaluation import Conditions, evaluate
from weir.model.check import check

ITEMS, SEED = 1000, 3
TAP = ("scale", "out")


@pytest.fixture(scope="module")
def graph(library):
    """Return a graph with a float block whose bits numpy cannot know, a join with integer-valued floats, and two sinks.
    """
    document = project([
        {"id": "signal", "type": "random_source", "parameters": {"item_type": "f32"}},
        {"id": "scale", "type": "multiply_const", "parameters": {"constant": 0.1}},
        {"id": "count", "type": "counter_source"},
        {"id": "limit", "type": "head", "parameters": {"items": 700}},
        {"id": "sum", "type": "add"},
        {"id": "tap", "type": "file_sink", "parameters": {"path": "tap.out"}},
        {"id": "end", "type": "file_sink", "parameters": {"path": "end.out"}},
        {"id": "counted", "type": "digest_sink"},
    ], ["signal.out > scale.in", "scale.out > tap.in", "scale.out > sum.in0", "count.out > limit.in",
        "limit.out > sum.in1", "limit.out > counted.in", "sum.out > end.in"])
    return check(json.dumps(document), catalog=library).graph


@pytest.fixture
def outputs(graph, tmp_path):
    """Return the outputs of a faultless run."""
    made = evaluate(graph, Conditions(ITEMS, SEED, tmp_path))
    files = {f"{sink}.out": made.arrived[sink]["in"].tobytes() for sink in ("tap", "end")}
    counted = made.arrived["counted"]["in"]
    return Outputs({"tap": (ITEMS, None), "end": (700, None), "counted": (700, f"{digest(counted):016x}")}, files)


def judge(graph, outputs, folder):
    return compare_with_numpy(graph, ITEMS, SEED, folder, outputs, {TAP: "tap.out"})


def test_a_faultless_answer_passes(graph, outputs, tmp_path):
    assert judge(graph, outputs, tmp_path) == ITEMS + ITEMS + 700 + 700


def test_outputs_that_numpy_cannot_know_are_reported(graph, tmp_path):
    assert evaluate(graph, Conditions(ITEMS, SEED, tmp_path)).inexact == [TAP, ("sum", "out")]


@pytest.mark.parametrize("name", ["tap.out", "end.out"])
def test_one_bit_of_a_file(graph, outputs, tmp_path, name):
    data = bytearray(outputs.files[name])
    data[4 * 500 + 1] ^= 0x40  # a bit of a mantissa, more than an ulp
    wrong = dataclasses.replace(outputs, files={**outputs.files, name: bytes(data)})
    with pytest.raises(AssertionError):
        judge(graph, wrong, tmp_path)
    assert differences(outputs, wrong) == [name]


def test_two_items_exchanged(graph, outputs, tmp_path):
    items = np.frombuffer(outputs.files["end.out"], np.float32).copy()
    items[[10, 11]] = items[[11, 10]]
    with pytest.raises(AssertionError, match="end"):
        judge(graph, dataclasses.replace(outputs, files={**outputs.files, "end.out": items.tobytes()}), tmp_path)


@pytest.mark.parametrize("sink", [(699, None), (700, "0" * 16)])
def test_a_count_and_a_digest(graph, outputs, tmp_path, sink):
    items, digest_then = sink
    right = outputs.sinks["counted"][1]
    wrong = dataclasses.replace(outputs, sinks={**outputs.sinks, "counted": (items, digest_then or right)})
    with pytest.raises(AssertionError, match="counted"):
        judge(graph, wrong, tmp_path)
    assert differences(outputs, wrong) == ["counted"]


def test_a_seed_is_a_project(library, tmp_path):
    """Check that a seed gives the same project each time, under every scheduler of the catalog that can run it."""
    blocks = Library(library)
    for seed in random.Random(0).sample(range(10_000), 5):
        (one, taps), (same, _) = (settled(seed, library, blocks, tmp_path) for _ in range(2))
        assert one.document == same.document
        checked, refused = deployed(one.document, library, seed, 2, tmp_path)
        tried = {d.scheduler for d in checked.project.deployments}
        assert tried | set(refused) == set(library.schedulers)
        assert all(name in str(one.document["graph"]["blocks"]) for name in taps.values())


@pytest.mark.slow
def test_one_deployment_that_computes_something_else(library, tmp_path, monkeypatch):
    """Change the flowgraph.hpp of one deployment before it is compiled."""
    generate = binary.generate

    def spoiled(plan, *more):
        files = generate(plan, *more)
        if plan.deployment.name == "flow-1":
            text, count = re.subn(rb"\.constant = 3\.0F", b".constant = 3.5F", files["src/flowgraph.hpp"])
            assert count == 1
            files["src/flowgraph.hpp"] = text
        return files

    document = project([
        {"id": "count", "type": "counter_source", "parameters": {"item_type": "f32"}},
        {"id": "scale", "type": "multiply_const", "parameters": {"constant": 3}},
        {"id": "end", "type": "digest_sink"}], ["count.out > scale.in", "scale.out > end.in"],
        run={"items": 5000, "trace": {"backend": "memory"}})
    try_project(document, {}, SEED, library, machine("two_core"), tmp_path)
    monkeypatch.setattr(binary, "generate", spoiled)
    with pytest.raises(AssertionError, match="flow-1 differs from .* in end"):
        try_project(document, {}, SEED, library, machine("two_core"), tmp_path)
