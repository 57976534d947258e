"""Paths from sources to sinks, and how the latency of each is measured: by counts, by tags, or by PDUs."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from weir_companion.graph import Graph
from weir_companion.probes import Probes
from weir_companion.rates import Granularities


@dataclass
class Path:
    """Pair of a source and a sink that it reaches."""

    source: int
    sink: int
    how: str  #: `counts`, `tags` or `pdus`
    tx: int  #: number of the events at its begin
    rx: int
    identity: int  #: number that its tags carry
    source_items: int | None = None  #: items between boundaries
    sink_items: int | None = None
    between: set[int] = field(default_factory=set)  #: blocks on the way, with both ends


def find(graph: Graph, granularities: Granularities) -> list[Path]:
    """Return all paths."""
    after = graph.successors()
    before: dict[int, set[int]] = {number: set() for number in after}
    for number, next_ones in after.items():
        for next_one in next_ones:
            before[next_one].add(number)
    reach = {number: reached(after, number) for number in after}
    back = {number: reached(before, number) for number in after}
    into = {edge.sink: (edge.source, edge.output) for edge in reversed(graph.edges) if edge.input == 0}
    speaking = {source for source, _, _, _ in graph.message_edges}
    hearing = {sink for _, _, sink, _ in graph.message_edges}
    sinks = [block.number for block in graph.blocks
             if not block.outputs and (block.inputs or (block.number in hearing and block.number not in speaking))]
    spare = len(graph.blocks)  # the first number of events that is not a block's
    paths: list[Path] = []
    for source in graph.blocks:
        if source.inputs or not source.outputs or (source.number, 0) not in granularities.group:
            continue
        stream = (source.number, 0)
        for sink in sinks:
            if sink not in reach[source.number]:
                continue
            path = Path(source.number, sink, "counts", source.number, sink, source.number,
                        granularities.items[stream], between=reach[source.number] & back[sink])
            entry = into.get(sink)
            if entry is not None and granularities.group[entry] == granularities.group[stream]:
                path.sink_items = granularities.items[entry]
            else:
                path.how, path.rx, spare = "tags", spare, spare + 1
            paths.append(path)
    # PDUs that come from no stream get their identity where they first arrive. A block that makes new PDUs from those
    # that it receives begins a path, too; only the run shows this.
    streaming = {block.number for block in graph.blocks if block.inputs or block.outputs}
    makers = {number for number in speaking if not back[number] & streaming}
    for first in sorted({sink for source, _, sink, _ in graph.message_edges if source in makers}):
        ends = [sink for sink in sinks if sink in reach[first] and sink != first]
        identity = spare
        spare += 1
        for sink in ends:
            paths.append(Path(first, sink, "pdus", identity, spare, identity, between=reach[first] & back[sink]))
            spare += 1
    return paths


def reached(after: dict[int, set[int]], first: int) -> set[int]:
    """Return the blocks that `first` reaches, with itself."""
    found = {first}
    pending = [first]
    while pending:
        for number in after[pending.pop()] - found:
            found.add(number)
            pending.append(number)
    return found


def arm(probes: Probes, paths: list[Path]) -> None:
    """Tell the probes which boundaries to stamp and which identities to send and to look for."""
    sends: dict[int, int] = {}
    receives: dict[int, int] = {}
    for path in paths:
        if path.source_items is not None:
            sends[path.tx] = path.source_items
        if path.sink_items is not None:
            receives[path.rx] = path.sink_items
        if path.how == "tags":
            probes.call("mark", path.source)
        if path.how == "pdus":
            probes.call("mark_messages", path.source, path.identity)
        if path.how != "counts":
            for number in sorted(path.between - {path.source}):
                probes.call("look", number, path.identity)
            probes.call("receive", path.sink, path.identity, path.rx)
    for number in sorted(sends.keys() | receives.keys()):
        probes.call("stamp", number, sends.get(number, 0), receives.get(number, 0))


def judged(graph: Graph, path: Path, rows: list[dict[str, Any]], traced: bool) -> dict[str, Any]:
    """Return the results of a path: its boundaries, or why it has no latency."""
    source, sink = rows[path.source], rows[path.sink]
    if path.how == "counts":
        assert path.source_items and path.sink_items
        sent, received = source["out"][0]["items"] // path.source_items, sink["in"][0]["items"] // path.sink_items
    else:
        sent = source["marked" if path.how == "tags" else "marked_messages"]
        received = seen(sink, path.identity)["seen"]
    reason = None
    if not traced:
        reason = "latency not measured: the run was not traced"
    elif not sent:
        reason = (f"latency not measured: {graph.blocks[path.source].name} sent {source['out'][0]['items']} items, "
                  f"fewer than the {path.source_items} between two boundaries")
    elif not received and path.how == "counts":
        reason = (f"latency not measured: {graph.blocks[path.sink].name} got {sink['in'][0]['items']} items, "
                  f"fewer than the {path.sink_items} between two boundaries")
    elif not received:
        reason = lost(graph, path, rows)
    return {"source": graph.blocks[path.source].name, "sink": graph.blocks[path.sink].name, "how": path.how,
            "tx": path.tx, "rx": path.rx, "source_granularity": path.source_items, "sink_granularity": path.sink_items,
            "sent": sent, "received": received, "reason": reason, "latency": None}


def seen(row: dict[str, Any], source: int) -> dict[str, int]:
    """Return how many identities of a source a block saw, and its items when the first one arrived."""
    for one in row["arrivals"]:
        if one["source"] == source:
            return {"seen": one["seen"], "position": one["position"]}
    return {"seen": 0, "position": 0}


def farthest(graph: Graph, path: Path, rows: list[dict[str, Any]]) -> int:
    """Return the last block of a path that identities reached: of several branches, the longest."""
    after = graph.successors()
    # A block that fetches messages itself is not seen to get them: pdu_to_tagged_stream of GNU Radio 3.10.
    fetching = {sink for _, _, sink, _ in graph.message_edges if not rows[sink]["in"] and not rows[sink]["messages"]
                and any(port["items"] for port in rows[sink]["out"])}
    order = [path.source]
    for number in order:
        order += (next_one for next_one in sorted(after[number] & path.between - set(order))
                  if next_one in fetching or seen(rows[next_one], path.identity)["seen"])
    # If a reader of a block saw identities, the block passed them on, though perhaps on another way.
    known = [number for number in order if number == path.source or number not in fetching]
    return next((number for number in reversed(known) if not after[number] & set(known) - {number}), known[-1])


def lost(graph: Graph, path: Path, rows: list[dict[str, Any]]) -> str:
    """Return where the identities of a path ended."""
    last = farthest(graph, path, rows)
    name = graph.blocks[last].name
    position = path.source_items if last == path.source else seen(rows[last], path.identity)["position"]
    for edge in graph.edges:
        if edge.source == last and edge.sink in path.between:
            came, taken = rows[last]["out"][edge.output]["items"], rows[edge.sink]["in"][edge.input]["items"]
            if taken > came:  # as the selector and pfb_clock_sync of GNU Radio 3.10 do
                return (f"latency not measurable: block {graph.blocks[edge.sink].name} claims to have consumed {taken} "
                        f"items of {came}, so it misses tags")
            if taken >= (position or 1):
                return f"latency not measurable: block {name} drops tags"
    if any(source == last and sink in path.between and rows[sink]["messages"]
           for source, _, sink, _ in graph.message_edges):
        return f"latency not measurable: block {name} drops the metadata of PDUs"
    return f"latency not measured: the run ended before the first boundary had left block {name}"
