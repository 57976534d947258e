"""Effective settings of a run: equal settings compare equal however they were given.

A pointer that the run did not set has the plan's value: evaluated, and with defaults. Pointers into other deployments
do not apply to the run.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, fields
from functools import cached_property
from pathlib import Path
from typing import Any

from weir.diagnostics import pointer, resolve
from weir.engine.measuring.coordinates import document, is_setting, planned_params
from weir.model.document.deployment import Scheduling
from weir.model.document.expressions import ExpressionError, evaluate

#: Marks a missing value.
ABSENT = object()
#: Keys of a deployment that a plan has below `requested`, and keys that it has at its top level. Buffers differ.
_REQUESTED = ("workers", "placement", "affinity", "chunk_items", "parameters", "threads")
_PLANNED = ("wait", *(it.name for it in fields(Scheduling)), "memory", "volk", "alignment", "interference", "build",
            "require", "target")
#: JSON pointer in the project -> in the plan, longest first.
_RUN = {"/run/trace/probe_granularity": "/trace/probe_granularity/requested", "/run/trace/events": "/trace/events",
        "/run/trace/causes": "/trace/causes", "/run": "/run"}


@dataclass(frozen=True)
class Files:
    """The project.json and plan.json of runs that share them. Reads each once, when needed."""

    folders: list[Path] = field(default_factory=list)

    @cached_property
    def project(self) -> Mapping:
        """Return the project of the run."""
        return self._first("project.json")

    @cached_property
    def plan(self) -> Mapping:
        """Return the plan of the run."""
        return self._first("plan.json")

    def _first(self, name: str) -> Mapping:
        """Return the first undamaged file of this name."""
        return next(filter(None, (document(folder / name) for folder in self.folders)), {})

    @cached_property
    def params(self) -> Mapping[str, Any]:
        """Return the parameters in the plan."""
        return planned_params(self.plan)


def settings_at(known: Iterable[str], results: Mapping, files: Files) -> dict[str, Any]:
    """Return a run's own settings, and its project's values for the settings of other runs.

    `known` has the settings of all runs. A value with parts, such as a deployment's `build`, becomes its parts. The
    result has no settings that have their own coordinate, have no effect, or belong to another deployment.
    """
    at = results["coordinates"]
    found: dict[str, Any] = {}
    for name in known:
        own = at["settings"].get(name, ABSENT)
        if not name.startswith("/"):
            found[name] = own if own is not ABSENT else files.params.get(name, results["parameters"].get(name, ABSENT))
        elif is_of(name, at["deployment"], files) or (own is not ABSENT
                                                      and not _is_of_project(at["deployment"], files)):
            found.update(_parts(name, _at(files.project, name) if own is ABSENT else own, at["parameters"]))
    return {name: value for name, value in found.items()
            if value is not ABSENT and (not name.startswith("/") or is_setting(name))}


def with_defaults(places: Iterable[str], settings: Mapping[str, Any], deployment: str,
                  files: Files) -> dict[str, Any]:
    """Return `settings` completed with the plan's values at `places`, the pointers of all runs."""
    found = {}
    for place in places:
        value = settings.get(place, ABSENT)
        if place.startswith("/") and is_of(place, deployment, files):
            planned = _at(files.plan, where) if (where := _in_plan(place, files)) else ABSENT
            value = value if planned in (ABSENT, None) or isinstance(planned, dict) else planned
        if value is not ABSENT:
            found[place] = value
    return found


def is_of(place: str, deployment: str, files: Files) -> bool:
    """Return whether a pointer applies to runs of this deployment; True if the project is unknown."""
    words = place.split("/")
    if words[1] != "deployments" or len(words) < 3 or not files.project:
        return True
    return _at(files.project, "/".join([*words[:3], "name"])) == deployment


def _is_of_project(deployment: str, files: Files) -> bool:
    """Return whether the project has the deployment. It does not have those of adopted runs."""
    return any(isinstance(it, Mapping) and it.get("name") == deployment for it in files.project.get("deployments", ()))


def _parts(place: str, value: object, names: Mapping[str, Any]) -> dict[str, Any]:
    if isinstance(value, Mapping) and set(value) == {"expr"}:
        try:
            return {place: evaluate(str(value["expr"]), names)}
        except ExpressionError:
            return {}
    if isinstance(value, Mapping):
        parts = ((f"{place}{pointer(key)}", child) for key, child in value.items())
        return {inner: leaf for part, child in parts for inner, leaf in _parts(part, child, names).items()}
    return {place: value}


def _in_plan(place: str, files: Files) -> str:
    """Return the pointer in plan.json for one in the project, "" if the plan does not have it."""
    words = place.split("/")
    if words[1] == "deployments" and len(words) > 3:
        below = "/".join(words[3:])
        return f"/requested/{below}" if words[3] in _REQUESTED else f"/{below}" if words[3] in _PLANNED else ""
    if words[1:3] == ["graph", "blocks"] and len(words) == 6 and words[4] == "parameters":
        block = _at(files.project, "/".join([*words[:4], "id"]))
        blocks = files.plan.get("blocks")
        index = next((i for i, it in enumerate(blocks if isinstance(blocks, list) else ())
                      if isinstance(it, dict) and it.get("block") == block), None)
        return "" if index is None else pointer("blocks", index, "parameters") + f"/{words[5]}"
    return next((there + place.removeprefix(here) for here, there in _RUN.items()
                 if place == here or place.startswith(here + "/")), "")


def _at(document: Mapping, place: str) -> object:
    try:
        return resolve(document, place)
    except (LookupError, ValueError):  # an index with thousands of digits
        return ABSENT
