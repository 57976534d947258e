"""results.json: what the probes counted, what GNU Radio counted, and what was granted."""

from __future__ import annotations

import json
import os
import struct
import time
from collections import defaultdict
from pathlib import Path
from typing import Any

from weir_companion import threads
from weir_companion.faults import Fault
from weir_companion.graph import Block, Graph
from weir_companion.mapping import NUMBERS, Mapping
from weir_companion.options import Options
from weir_companion.paths import Path as Way
from weir_companion.paths import judged
from weir_companion.rates import Granularities
from weir_companion.running import Outcome

#: Record of events.bin: time_ns, value, since_ns, id, thread, cpu, event.
RECORD = struct.Struct("=qQqIihB5x")
TX, RX = 0, 1
#: Longest tick of Linux's clock for `last_ns`.
COARSE_NS = 10_000_000


def assembled(options: Options, mapping: Mapping, graph: Graph, granularities: Granularities, paths: list[Way],
              outcome: Outcome, counts: dict[str, Any], trace: dict[str, str], notes: list[str]) -> dict[str, Any]:
    """Return the document."""
    rows = counts["blocks"]
    hooked = options.metrics != "none"
    drawn: list[dict[str, Any]] = [{"name": one.name, "kind": one.kind, "hierarchical": one.hierarchical,
              "inner": [block_row(block, rows[block.number], granularities, graph, mapping, outcome, hooked)
                        for block in one.inner]} for one in graph.drawn.values()]
    reasons = list(outcome.reasons)
    if counts["discarded"]:
        reasons.append({"code": "E_DISCARDED",
                        "message": f"{counts['discarded']} events were discarded: the memory for events was full"})
    reasons += [{"code": "W_NOT_GRANTED", "message": message} for one in drawn for row in one["inner"]
                for message in refused(row)]
    return {
        "schema_version": 1, "runtime": {"target": "companion", "version": gnuradio_version()},
        "run_id": options.run_id, "program": str(options.program),
        "started": time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime(time.time() - outcome.elapsed_s)),
        "status": status(reasons), "reasons": reasons, "ended_by": outcome.ended_by,
        "drained": outcome.drained, "elapsed_s": outcome.elapsed_s, "begin_ns": outcome.begin_ns,
        "end_ns": outcome.end_ns, "window": window(graph, rows, outcome),
        "metrics": options.metrics, "pace": options.pace, "hanging": outcome.hanging,
        "trace": {"backend": trace["backend"], "note": trace["note"], "probe_granularity": mapping.probe_granularity,
                  "events": counts["events"], "discarded": counts["discarded"]},
        "blocks": drawn,
        "edges": [[graph.blocks[edge.source].name, edge.output, graph.blocks[edge.sink].name, edge.input]
                  for edge in graph.edges],
        "message_edges": [[graph.blocks[source].name, output, graph.blocks[sink].name, entry]
                          for source, output, sink, entry in graph.message_edges],
        "paths": [judged(graph, path, rows, trace["backend"] != "off") for path in paths
                  if path.how != "pdus" or rows[path.source]["marked_messages"]] if hooked else [],
        "unseen": unseen(graph, rows, hooked), "notes": notes,
    }


def window(graph: Graph, rows: list[dict[str, Any]], outcome: Outcome) -> dict[str, Any] | None:
    """Return the times from the first items at the sinks to the last ones, with the counts of all blocks at the first.

    Before these, the sources fill buffers. Sinks whose first items come in the second half of the run do not count.
    None if the run was too short to see this.
    """
    last_ns = max((rows[block.number]["last_ns"] for block in graph.blocks if block.inputs and not block.outputs),
                  default=0)
    end_ns = min(outcome.end_ns, last_ns + COARSE_NS)
    first_half = [it for it in outcome.arrivals if it[0] <= (outcome.begin_ns + end_ns) // 2]
    if not first_half:
        return None
    begin_ns, counts = first_half[-1]
    return {"begin_ns": begin_ns, "end_ns": end_ns,
            "counts": {block.name: {side: [{"items": port["items"]} for port in counts[block.number][side]]
                                    for side in ("in", "out")} for block in graph.blocks}}


def block_row(block: Block, row: dict[str, Any], granularities: Granularities, graph: Graph, mapping: Mapping,
              outcome: Outcome, hooked: bool) -> dict[str, Any]:
    """Return the entry of one block as GNU Radio runs it."""
    entry = next((edge for edge in graph.edges if edge.sink == block.number and edge.input == 0), None)
    granted = row["granted"] or idle(outcome.idle.get(block.number, {}))
    wanted = mapping.blocks.get(block.owner)
    gnuradio = row["gnuradio"] or {}
    return {
        "name": block.name, "symbol": block.symbol, "number": block.number, "class": block.kind,
        "calls": row["calls"] if hooked else None, "empty_calls": row["empty_calls"] if hooked else None,
        "messages": row["messages"] if hooked else None, "work_s": row["work_s"], "cpu_s": row["cpu_s"],
        "in": row["in"] if hooked else None,
        "out": [{"items": port["items"]} for port in row["out"]] if hooked else None,
        "nitems_read": gnuradio.get("read", []), "nitems_written": gnuradio.get("written", []),
        "first_ns": row["first_ns"] or None, "last_ns": row["last_ns"] or None,
        "failure": row["failure"], "thread": row["thread"] or None,
        "requested": {"affinity": list(wanted.affinity) if wanted and wanted.affinity is not None else None,
                      **{key: getattr(wanted, key, None) for key in NUMBERS}},
        "granted": {**{key: granted.get(key) for key in ("affinity", "policy", "priority")},
                    "priority_error": os.strerror(error) if (error := granted.get("priority_error")) else None,
                    **{key: gnuradio.get(key) for key in ("output_buffers", "min_output_buffer", "max_output_buffer",
                                                          "max_noutput_items")}},
        "granularity": {"in": granularities.items.get((entry.source, entry.output)) if entry else None,
                        "out": granularities.items.get((block.number, 0))},
    }


def refused(row: dict[str, Any]) -> list[str]:
    """Return the settings that Linux did not grant to the thread of a block."""
    wanted, granted = row["requested"], row["granted"]
    found = []
    if wanted["affinity"] is not None and granted["affinity"] not in (None, sorted(set(wanted["affinity"]))):
        found.append(f"block {row['name']} may use the CPUs {granted['affinity']}, not {wanted['affinity']}")
    if wanted["priority"] is not None and granted["priority_error"]:
        found.append(f"block {row['name']} did not get the priority {wanted['priority']}: {granted['priority_error']}")
    return found


def idle(status: dict[str, str]) -> dict[str, Any]:
    """Return the rights in a thread's status in /proc; empty without one."""
    return {"affinity": threads.cpus(status.get("Cpus_allowed_list", ""))} if status else {}


def status(reasons: list[dict[str, str]]) -> str:
    """Return the status that follows from the reasons."""
    codes = {reason["code"] for reason in reasons}
    for code, word in (("E_BLOCK", "failed"), ("E_WORKERS_STUCK", "failed"), ("E_TIMEOUT", "timeout"),
                       ("E_INTERRUPTED", "partial"), ("E_DISCARDED", "invalid")):
        if code in codes:
            return word
    return "ok"


def unseen(graph: Graph, rows: list[dict[str, Any]], hooked: bool) -> list[dict[str, str]]:
    """Return what the probes could not measure, by block, and why."""
    found = []
    speaking = {source for source, _, _, _ in graph.message_edges}
    for block, row in zip(graph.blocks, rows):
        if not hooked:
            continue
        if row["not_hooked"]:
            found.append({"block": block.name, "what": "calls and items", "why": row["not_hooked"]})
        if block.number in speaking:
            found.append({"block": block.name, "what": "sent messages",
                          "why": "the blocks that get them count them"})
        if row["failure"] is None and row["gnuradio"]:
            ours = [port["items"] for port in row["out"]]
            theirs = row["gnuradio"]["written"][:len(ours)]
            if ours != theirs:
                found.append({"block": block.name, "what": "items", "why": f"counted {ours}, GNU Radio {theirs}"})
    return found


def add_latency(document: dict[str, Any], file: Path) -> None:
    """Fill `latency` of each path from the events in memory."""
    times: dict[tuple[int, int], dict[int, int]] = defaultdict(dict)
    for time_ns, value, since_ns, id_, _, _, event in RECORD.iter_unpack(file.read_bytes()):
        sent_before = event == TX and since_ns  # due at that time, or sent in a call that began then
        times[event, id_].setdefault(value, since_ns if sent_before else time_ns)
    for path in document["paths"]:
        sent, received = times.get((TX, path["tx"]), {}), times.get((RX, path["rx"]), {})
        found = sorted(received[k] - sent[k] for k in received.keys() & sent.keys())
        if found:
            path["latency"] = {"boundaries": len(found)} | {
                name: round(found[min(len(found) - 1, int(share * len(found)))] / 1e3, 3)
                for name, share in (("min_us", 0.0), ("p50_us", 0.5), ("p95_us", 0.95), ("p99_us", 0.99),
                                    ("max_us", 1.0))}


def gnuradio_version() -> str | None:
    """Return the version of GNU Radio that ran."""
    try:
        from gnuradio import gr

        return str(gr.version())
    except Exception:
        return None


def write(folder: Path, document: dict[str, Any]) -> None:
    """Write results.json as a whole or not at all. Raises Fault with exit code 3."""
    file = folder / "results.json"
    part = folder / ".results.json.part"
    try:
        part.write_text(json.dumps(document, indent=2) + "\n")
        part.replace(file)
    except OSError as error:
        raise Fault(f"cannot write {file}: {error.strerror}", 3) from None
