"""Parts of a project that matter to a run. Texts for readers, the drawing and the number of runs do not."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Callable, Mapping
from typing import Any

from weir.diagnostics import pointer
from weir.model.document import jsontext
from weir.model.document.spelling import in_former_spelling

#: JSON pointers of values that do not change a run.
_BESIDES = re.compile(r"/(title|description|ui|cases|sweeps)(/.*)?|/parameters/[^/]*/description|/run/repetitions"
                      r"|/deployments/\d+/title|/graph/(blocks|groups)/\d+/comment", re.DOTALL)
#: Objects whose keys are names of blocks, workers and edges: here a key with `x_` is an ordinary name.
_NAMED = re.compile(r"/deployments/\d+/(placement/map|affinity|buffers)")


def is_private(place: str) -> bool:
    """Return whether the place belongs to other programs: it is `$schema`, or inside an `x_…` key."""
    parts = place.split("/")
    return place == "/$schema" or any(part.startswith("x_") and not _NAMED.fullmatch("/".join(parts[:i]))
                                      for i, part in enumerate(parts))


def matters(place: str) -> bool:
    """Return whether a place of the document affects the computation or the measurement."""
    return not _BESIDES.fullmatch(place) and not is_private(place)


def essential(value: Any, place: str = "") -> Any:
    """Return a copy of the value at that place of a project, reduced to what affects a run. Equal runs have equal
    copies.
    """
    return kept(value, matters, place)


def identity(project: Mapping) -> str:
    """Return a text that is equal for projects that run the same work, to detect outdated numbers. Its parts, `graph:…
    parameters:… deployment/NAME:… run:… rest:…`, show what differs.

    The project's name is left out: it does not affect the run. So is the way a run is observed (`run.metrics`,
    `run.cpu_counters`, `run.trace.causes`): requesting a profile must not make earlier runs look as if they ran another
    graph. Observation does cost time, so it counts elsewhere: a run's `metrics` are part of its point
    (`engine/measuring/coordinates.py`), and a comparison first says that its sides were observed differently
    (`read/comparing/work.py`).
    """
    found = kept(essential(in_former_spelling(project, "project")),
                 lambda place: place not in ("/name", "/run/metrics", "/run/cpu_counters", "/run/trace/causes"))
    run = found.get("run")
    if isinstance(run, dict) and run.get("trace", True) == {}:
        del run["trace"]
    if not found.get("run", True):
        del found["run"]
    return " ".join(f"{name}:{hashlib.sha256(jsontext.write(part).encode()).hexdigest()[:16]}"
                    for name, part in _parts(found).items())


def _parts(project: Mapping) -> dict[str, Any]:
    """Split a project into the parts of its identity. Values of block parameters count as parameters, not as graph."""
    rest, graph = dict(project), project.get("graph", {})
    values, drawn = [rest.pop("parameters", {})], graph
    if isinstance(graph, Mapping) and isinstance(graph.get("blocks"), list):
        blocks = [block for block in graph["blocks"] if isinstance(block, Mapping)]
        values += [[block.get("id"), block.get("parameters", {})] for block in blocks]
        drawn = {**graph, "blocks": [{key: value for key, value in block.items() if key != "parameters"}
                                     for block in blocks]}
    rest.pop("graph", None)
    return {"graph": drawn, "parameters": values, **_deployments(rest.pop("deployments", [])),
            "run": rest.pop("run", {}), "rest": rest}


def _deployments(of: Any) -> dict[str, Any]:
    """Return the deployments by name, or all as one part if a name is missing or used twice."""
    names = [it.get("name") if isinstance(it, Mapping) else None for it in of] if isinstance(of, list) else [None]
    if not all(isinstance(name, str) and re.fullmatch(r"[\w-]+", name) for name in names) or len({*names}) < len(names):
        return {"deployments": of}
    return {f"deployment/{name}": it for name, it in zip(names, of)}


def kept(value: Any, keeps: Callable[[str], bool], place: str = "") -> Any:
    """Return a copy of the value at that place, reduced to the JSON pointers that `keeps` accepts."""
    if isinstance(value, Mapping):
        places = {key: place + pointer(key) for key in value}
        return {key: kept(value[key], keeps, at) for key, at in places.items() if keeps(at)}
    if isinstance(value, (list, tuple)):
        return [kept(child, keeps, f"{place}/{index}") for index, child in enumerate(value)]
    return value
