"""The whole front in one call: project, graph, deployments and rates, with every diagnostic."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path

from weir.catalog import Catalog
from weir.diagnostics import Diagnostic
from weir.graph import Graph
from weir.project import Project


@dataclass(frozen=True)
class Checked:
    """`project` and `graph` are None where errors keep them from existing; `catalog` always is there."""

    project: Project | None
    graph: Graph | None
    catalog: Catalog
    diagnostics: tuple[Diagnostic, ...]


def check(source: Path | str | bytes, *, sets: Mapping[str, str] | None = None, directory: Path | None = None,
          allow_paths: Iterable[Path] = (), block_paths: Iterable[Path] = (), scheduler_paths: Iterable[Path] = (),
          catalog: Catalog | None = None) -> Checked:
    """Everything that can be said about a project without a machine. Never raises for what a user can do wrong."""
    raise NotImplementedError
