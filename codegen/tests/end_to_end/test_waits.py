"""Test that every scheduler ends with every wait policy and small chunks: a lost wake-up stalls the run."""

from __future__ import annotations

import itertools
import json
import os
from collections.abc import Iterator
from pathlib import Path

import pytest
from graph_reference import ROOT
from planning import project
from weir_process import answer, program_of

ITEMS = 10**7 if "WEIR_STRESS" in os.environ else 2 * 10**6
#: None: the planner's chunks. Small chunks make a worker wait and wake up all the time.
CHUNKS = (16, None)
#: Tested always; the others with `weir test --all`.
SAMPLE = {("replicated", "park", 16), ("circuit", "park", 16), ("work_stealing", "park", 16)}
BLOCKS = [{"id": "source", "type": "counter_source", "parameters": {"item_type": "f32"}},
          {"id": "limit", "type": "head"}, {"id": "dc", "type": "dc_blocker"}, {"id": "sink", "type": "digest_sink"}]
WIRES = ["source.out > limit.in", "limit.out > dc.in", "dc.out > sink.in"]


def sink_of(folder: Path, **deployment: object) -> tuple[int, str]:
    """Return items and digest of a run, which fails when nothing moves for ten seconds."""
    document = project(BLOCKS, WIRES, run={"items": ITEMS, "timeout_s": 600, "trace": {"backend": "off"}},
                       deployments=[{"name": "d", **deployment}])
    program = program_of(folder / "app", document)
    [sink] = answer(program, folder / "out", "--stall-s", "10", "--speed-check-s", "0")["sinks"]
    return sink["items"], sink["digest"]


@pytest.fixture(scope="module")
def alone(tmp_path_factory: pytest.TempPathFactory) -> tuple[int, str]:
    """Return the sink's result with one worker, which never waits for another."""
    return sink_of(tmp_path_factory.mktemp("alone"), scheduler="single_thread")


def cases() -> Iterator:
    for path in sorted(ROOT.glob("runtime/schedulers/*/scheduler.json")):
        for wait, chunk in itertools.product(json.loads(path.read_text())["wait"], CHUNKS):
            case = (path.parent.name, wait, chunk)
            yield pytest.param(*case, marks=() if case in SAMPLE else pytest.mark.slow)


@pytest.mark.parametrize("scheduler,wait,chunk", cases())
def test_a_run_comes_to_its_end(scheduler: str, wait: str, chunk: int | None, alone: tuple[int, str],
                                tmp_path: Path) -> None:
    kind = json.loads((ROOT / "runtime/schedulers" / scheduler / "scheduler.json").read_text())["workers"]
    workers = {"workers": 2} if kind == "chosen" else {}
    chunks = {} if chunk is None else {"chunk_items": chunk}
    assert sink_of(tmp_path, scheduler=scheduler, wait=wait, **workers, **chunks) == alone
    assert alone[0] == ITEMS
