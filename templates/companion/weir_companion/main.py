"""Command that loads a program, maps its blocks, runs it and writes the results."""

from __future__ import annotations

import os
import sys
from dataclasses import replace
from typing import Any

from weir_companion import ends, results, threads
from weir_companion import graph as graphs
from weir_companion import mapping as mappings
from weir_companion import paths as ways
from weir_companion import program as programs
from weir_companion.faults import Fault
from weir_companion.options import Options, parse
from weir_companion.probes import Probes
from weir_companion.rates import granularities
from weir_companion.running import STARTING_S, Outcome, Running

EVENTS_PER_S = 10_000  #: memory for the events of one thread
EVENTS = (1 << 18, 1 << 22)  #: least and most


def main(arguments: list[str]) -> int:
    """Run, and return the exit code of docs/run-protocol.md."""
    try:
        return run(parse(arguments))
    except Fault as fault:
        print(f"error: {fault}", file=sys.stderr)
        return fault.code


def run(options: Options) -> int:
    """Run one program. Raises Fault."""
    mapping = mappings.read(options.mapping)
    probes = Probes(options.library)
    # A program may change the working folder.
    options = replace(options, program=options.program.absolute(), out=options.out.absolute())
    if not options.out.is_dir():
        raise Fault(f"--out {options.out}: there is no such folder")
    # The flowgraph may wait in a constructor that holds Python's lock, for a peer on the network for example.
    starting = min(options.timeout_s or STARTING_S, STARTING_S)
    probes.call("deadline", starting, f"error: {options.program}: the flowgraph was not constructed within "
                                      f"{starting:g} s; a block may wait for a device or a peer", 2)
    program = programs.load(options.program)
    graph = graphs.flatten(probes, program.top, program.named())
    apply(probes, graph, mapping)
    found = granularities(graph, mapping.probe_granularity)
    paced = ends.paces(options, graph)
    limits = ends.limits(options, graph, found, paced)
    paths = [path for path in ways.find(graph, found) if mapping.identities or path.how == "counts"]
    trace = {"backend": "off", "note": ""}
    if options.metrics != "none":
        if options.trace != "off":
            ways.arm(probes, paths)
        for number, items in limits.items():
            probes.call("limit", number, items)
        for number, rate in paced.items():
            probes.call("pace", number, rate, options.pace_s)
        trace = probes.call("hook", options.trace, options.metrics == "profile", capacity(options))
    outcome = Outcome()

    def document() -> dict[str, Any]:
        return results.assembled(options, mapping, graph, found, paths, outcome, probes.call("counts"), trace,
                                 program.notes)

    def keep() -> None:
        crash = {"code": "E_CRASHED", "message": "the program crashed while it stopped"}
        results.write(options.out, document() | {"status": "failed", "reasons": [crash]})

    Running(options, program, probes, graph, limits, outcome, keep).run()
    joined = probes.call("joined", program.top.symbol_name())["joined"]
    program.notes += [f"block {symbol} joined while the flowgraph ran, so Weir did not measure it" for symbol in joined]
    return written(options, probes, trace, document())


def written(options: Options, probes: Probes, trace: dict[str, str], document: dict[str, Any]) -> int:
    """Write the files. Returns the exit code."""
    if trace["backend"] == "memory":
        file = options.out / "events.bin"
        error = probes.call("write_events", str(file))
        if error:
            raise Fault(f"cannot write {file}: {os.strerror(error)}", 3)
        results.add_latency(document, file)
    results.write(options.out, document)
    for reason in document["reasons"]:
        print(f"{'error' if reason['code'].startswith('E_') else 'warning'}: {reason['message']}", file=sys.stderr)
    return 4 if document["status"] != "ok" else 0


def apply(probes: Probes, graph: graphs.Graph, mapping: mappings.Mapping) -> None:
    """Apply the mapping to the inner blocks of each block. Raises Fault."""
    for name, one in mapping.blocks.items():
        drawn = graph.drawn.get(name)
        if drawn is None:
            raise Fault(f"the flowgraph has no block {name}{mappings.like(name, list(graph.drawn))}")
        for block in drawn.inner:
            # Where Linux refuses, GNU Radio would end the thread of the block, and the others would wait for it.
            if one.affinity is not None and threads.may_use(one.affinity):
                probes.set_affinity(block.number, one.affinity)
            if one.priority is not None:
                probes.call("set_priority", block.number, one.priority)
            probes.call("set_output_buffer", block.number, one.min_output_buffer or 0, one.max_output_buffer or 0)
            if one.max_noutput_items is not None:
                probes.call("set_max_noutput_items", block.number, one.max_noutput_items)


def capacity(options: Options) -> int:
    """Return the events that a thread may keep in memory."""
    least, most = EVENTS
    return int(min(most, max(least, options.seconds * EVENTS_PER_S)))
