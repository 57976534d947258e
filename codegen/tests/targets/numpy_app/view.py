"""Shows a plan to the templates as Python literals."""

from __future__ import annotations

from weir.engine.targets.interface import GenerationInput
from weir.model.planning.plan import PlannedBlock


def context(subject: GenerationInput) -> dict[str, object]:
    plan = subject.plan
    writers = {reader: stream.name for stream in plan.streams for reader in stream.readers}
    readers = {stream.name: stream.readers for stream in plan.streams}
    changeable = {f"{block.block}.{p.id}": p.type for block in plan.blocks
                  for p in subject.catalog.blocks[block.type].parameters if not p.structural}
    return {
        "project": plan.project, "deployment": plan.deployment.name, "version": plan.weir_version,
        "title": subject.project.title or plan.project, "scheduler": plan.scheduler, "changeable": changeable,
        "nodes": [_node(block, subject, writers, readers) for block in plan.blocks],
        "items": plan.run.items, "warmup_items": plan.run.warmup_items, "seed": plan.run.seed,
        "timeout_s": plan.run.timeout_s}


def _node(block: PlannedBlock, subject: GenerationInput, writers: dict[str, str], readers: dict) -> dict[str, object]:
    kind = subject.catalog.blocks[block.type]
    # A source that the run's items do not end is ended by the heads right behind it; each has a parameter for it.
    heads = [] if block.ends_at_run_items or kind.inputs else [
        reader.rpartition(".")[0] for port in kind.outputs for reader in readers.get(f"{block.instance}.{port.id}", ())]
    return {
        "name": block.instance, "block": block.block, "type": block.type, "item_type": block.item_type or "",
        "parameters": dict(block.parameters), "rates": (block.in_rates, block.out_rates),
        "inputs": {port.id: writers[f"{block.instance}.{port.id}"] for port in kind.inputs},
        "outputs": {port.id: port.item_type(block.item_type) for port in kind.outputs},
        "ends": [(head, subject.catalog.blocks[_type(head, subject)].behaviour["bounds"]) for head in heads],
        "metered": block.instance in subject.plan.metered}


def _type(instance: str, subject: GenerationInput) -> str:
    return next(block.type for block in subject.plan.blocks if block.instance == instance)


def one_line(text: str) -> str:
    """Return text that is safe within a docstring."""
    return "".join(c for c in ascii(text)[1:-1] if c not in "\"\\")


FILTERS = {"literal": ascii, "one_line": one_line}
