"""A whole flowgraph in numpy: every block by its own reference, in the graph's order."""

from __future__ import annotations

import sys
from pathlib import Path

import numpy as np

from weir.check import check
from weir.flowgraph.graph import Graph

ROOT = Path(__file__).resolve().parents[3]
sys.path.insert(0, str(ROOT / "block-library" / "reference"))

from weir_reference import Context, digest, instance_seed, load_blocks  # noqa: E402


def evaluate(graph: Graph, items: int, seed: int, project_dir: Path) -> dict[str, np.ndarray]:
    """What arrives at each sink (instance name -> items in the port's dtype) of a run of `items` items a source."""
    library = load_blocks()
    streams: dict[tuple[str, str], np.ndarray] = {}
    arrived = {}
    for instance in graph.instances:
        block, item_type = library[instance.type.id], instance.item_type or ""
        inputs = {e.dst_port: streams[e.src, e.src_port] for e in graph.edges if e.dst == instance.name}
        if not instance.type.outputs:
            arrived[instance.name] = inputs[instance.type.inputs[0].id]
            continue
        shortest = min((len(x) for x in inputs.values()), default=0)
        inputs = {port: x[:shortest] for port, x in inputs.items()}
        context = Context(items, instance_seed(seed, instance.name), items, project_dir)
        outputs = block.reference(dict(instance.parameters), inputs, item_type, context)
        for port, dtype in block.ports("outputs", item_type).items():
            streams[instance.name, port] = np.asarray(outputs[port]).astype(dtype)
    return arrived


def expected_sinks(project: Path | str, directory: Path, sets: dict[str, str] | None = None) -> dict[str,
                                                                                                     tuple[int, str]]:
    """Sink -> (items, digest as in results.json) of a project."""
    checked = check(project, sets=sets or {}, directory=directory)
    assert checked.graph is not None, checked.diagnostics
    run = checked.project.run
    arrived = evaluate(checked.graph, run.items, run.seed, directory)
    return {name: (len(x), f"{digest(x):016x}") for name, x in arrived.items()}
