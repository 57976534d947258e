"""Time in ns that instances need for their items: measured if the profile has the block, else assumed.

The assumed cost is one step for each call, plus the time of y = a x + b in the cache where the buffers lie. The
measured cost is the profile's time for each item, plus one step for each call. Between workers, Weir adds the cache
lines of the ring's counters and the transfer of items from another core.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from weir.model.document.item_types import ITEM_TYPES
from weir.model.flowgraph.components import connected
from weir.model.flowgraph.graph import Edge, Graph, Instance
from weir.model.flowgraph.rates import Rates
from weir.model.planning.machine import Machine
from weir.model.planning.profile import Profile
from weir.model.planning.sizing import varies

_KIB = 1024
#: Cache lines with counts that are transferred for a chunk, at either end of a ring.
LINES_A_CHUNK = 2
#: Cost of an item of y = a x + b that stays in a register, without load and store, relative to L1.
_IN_REGISTER = 0.4


@dataclass(frozen=True)
class Costs:
    """Costs of a graph while one item leaves every `metered` instance."""

    graph: Graph
    rates: Rates
    machine: Machine
    metered: Sequence[str]
    profile: Profile | None = None

    @cached_property
    def firings(self) -> dict[str, float]:
        """Return the firings of each instance. Unconnected parts have separate paces."""
        metered = set(self.metered)
        found: dict[Any, Any] = {}
        for part in connected(self.graph):
            counted = [self.rates.output_items(i.name) for i in part if i.name in metered]
            iterations = len(counted) / max(sum(counted), 1)
            found.update((i.name, iterations * self.rates.firings[i.name]) for i in part)
        return found

    @cached_property
    def _out_bytes(self) -> Mapping[str, int]:
        """Return the bytes that a firing writes, by instance."""
        found = dict.fromkeys(self.graph.by_name, 0)
        for (name, port), edges in self.graph.readers.items():
            found[name] += self.rates.at(self.graph.instance(name), port) * ITEM_TYPES[edges[0].item_type].size
        return found

    def chunks(self, i: Instance, chunk: int) -> float:
        """Return the number of chunks of `chunk` items at the busiest port."""
        return self.firings[i.name] * max(self.rates.inputs[i.name] + self.rates.outputs[i.name], default=1) / chunk

    def own_ns(self, i: Instance, chunk: int, footprint: float, scheduled: bool = False,
               in_register: bool = False) -> float:
        """Return the time if all streams stay on the worker, in buffers of `footprint` bytes together. `scheduled`: a
        worker schedule makes the calls. `in_register`: the next block of a fused loop takes the output.
        """
        speeds, step = self.machine.speeds, self._step(i, scheduled, in_register)
        known = self.profile.blocks.get(i.block_id) if self.profile else None
        chunks = self.chunks(i, chunk)
        if known is None:
            kib = _IN_REGISTER * speeds.l1_kib if in_register else self._kib_ns(footprint)
            return chunks * step + (self._kib(i) * kib if i.type.inputs else 0.0)
        items = self.firings[i.name] * (self.rates.inputs[i.name] or self.rates.outputs[i.name] or (1,))[0]
        # A varying block chooses the items of a call; other blocks move the planned chunk.
        calls = max(chunks, items / known.items_per_call) if varies(i) and known.items_per_call else chunks
        computing = items * known.ns_per_item
        if in_register:
            computing = max(computing - (1 - _IN_REGISTER) * self._kib(i) * speeds.l1_kib, _IN_REGISTER * computing)
        return calls * min(step, speeds.step) + computing

    def _step(self, i: Instance, scheduled: bool, in_register: bool) -> float:
        speeds = self.machine.speeds
        if in_register:
            return 0.0
        return speeds.varying_step if varies(i) else speeds.fired_step if scheduled else speeds.step

    def ring_ns(self, i: Instance, chunk: int) -> float:
        """Return the extra time at either end of a ring."""
        return self.chunks(i, chunk) * LINES_A_CHUNK * self.machine.speeds.line

    def far_ns(self, edge: Edge, footprint: float) -> float:
        """Return the extra time at the reader of an edge that another core writes."""
        items = self.firings[edge.dst] * self.rates.at(self.graph.instance(edge.dst), edge.dst_port)
        kib = items * ITEM_TYPES[edge.item_type].size / _KIB
        return kib * max(self.machine.speeds.far_kib - self._kib_ns(footprint), 0.0)

    def _kib(self, i: Instance) -> float:
        return self.firings[i.name] * self._out_bytes[i.name] / _KIB

    def _kib_ns(self, footprint: float) -> float:
        return self.machine.speeds.kib_ns(footprint, self._caches[0], self._caches[1])

    @cached_property
    def _caches(self) -> tuple[int, int]:
        return self.machine.l1d, self.machine.l2
