"""A project file: read, migrated, checked for shape and names, its parameters evaluated."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from pathlib import Path

from weir.deployment import Deployment, RunSettings
from weir.diagnostics import Diagnostic


@dataclass(frozen=True)
class Project:
    """`document` is the JSON after migration and `--set`; `directory` is where its relative paths start."""

    document: Mapping[str, object] = field(repr=False)
    directory: Path
    path: Path | None
    allow_paths: tuple[Path, ...]
    name: str
    title: str
    description: str
    parameters: Mapping[str, int | float]
    deployments: tuple[Deployment, ...]
    run: RunSettings

    def deployment(self, name: str | None) -> Deployment:
        """The named deployment, the first without a name. WeirError (E_DEPLOYMENT_UNKNOWN) if there is none."""
        raise NotImplementedError


def load_project(source: Path | str | bytes, *, sets: Mapping[str, str] | None = None, directory: Path | None = None,
                 allow_paths: Iterable[Path] = ()) -> tuple[Project | None, list[Diagnostic]]:
    """The project at a path, or in a text (str or bytes), and everything wrong with it.

    The project is None when an error keeps it from being understood. Never raises for what a user can do wrong.
    `sets`: `name` -> value of a project parameter, `/json/pointer` -> value; values as typed (JSON, else a number with
    an SI suffix or an expression, else text).
    """
    raise NotImplementedError
