"""Comparability of two sides: differences that make a ratio meaningless, and differences to report first.

docs/statistics.md ("What is comparable") has the rule and its reasons.
"""

from __future__ import annotations

import itertools
import statistics
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from weir.engine.measuring.run_directory import StoredRun
from weir.engine.verifying.digests import Work, compare_digests
from weir.model.catalog import load_catalog
from weir.model.document.digits import grouped
from weir.model.document.item_types import ITEM_TYPES
from weir.read.comparing.differences import Difference
from weir.read.comparing.documents import graph, interference_load, isolation, plan
from weir.read.comparing.sides import Side

#: Differences that a user can allow with `--despite`.
GRAPH, CPU, ITEMS, DIGEST = "graph", "cpu", "items", "digest"
DESPITE = (GRAPH, CPU, ITEMS, DIGEST)
#: Relative difference above which settings that should be equal are reported.
EQUAL_WITHIN = 0.10
_MACHINE = ("kernel", "cpus", "governor", "turbo", "smt", "isolated_cpus", "mitigations", "clock_source")
_MADE_WITH = ("compiler", "flags", "volk_machine", "flush_to_zero")
LONGEST = 60
NOT_VERIFIED = "the outputs were not compared: neither side has a digest"


#: Settings that can be held equal, and their names.
HELD = {"buffer_bytes": "buffer bytes", "chunk_items": "chunk items", "items_per_call": "items per call",
        "in_place": "in-place blocks", "kernel_hash": "kernels", "flags": "compiler and flags"}


@dataclass(frozen=True)
class Unequal:
    """Unequal setting of two sides. `kind`: key of `HELD`, or "" for a setting that cannot be promised."""

    kind: str
    words: str


@dataclass(frozen=True)
class Comparability:
    """Comparability of two sides. `refused`: reason why they cannot be compared, or ""; `headline`: differences in
    settings that should be equal; `unverified`: remark that nothing shows that both computed the same.
    """

    refused: str
    headline: tuple[str, ...]
    unverified: tuple[str, ...] = ()


def judge(a: Side, b: Side, found: Iterable[Difference], despite: Iterable[str]) -> Comparability:
    """Judge two sides that have runs that are ok, each of one kind."""
    digests, work = compare_side_digests(a.good, b.good), _work(found)
    graphs = _graphs(a.shown, b.shown)
    # Digests of different flowgraphs cannot be compared.
    kinds = {GRAPH: graphs, CPU: _cpus(a.shown, b.shown), ITEMS: _items(a.shown, b.shown),
             DIGEST: "" if graphs else digests.one_sided}
    allowed = [words for kind, words in kinds.items() if words and kind in despite]
    refused = [f"{words}; --despite {kind} compares them anyway"
               for kind, words in kinds.items() if words and kind not in despite]
    if digests.refused:
        refused.append(digests.words)
    elif digests.words and not (graphs or work or kinds[ITEMS]):
        allowed.append(digests.words)
    allowed += [f"project.json of {name} is missing or changed after its run, so the flowgraphs may differ"
                for name, side in (("A", a), ("B", b)) if graph(side.shown) is None]
    unequal = (it.words for it in held(a, b))
    return Comparability("; ".join(refused), (*allowed, *work, *_machine(a.shown, b.shown), *unequal),
                         (NOT_VERIFIED,) if digests.none else ())


def _graphs(a: StoredRun, b: StoredRun) -> str:
    """Return the differences of the flowgraphs in blocks, states and connections, or "". Values, `repeat` and `pipes`
    are parameters: they change the work, not the project.
    """
    one, other = graph(a), graph(b)
    if one is None or other is None:
        return ""
    parts = ("block", _blocks(one), _blocks(other)), ("connection", _connections(one), _connections(other))
    differing = [f"{kind} {words}" for kind, x, y in parts
                 for words in (*(f"{it} only in A" for it in x if it not in y),
                               *(f"{it} only in B" for it in y if it not in x))]
    return f"the projects have different flowgraphs: {_some(differing)}" if differing else ""


def _blocks(of: Mapping) -> list[str]:
    states = {block["id"]: block.get("state", "enabled") for block in of["blocks"]}
    return [f"{block['id']} ({block['type']}{'' if states[block['id']] == 'enabled' else ', ' + states[block['id']]})"
            for block in of["blocks"]]


def _connections(of: Mapping) -> list[str]:
    return [f"{src}.{out} -> {dst}.{into}" for src, out, dst, into in of.get("connections", ())]


def _cpus(a: StoredRun, b: StoredRun) -> str:
    x, y = (run.results["environment"]["cpu"] for run in (a, b))
    return f"measured on different CPUs: {x or 'unknown'} and {y or 'unknown'}" if x != y else ""


def _items(a: StoredRun, b: StoredRun) -> str:
    x, y = (run.results["items"] for run in (a, b))
    return f"item counts differ: {' and '.join(grouped(it) if it else 'no limit' for it in (x, y))}" if x != y else ""


def _work(found: Iterable[Difference]) -> list[str]:
    # A value of the flowgraph occurs twice: in the project and in the parameters of the run.
    said = list(dict.fromkeys(d.where + (f" {_short(d.a)} → {_short(d.b)}" if d.has_a and d.has_b else "")
                              for d in found if d.changes_work and not d.changes_items))
    return [f"A and B did not do the same work: {_some(said)}"] if said else []


def _machine(a: StoredRun, b: StoredRun) -> list[str]:
    said = _differing(*({"name": run.run["host"].get("name"), **_of(run, _MACHINE), "isolation": isolation(run),
                         "interference": interference_load(run)} for run in (a, b)))
    return [f"the machines differ: {_some(said)}"] if said else []


def held_in(a: Side, b: Side) -> set[str]:
    """Return the kinds of `HELD` that both sides record."""
    numbers = {"buffer_bytes": _buffers, "chunk_items": _chunks, "items_per_call": _items_per_call}
    found = {kind for kind, of in numbers.items()
             if any(x and y for x, y in ((x, of(b).get(name)) for name, x in of(a).items()))}
    if all(plan(side.shown).get("streams") for side in (a, b)):
        found.add("in_place")
    if _kernels(a.shown) and _kernels(b.shown):
        found.add("kernel_hash")
    return {*found, "flags"}


def held(a: Side, b: Side, names: tuple[str, str] = ("A", "B")) -> list[Unequal]:
    """Return the settings that a comparison of schedulers should hold equal but that differ. `names`: of the sides."""
    said = []
    for kind, of in (("buffer_bytes", _buffers), ("chunk_items", _chunks), ("items_per_call", _items_per_call)):
        one, other = of(a), of(b)
        apart = {name: max(x, other[name]) / min(x, other[name]) - 1.0
                 for name, x in one.items() if x and other.get(name)}
        far = sorted((name for name, by in apart.items() if by > EQUAL_WITHIN), key=lambda name: -apart[name])
        if far:
            said.append(Unequal(kind, f"{HELD[kind]} differ by more than {100 * EQUAL_WITHIN:g} %: " + _some(
                [f"{name} {grouped(one[name])} → {grouped(other[name])}" for name in far])))
    others = [name for name, side in zip(names, (a, b)) if side.shown.is_of_another_program]
    if others:
        said.append(Unequal("", f"{' and '.join(others)} ran a program that Weir did not generate: the output was not "
                                "verified, and buffers and chunks are unknown"))
    of_a, of_b = _in_place(a), _in_place(b)
    if alone := [*(f"{name} in {names[0]} only" for name in sorted(of_a - of_b)),
                 *(f"{name} in {names[1]} only" for name in sorted(of_b - of_a))]:
        said.append(Unequal("in_place",
                            f"only one side runs these blocks in place: {_some(alone)}"))
    its, others_ = (_kernels(side.shown) for side in (a, b))
    if its and others_ and its != others_:
        said.append(Unequal("kernel_hash", f"the object code of the kernels differs: {its[:12]} → {others_[:12]}"))
    how = _differing(_of(a.shown, _MADE_WITH), _of(b.shown, _MADE_WITH))
    said += [Unequal("flags", f"the builds differ: {_some(how)}")] if how else []
    watched = _differing(*({"metrics": of["metrics"], "trace": of["trace"]["backend"],
                            "cpu_counters": "off" if of["cpu_counters"] is None else "on",
                            "causes": "off" if of["causes"] is None else "on"}
                           for of in (a.shown.results, b.shown.results)))
    return said + ([Unequal("", f"the instrumentation differs: {_some(watched)}")] if watched else [])


def _buffers(side: Side) -> dict[str, float]:
    """Return output port -> granted bytes of its buffer, or the planned bytes if they are unknown."""
    granted = (side.shown.results["granted"] or {}).get("buffers") or {}
    return {stream["name"]: granted[stream["name"]] * ITEM_TYPES[stream["item_type"]].size
            if granted.get(stream["name"]) else stream["bytes"] for stream in plan(side.shown).get("streams", ())}


def _in_place(side: Side) -> set[str]:
    """Return the instances that run in place, if their streams decide that."""
    return {stream["name"].rpartition(".")[0] for stream in plan(side.shown).get("streams", ()) if "over" in stream}


def _kernels(run: StoredRun) -> str | None:
    """Return the hash of the kernels' library, `inlined`, or None if it is unknown."""
    return (run.results["runtime"] or {}).get("kernel_object_hash")


def _chunks(side: Side) -> dict[str, float]:
    return {block["instance"]: block["chunk_items"] for block in plan(side.shown).get("blocks", ())}


def _items_per_call(side: Side) -> dict[str, float]:
    """Return instance -> median over the runs of the mean items; quantiles have a resolution of 1/8 only."""
    found: dict[str, list[float]] = {}
    for run in side.good:
        for block in run.results["blocks"]:
            if block["calls"]:
                items = max(block["items_in"] or 0, block["items_out"] or 0)
                found.setdefault(block["id"], []).append(items / block["calls"])
    return {name: statistics.median(values) for name, values in found.items()}


def _of(run: StoredRun, names: Iterable[str]) -> dict[str, Any]:
    return {name: run.results["environment"][name] for name in names}


def _differing(a: Mapping[str, Any], b: Mapping[str, Any]) -> list[str]:
    return [f"{name.replace('_', ' ')} {_short(a[name])} → {_short(b[name])}" for name in a if a[name] != b[name]]


def _short(value: object) -> str:
    if isinstance(value, (dict, list)):
        return "…"
    text = "unknown" if value is None else str(value)
    return text if len(text) <= LONGEST else text[:LONGEST] + "…"


def _some(words: list[str], most: int = 2) -> str:
    return ", ".join(words[:most]) + (f" and {len(words) - most} more" if len(words) > most else "")


@dataclass(frozen=True)
class DigestResult:
    """Result of comparing digests. `words`: their difference, or ""; `refused`: the work was equal, so they should
    agree; `one_sided`: remark that only one side has digests; `none`: no run has one.
    """

    words: str
    refused: bool
    one_sided: str = ""
    none: bool = False


def compare_side_digests(a: Sequence[StoredRun], b: Sequence[StoredRun]) -> DigestResult:
    """Compare the digests of each run of A with each of B by the rule of `verifying.digests`.

    Reports the first pair with equal work that differs, or else the first pair that differs.
    """
    has_a, has_b = (any(map(_digests, runs)) for runs in (a, b))
    if not (has_a and has_b):
        with_one, without = ("A", "B") if has_a else ("B", "A")
        return DigestResult("", False, f"{with_one} has a digest but {without} has none, so nothing shows that both "
                            "computed the same" if has_a or has_b else "", not (has_a or has_b))
    found = DigestResult("", False)
    for one, other in itertools.product(a, b):
        x, y = _digests(one), _digests(other)
        sink = next((sink for sink in x if x[sink] != y.get(sink, x[sink])), None)
        if sink is None:
            continue
        words = (f"{sink} has digest {x[sink]} in A ({one.results['run_id']}) and {y[sink]} in B "
                 f"({other.results['run_id']})")
        graphs = graph(one), graph(other)
        if None in graphs:
            found = found if found.words else DigestResult(words, False)
            continue
        works = [Work(run.results, {"graph": of}) for run, of in zip((one, other), graphs)]
        compared = compare_digests(works[0], works[1], load_catalog())
        if compared.comparable:
            return DigestResult(f"E_DIGEST: {words}, although both did equal work", True)
        found = found if found.words else DigestResult(f"{words}; they need not be equal: {compared.why}", False)
    return found


def _digests(run: StoredRun) -> dict[str, str]:
    return {sink["id"]: sink["digest"] for sink in run.results["sinks"] if sink["digest"] is not None}
