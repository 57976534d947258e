"""Other projects' runtimes, where they are installed, on the drawings of `saxpy` and `null_rand`: as they are by
themselves, and as they are best. And `flow` with the same kernels as they call, linked instead of inlined.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from functools import partial

from weir.lab.bench.cells import Cell
from weir.lab.bench.contender import AUTO, Contender, Entry, Site
from weir.lab.bench.programs import ITEM_BYTES, deployment_index, entry, settings
from weir.model.catalog import load_catalog
from weir.model.installed import look

WORKS = ("saxpy", "null_rand")
BEST = ", best"


@dataclass(frozen=True)
class Peer:
    """`deployment`: its name in the projects that it can run. `kib`: of each buffer, or of each quantum that goes
    round, where it is best, by work and on how many workers; absent: as it has them.
    """

    contender: str
    deployment: str
    kib: Mapping[tuple[str, int], int] = field(default_factory=dict)
    has_quanta: bool = False


#: Workers that hand everything on want few wake-ups; pipes that stay with a worker want to stay in its cache, so that
#: long ones are best as they are.
_LARGE = {("saxpy", 1): 256, ("saxpy", 2): 4096, ("null_rand", 1): 128, ("null_rand", 2): 128}

#: The sizes come from scans: of saxpy over 4 KiB to 4 MiB with one to four stages, of null_rand over 16 to 256 KiB with
#: five. GNU Radio gains nothing from larger buffers than its own.
PEERS = (
    Peer("gnuradio310", "gnuradio"),
    Peer("futuresdr_flow", "futuresdr_flow", _LARGE),
    Peer("futuresdr_smol", "futuresdr_smol", _LARGE),
    Peer("qsdr_custom", "qsdr_custom", {("saxpy", 2): 64}, has_quanta=True),
    Peer("qsdr_tokio", "qsdr_tokio", has_quanta=True),
)


def _build(peer: Peer, best: bool, cell: Cell, site: Site) -> list[Entry]:
    if cell.work not in WORKS or not _is_possible(peer, cell):
        return []
    more = _best(peer, cell, site) if best else {}
    if best and not more:
        return []
    sets = {**settings(peer.deployment, cell, AUTO), **more}
    return [replace(entry(peer.deployment, cell, site, sets, AUTO), contender=peer.contender + BEST * best)]


def _is_possible(peer: Peer, cell: Cell) -> bool:
    """Whether it has a deployment there, and what that takes is installed."""
    catalog = load_catalog()
    deployments = json.loads(cell.project.read_text(encoding="utf-8"))["deployments"]
    schedulers = {entry["name"]: entry["scheduler"] for entry in deployments}
    if peer.deployment not in schedulers:
        return False
    runtime = catalog.targets[catalog.target_for(schedulers[peer.deployment])].runtime
    return runtime is not None and not look(runtime).lacks


def _best(peer: Peer, cell: Cell, site: Site) -> Mapping[str, str]:
    """Nothing where it is best as it is."""
    at = f"/deployments/{deployment_index(peer.deployment, cell)}"
    large = 0 if cell.work == "null_rand" and cell.m > 11 else peer.kib.get((cell.work, min(cell.n, 2)), 0)
    items = large * 1024 // ITEM_BYTES
    if items and peer.has_quanta:
        return {f"{at}/chunk_items": str(items)}
    if items:
        return {f"{at}/buffers": json.dumps({"*.out->*.in": {"items": items}})}
    if cell.work == "saxpy" and cell.n > 1 and not peer.has_quanta:
        # Its threads float: neighbours on one CPU, as `flow` has them.
        chain = ["source", *(f"stage[{i}]" for i in range(cell.m)), "sink"]
        ends = [-(-cell.m * i // cell.n) for i in range(1, cell.n + 1)]
        on = {name: next(cpu for cpu, end in zip(site.cpus(cell.n), ends) if min(i, cell.m) <= end)
              for i, name in enumerate(chain)}
        return {f"{at}/affinity": json.dumps({name: [cpu] for name, cpu in on.items()})}
    return {}


def _linked(cell: Cell, site: Site) -> list[Entry]:
    if cell.work not in WORKS:
        return []
    linked = {f"/deployments/{deployment_index('flow', cell)}/kernels": '"linked"'}
    return [replace(entry("flow", cell, site, settings("flow", cell, AUTO) | linked, AUTO), contender="flow, linked")]


CONTENDERS = [*(Contender(peer.contender + BEST * best, partial(_build, peer, best)) for peer in PEERS
                for best in (False, True)), Contender("flow, linked", _linked)]
