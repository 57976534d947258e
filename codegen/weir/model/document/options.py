"""The options of a run and of each deployment, read from the project schema, which is their only list."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from weir.model.document.shape import alternatives, schema


def _below(rule: Mapping, above: str) -> Iterator[tuple[str, Mapping]]:
    """Yield (place, rule) for each key below an object that follows `rule`. Keywords beside a `$ref` join the
    referenced rule.
    """
    for one in alternatives(rule, schema("project")):
        for key, inner in one.get("properties", {}).items():
            yield f"{above}{key}", {**next(alternatives(inner, schema("project"))), **inner}
            yield from _below(inner, f"{above}{key}/")


_PROJECT = schema("project")["properties"]
#: Place, such as `trace/backend`, -> rule.
OF_RUN = dict(_below(_PROJECT["run"], ""))
OF_DEPLOYMENT = dict(_below(_PROJECT["deployments"]["items"], ""))


def of_run(place: str) -> Any:
    """Return the default of an option of the run."""
    return OF_RUN[place]["default"]


def of_deployment(place: str) -> Any:
    """Return the default of an option of a deployment."""
    return OF_DEPLOYMENT[place]["default"]
