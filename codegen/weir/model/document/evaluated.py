"""What every expression of a project gives: an editor shows it beside the expression."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from weir.diagnostics import pointer
from weir.model.document.expressions import ExpressionError, Number, evaluate
from weir.model.document.project import Project
from weir.model.document.values import Path_, is_expression


def expression_values(project: Project) -> dict[str, Number]:
    """JSON pointer -> value; an expression without a value is left out, a diagnostic says why it has none."""
    return dict(_values(project.document, (), project.parameters))


def _values(value: Any, path: Path_, names: Mapping[str, Number]) -> Iterator[tuple[str, Number]]:
    if is_expression(value):
        try:
            yield pointer(*path), evaluate(value["expr"], names)
        except ExpressionError:
            pass
    elif isinstance(value, dict):
        for key, child in value.items():
            if not key.startswith("x_") and (path or key != "ui"):
                yield from _values(child, (*path, key), names)
    elif isinstance(value, list):
        for i, child in enumerate(value):
            yield from _values(child, (*path, i), names)
