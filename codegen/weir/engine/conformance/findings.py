"""Findings of the kit, and the verdict on each claim."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path

from weir.engine.conformance.claims import CLAIMS, PARTS, SCHEDULES, TASKS, Claim, Part

ERROR, WARNING = "error", "warning"
#: Verdicts on a claim. `open`: everything tested was right, but a finding on another claim ended the test early.
#: `not_held`: the claim is for the other kind of scheduler.
OK, FAILED, WARNED, OPEN, NOT_TRIED, NOT_APPLICABLE = "ok", "failed", "warning", "open", "not_tried", "not_held"
_NONE_FITS = {
    TASKS: "nothing ran: no graph of this part fits the descriptor's `max_workers` and `wait`",
    SCHEDULES: "nothing ran: none of its graphs has a plan that can run"}


@dataclass(frozen=True)
class Finding:
    """One violation of a claim. `message` and `hint` are one line each; `detail` has the rest.

    `places` are `file:line`, nearest to the fault first. `seed` is None unless the graph is random. `smaller` is a
    smaller graph that fails too, "" if there is none. `project` is a file with the graph (the smaller one if there is
    one), "" if the graph cannot be written with blocks of the library.
    """

    claim: str
    message: str
    severity: str = ERROR
    detail: str = ""
    part: str = ""
    build: str = ""
    case: str = ""
    seed: int | None = None
    places: tuple[str, ...] = ()
    smaller: str = ""
    project: str = ""
    hint: str = ""


@dataclass(frozen=True)
class PartResult:
    """Result of one part, which is one program run."""

    part: Part
    runs: int = 0
    cases: int = 0
    notes: tuple[str, ...] = ()
    findings: tuple[Finding, ...] = ()

    @property
    def cut_short(self) -> bool:
        """Return whether an error ended the run."""
        return any(finding.severity == ERROR for finding in self.findings)


@dataclass(frozen=True)
class Row:
    """Line of a claim on the page. `parts` are the parts that test the claim for this scheduler."""

    claim: Claim
    tried: str
    verdict: str
    parts: tuple[str, ...]


@dataclass
class Judgement:
    """Results for one scheduler, whose folder is `folder`.

    `statics`: findings without a run. `not_run`: why no programs ran. `ways`: kinds of claims that apply (TASKS,
    SCHEDULES), () if unknown. `requested`: names of parts that must run. `seeded`: only the random graph of one seed
    runs. `thorough`: `--all`.
    """

    id: str
    folder: Path
    statics: list[Finding] = field(default_factory=list)
    checked: dict[str, str] = field(default_factory=dict)
    tried: list[PartResult] = field(default_factory=list)
    not_run: str = ""
    ways: tuple[str, ...] = ()
    requested: tuple[str, ...] = ()
    seeded: bool = False
    thorough: bool = False
    seconds: float = 0.0

    @property
    def findings(self) -> list[Finding]:
        """Return all findings: errors first, in the order of the claims."""
        order = {claim.id: place for place, claim in enumerate(CLAIMS)}
        found = [*self.statics, *(finding for tried in self.tried for finding in tried.findings)]
        return sorted(found, key=lambda f: (f.severity != ERROR, order[f.claim]))

    @property
    def failed(self) -> bool:
        """Return whether a finding is an error."""
        return any(finding.severity == ERROR for finding in self.findings)

    @property
    def ok(self) -> bool:
        """Return whether there is no error and every requested part ran."""
        return not self.failed and not set(self.idle) & set(self.requested)

    @property
    def runs(self) -> int:
        """Return the number of runs."""
        return sum(tried.runs for tried in self.tried)

    @property
    def idle(self) -> dict[str, str]:
        """Return the parts that ran nothing, each with the reason. Includes requested parts that do not apply."""
        why: dict[str, str] = {}
        for tried in self.tried:
            if not any(t.runs for t in self.tried if t.part.name == tried.part.name):
                why[tried.part.name] = _NONE_FITS[tried.part.of]
        had = {tried.part.name for tried in self.tried}
        return {**why, **{name: self._unfit(name) for name in self.requested if name not in had}}

    def _unfit(self, name: str) -> str:
        reasons = (claim.otherwise for claim in CLAIMS if name in claim.parts and not self._applies(claim))
        nothing = "no random graphs" if self.seeded else "nothing"
        return self.not_run or next(reasons, "") or f"it has {nothing} for schedulers of this kind"

    def _applies(self, claim: Claim) -> bool:
        """Return whether the claim applies to this kind of scheduler; True if the kind is unknown."""
        return not claim.of or not self.ways or claim.of in self.ways

    @property
    def rows(self) -> list[Row]:
        """Return one row per claim."""
        fit = {part.name for part in PARTS if not self.ways or part.of in self.ways}
        return [Row(claim, self._said(claim), self._verdict(claim), tuple(p for p in claim.parts if p in fit))
                for claim in CLAIMS]

    def _of(self, claim: Claim) -> list[PartResult]:
        return [tried for tried in self.tried if tried.part.name in claim.parts]

    def _verdict(self, claim: Claim) -> str:
        severities = {finding.severity for finding in self.findings if finding.claim == claim.id}
        if ERROR in severities:
            return FAILED
        if not self._applies(claim):
            return NOT_APPLICABLE
        parts = self._of(claim)
        if claim.id in self.checked:
            return WARNED if severities else OK
        if not any(tried.runs for tried in parts):
            return NOT_TRIED
        if any(tried.cut_short for tried in parts):
            return OPEN
        return WARNED if severities else OK

    def _said(self, claim: Claim) -> str:
        if claim.id in self.checked:
            return self.checked[claim.id]
        if not self._applies(claim):
            return claim.otherwise
        return summary(claim, self._of(claim)) or self.not_run


def summary(claim: Claim, parts: Sequence[PartResult]) -> str:
    """Return a summary of the tests of a claim, "" if there were none."""
    if not parts:
        return ""
    if claim.id == "races":
        return f"{sum(t.runs for t in parts):,} runs under the thread sanitizer"
    if len(claim.parts) > 2:
        return f"{sum(t.runs for t in parts):,} runs of all parts"
    return "; ".join(said for t in parts
                     for said in (t.part.words.format(runs=f"{t.runs:,}", cases=f"{t.cases:,}"), *t.notes))


def parts_named(names: Sequence[str]) -> tuple[Part, ...]:
    """Return the parts with these names, or all parts if there are no names."""
    return tuple(part for part in PARTS if not names or part.name in names)
