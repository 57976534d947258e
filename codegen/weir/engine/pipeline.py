"""project -> plan -> generated tree -> binary -> run directory: the one way that every verb goes.

Each step has a typed result, and raises WeirError with every diagnostic where it has none. Nothing is printed here.
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
#: The options of the command line that name folders, and the fields of `Folders`.
_OPTIONS = {"--allow-path": "allow", "--block-path": "blocks", "--scheduler-path": "schedulers",
            "--target-path": "targets"}


def silent(_: str) -> None:
    """For who does not want to hear of the steps."""


@dataclass(frozen=True)
class Folders:
    """What the command line trusts beyond the tree and the project's folder.

    `allow`: blocks may read and write there; `blocks`, `schedulers`, `targets`: code that is compiled and run.
    """

    allow: tuple[Path, ...] = ()
    blocks: tuple[Path, ...] = ()
    schedulers: tuple[Path, ...] = ()
    targets: tuple[Path, ...] = ()

    def by_option(self) -> dict[str, list[str]]:
        """Absolute paths by the option that names them, without the options that name none."""
        return {option: [str(path.absolute()) for path in getattr(self, name)] for option, name in _OPTIONS.items()
                if getattr(self, name)}

    @classmethod
    def of_options(cls, paths: Mapping[str, Sequence[str]]) -> Folders:
        """What `by_option` gave."""
        return cls(**{name: tuple(map(Path, paths.get(option, ()))) for option, name in _OPTIONS.items()})


class Pipeline:
    """A project on its way. Its catalog is read, its rates are solved and the machine is looked at once."""

    def __init__(self, checked: Checked, folders: Folders = Folders(), machine: Path | None = None,
                 here: Machine | None = None, sets: Mapping[str, str] | None = None,
                 profile: Path | Profile | None = None):
        """`machine`: a machine file to plan for; this machine without one. `here`: this one, for who has looked.

        `sets`: what of the document is not as its file has it. `profile`: what blocks were measured to cost, or the run
        directory or file that has it.
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
        """Of a file, or of a project's text whose relative paths start at `directory`; valid or not."""
        return cls(check(source, sets=sets, directory=directory, allow_paths=folders.allow, block_paths=folders.blocks,
                         scheduler_paths=folders.schedulers, target_paths=folders.targets, catalog=catalog),
                   folders, machine, here, sets, profile)

    @cached_property
    def machine(self) -> Machine:
        """The machine to plan for. WeirError where its file is none."""
        from weir.model.planning.machine import read_machine

        return read_machine(self._machine_file) if self._machine_file else self.this_machine

    @cached_property
    def this_machine(self) -> Machine:
        """The machine that this runs on, with its speeds where they were measured."""
        from weir.engine.measuring.speeds import with_kept
        from weir.machine.environment import isolation
        from weir.model.planning.topology import parse_list, this_machine

        found = self._here or with_kept(this_machine())
        outer = isolation()
        return found if outer is None else replace(found, isolated=tuple(sorted(parse_list(str(outer["cpus"])))))

    @cached_property
    def profile(self) -> Profile | None:
        """What plans take the costs of blocks from. WeirError where it cannot be read."""
        from weir.engine.measuring.profiles import read_profile

        return read_profile(self._profile) if isinstance(self._profile, Path) else self._profile

    @property
    def calls_volk(self) -> bool:
        """Whether a block calls VOLK."""
        return any("volk" in instance.type.uses for instance in self.checked.valid().graph.instances)

    def valid(self, deployments: Sequence[str] | None = None) -> list[Diagnostic]:
        """The warnings of a project that is valid as far as these deployments need it: `Checked.concerning`.

        WeirError with every diagnostic where it is not.
        """
        said = self.checked.concerning(deployments)
        if has_errors(said):
            raise WeirError(said)
        return said

    def plan(self, deployment: str | None = None, trace: str | None = None, target: str | None = None) -> Planned:
        """The plan of a valid project. `trace`: a back-end that a run wants, where the project has none; `target`:
        another one than the deployment's. WeirError where there is no such target.
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

    def plan_to_run(self, deployment: str | None = None, trace: str | None = None) -> Planned:
        """The plan of a run on this machine. WeirError where that lacks a CPU of it, or an implementation of VOLK's."""
        from weir.model.planning.deployment_check import check_machine

        planned = self.plan(deployment, trace)
        plan = planned.plan
        scheduler = self.checked.catalog.schedulers[plan.scheduler]
        faults = (check_machine(plan.workers, plan.deployment, scheduler, self.this_machine)
                  or self._without_memory(plan))
        if faults:
            # The plan's warning about a missing CPU is the run's error: said once.
            said = ("W_CPU_MISSING", "W_SURROUNDINGS")
            raise WeirError([*(fault for fault in planned.diagnostics if fault.code not in said), *faults])
        if faults := self._not_in_volk(planned.plan.deployment):
            raise WeirError([*planned.diagnostics, *faults])
        return planned

    def check_params(self, params: Sequence[str], deployments: Sequence[str | None]) -> None:
        """WeirError (E_USAGE) for a `--param` that no program of these deployments has. Programs check the values."""
        it = self.checked.valid()
        kinds = {instance.block_id: instance.type for instance in it.graph.instances}
        schedulers = [it.catalog.schedulers[it.project.deployment(name).scheduler] for name in deployments]
        owners: list[tuple[str, Any]] = [*kinds.items(), *(("scheduler", one) for one in schedulers)]
        known = {f"{owner}.{p.id}" for owner, kind in owners for p in kind.parameters if not p.structural}
        for text in params:
            name, equals, _ = text.partition("=")
            if not equals:
                raise WeirError(diagnostic("E_USAGE", "", f"--param {text}: it must be instance.parameter=value"))
            if name.strip() not in known:
                raise WeirError(diagnostic("E_USAGE", "", f"--param {name}: the program has no such parameter",
                                           did_you_mean(name, known) or "--set changes what takes another build"))

    def _not_in_volk(self, deployment: Deployment) -> list[Diagnostic]:
        from weir.engine.measuring.volk import implementations
        from weir.model.document.deployment import Volk
        from weir.model.planning.volk import called, check_implementations

        if deployment.volk == Volk():
            return []
        kernels = called((it.type, it.item_type) for it in self.checked.valid().graph.instances)
        return list(check_implementations(deployment, implementations(kernels)))

    def write(self, plan: Plan, directory: Path) -> list[str]:
        """Puts the generated project into `directory`, whole or not at all; returns its files by relative path."""
        from weir.engine.generation.emit import generate, write_tree

        files = generate(plan, self.checked.valid().project, self.checked.catalog)
        write_tree(files, directory)
        return sorted(files)

    def tracer(self, plan: Plan, wanted: str | None) -> str:
        """What a run of it is traced with, where `wanted` was asked for."""
        return wanted if wanted in self._target(plan).trace else plan.trace.backend

    def build(self, plan: Plan, say: Say = silent, directory: Path | None = None, anew: bool = False) -> Built:
        """The program, built in `directory` or, without one, in the cache, where it may be ready; not used with `anew`.
        """
        from weir.engine.generation.build import build_cached, build_in

        project, catalog = self.checked.valid().project, self.checked.catalog
        if directory is not None:
            return build_in(directory, plan, project, catalog, say)
        return build_cached(plan, project, catalog, say, anew)

    def place_of(self, plan: Plan) -> tuple[Path, bool]:
        """The folder of the cache for the program, and whether it is built. WeirError where it cannot be built here."""
        from weir.engine.generation.build import place_of

        return place_of(plan, self.checked.valid().project, self.checked.catalog)

    def runnable(self, planned: Planned, built: Built, command: str) -> Runnable:
        """What the runner takes. `command`: the words that make such a run again."""
        from weir.engine.generation.foreign import foreign_sources
        from weir.engine.measuring.coordinates import settings_of
        from weir.engine.measuring.isolated_run import isolation_for
        from weir.engine.measuring.results import speaking_against
        from weir.engine.measuring.runnable import AsIs, Runnable

        project, plan = self.checked.valid().project, planned.plan
        return Runnable(project.document, project.directory.absolute(), plan.as_json(), self.machine.as_json(),
                        built.program, dict(project.parameters), command, built.sources, self.folders.by_option(),
                        verify=partial(self.verify, plan, built), kept=foreign_sources(plan, self.checked.catalog),
                        protocol=self._protocol(plan), tools=built.tools, traces=self._target(plan).trace,
                        settings=settings_of(self.sets, project.document, project.parameters),
                        warnings=speaking_against(plan, planned.diagnostics), volk=self.calls_volk,
                        around=isolation_for(plan.deployment, self.this_machine) or AsIs)

    def verify(self, plan: Plan, built: Built, params: Sequence[str], interrupts: Interrupts,
               anew: bool = False) -> Verified | None:
        """Whether the binary computes what the project says; None after an interrupt. See `weir.engine.verifying`."""
        from weir.engine.verifying.verify import Subject, verified

        it = self.checked.valid()
        # One thread, and a schedule that was made beforehand, could only be held against themselves.
        alike = plan.schedule is not None or len(plan.workers) == 1 and not plan.jobs
        other = self._with_more_threads(plan) if alike else None
        another = cache(partial(self._under_another, plan.deployment, other)) if other else None
        return verified(Subject(built.program, plan.as_json(), it.graph, it.project.directory.absolute(),
                                tuple(params), another, self._protocol(plan), self._target(plan).verify),
                        interrupts, anew)

    def _target(self, plan: Plan) -> Target:
        return self.checked.catalog.targets[plan.target]

    def _protocol(self, plan: Plan) -> RunProtocol:
        """How programs of its target are run: that of its folder, else Weir's own."""
        from weir.engine.measuring import weir_protocol
        from weir.engine.targets.code import code_of

        target = self._target(plan)
        own = target.protocol == OWN_PROTOCOL
        return code_of(target, "protocol", "command", "verdict", "results", "tapped") if own else weir_protocol

    def _with_more_threads(self, plan: Plan) -> str | None:
        """A scheduler of the plan's target that gives every block a thread; None where it has none for this graph."""
        it = self.checked.valid()
        return next((s.id for s in it.catalog.schedulers_of(self._target(plan)) if s.workers == "per_block"
                     and all(i.type.meets(need) for i in it.graph.instances for need in s.requires)), None)

    def _under_another(self, deployment: Deployment, scheduler: str) -> Program:
        """The program of the same work under another scheduler."""
        from weir.model.document.deployment import reference_deployment
        from weir.model.planning.plan import make_plan

        it, other = self.checked.valid(), reference_deployment(deployment, scheduler)
        return self.build(make_plan(it.project, it.graph, it.catalog, self.machine, other, None,
                                    it.rates).plan).program


@dataclass(frozen=True)
class Measured:
    """The runs that were made, the last of them cut short where they were `interrupted`."""

    runs: list[Finished]
    interrupted: bool


def measure(runnables: Sequence[Runnable], options: RunOptions, listener: Listener, catalog: Catalog) -> Measured:
    """A run directory a run, each binary verified before its first. Answers of equal work are held against each other.

    Ctrl-C ends it early.
    """
    from weir.engine.measuring.runner import run_all
    from weir.engine.verifying.digests import hold_against_each_other

    made: list[Finished] = []

    def finished(one: Finished) -> None:
        made.append(one)
        listener.finished(one)

    interrupted = False
    try:
        run_all(runnables, options, replace(listener, finished=finished))
    except KeyboardInterrupt:
        interrupted = True
    for line in hold_against_each_other(made, catalog):
        listener.say(line)
    return Measured(made, interrupted)
