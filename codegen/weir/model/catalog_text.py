"""Descriptions of blocks, schedulers and targets as text, and tables for the terminal."""

from __future__ import annotations

import json
import textwrap
from collections.abc import Iterator, Mapping, Sequence

from weir.model.catalog import BlockType, Catalog, Port, SchedulerType, Target
from weir.model.document.deployment import ONE_OF
from weir.model.document.item_types import Parameter
from weir.model.installed import look, missing
from weir.model.target_type import WEIR_PROTOCOL

COLUMNS = 100
STATES = {
    "stateless": "an output item depends only on the input items of its firing",
    "history": "an output item also depends on a bounded number of earlier items",
    "stateful": "an output item can depend on all earlier items",
}
RATES = {
    "fixed": "each call uses all items and all output space that it is offered",
    "until_end": "each call uses all items and all output space that it is offered, until the block ends the stream",
    "varying": "a call may consume or produce fewer items than it is offered",
}
WORKERS = {"one": "one", "per_block": "one for each block instance", "chosen": "as many as the deployment requests"}


def table(rows: Sequence[Sequence[str]], indent: str = "") -> str:
    """Return rows as text with aligned columns, two spaces apart."""
    widths = [max(len(row[i]) for row in rows) for i in range(len(rows[0]))]
    return "\n".join((indent + "  ".join(cell.ljust(width) for cell, width in zip(row, widths))).rstrip()
                     for row in rows)


def block_rows(catalog: Catalog) -> list[tuple[str, ...]]:
    """Return the table of blocks, with a header row."""
    return [("BLOCK", "FAMILY", "PORTS", "ITEM TYPES", ""),
            *((b.id, b.family, f"{len(b.inputs)} -> {len(b.outputs)}", " ".join(b.item_types) or "fixed", b.title)
              for b in catalog.blocks.values())]


def scheduler_rows(catalog: Catalog) -> list[tuple[str, ...]]:
    """Return the table of schedulers, with a header row."""
    return [("SCHEDULER", "WORKERS", "WAIT", ""),
            *((s.id, s.workers, " ".join(s.wait), s.title) for s in catalog.schedulers.values())]


def target_rows(catalog: Catalog, whole: Catalog) -> list[tuple[str, ...]]:
    """Return the table of targets, with a header row. `whole` is the catalog with all schedulers."""
    return [("TARGET", "LANGUAGE", "RUNS", ""),
            *((t.id, t.language, " ".join(s.id for s in whole.schedulers_of(t)),
               t.title + (" (cannot be built here)" if missing(t.runtime) else "")) for t in catalog.targets.values())]


def description(subject: BlockType | SchedulerType | Target) -> str:
    """Return the content of a descriptor as text, without the test vectors."""
    heading = f"{subject.id}: {subject.title}"
    if isinstance(subject, BlockType):
        heading += f" ({subject.family})"
    parts = [heading]
    if subject.documentation:
        parts.append(textwrap.fill(subject.documentation, COLUMNS))
    if isinstance(subject, BlockType):
        parts += _block(subject)
    elif isinstance(subject, SchedulerType):
        parts += _scheduler(subject)
    else:
        parts.append(table(list(_target(subject))))
        if lacks := missing(subject.runtime):
            parts.append(textwrap.fill(lacks, COLUMNS))
    return "\n\n".join(parts)


def _block(block: BlockType) -> Iterator[str]:
    if block.keywords:
        yield textwrap.fill("search words  " + ", ".join(block.keywords), COLUMNS, subsequent_indent="  ")
    if block.item_types:
        yield "item types  " + " ".join(block.item_types)
    ports = [*(("in", p) for p in block.inputs), *(("out", p) for p in block.outputs)]
    yield "ports\n" + table([(side, port.id, port.type, rate_of(port)) for side, port in ports], "  ")
    yield from _parameters(block.parameters)
    yield "behaviour\n" + "\n".join(f"  {line}" for line in behaviour_of(block))
    accuracy = accuracy_of(block)
    if accuracy:
        yield "accuracy\n" + textwrap.fill(accuracy, COLUMNS, initial_indent="  ", subsequent_indent="  ")
    if block.uses:
        yield "uses  " + " ".join(block.uses)
    if block.kernels:
        yield textwrap.fill("calls  " + " ".join(block.kernels), COLUMNS, subsequent_indent="  ")


def _scheduler(scheduler: SchedulerType) -> Iterator[str]:
    each = f", by default one for each {ONE_OF[scheduler.default_workers]}" if scheduler.workers == "chosen" else ""
    rows = [("workers", f"{WORKERS[scheduler.workers]}{each}, at most {scheduler.max_workers}"),
            ("placement", "as the deployment requests" if scheduler.placement else
             "maps blocks to CPUs, if the deployment requests one" if scheduler.pieces else "none"),
            ("wait", " ".join(scheduler.wait))]
    if scheduler.requires:
        rows.append(("requires", " ".join(scheduler.requires)))
    if scheduler.planner:
        rows.append(("planner", f"{scheduler.planner} in the scheduler's folder; Weir executes it to make a plan"))
    yield table(rows)
    yield from _parameters(scheduler.parameters)


def _target(target: Target) -> Iterator[tuple[str, str]]:
    needs = [f"{kind}s with {' '.join(files)}" for kind, files in sorted(target.needs.items()) if files]
    yield "language", target.language or "unknown"
    yield "uses", ", ".join(needs) or "every block and scheduler"
    yield "supports", " ".join(target.settings) or "no setting of a deployment"
    if target.runtime:
        version = look(target.runtime).version
        found = f"; {target.runtime.library or target.runtime.program} {version} is installed" if version else ""
        yield "runtime", target.runtime.title + found
    yield "built by", " ".join(target.words) or "its own toolchain.py"
    yield "run by", target.protocol if target.protocol == WEIR_PROTOCOL else "its own protocol.py"
    yield "trace", " ".join(target.trace)
    yield "metrics", " ".join(target.metrics)
    yield "verified", " ".join(target.verify) or "no"


def _parameters(parameters: Sequence[Parameter]) -> Iterator[str]:
    if not parameters:
        return
    lines = ["parameters"]
    for p in parameters:
        lines.append(f"  {p.id}  {', '.join(facts_of(p))}")
        if p.documentation:
            lines.append(textwrap.fill(p.documentation, COLUMNS, initial_indent="      ", subsequent_indent="      "))
    yield "\n".join(lines)


def rate_of(port: Port) -> str:
    """Return the number of items for each firing, as text."""
    rate = port.rate if isinstance(port.rate, int) else port.rate["expr"]
    return f"{rate} item{'' if rate == 1 else 's'} per firing"


def facts_of(p: Parameter) -> list[str]:
    """Return type, unit, default, range and options of a parameter, and whether a change needs a rebuild."""
    facts = [f"{p.type} in {p.unit}" if p.unit else p.type]
    facts.append("required" if p.required else f"default {json.dumps(p.default)}")
    if p.minimum is not None and p.maximum is not None:
        facts.append(f"{p.minimum} to {p.maximum}")
    elif p.minimum is not None:
        facts.append(f"at least {p.minimum}")
    elif p.maximum is not None:
        facts.append(f"at most {p.maximum}")
    if p.minimum_length:
        facts.append(f"of length {p.minimum_length} or more")
    if p.below:
        facts.append(f"below `{p.below}`")
    if p.within_file:
        facts.append(f"at most the items of the file `{p.within_file}`")
    if p.options:
        facts.append("one of " + ", ".join(p.options))
    if p.structural:
        facts.append("a change needs a rebuild")
    return facts


def behaviour_of(block: BlockType) -> list[str]:
    """Return the state of the block and how it moves items, one sentence each."""
    state = str(block.behaviour["state"])
    lines = [f"{state}: {STATES[state]}" + _history(block), RATES[block.rates]]
    lines += [text for key, text in (
        ("element_wise", "element-wise: an output item does not depend on neighbouring items"),
        ("element_function", "has a function that computes a single item"),
        ("in_place", "can work in place"),
        ("keeps_output", "relies on finding its earlier output in its output buffer"),
        ("random_access", "can skip ahead: computes item n without the items before it"),
        ("waits", "waits for points in time (the scheduler waits, not the block)"),
        ("paces", "sets the due time of each item, from which latency counts"),
        ("blocking_io", "reads or writes files")) if block.behaviour.get(key)]
    if "parallel" in block.behaviour:
        lines.append({"merge": "several workers may run it: Weir adds up their results",
                      "ordered": "several workers may run it: they take turns"}[
            str(block.behaviour["parallel"])])
    if "bounds" in block.behaviour:
        lines.append(f"ends the stream after `{block.behaviour['bounds']}` items")
    return lines


def _history(block: BlockType) -> str:
    history = block.behaviour.get("history")
    text = history["expr"] if isinstance(history, Mapping) else history
    return "" if text is None else f", `{text}` items of the first input"


def accuracy_of(block: BlockType) -> str:
    """Return how far results may differ from the reference, as text; empty if they are exact."""
    if not block.accuracy:
        return ""
    ulp = block.accuracy.get("ulp", 0)
    return " ".join([*([f"Within {ulp} ulp."] if ulp else []), str(block.accuracy.get("note", ""))]).strip()
