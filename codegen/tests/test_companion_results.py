"""What results.json says about hierarchical blocks: a part of templates/companion."""

from __future__ import annotations

import importlib.util
import json
from pathlib import Path
from types import ModuleType
from typing import Any

from companion_world import COMPANION
from weir.engine.targets.interface import Order


def protocol() -> ModuleType:
    """Load the module as Weir does: by its place."""
    spec = importlib.util.spec_from_file_location("companion_protocol", COMPANION / "protocol.py")
    assert spec and spec.loader
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def row(name: str, taken: list[int], made: list[int]) -> dict[str, Any]:
    """Return the row of an inner block."""
    return {"name": name, "in": [{"items": n} for n in taken], "out": [{"items": n} for n in made]}


#: A channel whose noise comes from an inner source, which is far ahead of the stream.
BLOCKS = {"source": [row("source", [], [100])],
          "channel": [row("channel/noise", [], [900]), row("channel/add", [90, 850], [80])],
          "sink": [row("sink", [80], [])]}
EDGES = [["channel/noise", 0, "channel/add", 1], ["source", 0, "channel/add", 0], ["channel/add", 0, "sink", 0]]


def test_a_hierarchical_block_has_the_items_at_its_ends() -> None:
    ends = protocol()._Ends(BLOCKS, EDGES)
    assert [(ends.items_in(name), ends.items_out(name)) for name in BLOCKS] == [(0, 100), (90, 80), (80, 0)]


def test_a_source_within_a_hierarchical_block_that_a_stream_enters_begins_no_latency(tmp_path: Path) -> None:
    entries = [{"id": name, "gnuradio": {"name": name, "inputs": [{"type": "f32"}] * (name != "source")}}
               for name in BLOCKS]
    (tmp_path / "project.json").write_text(json.dumps({"graph": {"blocks": entries}}))
    path = {"sink": "sink", "how": "counts", "reason": None, "rx": 3, "source_granularity": 1, "sink_granularity": 1,
            "sent": 5, "received": 5}
    (tmp_path / "results.json").write_text(json.dumps({
        "blocks": [{"name": name, "hierarchical": len(rows) > 1, "inner": rows} for name, rows in BLOCKS.items()],
        "paths": [path | {"source": "channel/noise", "tx": 1}, path | {"source": "source", "tx": 2}]}))
    ran = protocol().as_run(Order(tmp_path, tmp_path), {"blocks": [{"instance": name} for name in BLOCKS]})
    assert [(pair["source"], pair["sink"]) for pair in ran["pairs"]] == [("source", "sink")]
