"""Settings of a deployment in GNU Radio's form: CPUs and buffers of each block."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from weir.interop.grc.report import Report
from weir.model.check import Checked
from weir.model.document.deployment import Deployment
from weir.model.planning.plan import Plan
from weir.sure import sure


@dataclass
class Settings:
    """Settings by instance: `cpus` that it may use, and items in the buffers of its outputs."""

    cpus: dict[str, list[int]] = field(default_factory=dict)
    buffers: dict[str, int] = field(default_factory=dict)

    def add_buffer(self, edge: str, items: int) -> None:
        """Set the size of a buffer. Of several connections from one instance, the largest size counts."""
        source = edge.partition("->")[0].rpartition(".")[0]
        self.buffers[source] = max(self.buffers.get(source, 0), items)


def needs_plan(deployment: Deployment, checked: Checked) -> bool:
    """Return whether the blocks behind the CPU settings are known only from a plan."""
    scheduler = checked.catalog.schedulers.get(deployment.scheduler)
    return bool(deployment.affinity) and (scheduler is None or scheduler.workers != "per_block")


def settings_of(deployment: Deployment, plan: Plan | None, needs: bool, report: Report) -> Settings:
    """Return the settings of a deployment that GNU Radio supports."""
    settings = Settings()
    affinity: Mapping[str, tuple[int, ...]] = {w: tuple(cpus) for w, cpus in deployment.affinity.items() if cpus}
    if plan is None and needs:
        report.add("dropped", "setting", f"{deployment.name}.affinity",
                   reason="without a valid project there is no plan, so the blocks of a worker are unknown")
    elif plan is None:
        settings.cpus = {worker: list(cpus) for worker, cpus in affinity.items()}
    elif plan.jobs:
        report.add("dropped", "setting", f"{deployment.name}.affinity",
                   reason=f"under {deployment.scheduler} blocks move between the workers")
    else:
        settings.cpus = {block.instance: list(affinity[sure(block.worker)]) for block in plan.blocks
                         if block.worker in affinity}
    for edge, buffer in deployment.buffers.items():
        settings.add_buffer(edge, int(buffer))
    return settings
