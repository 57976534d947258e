"""The answers of two sides held against each other: equal work has equal digests, whoever did it."""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from dataclasses import dataclass

from weir.engine.measuring.run_directory import StoredRun
from weir.engine.verifying.digests import Work, held_against
from weir.model.catalog import load_catalog
from weir.read.comparing.documents import graph


@dataclass(frozen=True)
class Answers:
    """`words`: how the digests differ, empty where they do not. `refused`: the work was equal, so they must not.
    `one_sided`: which side alone has digests, in words; `none`: no run has one.
    """

    words: str
    refused: bool
    one_sided: str = ""
    none: bool = False


def hold_digests(a: Sequence[StoredRun], b: Sequence[StoredRun]) -> Answers:
    """By the one rule of `verifying.digests`, each run of A beside each of B.

    The first that did equal work and differ speak for all; without any, the first that differ.
    """
    has_a, has_b = (any(map(_digests, runs)) for runs in (a, b))
    if not (has_a and has_b):
        with_one, without = ("A", "B") if has_a else ("B", "A")
        return Answers("", False, f"{with_one} has a digest and {without} has none, so nothing shows that both "
                       "computed the same" if has_a or has_b else "", not (has_a or has_b))
    found = Answers("", False)
    for one, other in itertools.product(a, b):
        x, y = _digests(one), _digests(other)
        sink = next((sink for sink in x if x[sink] != y.get(sink, x[sink])), None)
        if sink is None:
            continue
        words = (f"{sink} has digest {x[sink]} in A ({one.results['run_id']}) and {y[sink]} in B "
                 f"({other.results['run_id']})")
        graphs = graph(one), graph(other)
        if None in graphs:
            found = found if found.words else Answers(words, False)
            continue
        works = [Work(run.results, {"graph": of}) for run, of in zip((one, other), graphs)]
        held = held_against(works[0], works[1], load_catalog())
        if held.comparable:
            return Answers(f"E_DIGEST: {words}, which did equal work", True)
        found = found if found.words else Answers(f"{words}; they need not be equal: {held.why}", False)
    return found


def _digests(run: StoredRun) -> dict[str, str]:
    return {sink["id"]: sink["digest"] for sink in run.results["sinks"] if sink["digest"] is not None}
