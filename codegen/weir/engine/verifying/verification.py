"""Result of a verification, in the format of results.json and the cache."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, fields
from typing import Any

from weir.engine.measuring import results as res
from weir.engine.verifying.evaluation import Evaluated, Judged, Port
from weir.model.document.digits import grouped
from weir.model.flowgraph.graph import Graph

NUMPY, SCHEDULER = "numpy", "scheduler"


@dataclass(frozen=True)
class VerifiedSink:
    """Result of one sink. `error_ulp`, `bound_ulp`: of the upstream port nearest to its bound; None if all are exact.
    """

    id: str
    ok: bool
    items: int
    reference_items: int
    digest: str | None
    reference_digest: str | None
    error_ulp: float | None
    bound_ulp: float | None


@dataclass(frozen=True)
class Verification:
    """Result of a verification. `items` were compared, at all sinks.

    `scheduler` is the one that computed the reference, None for numpy.
    """

    ok: bool
    items: int
    reference: str
    scheduler: str | None
    binary_hash: str
    sinks: tuple[VerifiedSink, ...]
    message: str

    def as_json(self) -> dict[str, Any]:
        """Return the verification as plain JSON values."""
        return {**asdict(self), "sinks": [asdict(sink) for sink in self.sinks]}

    @classmethod
    def from_json(cls, value: Mapping) -> Verification:
        """Return the verification from the result of `as_json`. Raises KeyError, TypeError for anything else."""
        sinks = tuple(VerifiedSink(**{f.name: sink[f.name] for f in fields(VerifiedSink)}) for sink in value["sinks"])
        return cls(**{**{f.name: value[f.name] for f in fields(cls)}, "sinks": sinks})

    def add_to(self, results: dict) -> None:
        """Add the verification to the results of a run of the same binary; a failure makes them invalid."""
        results["verification"] = self.as_json()
        if not self.ok:
            res.add_reason(results, "E_VERIFY", f"this binary's verification failed: {self.message}")


@dataclass(frozen=True)
class Unverified:
    """No verification was possible, within a reasonable time or at all."""

    message: str
    ok: bool = False

    def as_json(self) -> None:
        """Return None: results.json has nothing about it."""
        return None

    def add_to(self, results: dict) -> None:
        """Add the reason to the results."""
        res.add_reason(results, "N_NOT_VERIFIED", f"not verified: {self.message}")


def by_numpy(graph: Graph, results: Mapping, evaluated: Evaluated, binary_hash: str) -> Verification:
    """Compare the sinks of a verifying run with numpy, given its sources and recorded ports."""
    # A port may stop early, as long as no sink lacks an item.
    whole = all(sink["items"] == evaluated.sinks[sink["id"]][0] for sink in results["sinks"])
    worst = _worst_upstream(graph, evaluated.judged)
    sinks, wrong = [], [_judgement(port, judged) for port, judged in evaluated.judged.items()
                        if not (judged.within if whole else judged.ok)]
    for sink in results["sinks"]:
        name, (wanted, digest) = sink["id"], evaluated.sinks[sink["id"]]
        near = worst.get(name)
        equal = sink["items"] == wanted and sink["digest"] == f"{digest:016x}"
        error = min(near.error_ulp, 1e308) if near else None  # JSON has no infinity
        sinks.append(VerifiedSink(name, equal and (near is None or near.within), sink["items"], wanted, sink["digest"],
                                  f"{digest:016x}", error, near.bound_ulp if near else None))
        if sink["items"] != wanted:
            wrong.append(f"{name} got {grouped(sink['items'])} items, but the reference has {grouped(wanted)}")
        elif not equal:
            wrong.append(f"the items of {name} differ from the reference")
    items = sum(sink.items for sink in sinks)
    return Verification(not wrong, items, NUMPY, None, binary_hash, tuple(sinks),
                        _shortened(wrong)
                        or f"{grouped(items)} items equal to the reference{_within(evaluated.judged)}")


def by_scheduler(results: Mapping, binary_hash: str, why: str) -> Verification:
    """Return the comparison that the binary made with its own `single_thread` run.

    `why` is the reason against numpy.
    """
    found = results["verification"]
    return _by_scheduler([VerifiedSink(**sink) for sink in found["sinks"]], found["scheduler"], binary_hash,
                         "" if found["ok"] else found["message"], why)


def by_another(results: Mapping, others: Mapping, binary_hash: str, why: str) -> Verification:
    """Compare two binaries of the same work. `others` are the results with the other scheduler."""
    theirs = {sink["id"]: sink for sink in others["sinks"]}
    sinks = []
    for sink in results["sinks"]:
        other = theirs[sink["id"]]
        ok = (sink["items"], sink["digest"]) == (other["items"], other["digest"])
        sinks.append(VerifiedSink(sink["id"], ok, sink["items"], other["items"], sink["digest"], other["digest"],
                                  None, None))
    wrong = [f"the items of {sink.id} differ from those under {others['scheduler']}" for sink in sinks if not sink.ok]
    return _by_scheduler(sinks, others["scheduler"], binary_hash, _shortened(wrong), why)


def _by_scheduler(sinks: Sequence[VerifiedSink], scheduler: str, binary_hash: str, wrong: str,
                  why: str) -> Verification:
    items = sum(sink.items for sink in sinks)
    said = wrong or f"{grouped(items)} items equal to those under {scheduler}"
    return Verification(not wrong, items, SCHEDULER, scheduler, binary_hash, tuple(sinks), f"{said} ({why})")


def not_ended(results: Mapping, binary_hash: str, why: str) -> Verification:
    """Return the failed verification of a run that did not complete."""
    sinks = tuple(VerifiedSink(sink["id"], False, sink["items"], 0, sink["digest"], None, None, None)
                  for sink in results["sinks"])
    return Verification(False, 0, NUMPY, None, binary_hash, sinks, why)


def _worst_upstream(graph: Graph, judged: Mapping[Port, Judged]) -> dict[str, Judged]:
    """Return sink -> the upstream recorded port nearest to its bound."""
    worst: dict[str, Judged] = {}
    feeds: dict[str, list[Port]] = {}
    for edge in graph.edges:
        feeds.setdefault(edge.dst, []).append((edge.src, edge.src_port))
    for instance in graph.instances:  # upstream first
        seen = [it for port in feeds.get(instance.name, ()) for it in (worst.get(port[0]), judged.get(port)) if it]
        if seen:
            worst[instance.name] = max(seen, key=_nearness)
    return {i.name: worst[i.name] for i in graph.instances if i.type.is_sink and i.name in worst}


def _nearness(judged: Judged) -> float:
    if not judged.error_ulp:
        return 0.0
    return judged.error_ulp / judged.bound_ulp if judged.bound_ulp else float("inf")


def _judgement(port: Port, judged: Judged) -> str:
    name = ".".join(port)
    if judged.items != judged.wanted and (judged.within or judged.items > judged.wanted):
        return (f"{name} ({judged.block}) made {grouped(judged.items)} items, "
                f"but the reference has {grouped(judged.wanted)}")
    return (f"{name} ({judged.block}) is {judged.error_ulp:.3g} ulp from the reference, but its bound is "
            f"{judged.bound_ulp:g} ulp")


def _within(judged: Mapping[Port, Judged]) -> str:
    if not any(it.error_ulp for it in judged.values()):
        return ""
    port, worst = max(judged.items(), key=lambda pair: _nearness(pair[1]))
    found = f"{worst.error_ulp:.2g} of {worst.bound_ulp:g} ulp at {'.'.join(port)}"
    return f" within its bounds; closest to its bound: {found}"


def _shortened(wrong: list[str]) -> str:
    more = f"; and {len(wrong) - 3} more" if len(wrong) > 3 else ""
    return "; ".join(wrong[:3]) + more
