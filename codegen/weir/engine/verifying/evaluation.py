"""A whole flowgraph in numpy: every block by its own reference, in the graph's order.

Where a port's items are recorded, what follows is computed from them: so each block is held against its own bound,
however many stand in a row.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np

from weir.engine.verifying.references import ReferenceFails, library, references
from weir.model.flowgraph.graph import Edge, Graph, Instance
from weir.model.flowgraph.rates import port_rate
from weir.model.planning.probes import heads_behind
from weir.sure import sure

Port = tuple[str, str]

#: Below this, a float32 holds every integer.
EXACT = 2**24
#: Items that are looked at together.
PIECE = 1 << 15
#: For the rounding of the error itself.
SLACK = 1 + 1e-6


@dataclass(frozen=True)
class Conditions:
    """What a run is told. `counted`: a verification, in which every source emits the counter pattern."""

    items: int
    seed: int
    project_dir: Path
    counted: bool = False


@dataclass(frozen=True)
class Judged:
    """A recorded port. Errors are in ulp; `wanted`: how many items numpy has there."""

    block: str
    items: int
    wanted: int
    error_ulp: float
    bound_ulp: float

    @property
    def ok(self) -> bool:
        """Whether all items are there, within the bound."""
        return self.items == self.wanted and self.error_ulp <= self.bound_ulp * SLACK


@dataclass
class Evaluated:
    """`inexact`: output ports whose bits the reference does not know. `sinks` (counted): items and digest of each.

    `streams` (not counted): output port -> items in its dtype; `arrived`: sink -> port -> items; `answers`: sink ->
    what its reference says it is left with. `tails`: items that make no whole firing. `peak_bytes`: the most that
    streams took at one time.
    """

    inexact: list[Port] = field(default_factory=list)
    judged: dict[Port, Judged] = field(default_factory=dict)
    sinks: dict[str, tuple[int, int]] = field(default_factory=dict)
    streams: dict[Port, np.ndarray] = field(default_factory=dict)
    arrived: dict[str, dict[str, np.ndarray]] = field(default_factory=dict)
    answers: dict[str, Mapping[str, Any]] = field(default_factory=dict)
    tails: dict[str, int] = field(default_factory=dict)
    peak_bytes: int = 0


def evaluate(graph: Graph, conditions: Conditions, recorded: Mapping[Port, np.ndarray] | None = None) -> Evaluated:
    """The answer of a run. What reads a `recorded` port reads that, and not what numpy makes of it.

    ReferenceFails where a reference raises.
    """
    return _Evaluation(graph, conditions, recorded or {}).run()


class _Evaluation:
    def __init__(self, graph: Graph, conditions: Conditions, recorded: Mapping[Port, np.ndarray]):
        self.graph, self.conditions, self.recorded = graph, conditions, recorded
        self.numpy = library()
        self.blocks = references(instance.type for instance in graph.instances)
        self.bounds = {} if conditions.counted else _source_items(graph, conditions.items)
        self.feeds: dict[str, list[Edge]] = {instance.name: [] for instance in graph.instances}
        self.readers: dict[Port, int] = {}
        for edge in graph.edges:
            self.feeds[edge.dst].append(edge)
            self.readers[edge.src, edge.src_port] = self.readers.get((edge.src, edge.src_port), 0) + 1
        self.found = Evaluated()
        self.live_bytes = 0

    def run(self) -> Evaluated:
        with np.errstate(all="ignore"):
            for instance in self.graph.instances:
                try:
                    self._fire(instance)
                except Exception as error:  # numpy's and the reference's own, of any kind
                    raise ReferenceFails(instance.type.id, f"{type(error).__name__}: {error}") from error
        return self.found

    def _fire(self, instance: Instance) -> None:
        it, found, block = self.conditions, self.found, self.blocks[instance.type.id]
        item_type, given = instance.item_type or "", dict(instance.parameters)
        context = self.numpy.Context(self.bounds.get(instance.name, it.items),
                                     self.numpy.instance_seed(it.seed, instance.name), it.items, it.project_dir)
        inputs = self._inputs(instance)
        rates = [port_rate(port, instance) for port in instance.type.inputs]
        firings = min((len(x) // rate for x, rate in zip(inputs.values(), rates)), default=0)
        found.tails[instance.name] = sum(len(x) - firings * rate for x, rate in zip(inputs.values(), rates))
        whole = {port: x[:firings * rate] for (port, x), rate in zip(inputs.items(), rates)}
        if instance.type.is_sink:
            self._end(instance, inputs, whole, lambda: block.reference(given, whole, item_type, context))
            return
        answer = block.reference(given, whole, item_type, context)
        if it.counted and instance.type.is_source:
            answer = self._pattern(instance, answer)
        else:
            self._judge(instance, answer, lambda: block.magnitude(given, whole, item_type, context), inputs)
        for port, dtype in block.ports("outputs", item_type).items():
            key = (instance.name, port)
            if key in self.readers or not it.counted:
                made = self.recorded.get(key)
                found.streams[key] = np.asarray(answer[port]).astype(dtype, copy=False) if made is None else made
                self.live_bytes += found.streams[key].nbytes
        found.peak_bytes = max(found.peak_bytes, self.live_bytes)

    def _inputs(self, instance: Instance) -> dict[str, np.ndarray]:
        """In the order of the descriptor. In a verification, what nobody else reads is forgotten."""
        inputs = {}
        for edge in self.feeds[instance.name]:
            key = (edge.src, edge.src_port)
            inputs[edge.dst_port] = self.found.streams[key]
            self.readers[key] -= 1
            if self.conditions.counted and not self.readers[key]:
                self.live_bytes -= self.found.streams.pop(key).nbytes
        return {port.id: inputs[port.id] for port in instance.type.inputs}

    def _end(self, instance: Instance, inputs: dict, whole: dict, answer: Callable[[], Mapping[str, Any]]) -> None:
        if self.conditions.counted:
            # As `Node::digest_consumed`: odd factors keep the inputs of a sink apart.
            total = sum((2 * i + 1) * self.numpy.digest(x) for i, x in enumerate(whole.values()))
            self.found.sinks[instance.name] = (len(next(iter(whole.values()))), total % 2**64)
        else:
            self.found.arrived[instance.name], self.found.answers[instance.name] = inputs, answer()

    def _pattern(self, instance: Instance, answer: Mapping[str, np.ndarray]) -> dict[str, np.ndarray]:
        """What `Node::emit_pattern` makes of a source: as many whole firings as the block itself would have made."""
        ports = instance.type.outputs
        firings = min(self.conditions.items, len(answer[ports[0].id])) // port_rate(ports[0], instance)
        return {port.id: self.numpy.counter_pattern(firings * port_rate(port, instance),
                                                    port.item_type(instance.item_type)) for port in ports}

    def _judge(self, instance: Instance, answer: Mapping, magnitude: Callable[[], Mapping[str, np.ndarray]],
               inputs: Mapping[str, np.ndarray]) -> None:
        """Floats of blocks that state an error are inexact, unless all values are small integers that are not
        negative: a sum of them is exact in any order, and no zero has a sign. And nobody knows the bits of a NaN.
        """
        bound = float(instance.type.accuracy.get("ulp", 0))
        for port in instance.type.outputs:
            key = (instance.name, port.id)
            dtype = self.numpy.DTYPES[port.item_type(instance.item_type)]
            truth = self.numpy.wide(np.asarray(answer[port.id])) if dtype.kind in "fc" else None
            if truth is None or not bound and not np.isnan(truth).any():
                continue
            size = np.asarray(magnitude().get(port.id, truth))
            if all(map(_small_integers, (size, truth, *inputs.values()))):
                continue
            self.found.inexact.append(key)
            if key in self.recorded:
                made = self.recorded[key]
                error = float("inf")
                if len(made) == len(truth):
                    turn = self.blocks[instance.type.id].period(instance.parameters, instance.item_type or "")
                    error = self.numpy.ulp_error(made, self.numpy.nearest_turn(made, truth, turn.get(port.id)), size)
                self.found.judged[key] = Judged(instance.type.id, len(made), len(truth), error, bound)


def _small_integers(values: np.ndarray) -> bool:
    """A piece at a time: it stays in the cache, and the first that has others tells."""
    parts = (values.real, values.imag) if values.dtype.kind == "c" else (values,)
    pieces = (p[i:i + PIECE] for p in map(np.ravel, parts) for i in range(0, p.size, PIECE))
    return all(np.all((p >= 0) & (p < EXACT) & (p == np.floor(p)) & ~np.signbit(p)) for p in pieces)


def dtype_of(graph: Graph, port: Port) -> np.dtype:
    """The dtype of a port's items."""
    instance = graph.instance(port[0])
    return library().DTYPES[sure(instance.type.output(port[1])).item_type(instance.item_type)]


def _source_items(graph: Graph, items: int) -> dict[str, int]:
    """How many each source makes: the run's items, or what the longest of the heads takes that alone end it."""
    bounds = {}
    for source, heads in heads_behind(graph).items():
        taken = [int(graph.instance(h).parameters[graph.instance(h).type.behaviour["bounds"]]) or items for h in heads]
        bounds[source] = max(taken, default=items)
    return bounds
