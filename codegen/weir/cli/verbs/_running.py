"""What the verbs that run projects share: preparing a deployment aloud, and how runs and folders are shown."""

from __future__ import annotations

import os
import subprocess
from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from weir import ROOT
from weir.besides import side_by_side
from weir.cli.verbs import show
from weir.model.installed import look

if TYPE_CHECKING:
    from weir.engine.measuring.listener import Listener
    from weir.engine.measuring.runnable import Runnable
    from weir.engine.pipeline import Pipeline
    from weir.model.planning.plan import Plan, Planned

#: Side by side. The compiler takes as much as a gigabyte for a flowgraph of a thousand blocks.
MOST_BUILDS = 4


def plans_to_run(pipeline: Pipeline, names: list[str | None], source: str, trace: str | None) -> list[Planned]:
    """All plans before anything is built. Warnings go to stderr; `source` names the project in them."""
    planned = [pipeline.plan_to_run(name, trace) for name in names]
    for one in planned:
        show(one.diagnostics, source)
    offer_runtimes(pipeline, [one.plan for one in planned])
    return planned


def offer_runtimes(pipeline: Pipeline, plans: Sequence[Plan]) -> None:
    """What of other runtimes the plans need and is not installed the user may have, with a word, before anything is
    built. Who says no, or cannot be asked, is told by the build what is missing.
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
    """Builds one deployment. `command`: the words that run it again. WeirError where it does not build."""
    plan = planned.plan
    built = pipeline.build(plan, lambda what: listener.step(plan.deployment.name, what))
    return pipeline.runnable(planned, built, command)


def prepare_all(pipeline: Pipeline, planned: list[Planned], command: Callable[[str], str],
                listener: Listener) -> list[Runnable]:
    """Builds the deployments side by side, in any order. `command`: of a deployment's name, as `prepare` takes it.

    Of several that do not build the first one is told. Ctrl-C waits for none of them.
    """
    return side_by_side([partial(prepare, pipeline, one, command(one.plan.deployment.name), listener)
                         for one in planned], MOST_BUILDS)


def shown(path: Path) -> Path:
    """Below the current folder as a person would type it."""
    try:
        return path.relative_to(Path.cwd())
    except ValueError:
        return path
