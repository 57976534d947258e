"""Run the flowgraph's program under run.py, and return what it measured as results.json.

run.py knows what Weir's plan cannot: the rates of GNU Radio's blocks, and the blocks within hierarchical ones. `as_run`
therefore returns the plan as the program carried it out.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from graphlib import TopologicalSorter
from typing import Any

from weir.engine.measuring import weir_protocol
from weir.engine.measuring.results import add_reason
from weir.engine.targets.interface import Ended, Order, Program, Verdict
from weir.model.document.expressions import Number
from weir.model.document.project import load_project
from weir.model.flowgraph.replacing import NOISE, ZEROS, said, throttled

#: What no probe counts: the blocks that get messages count them.
SENT = "sent messages"
EVENTS = weir_protocol.EVENTS
progress = weir_protocol.progress
tapped = weir_protocol.tapped


def verdict(ended: Ended) -> Verdict:
    """Return how the program ended. A flowgraph that cannot be constructed or started is a failed run, not a wrong
    option.
    """
    found = weir_protocol.verdict(ended)
    if found.kind != "usage":
        return found
    # The program's modules may have said much before.
    faults = [line.removeprefix("error: ") for line in ended.last_lines if line.startswith("error: ")]
    return replace(found, kind="failed", said=(faults[-1],) if faults else found.said)


def command(program: Program, order: Order) -> list[str]:
    """Return the command line of a run. The program's own command has the project's end; the last option counts."""
    words = [*program.command, "--out", ".", "--trace", order.trace, "--run-id", order.run_id]
    if order.items:
        words += ["--items", str(order.items)]
    if order.metrics is not None:
        words += ["--metrics", order.metrics]
    if order.timeout_s is not None:  # without items, the time ends the run, which is no fault
        words += ["--timeout-s" if "--items" in words else "--seconds", f"{order.timeout_s:g}"]
    names = {entry["id"]: entry["gnuradio"]["name"] for entry in _blocks(order)} if order.params else {}
    for setting in order.params:  # from `weir rate`: the parameters of GNU Radio's blocks cannot be set here
        place, _, value = setting.partition("=")
        block, _, parameter = place.rpartition(".")
        if block in names and parameter == "rate":
            words += ["--pace", f"{names[block]}={value}"]
        elif parameter == "quantum_s":
            words += ["--pace-s", value]
    return [*words, "--progress=json"] if order.progress else words


def results(order: Order, plan: Mapping, ended: Ended, blank: Callable[[], dict]) -> dict | None:
    """Return results.json from what run.py wrote, None if it wrote nothing."""
    seen = _observed(order)
    if seen is None:
        return None
    made, blocks = blank(), dict(_drawn(order, seen))
    ends = _Ends(blocks, seen["edges"])
    for reason in seen["reasons"]:
        add_reason(made, reason["code"], reason["message"])
    if unknown := latency_unknown(seen):
        add_reason(made, "N_LATENCY_UNKNOWN", unknown)
    if unseen := "; ".join(unseen_by_cause(seen["unseen"])):
        add_reason(made, "N_UNSEEN", unseen)
    if replaced := "; ".join(said(plan.get("replaced", ()), _parameters(order))):
        add_reason(made, "N_REPLACED", replaced)
    if throttles := throttled(plan):
        verb = "hold" if len(throttles) > 1 else "holds"
        add_reason(made, "N_THROTTLED", f"{', '.join(throttles)} {verb} the rate; --replace throttle measures without")
    elapsed = seen["elapsed_s"]
    made.update(
        elapsed_s=elapsed, window_s=elapsed, window={"begin_ns": seen["begin_ns"], "end_ns": seen["end_ns"]},
        warmup_items=0, metrics="profile" if seen["metrics"] == "profile" else "counters",
        sinks=[{"id": name, "items": ends.items_in(name), "expected": None, "digest": None}
               for name, rows in blocks.items() if any(it["in"] and not it["out"] for it in rows)],
        blocks=[_block(name, rows, ends) for name, rows in blocks.items()],
        threads=[_thread(f"{name}" if len(rows) == 1 else f"{name}/{row['name']}", row)
                 for name, rows in blocks.items() for row in rows if row["thread"]])
    # The stream of a device that consists of several blocks, as with RFNoC, begins at its noise or zeros.
    begins = [*plan["metered"], *(it["instance"] for it in plan.get("replaced", ()) if it["by"] in (NOISE, ZEROS))]
    begins = [name for name in dict.fromkeys(begins) if name in blocks and blocks[name]]
    window = seen["window"]
    if window and elapsed:
        made["window"] = {end: window[end] for end in ("begin_ns", "end_ns")}
        made["window_s"] = (window["end_ns"] - window["begin_ns"]) / 1e9
    # A flowgraph that only passes messages has no throughput in items.
    if elapsed and begins:
        before = passed(blocks, seen, begins, window["counts"]) if window else 0.0
        made["throughput_items_per_s"] = max(0.0, passed(blocks, seen, begins, {}) - before) / made["window_s"]
    made["trace"].update(events=seen["trace"]["events"], discarded=seen["trace"]["discarded"], compiled_in=True,
                         probe_granularity=seen["trace"]["probe_granularity"])
    made["granted"]["affinity"] = {name: rows[0]["granted"]["affinity"] or [] for name, rows in blocks.items() if rows}
    made["edges"] = list(_edges(plan, blocks))
    made["granted"]["buffers"] = {edge["from"]: edge["buffer_items"] for edge in made["edges"]
                                  if edge["from"].rpartition(".")[0] in blocks}
    # GNU Radio alone decides the sizes that the deployment leaves open.
    made["planned"]["buffers"] = {stream["name"]: stream["planned_items"] for stream in plan["streams"]
                                  if stream["requested_items"] is not None}
    made["granted"]["buffer_limits"] = {stream["name"]: limits for stream in plan["streams"]
                                        if (limits := _limits(stream, blocks))}
    if seen["pace"]:
        offered = sum(seen["pace"].values())
        made["offered_items_per_s"] = offered
        made["load"].update(offered_items_per_s=offered, delivered_items_per_s=made["throughput_items_per_s"])
    return made


def passed(blocks: Mapping[str, list[dict[str, Any]]], seen: Mapping, begins: list[str],
           counts: Mapping[str, dict[str, Any]]) -> float:
    """Return the items of sources that were in no buffer any more. `counts` replaces the counts of inner blocks."""
    then = {name: [{**row, **counts.get(row["name"], {})} for row in rows] for name, rows in blocks.items()}
    ends, arrival = _Ends(then, seen["edges"]), _Arrival(then, seen)
    return sum(ends.items_out(name) * arrival.share.get(ends.last(name), 1.0) for name in begins)


class _Arrival:
    """Shares of items that arrived. The others were still in buffers."""

    def __init__(self, blocks: Mapping[str, list[dict[str, Any]]], seen: Mapping):
        self.rows = {row["name"]: row for inner in blocks.values() for row in inner}
        self.uncounted = {it["block"] for it in seen["unseen"] if it["what"] == "calls and items"}
        behind: dict[str, list[list[Any]]] = {}
        for edge in seen["edges"]:
            behind.setdefault(edge[0], []).append(edge)
        #: Share of the items of each block that reached the ends of its paths: the smallest of several paths, without
        #: those on which no item went on.
        self.share: dict[str, float] = {}
        order = TopologicalSorter({name: [edge[2] for edge in edges] for name, edges in behind.items()})
        for name in order.static_order():  # sinks first
            shares = [self._taken(*edge) * self.share[edge[2]] for edge in behind.get(name, ()) if self._counted(edge)]
            self.share[name] = min(filter(None, shares), default=0.0 if shares else 1.0)

    def _counted(self, edge: list[Any]) -> bool:
        """Return whether items came through an edge of counted blocks."""
        source, output, sink, at = edge
        ends = ((source, "out", output), (sink, "in", at))
        return (not self.uncounted & {source, sink} and {source, sink} <= self.rows.keys()
                and all(port < len(self.rows[name][side] or ()) for name, side, port in ends)
                and self.rows[source]["out"][output]["items"] > 0)

    def _taken(self, source: str, output: int, sink: str, at: int) -> float:
        """Return the share of the items of an edge that its reader took; some blocks claim more than there were."""
        return min(1.0, float(self.rows[sink]["in"][at]["items"] / self.rows[source]["out"][output]["items"]))


def latency_unknown(seen: Mapping) -> str:
    """Return why a path has no latency, the first of several such paths; "" if all paths have one."""
    rows = [row for drawn in seen["blocks"] for row in drawn["inner"]]
    if rows and all(row["messages"] == 0 and not any(port["items"] for port in [*row["in"], *row["out"]])
                    for row in rows):
        return "no block moved an item"
    return next((f"from {path['source']} to {path['sink']}: {path['reason']}" for path in seen["paths"]
                 if path["reason"]), "")


def unseen_by_cause(unseen: list[dict[str, str]]) -> list[str]:
    """Return what the probes could not count, grouped by cause."""
    causes: dict[tuple[str, str], list[str]] = {}
    for it in unseen:
        causes.setdefault((it["what"], it["why"]), []).append(it["block"])
    return [f"messages sent by {', '.join(names)} were not counted" if what == SENT
            else f"{what} of {', '.join(names)} ({why})" for (what, why), names in causes.items()]


def as_run(order: Order, plan: Mapping) -> Mapping:
    """Return the plan with the pairs, granularities and event numbers that the program used."""
    seen = _observed(order)
    if seen is None:  # killed before it could say which blocks its events belong to
        return {**plan, "pairs": [], "hops": [], "unused_events": None}
    owners = {row["name"]: name for name, rows in _drawn(order, seen) for row in rows}
    fed = set(_fed(order, seen))
    pairs: list[dict[str, Any]] = []
    for path in seen["paths"]:
        source, sink = owners.get(path["source"]), owners.get(path["sink"])
        known = {(it["source"], it["sink"]) for it in pairs}
        if path["reason"] or source is None or sink is None or (source, sink) in known:
            continue
        # A source within a hierarchical block, such as the noise of a channel, begins no path.
        if source in fed and path["how"] != "pdus":
            continue
        identities = path["how"] != "counts"
        # A sink at which identities of several sources arrive has one number for each of them.
        pairs.append({"source": source, "sink": sink, "pipe": None, "tx": path["tx"], "rx": path["rx"],
                      "source_granularity": path["source_granularity"],
                      "sink_granularity": path["sink_granularity"] or 1,
                      "boundaries": path["sent"] if identities else min(path["sent"], path["received"]),
                      "identities": identities})
    blocks = [{**block, "index": -1 - at} for at, block in enumerate(plan["blocks"])]
    events = {number for path in seen["paths"] for number in (path["tx"], path["rx"])}
    return {**plan, "blocks": blocks, "pairs": pairs, "hops": [],
            "unused_events": sorted(events - {pair[end] for pair in pairs for end in ("tx", "rx")})}


def _observed(order: Order) -> dict[str, Any] | None:
    try:
        found = json.loads((order.folder / "results.json").read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return None
    return found if isinstance(found, dict) and "paths" in found else None


def _drawn(order: Order, seen: Mapping) -> Iterator[tuple[str, list[dict[str, Any]]]]:
    """Yield each instance with the GNU Radio blocks of which it consists."""
    names = {entry["gnuradio"]["name"]: entry["id"] for entry in _blocks(order)}
    yield from ((names[it["name"]], it["inner"]) for it in seen["blocks"] if it["name"] in names)


def _parameters(order: Order) -> Mapping[str, Number]:
    project, _ = load_project((order.folder / "project.json").read_bytes(), directory=order.folder)
    return project.parameters if project else {}


def _blocks(order: Order) -> list[dict[str, Any]]:
    """Return the entries of GNU Radio's blocks in the project."""
    project = json.loads((order.folder / "project.json").read_text(encoding="utf-8"))
    return [entry for entry in project["graph"]["blocks"] if "gnuradio" in entry]


def _fed(order: Order, seen: Mapping) -> Iterator[str]:
    """Yield the hierarchical blocks that streams enter."""
    hierarchical = {it["name"] for it in seen["blocks"] if it["hierarchical"]}
    for entry in _blocks(order):
        said = entry["gnuradio"]
        if said["name"] in hierarchical and any(it["type"] != "message" for it in said.get("inputs", ())):
            yield entry["id"]


class _Ends:
    """Items of the first stream that enters each instance, and of the first one that leaves it. A hierarchical block
    may have several inner blocks at its ends, and others that are at neither end.
    """

    def __init__(self, blocks: Mapping[str, list[dict[str, Any]]], edges: list[list[Any]]):
        self.blocks = blocks
        owners = {row["name"]: name for name, rows in blocks.items() for row in rows}
        rows = {row["name"]: row for inner in blocks.values() for row in inner}
        self.entered: dict[str, int] = {}
        self.left: dict[str, int] = {}
        self.leaving: dict[str, str] = {}
        for source, output, sink, at in edges:
            start, end = owners.get(source), owners.get(sink)
            if start == end:
                continue
            for name, row, side, port, found in ((start, rows.get(source), "out", output, self.left),
                                                 (end, rows.get(sink), "in", at, self.entered)):
                ports = row[side] if row else None
                if name is not None and row and ports and port < len(ports):
                    found.setdefault(name, ports[port]["items"])
                    if side == "out":
                        self.leaving.setdefault(name, row["name"])

    def items_in(self, name: str) -> int:
        """Return the items that entered; of a single block, those of its first port."""
        rows = self.blocks[name]
        return _items(rows[0]["in"]) if len(rows) == 1 else self.entered.get(name, 0)

    def items_out(self, name: str) -> int:
        """Return the items that left; of a single block, those of its first port."""
        rows = self.blocks[name]
        return _items(rows[0]["out"]) if len(rows) == 1 else self.left.get(name, 0)

    def last(self, name: str) -> str:
        """Return the inner block whose stream leaves first."""
        return self.leaving.get(name, self.blocks[name][0]["name"])


def _items(ports: list[dict[str, int]] | None) -> int:
    return ports[0]["items"] if ports else 0


def _block(name: str, rows: list[dict[str, Any]], ends: _Ends) -> dict[str, Any]:
    """Return the entry of an instance. A hierarchical block has the items at its ends and all work within it."""
    def total(key: str) -> Any:
        return None if any(row[key] is None for row in rows) else sum(row[key] for row in rows)

    # A block that sleeps while it works, such as a throttle, uses no CPU.
    busy, used = total("work_s"), total("cpu_s")
    if busy is not None and used is not None:
        busy = min(busy, used)
    return {"id": name, "worker": name, "calls": total("calls"),
            "items_in": ends.items_in(name) if any(row["in"] for row in rows) else None,
            "items_out": ends.items_out(name) if any(row["out"] for row in rows) else None,
            "busy_ns": None if busy is None else round(busy * 1e9), "items_per_call": None}


def _thread(name: str, row: Mapping) -> dict[str, Any]:
    return {"name": name, "tid": row["thread"], "cpu": None, "policy": row["granted"]["policy"] or "other",
            "priority": row["granted"]["priority"] or 0, "runtime_us": None, "deadline_us": None, "period_us": None,
            "timer_slack_ns": None, "cpu_time_s": row["cpu_s"], "voluntary_switches": None,
            "involuntary_switches": None, "migrations": None, "run_delay_s": None, "cpu_counters": None}


def _granted(blocks: Mapping[str, list[dict[str, Any]]], source: str, port: str, what: str) -> int | None:
    """Return what GNU Radio reports of an output; None if there is no such output or no value."""
    made = blocks[source][-1]["granted"][what] or [] if blocks.get(source) else []
    return made[int(port)] if port.isdigit() and int(port) < len(made) and made[int(port)] > 0 else None


def _limits(stream: Mapping, blocks: Mapping[str, list[dict[str, Any]]]) -> dict[str, int | None] | None:
    """Return the limits of the buffer of a stream, None if its block did not run."""
    source, _, port = stream["name"].rpartition(".out")
    if _granted(blocks, source, port, "output_buffers") is None:
        return None
    return {name: _granted(blocks, source, port, f"{key}_output_buffer")
            for name, key in (("minimum", "min"), ("maximum", "max"))}


def _edges(plan: Mapping, blocks: Mapping[str, list[dict[str, Any]]]) -> Iterator[dict[str, Any]]:
    """Yield the streams, with the buffer size that GNU Radio chose and the mean fill that the readers found."""
    for stream in plan["streams"]:
        source, _, port = stream["name"].rpartition(".out")
        size = _granted(blocks, source, port, "output_buffers") or stream["planned_items"]
        for reader in stream["readers"]:
            rows = blocks.get(reader.rpartition(".")[0], [])
            port = reader.rpartition("in")[2]
            ports = (rows[0]["in"] or []) if rows else []
            fill = ports[int(port)].get("fill_mean") if port.isdigit() and int(port) < len(ports) else None
            yield {"from": stream["name"], "to": reader, "buffer_items": size, "fill_mean": fill,
                   "fill_over_time": None}
