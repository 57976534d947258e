"""Table of a sweep, beside its run directories: one row for each run, one column for each quantity."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, TextIO

from weir.diagnostics import WeirError, diagnostic, trying
from weir.engine.measuring.points import by_point, short_names, varying
from weir.engine.measuring.results import is_disturbed
from weir.engine.measuring.run_directory import StoredRun
from weir.engine.measuring.run_store import stored_runs
from weir.engine.results_model import fields
from weir.files import write_whole
from weir.lab.sweeping import parquet
from weir.model.document.item_types import ITEM_TYPES
from weir.model.document.sweeps import FAILURES, OF_CEILING
from weir.read.comparing.documents import plan as plan_of
from weir.read.comparing.metrics import median

if TYPE_CHECKING:
    import pandas

TABLE = "table.csv"
Row = dict[str, Any]
_LATENCIES = ("count", "lost", "mean_ns", "p5_ns", "p50_ns", "p95_ns", "p99_ns", "p999_ns", "max_ns")
#: Responses of a run with a deadline.
_RESPONSE = ("answered", "late", FAILURES)
#: Counters of the CPU and of Linux, over all threads.
_COUNTED = tuple(name for name, it in fields("cpu_counters").items() if it.kind.base == "count")
#: Columns of every table, after those of its axes.
COLUMNS = (
    "round", "repetition", "again", "position", "point", "round_disturbed", "run_id", "started", "status", "reasons",
    "disturbed", "other_programs", "steal", "project", "target", "runtime_version", "implementation", "deployment",
    "scheduler", "items", "seed", "trace", "metrics", "throughput_items_per_s", "window_s", "elapsed_s",
    *(f"latency_{name}" for name in _LATENCIES), *_RESPONSE, "offered_items_per_s", "delivered_items_per_s", "kept_up",
    "events_discarded", "verified", "buffer_bytes", "chunk_items", "items_per_call", "in_place", "compiler", "flags",
    "kernel_hash", "binary_hash", "plan_hash", "project_hash", "cpu_time_s", "voluntary_switches",
    "involuntary_switches", "migrations", "run_delay_s", *_COUNTED, "counted", "joules", "items_per_joule",
    "items_per_call_p5", "items_per_call_p50", "items_per_call_p95", "calls", "unaligned_calls", "busy_s",
    "waiting_share", "buffer_fill", "bare_before_items_per_s", "bare_after_items_per_s", "of_ceiling",
    "interference_loops", "interference_limit", "interference_cpu_time_s", "interference_throttled_s", "cpu", "cpus",
    "cpu_set", "governor", "kernel", "timer_hz", "directory")
#: The interference load of the deployment: column -> field of the granted load.
_INTERFERENCE = {"loops": "loops", "limit": "cpu_limit", "cpu_time_s": "cpu_time_s", "throttled_s": "throttled_s"}
#: Types of the columns that are not floating-point numbers.
_KINDS = {
    "integer": ("round", "repetition", "again", "position", "point", "items", "seed", "latency_count", "latency_lost",
                "latency_p5_ns", "latency_p50_ns", "latency_p95_ns", "latency_p99_ns", "latency_p999_ns",
                "latency_max_ns", "answered", "late", "events_discarded", "in_place", "voluntary_switches",
                "involuntary_switches", "migrations", *_COUNTED, "interference_loops", "cpus",
                "timer_hz", "calls", "unaligned_calls"),
    "flag": ("round_disturbed", "disturbed", "kept_up", "verified"),
    "text": ("run_id", "started", "status", "reasons", "project", "target", "runtime_version", "implementation",
             "deployment", "scheduler", "trace", "metrics", "compiler", "flags", "kernel_hash", "binary_hash",
             "plan_hash", "project_hash", "cpu", "cpu_set", "governor", "kernel", "directory")}
_KIND = {column: kind for kind, columns in _KINDS.items() for column in columns}
#: Names of columns in tables of earlier versions.
_FORMER = {"block": "round", "block_disturbed": "round_disturbed", "foreign": "other_programs",
           **{f"disturbing_{name}": f"interference_{name}" for name in _INTERFERENCE}}
#: Types for pandas, whose own guess would depend on missing values.
_DTYPES = {"integer": "Int64", "number": "float64", "flag": "boolean", "text": "object"}
#: Columns that serve as axes if they are varied, because the run records the requested value.
AXES = ("deployment", "scheduler", "target", "items", "seed", "trace", "metrics")
#: Prefix for an axis whose name is that of another column.
VARIED = "vary_"


def column_of(name: str, parameter: bool) -> str:
    """Return the column name of an axis, with a prefix if a column of every table has the name.

    `parameter`: whether the axis is a parameter of the project or a block.
    """
    return f"{VARIED}{name}" if name in COLUMNS and (parameter or name not in AXES) else name


def row_of(run: StoredRun, point: Mapping[str, Any], place: Mapping[str, Any]) -> Row:
    """Return the row of a run: `point` has the values of the axes, `place` the columns before `run_id`.

    None stands for a number that was not measured. Times are in s unless the column says ns, sizes in bytes or items,
    shares from 0 to 1.
    """
    it, at = run.results, run.results["environment"]
    latency, load, runtime = it["latency"] or {}, it["load"], it["runtime"] or {}
    response = it["response"] or {}
    speed_check, threads = it["speed_check"] or {}, it["threads"] or []
    counted, energy = it["cpu_counters"] or {}, it["energy"] or {}
    granted = (it["interference"] or {"granted": {}})["granted"]
    row: Row = {
        **point, **dict.fromkeys(COLUMNS[:COLUMNS.index("run_id")]), **place,
        "run_id": it["run_id"], "started": run.run["started"], "status": it["status"],
        "reasons": " ".join(reason["code"] for reason in it["reasons"]),
        "disturbed": is_disturbed(it), "other_programs": at["other_programs"], "steal": at["steal"],
        "project": it["project"], "target": it["coordinates"]["target"], "runtime_version": runtime.get("version"),
        "implementation": runtime.get("blocks"), "deployment": it["deployment"], "scheduler": it["scheduler"],
        "items": it["coordinates"]["items"], "seed": it["seed"], "trace": it["trace"]["backend"],
        "metrics": it["metrics"],
        "throughput_items_per_s": it["throughput_items_per_s"], "window_s": it["window_s"],
        "elapsed_s": it["elapsed_s"], **{f"latency_{name}": latency.get(name) for name in _LATENCIES},
        **{name: response.get(name) for name in _RESPONSE},
        "offered_items_per_s": load["offered_items_per_s"], "delivered_items_per_s": load["delivered_items_per_s"],
        "kept_up": load["kept_up"], "events_discarded": it["trace"]["discarded"],
        "verified": (it["verification"] or {}).get("ok"),
        **_equal(run),
        "cpu_time_s": _sum(threads, "cpu_time_s"), "voluntary_switches": _sum(threads, "voluntary_switches"),
        "involuntary_switches": _sum(threads, "involuntary_switches"), "migrations": _sum(threads, "migrations"),
        "run_delay_s": _sum(threads, "run_delay_s"), **{name: counted.get(name) for name in (*_COUNTED, "counted")},
        "joules": energy.get("joules"), "items_per_joule": energy.get("items_per_joule"), **_work(it),
        "bare_before_items_per_s": speed_check.get("before_items_per_s"),
        "bare_after_items_per_s": speed_check.get("after_items_per_s"),
        **{f"interference_{name}": granted.get(field) for name, field in _INTERFERENCE.items()},
        "cpu": at["cpu"], "cpus": at["cpus"], "cpu_set": run.run.get("isolation", {}).get("cpus"),
        "governor": at["governor"], "kernel": at["kernel"], "timer_hz": at["timer_hz"],
        "directory": run.path.name}
    bare = bare_items_per_s(row)
    row[OF_CEILING] = row["throughput_items_per_s"] / bare if bare and row["throughput_items_per_s"] else None
    return row


def bare_items_per_s(row: Row) -> float | None:
    """Return the rate of the bare kernel beside a run in items/s. The better of two rates counts because short
    interference hits only one. None with an interference load, which slows the kernel too.
    """
    if row.get("interference_loops"):
        return None
    return max((rate for rate in (row["bare_before_items_per_s"], row["bare_after_items_per_s"]) if rate), default=None)


def _equal(run: StoredRun) -> Row:
    """Return the settings that a comparison should hold equal, as granted, or as planned if nothing else is known."""
    plan, it = plan_of(run), run.results
    streams = plan.get("streams", ())
    granted = (it["granted"] or {}).get("buffers") or {}
    sizes = [granted.get(s["name"], s["planned_items"]) * ITEM_TYPES[s["item_type"]].size for s in streams]
    calls = [max(b["items_in"] or 0, b["items_out"] or 0) / b["calls"] for b in it["blocks"] if b["calls"]]
    return {"buffer_bytes": median(sizes), "chunk_items": median(b["chunk_items"] for b in plan.get("blocks", ())),
            "items_per_call": median(calls), "in_place": sum("over" in s for s in streams) if streams else None,
            "compiler": it["environment"]["compiler"], "flags": it["environment"]["flags"],
            "kernel_hash": (it["runtime"] or {}).get("kernel_object_hash"), "binary_hash": it["binary_hash"],
            "plan_hash": it["plan_hash"], "project_hash": it["project_hash"]}


def _work(it: Mapping) -> Row:
    """Return the items and time of calls, the fill of buffers, and the share of the hops' time spent waiting."""
    calls = [block["items_per_call"] for block in it["blocks"] if block["items_per_call"]]
    busy = [block["busy_ns"] for block in it["blocks"] if block["busy_ns"] is not None]
    hops = [(hop["count"] * hop["waiting"]["mean_ns"], hop["count"] * hop["work"]["mean_ns"])
            for hop in it.get("hops") or [] if None not in (hop["waiting"]["mean_ns"], hop["work"]["mean_ns"])]
    in_hops = sum(waiting + work for waiting, work in hops)
    return {**{f"items_per_call_{p}": median(call[p] for call in calls) for p in ("p5", "p50", "p95")},
            **{column: _sum([block for block in it["blocks"] if block["calls"] is not None], column)
               for column in ("calls", "unaligned_calls")},
            "busy_s": sum(busy) / 1e9 if busy else None,
            "waiting_share": sum(waiting for waiting, _ in hops) / in_hops if in_hops else None,
            "buffer_fill": median(edge["fill_mean"] for edge in it["edges"])}


def kinds(rows: Sequence[Row], columns: Sequence[str]) -> dict[str, str]:
    """Return column -> `text`, `integer`, `number` or `flag`; columns of axes by their values."""
    return {column: _KIND.get(column, "number") if column in COLUMNS else _of_values([row[column] for row in rows])
            for column in columns}


def _of_values(values: Sequence[Any]) -> str:
    found = {type(value) for value in values if value is not None}
    if found == {bool}:
        return "flag"
    if found == {int} and all(abs(value) < 2**63 for value in values if value is not None):
        return "integer"
    return "number" if found and found <= {int, float} else "text"


def _sum(threads: Sequence[Mapping], name: str) -> float | None:
    values: list[Any] = [thread.get(name) for thread in threads]
    return sum(values) if values and None not in values else None


def write(folder: Path, rows: Sequence[Row], columns: Sequence[str]) -> None:
    """Write the table as CSV, and as Parquet if possible. `columns`: those of the axes, which come first. Raises
    OSError.
    """
    text = io.StringIO()
    write_csv(text, rows, columns)
    write_whole(folder / TABLE, text.getvalue())
    every = list(dict.fromkeys([*columns, *COLUMNS]))
    of = kinds(rows, every)
    parquet.write(folder, {name: [_typed(row[name], of[name]) for row in rows] for name in every}, of)


def _typed(value: Any, kind: str) -> Any:
    return (_text(value) or None) if kind == "text" else value  # as in CSV, where an empty text is a missing value


def write_csv(file: TextIO, rows: Sequence[Row], columns: Sequence[str]) -> None:
    """Write the table as CSV."""
    table = csv.DictWriter(file, list(dict.fromkeys([*columns, *COLUMNS])), lineterminator="\n")
    table.writeheader()
    table.writerows({name: _text(value) for name, value in row.items()} for row in rows)


def _text(value: Any) -> Any:
    if value is None or isinstance(value, str):
        return value
    return json.dumps(value, ensure_ascii=False)  # true, not True; numbers to their last bit


def rows_of_folder(folder: Path) -> list[Row]:
    """Return the rows of the runs in any folder. The first columns are the coordinates that differ.

    Raises WeirError (E_RUN_NONE) if there is no run.
    """
    runs, _ = stored_runs(folder)
    if not runs:
        raise WeirError(diagnostic("E_RUN_NONE", "", f"{folder} contains no run directory"))
    points = by_point(runs, lambda run: run.results, lambda run: run.path)
    keys = varying(points)
    names = {key: column_of(name, bool(key[0])) for key, name in short_names(keys).items()}
    found = [(run, row_of(run, {names[key]: point.values.get(key) for key in keys},
                          {"round": run.results["coordinates"]["round"]}))
             for point, of in points.items() for run in of]
    return [row for _, row in sorted(found, key=lambda it: (str(it[0].run.get("started")), it[0].path.name))]


def load(folder: Path | str) -> pandas.DataFrame:
    """Load the table of a sweep, or of any folder of run directories: one row for each run. `docs/sweeps.md` lists the
    columns.

    Raises WeirError (E_RUN_NONE, E_FILE_MISSING) if there is no run.
    """
    import pandas

    folder = Path(folder)
    with trying(f"read {folder}"):
        if (folder / TABLE).is_file():
            types = _types([], COLUMNS)
            types |= {former: types[name] for former, name in _FORMER.items()}
            frame = pandas.read_csv(folder / TABLE, keep_default_na=False, na_values=[""], dtype=types,
                                    float_precision="round_trip")
            return frame.rename(columns=_FORMER)
        rows: Sequence[Row] = rows_of_folder(folder)
    return pandas.DataFrame(rows).astype(_types(rows, list(rows[0])))


def _types(rows: Sequence[Row], columns: Sequence[str]) -> dict[str, str]:
    return {column: _DTYPES[kind] for column, kind in kinds(rows, columns).items()}


