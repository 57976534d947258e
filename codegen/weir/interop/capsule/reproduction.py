"""Result of a repeated capsule, as text and as JSON."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property

from weir.diagnostics import printable
from weir.interop.capsule.about import title_of
from weir.interop.capsule.checking import Checked
from weir.interop.capsule.equality import answers, remarks
from weir.interop.capsule.judging import (
    AGREES,
    DIFFERS,
    NOT_TRIED,
    TOLERANCE,
    TOO_FEW,
    Claim,
    Ratio,
    counts,
    judged,
    verdict,
)
from weir.interop.capsule.shape import key_of, not_tried, pairs_of, values_of
from weir.lab.sweeping.estimates import SHOWN
from weir.lab.sweeping.record import axes_of, record_of
from weir.lab.sweeping.state import State
from weir.read.comparing.statistics import MIN_ROUNDS
from weir.read.reporting.quantities import MISSING, aligned

#: Most claims shown one by one, and most untried points named.
MOST_SHOWN, MOST_NAMED = 40, 10
_PLURAL = {AGREES: "agree", DIFFERS: "differ"}
_CODES = {AGREES: 0, DIFFERS: 1, TOO_FEW: 4}


@dataclass(frozen=True)
class Reproduction:
    """Result of a repetition. `here`: the repeated sweep. `quick`: whether it is smaller than the capsule's."""

    capsule: Checked
    there: State
    here: State
    quick: bool
    claims: Sequence[Claim]
    left: Sequence[tuple[str, str]]
    answers: Sequence[str]
    notes: Sequence[str]

    @property
    def verdict(self) -> str:
        """Return the verdict over all claims."""
        return verdict(self.claims, bool(self.answers))

    @property
    def exit_code(self) -> int:
        """Return the exit code for the verdict."""
        return _CODES[self.verdict]

    def as_json(self) -> dict[str, object]:
        """Return the output of `reproduce --json`."""
        return {"capsule": str(self.capsule.path), "sha256": self.capsule.hash, "project": self.there.value["project"],
                "directory": str(self.here.folder), "verdict": self.verdict, "quick": self.quick,
                "tolerance": TOLERANCE, "counts": dict(counts(self.claims)),
                "claims": [claim.as_json() for claim in self.claims],
                "not_tried": [{"point": point, "why": why} for point, why in self.left],
                "answers": list(self.answers), "notes": list(self.notes)}

    def text(self) -> str:
        """Return the page for people."""
        lines = [f"{self.capsule.path}: {title_of(self.capsule.about)}", *(f"  {note}" for note in self.notes),
                 *self._left(), *(f"  E_DIGEST: {it}" for it in self.answers), "", self._said(), *self._table()]
        return "\n".join(map(printable, lines)) + "\n"

    def _left(self) -> Iterator[str]:
        yield from (f"  not tried: {point}: {why}" for point, why in self.left[:MOST_NAMED])
        if self.left[MOST_NAMED:]:
            yield f"  not tried: {len(self.left) - MOST_NAMED} more points"

    def _said(self) -> str:
        found = counts(self.claims)
        if not found:
            return f"{self.verdict}: the capsule has no two contenders with throughput or p50 latency"
        each = ", ".join(f"{count} {_PLURAL.get(word, word)}" for word, count in found.items())
        return f"{self.verdict}: ratios of throughput and p50 latency: {each}"

    @cached_property
    def _sorted(self) -> list[Claim]:
        """Return the claims sorted: differences first, agreements last; within each, deciding claims first."""
        place = {DIFFERS: 0, AGREES: 2, NOT_TRIED: 3}
        return sorted(self.claims, key=lambda claim: (place.get(claim.verdict, 1), not claim.decides))

    def _table(self) -> list[str]:
        shown = [claim for claim in self._sorted if claim.verdict != NOT_TRIED][:MOST_SHOWN]
        if not shown:
            return []
        rows = [("verdict", "quantity", "at", "ratio of", "there", "here", "order")]
        rows += [(claim.verdict if claim.decides else f"({claim.verdict})", SHOWN[claim.quantity],
                  claim.pair.at or MISSING, f"{claim.pair.names[1]} / {claim.pair.names[0]}", _ratio(claim.there),
                  _ratio(claim.here), _order(claim)) for claim in shown]
        lines = [f"  {line}" for line in aligned(rows)]
        rest = len([claim for claim in self.claims if claim.verdict != NOT_TRIED]) - len(shown)
        aside = ["  in brackets: tails, which do not decide"] if any(not claim.decides for claim in shown) else []
        return ["", *lines, *([f"  and {rest} more, in reproduction.json"] if rest else []), *aside]


def _ratio(it: Ratio) -> str:
    if it.value is None:
        return MISSING
    return f"{it.value:.3g}" + (f" ({it.interval[0]:.3g} .. {it.interval[1]:.3g})" if it.interval else "")


def _order(claim: Claim) -> str:
    """Return whether the order is the same, if the capsule has one."""
    there = claim.there.order
    if there is None:
        return MISSING
    if there == 0:
        return "tied there"
    here = claim.here.order
    return {None: "not known here", 0: "tied here", there: "as there", -there: "the other way"}[here]


def reproduction(capsule: Checked, there: State, here: State, quick: bool) -> Reproduction:
    """Compare the two sweeps. `there` is the capsule's, unpacked."""
    then, _ = record_of(there)
    now, ignored = record_of(here)
    claims = judged(pairs_of(then, axes_of(there)), values_of(then), values_of(now),
                    frozenset(key_of(cell.values) for cell in now.cells))
    bad = [row for row in now.table() if row["status"] != "ok"]
    notes = [*remarks(capsule, there, here, then, now), *ignored.words()]
    rounds = len(now.whole)
    notes += [f"{len(bad)} runs here are not ok and do not count; the first: {bad[0]['directory']}: {bad[0]['status']} "
              f"{bad[0]['reasons']}"] if bad else []
    notes += [f"other programs disturbed {record.disturbed} of {len(record.whole)} rounds {where}"
              for record, where in ((then, "there"), (now, "here")) if record.disturbed]
    notes += [f"{rounds} rounds here and {len(then.whole)} there: intervals need at least {MIN_ROUNDS}"] \
        if min(rounds, len(then.whole)) < MIN_ROUNDS else []
    return Reproduction(capsule, there, here, quick, claims, not_tried(then, now, here.value["left_out"], quick),
                        answers(then, now), notes)
