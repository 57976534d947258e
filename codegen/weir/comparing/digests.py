"""The answers of two sides held against each other: equal work has equal digests, whoever did it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from weir.catalog import load_catalog
from weir.comparing.documents import graph
from weir.measuring.run_directory import StoredRun
from weir.verifying.digests import Work, held_against


@dataclass(frozen=True)
class Answers:
    """`words`: how the digests differ, empty where they do not. `refused`: the work was equal, so they must not."""

    words: str
    refused: bool


def hold_digests(a: Sequence[StoredRun], b: Sequence[StoredRun]) -> Answers:
    """By the one rule of `verifying.digests`, each run of A beside each of B; the first that differ speak for all."""
    works = [_work(run) for run in b]
    for one in map(_work, a):
        for other in works:
            apart = sorted(sink for sink in one.digests.keys() & other.digests.keys()
                           if one.digests[sink] != other.digests[sink])
            if not apart:
                continue
            sink = apart[0]
            words = (f"{sink} has digest {one.digests[sink]} in A ({one.results['run_id']}) and {other.digests[sink]} "
                     f"in B ({other.results['run_id']})")
            held = held_against(one, other, load_catalog())
            if held.comparable:
                return Answers(f"E_DIGEST: {words}, which did equal work", True)
            return Answers(f"{words}; they need not be equal: {held.why}", False)
    return Answers("", False)


def _work(run: StoredRun) -> Work:
    return Work(run.results, {"graph": graph(run)})
