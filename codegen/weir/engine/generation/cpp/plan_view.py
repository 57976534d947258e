"""Template view of a plan without its flowgraph, shared by the C++ targets: workers, pairs, run, parameters."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from types import MappingProxyType

from weir.engine.generation import cmake
from weir.engine.generation.cpp.layout import laid_out
from weir.engine.generation.cpp.text import comment, cpp_double, cpp_float, cpp_string, in_short
from weir.engine.generation.cpp.values import block_class, parameter_limits, parameter_value, scheduler_class
from weir.engine.generation.cpp.views import ParameterView
from weir.engine.targets.interface import GenerationInput
from weir.model.catalog import Catalog
from weir.model.document.deployment import Scheduling
from weir.model.planning import volk
from weir.model.planning.plan import Plan
from weir.model.planning.scheduling import as_requested
from weir.tracers import SILENT


def scheduler_parameters(plan: Plan, catalog: Catalog) -> tuple[list[str], list[ParameterView]]:
    """Return initialisers of the scheduler's Params, and the parameters that can change at run time."""
    scheduler = catalog.schedulers[plan.scheduler]
    values, owner = plan.deployment.parameters, scheduler_class(scheduler)
    initialisers = [f".{p.id} = {parameter_value(p, values[p.id], owner, None)}"
                    for p in scheduler.fields if values.get(p.id) is not None]
    return initialisers, [ParameterView(f"scheduler.{p.id}", (), f"params.{p.id}", parameter_limits(p, None))
                          for p in scheduler.fields if not p.structural]


def libraries(subject: GenerationInput) -> list[str]:
    """Return the names of the pkg-config modules that the used blocks need."""
    return sorted({library for block in subject.blocks for library in block.uses})


def kernels(subject: GenerationInput) -> list[dict[str, object]]:
    """Return the used block classes, one per item type, which the kernel library contains."""
    users: dict[str, list[str]] = {}
    for block in subject.plan.blocks:
        name = block_class(subject.catalog.blocks[block.type], block.item_type)
        users.setdefault(name, []).append(block.instance)
    return [{"name": name, "users": tuple(users[name])} for name in sorted(users)]


def tasks(indices: Sequence[int]) -> str:
    """Return the tasks of a worker or a job as a constant list."""
    if not indices:
        return "{}"
    first, last = indices[0], indices[-1]
    if len(indices) > 2 and list(indices) == list(range(first, last + 1)):
        return f"weir::task_range<{first}, {last}>"
    return f"weir::tasks<{', '.join(map(str, indices))}>"


def plan_view(subject: GenerationInput, natives: Mapping[str, Collection[str]] = MappingProxyType({})
              ) -> dict[str, object]:
    """Return all names that templates may use, except the flowgraph. `natives`: native block -> VOLK kernels that it
    calls.
    """
    plan, catalog = subject.plan, subject.catalog
    run, index = plan.run, {b.instance: b.index for b in plan.blocks}
    scheduler = catalog.schedulers[plan.scheduler]
    initialisers, table = scheduler_parameters(plan, catalog)

    def runs(names: Sequence[str], first: int = 0) -> dict[str, object]:
        return {"runs": names, "tasks": tasks([first + index[name] for name in names]), "about": in_short(names)}

    return {
        "plan": plan, "title": subject.project.title, "description": subject.project.description,
        "blocks": [{"id": b.id, "users": subject.instances_of(b.id)} for b in subject.blocks],
        "sources": "src",  # where the C++ of the project lies
        "kernels": kernels(subject) if plan.links_kernels else [],
        "libraries": [{"id": name, "users": subject.using(name)} for name in libraries(subject)],
        "flags": subject.words[1:], "build_flags": " ".join(subject.words),
        "scheduler_class": scheduler_class(scheduler), "scheduler_header": f"{scheduler.code_of}.hpp",
        "scheduler_params": initialisers, "scheduler_table": table,
        "tracing": plan.trace.backend not in SILENT,
        # The runtime's seed is unsigned; a negative one of a project is its two's complement.
        "seed": f"{run.seed % 2**64}U",
        "requirements": _strings(plan.deployment.require),
        "scheduling": {key: value for key, value in as_requested(plan.deployment.scheduling).items()
                       if key not in ("policy", "priority")},
        "metered": [index[name] for name in plan.metered], "about_metered": in_short(plan.metered),
        "events": _strings(plan.trace.events),
        "workers": [{"id": w.name, "name": cpp_string(w.name),
                     "cpus": f"weir::cpus<{', '.join(map(str, w.cpus))}>" if w.cpus else "{}",
                     "distances": f"weir::distances<{', '.join(map(str, w.distances))}>" if w.distances else "",
                     "scheduling": _scheduling(w.scheduling) if w.scheduling != plan.deployment.scheduling else "",
                     **runs(w.instances, number * len(plan.blocks) if plan.replication else 0)}
                    for number, w in enumerate(plan.workers)],
        "volk": _volk(subject, natives),
        "jobs": [{"id": j.name, "name": cpp_string(j.name), **runs(j.instances)} for j in plan.jobs],
    }


def _scheduling(it: Scheduling) -> str:
    """Return initialisers of scheduling settings."""
    settings = {**as_requested(it), "policy": f"weir::SchedulingPolicy::{it.policy}"}
    return ", ".join(f".{key} = {value}" for key, value in settings.items())


def _volk(subject: GenerationInput, natives: Mapping[str, Collection[str]]) -> dict[str, object] | None:
    """Return the program's settings for VOLK and the kernels it calls; None if no block calls VOLK.

    Native blocks have no code of their own, so `off` is VOLK's plain C for them.
    """
    wishes, kinds = subject.plan.deployment.volk, subject.catalog.blocks
    shared = volk.called((kinds[it.type], it.item_type) for it in subject.plan.blocks
                         if it.type in kinds and it.instance not in natives)
    native = {kernel for kernels in natives.values() for kernel in kernels}
    if not shared and not native:
        return None
    off = {kernel for kernel in {*shared, *native} if volk.wish(wishes, kernel) == volk.OFF}
    called = [{"name": kernel, "wish": cpp_string(volk.GENERIC if kernel in off else wishes.kernels.get(kernel, ""))}
              for kernel in sorted({*shared} - off | native)]
    return {"implementation": cpp_string(wishes.implementation if called else volk.OFF), "calls": bool(called),
            "kernels": called}


def _strings(texts: Iterable[str]) -> list[str]:
    return [cpp_string(text) for text in texts]


FILTERS = {"cpp_string": cpp_string, "cpp_double": cpp_double, "cpp_float": cpp_float, "comment": comment,
           "cmake": cmake.quoted, "laid_out": laid_out}
