"""Compares the result of a run with the other runs and with numpy."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

import numpy as np
from weir.engine.verifying.evaluation import Conditions, Port, dtype_of, evaluate
from weir.model.flowgraph.graph import Graph


@dataclass(frozen=True)
class Outputs:
    """Outputs of a run, equal for all runs of a project.

    `sinks`: id -> (items, digest or None); `files`: name -> bytes.
    """

    sinks: dict[str, tuple[int, str | None]]
    files: dict[str, bytes]


def outputs_of(result: dict, out: Path) -> Outputs:
    assert result["status"] == "ok", result["reasons"]
    for sink in result["sinks"]:
        assert sink["expected"] in (None, sink["items"]), sink
    files = {p.name: p.read_bytes() for p in sorted(out.glob("*.out"))}
    return Outputs({s["id"]: (s["items"], s["digest"]) for s in result["sinks"]}, files)


def compare_with_numpy(graph: Graph, items: int, seed: int, directory: Path, outputs: Outputs,
                       taps: dict[Port, str]) -> int:
    """Raise AssertionError if the outputs differ from numpy's. Return the number of items compared.

    What follows a tapped port is computed from the tapped bits. So each block is checked against its own bound, however
    long the chain.
    """
    recorded = {port: np.frombuffer(outputs.files[name], dtype_of(graph, port)) for port, name in taps.items()}
    expected = evaluate(graph, Conditions(items, seed, directory), recorded)
    compared = 0
    for key, judged in expected.judged.items():
        where = f"{'.'.join(key)} ({judged.block})"
        assert judged.items == judged.wanted, f"{where}: {judged.items} items instead of {judged.wanted}"
        assert judged.ok, f"{where}: {judged.error_ulp} ulp, and {judged.bound_ulp} are stated"
        compared += judged.items
    for sink, ports in expected.arrived.items():
        items_in, digest = outputs.sinks[sink]
        wanted = len(next(iter(ports.values())))
        assert items_in == wanted, f"{sink}: {items_in} items instead of {wanted}"
        truth = expected.answers[sink]
        if "digest" in truth:
            assert digest == f"{truth['digest']:016x}", f"{sink}: the digest differs from numpy's"
        for parameter in graph.instance(sink).type.parameters:
            if parameter.access == "write" and parameter.id in truth:
                name = str(graph.instance(sink).parameters[parameter.id])
                assert outputs.files[name] == bytes(truth[parameter.id]), f"{sink}: {name} differs from numpy's"
        compared += wanted
    return compared


def beyond(graph: Graph, taps: dict[Port, str], outputs: Outputs) -> Outputs:
    """Return the outputs that do not depend on the bits of a tapped port. They are equal in all programs."""
    reached, waiting = set(), [block for block, _ in taps]
    while waiting:
        block = waiting.pop()
        if block not in reached:
            reached.add(block)
            waiting += [edge.dst for edge in graph.edges if edge.src == block]
    files = {str(i.parameters[p.id]): i.name for i in graph.instances for p in i.type.parameters if p.access == "write"}
    return Outputs({name: sink for name, sink in outputs.sinks.items() if name not in reached},
                   {name: data for name, data in outputs.files.items() if files.get(name) not in reached})


def differences(one: Outputs, other: Outputs) -> list[str]:
    """Return the sinks and files in which two outputs differ."""
    return [name for mine, theirs in ((one.sinks, other.sinks), (one.files, other.files))
            for name in sorted(set(mine) | set(theirs)) if mine.get(name) != theirs.get(name)]
