"""A whole flowgraph in numpy: every block by its own reference, in the graph's order."""

from __future__ import annotations

import sys
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from weir.check import check
from weir.flowgraph.graph import Graph, Instance
from weir.flowgraph.rates import port_rate
from weir.planning.probes import heads_behind

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "block-library" / "reference"))

from weir_reference import DTYPES, Block, Context, digest, instance_seed, load_blocks, wide  # noqa: E402

Port = tuple[str, str]


@dataclass(frozen=True)
class Evaluated:
    """`streams`: output port (instance, port) -> items in the port's dtype. `truth`: the same as the reference gives
    it, float64 or complex128 for floats. `sizes`: what an ulp is an ulp of. `arrived`: sink -> port -> items.
    `answers`: sink -> what its reference says it is left with. `tails`: items that make no whole firing."""

    streams: dict[Port, np.ndarray]
    truth: dict[Port, np.ndarray]
    sizes: dict[Port, np.ndarray]
    arrived: dict[str, dict[str, np.ndarray]]
    answers: dict[str, Mapping[str, object]]
    tails: dict[str, int]


def evaluate(graph: Graph, items: int, seed: int, project_dir: Path,
             recorded: Mapping[Port, np.ndarray] | None = None) -> Evaluated:
    """A run of `items` items a source. What reads a `recorded` port reads that, and not what numpy makes of it."""
    library = load_blocks()
    bounds = _source_items(graph, items)
    found = Evaluated({}, {}, {}, {}, {}, {})
    with np.errstate(all="ignore"):
        for instance in graph.instances:
            _fire(instance, library[instance.type.id], graph, found, recorded or {},
                  Context(bounds.get(instance.name, items), instance_seed(seed, instance.name), items, project_dir))
    return found


def _fire(instance: Instance, block: Block, graph: Graph, found: Evaluated, recorded: Mapping[Port, np.ndarray],
          context: Context) -> None:
    item_type, given = instance.item_type or "", dict(instance.parameters)
    feeds = {e.dst_port: (e.src, e.src_port) for e in graph.edges if e.dst == instance.name}
    inputs = {port: recorded.get(feed, found.streams[feed]) for port, feed in feeds.items()}
    inputs = {port: inputs[port] for port in block.ports("inputs", item_type)}
    rates = [port_rate(port, instance) for port in instance.type.inputs]
    firings = min((len(x) // rate for x, rate in zip(inputs.values(), rates)), default=0)
    found.tails[instance.name] = sum(len(x) - firings * rate for x, rate in zip(inputs.values(), rates))
    whole = {port: x[:firings * rate] for (port, x), rate in zip(inputs.items(), rates)}
    answer = block.reference(given, whole, item_type, context)
    if instance.type.is_sink:
        found.arrived[instance.name], found.answers[instance.name] = inputs, answer
        return
    sizes = block.magnitude(given, whole, item_type, context)
    for port, dtype in block.ports("outputs", item_type).items():
        truth = np.asarray(answer[port])
        key = (instance.name, port)
        found.streams[key], found.truth[key] = truth.astype(dtype), wide(truth)
        found.sizes[key] = np.asarray(sizes.get(port, found.truth[key]))


def _source_items(graph: Graph, items: int) -> dict[str, int]:
    """How many each source makes: the run's items, or what the longest of the heads takes that alone end it."""
    bounds = {}
    for source, heads in heads_behind(graph).items():
        taken = [int(graph.instance(h).parameters[graph.instance(h).type.behaviour["bounds"]]) or items for h in heads]
        bounds[source] = max(taken, default=items)
    return bounds


def expected_sinks(project: Path | str, directory: Path, sets: dict[str, str] | None = None) -> dict[str,
                                                                                                     tuple[int, str]]:
    """Sink -> (items, digest as in results.json) of a project whose sinks have one input."""
    checked = check(project, sets=sets or {}, directory=directory)
    assert checked.graph is not None, checked.diagnostics
    run = checked.project.run
    arrived = evaluate(checked.graph, run.items, run.seed, directory).arrived
    return {sink: (len(x), f"{digest(x):016x}") for sink, ports in arrived.items() for x in ports.values()}
