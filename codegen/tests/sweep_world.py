"""Sweep whose program is a script that writes chosen results, for tests of the sweep rather than of its programs.

sweep_world.py FOLDER    begins the sweep in FOLDER, or resumes it, until it is done or killed
"""

from __future__ import annotations

import json
import sys
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path

from planning import chain
from stored_runs import EXAMPLES, planned, store
from weir.engine.measuring.listener import Listener
from weir.engine.measuring.runnable import Runnable, RunOptions
from weir.engine.targets.interface import Program
from weir.lab.sweeping import state
from weir.lab.sweeping.axes import SweepDefinition, cells, columns
from weir.lab.sweeping.point import Axis, Cell
from weir.lab.sweeping.record import Order, Record
from weir.lab.sweeping.request import SweepRequest
from weir.lab.sweeping.sweep import Sweep
from weir.model.catalog import load_catalog

PROJECT = EXAMPLES / "quickstart.weir.json"
#: Two deployments, and parameters that may be varied.
DEPLOYED = {**chain(2), "deployments": [{"name": "one", "scheduler": "flow"}, {"name": "other", "scheduler": "static"}],
            "parameters": {"stages": {"value": 2}, "gain": {"value": 1.0}}, "run": {"items": 1000}}
AXES = (Axis("deployment", ("flow", "single_thread"), ("flow", "single_thread")),
        Axis("stages", (1, 2, 3), ("1", "2", "3")))
ID = "5" * 16
#: Request of a command line without further options.
REQUEST = SweepRequest("q.weir.json", vary=("stages=1,2,3",)).as_json()
SCRIPT = """#!{python}
import json, pathlib, sys, time
results = json.loads(pathlib.Path({results!r}).read_text())
counter = pathlib.Path({counter!r})
number = len(counter.read_text()) if counter.exists() else 0
with counter.open("a") as file:
    file.write("x")
plan = json.loads(pathlib.Path("plan.json").read_text())
results["deployment"] = plan["deployment"]
results["throughput_items_per_s"] *= plan.get("x_speed", 1)
results["environment"].update({environment!r}[number % {every}])
results["status"] = {statuses!r}[number % {every}]
if results["status"] == "full":
    results["status"] = "invalid"
    results["reasons"].append({{"code": "E_DISK_FULL", "message": "there was no room"}})
elif results["status"] != "ok":
    results["reasons"].append({{"code": "E_TEST", "message": "made so"}})
time.sleep({seconds})
pathlib.Path("results.json").write_text(json.dumps(results))
"""


def program(folder: Path, environment: Sequence[Mapping] = ({},), statuses: Sequence[str] = ("ok",),
            seconds: float = 0.0) -> Path:
    """Write a program whose nth run has the nth value of `environment` and `statuses`, cyclically."""
    folder.mkdir(exist_ok=True)
    made = folder / "program"
    if not made.exists():
        results = json.loads((store(folder / "one") / "results.json").read_text())
        results["latency"], results["latency_pairs"] = None, []
        (folder / "results").write_text(json.dumps(results))
        every = max(len(environment), len(statuses))
        made.write_text(SCRIPT.format(
            python=sys.executable, results=str(folder / "results"), counter=str(folder / "counter"),
            every=every,
            environment=[environment[i % len(environment)] for i in range(every)],
            statuses=[statuses[i % len(statuses)] for i in range(every)], seconds=seconds))
        made.chmod(0o755)
    return made


def sweep(folder: Path, script: Path, *, repetitions: int = 3, repeats: int = 0, seed: int = 7,
          axes: Sequence[Axis] = AXES,
          on_run: Callable = lambda *_: None, said: Callable[[str], None] = lambda text: None, **more) -> Sweep:
    """Begin or resume a sweep in `folder`."""
    asked = SweepDefinition(None, tuple(axes), repetitions, ())
    document = {"deployments": [{"name": "flow"}, {"name": "single_thread"}], "parameters": {"stages": {"value": 1}}}
    _, plan, machine = planned(PROJECT)
    project = json.loads(PROJECT.read_text())
    made: list[tuple[Cell, Runnable]] = []
    for cell in cells(asked, document, None):
        own = {**plan, "deployment": cell.deployment}
        made.append((cell, Runnable(project, EXAMPLES, own, machine.as_json(), Program.of(script), {}, "weir run q")))
    folder.mkdir(exist_ok=True)
    names = columns(axes)
    at = state.State(folder, {
        "schema_version": 1, "id": ID, "created": "2026-01-02T03:04:05Z", "weir_version": "0.1.0",
        "project": "quickstart",
        "document": project, "sweep": "s", "hold": ["chunk_items"], "columns": names, "repetitions": repetitions,
        "repeats": repeats, "seed": seed, "machine": {}, "left_out": [], "best": None,
        "source": "q.weir.json", "request": REQUEST,
        "axes": [{"key": axis.key, "values": list(axis.values)} for axis in axes],
        "points": [{"number": cell.number, "values": dict(zip(names, cell.values)), "deployment": cell.deployment,
                    "scheduler": "flow", "target": "cpp_app", "binary_hash": None} for cell, _ in made]})
    at.write()
    record = Record([cell for cell, _ in made], columns(axes), Order(seed, len(made), repetitions, repeats))
    return Sweep(at, record, [it for _, it in made], RunOptions(folder, repetitions, "off"), load_catalog(),
                 Listener(said),
                 on_run, **more)


def larger_chunks(plan: dict, factor: int) -> dict:
    """Return a plan with `factor` times as many items per call."""
    return {**plan, "blocks": [{**block, "chunk_items": factor * block["chunk_items"]} for block in plan["blocks"]]}


def with_larger_chunks(run: Path, factor: int) -> None:
    """Rewrite plan.json as if the run had had this plan."""
    (run / "plan.json").write_text(json.dumps(larger_chunks(json.loads((run / "plan.json").read_text()), factor)))


if __name__ == "__main__":
    where = Path(sys.argv[1])
    with state.alone(where):
        sweep(where, where.parent / "world" / "program").go_on()
