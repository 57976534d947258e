"""The answers of two sides held against each other: equal work has equal digests, whoever did it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from weir.comparing.documents import graph, plan
from weir.measuring.run_directory import StoredRun

_FLOATS = ("f32", "f64", "c64")
#: Under other ones of these, inexact floats may be rounded otherwise.
_ARITHMETIC = ("cpu", "compiler", "flags", "flush_to_zero", "volk_machine")


@dataclass(frozen=True)
class Held:
    """`words`: how the digests differ, empty where they do not. `refused`: they must not."""

    words: str
    refused: bool


def hold_digests(a: Sequence[StoredRun], b: Sequence[StoredRun]) -> Held:
    """Of every sink that took in as many items on both sides, for equal graph, parameters, seed and items.

    Graphs with floats must agree where CPU, compiler and flags are the same too; else they may differ.
    """
    if _work(a[0]) is None or _work(a[0]) != _work(b[0]):
        return Held("", False)
    seen: tuple[dict[tuple, set[str]], ...] = ({}, {})
    for found, runs in zip(seen, (a, b)):
        for key, digest in _digests(runs):
            found.setdefault(key, set()).add(digest)
    for key in seen[0].keys() & seen[1].keys():
        if len(seen[0][key] | seen[1][key]) > 1:
            apart = " and ".join(f"{', '.join(sorted(found[key]))} in {name}" for name, found in zip("AB", seen))
            words = f"the digests of sink {key[1]} after {key[2]:,} items differ: {apart}"
            if _inexact(a[0]) and _arithmetic(a[0]) != _arithmetic(b[0]):
                return Held(f"{words}; rounding may, where CPU, compiler or flags differ", False)
            return Held(f"E_DIGEST: {words}, and both did the same work", True)
    return Held("", False)


def _work(run: StoredRun) -> tuple | None:
    flowgraph = graph(run)
    return flowgraph and (flowgraph, run.results["parameters"], run.results["seed"], run.results["items"])


def _digests(runs: Iterable[StoredRun]) -> Iterator[tuple[tuple, str]]:
    """(what it is of, sink, items), digest: of the runs, and of the verifications of their binaries."""
    for run in runs:
        verified = (run.results["verification"] or {}).get("sinks", ())
        for kind, sinks in (("run", run.results["sinks"]), ("verification", verified)):
            for sink in sinks:
                if sink["digest"] is not None:
                    yield (kind, sink["id"], sink["items"]), sink["digest"]


def _inexact(run: StoredRun) -> bool:
    """Whether floats flow in it; a plan that cannot be read may have some."""
    return any(stream["item_type"] in _FLOATS for stream in plan(run).get("streams", [{"item_type": "f32"}]))


def _arithmetic(run: StoredRun) -> tuple:
    return tuple(run.results["environment"][name] for name in _ARITHMETIC)
