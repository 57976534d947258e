"""Find the planner of a scheduler, run it, and check its result."""

from __future__ import annotations

import contextlib
import copy
from collections.abc import Iterator
from types import ModuleType

from weir.diagnostics import WeirError, diagnostic
from weir.model.catalog import SchedulerType
from weir.model.folder_code import module_of, place_of
from weir.model.planning import arrangement_check, dynamic, schedule_check
from weir.model.planning.planner import Arrangement, NoPlan, NotStatic, Request
from weir.model.planning.schedule import Schedule
from weir.standard_output import prints_to_stderr


def arrange(request: Request) -> Arrangement:
    """Return the arrangement of the scheduler's planner. Raises WeirError (E_PLANNER, E_PLANNER_REFUSES, E_SCHEDULE).

    This executes Python of the scheduler's folder if its descriptor names a planner. Such a folder is Weir's own, or
    was named on the command line.
    """
    scheduler, at = request.scheduler, request.deployment.pointer
    if not scheduler.planner:
        return dynamic.plan(request)
    with _guarded(request):
        # The planner gets a copy: the plan and the checks use the request, so no planner may change it.
        made: Arrangement = _planner_of(request).plan(copy.deepcopy(request))
    wrong = arrangement_check.faults_of(made, request)
    if wrong:
        raise WeirError([diagnostic("E_PLANNER", at, f"the planner of `{scheduler.id}`: {fault}") for fault in wrong])
    if made.schedule is not None:
        # Replicated workers do the same and are independent, so checking the first one is enough.
        alone = made.schedule if made.replication is None else Schedule(made.schedule.worker_schedules[:1])
        faults = schedule_check.faults_of(alone, made.streams, request.graph, request.rates)
        if faults:
            raise WeirError([diagnostic("E_SCHEDULE", at, f"the schedule of `{scheduler.id}`: {fault.message}",
                                        fault.hint) for fault in faults])
    return made


def _planner_of(request: Request) -> ModuleType:
    scheduler = request.scheduler
    file = scheduler.folder / scheduler.planner
    module = module_of(file, "planner")
    if not callable(getattr(module, "plan", None)):
        raise WeirError(diagnostic("E_PLANNER", request.deployment.pointer, f"{file} has no function `plan`",
                                   "define plan(request: Request) -> Arrangement"))
    return module


@contextlib.contextmanager
def _guarded(request: Request) -> Iterator[None]:
    """Turn each exception of the planner's code into a diagnostic that names its place in that code."""
    scheduler: SchedulerType = request.scheduler
    try:
        with prints_to_stderr():
            yield
    except NotStatic as refusal:
        at = request.deployment.pointer
        raise WeirError(diagnostic("E_RATE_NOT_STATIC", at + "/scheduler" if at else "", _one_line(str(refusal)),
                                   _one_line(str(refusal.hint)), blocks=refusal.blocks)) from None
    except NoPlan as refusal:
        raise WeirError(diagnostic("E_PLANNER_REFUSES", request.deployment.pointer,
                                   _one_line(f"`{scheduler.id}` has no plan: {refusal}"),
                                   _one_line(str(refusal.hint)))) from None
    except (WeirError, KeyboardInterrupt):
        raise
    except BaseException as error:  # a planner may raise anything, even SystemExit
        place = place_of(error, scheduler.folder.resolve()) or str(scheduler.folder / scheduler.planner)
        what = _one_line(f"the planner of `{scheduler.id}`: {place}: {type(error).__name__}: {error}")
        raise WeirError(diagnostic("E_PLANNER", request.deployment.pointer, what)) from error


def _one_line(text: str) -> str:
    return " ".join(text.splitlines())
