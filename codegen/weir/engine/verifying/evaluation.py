"""Evaluate a flowgraph in numpy: every block by its own reference, in topological order.

If a port's items are recorded, downstream blocks are computed from the recording, so that each block is judged by its
own error bound, however long the chain. A recording may stop early, because a block stops once its readers have ended,
such as a join that another input ends. numpy's items then complete it, so that the sinks tell if items are missing.
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

#: float32 represents every integer below this value.
EXACT = 2**24
#: Items checked at a time.
PIECE = 1 << 15
#: Tolerance for the rounding of the error itself.
SLACK = 1 + 1e-6


@dataclass(frozen=True)
class Conditions:
    """Settings of a run. `counted`: a verification, in which every source emits the counter pattern."""

    items: int
    seed: int
    project_dir: Path
    counted: bool = False


@dataclass(frozen=True)
class Judged:
    """A recorded port. Errors are in ulp, of the items that were recorded; `wanted` is the number of items in numpy."""

    block: str
    items: int
    wanted: int
    error_ulp: float
    bound_ulp: float

    @property
    def ok(self) -> bool:
        """Return whether all items are there, within the bound."""
        return self.items == self.wanted and self.within

    @property
    def within(self) -> bool:
        """Return whether the recorded items are within the bound."""
        return self.error_ulp <= self.bound_ulp * SLACK


@dataclass
class Evaluated:
    """Result of an evaluation. `inexact` are output ports whose exact bits are unknown.

    `sinks` (counted): items and digest of each sink. `streams` (not counted): output port -> items in its dtype.
    `arrived`: sink -> port -> items. `answers`: sink -> result of its reference. `tails`: items that do not make a
    whole firing. `peak_bytes`: most bytes of streams at one time.
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
    """Evaluate a run. Readers of a `recorded` port read the recording, and numpy's items after its end.

    Raises ReferenceFails if a reference raises.
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
                made, truth = self.recorded.get(key), np.asarray(answer[port]).astype(dtype, copy=False)
                if made is not None and len(made) < len(truth):
                    made = np.concatenate((made, truth[len(made):]))
                found.streams[key] = truth if made is None else made
                self.live_bytes += found.streams[key].nbytes
        found.peak_bytes = max(found.peak_bytes, self.live_bytes)

    def _inputs(self, instance: Instance) -> dict[str, np.ndarray]:
        """Return the inputs in the descriptor's order. A verification frees streams after their last reader."""
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
            # Like `Node::digest_consumed`: odd factors tell the inputs of a sink apart.
            total = sum((2 * i + 1) * self.numpy.digest(x) for i, x in enumerate(whole.values()))
            self.found.sinks[instance.name] = (len(next(iter(whole.values()))), total % 2**64)
        else:
            self.found.arrived[instance.name], self.found.answers[instance.name] = inputs, answer()

    def _pattern(self, instance: Instance, answer: Mapping[str, np.ndarray]) -> dict[str, np.ndarray]:
        """Return the output of `Node::emit_pattern` for a source: as many whole firings as the block would make."""
        ports = instance.type.outputs
        firings = min(self.conditions.items, len(answer[ports[0].id])) // port_rate(ports[0], instance)
        return {port.id: self.numpy.counter_pattern(firings * port_rate(port, instance),
                                                    port.item_type(instance.item_type)) for port in ports}

    def _judge(self, instance: Instance, answer: Mapping, magnitude: Callable[[], Mapping[str, np.ndarray]],
               inputs: Mapping[str, np.ndarray]) -> None:
        """Judge a block's output against its error bound.

        Floats of blocks with an error bound are inexact, unless all values are small non-negative integers: their sum
        is exact in any order, and no zero has a sign. The bits of a NaN are always unknown.
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
                if len(made) <= len(truth):
                    until, size = truth[:len(made)], size[:len(made)]
                    turn = self.blocks[instance.type.id].period(instance.parameters, instance.item_type or "")
                    error = self.numpy.ulp_error(made, self.numpy.nearest_turn(made, until, turn.get(port.id)), size)
                self.found.judged[key] = Judged(instance.type.id, len(made), len(truth), error, bound)


def _small_integers(values: np.ndarray) -> bool:
    """Return whether all values are small non-negative integers. Checks pieces, to stay in the cache and stop early."""
    parts = (values.real, values.imag) if values.dtype.kind == "c" else (values,)
    pieces = (p[i:i + PIECE] for p in map(np.ravel, parts) for i in range(0, p.size, PIECE))
    return all(np.all((p >= 0) & (p < EXACT) & (p == np.floor(p)) & ~np.signbit(p)) for p in pieces)


def dtype_of(graph: Graph, port: Port) -> np.dtype:
    """Return the dtype of a port's items."""
    instance = graph.instance(port[0])
    return library().DTYPES[sure(instance.type.output(port[1])).item_type(instance.item_type)]


def _source_items(graph: Graph, items: int) -> dict[str, int]:
    """Return the items of each source: the run's, or the most that the heads which end it take."""
    bounds = {}
    for source, heads in heads_behind(graph).items():
        taken = [int(graph.instance(h).parameters[graph.instance(h).type.behaviour["bounds"]]) or items for h in heads]
        bounds[source] = max(taken, default=items)
    return bounds
