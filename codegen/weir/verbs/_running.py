"""What the verbs that run projects share: preparing a deployment aloud, and how runs and folders are shown."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from weir.verbs import show

if TYPE_CHECKING:
    from weir.measuring.runner import Listener, Runnable
    from weir.pipeline import Pipeline
    from weir.planning.plan import Planned


def plans_to_run(pipeline: Pipeline, names: list[str | None], source: str, trace: str | None) -> list[Planned]:
    """All plans before anything is built. Warnings go to stderr; `source` names the project in them."""
    planned = [pipeline.plan_to_run(name, trace) for name in names]
    for one in planned:
        show(one.diagnostics, source)
    return planned


def prepare(pipeline: Pipeline, planned: Planned, command: str, listener: Listener) -> Runnable:
    """Builds one deployment. `command`: the words that run it again. WeirError where it does not build."""
    plan = planned.plan
    built = pipeline.build(plan, lambda what: listener.step(plan.deployment.name, what))
    return pipeline.runnable(plan, built, command)


def shown(path: Path) -> Path:
    """Below the current folder as a person would type it."""
    try:
        return path.relative_to(Path.cwd())
    except ValueError:
        return path
