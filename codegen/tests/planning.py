"""Plans and generated code for tests."""

from __future__ import annotations

import json
from pathlib import Path

from weir.diagnostics import has_errors
from weir.engine.generation.emit import generate
from weir.model.catalog import Catalog
from weir.model.check import check
from weir.model.document.deployment import Deployment
from weir.model.planning import planners
from weir.model.planning.machine import Machine, read_machine
from weir.model.planning.plan import Planned, make_plan, request_of
from weir.model.planning.planner import Arrangement, Request

HERE = Path(__file__).resolve().parent
MACHINES = HERE / "machines"
ROOT = HERE.parents[1]
EXAMPLES = ROOT / "examples"


#: Build settings that compile quickly, for deployments whose speed does not matter.
UNOPTIMISED = {"optimisation": "O0"}


def unoptimised(file: Path) -> list[str]:
    """Return the options with which a verb compiles deployments of Weir's own schedulers unoptimised."""
    own = {path.parent.name for path in (ROOT / "runtime" / "schedulers").glob("*/scheduler.json")}
    deployments = json.loads(file.read_text(encoding="utf-8"))["deployments"]
    return [word for number, it in enumerate(deployments) if it["scheduler"] in own
            for word in ("--set", f"/deployments/{number}/build={json.dumps(UNOPTIMISED)}")]


def machine(name: str) -> Machine:
    return read_machine(MACHINES / f"{name}.json")


def project(blocks: list[dict], wires: list[str], **more) -> dict:
    graph = {key: more.pop(key) for key in ("pipes", "groups") if key in more}
    connections = [[*a.split("."), *b.split(".")] for a, b in (w.split(" > ") for w in wires)]
    return {"schema_version": 1, "name": "test", "graph": {"blocks": blocks, "connections": connections, **graph},
            **more}


def chain(stages: int = 4, kind: str = "copy", **more) -> dict:
    """Return a project: counter_source -> head -> stages -> digest_sink, of f32."""
    blocks = [{"id": "source", "type": "counter_source", "parameters": {"item_type": "f32"}},
              {"id": "limit", "type": "head"},
              {"id": "stage", "type": kind, "repeat": stages}, {"id": "sink", "type": "digest_sink"}]
    return project(blocks, ["source.out > limit.in", "limit.out > stage.in", "stage.out > sink.in"], **more)


def decimator(d: int, **more) -> dict:
    blocks = [{"id": "source", "type": "counter_source", "parameters": {"item_type": "f32"}},
              {"id": "fir", "type": "fir_filter", "parameters": {"decimation": d, "taps": [1]}},
              {"id": "sink", "type": "digest_sink"}]
    return deployed(project(blocks, ["source.out > fir.in", "fir.out > sink.in"]), **more)


def graph(blocks: dict[str, str], *wires: str) -> dict:
    """Return a graph from block ids with their types; sources are of f32."""
    entries = [{"id": name, "type": kind, **({"parameters": {"item_type": "f32"}} if kind.endswith("_source") else {})}
               for name, kind in blocks.items()]
    return project(entries, list(wires), run={"items": 1000})


def deployed(document: dict, **deployment) -> dict:
    return {**document, "deployments": [{"name": "d", "scheduler": "flow", **deployment}]}


def checked(source: dict | Path):
    result = check(source if isinstance(source, Path) else json.dumps(source))
    assert not has_errors(result.diagnostics), result.diagnostics
    return result


def arranged(document: dict, on: str = "two_core", catalog: Catalog | None = None) -> tuple[Request, Arrangement]:
    """Return the planner's request for the first deployment, and the planner's result."""
    it = check(json.dumps(document), catalog=catalog)
    assert not has_errors(it.diagnostics), it.diagnostics
    deployment = it.project.deployment(None)
    request = request_of(it.graph, it.rates, it.catalog, machine(on), deployment)
    return request, planners.arrange(request)


def plan(source: dict | Path, on: str | Machine = "two_core", deployment: str | Deployment | None = None) -> Planned:
    result = checked(source)
    if not isinstance(deployment, Deployment):
        deployment = result.project.deployment(deployment)
    return make_plan(result.project, result.graph, result.catalog, machine(on) if isinstance(on, str) else on,
                     deployment)


def generated(source: dict | Path, on: str = "two_core", deployment: str | None = None) -> dict[str, bytes]:
    result = checked(source)
    return generate(plan(source, on, deployment).plan, result.project, result.catalog)


def workers(planned: Planned) -> dict[str, list[str]]:
    return {w.name: list(w.instances) for w in planned.plan.workers}
