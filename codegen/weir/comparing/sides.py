"""The two sides of a comparison: run directories, by deployment; what is no run or not of one kind is said."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

from weir.diagnostics import WeirError, did_you_mean, diagnostic, os_error
from weir.measuring.run_directory import StoredRun, find_runs, load_run

Key = tuple[str, int]


@dataclass(frozen=True)
class Side:
    """The runs of one deployment on one side, the oldest first."""

    path: Path
    deployment: str
    runs: tuple[StoredRun, ...]

    @property
    def good(self) -> tuple[StoredRun, ...]:
        return tuple(run for run in self.runs if run.status == "ok")

    @property
    def shown(self) -> StoredRun:
        """The run that stands for the side where its project, plan and machine are looked at."""
        return (self.good or self.runs)[0]

    def kinds(self) -> dict[str, int]:
        """What in the runs of this side is not one and the same: name -> how many different ones there are."""
        kinds = {"plans": {run.results["plan_hash"] for run in self.good},
                 "binaries": {run.results["binary_hash"] for run in self.good},
                 "parameters": {repr(sorted(run.results["parameters"].items())) for run in self.good},
                 "item counts": {run.results["items"] for run in self.good},
                 "trace back-ends": {run.results["trace"]["backend"] for run in self.good},
                 "hosts": {run.run["host"].get("name") for run in self.good},
                 "CPUs": {run.results["environment"]["cpu"] for run in self.good}}
        return {name: len(values) for name, values in kinds.items() if len(values) > 1}


def key_of(run: StoredRun) -> Key | None:
    """(set, block): runs that share it were measured side by side. None for runs that do not say."""
    made = run.run.get("set")
    return (made["id"], run.run["block"]) if isinstance(made, dict) and "id" in made else None


def load_side(path: Path, warn: Callable[[str], None], set_id: str | None = None) -> dict[str, Side]:
    """Deployment -> its runs, of this set alone where one is named. WeirError where there is none in `path`."""
    try:
        found = list(find_runs(path))
    except OSError as error:
        raise WeirError(os_error(error, f"read {path}")) from None
    runs = []
    for folder in found:
        try:
            runs.append(load_run(folder))
        except WeirError as error:
            warn(f"skipped: {error.diagnostics[0].message}")
    if not runs:
        raise WeirError(diagnostic("E_RUN_NONE", "", f"{path}: no run directory, and none in it",
                                   "`weir adopt` makes one of what a program wrote without the runner" if found else ""))
    if set_id is not None:
        runs = [run for run in runs if (run.run.get("set") or {}).get("id") == set_id]
        if not runs:
            raise WeirError(diagnostic("E_RUN_NONE", "", f"{path} has no run of the set `{set_id}`"))
    runs.sort(key=lambda run: (str(run.run.get("started")), run.path.name))
    names = dict.fromkeys(str(run.results["deployment"]) for run in runs)
    return {name: Side(path, name, tuple(run for run in runs if run.results["deployment"] == name)) for name in names}


def match(a: dict[str, Side], b: dict[str, Side], a_name: str | None,
          b_name: str | None) -> tuple[list[tuple[Side, Side]], list[str]]:
    """(pairs of sides, what was left without a partner).

    By name; where each side has one deployment only, these two. WeirError where a named one is not there.
    """
    if a_name or b_name:
        chosen = [_named(side, name or other) for side, name, other in ((a, a_name, b_name), (b, b_name, a_name))]
        return [(chosen[0], chosen[1])], []
    if len(a) == len(b) == 1:
        return [(next(iter(a.values())), next(iter(b.values())))], []
    common = [name for name in a if name in b]
    alone = [f"A has {name}" for name in a if name not in b] + [f"B has {name}" for name in b if name not in a]
    return [(a[name], b[name]) for name in common], alone


def _named(side: dict[str, Side], name: str) -> Side:
    if name not in side:
        path = next(iter(side.values())).path
        raise WeirError(diagnostic("E_DEPLOYMENT_UNKNOWN", "", f"{path} has no run of deployment `{name}`",
                                   did_you_mean(name, side)))
    return side[name]


@dataclass(frozen=True)
class Design:
    """How the two sides were measured. `pairs`: runs side by side, or None where nothing ties run to run."""

    id: str
    pairs: tuple[tuple[StoredRun, StoredRun], ...] | None
    unpaired: tuple[StoredRun, ...] = ()


INTERLEAVED, IN_TURNS, ONE_AFTER_OTHER = "interleaved", "in turns", "one after the other"


def design_of(a: Side, b: Side) -> Design:
    """Which runs go together.

    Of one command: those of a block. Else, where runs were made in turns, those that followed each other. Else none.
    """
    in_a, in_b = ({key_of(run): run for run in side.runs if key_of(run)} for side in (a, b))
    common = [key for key in in_a if key in in_b]
    if common:
        return _valid_pairs(INTERLEAVED, [(in_a[key], in_b[key]) for key in common], a, b)
    ordered = sorted([(run, "A") for run in a.runs] + [(run, "B") for run in b.runs],
                     key=lambda item: str(item[0].run.get("started")))
    couples = [ordered[i:i + 2] for i in range(0, len(ordered), 2)]
    if all({side for _, side in couple} == {"A", "B"} for couple in couples):
        return _valid_pairs(IN_TURNS, [tuple(run for run, _ in sorted(couple, key=lambda item: item[1]))
                                       for couple in couples], a, b)
    return Design(ONE_AFTER_OTHER, None)


def _valid_pairs(design: str, pairs: Sequence[tuple[StoredRun, StoredRun]], a: Side, b: Side) -> Design:
    """A pair counts where both of its runs do; what that leaves alone is told."""
    valid = tuple(pair for pair in pairs if all(run.status == "ok" for run in pair))
    used = {run.path for pair in valid for run in pair}
    return Design(design, valid, tuple(run for run in (*a.good, *b.good) if run.path not in used))
