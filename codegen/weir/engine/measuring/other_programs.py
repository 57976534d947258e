"""Import a run of a program that Weir did not generate, as a normal run directory (docs/tracepoints.md).

The program leaves a report of its run (`reported.schema.json`) and an LTTng trace of the same events as Weir's
programs. The project says which sources and sinks form pairs, how far apart boundaries are and how many items must
arrive. The analysis is the same as for Weir's own runs. Values that were not measured stay null.
"""

from __future__ import annotations

import copy
import hashlib
import os
import re
import shutil
import stat
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from functools import partial
from pathlib import Path
from typing import Any

from weir import __version__
from weir.diagnostics import Diagnostic, WeirError, diagnostic, did_you_mean, os_error, pointer, trying
from weir.engine.measuring import results as res
from weir.engine.measuring.adopting import Place, iso, utc
from weir.engine.measuring.coordinates import Requested
from weir.engine.measuring.latency import ALWAYS, Window, write_curves
from weir.engine.measuring.recording import add_trace
from weir.engine.measuring.run_directory import TRACE, RunDirectory
from weir.engine.measuring.tables import write_tables
from weir.engine.measuring.trace import read_trace
from weir.engine.results_model import Kind, blank, fill_in
from weir.model.document.shape import check_shape
from weir.model.flowgraph.graph import Graph
from weir.model.planning.machine import Machine
from weir.sure import sure

#: Exit code for every fault of a run, even if its diagnostic has another one elsewhere.
_WRONG = 4
#: Fields that come from the project if the program does not report them: requested values, not measured ones.
_REQUESTED = ("items", "seed")
#: Fields whose meaning in reported.schema.json differs from that in results.json.
_ITS_OWN = ("numbers", "started", "command", "parameters", "trace", "runtime", *_REQUESTED, "warmup_items")


@dataclass(frozen=True)
class ReportedProject:
    """The project of a run. `document` includes `--set`; `settings` are the set values by JSON pointer.

    `expected` returns the items that must arrive at each sink for a number of items. `machine` is None if unknown.
    `runtime_parameters` are in effect unless the program reports others.
    """

    file: Path
    document: Mapping
    plan: Mapping
    parameters: Mapping[str, Any]
    runtime_parameters: Mapping[str, Any]
    settings: Mapping[str, Any]
    expected: Callable[[int], Mapping[str, int | None]]
    machine: Machine | None = None

    @property
    def instances(self) -> dict[str, int]:
        """Return index in the plan by instance."""
        return {block["instance"]: block["index"] for block in self.plan["blocks"]}

    @property
    def granularity(self) -> int:
        """Return the number of items between two events."""
        return self.plan["trace"]["probe_granularity"]["planned"]


def runtime_parameters(plan: Mapping, graph: Graph) -> dict[str, Any]:
    """Return block.parameter -> value for the parameters that a program can change at run time."""
    types = {instance.block_id: instance.type for instance in graph.instances}
    return {f"{block['block']}.{name}": value for block in plan["blocks"] for name, value in block["parameters"].items()
            if not sure(types[block["block"]].parameter(name)).structural}


def find_trace(source: Path, named: Path | None) -> Path | None:
    """Return the folder of the trace for the run in `source`: `named`, or the one found there; None if there is none.

    Raises WeirError if `named` has no trace, several folders have one, or a folder has a link, pipe or device.
    """
    if named is not None:
        found = [named] if _has_trace(named) else []
        if not found:
            raise WeirError(diagnostic("E_TRACE_MISSING", "", f"{named} contains no LTTng trace: it has no file "
                                       "`metadata`", "give the DIR of `lttng create S --output=DIR`"))
    else:
        with trying(f"read {source}"):
            folders = [path for path in sorted(source.iterdir()) if path.is_dir() and not path.is_symlink()]
        found = [path for path in folders if _has_trace(path)]
    if len(found) > 1:
        raise WeirError(diagnostic("E_USAGE", "", f"{source}: several folders have a trace: "
                                   f"{', '.join(path.name for path in found)}", "choose one with --trace DIR"))
    return found[0] if found else None


def _has_trace(folder: Path) -> bool:
    """Return whether a folder has a trace. Raises WeirError for links or pipes, which may lead anywhere or block."""
    entries = list(_below(folder))
    if not any(path.name == "metadata" for path in entries):
        return False
    for path in entries:
        mode = path.lstat().st_mode
        if not (stat.S_ISREG(mode) or stat.S_ISDIR(mode)):
            raise WeirError(diagnostic("E_TRACE_UNREADABLE", "", f"{path} is neither a file nor a folder",
                                       "copy the trace as it was written"))
    return True


def _below(folder: Path) -> Iterator[Path]:
    """Yield everything below a folder, without following links."""
    for place, folders, files in os.walk(folder):
        yield from (Path(place) / name for name in sorted((*folders, *files)))


def check_reported(reported: Mapping, project: ReportedProject, has_trace: bool, source: Path) -> dict:
    """Return the results from a program's report, before the trace. Raises WeirError with all faults."""
    faults = check_shape(dict(reported), "reported")
    results: dict = {}
    if not faults:
        faults = list(_faults(reported, project, has_trace))
    if not faults:
        results = _results(reported, project, has_trace)
        faults = check_shape(results, "results")
    if faults:
        raise WeirError(faults, _WRONG, str(source / "results.json"))
    return results


def _faults(reported: Mapping, project: ReportedProject, has_trace: bool) -> Iterator[Diagnostic]:
    """Yield faults that the schema cannot find: names and numbers that do not match the project."""
    yield from _wrong_names(reported, project)
    yield from _wrong_numbers(reported.get("numbers"), project)
    window = reported.get("window")
    if window and window["end_ns"] < window["begin_ns"]:
        yield diagnostic("E_VALUE_RANGE", "/window/end_ns", "the window ends before it begins")
    if not has_trace:
        if (reported.get("trace") or {}).get("events"):
            yield diagnostic("E_TRACE_MISSING", "/trace/events", "the program wrote events, but no folder beside its "
                             "results.json has a trace", "give the trace's folder with --trace DIR")
        return
    granularity = (reported.get("trace") or {}).get("probe_granularity")
    if granularity is None:
        yield diagnostic("E_KEY_MISSING", "/trace", "the key `probe_granularity` is missing, which a trace needs",
                         f"the project has {project.granularity}")
    elif granularity != project.granularity:
        yield diagnostic("E_VALUE_RANGE", "/trace/probe_granularity", f"the program's events are {granularity} items "
                         f"apart, but those of the project {project.granularity}",
                         f"import the run with --set /run/trace/probe_granularity={granularity}")


def _wrong_names(reported: Mapping, project: ReportedProject) -> Iterator[Diagnostic]:
    instances, known = project.instances, {*project.parameters, *project.runtime_parameters}
    sinks = {block["instance"] for block in project.plan["blocks"] if not block["out_rates"]}

    def unknown(name: Any, choices: set[str], what: str, *place: str | int) -> Iterator[Diagnostic]:
        if isinstance(name, str) and name not in choices:
            yield diagnostic("E_VALUE_CHOICE", pointer(*place), f"the project has no {what} `{name}`",
                             did_you_mean(name, choices))

    for at, sink in enumerate(reported["sinks"]):
        yield from unknown(sink["id"], sinks, "sink", "sinks", at, "id")
    stated = [sink["id"] for sink in reported["sinks"]]
    for name in sorted({name for name in stated if stated.count(name) > 1}):
        yield diagnostic("E_VALUE_CHOICE", "/sinks", f"the sink `{name}` has several entries",
                         "give each sink one entry")
    for name in sorted(sinks - set(stated)):
        yield diagnostic("E_KEY_MISSING", "/sinks", f"the project's sink `{name}` has no entry",
                         "give each sink an entry with the number of items that it received")
    for key, names in (("blocks", ("id",)), ("edges", ("from", "to"))):
        entries = reported.get(key)
        for at, entry in enumerate(entries if isinstance(entries, list) else ()):
            for name in names if isinstance(entry, Mapping) else ():
                instance = entry.get(name)
                port = key == "edges" and isinstance(instance, str)
                yield from unknown(instance.rpartition(".")[0] if port else instance, set(instances), "block",
                                   key, at, name)
    for name in reported.get("parameters", {}):
        if name not in known:
            yield diagnostic("E_PARAMETER_UNKNOWN", pointer("parameters", name),
                             f"the project has no run-time parameter `{name}`", did_you_mean(name, known))


def _wrong_numbers(numbers: Mapping[str, int] | None, project: ReportedProject) -> Iterator[Diagnostic]:
    if numbers is None:
        return
    instances = project.instances
    for name in numbers:
        if name not in instances:
            yield diagnostic("E_VALUE_CHOICE", pointer("numbers", name), f"the project has no block `{name}`",
                             did_you_mean(name, instances))
    for name, number in numbers.items():
        if list(numbers.values()).count(number) > 1:
            yield diagnostic("E_VALUE_RANGE", pointer("numbers", name), f"another block has the number {number} too")
    ends = [pair[end] for pair in project.plan["pairs"] for end in ("source", "sink")]
    ends += [hop[end] for hop in project.plan["hops"] for end in ("from", "to")]
    for name in dict.fromkeys(ends):
        if name not in numbers:
            yield diagnostic("E_KEY_MISSING", "/numbers", f"`{name}` has events, but no number")


def _results(reported: Mapping, project: ReportedProject, has_trace: bool) -> dict:
    """Return all fields of results.json: from the program's report, else from the project, else null."""
    plan, run, window = project.plan, project.plan["run"], reported.get("window")
    results = copy.deepcopy({name: value for name, value in reported.items() if name not in _ITS_OWN})
    fill_in(results, every=True)
    results.update({name: reported.get(name, run[name]) for name in _REQUESTED})
    results.update({
        "schema_version": 1, "weir_version": __version__, "run_id": "-", "repetition": 0,
        **{name: plan[name] for name in ("project_hash", "plan_hash", "project")},
        # No deployment of the project ran: the name that readers see is the runtime's.
        "deployment": reported["runtime"]["target"],
        "status": reported.get("status", "ok"), "metrics": reported.get("metrics", "none"),
        "warmup_items": reported.get("warmup_items", run["warmup_items"] if window else 0),
        "parameters": {**project.parameters, **project.runtime_parameters, **reported.get("parameters", {})},
        "runtime": {**blank(Kind("", "runtime")), **reported["runtime"]}})
    if window and results["window_s"] is None:
        results["window_s"] = (window["end_ns"] - window["begin_ns"]) * 1e-9
    results["trace"].update({**reported.get("trace", {}), "backend": "lttng" if has_trace else "off"})
    expected = project.expected(results["items"])
    for sink in results["sinks"]:
        sink["expected"] = sink["expected"] if expected.get(sink["id"]) is None else expected[sink["id"]]
    return results


def adopt_reported(source: Path, reported: Mapping, project: ReportedProject, trace: Path | None, keep_trace: bool,
                   out: Path, place: Place) -> tuple[Path, dict]:
    """Create the run directory in `out` for a run in `source`, which stays unchanged; return it and its results.

    `trace` is the result of `find_trace`. The run keeps a copy of it with `keep_trace`, or if the run is invalid.
    Raises WeirError if the report does not match the project, and then leaves nothing in `out`.
    """
    results = check_reported(reported, project, trace is not None, source)
    with trying(f"read {source}"):
        ended = (source / "results.json").stat().st_mtime
        mark = _fingerprint(source, trace)
    started = _started(reported, ended)
    plan = project.plan
    there = next(out.glob(f"[0-9]*Z-{plan['project']}-*-{mark}"), None)
    if there is not None:
        raise WeirError(diagnostic("E_OUTPUT_EXISTS", "", f"{there} exists: this run was imported before",
                                   "choose another folder with --out, or remove that run"))
    runtime = re.sub(r"[^\w.-]+", "_", results["deployment"])
    run_id = f"{started:%Y%m%dT%H%M%SZ}-{plan['project']}-{runtime}-{mark}"
    with RunDirectory(out, run_id) as directory:
        try:
            directory.write("project.json", project.document)
            directory.write("plan.json", plan)
            if project.machine is not None:
                directory.write("machine.json", project.machine.as_json())
            results.update({"run_id": run_id, "repetition": place.round})
            _judge(results, reported, project, trace, directory.path)
            changed = {name: value for name, value in reported.get("parameters", {}).items()
                       if project.runtime_parameters.get(name) != value and name in project.runtime_parameters}
            requested = Requested(results["runtime"]["target"], place.round, results["items"], results["seed"],
                          results["trace"]["backend"], place.set_id, project.parameters,
                          {**project.settings, **changed})
            res.add_coordinates(results, plan, requested, None)
            res.check_written(results, "results")
            write_tables(directory.path, results)
            directory.write("results.json", results)
            directory.write("run.json", _run_json(results, reported, project, source, trace, keep_trace,
                                                  (started, utc(ended)), place))
            if trace is not None and (keep_trace or results["status"] == "invalid"):
                shutil.copytree(trace, directory.path / TRACE, symlinks=True)
            return directory.complete(), results
        except (OSError, shutil.Error) as error:
            raise WeirError(os_error(error, f"import {source} into {out}")) from None


def _judge(results: dict, reported: Mapping, project: ReportedProject, trace: Path | None, folder: Path) -> None:
    """Add the reasons against the run, and its latency."""
    runtime = results["runtime"]
    res.add_reason(results, "N_ADOPTED", "Weir did not generate the program: "
                   f"{' '.join(filter(None, (runtime['target'], runtime['version'])))}, {results['scheduler']}")
    wrong = [f"{sink['id']} got {sink['items']} items of {sink['expected']}" for sink in results["sinks"]
             if sink["expected"] is not None and sink["items"] != sink["expected"]]
    if wrong and results["status"] in ("ok", "invalid"):
        res.add_reason(results, "E_COUNT", "; ".join(wrong[:4]))
    if res.has_short_window(results):
        res.add_reason(results, "N_SHORT_WINDOW", f"the window is only {results['window_s']:.3f} s long, so rates "
                                                  "over it are uncertain")
    pairs = []
    if trace is not None:
        window = Window.of(results)
        if window is None:
            res.add_reason(results, "N_WHOLE_RUN", "the program reported no window: the latency covers the whole run")
        numbers = reported.get("numbers")
        if numbers is not None:
            instances = project.instances
            numbers = {number: instances[name] for name, number in numbers.items()}
        pairs = add_trace(results, project.plan, partial(read_trace, trace),
                          res.expected_boundaries(project.plan, results), window or ALWAYS, numbers)
    write_curves(folder, pairs)


def _fingerprint(source: Path, trace: Path | None) -> str:
    """Return 6 hex digits from the results and the trace. A copy of the run elsewhere gives the same digits."""
    whole = hashlib.sha256((source / "results.json").read_bytes())
    for path in sorted(_below(trace)) if trace is not None else ():
        if path.is_file():
            whole.update(f"\n{path.relative_to(sure(trace))} {path.stat().st_size}\n".encode())
            if path.name == "metadata":  # contains the trace's unique id
                whole.update(path.read_bytes())
    return whole.hexdigest()[:6]


def _started(reported: Mapping, ended: float) -> datetime:
    try:
        return datetime.fromisoformat(reported["started"].replace("Z", "+00:00")).astimezone(UTC)
    except (KeyError, ValueError, OverflowError):
        return utc(ended)


def _run_json(results: Mapping, reported: Mapping, project: ReportedProject, source: Path, trace: Path | None,
              keep_trace: bool, times: tuple[datetime, datetime], place: Place) -> dict:
    """Return run.json; fields that only the runner can fill in stay empty."""
    numbers = reported.get("numbers")
    value = {"schema_version": 1, "run_id": results["run_id"], "weir_version": __version__,
             "command": reported.get("command", ""), "argv": [], "exit_code": None,
             "request": {"folder": str(project.file.parent), "items": reported.get("items") or None,
                         "trace": results["trace"]["backend"], "params": [], "keep_trace": keep_trace,
                         "catalog_paths": {}},
             "started": iso(times[0]), "finished": iso(max(times)), "round": place.round,
             "set": {"id": place.set_id, "seed": 0, "rounds": place.rounds, "size": 1, "position": 0},
             "host": {}, "environment": {}, "versions": {}, "sources": {},
             "adopted": {"from": str(source), "project": str(project.file), "at": iso(datetime.now(UTC)),
                         "trace": None if trace is None else str(trace.absolute()),
                         **({"numbers": dict(numbers)} if numbers is not None else {})}}
    res.check_written(value, "run")
    return value
