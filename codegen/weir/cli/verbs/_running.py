"""Shared parts of the verbs that run projects: plan and build deployments with progress, and show paths."""

from __future__ import annotations

import os
import subprocess
from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from weir import ROOT
from weir.besides import side_by_side
from weir.cli.verbs import say, show
from weir.model.installed import look

if TYPE_CHECKING:
    from weir.engine.measuring.listener import Listener
    from weir.engine.measuring.runnable import Runnable
    from weir.engine.pipeline import Pipeline
    from weir.model.planning.plan import Plan, Planned

#: Parallel builds. The compiler takes up to 1 GB for a flowgraph of a thousand blocks.
MOST_BUILDS = 4


def plans_to_run(pipeline: Pipeline, names: list[str | None], source: str, trace: str | None) -> list[Planned]:
    """Plan all deployments before anything is built. Warnings go to stderr; `source` names the project in them."""
    planned = [pipeline.plan_to_run(name, trace) for name in names]
    for one in planned:
        show(one.diagnostics, source)
    before_runs(pipeline, [one.plan for one in planned])
    return planned


def before_runs(pipeline: Pipeline, plans: Sequence[Plan]) -> None:
    """Say which blocks the runs replace, and offer to install what they need."""
    from weir.model.flowgraph.replacing import said

    project = pipeline.checked.project
    parameters = project.parameters if project else {}
    for line in dict.fromkeys(line for plan in plans for line in said(plan.as_json().get("replaced", ()), parameters)):
        say(line)
    offer_runtimes(pipeline, plans)


def offer_runtimes(pipeline: Pipeline, plans: Sequence[Plan]) -> None:
    """Offer to install the peer runtimes that the plans need, before anything is built.

    If the user declines or there is no terminal, the build reports what is missing.
    """
    if os.environ.get("WEIR_SKIP_SETUP"):
        return
    for name in dict.fromkeys(plan.target for plan in plans):
        runtime = pipeline.checked.catalog.targets[name].runtime
        if runtime and runtime.packages and look(runtime).lacks:
            subprocess.run(["/bin/sh", str(ROOT / "setup" / "runtime.sh"), runtime.title, *runtime.packages],
                           check=False)
            look.cache_clear()


def prepare(pipeline: Pipeline, planned: Planned, command: str, listener: Listener) -> Runnable:
    """Build one deployment. `command` is the command line that runs it again. Raises WeirError if the build fails."""
    plan = planned.plan
    built = pipeline.build(plan, lambda what: listener.step(plan.deployment.name, what))
    return pipeline.runnable(planned, built, command)


def prepare_all(pipeline: Pipeline, planned: list[Planned], command: Callable[[str], str],
                listener: Listener) -> list[Runnable]:
    """Build the deployments in parallel. `command` maps a deployment's name to the `command` of `prepare`.

    Reports the first of several failed builds. Ctrl-C waits for none of them.
    """
    return side_by_side([partial(prepare, pipeline, one, command(one.plan.deployment.name), listener)
                         for one in planned], MOST_BUILDS)


def shown(path: Path) -> Path:
    """Return the path relative to the current folder if it lies in it."""
    try:
        return path.relative_to(Path.cwd())
    except ValueError:
        return path
