"""Doubts about a difference that the machine alone may cause: equal programs, or disturbed sides.

docs/statistics.md ("The verdict") has the rule and its reasons.
"""

from __future__ import annotations

import statistics
from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass

from weir.engine.measuring.results import interference_share
from weir.read.comparing.differences import Difference
from weir.read.comparing.estimates import BETTER, IN_DOUBT, WORSE, Noted
from weir.read.comparing.sides import Side

#: Warnings of a run with interference, or on a machine that became slower.
DISTURBING = {"W_DISTURBED": "other programs disturbed",
              "W_MACHINE_SLOWED": "the machine was slower, or changed its speed, in"}
#: Share of disturbed runs from which a side counts as disturbed. The pseudomedian tolerates 29 % of outliers. On a
#: noisy machine, many runs of both sides have warnings, and their shares differ by less than this, by chance.
HALF = 0.5
#: Share of the CPUs. If other programs used more in half of the runs of both sides, a difference may only show how well
#: each side tolerates that (bench/statistics/disturbed.py).
MOST_INTERFERENCE = 0.05
_SAME = "A and B are the same program, run in the same way, so the machine causes the difference"
_STANDS = ": this affects both sides, so the verdict stands, but the difference on an idle machine is unknown"
_REMEDY = "this may explain the difference. Measure both again, in turns, while nothing else runs"
_BEARS = "the side that is ahead may only tolerate this better. Measure both again on an idle machine"


@dataclass(frozen=True)
class Doubt:
    """Warning about runs. `shares`: share of the runs of "A" and of "B" that have it. `words`: the same as text."""

    shares: Mapping[str, float]
    words: str

    @property
    def against(self) -> str:
        """Return the side whose excess of warnings may explain why it is behind, or ""."""
        more = self.shares["B"] - self.shares["A"]
        return "B" if more >= HALF else "A" if -more >= HALF else ""


@dataclass(frozen=True)
class Doubts:
    """Doubts about a comparison. `each`: frequent warnings; `others`: share of other programs in words, if it is too
    high on both sides, else "".
    """

    same_program: bool
    each: tuple[Doubt, ...]
    others: str = ""

    def headline(self, verdicts: Collection[str], because: str) -> tuple[str, ...]:
        """Return the doubts that `because` does not mention, with their consequences. `verdicts`: those of the metrics.

        A warning of one side makes verdicts doubtful. If both sides have the warning, verdicts stand, and the headline
        says so once.
        """
        unmentioned = [it for it in self.each if it.words not in because]
        of_both = next((it for it in unmentioned if not it.against), None)

        def follows(it: Doubt) -> str:
            if it.against:
                return f", so verdicts against {it.against} are in doubt" if IN_DOUBT in verdicts else ""
            return _STANDS if it is of_both and (BETTER in verdicts or WORSE in verdicts) else ""

        return tuple(it.words + follows(it) for it in unmentioned)

    def of(self, verdict: str) -> str:
        """Return the reasons why the machine may explain `verdict`. "" if the verdict stands, or is not better or
        worse.

        Interference slows a side down, so it matters for the side that is behind. Interference on both sides matters
        for either verdict.
        """
        if verdict not in (BETTER, WORSE):
            return ""
        behind = "B" if verdict == WORSE else "A"
        uneven = [it.words for it in self.each if it.against == behind]
        return "; ".join([*([_SAME] if self.same_program else ()),
                          *([f"{', '.join(uneven)}: {_REMEDY}"] if uneven else ()),
                          *([f"{self.others}: {_BEARS}"] if self.others else ())])


def doubts_of(a: Side, b: Side, found: Iterable[Difference], said: Collection[str],
              flagged: Collection[Noted]) -> Doubts:
    """Return the doubts about two sides that have runs that are ok. `found`: their differences; `said`: the differences
    in the headline; `flagged`: runs with warnings.
    """
    sizes = {"A": len(a.good), "B": len(b.good)}
    each = []
    for code, words in DISTURBING.items():
        counts = {name: sum(noted.side == name and any(why.startswith(f"{code}: ") for why in noted.why)
                            for noted in flagged) for name in sizes}
        shares = {name: counts[name] / size for name, size in sizes.items()}
        if max(shares.values()) >= HALF:
            each.append(Doubt(shares, f"{words} {_counted(counts, sizes)}"))
    same = a.shown.results["binary_hash"] is not None and not said and all(map(_leaves_the_program, found))
    return Doubts(same, tuple(each), _others(a, b))


def _others(a: Side, b: Side) -> str:
    """Return the CPU share of other programs in words.

    Return "" unless it exceeds `MOST_INTERFERENCE` in half of the runs of both sides.
    """
    medians = [statistics.median(interference_share(run.results) for run in side.good) for side in (a, b)]
    if min(medians) <= MOST_INTERFERENCE:
        return ""
    return (f"other programs used {medians[0]:.0%} of the CPUs in runs of A and {medians[1]:.0%} in runs of B "
            f"(medians), but a verdict allows at most {MOST_INTERFERENCE:.0%}").replace("%", " %")


def _counted(counts: Mapping[str, int], sizes: Mapping[str, int]) -> str:
    """Return the counts in words, such as `all 8 runs of B, none of A`. At least one is above 0."""
    def of(name: str) -> str:
        count, size = counts[name], sizes[name]
        runs = "the one run" if size == 1 else f"all {size} runs" if count == size else f"{count} of {size} runs"
        return f"{runs} of {name}"

    return " and ".join(of(name) for name in counts if counts[name]) + "".join(
        f", none of {name}" for name in counts if not counts[name])


def _leaves_the_program(difference: Difference) -> bool:
    """Return whether a difference leaves the program and its request unchanged; plan and binary are compared
    separately.
    """
    return (difference.part == "deployment" or (difference.part == "project" and not difference.changes_work)
            or (difference.part, difference.pointer) == ("environment", "/git_revision"))
