"""Random deployments: workers, their placement, wait policy, chunks, buffers and parameters."""

from __future__ import annotations

import random
from typing import Any

from weir.model.catalog import SchedulerType
from weir.model.document.item_types import Parameter
from weir.model.flowgraph.graph import Graph
from weir.model.target_type import Target

CHUNKS = ("auto", "auto", 1, 7, 64, 1000, 4096, 65536)
BUFFERS = (1, 2, 16, 100, 1024, 10_000)
#: Most spinning threads of a deployment: more would only wait for a CPU.
SPINNING = 2


def choices(scheduler: SchedulerType, target: Target, graph: Graph, dice: random.Random,
            plain: bool) -> dict[str, object]:
    """Return random keys of a deployment with their values. `plain` leaves all sizes to the planner."""
    chosen: dict[str, Any] = {}
    workers = len(graph.instances) if scheduler.workers == "per_block" else 1
    if scheduler.workers == "chosen":
        workers = dice.randint(1, min(4, scheduler.max_workers))
        strategy = dice.choice(("contiguous", "round_robin", "per_pipe", "single", "auto", "explicit"))
        if not scheduler.placement:
            chosen["workers"] = workers
        elif strategy == "explicit":
            names = dict.fromkeys(i.block_id for i in graph.instances)
            chosen["placement"] = {"strategy": strategy,
                                   "map": {name: f"w{dice.randrange(workers)}" for name in names}}
        else:
            chosen["placement"] = {"strategy": strategy}
            if strategy != "single":
                chosen["workers"] = workers
    # Workers of a schedule may alternate item by item: one that spins occupies the CPU that another waits for.
    sleeps = scheduler.planner and workers > 1 and not plain and "park" in scheduler.wait
    calm = [w for w in scheduler.wait if w != "spin" or workers <= SPINNING] or scheduler.wait
    chosen["wait"] = "park" if sleeps else dice.choice(calm)
    if plain:
        return chosen
    if "chunk_items" in target.settings:
        chosen["chunk_items"] = dice.choice(CHUNKS)
    if "buffers" in target.settings and dice.random() < 0.6:
        share, items = dice.choice((0.3, 1.0)), dice.choice(BUFFERS)
        chosen["buffers"] = {edge.name: {"items": items} for edge in graph.edges if dice.random() < share}
    if "alignment" in target.settings:
        chosen["alignment"] = dice.random() < 0.3
    if scheduler.parameters:
        chosen["parameters"] = {p.id: _value(p, dice) for p in scheduler.parameters}
    return chosen


def _value(parameter: Parameter, dice: random.Random) -> object:
    if parameter.type == "enum":
        return dice.choice(parameter.options)
    if parameter.type == "bool":
        return dice.random() < 0.5
    if parameter.type == "i64" and parameter.minimum is not None and parameter.maximum is not None:
        low, high = int(parameter.minimum), int(parameter.maximum)
        return dice.choice((low, dice.randint(low, min(high, low + 100)), parameter.default))
    return parameter.default
