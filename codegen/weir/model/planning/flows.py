"""Effect of calls of `work` on the streams: the tokens of each stream while a schedule is executed step by step."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

from weir.model.document.item_types import ITEM_TYPES
from weir.model.flowgraph.graph import Graph
from weir.model.flowgraph.rates import Rates
from weir.model.planning.schedule import Call
from weir.model.planning.sizing import Stream
from weir.sure import sure


@dataclass
class Flow:
    """A stream and its tokens. `rate`: items per firing of its writer; `takes`: items per firing of each reader
    (`instance.port`).

    `written` and `read` count from the moment when the stream was last empty and its buffer restarted.
    """

    stream: Stream
    writer: str
    rate: int
    takes: Mapping[str, int]
    written: int = 0
    read: dict[str, int] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self.size = ITEM_TYPES[self.stream.item_type].size
        self.read = dict.fromkeys(self.takes, 0)

    def waiting_for(self, reader: str) -> int:
        """Return the number of items waiting for a reader."""
        return self.written - self.read[reader]

    @property
    def tokens(self) -> int:
        """Return the number of items that some reader still has to take."""
        return self.written - min(self.read.values())

    def settle(self) -> bool:
        """Restart the buffer if all written items were read. Return whether it restarted."""
        if self.tokens or not self.written:
            return False
        self.written = 0
        self.read = dict.fromkeys(self.takes, 0)
        return True

    @property
    def end(self) -> int:
        """Return the first byte of the arena behind its buffer."""
        return sure(self.stream.offset) + self.stream.bytes

    def live(self) -> tuple[int, int]:
        """Return the unread bytes of its buffer: from, to."""
        return min(self.read.values()) * self.size, self.written * self.size


@dataclass(frozen=True)
class Input:
    """Input of an instance. `reader`: `instance.port`."""

    flow: Flow
    reader: str
    rate: int

    @property
    def taken(self) -> int:
        """Return the number of items taken."""
        return self.flow.read[self.reader]


@dataclass(frozen=True)
class Flows:
    """The flows of a graph by stream, and by each instance's ports in the descriptor's order.

    `outputs` has connected outputs only. Streams in registers are left out.
    """

    by_stream: Mapping[str, Flow]
    inputs: Mapping[str, tuple[Input, ...]]
    outputs: Mapping[str, tuple[Flow, ...]]

    @classmethod
    def of(cls, graph: Graph, rates: Rates, streams: Iterable[Stream]) -> Flows:
        """Make empty flows. `streams` has each connected output port once."""
        at = graph.instance
        flows = {s.name: Flow(s, s.source, rates.at(at(s.source), s.port),
                              {f"{e.dst}.{e.dst_port}": rates.at(at(e.dst), e.dst_port) for e in s.readers})
                 for s in streams}
        feeds = {reader: flow for flow in flows.values() for reader in flow.takes}
        inputs, outputs = {}, {}
        for i in graph.instances:
            readers = [f"{i.name}.{port.id}" for port in i.type.inputs]
            inputs[i.name] = tuple(Input(feeds[reader], reader, feeds[reader].takes[reader]) for reader in readers
                                   if feeds[reader].stream.kind != "register")
            outputs[i.name] = tuple(flows[name] for port in i.type.outputs
                                    if (name := f"{i.name}.{port.id}") in flows
                                    and flows[name].stream.kind != "register")
        return cls(flows, inputs, outputs)

    def inputs_of(self, call: Call) -> list[Input]:
        """Return the inputs of a call."""
        return [port for name in call.instances for port in self.inputs[name]]

    def outputs_of(self, call: Call) -> list[Flow]:
        """Return the outputs of a call."""
        return [flow for name in call.instances for flow in self.outputs[name]]

    def call(self, call: Call) -> list[Flow]:
        """Move the tokens of a call. Streams that become empty restart; return these."""
        inputs = self.inputs_of(call)
        for flow in self.outputs_of(call):
            flow.written += call.times * flow.rate
        for port in inputs:
            port.flow.read[port.reader] += call.times * port.rate
        return [port.flow for port in inputs if port.flow.settle()]
