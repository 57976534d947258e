"""Compare digests: runs that did equal work must have equal digests. Defines equal work."""

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

#: Statuses of runs that completed.
COMPLETE = ("ok", "invalid")


@dataclass(frozen=True)
class Work:
    """Work of a run. `results` is its results.json; `document` its project with every `--set`."""

    results: Mapping
    document: Mapping

    @cached_property
    def graph(self) -> str:
        """Return a digest that is equal for flowgraphs that compute the same, wherever their blocks are drawn."""
        return digest(essential(self.document["graph"], "/graph"))

    @cached_property
    def parameters(self) -> dict[str, object]:
        """Return the parameters without the scheduler's, which change no item."""
        return {name: value for name, value in self.results["parameters"].items() if not name.startswith("scheduler.")}

    @cached_property
    def kind(self) -> tuple:
        """Return a key; only runs with equal keys are compared."""
        return self.results["seed"], self.results["items"], self.graph, repr(sorted(self.parameters.items()))

    @cached_property
    def digests(self) -> dict[str, str]:
        """Return the digest of each sink that has one."""
        return {sink["id"]: sink["digest"] for sink in self.results["sinks"] if sink["digest"] is not None}


@dataclass(frozen=True)
class DigestComparison:
    """Comparison of two runs. `why` says why they cannot be compared, "" if they can.

    `differing` are the sinks whose digests differ despite equal work.
    """

    why: str
    differing: tuple[str, ...] = ()

    @property
    def comparable(self) -> bool:
        """Return whether the digests can be compared."""
        return not self.why


def compare_digests(one: Work, other: Work, catalog: Catalog) -> DigestComparison:
    """Compare two runs: whether they did equal work, and at which sinks their digests differ."""
    a, b = one.results, other.results
    for key, what in (("seed", "seed"), ("items", "number of items")):
        if a[key] != b[key]:
            return DigestComparison(f"different {what}")
    if one.graph != other.graph:
        return DigestComparison("different flowgraphs")
    if one.parameters != other.parameters:
        return DigestComparison("different parameters")
    if a["status"] not in COMPLETE or b["status"] not in COMPLETE:
        return DigestComparison("a run did not complete")
    if may_round(one.document, catalog):
        for key, what in (("cpu", "CPU"), ("compiler", "compiler"), ("flags", "flags"),
                          ("volk_machine", "VOLK machine")):
            if a["environment"][key] != b["environment"][key]:
                return DigestComparison(f"different {what}, on which floats may round differently")
    common = one.digests.keys() & other.digests.keys()
    if not common:
        return DigestComparison("no sink has a digest")
    return DigestComparison("", tuple(sorted(sink for sink in common if one.digests[sink] != other.digests[sink])))


def may_round(document: Mapping, catalog: Catalog) -> bool:
    """Return whether the last bits of a block may depend on its compilation; True for unknown blocks."""
    kinds = {block["type"] for block in document["graph"]["blocks"]}
    return any(kind not in catalog.blocks or catalog.blocks[kind].accuracy.get("ulp", 0) for kind in kinds)


def mark_different_digests(runs: Sequence[Finished], catalog: Catalog) -> list[str]:
    """Mark the runs of one command that differ despite equal work; return a message for each difference.

    Changes their results, also in their directories.
    """
    said, changed = [], {}
    equal: dict[object, list[tuple[Finished, Work]]] = {}
    for run in runs:
        work = Work(run.results, run.document)
        equal.setdefault(work.kind, []).append((run, work))
    for (one, mine), (other, theirs) in chain.from_iterable(combinations(works, 2) for works in equal.values()):
        for sink in compare_digests(mine, theirs, catalog).differing:
            said.append(f"{_name(one)} and {_name(other)} did equal work, but the digests of {sink} differ")
            _mark(one, f"{sink}: digest {mine.digests[sink]}, but {theirs.digests[sink]} in {_name(other)}")
            _mark(other, f"{sink}: digest {theirs.digests[sink]}, but {mine.digests[sink]} in {_name(one)}")
            changed.update({one.path: one.results, other.path: other.results})
    for path, results in changed.items():
        with trying(f"write {path / 'results.json'}"):
            write_whole(path / "results.json", jsontext.write(results))
    return said


def _mark(run: Finished, what: str) -> None:
    res.add_reason(run.results, "E_DIGEST", f"{what}, which did equal work")


def _name(run: Finished) -> str:
    return f"{run.results['deployment']}, repetition {run.results['repetition'] + 1} ({run.path.name})"
