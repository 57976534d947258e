"""Run the flowgraph's program under run.py, and return what it measured as results.json."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path

from weir.engine.measuring import weir_protocol
from weir.engine.targets.interface import Ended, Order, Program, Verdict

EVENTS = weir_protocol.EVENTS
progress = weir_protocol.progress
verdict = weir_protocol.verdict
tapped = weir_protocol.tapped


def command(program: Program, order: Order) -> list[str]:
    """Return the command line of a run."""
    words = [*program.command, "--out", ".", "--trace", order.trace, "--run-id", order.run_id]
    for name, value in (("--items", order.items), ("--timeout-s", order.timeout_s), ("--metrics", order.metrics)):
        words += [name, f"{value}"] if value is not None else []
    return [*words, "--progress=json"] if order.progress else words


def results(order: Order, plan: Mapping, ended: Ended, blank: Callable[[], dict]) -> dict | None:
    """Return results.json from what run.py wrote, None if it wrote nothing."""
    return None


def _file(order: Order) -> Path:
    return order.folder / "observed.json"
