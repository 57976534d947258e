"""Test native blocks of a peer runtime: which blocks of a graph they may replace, and the names in the table."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest
from planning import machine, project
from weir import ROOT
from weir.engine.generation.natives import natives_of
from weir.engine.pipeline import Pipeline
from weir.model.catalog import load_catalog

CATALOG = load_catalog()
TABLES = [ROOT / "templates" / target / "native.json" for target in ("gnuradio3", "gnuradio4", "futuresdr")]
SOURCE = {"id": "source", "type": "null_source", "parameters": {"item_type": "f32"}}


def natives(folder: Path, blocks: list, connections: list, scheduler: str = "gnuradio310",
            **run: object) -> dict[str, bool]:
    """Return instance -> whether its native block may replace it only in runs without measurement there."""
    file = folder / "mine.weir.json"
    file.write_text(json.dumps(project(
        [SOURCE, *({"id": name, "type": kind} for name, kind in blocks)], connections,
        deployments=[{"name": "native", "scheduler": scheduler, "blocks": "native"}], run={"items": 1000, **run})))
    plan = Pipeline.open(file, here=machine("two_core")).plan("native").plan
    table = ROOT / "templates" / plan.target / "native.json"
    found = natives_of(plan, CATALOG, table, lambda item_type: item_type or "", lambda *given: str(given[1]))
    return {name: native.at_end for name, native in found.items()}


CHAIN = ([("limit", "head"), ("pass", "copy"), ("sink", "null_sink")],
         ["source.out > limit.in", "limit.out > pass.in", "pass.out > sink.in"])


def test_ends_of_a_chain_stand_there_where_nothing_is_watched(tmp_path: Path) -> None:
    assert natives(tmp_path, *CHAIN) == {"source": True, "limit": True, "pass": False, "sink": True}


def test_what_meters_a_run_is_one_that_means_the_same(tmp_path: Path) -> None:
    """Try FutureSDR's head, which does not end with its input."""
    assert natives(tmp_path, *CHAIN, scheduler="futuresdr_flow") == {"source": True, "pass": False, "sink": True}


def test_what_meters_a_run_is_ours_where_a_sink_is(tmp_path: Path) -> None:
    assert natives(tmp_path, [("limit", "head"), ("pass", "copy"), ("sink", "digest_sink")],
                   CHAIN[1]) == {"source": True, "pass": False}


def test_a_source_that_ends_the_run_is_ours(tmp_path: Path) -> None:
    """Try a source: the runtime's own has no end."""
    assert natives(tmp_path, [("pass", "copy"), ("sink", "null_sink")],
                   ["source.out > pass.in", "pass.out > sink.in"]) == {
        "pass": False, "sink": True}


def test_where_a_stream_forks_the_ends_are_ours(tmp_path: Path) -> None:
    """Fork a stream: Weir's blocks wait for each other, but both runtimes end a writer with its first reader."""
    forked = ([("limit", "head"), ("a", "copy"), ("b", "copy"), ("x", "null_sink"), ("y", "null_sink")],
              ["source.out > limit.in", "limit.out > a.in", "limit.out > b.in", "a.out > x.in", "b.out > y.in"])
    assert natives(tmp_path, *forked) == {"a": False, "b": False}


@pytest.mark.parametrize(("beside", "found"), [(True, {"a"}), (False, {"a", "sum"})])
def test_a_join_that_would_end_others_is_ours(beside: bool, found: set, tmp_path: Path) -> None:
    blocks = [("limit", "head"), ("a", "copy"), ("sum", "add"), ("x", "digest_sink"),
              *([("y", "digest_sink")] if beside else [])]
    connections = ["source.out > limit.in", "limit.out > a.in", "limit.out > sum.in0", "a.out > sum.in1",
                   "sum.out > x.in",
                   *(["limit.out > y.in"] if beside else [])]
    assert set(natives(tmp_path, blocks, connections)) == found


def test_what_is_behind_one_that_waits_for_others_is_ours(tmp_path: Path) -> None:
    """Check that blocks behind a waiting one are Weir's: native ones would end with it, and end it while it waits."""
    blocks = [("limit", "head"), ("near", "copy"), ("short", "head"), ("far", "copy"), ("x", "null_sink"),
              ("y", "null_sink")]
    connections = ["source.out > limit.in", "limit.out > near.in", "near.out > short.in", "short.out > far.in",
                   "far.out > x.in",
                   "limit.out > y.in"]
    assert set(natives(tmp_path, blocks, connections)) == {"near"}


@pytest.mark.parametrize("table", TABLES, ids=lambda table: table.parent.name)
def test_a_table_names_blocks_of_the_library_with_their_item_types_parameters_and_ports(table: Path) -> None:
    for name, entry in json.loads(table.read_text()).items():
        if name.startswith("x_"):
            continue
        kind = CATALOG.blocks[name]
        assert set(entry.get("if", {})) <= {p.id for p in kind.parameters}
        assert set(entry.get("ports", {})) <= {p.id for p in (*kind.inputs, *kind.outputs)}
        named = {it for it in entry.get("settings", {}).values() if isinstance(it, str)}
        assert named <= {p.id for p in kind.parameters}
        make = entry["make"] if isinstance(entry["make"], dict) else {None: entry["make"]}
        assert set(make) <= {None, *kind.item_types}
        assert isinstance(entry.get("header", ""), str) or set(entry["header"]) == set(make)
        for text in make.values():
            assert set(re.findall(r"\{(\w+)\}", text)) <= {"item", "total", *(p.id for p in kind.parameters)}
