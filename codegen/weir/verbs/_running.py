"""What the verbs that run projects share: preparing a deployment aloud, and how runs and folders are shown."""

from __future__ import annotations

import os
import subprocess
import threading
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from weir.catalog import ROOT
from weir.installed import look
from weir.verbs import show

if TYPE_CHECKING:
    from weir.measuring.listener import Listener
    from weir.measuring.runnable import Runnable
    from weir.pipeline import Pipeline
    from weir.planning.plan import Plan, Planned

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
    if len(planned) == 1:
        return [prepare(pipeline, planned[0], command(planned[0].plan.deployment.name), listener)]
    made: list[Runnable | BaseException | None] = [None] * len(planned)
    todo = iter(range(len(planned)))
    taking = threading.Lock()

    def work() -> None:
        while True:
            with taking:
                i = next(todo, None)
            if i is None or any(isinstance(one, BaseException) for one in made):
                return
            try:
                made[i] = prepare(pipeline, planned[i], command(planned[i].plan.deployment.name), listener)
            except BaseException as error:
                made[i] = error

    count = min(len(planned), len(os.sched_getaffinity(0)), MOST_BUILDS)
    threads = [threading.Thread(target=work, daemon=True) for _ in range(count)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    for one in made:
        if isinstance(one, BaseException):
            raise one
    return [one for one in made if one is not None]


def shown(path: Path) -> Path:
    """Below the current folder as a person would type it."""
    try:
        return path.relative_to(Path.cwd())
    except ValueError:
        return path
