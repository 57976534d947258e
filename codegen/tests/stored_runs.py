"""Run directories for tests of their readers: written by the code that writes real ones, with chosen numbers."""

from __future__ import annotations

import functools
import json
import zlib
from pathlib import Path

import numpy as np
from weir.engine.measuring import results as res
from weir.engine.measuring.coordinates import Requested, settings_of
from weir.engine.measuring.latency import PairSamples, pool, write_hgrm
from weir.engine.measuring.run_directory import RunDirectory
from weir.engine.measuring.tables import write_table
from weir.engine.results_model import Kind, blank
from weir.model.check import check
from weir.model.document import jsontext
from weir.model.planning.machine import read_machine
from weir.model.planning.plan import make_plan

TESTS = Path(__file__).parent
EXAMPLES = TESTS.parents[1] / "examples"


@functools.cache
def planned(project: Path | str, deployment: str | None = None, machine: Path | None = None, sets: tuple = ()):
    """Return (checked, plan as JSON, machine) of a project for a committed machine."""
    checked = check(project, sets=dict(sets))
    assert checked.graph is not None, checked.diagnostics
    chosen = read_machine(machine or sorted((TESTS / "machines").glob("*.json"))[0])
    plan = make_plan(checked.project, checked.graph, checked.catalog, chosen,
                     checked.project.deployment(deployment)).plan
    return checked, plan.as_json(), chosen


def store(out: Path, *, project: Path | str = EXAMPLES / "quickstart.weir.json", deployment: str | None = None,
          status: str = "ok", throughput: float = 1e9, repetition: int = 0, latencies=None, seed: int = 0,
          reason: str = "", paced: bool = True, minute: int = 4, changes: dict | None = None,
          files: dict[str, bytes] | None = None, sets: dict[str, str] | None = None) -> Path:
    """Store one run directory. `latencies` in ns; by default log-normal around 50 µs.

    `seed` is also the id of the set; `minute`: begin of the run; `changes`: other values of its results; `files`: other
    files of the run, such as a trace; `sets`: settings of the command line.
    """
    checked, plan, machine = planned(project, deployment, None, tuple((sets or {}).items()))
    of_folder = (zlib.crc32(out.name.encode()) + seed) % 2**24  # equal runs in two folders are two runs
    run_id = f"20260102T03{minute:02d}{repetition:02d}Z-{plan['project']}-{plan['deployment']}-{of_folder:06x}"
    environment = {"kernel": "Linux 6.1", "cpu": "A <CPU> & more", "cpus": 4, "governor": None, "turbo": True,
                   "smt": False,
                   "isolated_cpus": "", "mitigations": {"spectre_v2": "Mitigation: x"}, "clock_source": "tsc",
                   "compiler": "g++ 12", "flags": "-O3", "flush_to_zero": False, "volk_machine": None,
                   "git_revision": None, "load": [0.5, 0.4, 0.3], "runnable": 0, "steal": 0.0,
                   "other_programs": 0.01}
    results = res.without_results(plan, run_id, repetition, "memory", environment)
    random = np.random.default_rng(seed)
    if latencies is None:
        latencies = random.lognormal(np.log(5e4), 0.6, 2000).astype(np.int64)
    latencies = np.asarray(latencies, np.int64)
    count = len(latencies)
    pair = PairSamples("source", "sink", None, np.arange(1, count + 1, dtype=np.uint64), np.zeros(count, np.int64),
                       latencies, 0)
    results.update({
        "elapsed_s": 1.0, "window_s": 0.9, "offered_items_per_s": throughput if paced else None,
        "throughput_items_per_s": throughput,
        "load": {"offered_items_per_s": throughput if paced else None,
                 "delivered_items_per_s": throughput if paced else None, "kept_up": True if paced else None},
        "requested": res.requested(plan, checked.project.document), "binary_hash": "0" * 64,
        "sinks": [{"id": "sink", "items": 1000, "expected": 1000, "digest": "0123456789abcdef"}],
        "blocks": [{"id": b["instance"], "worker": b["worker"], "calls": 10, "unaligned_calls": 4,
                    "items_in": 1000, "items_out": 1000, "busy_ns": None,
                    "items_per_call": {"p5": 1.0, "p50": 100.0, "p95": 512.0,
                                       "distribution": [[1, 1], [96, 8], [512, 1]]}} for b in plan["blocks"]],
        "threads": [{**blank(Kind("", "thread")), "name": w["name"], "tid": 1, "cpu": 0, "policy": "other",
                     "priority": 0, "cpu_time_s": 0.5, "voluntary_switches": 1, "involuntary_switches": 2,
                     "run_delay_s": 0.0} for w in plan["workers"]],
    })
    results["granted"]["affinity"] = {w["name"]: w["cpus"]["planned"] for w in plan["workers"]}
    results["granted"]["buffers"] = res.planned_buffers(plan)
    res.add_latency(results, [pair])
    if status != "ok":
        results["status"] = status
        results["reasons"].append({"code": "E_TEST", "message": reason or f"made {status}"})
    document, parameters = checked.project.document, dict(checked.project.parameters)
    results["parameters"] = parameters
    results.update(changes or {})
    asked = Requested(plan["target"], repetition, results["items"], results["seed"], results["trace"]["backend"],
                  f"{seed:016x}", parameters, settings_of(sets or (), document, parameters))
    res.add_coordinates(results, plan, asked, plan["weir_version"])
    res.check_written(results, "results")
    run = {"schema_version": 1, "run_id": run_id, "weir_version": plan["weir_version"],
           "command": f"weir run quickstart.weir.json --deployment {plan['deployment']}", "argv": ["app"],
           "request": {"folder": str(EXAMPLES), "items": None, "trace": None, "params": [], "keep_trace": False,
                       "catalog_paths": {}},
           "exit_code": 0,
           "started": f"2026-01-02T03:{minute:02d}:{repetition:02d}.000Z",
           "finished": f"2026-01-02T03:{minute + 1:02d}:{repetition:02d}.000Z",
           "round": repetition, "sources": {},
           "set": {"id": f"{seed:016x}", "seed": 1, "rounds": repetition + 1, "size": 1, "position": 0},
           "host": {"name": "bench"}, "environment": {}, "versions": {"lttng": None}}
    res.check_written(run, "run")
    with RunDirectory(out, run_id) as directory:
        directory.write("project.json", checked.project.document)
        directory.write("plan.json", plan)
        directory.write("machine.json", machine.as_json())
        directory.write("results.json", results)
        directory.write("run.json", run)
        write_hgrm(directory.path / "latency.hgrm", pool([pair])[0])
        write_table(directory.path / "blocks.csv", "block", results["blocks"])
        for name, data in (files or {}).items():
            (directory.path / name).parent.mkdir(parents=True, exist_ok=True)
            (directory.path / name).write_bytes(data)
        return directory.complete()


#: Of two threads that shared the CPU's counters in turn, on a machine without one of the events.
COUNTED = {"cycles": 3_000_000_000, "instructions": 1_500_000_000, "cache_references": 7000, "cache_misses": 500,
           "l1d_load_misses": None, "branch_misses": 20, "page_faults": 3, "counted": 0.5, "user_only": True}
ENERGY = {"interval_s": 2.0, "joules": 30.0, "items_per_joule": 1e8, "why_not": None,
          "zones": [{"name": "package-0", "joules": 30.0}, {"name": "package-0/dram", "joules": 4.0},
                    {"name": "broken/energy1", "joules": None}]}
#: Of three late items, all held up by other processes.
CAUSES = {"status": "ok", "reason": None, "events": 900, "lost_events": 0, "late_items": 3, "named": 3,
          "by_kind": {"preempted": 2, "timer": 1}, "items": [
              {"source": "source", "sink": "sink", "index": index, "latency_ns": 9_000_000 - index, "cause": {
                  "kind": kind, "by": by, "worker": "w0", "block": "sink", "ns": 8_000_000, "behind": behind}}
              for index, kind, by, behind in ((4, "preempted", "loop/77", None), (5, "preempted", "loop/77", 4),
                                              (9, "timer", None, None))]}


def example(name: str, **changes) -> str:
    """Return the text of an example with changed top-level keys."""
    document = json.loads((EXAMPLES / f"{name}.weir.json").read_text())
    return jsontext.write({**document, **changes})
