"""Contents of a capsule, from the folder of a sweep."""

from __future__ import annotations

import io
import shlex
import tempfile
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any

from weir import ROOT, __version__
from weir.diagnostics import WeirError, diagnostic
from weir.engine.measuring.revision import git_revision
from weir.engine.measuring.run_directory import StoredRun, load_run
from weir.interop.capsule import facts, used
from weir.interop.capsule.about import Credits, citation
from weir.interop.capsule.crate import crate
from weir.interop.capsule.layout import (
    CAPSULE,
    CITATION,
    CODE,
    CRATE,
    FORMAT,
    INPUTS,
    KEPT_OF_A_RUN,
    MACHINE,
    PROJECT,
    README,
    REPORT,
    SWEEP,
)
from weir.interop.capsule.readme import readme
from weir.lab.sweeping import page, table
from weir.lab.sweeping.record import Record, record_of
from weir.lab.sweeping.request import words
from weir.lab.sweeping.state import STATE, State
from weir.model.document import jsontext
from weir.read.reporting.report import make_report


def contents(at: State, credits: Credits) -> dict[str, bytes]:
    """Return name -> bytes, without the sums. The same sweep, Weir and packages give the same contents.

    Raises WeirError for an unfinished sweep (E_SWEEP_UNFINISHED) or an unreadable file.
    """
    record, _ = record_of(at)
    if record.following is not None:
        raise WeirError(diagnostic("E_SWEEP_UNFINISHED", "",
                                   f"{at.folder}: only {len(record.whole)} rounds are measured, but at least "
                                   f"{record.order.repetitions} are required"))
    runs = [load_run(at.folder / str(row["directory"])) for row in record.table()]
    points = _one_each(record, runs)
    kept = used.code(points)
    own, changed = used.own(points, kept)
    name = f"{PROJECT}/{at.value['project']}.weir.json"
    machine = facts.machine(at, runs)
    about = _about(at, record, runs, credits, name, [
        f"{it} was changed since the sweep was measured: sources/ has the current version" for it in changed])
    found = {**kept, **own, **used.inputs(points, at.plot.get("overlay", {}).get("file")),
             **planned_with(at, points[0]), **recorded(at, record, runs), **_report(at, runs),
             name: jsontext.write(at.value["document"]).encode(),
             MACHINE: jsontext.write(machine).encode(), CAPSULE: jsontext.write(about).encode(),
             CITATION: citation(about).encode()}
    found[README] = readme(about, machine, bool(kept), any(it.startswith(f"{INPUTS}/") for it in found)).encode()
    found[CRATE] = jsontext.write(crate(about, found)).encode()
    return found


def _one_each(record: Record, runs: Sequence[StoredRun]) -> list[StoredRun]:
    """Return one run of each point, an ok one if there is any."""
    first = {row["point"]: run for row, run in reversed(list(zip(record.table(), runs)))}
    return [record.latest.get(cell.number) or first[cell.number] for cell in record.cells]


def _about(at: State, record: Record, runs: Sequence[StoredRun], credits: Credits, name: str,
           remarks: Sequence[str]) -> dict[str, Any]:
    value, folders = at.value, []
    for option, key in (("--allow-path", "allow_path"), ("--block-path", "block_path"),
                        ("--scheduler-path", "scheduler_path"), ("--target-path", "target_path")):
        folders += [word for folder in value["request"][key] for word in (option, folder)]
    for key in ("machine", "profile"):
        folders += [f"--{key}", value["request"][key]] if value["request"][key] else []
    axes = "; ".join(f"{axis['key']}: {', '.join(map(str, axis['values']))}" for axis in value["axes"])
    title = value["document"].get("title") or value["project"]
    return {
        "format": FORMAT, "schema_version": 1, "title": credits.title, "authors": list(credits.authors),
        "license": credits.licence, "project": value["project"], "project_file": name,
        "summary": f"{title}: {len(runs)} runs of {len(record.cells)} points in {len(record.whole)} rounds, over "
                   f"{axes or 'no axes'}.",
        "measured": {"from": runs[0].run["started"], "to": max(str(run.run["finished"]) for run in runs)},
        "weir_version": __version__, "weir_revision": git_revision(ROOT), "remarks": list(remarks),
        "commands": {"sweep": shlex.join([*words(value), *folders, "--out", "DIR"])}}


def planned_with(at: State, run: StoredRun) -> dict[str, bytes]:
    """Return the other inputs of the plans, as the run kept them: machine file and costs of blocks."""
    found, request = {}, at.value["request"]
    if request["machine"]:
        found[f"{INPUTS}/machine.json"] = used.read(run.path / "machine.json")
    profile = jsontext.read(used.read(run.path / "plan.json"))[0].get("profile") if request["profile"] else None
    if profile:
        found[f"{INPUTS}/profile.json"] = jsontext.write(profile).encode()
    return found


def recorded(at: State, record: Record, runs: Sequence[StoredRun]) -> dict[str, bytes]:
    """Return the folder of the sweep, without binaries, traces, and runs that are in no table."""
    text = io.StringIO()
    table.write_csv(text, record.table(), record.columns)
    found = {f"{SWEEP}/{STATE}": used.read(at.folder / STATE), f"{SWEEP}/{table.TABLE}": text.getvalue().encode()}
    for run in runs:
        found |= {f"{SWEEP}/{run.path.name}/{name}": used.read(run.path / name) for name in KEPT_OF_A_RUN
                  if (run.path / name).is_file()}
    return found


def _report(at: State, runs: Sequence[StoredRun]) -> dict[str, bytes]:
    with tempfile.TemporaryDirectory(prefix="weir-capsule-") as name:
        html = make_report(sorted(runs, key=lambda run: str(run.run["started"])), Path(name), None, page.lead(at))
        figures = {f"{REPORT}/figures/{file.name}": file.read_bytes() for file in Path(name).iterdir()}
    return {f"{REPORT}/report.html": html.encode(), **figures}


def code_folders(names: Iterable[str], folder: Path) -> dict[str, tuple[Path, ...]]:
    """Return the folders of a capsule's code, unpacked into `folder`, by command-line option."""
    return {f"{kind}_path": (folder / CODE / f"{kind}s",) if any(name.startswith(f"{CODE}/{kind}s/") for name in names)
            else () for kind in ("block", "scheduler", "target")}
