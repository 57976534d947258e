"""Pipeline of every verb: project -> plan -> generated tree -> binary -> run directory.

Each step has a typed result, or raises WeirError with all diagnostics. Nothing is printed here.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache, cached_property, partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

from weir.diagnostics import Diagnostic, WeirError, diagnostic, did_you_mean, has_errors
from weir.model.check import Checked, check
from weir.model.target_type import OWN_PROTOCOL
from weir.tracers import RECORDING

if TYPE_CHECKING:
    from weir.engine.generation.build import Built
    from weir.engine.measuring.child import Interrupts
    from weir.engine.measuring.runnable import Runnable, Verified
    from weir.engine.measuring.runner import Finished, Listener, RunOptions
    from weir.engine.targets.interface import Program, RunProtocol
    from weir.model.catalog import Catalog, Target
    from weir.model.document.deployment import Deployment
    from weir.model.planning.machine import Machine
    from weir.model.planning.plan import Plan, Planned
    from weir.model.planning.profile import Profile

Say = Callable[[str], None]
#: Command-line options that name folders -> fields of `Folders`.
_OPTIONS = {"--allow-path": "allow", "--block-path": "blocks", "--scheduler-path": "schedulers",
            "--target-path": "targets"}


def silent(_: str) -> None:
    """Ignore a message."""


@dataclass(frozen=True)
class Folders:
    """Folders that the command line trusts besides the tree and the project's folder.

    Blocks may read and write in `allow`; code in `blocks`, `schedulers` and `targets` is compiled and run.
    """

    allow: tuple[Path, ...] = ()
    blocks: tuple[Path, ...] = ()
    schedulers: tuple[Path, ...] = ()
    targets: tuple[Path, ...] = ()

    def by_option(self) -> dict[str, list[str]]:
        """Return absolute paths by their option, without empty options."""
        return {option: [str(path.absolute()) for path in getattr(self, name)] for option, name in _OPTIONS.items()
                if getattr(self, name)}

    @classmethod
    def of_options(cls, paths: Mapping[str, Sequence[str]]) -> Folders:
        """Return the folders from the result of `by_option`."""
        return cls(**{name: tuple(map(Path, paths.get(option, ()))) for option, name in _OPTIONS.items()})


class Pipeline:
    """Pipeline of a project. Reads the catalog, solves the rates and examines the machine once."""

    def __init__(self, checked: Checked, folders: Folders = Folders(), machine: Path | None = None,
                 here: Machine | None = None, sets: Mapping[str, str] | None = None,
                 profile: Path | Profile | None = None):
        """Take a checked project. `machine` is a machine file to plan for, None for this machine.

        `here` is this machine if already examined. `sets` has changes to the file's document. `profile` has measured
        block costs, or is the run directory or file with them.
        """
        self.checked = checked
        self.folders = folders
        self._machine_file = machine
        self._here = here
        self.sets = sets or {}
        self._profile = profile

    @classmethod
    def open(cls, source: Path | str | bytes, *, sets: Mapping[str, str] | None = None, directory: Path | None = None,
             folders: Folders = Folders(), machine: Path | None = None, here: Machine | None = None,
             catalog: Catalog | None = None, profile: Path | Profile | None = None) -> Pipeline:
        """Return the pipeline of a file or of a project's text, valid or not.

        Relative paths of a text start at `directory`.
        """
        return cls(check(source, sets=sets, directory=directory, allow_paths=folders.allow, block_paths=folders.blocks,
                         scheduler_paths=folders.schedulers, target_paths=folders.targets, catalog=catalog),
                   folders, machine, here, sets, profile)

    @cached_property
    def machine(self) -> Machine:
        """Return the machine to plan for. Raises WeirError if its file is invalid."""
        from weir.model.planning.machine import read_machine

        return read_machine(self._machine_file) if self._machine_file else self.this_machine

    @cached_property
    def this_machine(self) -> Machine:
        """Return this machine, with its speeds if they were measured."""
        from weir.engine.measuring.speeds import with_kept
        from weir.machine.environment import isolation
        from weir.model.planning.topology import parse_list, this_machine

        found = self._here or with_kept(this_machine())
        outer = isolation()
        return found if outer is None else replace(found, isolated=tuple(sorted(parse_list(str(outer["cpus"])))))

    @cached_property
    def profile(self) -> Profile | None:
        """Return the block costs for plans. Raises WeirError if they cannot be read."""
        from weir.engine.measuring.profiles import read_profile

        return read_profile(self._profile) if isinstance(self._profile, Path) else self._profile

    @property
    def calls_volk(self) -> bool:
        """Return whether a block calls VOLK."""
        return any("volk" in instance.type.uses for instance in self.checked.valid().graph.instances)

    def valid(self, deployments: Sequence[str] | None = None) -> list[Diagnostic]:
        """Return the warnings of a project that is valid for these deployments (`Checked.concerning`).

        Raises WeirError with all diagnostics if it is not.
        """
        said = self.checked.concerning(deployments)
        if has_errors(said):
            raise WeirError(said)
        return said

    def plan(self, deployment: str | None = None, trace: str | None = None, target: str | None = None) -> Planned:
        """Return the plan of a valid project. Raises WeirError if the target does not exist.

        `trace` is the back-end for a run if the project has none; `target` overrides the deployment's target.
        """
        from weir.model.planning.plan import make_plan
        from weir.model.planning.target_check import check_target

        it = self.checked.valid()
        chosen = it.project.deployment(deployment)
        if target is not None:
            chosen = replace(chosen, target=target)
            faults = check_target(chosen, it.graph, it.catalog, it.project.document.get("run", {}), True)
            if has_errors(faults):
                raise WeirError([replace(fault, pointer="") if fault.pointer.endswith("/target") else fault
                                 for fault in faults])
        planned = make_plan(it.project, it.graph, it.catalog, self.machine, chosen, trace, it.rates, self.profile)
        faults = [] if self._machine_file else self._without_memory(planned.plan)
        if faults:
            raise WeirError([*planned.diagnostics, *faults])
        return planned

    def _without_memory(self, plan: Plan) -> list[Diagnostic]:
        from weir.model.planning.memory import check_memory, machine_bytes

        return check_memory(plan.deployment, plan.memories, machine_bytes())

    def plan_to_run(self, deployment: str | None = None, trace: str | None = None, elsewhere: bool = False) -> Planned:
        """Return the plan of a run on this machine. Raises WeirError if a CPU or a VOLK implementation is missing.

        `elsewhere`: the run is on the machine of the machine file, of which Weir only knows the CPUs.
        """
        from weir.model.planning.deployment_check import check_machine, oversubscribed
        from weir.model.planning.isolation_check import machine_for

        planned, it = self.plan(deployment, trace), self.checked.valid()
        plan = planned.plan
        scheduler = self.checked.catalog.schedulers[plan.scheduler]
        crowded = oversubscribed(plan.workers, it.graph, plan.deployment, scheduler,
                                 machine_for(self.machine, plan.deployment))
        said = {fault.code for fault in planned.diagnostics}
        more = [fault for fault in it.project.located(crowded) if fault.code not in said]
        planned = replace(planned, diagnostics=(*planned.diagnostics, *more))
        faults = check_machine(plan.workers, plan.deployment, scheduler,
                               self.machine if elsewhere else self.this_machine)
        faults = faults or ([] if elsewhere else self._without_memory(plan))
        if faults:
            # Drop the plan's warning about a missing CPU, because the run reports it as an error.
            left_out = ("W_CPU_MISSING", "W_SURROUNDINGS")
            raise WeirError([*(fault for fault in planned.diagnostics if fault.code not in left_out), *faults])
        if faults := [] if elsewhere else self._not_in_volk(planned.plan.deployment):
            raise WeirError([*planned.diagnostics, *faults])
        return planned

    def check_params(self, params: Sequence[str], deployments: Sequence[str | None]) -> None:
        """Raise WeirError (E_USAGE) for a `--param` unknown to these deployments. Programs check the values."""
        it = self.checked.valid()
        # GNU Radio's own program takes no values at its start.
        kinds = {instance.block_id: instance.type for instance in it.graph.instances if not instance.type.of_gnuradio}
        schedulers = [it.catalog.schedulers[it.project.deployment(name).scheduler] for name in deployments]
        owners: list[tuple[str, Any]] = [*kinds.items(), *(("scheduler", one) for one in schedulers)]
        known = {f"{owner}.{p.id}" for owner, kind in owners for p in kind.parameters if not p.structural}
        for text in params:
            name, equals, _ = text.partition("=")
            if not equals:
                raise WeirError(diagnostic("E_USAGE", "", f"--param {text}: expected instance.parameter=value"))
            if name.strip() not in known:
                raise WeirError(diagnostic("E_USAGE", "", f"--param {name}: the program has no such parameter",
                                           did_you_mean(name, known) or "use --set if it needs another build"))

    def _not_in_volk(self, deployment: Deployment) -> list[Diagnostic]:
        from weir.engine.measuring.volk import implementations
        from weir.model.document.deployment import Volk
        from weir.model.planning.volk import called, check_implementations

        if deployment.volk == Volk():
            return []
        kernels = called((it.type, it.item_type) for it in self.checked.valid().graph.instances)
        return list(check_implementations(deployment, implementations(kernels)))

    def write(self, plan: Plan, directory: Path) -> list[str]:
        """Write the generated project to `directory`, whole or not at all; return its files by relative path."""
        from weir.engine.generation.emit import generate, write_tree

        files = generate(plan, self.checked.valid().project, self.checked.catalog)
        write_tree(files, directory)
        return sorted(files)

    def tracer(self, plan: Plan, wanted: str | None) -> str:
        """Return the trace back-end of a run that requests `wanted`."""
        target = self._target(plan)
        if wanted is None or wanted in RECORDING and wanted not in target.trace:
            return plan.trace.backend
        return target.nearest_trace(wanted)

    def build(self, plan: Plan, say: Say = silent, directory: Path | None = None, anew: bool = False) -> Built:
        """Build the program in `directory`, or without one in the cache.

        With `anew`, do not use a cached program.
        """
        from weir.engine.generation.build import build_cached, build_in

        project, catalog = self.checked.valid().project, self.checked.catalog
        if directory is not None:
            return build_in(directory, plan, project, catalog, say)
        return build_cached(plan, project, catalog, say, anew)

    def place_of(self, plan: Plan) -> tuple[Path, bool]:
        """Return the program's cache folder and whether it is built. Raises WeirError if it cannot be built here."""
        from weir.engine.generation.build import place_of

        return place_of(plan, self.checked.valid().project, self.checked.catalog)

    def runnable(self, planned: Planned, built: Built, command: str) -> Runnable:
        """Return the input of the runner. `command` is the command that makes such a run again."""
        from weir.engine.generation.outside_sources import outside_sources
        from weir.engine.measuring.coordinates import settings_of
        from weir.engine.measuring.isolated_run import isolation_for
        from weir.engine.measuring.results import speaking_against
        from weir.engine.measuring.runnable import Runnable, UnchangedEnvironment

        project, plan = self.checked.valid().project, planned.plan
        return Runnable(project.document, project.directory.absolute(), plan.as_json(), self.machine.as_json(),
                        built.program, dict(project.parameters), command, built.sources, self.folders.by_option(),
                        verify=partial(self.verify, plan, built), verifiable=bool(self._target(plan).verify),
                        kept=outside_sources(plan, self.checked.catalog),
                        protocol=self._protocol(plan), tools=built.tools, traces=self._target(plan).trace,
                        settings=settings_of(self.sets, project.document, project.parameters),
                        warnings=speaking_against(plan, planned.diagnostics), volk=self.calls_volk,
                        run_environment=isolation_for(plan.deployment, self.this_machine) or UnchangedEnvironment)

    def verify(self, plan: Plan, built: Built, params: Sequence[str], interrupts: Interrupts,
               anew: bool = False) -> Verified | None:
        """Verify that the binary computes the project; None after an interrupt. See `weir.engine.verifying`."""
        from weir.engine.verifying.verify import VerificationRequest, verified

        it = self.checked.valid()
        # With one thread or a fixed schedule, the program has no other order of its own to compare with.
        alike = plan.schedule is not None or len(plan.workers) == 1 and not plan.jobs
        other = self._with_more_threads(plan) if alike else None
        another = cache(partial(self._under_another, plan.deployment, other)) if other else None
        return verified(VerificationRequest(built.program, plan.as_json(), it.graph, it.project.directory.absolute(),
                                            tuple(params), another, self._protocol(plan), self._target(plan).verify),
                        interrupts, anew)

    def _target(self, plan: Plan) -> Target:
        return self.checked.catalog.targets[plan.target]

    def _protocol(self, plan: Plan) -> RunProtocol:
        """Return the run protocol of the plan's target: that of its folder, else Weir's own."""
        from weir.engine.measuring import weir_protocol
        from weir.engine.targets.code import code_of

        target = self._target(plan)
        own = target.protocol == OWN_PROTOCOL
        return code_of(target, "protocol", "command", "verdict", "results", "tapped") if own else weir_protocol

    def _with_more_threads(self, plan: Plan) -> str | None:
        """Return a scheduler of the plan's target with one thread per block; None if none supports this graph."""
        it = self.checked.valid()
        return next((s.id for s in it.catalog.schedulers_of(self._target(plan)) if s.workers == "per_block"
                     and all(i.type.meets(need) for i in it.graph.instances for need in s.requires)), None)

    def _under_another(self, deployment: Deployment, scheduler: str) -> Program:
        """Build the same work with another scheduler and return the program."""
        from weir.model.document.deployment import reference_deployment
        from weir.model.planning.plan import make_plan

        it, other = self.checked.valid(), reference_deployment(deployment, scheduler)
        return self.build(make_plan(it.project, it.graph, it.catalog, self.machine, other, None,
                                    it.rates).plan).program


@dataclass(frozen=True)
class Measured:
    """Runs that were made; the last one is cut short if `interrupted`."""

    runs: list[Finished]
    interrupted: bool


def measure(runnables: Sequence[Runnable], options: RunOptions, listener: Listener, catalog: Catalog) -> Measured:
    """Make the runs, each in its run directory, and compare the answers of equal work. Ctrl-C ends it early.

    Each binary is verified before its first run.
    """
    from weir.engine.measuring.runner import run_all
    from weir.engine.verifying.digests import mark_different_digests

    made: list[Finished] = []

    def finished(one: Finished) -> None:
        made.append(one)
        listener.finished(one)

    interrupted = False
    try:
        run_all(runnables, options, replace(listener, finished=finished))
    except KeyboardInterrupt:
        interrupted = True
    for line in mark_different_digests(made, catalog):
        listener.say(line)
    return Measured(made, interrupted)
