"""Checks a whole project in one call: project, graph, rates and deployments, with every diagnostic."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from weir.diagnostics import WARNING, Diagnostic, WeirError, diagnostic, did_you_mean, has_errors
from weir.model.catalog import Catalog, load_catalog
from weir.model.designing.stored import changed_taps
from weir.model.document.deployment import Deployment
from weir.model.document.project import Project, load_project
from weir.model.flowgraph.graph import Graph, build_graph
from weir.model.flowgraph.rates import Rates, attempt
from weir.model.flowgraph.recordings import recording_faults
from weir.model.planning.advice import advise
from weir.model.planning.deployment_check import check_deployment
from weir.model.planning.target_check import check_target


@dataclass(frozen=True)
class Valid:
    """A project with a graph and rates. Errors of deployments and of single values may remain in `diagnostics`."""

    project: Project
    graph: Graph
    rates: Rates
    catalog: Catalog
    diagnostics: tuple[Diagnostic, ...]


@dataclass(frozen=True)
class Checked:
    """Result of a check. `project`, `graph` and `rates` are None if errors prevent them; `catalog` is always set."""

    project: Project | None
    graph: Graph | None
    rates: Rates | None
    catalog: Catalog
    diagnostics: tuple[Diagnostic, ...]

    def loaded(self) -> Project:
        """Return the project. Raises WeirError with every diagnostic if it could not be read."""
        if self.project is None:
            raise WeirError(self.diagnostics)
        return self.project

    def valid(self) -> Valid:
        """Return the valid project. Raises WeirError with every diagnostic if a part is missing."""
        if self.project is None or self.graph is None or self.rates is None:
            raise WeirError(self.diagnostics)
        return Valid(self.project, self.graph, self.rates, self.catalog, self.diagnostics)

    def concerning(self, requested: Sequence[str] | None) -> list[Diagnostic]:
        """Return the diagnostics. Errors in deployments that were not requested become warnings, because the others can
        still run.

        `requested`: names of the requested deployments; empty for the first of the project, None for all.
        """
        if self.project is None or self.graph is None or requested is None:
            return list(self.diagnostics)
        names = [deployment.name for deployment in self.project.deployments]
        wanted = {str(names.index(name)) for name in requested if name in names} if requested else {"0"}

        def concerns(fault: Diagnostic) -> bool:
            place = fault.pointer.split("/")
            return place[1:2] != ["deployments"] or len(place) < 3 or place[2] in wanted

        return [fault if concerns(fault) else replace(fault, severity=WARNING) for fault in self.diagnostics]


def check(source: Path | str | bytes, *, sets: Mapping[str, str] | None = None, directory: Path | None = None,
          allow_paths: Iterable[Path] = (), block_paths: Iterable[Path] = (), scheduler_paths: Iterable[Path] = (),
          target_paths: Iterable[Path] = (), catalog: Catalog | None = None) -> Checked:
    """Check everything about a project that does not depend on the machine.

    Faults of the project become diagnostics. Raises WeirError only for a faulty descriptor in the catalog.
    """
    catalog = catalog or load_catalog(block_paths, scheduler_paths, target_paths)
    project, faults = load_project(source, sets=sets, directory=directory, allow_paths=allow_paths)
    if project is None:
        return Checked(None, None, None, catalog, tuple(faults))
    graph, problems = build_graph(project, catalog)
    faults += problems
    rates = None
    if graph:
        rates, problems = attempt(graph)
        faults += [*problems, *recording_faults(graph, project.directory)]
    deployments = []
    for i, deployment in enumerate(project.deployments):
        stated = bool(deployment.target)
        deployment, problems = _with_defaults(deployment, ("deployments", i), project, catalog,
                                              graph is not None and graph.of_gnuradio)
        deployments.append(deployment)
        faults += problems
        if graph and deployment.scheduler in catalog.schedulers:
            faults += check_deployment(deployment, graph, catalog)
            faults += check_target(deployment, graph, catalog, project.document.get("run", {}), stated)
    project = replace(project, deployments=tuple(deployments))
    if graph and rates and not has_errors(faults):
        faults += [*changed_taps(project, catalog), *advise(project, graph, rates, catalog.targets)]
    return Checked(project, graph, rates, catalog, tuple(project.located(faults)))


def _with_defaults(deployment: Deployment, path: tuple[str | int, ...], project: Project,
                   catalog: Catalog, of_gnuradio: bool) -> tuple[Deployment, list[Diagnostic]]:
    """Return the deployment with its target set and its scheduler's parameters converted to their types, defaults
    filled in.
    """
    scheduler = catalog.schedulers.get(deployment.scheduler)
    if scheduler is None:
        place = f"{deployment.pointer}/scheduler" if deployment.pointer else ""
        return deployment, [diagnostic("E_SCHEDULER_UNKNOWN", place, f"there is no scheduler `{deployment.scheduler}`",
                                       did_you_mean(deployment.scheduler, catalog.schedulers))]
    evaluator = project.evaluator()
    parameters = evaluator.parameters(deployment.parameters, scheduler.parameters, path,
                                      f"scheduler `{scheduler.id}`")
    target = deployment.target or catalog.target_for(scheduler.id, of_gnuradio)
    return replace(deployment, parameters=parameters, target=target), evaluator.diagnostics
