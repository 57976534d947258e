"""Sides of a comparison: run directories by point, with checks that their runs are of one kind."""

from __future__ import annotations

import shlex
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

from weir.diagnostics import WeirError, diagnostic, did_you_mean, trying
from weir.engine.measuring.choosing import choose, conditions
from weir.engine.measuring.machines import machine_of
from weir.engine.measuring.points import Point, by_point, labels, short_names, varying
from weir.engine.measuring.run_directory import StoredRun, find_runs, load_run

Key = tuple[str, int]


@dataclass(frozen=True)
class Side:
    """Runs of one point on one side, the oldest first. `label`: distinguishes it from the other compared points;
    `copies`: number of duplicate run directories that were left out.
    """

    path: Path
    point: Point
    label: str
    runs: tuple[StoredRun, ...]
    copies: int = 0

    @property
    def deployment(self) -> str:
        """Return the deployment of its runs."""
        return self.point.deployment

    @property
    def good(self) -> tuple[StoredRun, ...]:
        """Return its runs that are ok."""
        return tuple(run for run in self.runs if run.status == "ok")

    @property
    def shown(self) -> StoredRun:
        """Return the run that represents the side's project, plan and machine."""
        return (self.good or self.runs)[0]

    def kinds(self) -> dict[str, int]:
        """Return the properties that differ between the side's runs: name -> number of different values."""
        kinds = {"plans": {run.results["plan_hash"] for run in self.good},
                 "binaries": {run.results["binary_hash"] for run in self.good},
                 "parameters": {repr(sorted(run.results["parameters"].items())) for run in self.good},
                 "item counts": {run.results["items"] for run in self.good},
                 "trace back-ends": {run.results["trace"]["backend"] for run in self.good},
                 "machines": {machine_of(run) for run in self.good},
                 "CPUs": {run.results["environment"]["cpu"] for run in self.good}}
        return {name: len(values) for name, values in kinds.items() if len(values) > 1}


def key_of(run: StoredRun) -> Key | None:
    """Return (experiment, round), which runs of one round share; None for runs that do not record it."""
    at = run.results["coordinates"]
    return (at["experiment"], at["round"]) if at["experiment"] is not None else None


def load_runs(path: Path, warn: Callable[[str], None], set_id: str | None = None) -> list[StoredRun]:
    """Load the runs in `path`, or of one set in it, the oldest first. Raises WeirError if there is none."""
    with trying(f"read {path}"):
        found = list(find_runs(path))
    runs = []
    for folder in found:
        try:
            runs.append(load_run(folder))
        except WeirError as error:
            warn(f"skipped: {error.diagnostics[0].message}")
    if not runs:
        raise WeirError(diagnostic("E_RUN_NONE", "", f"{path} is not a run directory and contains none",
                                   "`weir import` converts the results of a program that Weir did not run"
                                   if found else ""))
    if set_id is not None:
        runs = [run for run in runs if (run.run.get("set") or {}).get("id") == set_id]
        if not runs:
            raise WeirError(diagnostic("E_RUN_NONE", "", f"{path} has no run of the set `{set_id}`"))
    return sorted(runs, key=lambda run: (str(run.run.get("started")), run.path.name))


@dataclass(frozen=True)
class Choice:
    """Selection of a side: a deployment, and `key=value` conditions of its points.

    `counterpart`: the deployment that only the other side's option names. It applies to a side that has several.
    """

    deployment: str | None = None
    at: tuple[str, ...] = ()
    counterpart: str | None = None


def sides_of(a: Path, b: Path, runs: tuple[list[StoredRun], list[StoredRun]],
             choices: tuple[Choice, Choice]) -> tuple[dict[Point, Side], dict[Point, Side]]:
    """Return the selected points of A and B with their runs. Raises WeirError if a selected one is missing."""
    # Group both sides together: a setting that only one side sets has a value on the other side too.
    both = by_point([(name, run) for name, mine in zip("AB", runs) for run in mine], lambda it: it[1].results,
                    lambda it: it[1].path)
    held = [{point: tuple(run for side, run in of if side == name) for point, of in both.items()} for name in "AB"]
    found = []
    for name, path, mine, choice in zip("AB", (a, b), held, choices):
        points = [point for point, of in mine.items() if of]
        names = dict.fromkeys(point.deployment for point in points)
        deployment = choice.deployment or (choice.counterpart if len(names) > 1 else None)
        if deployment is not None:
            if deployment not in names:
                raise WeirError(diagnostic("E_DEPLOYMENT_UNKNOWN", "",
                                           f"{path} has no run of deployment `{deployment}`",
                                           did_you_mean(deployment, names) if choice.deployment else
                                           f"choose one of {name} with --{name.lower()}-deployment: "
                                           + ", ".join(sorted(names))))
            points = [point for point in points if point.deployment == deployment]
        option = "--at" if choices[0].at == choices[1].at else f"--{name.lower()}-point"
        found.append(choose(points, choice.at, option, str(path)))
    label_of = labels(dict.fromkeys([*found[0], *found[1]]))
    in_a, in_b = ({point: _side(path, point, label_of[point], mine[point]) for point in points}
                  for path, mine, points in zip((a, b), held, found))
    return in_a, in_b


def _side(path: Path, point: Point, label: str, runs: Sequence[StoredRun]) -> Side:
    """Make a side with each run once: copies are not new measurements."""
    once = {run.results["run_id"]: run for run in reversed(runs)}
    kept = tuple(run for run in runs if once[run.results["run_id"]] is run)
    return Side(path, point, label, kept, len(runs) - len(kept))


def match(a: dict[Point, Side], b: dict[Point, Side]) -> tuple[list[tuple[Side, Side]], list[tuple[str, Side]]]:
    """Return (pairs of sides, sides without a counterpart with their names).

    Points match by the coordinates that differ within a side. Coordinates that are constant on each side are the
    subject of the comparison, so two single points always match.
    """
    keys = list(dict.fromkeys(key for side in (a, b) for key in varying(side)))
    of_a, of_b = ({tuple(map(point.text_of, keys)): one for point, one in side.items()} for side in (a, b))
    alone = [(name, one) for name, mine, others in (("A", of_a, of_b), ("B", of_b, of_a))
             for at, one in mine.items() if at not in others]
    return [(of_a[at], of_b[at]) for at in of_a if at in of_b], alone


@dataclass(frozen=True)
class Design:
    """Design of the measurement. `pairs`: runs that belong together, None if runs are unpaired."""

    id: str
    pairs: tuple[tuple[StoredRun, StoredRun], ...] | None
    unpaired: tuple[StoredRun, ...] = ()


INTERLEAVED, IN_TURNS, ONE_AFTER_OTHER = "interleaved", "in turns", "one after the other"


def design_of(a: Side, b: Side) -> Design:
    """Return the design of two sides: pairs of a round for one command, else pairs of successive runs if the sides ran
    in turns, else no pairs.
    """
    in_a, in_b = ({key_of(run): run for run in side.runs if key_of(run)} for side in (a, b))
    common = [key for key in in_a if key in in_b]
    if common:
        return _valid_pairs(INTERLEAVED, [(in_a[key], in_b[key]) for key in common], a, b)
    ordered = sorted([(run, "A") for run in a.runs] + [(run, "B") for run in b.runs],
                     key=lambda item: str(item[0].run.get("started")))
    couples = [ordered[i:i + 2] for i in range(0, len(ordered), 2)]
    if all({side for _, side in couple} == {"A", "B"} for couple in couples):
        sorted_couples = [sorted(couple, key=lambda item: item[1]) for couple in couples]
        return _valid_pairs(IN_TURNS, [(of_a, of_b) for (of_a, _), (of_b, _) in sorted_couples], a, b)
    return Design(ONE_AFTER_OTHER, None)


def _valid_pairs(design: str, pairs: Sequence[tuple[StoredRun, StoredRun]], a: Side, b: Side) -> Design:
    """Keep the pairs whose runs are both ok, and list the runs that this leaves unpaired."""
    valid = tuple(pair for pair in pairs if all(run.status == "ok" for run in pair))
    used = {run.path for pair in valid for run in pair}
    return Design(design, valid, tuple(run for run in (*a.good, *b.good) if run.path not in used))


def why(alone: Sequence[tuple[str, Side]]) -> str:
    """Return the reason why points have no counterpart (`match`), with options that resolve it; "" if all have one.

    A gate must not pass because a point was not compared, so such points make a comparison `not comparable`.
    """
    if not alone:
        return ""
    others = {name: dict.fromkeys(side.deployment for its, side in alone if its != name) for name in "AB"}
    lines = []
    for deployment in dict.fromkeys(side.deployment for name, side in alone if side.deployment in others[name]):
        lines.append(_apart(deployment, *([side for its, side in alone if (its, side.deployment) == (name, deployment)]
                                          for name in "AB")))
    lone = [(name, side) for name, side in alone if side.deployment not in others[name]]
    for name, other in ("AB", "BA"):
        named = [side.label for its, side in lone if its == name]
        lines += [f"{other} has no {' and no '.join(named)}"] if named else []
    if lone:
        lines.append("--deployment or --at selects points that both sides have; --a-deployment and --b-deployment, or "
                     "--a-point and --b-point, pair two different ones")
    return "; ".join(lines)


def _apart(deployment: str, a: Sequence[Side], b: Sequence[Side]) -> str:
    """Return the coordinates that separate two sides of one deployment, and options that would pair two points."""
    points = [side.point for side in (*a, *b)]
    every = varying(points)
    keys = [key for key in every
            if {side.point.text_of(key) for side in a} != {side.point.text_of(key) for side in b}] or every
    names = short_names(keys)
    words = [word for option, side in (("--a-point", a[0]), ("--b-point", b[0]))
             for chosen in conditions(side.point, points, keys) for word in (option, chosen)]
    return (f"{deployment} differs in {', '.join(names[key] for key in keys)}: "
            f"{shlex.join(['--deployment', deployment, *words])} pairs two of them")
