"""Sections of a report: the runs of one project by point, and their machines."""

from __future__ import annotations

import sys
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from weir.diagnostics import WeirError, diagnostic, pointer, resolve
from weir.engine.measuring.coordinates import PLACES
from weir.engine.measuring.machines import machine_names, machine_of
from weir.engine.measuring.points import by_point, in_order, labels, noun
from weir.engine.measuring.run_directory import StoredRun, find_runs, load_run
from weir.files import read_bounded
from weir.machine.doctoring.machine_view import SEVERITIES
from weir.machine.isolating.words import words
from weir.model.catalog import load_catalog
from weir.model.document import jsontext
from weir.model.document.essence import essential
from weir.model.document.shape import check_shape
from weir.model.document.spelling import current_document
from weir.model.planning.plan import digest
from weir.read.comparing.documents import interference_load, isolation
from weir.read.reporting.quantities import MISSING


@dataclass(frozen=True)
class Group:
    """Runs of one point on one machine: the good ones, and all. `name` distinguishes it within its section."""

    name: str
    good: tuple[StoredRun, ...]
    all: tuple[StoredRun, ...]

    @property
    def shown(self) -> StoredRun:
        """Return the run whose blocks and threads the report shows: the good run with the median throughput."""
        ranked = sorted(self.good, key=lambda r: r.results["throughput_items_per_s"] or 0.0)
        return ranked[(len(ranked) - 1) // 2] if ranked else self.all[0]


@dataclass(frozen=True)
class Section:
    """Runs of one project by point and machine. Projects that differ in more than coordinates get separate sections.

    `noun`: word for the points; `machines`: names of the machines.
    """

    project: Mapping
    groups: tuple[Group, ...]
    noun: str = "deployment"
    machines: tuple[str, ...] = ()

    @property
    def runs(self) -> list[StoredRun]:
        """Return the runs of all groups."""
        return [run for d in self.groups for run in d.all]


def load_runs(paths: Iterable[Path], warn=lambda text: print(f"weir: {text}", file=sys.stderr)) -> list[StoredRun]:
    """Load the runs in folders, and skip unreadable ones with a warning. Raises WeirError (E_RUN_NONE) without any."""
    runs, seen = [], set()
    for path in paths:
        try:
            found = list(find_runs(path))
        except OSError as error:
            warn(f"skipped: {path}: {error.strerror}")
            continue
        if not found:
            warn(f"skipped: {path} is not a run directory and contains none")
        for folder in found:
            if folder.resolve() in seen:
                continue
            seen.add(folder.resolve())
            try:
                runs.append(load_run(folder))
            except WeirError as error:
                warn(f"skipped: {error.diagnostics[0].message}")
    return in_turn(runs)


def in_turn(runs: Iterable[StoredRun]) -> list[StoredRun]:
    """Return the runs in order of their start. Raises WeirError (E_RUN_NONE) without any."""
    found = sorted(runs, key=lambda r: str(r.run["started"]))
    if not found:
        raise WeirError(diagnostic("E_RUN_NONE", "", "no runs to report", "`weir run` creates run directories"))
    return found


def sections(runs: Sequence[StoredRun]) -> list[Section]:
    """Group runs by project, ignoring coordinates, in the order of their first runs."""
    of_text: dict[str, list[StoredRun]] = {}
    for run in runs:
        of_text.setdefault(str(run.results["project_hash"]), []).append(run)
    projects = {text: _project(members[0].path) for text, members in of_text.items()}
    places = {place for run in runs for place in run.results["coordinates"]["settings"] if place.startswith("/")}
    alike: dict[str, list[str]] = {}
    for text, project in projects.items():
        alike.setdefault(text if project is None else digest(_without_coordinates(project, places)), []).append(text)
    return [_section([run for run in runs if str(run.results["project_hash"]) in texts], projects)
            for texts in alike.values()]


def _project(folder: Path) -> Mapping | None:
    """Read the project of a run, None if it is damaged; the results may still be intact."""
    try:
        project, faults = jsontext.read(read_bounded(folder / "project.json", jsontext.MAX_BYTES))
    except OSError:
        return None
    project = current_document(project, "project").value
    return None if faults or check_shape(project, "project") else project


def _without_coordinates(project: Mapping, places: Iterable[str]) -> Mapping:
    """Return the project without the values that are coordinates of runs."""
    bare = essential(project)
    for place in (*places, *PLACES, *(pointer("parameters", name, "value") for name in bare.get("parameters", {}))):
        parent, _, last = place.rpartition("/")
        try:
            holder = resolve(bare, parent)
            if isinstance(holder, dict):
                holder.pop(last.replace("~1", "/").replace("~0", "~"), None)
            else:
                holder[int(last)] = None
        except (LookupError, ValueError, TypeError):
            continue
    return bare


def _section(runs: Sequence[StoredRun], projects: Mapping[str, Mapping | None]) -> Section:
    project = projects[str(runs[0].results["project_hash"])]
    of_point = by_point(runs, lambda run: run.results, lambda run: run.path)
    points = in_order(of_point, [d["name"] for d in (project or {}).get("deployments", ())])
    names, machines, where = labels(points), machine_names(runs), {run.path: machine_of(run) for run in runs}
    groups = [(point, machine, [run for run in of_point[point] if where[run.path] == machine])
              for point in points for machine in machines]
    return Section(project or {"name": runs[0].results["project"]}, tuple(
        Group(" · ".join((names[point], *([machines[machine]] if len(machines) > 1 else ()))),
              tuple(run for run in members if run.status == "ok"), tuple(members))
        for point, machine, members in groups if members), noun(points), tuple(machines.values()))


def by_name(parts: Sequence[Section]) -> list[Section]:
    """Return one section for each name of a project, with the first project of that name."""
    named: dict[object, list[Section]] = {}
    for part in parts:
        named.setdefault(part.project.get("name"), []).append(part)
    return [Section(alike[0].project, tuple(group for part in alike for group in part.groups), alike[0].noun,
                    tuple(dict.fromkeys(name for part in alike for name in part.machines)))
            for alike in named.values()]


#: Rows of an environment with a range over its runs, or a list of their runtimes.
RANGES = ("Load before", "Steal", "Other programs", "Runtimes")
#: Fields of an environment that differ in every run or have their own row.
FLEETING = ("load", "runnable", "steal", "other_programs", "mitigations")


def environments(runs: Sequence[StoredRun]) -> list[dict[str, Any]]:
    """Return each distinct environment once, with ranges of the load and of other programs over its runs."""
    groups: dict[tuple, list[StoredRun]] = {}
    for run in runs:
        stable = {k: v for k, v in run.results["environment"].items() if k not in FLEETING}
        stable["host"] = run.run["host"].get("name")
        stable["isolation"], stable["interference"] = isolation(run), interference_load(run)
        groups.setdefault(tuple((k, str(v)) for k, v in stable.items()), []).append(run)
    return [_view(members) for members in groups.values()]


def whole_environment(runs: Sequence[StoredRun]) -> dict[str, Any]:
    """Return the environments of all runs in one: where they differ, each value with the number of its runs."""
    views = environments(runs)
    values: dict[str, dict[str, int]] = {}
    for view in views:
        for name, value in view["rows"]:
            of = values.setdefault(name, {})
            of[value] = of.get(value, 0) + view["runs"]
    load = dict(_view(runs)["rows"])  # ranges over all runs
    rows = [(name, load[name] if name in RANGES else next(iter(of)) if len(of) == 1 else
             "; ".join(f"{value} ({count} runs)" for value, count in of.items())) for name, of in values.items()]
    return {"rows": rows, "runs": len(runs), "findings": _findings(runs)}


def _view(runs: Sequence[StoredRun]) -> dict[str, Any]:
    e = runs[0].results["environment"]
    loads = [r.results["environment"]["load"][0] for r in runs if r.results["environment"]["load"]]
    steals, others = ([r.results["environment"][key] for r in runs if r.results["environment"][key] is not None]
                      for key in ("steal", "other_programs"))
    known = {True: "on", False: "off", None: MISSING}
    denormals = {True: "flushed to zero", False: "kept", None: MISSING}
    adopted = runs[0].is_of_another_program  # nobody looked at the machine
    none = None if adopted else "none"
    cpus = MISSING if e["cpus"] is None else e["cpus"]
    rows = [
        ("Machine", runs[0].run["host"].get("name")), ("CPU", f"{e['cpu'] or MISSING}, {cpus} CPUs"),
        ("Kernel", e["kernel"]), ("Timer", f"{e['timer_hz']} Hz" if e["timer_hz"] else None),
        ("Governor", e["governor"]), ("Turbo", known[e["turbo"]]), ("SMT", known[e["smt"]]),
        ("Isolated CPUs", "none" if e["isolated_cpus"] == "" else e["isolated_cpus"]),
        ("Isolation", "; ".join(words(runs[0].run["isolation"])) if "isolation" in runs[0].run else none),
        ("Interference load", None if adopted else interference_load(runs[0])),
        ("Clock source", e["clock_source"]),
        ("Compiler", e["compiler"]),
        ("Flags", e["flags"]), ("Denormals", denormals[e["flush_to_zero"]]),
        ("VOLK machine", e["volk_machine"]), ("Git revision", e["git_revision"]),
        ("Load before", f"{min(loads):.2f} … {max(loads):.2f}" if loads else None),
        ("Steal", f"{min(steals):.2%} … {max(steals):.2%}" if steals else None),
        ("Other programs", f"{min(others):.2%} … {max(others):.2%} of the run's CPUs" if others else None),
        *([("Runtimes", ", ".join(runtimes))] if (runtimes := _runtimes(runs)) else []),
        ("Weir", runs[0].results["weir_version"]), ("LTTng", runs[0].run["versions"].get("lttng")),
        ("Mitigations", "; ".join(f"{name}: {state}" for name, state in e["mitigations"].items()
                                  if state != "Not affected") or none),
    ]
    return {"rows": [(label, value or MISSING) for label, value in rows], "runs": len(runs),
            "findings": _findings(runs)}


def _runtimes(runs: Sequence[StoredRun]) -> list[str]:
    """Return the distinct runtimes of the runs other than Weir's own, each with its version."""
    own = {name for name, target in load_catalog().targets.items() if target.runtime is None}
    known = (run.results["runtime"] or {} for run in runs)
    return sorted({f"{it['target']} {it['version']}" for it in known if it.get("version") and it["target"] not in own})


def _findings(runs: Sequence[StoredRun]) -> list[dict[str, object]]:
    """Return the distinct findings on the machine before these runs, the worst first."""
    grouped: dict[tuple, list[Mapping]] = {}
    for run in runs:
        for finding in run.run.get("findings", ()):
            grouped.setdefault((finding["id"], finding["severity"]), []).append(finding)
    return [{**alike[0], "concerns": list(dict.fromkeys(it["concern"] for it in alike if it["concern"])),
             "of": len(alike)} for _, alike in sorted(grouped.items(), key=lambda it: SEVERITIES.index(it[0][1]))]
