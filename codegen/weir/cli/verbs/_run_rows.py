"""The rows of `weir runs list --json`."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from weir.engine.measuring.choosing import conditions
from weir.engine.measuring.points import by_point, labels
from weir.engine.measuring.run_directory import StoredRun
from weir.engine.measuring.run_store import Fault, abandoned, note_of, trace_bytes, without_results
from weir.files import disk_bytes
from weir.model.document.essence import identity
from weir.read.comparing.documents import project
from weir.read.comparing.metrics import LISTED

#: Metrics that rows of `--json` have by their own names, too: as they did before there were `metrics`.
OWN_COLUMNS = ("throughput_items_per_s", "p50_ns", "p95_ns", "p99_ns")


def rows_of(runs: Sequence[StoredRun], among: Sequence[StoredRun]) -> list[dict[str, Any]]:
    """`among`: all runs of the folders; what chooses a point among those of its set is told by all of the set."""
    of_point = by_point(runs, lambda run: run.results, lambda run: run.path)
    names, at = labels(of_point), _conditions(among)
    points = {run.path: (point.id, names[point]) for point, of in of_point.items() for run in of}
    return [_row(run, *points[run.path], at[run.path]) for run in runs]


def _conditions(runs: Sequence[StoredRun]) -> Mapping[Path, list[str]]:
    """Of each run what `--at` takes to choose its point among the runs that one command made with it."""
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
        yield _unreadable(path, "damaged", "it has no results.json: it was copied or removed by halves")
    for path in (path for out in folders for path in abandoned(out)):
        yield _unreadable(path, "incomplete", "half done: its run still goes, or was killed; the next run of its "
                                              "host into this folder then removes it, or `weir runs rm` with its name")


def _unreadable(path: Path, status: str, reason: str) -> dict[str, object]:
    """A row of what is no run that can be read: all that is known of it is where it is and what is wrong."""
    unknown = dict.fromkeys(("project", "deployment", "scheduler", "repetition", "set", "project_hash", "essence",
                             "point", "label", "at", "profiled", "coordinates", "started", *OWN_COLUMNS, "metrics",
                             "latencies", "note"))
    return {"path": str(path), "run_id": path.name, **unknown, "status": status, "reason": reason,
            "warnings": [], "size_bytes": disk_bytes(path), "trace_bytes": 0}
