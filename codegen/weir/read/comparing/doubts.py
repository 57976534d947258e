"""Whether a difference may be the machine's alone: one program that was measured twice, sides that were disturbed.

docs/statistics.md ("The verdict") has the rule and its reasons.
"""

from __future__ import annotations

import statistics
from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass

from weir.engine.measuring.results import others_had
from weir.read.comparing.differences import Difference
from weir.read.comparing.estimates import BETTER, IN_DOUBT, WORSE, Noted
from weir.read.comparing.sides import Side

#: Warnings of a run whose machine did something else besides, or was not as fast as before.
DISTURBING = {"W_DISTURBED": "the machine was disturbed in",
              "W_MACHINE_SLOWED": "the machine was slower, or changed its speed, in"}
#: From this share of a side's runs on it is disturbed. The pseudomedian bears 29 % of wild values; a restless machine
#: flags many runs of both sides, whose shares then differ by less than this, but by chance.
HALF = 0.5
#: Where others had more than this of the CPUs in so many runs of both sides, a difference may be no more than how the
#: two bear that: bench/statistics/disturbed.py has the numbers.
OTHERS_HAD = 0.05
_SAME = "A and B are the same program, run in the same way: the difference is the machine's, not the program's"
_STANDS = ": both sides had it, so the verdict stands; how large the difference is on a quiet machine is not known"
_REMEDY = "the difference may come of that. Measure both again, in turns, while nothing else runs"
_BEARS = "the side that is ahead may only tolerate that better. Measure both again on an idle machine"


@dataclass(frozen=True)
class Doubt:
    """One warning: which share of the runs of "A" and of "B" has it, and that in words."""

    shares: Mapping[str, float]
    words: str

    @property
    def against(self) -> str:
        """The side that has it in so many more of its runs that it may be what put that side behind; empty: neither."""
        more = self.shares["B"] - self.shares["A"]
        return "B" if more >= HALF else "A" if -more >= HALF else ""


@dataclass(frozen=True)
class Doubts:
    """`each`: those of which a side has much. `others`: how much of the CPUs others had, where that is too much
    on both sides; else "".
    """

    same_program: bool
    each: tuple[Doubt, ...]
    others: str = ""

    def headline(self, verdicts: Collection[str], because: str) -> tuple[str, ...]:
        """What `because` does not say at the verdict, and what follows. `verdicts`: those of the metrics.

        Where one side has it, that is why some of them are in doubt; where both have it, they stand, which is said
        once.
        """
        told = [it for it in self.each if it.words not in because]
        of_both = next((it for it in told if not it.against), None)

        def follows(it: Doubt) -> str:
            if it.against:
                return f", so what speaks against {it.against} is in doubt" if IN_DOUBT in verdicts else ""
            return _STANDS if it is of_both and (BETTER in verdicts or WORSE in verdicts) else ""

        return tuple(it.words + follows(it) for it in told)

    def of(self, verdict: str) -> str:
        """Why `verdict` may be the machine's, empty where it is not better or worse, or stands.

        A disturbed machine is slower: it speaks against the side that came out behind. Where both had much of it, it
        may speak against either.
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
    """Both sides have runs that are ok. `found`: in what they differ, `said`: what of it is said first; `flagged`: the
    runs with warnings.
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
    """What others had of the CPUs, in words; "" unless it is above `OTHERS_HAD` in half of the runs of both sides."""
    medians = [statistics.median(others_had(run.results) for run in side.good) for side in (a, b)]
    if min(medians) <= OTHERS_HAD:
        return ""
    return (f"others had {medians[0]:.0%} of the CPUs' time in runs of A and {medians[1]:.0%} in runs of B (medians), "
            f"and a verdict needs at most {OTHERS_HAD:.0%}").replace("%", " %")


def _counted(counts: Mapping[str, int], sizes: Mapping[str, int]) -> str:
    """`all 8 runs of B, none of A`, `3 of 8 runs of A and 5 of 8 runs of B`. Not both are 0."""
    def of(name: str) -> str:
        count, size = counts[name], sizes[name]
        runs = "the one run" if size == 1 else f"all {size} runs" if count == size else f"{count} of {size} runs"
        return f"{runs} of {name}"

    return " and ".join(of(name) for name in counts if counts[name]) + "".join(
        f", none of {name}" for name in counts if not counts[name])


def _leaves_the_program(difference: Difference) -> bool:
    """Whether the program and what it is asked for are the same with it: plan and binary have what matters to them."""
    return (difference.part == "deployment" or (difference.part == "project" and not difference.changes_work)
            or (difference.part, difference.pointer) == ("environment", "/git_revision"))
