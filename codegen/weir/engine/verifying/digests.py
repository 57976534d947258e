"""Digests of equal work are equal: the one rule of when two runs did equal work, and what it means when they differ."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import chain, combinations

from weir.diagnostics import trying
from weir.engine.measuring import results as res
from weir.engine.measuring.runnable import Finished
from weir.files import write_whole
from weir.model.catalog import Catalog
from weir.model.document import jsontext
from weir.model.document.essence import essential
from weir.model.planning.plan import digest

#: Statuses of runs that went to their end.
COMPLETE = ("ok", "invalid")


@dataclass(frozen=True)
class Work:
    """What a run was to compute. `results`: its results.json; `document`: its project with every `--set` in it."""

    results: Mapping
    document: Mapping

    @cached_property
    def graph(self) -> str:
        """The same for projects whose flowgraphs compute the same, wherever their blocks are drawn."""
        return digest(essential(self.document["graph"], "/graph"))

    @cached_property
    def parameters(self) -> dict[str, object]:
        """Those of the scheduler change no item."""
        return {name: value for name, value in self.results["parameters"].items() if not name.startswith("scheduler.")}

    @cached_property
    def kind(self) -> tuple:
        """The same for what may be equal work: of others nothing is held against each other."""
        return self.results["seed"], self.results["items"], self.graph, repr(sorted(self.parameters.items()))

    @cached_property
    def digests(self) -> dict[str, str]:
        """The digest of each sink that has one."""
        return {sink["id"]: sink["digest"] for sink in self.results["sinks"] if sink["digest"] is not None}


@dataclass(frozen=True)
class Held:
    """`why`: what keeps the digests of two runs from being compared, "" where nothing does.

    `differing`: the sinks whose digests differ though the work was equal.
    """

    why: str
    differing: tuple[str, ...] = ()

    @property
    def comparable(self) -> bool:
        """Whether nothing keeps them from being compared."""
        return not self.why


def held_against(one: Work, other: Work, catalog: Catalog) -> Held:
    """Whether two runs did equal work, and where their digests then differ."""
    a, b = one.results, other.results
    for key, what in (("seed", "seed"), ("items", "number of items")):
        if a[key] != b[key]:
            return Held(f"another {what}")
    if one.graph != other.graph:
        return Held("another flowgraph")
    if one.parameters != other.parameters:
        return Held("other parameters")
    if a["status"] not in COMPLETE or b["status"] not in COMPLETE:
        return Held("a run that did not go to its end")
    if may_round(one.document, catalog):
        for key, what in (("cpu", "CPU"), ("compiler", "compiler"), ("flags", "flags"),
                          ("volk_machine", "VOLK machine")):
            if a["environment"][key] != b["environment"][key]:
                return Held(f"another {what}, and floats that may round otherwise there")
    common = one.digests.keys() & other.digests.keys()
    if not common:
        return Held("no sink has a digest")
    return Held("", tuple(sorted(sink for sink in common if one.digests[sink] != other.digests[sink])))


def may_round(document: Mapping, catalog: Catalog) -> bool:
    """Whether the flowgraph has a block whose last bits depend on how it was compiled, or one that nobody knows."""
    kinds = {block["type"] for block in document["graph"]["blocks"]}
    return any(kind not in catalog.blocks or catalog.blocks[kind].accuracy.get("ulp", 0) for kind in kinds)


def hold_against_each_other(runs: Sequence[Finished], catalog: Catalog) -> list[str]:
    """Marks the runs of one command that differ though they did equal work; says what it found, a line each.

    Their results are changed, and written anew in their directories.
    """
    said, changed = [], {}
    equal: dict[object, list[tuple[Finished, Work]]] = {}
    for run in runs:
        work = Work(run.results, run.document)
        equal.setdefault(work.kind, []).append((run, work))
    for (one, mine), (other, theirs) in chain.from_iterable(combinations(works, 2) for works in equal.values()):
        for sink in held_against(mine, theirs, catalog).differing:
            said.append(f"{_name(one)} and {_name(other)} did equal work, and the digests of {sink} differ")
            _mark(one, f"{sink}: digest {mine.digests[sink]}, and {theirs.digests[sink]} in {_name(other)}")
            _mark(other, f"{sink}: digest {theirs.digests[sink]}, and {mine.digests[sink]} in {_name(one)}")
            changed.update({one.path: one.results, other.path: other.results})
    for path, results in changed.items():
        with trying(f"write {path / 'results.json'}"):
            write_whole(path / "results.json", jsontext.write(results))
    return said


def _mark(run: Finished, what: str) -> None:
    res.add_reason(run.results, "E_DIGEST", f"{what}, which did equal work")


def _name(run: Finished) -> str:
    return f"{run.results['deployment']}, repetition {run.results['repetition'] + 1} ({run.path.name})"
