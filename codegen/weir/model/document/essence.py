"""Parts of a project that matter to a run. Texts for readers, the drawing and the number of runs do not."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Callable, Mapping
from typing import Any

from weir.diagnostics import pointer
from weir.model.document import jsontext

#: The places, by JSON Pointer, of what changes no run.
_BESIDES = re.compile(r"/(title|description|ui|sweeps)(/.*)?|/parameters/[^/]*/description|/run/repetitions"
                      r"|/graph/(blocks|groups)/\d+/comment", re.DOTALL)
#: Their keys are blocks, workers and edges: one that begins with `x_` is called so.
_NAMED = re.compile(r"/deployments/\d+/(placement/map|affinity|buffers)")


def is_private(place: str) -> bool:
    """Return whether the place is inside an `x_…` key, which belongs to other programs."""
    parts = place.split("/")
    return any(part.startswith("x_") and not _NAMED.fullmatch("/".join(parts[:i])) for i, part in enumerate(parts))


def matters(place: str) -> bool:
    """Return whether a place of the document affects the computation or the measurement."""
    return not _BESIDES.fullmatch(place) and not is_private(place)


def essential(value: Any, place: str = "") -> Any:
    """A copy of what is at that place of a project, or of all of it: the same for runs that are the same."""
    return kept(value, matters, place)


def identity(project: Mapping) -> str:
    """The same text for projects whose runs are of the same thing, another for others: whether numbers are out of date.
    It is made of parts, `graph:… parameters:… deployment/NAME:… run:… rest:…`, so that it says what differs.

    What the project is called is no part of it: it says whose a run is, and nothing of what was run. Neither is how a
    run is watched (`run.metrics`, `run.cpu_counters`, `run.trace.causes`). A profiled run shows the graph as it is, and
    asking for a profile makes no earlier run one of another graph. It does cost, so this is not equal work: a run
    carries its `metrics`, they are part of its point (`engine/measuring/coordinates.py`), and a comparison says first
    that sides were watched otherwise (`read/comparing/work.py`).
    """
    found = kept(essential(project), lambda place: place not in ("/name", "/run/metrics", "/run/cpu_counters",
                                                                 "/run/trace/causes"))
    run = found.get("run")
    if isinstance(run, dict) and run.get("trace", True) == {}:
        del run["trace"]
    if not found.get("run", True):
        del found["run"]
    return " ".join(f"{name}:{hashlib.sha256(jsontext.write(part).encode()).hexdigest()[:16]}"
                    for name, part in _parts(found).items())


def _parts(project: Mapping) -> dict[str, Any]:
    """A value of a block is one of the parameters, and not the graph."""
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
    """Each by its name; all as one where they have none, or two have one."""
    names = [it.get("name") if isinstance(it, Mapping) else None for it in of] if isinstance(of, list) else [None]
    if not all(isinstance(name, str) and re.fullmatch(r"[\w-]+", name) for name in names) or len({*names}) < len(names):
        return {"deployments": of}
    return {f"deployment/{name}": it for name, it in zip(names, of)}


def kept(value: Any, keeps: Callable[[str], bool], place: str = "") -> Any:
    """A copy of what is at that place without what is not to be kept, by JSON Pointer."""
    if isinstance(value, Mapping):
        places = {key: place + pointer(key) for key in value}
        return {key: kept(value[key], keeps, at) for key, at in places.items() if keeps(at)}
    if isinstance(value, (list, tuple)):
        return [kept(child, keeps, f"{place}/{index}") for index, child in enumerate(value)]
    return value
