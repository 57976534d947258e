"""Catalog of block, scheduler and target descriptors, found in their folders and checked."""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Iterable, Mapping
from dataclasses import asdict, dataclass, field
from functools import partial
from pathlib import Path
from typing import Any

from weir import ROOT, __version__
from weir.diagnostics import Diagnostic, WeirError, diagnostic, os_error
from weir.files import read_bounded
from weir.model import target_type
from weir.model.descriptor_check import SCHEDULERS, faults_of_meaning, faults_of_shape
from weir.model.document import jsontext
from weir.model.document.deployment import CORES, Build
from weir.model.document.item_types import ITEM_TYPES, Parameter
from weir.model.icons import FILE as ICON_FILE
from weir.model.icons import IconError, read_icon
from weir.model.installed import missing
from weir.model.target_type import Target, from_descriptor


@dataclass(frozen=True)
class Port:
    """`type`: "T" (the block's item type) or an item type.

    `rate`: items per firing, a number or {"expr": …} over structural parameters. `optional`: it may stay unconnected.
    """

    id: str
    type: str
    rate: int | Mapping[str, str] = 1
    optional: bool = False

    def item_type(self, chosen: str | None) -> str | None:
        """Return the item type of the port if the block's item type is `chosen`."""
        return chosen if self.type == "T" else self.type


@dataclass(frozen=True)
class BlockType:
    """One `block.json`. `item_types` is empty for a block that is not a template. `icon`: SVG, or None for the icon of
    the category. `kernels`: VOLK kernels, each with the item types for which the block calls it; an empty list means
    all types. `of_gnuradio`: only GNU Radio has the block, and the project states its ports.
    """

    id: str
    family: str
    title: str
    documentation: str
    item_types: tuple[str, ...]
    inputs: tuple[Port, ...]
    outputs: tuple[Port, ...]
    parameters: tuple[Parameter, ...]
    behaviour: Mapping[str, Any]
    accuracy: Mapping[str, Any]
    uses: tuple[str, ...]
    folder: Path
    descriptor: Mapping[str, Any] = field(repr=False)
    icon: str | None = field(repr=False, default=None)
    keywords: tuple[str, ...] = ()
    kernels: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    of_gnuradio: bool = False
    message_inputs: tuple[Port, ...] = ()
    message_outputs: tuple[Port, ...] = ()

    def kernels_of(self, item_type: str | None) -> list[str]:
        """Return the VOLK kernels that the block calls for this item type."""
        return [name for name, types in self.kernels.items() if not types or item_type in types]

    @property
    def is_source(self) -> bool:
        """Return whether the block has no input, except for messages."""
        return not self.inputs and bool(self.outputs)

    @property
    def is_sink(self) -> bool:
        """Return whether the block has no output, except for messages."""
        return not self.outputs and bool(self.inputs)

    @property
    def paces(self) -> bool:
        """Return whether the block emits items at a set rate, each with a due time from which latency downstream is
        measured.
        """
        return bool(self.behaviour.get("paces", False))

    @property
    def rates(self) -> str:
        """Return the rate behaviour. fixed: `work` moves all items it is offered; until_end: the same, until the block
        ends; varying: `work` may move fewer.
        """
        return str(self.behaviour.get("rates", "varying"))

    @property
    def source(self) -> Path:
        """Return the path of the block's code."""
        return source_of(self.folder, self.id)

    def input(self, port: str) -> Port | None:
        """Return the input with this id, or None."""
        return next((p for p in (*self.inputs, *self.message_inputs) if p.id == port), None)

    def output(self, port: str) -> Port | None:
        """Return the output with this id, or None."""
        return next((p for p in (*self.outputs, *self.message_outputs) if p.id == port), None)

    def parameter(self, name: str) -> Parameter | None:
        """Return the parameter with this id, or None."""
        return next((p for p in self.parameters if p.id == name), None)

    def meets(self, requirement: str) -> bool:
        """Return whether a scheduler with this entry in `requires` can run the block.

        Random access is required of sources only. Blocks that are neither source nor sink must be stateless or
        element-wise. Sinks are exempt because their state is merged, and sources because their state follows from the
        index.
        """
        inner = not (self.is_source or self.is_sink)
        return {
            "static_rate": self.rates == "fixed",
            "static_rate_until_end": self.rates in ("fixed", "until_end"),
            "static_rate_worker": True,  # depends on which blocks a worker has
            "chain": True,  # a property of the graph
            "chains": True,
            "whole_quanta": self.rates != "varying" or bool(self.behaviour.get("waits", False)),
            "random_access": not self.is_source or bool(self.behaviour.get("random_access", False)),
            "element_wise": not inner or bool(self.behaviour.get("element_wise", False)),
            "stateless": not inner or self.behaviour.get("state") == "stateless",
        }[requirement]


@dataclass(frozen=True, kw_only=True)
class SchedulerType:
    """One `scheduler.json`. `workers`: one, per_block or chosen.

    `jobs`: what moves between the workers, instances or lists of instances; "" if each worker keeps its own.
    `job_count` names the parameter with the number of lists. `pieces`: for a worker per block, whether a placement says
    which workers share a CPU. `own_cpus`: whether each worker is bound to a CPU of its own. `default_workers`: CPUS or
    CORES, what a deployment that requests no number gets a worker for. `target`: the target of a
    deployment that names none, "" for the first target that supports the scheduler. `planner`: the planner's file in
    this folder, "" for Weir's own planner. `code_of`: the scheduler whose code runs this one; itself if it has its own
    code.
    """

    id: str
    title: str
    documentation: str = ""
    workers: str
    placement: bool
    pieces: bool = False
    own_cpus: bool = False
    jobs: str = ""
    job_count: str = ""
    max_workers: int
    default_workers: str = CORES
    wait: tuple[str, ...]
    requires: tuple[str, ...] = ()
    parameters: tuple[Parameter, ...]
    target: str = ""
    planner: str = ""
    code_of: str
    folder: Path
    descriptor: Mapping[str, Any] = field(repr=False)

    @property
    def code_folder(self) -> Path:
        """Return the folder of the code."""
        return self.folder if self.code_of == self.id else SCHEDULERS / self.code_of

    def lacks(self, target: Target) -> str:
        """Return what the target needs and neither this folder nor the code's folder has, "" if nothing is missing."""
        return target.lacking("scheduler", self.id, self.folder) and \
            target.lacking("scheduler", self.code_of, self.code_folder)

    @property
    def source(self) -> Path:
        """Return the path of the code, a file named after `code_of`."""
        return source_of(self.code_folder, self.code_of)

    @property
    def fields(self) -> tuple[Parameter, ...]:
        """Return the parameters that are fields of `Params`: all but the number of jobs, and none if another
        scheduler's code runs.
        """
        if self.code_of != self.id:
            return ()
        return tuple(p for p in self.parameters if p.id != self.job_count)


def source_of(folder: Path, name: str) -> Path:
    """Return `<name>.hpp`, or else the first `<name>.*`: a scheduler or block may support only targets in other
    languages.
    """
    header = folder / f"{name}.hpp"
    return header if header.is_file() else next(iter(sorted(folder.glob(f"{name}.*"))), header)


@dataclass(frozen=True)
class Catalog:
    """Catalog in the order of discovery: Weir's own entries first."""

    blocks: Mapping[str, BlockType]
    schedulers: Mapping[str, SchedulerType]
    targets: Mapping[str, Target]

    def targets_of(self, scheduler: SchedulerType) -> list[Target]:
        """Return the targets for which the scheduler's folder has the required files. The first is the default target
        of a deployment.
        """
        offering = [t for t in self.targets.values()
                    if not scheduler.lacks(t)]
        return sorted(offering, key=lambda target: target.id != scheduler.target)

    def schedulers_of(self, target: Target) -> list[SchedulerType]:
        """Return the schedulers that a target can run."""
        return [s for s in self.schedulers.values() if not s.lacks(target)]

    def blocks_of(self, target: Target) -> list[BlockType]:
        """Return the blocks that the target supports."""
        return [b for b in self.blocks.values() if not target.lacking("block", b.id, b.folder)]

    def target_for(self, scheduler: str, of_gnuradio: bool = False) -> str:
        """Return the target of a deployment that names none, "" if no target supports the scheduler.

        `of_gnuradio`: the flowgraph has blocks that only GNU Radio has.
        """
        found = self.targets_of(self.schedulers[scheduler]) if scheduler in self.schedulers else []
        return next((it.id for it in found if it.hosts_gnuradio == of_gnuradio), found[0].id if found else "")

    def gnuradio_scheduler(self) -> str:
        """Return the scheduler that runs GNU Radio's own blocks, "" if there is none."""
        return next((it.id for it in self.schedulers.values()
                     if any(target.hosts_gnuradio for target in self.targets_of(it))), "")


def load_catalog(block_paths: Iterable[Path] = (), scheduler_paths: Iterable[Path] = (),
                 target_paths: Iterable[Path] = (), root: Path = ROOT) -> Catalog:
    """Return the descriptors of Weir's own folders and of the given folders. Raises WeirError (E_DESCRIPTOR…) if a
    descriptor is wrong or Weir's own folders have none.

    `block_paths` hold <family>/<id>/block.json or <id>/block.json, `scheduler_paths` <id>/scheduler.json,
    `target_paths` <id>/target.json, with <id>/schedulers/<id>/scheduler.json if a target has schedulers of its own.
    """
    faults: list[Diagnostic] = []
    block_files = sorted((root / "block-library").glob("*/*/block.json"))
    scheduler_files = sorted((root / "runtime" / "schedulers").glob("*/scheduler.json"))
    target_files = sorted((root / "templates").glob("*/target.json"))
    if not (block_files or scheduler_files or target_files):
        raise WeirError(diagnostic("E_FILE_MISSING", "", f"{root} has no block, scheduler or target",
                                   "Weir runs from its tree, or from where `cmake --install` put it: docs/install.md"))
    for folder in block_paths:
        block_files += _below(folder, "block", faults)
    for folder in scheduler_paths:
        scheduler_files += _below(folder, "scheduler", faults)
    for folder in target_paths:
        target_files += _below(folder, "target", faults)
    blocks = _load(block_files, "block", partial(_block, faults), faults)
    targets = _load(target_files, "target", Target.of, faults,
                    lambda d, file: target_type.faults(d, file.parent, root, asdict(Build())))
    for target in targets.values():
        scheduler_files += sorted(target.schedulers_folder.glob("*/scheduler.json"))
    schedulers = _load(scheduler_files, "scheduler", _scheduler, faults)
    if faults:
        raise WeirError(list(dict.fromkeys(faults)))  # one folder may be given for several kinds
    return Catalog(blocks, schedulers, targets)


def _below(folder: Path, kind: str, faults: list[Diagnostic]) -> list[Path]:
    """Return the descriptors in a folder given on the command line, sorted."""
    try:
        os.scandir(folder).close()
    except (FileNotFoundError, NotADirectoryError):
        faults.append(diagnostic("E_FILE_MISSING", "", f"there is no folder {folder}"))
        return []
    except OSError as error:
        faults.append(os_error(error, f"look for {kind}s in {folder}"))
        return []
    patterns = (f"*/{kind}.json", f"*/*/{kind}.json") if kind == "block" else (f"*/{kind}.json",)
    found = sorted(file for pattern in patterns for file in folder.glob(pattern))
    if not found and (folder / f"{kind}.json").is_file():
        faults.append(diagnostic("E_FILE_MISSING", "", f"{folder}, itself a {kind}, contains no {kind}",
                                 f"name its parent folder: {os.path.dirname(os.path.abspath(folder))}"))
    return found


def read_scheduler(file: Path) -> tuple[SchedulerType | None, list[Diagnostic]]:
    """Return the scheduler of one scheduler.json and the faults of the file. The scheduler is None if there are any."""
    faults: list[Diagnostic] = []
    found = _load([file], "scheduler", _scheduler, faults)
    return next(iter(found.values()), None), faults


def _load(files: Iterable[Path], kind: str, make: Callable[[dict, Path], object], faults: list[Diagnostic],
          more: Callable[[dict, Path], Iterable[Diagnostic]] = lambda descriptor, file: ()) -> dict:
    """Load descriptors by id. `more` yields further faults of a descriptor that fits its schema."""
    found: dict[str, Any] = {}
    for file in files:
        try:
            data = read_bounded(file, jsontext.MAX_BYTES)
        except OSError as error:
            faults.append(os_error(error, f"read {file}"))
            continue
        problems = [*faults_of_shape(data, kind)]
        if not problems:
            descriptor = json.loads(data)
            problems = [*faults_of_meaning(descriptor, file), *more(descriptor, file)]
        if problems:
            faults += [diagnostic("E_DESCRIPTOR", d.pointer, f"{file}: {d.message}", d.hint) for d in problems]
        elif descriptor["id"] in found:
            faults.append(diagnostic("E_DESCRIPTOR_DUPLICATE", "/id", f"{file}: the {kind} `{descriptor['id']}` "
                                                                      "already exists in "
                                                                      f"{found[descriptor['id']].folder}"))
        else:
            found[descriptor["id"]] = make(descriptor, file.parent)
    return found


def _parameters(descriptor: dict) -> tuple[Parameter, ...]:
    return tuple(from_descriptor(Parameter, p, required="default" not in p, default=p.get("default"))
                 for p in descriptor.get("parameters", ()))


def _ports(descriptor: dict, side: str) -> tuple[Port, ...]:
    return tuple(Port(p["id"], p["type"], p.get("rate", 1)) for p in descriptor.get(side, ()))


def _block(faults: list[Diagnostic], d: dict, folder: Path) -> BlockType:
    return BlockType(
        id=d["id"], family=folder.parent.name, title=d["title"], documentation=d.get("documentation", ""),
        item_types=tuple(d.get("item_types", ())), inputs=_ports(d, "inputs"), outputs=_ports(d, "outputs"),
        parameters=_parameters(d), behaviour=d["behaviour"], accuracy=d.get("accuracy", {}),
        uses=tuple(d.get("uses", ())), folder=folder, descriptor=d, keywords=tuple(d.get("keywords", ())),
        icon=_icon(folder / ICON_FILE, faults),
        kernels={name: tuple(types) for name, types in d.get("kernels", {}).items()})


def _icon(file: Path, faults: list[Diagnostic]) -> str | None:
    try:
        return read_icon(file)
    except IconError as error:
        faults.append(diagnostic("E_DESCRIPTOR", "", f"{file}: {error}",
                                 "use only shapes in currentColor; CONTRIBUTING.md has the rules for icons"))
    except OSError as error:
        faults.append(os_error(error, f"read {file}"))
    return None


def _scheduler(d: dict, folder: Path) -> SchedulerType:
    return from_descriptor(SchedulerType, d, parameters=_parameters(d), code_of=d.get("code_of", d["id"]),
                           folder=folder, descriptor=d)


def _runtime_of(scheduler: SchedulerType, whole: Catalog) -> dict[str, str]:
    """Return the peer runtime of a scheduler and what is missing to run it here; empty for Weir's own schedulers."""
    target = whole.targets.get(whole.target_for(scheduler.id))
    if target is None or target.runtime is None:
        return {}
    return {"runtime": target.runtime.title, "lacks": missing(target.runtime)}


def catalog_json(catalog: Catalog, whole: Catalog) -> dict[str, Any]:
    """Return the JSON of `weir catalog --json`: each descriptor with its `source`, the family and icon of each block,
    and the compatible entries of the `whole` catalog.
    """
    return {
        "weir_version": __version__,
        "item_types": [{"id": t.id, "cpp": t.cpp, "bytes": t.size} for t in ITEM_TYPES.values()],
        "connectable": [[t, t] for t in ITEM_TYPES],
        "blocks": [{**b.descriptor, "family": b.family, "source": str(b.source.resolve()), "icon": b.icon}
                   for b in catalog.blocks.values()],
        # Weir's own targets come first, and among them those that run any graph.
        "schedulers": [{**s.descriptor, "source": str(s.source.resolve()),
                        "targets": [t.id for t in whole.targets_of(s)], **_runtime_of(s, whole)}
                       for s in sorted(catalog.schedulers.values(),
                                       key=lambda s: (_runtime_of(s, whole).get("runtime", ""), bool(s.requires)))],
        "targets": [{**t.descriptor, "source": str(t.source.resolve()),
                     "schedulers": [s.id for s in whole.schedulers_of(t)],
                     "blocks": [b.id for b in whole.blocks_of(t)]} for t in catalog.targets.values()],
    }
