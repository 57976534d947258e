"""Flowgraphs of GNU Radio that the user trusts. Compiling and running one executes its expressions and its Python."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Mapping
from typing import Any

from weir.diagnostics import WeirError, diagnostic
from weir.engine.generation.kept import AnswerCache
from weir.model.document.project import Project
from weir.model.planning.plan import digest

_TRUSTED = AnswerCache("trusted", 10_000)


def content_hash(project: Project) -> str:
    """Return the SHA-256 of everything in a project that decides what GNU Radio executes.

    Plain numbers and texts decide nothing, so changing one needs no new trust.
    """
    return digest([project.document["gnuradio"]["flowgraph"], sorted(_code(project.document))])


def _code(document: Mapping[str, Any]) -> Iterator[str]:
    for entry in document["graph"]["blocks"]:
        block = entry.get("gnuradio", entry)
        yield f"{block.get('name', '')}={block['type']}"
        for value in entry.get("parameters", {}).values():
            if isinstance(value, str) and not _is_literal(value):
                yield value


def _is_literal(text: str) -> bool:
    try:
        ast.literal_eval(text.strip())
    except (ValueError, SyntaxError, TypeError, MemoryError, RecursionError):
        return False
    return True


def is_trusted(project: Project) -> bool:
    """Return whether the user trusts the flowgraph."""
    return _TRUSTED.load(content_hash(project)) is not None


def trust(project: Project) -> None:
    """Remember that the user trusts the flowgraph."""
    _TRUSTED.store(content_hash(project), True)


def require_trust(project: Project) -> None:
    """Raise WeirError (E_UNTRUSTED) unless the user trusts the flowgraph."""
    if not is_trusted(project):
        raise WeirError(diagnostic("E_UNTRUSTED", "/gnuradio",
                                   "GNU Radio would execute the expressions and the Python code of this flowgraph",
                                   "read the flowgraph first; --trust then allows this"))
