"""Random deployments of a project: every scheduler of the catalog, in several ways."""

from __future__ import annotations

import json
import random
from pathlib import Path

from planning import machine
from weir.diagnostics import WeirError, has_errors
from weir.engine.conformance.deployments import choices
from weir.model.catalog import Catalog, SchedulerType
from weir.model.check import Checked, check
from weir.model.planning.plan import make_plan

#: Diagnostics of schedulers that cannot run the blocks of a project.
REFUSALS = ("E_SCHEDULER_BLOCK", "E_RATE_NOT_STATIC", "E_RUNTIME_RATE")


def _refused_as_placed(checked: Checked, scheduler: SchedulerType) -> set[str]:
    """Plan the graph: if the placement decides whether a scheduler can run it, only a plan tells."""
    if "static_rate_worker" not in scheduler.requires:
        return set()
    try:
        make_plan(checked.project, checked.graph, checked.catalog, machine("two_core"))
    except WeirError as error:
        codes = {d.code for d in error.diagnostics}
        assert codes == {"E_RATE_NOT_STATIC"}, error.diagnostics
        return codes
    return set()


def _lacks_cpus(checked: Checked) -> bool:
    """Return whether a peer runtime's scheduler needs a CPU for each worker and has drawn too few."""
    it = checked.project.deployments[0]
    if it.target not in ("futuresdr", "futuresdr010"):
        return False
    cpus = [worker.cpus for worker in make_plan(checked.project, checked.graph, checked.catalog,
                                                machine("two_core")).plan.workers]
    return len(set(cpus)) < len(cpus)


def deployed(document: dict, catalog: Catalog, seed: int, each: int, directory: Path) -> tuple[Checked, list[str]]:
    """Return the project under every scheduler that can run it, and the schedulers that cannot.

    Each scheduler gets the first target that has it, in `each` ways if there are choices.
    """
    dice = random.Random(f"deployments of {seed}")
    bare = check(json.dumps(document), directory=directory, catalog=catalog)
    assert bare.graph is not None, bare.diagnostics
    fine, refused = [], []
    for scheduler in catalog.schedulers.values():
        target, *_ = catalog.targets_of(scheduler)
        for i in range(each if {"chunk_items", "buffers"} & set(target.settings) or scheduler.parameters else 1):
            built = {"build": {"optimisation": "O1"}} if target.heeds_build("optimisation") else {}
            wish = {"name": f"{scheduler.id}-{i}", "scheduler": scheduler.id, **built,
                    **choices(scheduler, target, bare.graph, dice, plain=i == 0)}
            alone = check(json.dumps({**document, "deployments": [wish]}), directory=directory, catalog=catalog)
            refuses = {d.code for d in alone.diagnostics if d.code in REFUSALS}
            assert refuses or not has_errors(alone.diagnostics), (wish, alone.diagnostics)
            refuses = refuses or _refused_as_placed(alone, scheduler)
            if not refuses and _lacks_cpus(alone):
                wish = {key: value for key, value in wish.items() if key not in ("affinity", "placement", "workers")}
            if refuses:
                refused.append(scheduler.id)
            else:
                fine.append(wish)
    return check(json.dumps({**document, "deployments": fine}), directory=directory, catalog=catalog), refused
