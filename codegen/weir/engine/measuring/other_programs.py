"""A run of a program that Weir did not generate, as a run directory like any other: docs/tracepoints.md.

The program leaves what it says of its run (`reported.schema.json`), and an LTTng trace of the events that our own
programs write. The project says which ends belong together, how far apart boundaries lie and what has to arrive; from
there on it is analysed as our own runs are. What nobody measured stays null.
"""

from __future__ import annotations

import copy
import hashlib
import os
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
from weir.engine.measuring.coordinates import Asked
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

#: Exit code of what is wrong with a run, whatever the kind of the diagnostic is elsewhere.
_WRONG = 4
#: Of the project where the program says nothing else: what it was asked, and not what it measured.
_ASKED = ("items", "seed")
#: What the schema of its own has a meaning for; everything else has that of results.json.
_ITS_OWN = ("numbers", "started", "command", "parameters", "trace", "runtime", *_ASKED, "warmup_items")


@dataclass(frozen=True)
class Subject:
    """The project that a run is of. `document`: with its `--set`; `settings`: these, by their place.

    `expected`: of the items asked, those that have to come to each sink. `machine`: the plan was made for it, None
    where nobody said what the program ran on. `runtime_parameters` are in effect unless the program says otherwise.
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
        """Index in the plan by name."""
        return {block["instance"]: block["index"] for block in self.plan["blocks"]}

    @property
    def granularity(self) -> int:
        """Items between two events."""
        return self.plan["trace"]["probe_granularity"]["planned"]


def runtime_parameters(plan: Mapping, graph: Graph) -> dict[str, Any]:
    """block.parameter -> value of what a built program can change, as such a program has it in its results."""
    types = {instance.block_id: instance.type for instance in graph.instances}
    return {f"{block['block']}.{name}": value for block in plan["blocks"] for name, value in block["parameters"].items()
            if not sure(types[block["block"]].parameter(name)).structural}


def find_trace(source: Path, named: Path | None) -> Path | None:
    """The folder of the trace of the run in `source`: `named`, or what lies there; None where nothing does.

    WeirError where `named` has none, where there are several, and where one is not made of files and folders alone.
    """
    if named is not None:
        found = [named] if _has_trace(named) else []
        if not found:
            raise WeirError(diagnostic("E_TRACE_MISSING", "", f"{named}: no LTTng trace lies there, which would have a "
                                       "file `metadata`", "`lttng create S --output=DIR` says where one is written"))
    else:
        with trying(f"read {source}"):
            folders = [path for path in sorted(source.iterdir()) if path.is_dir() and not path.is_symlink()]
        found = [path for path in folders if _has_trace(path)]
    if len(found) > 1:
        raise WeirError(diagnostic("E_USAGE", "", f"{source}: several folders have a trace: "
                                   f"{', '.join(path.name for path in found)}", "--trace DIR names one"))
    return found[0] if found else None


def _has_trace(folder: Path) -> bool:
    """WeirError for one with links or pipes in it: those are read, and copied, from anywhere, or waited for."""
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
    """Everything below a folder, no link followed."""
    for place, folders, files in os.walk(folder):
        yield from (Path(place) / name for name in sorted((*folders, *files)))


def check_reported(reported: Mapping, subject: Subject, has_trace: bool, source: Path) -> dict:
    """The results that a program's file comes to, before its trace is looked at. WeirError with all that is wrong."""
    faults = check_shape(dict(reported), "reported")
    results: dict = {}
    if not faults:
        faults = list(_faults(reported, subject, has_trace))
    if not faults:
        results = _results(reported, subject, has_trace)
        faults = check_shape(results, "results")
    if faults:
        raise WeirError(faults, _WRONG, str(source / "results.json"))
    return results


def _faults(reported: Mapping, subject: Subject, has_trace: bool) -> Iterator[Diagnostic]:
    """What the schema cannot know: names and numbers that are not those of the project."""
    yield from _wrong_names(reported, subject)
    yield from _wrong_numbers(reported.get("numbers"), subject)
    window = reported.get("window")
    if window and window["end_ns"] < window["begin_ns"]:
        yield diagnostic("E_VALUE_RANGE", "/window/end_ns", "the window ends before it begins")
    if not has_trace:
        if (reported.get("trace") or {}).get("events"):
            yield diagnostic("E_TRACE_MISSING", "/trace/events", "the program wrote events, and no folder beside its "
                             "results.json has a trace", "--trace DIR says where it is")
        return
    told = (reported.get("trace") or {}).get("probe_granularity")
    if told is None:
        yield diagnostic("E_KEY_MISSING", "/trace", "the key `probe_granularity` is missing, which a trace needs",
                         f"the project's is {subject.granularity}")
    elif told != subject.granularity:
        yield diagnostic("E_VALUE_RANGE", "/trace/probe_granularity", f"the program's events are {told} items apart, "
                         f"those of the project {subject.granularity}",
                         f"--set /run/trace/probe_granularity={told} adopts it so")


def _wrong_names(reported: Mapping, subject: Subject) -> Iterator[Diagnostic]:
    instances, known = subject.instances, {*subject.parameters, *subject.runtime_parameters}
    sinks = {block["instance"] for block in subject.plan["blocks"] if not block["out_rates"]}

    def unknown(name: Any, choices: set[str], what: str, *place: str | int) -> Iterator[Diagnostic]:
        if isinstance(name, str) and name not in choices:
            yield diagnostic("E_VALUE_CHOICE", pointer(*place), f"the project has no {what} `{name}`",
                             did_you_mean(name, choices))

    for at, sink in enumerate(reported["sinks"]):
        yield from unknown(sink["id"], sinks, "sink", "sinks", at, "id")
    told = [sink["id"] for sink in reported["sinks"]]
    for name in sorted({name for name in told if told.count(name) > 1}):
        yield diagnostic("E_VALUE_CHOICE", "/sinks", f"the sink `{name}` is there twice", "one entry a sink")
    for name in sorted(sinks - set(told)):
        yield diagnostic("E_KEY_MISSING", "/sinks", f"the project's sink `{name}` is not there",
                         "every sink has an entry with the items that came to it")
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


def _wrong_numbers(numbers: Mapping[str, int] | None, subject: Subject) -> Iterator[Diagnostic]:
    if numbers is None:
        return
    instances = subject.instances
    for name in numbers:
        if name not in instances:
            yield diagnostic("E_VALUE_CHOICE", pointer("numbers", name), f"the project has no block `{name}`",
                             did_you_mean(name, instances))
    for name, number in numbers.items():
        if list(numbers.values()).count(number) > 1:
            yield diagnostic("E_VALUE_RANGE", pointer("numbers", name), f"another block has the number {number}, too")
    ends = [pair[end] for pair in subject.plan["pairs"] for end in ("source", "sink")]
    ends += [hop[end] for hop in subject.plan["hops"] for end in ("from", "to")]
    for name in dict.fromkeys(ends):
        if name not in numbers:
            yield diagnostic("E_KEY_MISSING", "/numbers", f"`{name}` has events and no number")


def _results(reported: Mapping, subject: Subject, has_trace: bool) -> dict:
    """All of results.json: what the program says, what the project asks, and null."""
    plan, run, window = subject.plan, subject.plan["run"], reported.get("window")
    results = copy.deepcopy({name: value for name, value in reported.items() if name not in _ITS_OWN})
    fill_in(results, every=True)
    results.update({name: reported.get(name, run[name]) for name in _ASKED})
    results.update({
        "schema_version": 1, "weir_version": __version__, "run_id": "-", "repetition": 0,
        **{name: plan[name] for name in ("project_hash", "plan_hash", "project", "deployment")},
        "status": reported.get("status", "ok"), "metrics": reported.get("metrics", "none"),
        "warmup_items": reported.get("warmup_items", run["warmup_items"] if window else 0),
        "parameters": {**subject.parameters, **subject.runtime_parameters, **reported.get("parameters", {})},
        "runtime": {**blank(Kind("", "runtime")), **reported["runtime"]}})
    if window and results["window_s"] is None:
        results["window_s"] = (window["end_ns"] - window["begin_ns"]) * 1e-9
    results["trace"].update({**reported.get("trace", {}), "backend": "lttng" if has_trace else "off"})
    expected = subject.expected(results["items"])
    for sink in results["sinks"]:
        sink["expected"] = sink["expected"] if expected.get(sink["id"]) is None else expected[sink["id"]]
    return results


def adopt_reported(source: Path, reported: Mapping, subject: Subject, trace: Path | None, keep_trace: bool, out: Path,
                   place: Place) -> tuple[Path, dict]:
    """The run directory made in `out` of what lies in `source`, which stays as it is, and its results.

    `trace`: what `find_trace` found; a copy of it stays with `keep_trace`, and where the run is invalid. WeirError
    where something does not fit; then nothing is left in `out`.
    """
    results = check_reported(reported, subject, trace is not None, source)
    with trying(f"read {source}"):
        ended = (source / "results.json").stat().st_mtime
        mark = _fingerprint(source, trace)
    started = _started(reported, ended)
    plan = subject.plan
    name = f"{plan['project']}-{plan['deployment']}-{mark}"
    there = next(out.glob(f"[0-9]*Z-{name}"), None)
    if there is not None:
        raise WeirError(diagnostic("E_OUTPUT_EXISTS", "", f"{there} is there: this run was adopted before",
                                   "name another folder with --out, or remove that run"))
    run_id = f"{started:%Y%m%dT%H%M%SZ}-{name}"
    with RunDirectory(out, run_id) as directory:
        try:
            directory.write("project.json", subject.document)
            directory.write("plan.json", plan)
            if subject.machine is not None:
                directory.write("machine.json", subject.machine.as_json())
            results.update({"run_id": run_id, "repetition": place.round})
            _judge(results, reported, subject, trace, directory.path)
            changed = {name: value for name, value in reported.get("parameters", {}).items()
                       if subject.runtime_parameters.get(name) != value and name in subject.runtime_parameters}
            asked = Asked(results["runtime"]["target"], place.round, results["items"], results["seed"],
                          results["trace"]["backend"], place.set_id, subject.parameters,
                          {**subject.settings, **changed})
            res.add_coordinates(results, plan, asked, None)
            res.check_written(results, "results")
            write_tables(directory.path, results)
            directory.write("results.json", results)
            directory.write("run.json", _run_json(results, reported, subject, source, trace, keep_trace,
                                                  (started, utc(ended)), place))
            if trace is not None and (keep_trace or results["status"] == "invalid"):
                shutil.copytree(trace, directory.path / TRACE, symlinks=True)
            return directory.complete(), results
        except (OSError, shutil.Error) as error:
            raise WeirError(os_error(error, f"adopt {source} into {out}")) from None


def _judge(results: dict, reported: Mapping, subject: Subject, trace: Path | None, folder: Path) -> None:
    """Puts in what speaks against the run, and its latency."""
    runtime = results["runtime"]
    res.add_reason(results, "N_ADOPTED", "Weir did not generate the program: "
                   f"{' '.join(filter(None, (runtime['target'], runtime['version'])))}, {results['scheduler']}")
    wrong = [f"{sink['id']} got {sink['items']} items of {sink['expected']}" for sink in results["sinks"]
             if sink["expected"] is not None and sink["items"] != sink["expected"]]
    if wrong and results["status"] in ("ok", "invalid"):
        res.add_reason(results, "E_COUNT", "; ".join(wrong[:4]))
    if res.has_short_window(results):
        res.add_reason(results, "N_SHORT_WINDOW", f"the window is {results['window_s']:.3f} s long, and rates over it "
                                                  "are uncertain")
    pairs = []
    if trace is not None:
        window = Window.of(results)
        if window is None:
            res.add_reason(results, "N_WHOLE_RUN", "the program told no window: the latency is of all of its run")
        numbers = reported.get("numbers")
        if numbers is not None:
            instances = subject.instances
            numbers = {number: instances[name] for name, number in numbers.items()}
        pairs = add_trace(results, subject.plan, partial(read_trace, trace),
                          res.expected_boundaries(subject.plan, results), window or ALWAYS, numbers)
    write_curves(folder, pairs)


def _fingerprint(source: Path, trace: Path | None) -> str:
    """6 digits that the same run has again, wherever it was copied: of its results, and of what tells traces apart."""
    whole = hashlib.sha256((source / "results.json").read_bytes())
    for path in sorted(_below(trace)) if trace is not None else ():
        if path.is_file():
            whole.update(f"\n{path.relative_to(sure(trace))} {path.stat().st_size}\n".encode())
            if path.name == "metadata":  # has the trace's own id
                whole.update(path.read_bytes())
    return whole.hexdigest()[:6]


def _started(reported: Mapping, ended: float) -> datetime:
    try:
        return datetime.fromisoformat(reported["started"].replace("Z", "+00:00")).astimezone(UTC)
    except (KeyError, ValueError, OverflowError):
        return utc(ended)


def _run_json(results: Mapping, reported: Mapping, subject: Subject, source: Path, trace: Path | None, keep_trace: bool,
              times: tuple[datetime, datetime], place: Place) -> dict:
    """What only the runner could have seen stays empty."""
    numbers = reported.get("numbers")
    value = {"schema_version": 1, "run_id": results["run_id"], "weir_version": __version__,
             "command": reported.get("command", ""), "argv": [], "exit_code": None,
             "request": {"folder": str(subject.file.parent), "items": reported.get("items") or None,
                         "trace": results["trace"]["backend"], "params": [], "keep_trace": keep_trace,
                         "catalog_paths": {}},
             "started": iso(times[0]), "finished": iso(max(times)), "round": place.round,
             "set": {"id": place.set_id, "seed": 0, "rounds": place.rounds, "size": 1, "position": 0},
             "host": {}, "environment": {}, "versions": {}, "sources": {},
             "adopted": {"from": str(source), "project": str(subject.file), "at": iso(datetime.now(UTC)),
                         "trace": None if trace is None else str(trace.absolute()),
                         **({"numbers": dict(numbers)} if numbers is not None else {})}}
    res.check_written(value, "run")
    return value
