"""What a run gave, held against the other runs and against numpy."""

from __future__ import annotations

import sys
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from graph_reference import DTYPES, ROOT, Evaluated, Port, evaluate

from weir.flowgraph.graph import Graph, Instance

sys.path.append(str(ROOT / "block-library" / "tests"))

from running import ulp_error  # noqa: E402

#: Below this, a float32 holds every integer.
EXACT = 2**24
SLACK = 1 + 1e-6


@dataclass(frozen=True)
class Answer:
    """What all runs of a project must have in common.

    `sinks`: id -> (items, digest or None); `files`: name -> bytes.
    """

    sinks: dict[str, tuple[int, str | None]]
    files: dict[str, bytes]


def answer_of(result: dict, out: Path) -> Answer:
    assert result["status"] == "ok", result["reasons"]
    for sink in result["sinks"]:
        assert sink["expected"] in (None, sink["items"]), sink
    files = {p.name: p.read_bytes() for p in sorted(out.glob("*.out"))}
    return Answer({s["id"]: (s["items"], s["digest"]) for s in result["sinks"]}, files)


def inexact(graph: Graph, evaluated: Evaluated) -> list[Port]:
    """Output ports whose bits the reference does not know: floats of blocks that state an error, unless all values
    are small integers that are not negative (a sum of them is exact in any order, and no zero has a sign)."""
    found = []
    for instance in graph.instances:
        if not instance.type.accuracy.get("ulp", 0):
            continue
        feeds = [evaluated.streams[e.src, e.src_port] for e in graph.edges if e.dst == instance.name]
        for port in instance.type.outputs:
            key = (instance.name, port.id)
            values = [evaluated.sizes[key], evaluated.truth[key], *feeds]
            if evaluated.streams[key].dtype.kind in "fc" and not all(map(_small_integers, values)):
                found.append(key)
    return found


def _small_integers(values: np.ndarray) -> bool:
    parts = (values.real, values.imag) if values.dtype.kind == "c" else (values,)
    return all(np.all((p >= 0) & (p < EXACT) & (p == np.floor(p)) & ~np.signbit(p)) for p in parts)


def compare_with_numpy(graph: Graph, items: int, seed: int, directory: Path, answer: Answer,
                       taps: dict[Port, str]) -> int:
    """AssertionError where the answer is not numpy's. Returns how many items were compared.

    Where a port is tapped, what follows it is computed from the tapped bits: so each block is held against its own
    bound, however many stand in a row.
    """
    recorded = {(block, port): np.frombuffer(answer.files[name], _dtype(graph.instance(block), port))
                for (block, port), name in taps.items()}
    expected = evaluate(graph, items, seed, directory, recorded)
    compared = 0
    for key, made in recorded.items():
        kind = graph.instance(key[0]).type
        truth, size = expected.truth[key], expected.sizes[key]
        assert len(made) == len(truth), f"{'.'.join(key)}: {len(made)} items instead of {len(truth)}"
        with np.errstate(all="ignore"):
            error = ulp_error(made, truth, size)
        bound = kind.accuracy["ulp"]
        assert error <= bound * SLACK, f"{'.'.join(key)} ({kind.id}): {error} ulp, and {bound} are stated"
        compared += len(made)
    for sink, ports in expected.arrived.items():
        items_in, digest = answer.sinks[sink]
        wanted = len(next(iter(ports.values())))
        assert items_in == wanted, f"{sink}: {items_in} items instead of {wanted}"
        truth = expected.answers[sink]
        if "digest" in truth:
            assert digest == f"{truth['digest']:016x}", f"{sink}: the digest differs from numpy's"
        for parameter in graph.instance(sink).type.parameters:
            if parameter.access == "write" and parameter.id in truth:
                name = str(graph.instance(sink).parameters[parameter.id])
                assert answer.files[name] == bytes(truth[parameter.id]), f"{sink}: {name} differs from numpy's"
        compared += wanted
    return compared


def _dtype(instance: Instance, port: str) -> np.dtype:
    return DTYPES[instance.type.output(port).item_type(instance.item_type)]


def differences(one: Answer, other: Answer) -> list[str]:
    """Sinks and files in which two answers differ."""
    return [name for mine, theirs in ((one.sinks, other.sinks), (one.files, other.files))
            for name in sorted(set(mine) | set(theirs)) if mine.get(name) != theirs.get(name)]
