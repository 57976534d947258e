"""Rows of `weir runs list --json`."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from weir.engine.measuring.choosing import conditions
from weir.engine.measuring.points import by_point, labels
from weir.engine.measuring.results import is_unverified
from weir.engine.measuring.run_directory import StoredRun
from weir.engine.measuring.run_store import Fault, abandoned, note_of, trace_bytes, without_results
from weir.files import disk_bytes
from weir.model.document.essence import identity
from weir.read.comparing.documents import project
from weir.read.comparing.metrics import LISTED

#: Metrics that `--json` rows also have under their own names, from before `metrics` existed.
OWN_COLUMNS = ("throughput_items_per_s", "p50_ns", "p95_ns", "p99_ns")


def rows_of(runs: Sequence[StoredRun], among: Sequence[StoredRun]) -> list[dict[str, Any]]:
    """Return one row for each run. `among`: all runs of the folders, which decide how `--at` selects a point."""
    of_point = by_point(runs, lambda run: run.results, lambda run: run.path)
    names, at = labels(of_point), _conditions(among)
    points = {run.path: (point.id, names[point]) for point, of in of_point.items() for run in of}
    return [_row(run, *points[run.path], at[run.path]) for run in runs]


def _conditions(runs: Sequence[StoredRun]) -> Mapping[Path, list[str]]:
    """Return run path -> `--at` conditions that select its point among the runs of the same command."""
    sets: dict[object, list[StoredRun]] = {}
    for run in runs:
        sets.setdefault(_set_of(run) or run.path, []).append(run)
    found = {}
    for of_set in sets.values():
        of_point = by_point(of_set, lambda run: run.results, lambda run: run.path)
        found.update({run.path: conditions(point, of_point) for point, of in of_point.items() for run in of})
    return found


def _set_of(run: StoredRun) -> str | None:
    return (run.run.get("set") or {}).get("id")


def _row(run: StoredRun, point: str, label: str, at: list[str]) -> dict[str, object]:
    results, of = run.results, project(run)
    metrics = {metric.id: metric.value(results) for metric in LISTED}
    return {"path": str(run.path), "run_id": results["run_id"], "project": results["project"],
            "deployment": results["deployment"], "scheduler": results["scheduler"],
            "repetition": results["repetition"], "set": _set_of(run),
            "project_hash": results["project_hash"], "essence": identity(of) if of else None,
            "point": point, "label": label, "at": at, "profiled": results["metrics"] == "profile",
            "unverified": is_unverified(results),
            "coordinates": results["coordinates"], "status": results["status"],
            "reason": "; ".join(reason["message"] for reason in results["reasons"] if reason["code"][0] == "E"),
            "warnings": [reason["message"] for reason in results["reasons"] if reason["code"][0] == "W"],
            "started": run.run.get("started"),
            **{name: metrics[name] for name in OWN_COLUMNS}, "metrics": metrics,
            "latencies": (results["latency"] or {}).get("count"),
            "note": note_of(run.path), "size_bytes": disk_bytes(run.path), "trace_bytes": trace_bytes(run)}


def damaged_rows(folders: Sequence[Path], faults: Sequence[Fault]) -> Iterator[dict[str, object]]:
    for fault in faults:
        yield _unreadable(fault.path, "damaged", fault.message)
    for path in (path for out in folders for path in without_results(out)):
        yield _unreadable(path, "damaged", "results.json is missing: the folder was only partly copied or removed")
    for path in (path for out in folders for path in abandoned(out)):
        yield _unreadable(path, "incomplete", "the run is still going, or was killed. The next run of the same host "
                                              "into this folder removes a killed run; so does `weir runs rm NAME`")


def _unreadable(path: Path, status: str, reason: str) -> dict[str, object]:
    """Return the row of an unreadable run: its path and the reason; everything else is unknown."""
    unknown = dict.fromkeys(("project", "deployment", "scheduler", "repetition", "set", "project_hash", "essence",
                             "point", "label", "at", "profiled", "unverified", "coordinates", "started", *OWN_COLUMNS,
                             "metrics", "latencies", "note"))
    return {"path": str(path), "run_id": path.name, **unknown, "status": status, "reason": reason,
            "warnings": [], "size_bytes": disk_bytes(path), "trace_bytes": 0}
