"""Test that a scheduler in a folder outside the tree is found by the catalog, documented, and correct."""

from __future__ import annotations

import json
import re
import shutil
from dataclasses import replace
from pathlib import Path

import pytest
from binary import build
from conftest import CODEGEN
from judging import compare_with_numpy, differences, outputs_of
from library import Library
from planning import machine
from test_schedules import BLOCKS, ON_TWO, WIRES
from trial import TIMEOUT_S, try_seed
from weir import ROOT, cli
from weir.engine.measuring.recording import Recording
from weir.model.catalog import Catalog, load_catalog
from weir.model.check import check
from weir.tracers import MEMORY

SCHEDULERS = CODEGEN / "tests" / "schedulers"
PAGE = ROOT / "docs" / "write-a-scheduler.md"
SEEDS = (11, pytest.param(3, marks=pytest.mark.slow))
ITEMS = 100_003


@pytest.fixture
def outside(tmp_path: Path) -> Path:
    return Path(shutil.copytree(SCHEDULERS, tmp_path / "mine"))


def test_catalog_shows_it_only_with_its_path(outside: Path, capsys: pytest.CaptureFixture) -> None:
    def listed(*arguments: str) -> dict[str, dict]:
        assert cli.main(["catalog", "--json", *arguments]) == 0
        return {s["id"]: s for s in json.loads(capsys.readouterr().out)["schedulers"]}

    assert "one_queue" not in listed()
    descriptor = json.loads((outside / "one_queue" / "scheduler.json").read_text())
    source = str(outside / "one_queue" / "one_queue.hpp")
    assert listed("--scheduler-path",
                  str(outside))["one_queue"] == {**descriptor, "source": source, "targets": ["cpp_app"]}


def test_the_page_shows_the_files_that_are_tested() -> None:
    shown = re.findall(r"<!-- file: (\S+) -->\n```\w+\n(.*?)```", PAGE.read_text(), re.DOTALL)
    assert [ROOT / name for name, _ in shown] == [SCHEDULERS / "one_queue" / "scheduler.json",
                                                  SCHEDULERS / "one_queue" / "one_queue.hpp"]
    for name, text in shown:
        assert text == (ROOT / name).read_text(), f"{name}: the page has another text"


def beside_one_thread(outside: Path) -> Catalog:
    catalog = load_catalog(scheduler_paths=[outside])
    return replace(catalog, schedulers={it: catalog.schedulers[it] for it in ("single_thread", "one_queue")})


@pytest.mark.parametrize("seed", SEEDS)
def test_it_gives_the_answer_of_numpy_and_of_one_thread(seed: int, outside: Path, tmp_path: Path) -> None:
    catalog = beside_one_thread(outside)
    verdict = try_seed(seed, catalog, Library(catalog), machine("two_core"), tmp_path / "project", lttng=False)
    assert verdict.schedulers["one_queue"] and verdict.compared_items


def test_a_fork_and_a_join_over_two_workers_whose_streams_share_an_arena(outside: Path, tmp_path: Path) -> None:
    """Use rates of 3 and 4 on the two branches; results equal those of flow and of numpy to the bit."""
    period = {"scheduler": "looped", "workers": 2, "placement": ON_TWO, "wait": "park"}
    document = {"schema_version": 1, "name": "multirate",
                "graph": {"blocks": [*BLOCKS, {"id": "file", "type": "file_sink", "parameters": {"path": "sum.out"}}],
                          "connections": [[*a.split("."), *b.split(".")]
                                          for a, _, b in map(str.split, [*WIRES, "sum.out > file.in"])]},
                "deployments": [{"name": "flow", "scheduler": "flow", "workers": 2, "placement": ON_TWO},
                                {"name": "looped", **period}, {"name": "small", **period, "chunk_items": 24}],
                "run": {"items": ITEMS, "trace": {"backend": "memory", "probe_granularity": 4096}}}
    document["deployments"] = [{**d, "placement": {**ON_TWO, "map": {**ON_TWO["map"], "file": "w1"}}}
                               for d in document["deployments"]]
    it = check(json.dumps(document), directory=tmp_path, scheduler_paths=[outside])
    program = build(it, it.catalog, machine("two_core"), tmp_path)
    outputs = {}
    for name in program.deployments:
        plan = program.plans[name]
        assert name == "flow" or len(plan.schedule.worker_schedules) == 2 and _shares_bytes(plan)
        result = program.run(name, tmp_path / "runs" / name, ["--trace", "memory", "--metrics", "profile"], TIMEOUT_S)
        outputs[name] = outputs_of(result, tmp_path / "runs" / name)
        Recording(plan.as_json(), MEMORY, name, tmp_path / "runs" / name, TIMEOUT_S).add_to(result)
        _all_is_measured(result, plan)
    assert not differences(outputs["flow"], outputs["looped"]) and not differences(outputs["flow"], outputs["small"])
    assert compare_with_numpy(it.graph, ITEMS, it.project.run.seed, tmp_path, outputs["looped"], {})


def _shares_bytes(plan) -> bool:
    within = [s for s in plan.streams if s.arena is not None]
    return any(a.arena == b.arena and a.offset < b.offset + b.bytes and b.offset < a.offset + a.bytes
               for i, a in enumerate(within) for b in within[:i])


def _all_is_measured(result: dict, plan) -> None:
    """Check that results of a schedule have all fields of other schedulers' results: probes, counters, threads, ends.
    """
    taken = ITEMS - ITEMS % 4
    assert [(s["id"], s["items"], s["expected"]) for s in result["sinks"]] == [
        ("sink", taken, taken), ("file", taken, taken)]
    assert result["latency"]["lost"] == 0 and 0 < result["latency"]["count"] <= 2 * (taken // 4096)
    assert {b["id"]: b["worker"] for b in result["blocks"]} == {b.instance: b.worker for b in plan.blocks}
    assert all(b["calls"] and b["busy_ns"] and b["items_per_call"]["p50"] for b in result["blocks"])
    assert {e["from"]: e["buffer_items"] >= s.planned_items for e in result["edges"] for s in plan.streams
            if s.name == e["from"]} == {s.name: True for s in plan.streams}
    assert len(result["threads"]) == 2 and result["tail_items"] == ITEMS % 4
