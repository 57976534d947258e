"""One random project, from its seed to the verdict."""

from __future__ import annotations

import json
import random
import shutil
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from pathlib import Path

import numpy as np
from binary import build
from deployments import deployed
from elsewhere import Elsewhere
from judging import Outputs, beyond, compare_with_numpy, differences, outputs_of
from library import Library
from random_projects import Draw, Drawn
from weir.engine.verifying.evaluation import Conditions, Port, evaluate
from weir.model.catalog import Catalog
from weir.model.check import Checked, check
from weir.model.document import jsontext
from weir.model.flowgraph.graph import Graph
from weir.model.planning.machine import Machine

#: Target whose flowgraphs one program can hold; those of other targets are built and run one by one.
IN_ONE = "cpp_app"
TIMEOUT_S = 150
ATTEMPTS = 200
TAP = "file_sink"


class Unsuitable(Exception):
    """Drawing without a meaningful result: its floats overflow."""


@dataclass
class Verdict:
    """Verdict about a project.

    `blocks`, `schedulers`: participation of each, in instances and in runs. `across_targets`: digests and files that
    are equal in the programs of two targets.
    """

    topology: Counter = field(default_factory=Counter)
    blocks: Counter = field(default_factory=Counter)
    schedulers: Counter = field(default_factory=Counter)
    traces: Counter = field(default_factory=Counter)
    refused: Counter = field(default_factory=Counter)
    compared_items: int = 0
    across_targets: int = 0
    runs: int = 0


def settled(seed: int, catalog: Catalog, library: Library, folder: Path) -> tuple[Drawn, dict[Port, str]]:
    """Return the project of a seed, and the files that record what numpy cannot know to the bit."""
    for attempt in range(ATTEMPTS):
        draw = Draw(seed * ATTEMPTS + attempt, catalog, library, folder)
        drawn = draw.project(seed)
        if not draw.blocks or not drawn.topology["sinks"]:
            continue
        try:
            return drawn, _tapped(drawn.document, catalog, folder)
        except Unsuitable:
            continue
    raise AssertionError(f"seed {seed}: no project in {ATTEMPTS} attempts")


def _tapped(document: dict, catalog: Catalog, folder: Path) -> dict[Port, str]:
    """Add a file sink to every output port whose bits the reference does not know.

    A file cannot distinguish the copies of a series or of pipes, so `repeat` and `pipes` are removed there.
    """
    graph = document["graph"]
    if any(str(value).endswith(".out") for b in graph["blocks"] for value in b.get("parameters", {}).values()):
        graph.pop("pipes", None)
    while True:
        flat = _graph_of(document, catalog, folder)
        evaluated = evaluate(flat, Conditions(document["run"]["items"], document["run"]["seed"], folder))
        if not all(np.all(np.isfinite(x)) for x in evaluated.streams.values()):
            raise Unsuitable
        ports = evaluated.inexact
        if not ports:
            return {}
        if graph.pop("pipes", None):
            continue
        copied = {flat.instance(name).block_id for name, _ in ports if flat.instance(name).copy is not None}
        if not copied:
            break
        graph["groups"] = [g for g in graph.get("groups", []) if not copied & set(g["blocks"])]
        for block in graph["blocks"]:
            if block["id"] in copied:
                block.pop("repeat", None)
    taps = {port: f"tap_{i}.out" for i, port in enumerate(ports)}
    for i, ((block, port), name) in enumerate(taps.items()):
        graph["blocks"].append({"id": f"tap_{i}", "type": TAP, "parameters": {"path": name}})
        graph["connections"].append([block, port, f"tap_{i}", "in"])
    return taps


def _graph_of(document: dict, catalog: Catalog, folder: Path) -> Graph:
    checked = check(json.dumps(document), directory=folder, catalog=catalog)
    assert checked.graph is not None, (checked.diagnostics, document)
    return checked.graph


def try_seed(seed: int, catalog: Catalog, library: Library, machine: Machine, folder: Path, each: int = 2,
             sanitizer: str = "", lttng: bool = False) -> Verdict:
    """Draw, build, run and compare a project.

    Raises AssertionError at the first fault. `folder` then has everything needed to repeat it.
    """
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    drawn, taps = settled(seed, catalog, library, folder)
    verdict = try_project(drawn.document, taps, seed, catalog, machine, folder, each, sanitizer, lttng)
    verdict.topology.update(drawn.topology)
    return verdict


def try_project(document: dict, taps: dict[Port, str], seed: int, catalog: Catalog, machine: Machine, folder: Path,
                each: int = 2, sanitizer: str = "", lttng: bool = False) -> Verdict:
    """Build, run and compare a project. `seed`: of the deployments and their settings. `taps`: see `settled`."""
    checked, refused = deployed(document, catalog, seed, each, folder)
    (folder / "project.weir.json").write_text(jsontext.write(checked.project.document))
    verdict = Verdict(refused=Counter(refused))
    verdict.blocks.update(i.type.id for i in checked.graph.instances)
    program = build(_of(checked, lambda target: target == IN_ONE), catalog, machine, folder, sanitizer)
    dice = random.Random(f"runs of {seed}")
    first: tuple[str, Outputs] | None = None
    for name in program.deployments:
        trace = "lttng" if lttng and dice.random() < 0.1 else dice.choice(("off", "memory"))
        metrics = dice.choice(("none", "counters", "profile"))
        out = folder / "runs" / name
        result = program.run(name, out, ["--trace", trace, "--metrics", metrics, "--project-dir", str(folder)],
                             TIMEOUT_S, folder if trace == "lttng" else None)
        try:
            outputs = outputs_of(result, out)
        except AssertionError as error:
            raise AssertionError(f"{name}: {error}") from None
        verdict.runs += 1
        verdict.schedulers[program.plans[name].scheduler] += 1
        verdict.traces[trace] += 1
        if first is None:
            run = checked.project.run
            verdict.compared_items += compare_with_numpy(checked.graph, run.items, run.seed, folder, outputs, taps)
            first = name, outputs
        differing = differences(first[1], outputs)
        assert not differing, f"{name} differs from {first[0]} in {', '.join(differing)}"
    others = _of(checked, lambda target: target != IN_ONE)
    for deployment in others.project.deployments:
        result = Elsewhere(others, machine).run(deployment.name, folder, TIMEOUT_S)
        outputs, run = outputs_of(result, folder / "runs" / deployment.name), checked.project.run
        verdict.runs += 1
        verdict.schedulers[deployment.scheduler] += 1
        compare_with_numpy(checked.graph, run.items, run.seed, folder, outputs, taps)
        if first is not None:
            mine, theirs = (beyond(checked.graph, taps, one) for one in (outputs, first[1]))
            differing = differences(theirs, mine)
            assert not differing, f"{deployment.name} differs from {first[0]} in {', '.join(differing)}"
            verdict.across_targets += sum(digest is not None for _, digest in mine.sinks.values()) + len(mine.files)
    return verdict


def _of(checked: Checked, wanted: Callable[[str], bool]) -> Checked:
    """Return the project with the deployments of some targets only."""
    kept = tuple(d for d in checked.project.deployments if wanted(d.target))
    return replace(checked, project=replace(checked.project, deployments=kept))
