"""Compute the expected output of a whole project from the references of its blocks."""

from __future__ import annotations

from pathlib import Path

from weir.engine.verifying.evaluation import Conditions, evaluate
from weir.engine.verifying.references import library
from weir.model.catalog import ROOT  # noqa: F401
from weir.model.check import check

DTYPES, Block, Context, digest, load_blocks = (getattr(library(), name) for name in (
    "DTYPES", "Block", "Context", "digest", "load_blocks"))


def expected_sinks(project: Path | str, directory: Path, sets: dict[str, str] | None = None) -> dict[str,
                                                                                                     tuple[int, str]]:
    """Return sink -> (items, digest as in results.json) of a project whose sinks have one input."""
    checked = check(project, sets=sets or {}, directory=directory)
    assert checked.graph is not None, checked.diagnostics
    run = checked.project.run
    arrived = evaluate(checked.graph, Conditions(run.items, run.seed, directory)).arrived
    return {sink: (len(x), f"{digest(x):016x}") for sink, ports in arrived.items() for x in ports.values()}
