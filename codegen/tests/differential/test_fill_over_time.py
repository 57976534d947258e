"""Test that the fill of buffers over time shows the bottleneck of a flowgraph, under schedulers of every kind."""

from __future__ import annotations

import json
from math import nan
from pathlib import Path
from statistics import median

import pytest
from binary import Program, build
from planning import machine
from trial import TIMEOUT_S
from weir.engine.measuring.results import check_written
from weir.model.check import check
from weir.read.reporting.run_figures import fill_over_time

ITEMS, CHUNK, BUFFER = 40_000, 64, 4096
WIRES = {"source.out": "limit.in", "limit.out": "slow.in", "slow.out": "after.in", "after.out": "sink.in"}
BEFORE, BEHIND = "limit.out", "slow.out"
THREE = {"workers": 3, "wait": "park", "placement": {"strategy": "explicit", "map": {
    "source": "w0", "limit": "w0", "slow": "w1", "after": "w2", "sink": "w2"}}}
#: Schedulers under which `limit`, `slow` and `after` have a thread each; and others.
ON_THREE = {"thread_per_block": {"wait": "park"}, "flow": THREE, "static": THREE, "fused": THREE, "circuit": THREE}
OTHERS = {"work_stealing": {"workers": 2}, "single_thread": {}, "replicated": {"workers": 2}}
#: One scheduler of each kind, whose program is always built.
QUICK = ("flow", "static", "work_stealing", "single_thread")


@pytest.fixture(scope="module")
def program(tmp_path_factory: pytest.TempPathFactory, request: pytest.FixtureRequest) -> Program:
    asked = {item.callspec.params.get("scheduler") for item in request.session.items if hasattr(item, "callspec")}
    document = {
        "schema_version": 1, "name": "held_up",
        "graph": {"blocks": [{"id": "source", "type": "counter_source", "parameters": {"item_type": "f32"}},
                             {"id": "limit", "type": "head"},
                             {"id": "slow", "type": "busy_work", "parameters": {"iterations": 1000}},
                             {"id": "after", "type": "saxpy"}, {"id": "sink", "type": "null_sink"}],
                  "connections": [[*a.split("."), *b.split(".")] for a, b in WIRES.items()]},
        "deployments": [{"name": id, "scheduler": id, "chunk_items": CHUNK, **how,
                         **({"buffers": {f"{a}->{b}": {"items": BUFFER} for a, b in WIRES.items()}}
                            if id != "replicated" else {})} for id, how in (ON_THREE | OTHERS).items()
                        if id in asked or id in QUICK],
        "run": {"items": ITEMS, "metrics": "profile", "trace": {"backend": "off"}}}
    folder = tmp_path_factory.mktemp("held_up")
    it = check(json.dumps(document), directory=folder)
    return build(it, it.catalog, machine("two_core"), folder)


def run(program: Program, scheduler: str, out: Path, metrics: str = "profile") -> dict:
    result = program.run(scheduler, out, ["--metrics", metrics], TIMEOUT_S)
    assert result["status"] == "ok", result["reasons"]
    check_written(result, "results")
    return result


@pytest.mark.parametrize("scheduler", [pytest.param(it, marks=() if it in QUICK else pytest.mark.slow)
                                       for it in (*ON_THREE, *OTHERS)])
def test_the_edge_before_a_slow_block_is_full_and_the_one_behind_is_not(program: Program, scheduler: str,
                                                                        tmp_path: Path) -> None:
    # On a busy machine a run is a few time slices, and a worker that gets none of them looks slow.
    assert any(_shows(run(program, scheduler, tmp_path / str(number)), scheduler) for number in range(8))


def _shows(result: dict, scheduler: str) -> bool:
    edges = {e["from"]: e for e in result["edges"]}
    assert set(edges) == set(WIRES)
    for edge in edges.values():
        fill = edge["fill_over_time"]
        if fill is None:
            continue
        assert edge["fill_mean"] is not None
        assert (len(fill["mean"]) - 1) * fill["bin_ns"] <= result["elapsed_s"] * 1e9
        assert len(fill["mean"]) == len(fill["max"]) <= 128 and fill["mean"][-1] is not None
        assert all((a is None) == (b is None) and (a is None or 0 <= a <= b <= 1)
                   for a, b in zip(fill["mean"], fill["max"]))
    before, behind = (edges[name]["fill_over_time"] for name in (BEFORE, BEHIND))
    if scheduler in ("single_thread", "replicated"):
        return not any(e["fill_over_time"] for e in edges.values()) and fill_over_time(result["edges"]) is None
    drawn = {row[0] for row in fill_over_time(result["edges"]).table}
    assert drawn >= {"limit.out → slow.in", "slow.out → after.in"}
    if scheduler == "work_stealing":  # a worker alone empties a buffer that nothing refills meanwhile
        return _middle(before) > _middle(behind)
    return all(_middle(before, part, 3) > 0.8 and _middle(behind, part, 3) < 0.5 for part in range(3))


def _middle(fill: dict, part: int = 0, parts: int = 1) -> float:
    """Return the mean fill in one part of the run; NaN without a sample."""
    bins = len(fill["mean"])
    means = fill["mean"][part * bins // parts:(part + 1) * bins // parts]
    return median([it for it in means if it is not None] or [nan])


def test_without_a_profile_nothing_is_put_down_and_calls_are_still_spread(program: Program, tmp_path: Path) -> None:
    result = run(program, "flow", tmp_path, "counters")
    assert all(e["fill_mean"] is not None and e["fill_over_time"] is None for e in result["edges"])
    for block in result["blocks"]:
        spread = block["items_per_call"]["distribution"]
        assert sum(calls for _, calls in spread) == block["calls"]
        if block["id"] == "slow":
            assert ITEMS * 8 / 9 < sum(least * calls for least, calls in spread) <= ITEMS
