"""Each worker calls its own blocks; the default buffer size is GNU Radio's."""

from __future__ import annotations

from pathlib import Path

from weir.model.planning import peer_runtime
from weir.model.planning.planner import Arrangement, Request

#: Default size of a buffer in GNU Radio 4, for any item type.
DEFAULT_ITEMS = 65536


def plan(request: Request) -> Arrangement:
    made = peer_runtime.plan(request, default_items=DEFAULT_ITEMS)
    return peer_runtime.fusing(made, request, Path(__file__).parents[2] / "native.json")
