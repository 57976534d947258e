"""Reads a project file: checks version, schema and names, and evaluates its parameters."""

from __future__ import annotations

import contextlib
import copy
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, cast

from weir.diagnostics import (
    Diagnostic,
    WeirError,
    diagnostic,
    did_you_mean,
    has_errors,
    os_error,
    pointer,
    within,
)
from weir.files import read_bounded
from weir.model.document import jsontext
from weir.model.document.deployment import Deployment, RunSettings, default_deployment, read_deployment, read_run
from weir.model.document.expressions import ExpressionError, Number, evaluate, names_in
from weir.model.document.overrides import apply_sets
from weir.model.document.shape import check_shape, describe
from weir.model.document.spelling import current_document, place_in_file
from weir.model.document.sweep_check import check_sweeps
from weir.model.document.values import Evaluator, expressions_in, is_expression

SCHEMA_VERSION = 1


@dataclass(frozen=True)
class Project:
    """A project. `document` is the JSON after `--set`, in the present spelling; relative paths start at `directory`.

    Scheduler parameters in `deployments` are as written until `weir.model.check` types them from the catalog. `broken`
    names the parameters with a wrong value. `places`: JSON pointers of values with a former name -> those in the file.
    """

    document: Mapping[str, Any] = field(repr=False)
    directory: Path
    path: Path | None
    allow_paths: tuple[Path, ...]
    name: str
    title: str
    description: str
    parameters: Mapping[str, Number]
    deployments: tuple[Deployment, ...]
    run: RunSettings
    broken: frozenset[str] = frozenset()
    places: Mapping[str, str] = field(default_factory=dict, repr=False)

    def deployment(self, name: str | None = None) -> Deployment:
        """Return the named deployment, or the first if `name` is None. Raises WeirError (E_DEPLOYMENT_UNKNOWN) if there
        is none.
        """
        for deployment in self.deployments:
            if name in (None, deployment.name):
                return deployment
        raise WeirError(diagnostic("E_DEPLOYMENT_UNKNOWN", "", f"the project has no deployment `{name}`",
                                   did_you_mean(str(name), [d.name for d in self.deployments])))

    def located(self, diagnostics: Iterable[Diagnostic]) -> list[Diagnostic]:
        """Return diagnostics of the document with the pointers of the file, which may have former names."""
        return _located(diagnostics, self.places)

    def evaluator(self) -> Evaluator:
        """Return an evaluator of expressions with the project's parameters."""
        return Evaluator(self.parameters, self.broken, self.directory, self.allow_paths)

    def expression_values(self) -> dict[str, Number]:
        """Return JSON pointer -> value of each expression, which the editor shows beside it. Expressions without a
        value are left out, because a diagnostic says why.
        """
        found = {}
        for path, text in expressions_in(self.document):
            if path[0] != "ui" and not any(str(key).startswith("x_") for key in path):
                with contextlib.suppress(ExpressionError):
                    found[pointer(*path)] = evaluate(text, self.parameters)
        return found


def load_project(source: Path | str | bytes, *, sets: Mapping[str, str] | None = None, directory: Path | None = None,
                 allow_paths: Iterable[Path] = ()) -> tuple[Project | None, list[Diagnostic]]:
    """Return the project at a path, or in a text (str or bytes), and all its faults.

    The project is None if an error prevents understanding it. Raises nothing for mistakes of a user. `sets`: `name` ->
    value of a project parameter, `/json/pointer` -> value; see `weir.model.document.overrides`.
    """
    path = source if isinstance(source, Path) else None
    if path:
        try:
            source = read_bounded(path, jsontext.MAX_BYTES)
        except OSError as error:
            return None, [os_error(error, f"read {path}")]
    document, faults = jsontext.read(cast(str | bytes, source))
    if faults:
        return None, faults
    if not isinstance(document, dict):
        return None, [diagnostic("E_VALUE_TYPE", "", "a project file is a JSON object")]
    return read_project(document, sets=sets or {}, path=path, allow_paths=tuple(allow_paths),
                        directory=directory or (path.resolve().parent if path else Path.cwd()))


def read_project(document: dict, *, sets: Mapping[str, str], path: Path | None, directory: Path,
                 allow_paths: tuple[Path, ...]) -> tuple[Project | None, list[Diagnostic]]:
    """Like `load_project`, for JSON that has been read. Does not change `document`."""
    if faults := list(_version(document)):
        return None, faults
    written = current_document(copy.deepcopy(document), "project")
    faults = written.faults() or apply_sets(written.value, sets)
    if has_errors(faults):
        return None, faults
    overridden = current_document(written.value, "project")  # a value of --set may have former names, too
    document, faults = overridden.value, overridden.faults() or check_shape(overridden.value, "project")
    # Checking continues past unknown keys, so one run reports the other faults, too.
    if any(d.code not in ("E_KEY_UNKNOWN", "E_OUT_OF_SCOPE") for d in faults):
        return None, _located(faults, written.places)
    faults += _duplicates(document)
    parameters, broken, problems = _parameters(document.get("parameters", {}))
    faults += problems
    evaluator = Evaluator(parameters, broken, directory, allow_paths)
    deployments = tuple(read_deployment(d, evaluator, ("deployments", i))
                        for i, d in enumerate(document.get("deployments", ())))
    run = read_run(document.get("run", {}), evaluator)
    faults += evaluator.diagnostics
    faults += check_sweeps(document)
    project = Project(
        document=document, directory=directory, path=path, allow_paths=allow_paths, name=document["name"],
        title=document.get("title", ""), description=document.get("description", ""), parameters=parameters,
        deployments=deployments or (default_deployment(),), run=run, broken=broken,
        places=written.places)
    return project, project.located(faults)


def _located(diagnostics: Iterable[Diagnostic], places: Mapping[str, str]) -> list[Diagnostic]:
    """Return the diagnostics with the pointers of the file. `places`: those of `CurrentDocument`."""
    if not places:
        return list(diagnostics)
    return [replace(it, pointer=place_in_file(it.pointer, places),
                    fixes=tuple(fix._replace(pointer=place_in_file(fix.pointer, places)) for fix in it.fixes))
            for it in diagnostics]


def _version(document: dict) -> Iterator[Diagnostic]:
    """Check the version of the file. It must be present, and this Weir knows one version only."""
    version = document.get("schema_version")
    if "schema_version" not in document:
        yield diagnostic("E_SCHEMA_VERSION", "", "the key `schema_version` is missing",
                         f'write "schema_version": {SCHEMA_VERSION}')
    elif not isinstance(version, int) or isinstance(version, bool):
        yield diagnostic("E_SCHEMA_VERSION", "/schema_version",
                         f"the version must be an integer, not {describe(version)}")
    elif version > SCHEMA_VERSION:
        yield diagnostic("E_SCHEMA_VERSION", "/schema_version", f"version {version} is newer than this Weir, which "
                                                                "supports versions up to "
                                                                f"{SCHEMA_VERSION}", "use a newer Weir")
    elif version != SCHEMA_VERSION:
        yield diagnostic("E_SCHEMA_VERSION", "/schema_version", f"there is no version {version}",
                         f"write version {SCHEMA_VERSION}")


def _duplicates(document: dict) -> list[Diagnostic]:
    graph, faults = document["graph"], []
    lists = (("block or group", ("graph", "blocks"), graph["blocks"], "id"),
             ("block or group", ("graph", "groups"), graph.get("groups", ()), "id"),
             ("deployment", ("deployments",), document.get("deployments", ()), "name"),
             ("sweep", ("sweeps",), document.get("sweeps", ()), "name"))
    seen: set[tuple[str, str]] = set()
    for what, path, entries, key in lists:
        for i, entry in enumerate(entries):
            name = (what, entry[key])
            if name in seen:
                faults.append(diagnostic("E_NAME_DUPLICATE", pointer(*path, i, key),
                                         f"the {what} `{entry[key]}` already exists"))
            seen.add(name)
    return faults


def _parameters(entries: Mapping[str, dict]) -> tuple[dict[str, Number], frozenset[str], list[Diagnostic]]:
    """Return the values of the project's parameters, evaluated in the order that their expressions require."""
    entries = {name: entry for name, entry in entries.items() if not name.startswith("x_")}
    values: dict[str, Number] = {}
    evaluator = Evaluator(values)
    waiting = {name: _needs(entry, entries) for name, entry in entries.items()}
    broken: set[str] = set()
    while waiting:
        ready = [name for name, needs in waiting.items() if needs.isdisjoint(waiting)]
        if not ready:
            cycle = _cycle(waiting)
            evaluator.fault("E_EXPR_RECURSION", ("parameters", cycle[0], "value"),
                            f"parameters are defined in terms of each other: {' -> '.join([*cycle, cycle[0]])}",
                            "set one of these parameters to a number")
            broken |= waiting.keys()
            break
        for name in ready:
            del waiting[name]
            evaluator.broken = frozenset(broken)
            value = _parameter(name, entries[name], evaluator)
            if value is None:
                broken.add(name)
            else:
                values[name] = value
    return values, frozenset(broken), evaluator.diagnostics


def _parameter(name: str, entry: dict, evaluator: Evaluator) -> Number | None:
    path = ("parameters", name)
    value, low, high = (evaluator.literal(entry.get(key), (*path, key)) for key in ("value", "minimum", "maximum"))
    if value is None:
        return None
    if low is not None and high is not None and low > high:
        evaluator.fault("E_PARAMETER_RANGE", (*path, "minimum"), f"the minimum {low} is above the maximum {high}")
        return None
    if low is not None and value < low or high is not None and value > high:
        below = low is not None and value < low
        evaluator.fault("E_PARAMETER_RANGE", (*path, "value"), f"`{name}` cannot be {value}",
                        f"use at least {low}" if below else f"use at most {high}",
                        within(pointer(*path, "value"), value, low, high))
        return None
    return value


def _needs(entry: dict, entries: Mapping[str, dict]) -> set[str]:
    needs: set[str] = set()
    for key in ("value", "minimum", "maximum"):
        if is_expression(entry.get(key)):
            try:
                needs |= entries.keys() & set(names_in(entry[key]["expr"]))
            except ExpressionError:
                pass  # the evaluation reports the fault
    return needs


def _cycle(waiting: Mapping[str, set[str]]) -> list[str]:
    """Return one cycle; every name in `waiting` needs another name in it."""
    path = [next(iter(waiting))]
    while True:
        following = min(waiting[path[-1]] & waiting.keys())
        if following in path:
            return path[path.index(following):]
        path.append(following)
