"""Plans, schedules and machines as aligned text: requested values beside planned ones."""

from __future__ import annotations

import textwrap
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import asdict

from weir.diagnostics import printable
from weir.model.document.deployment import Scheduling
from weir.model.planning.machine import Machine
from weir.model.planning.plan import Plan, PlannedBlock, PlannedStream
from weir.model.planning.replication import Replication
from weir.model.planning.schedule import Fire, Fuse, Schedule, Step
from weir.model.planning.scheduling import in_words
from weir.model.target_type import Target

MAX_ROWS = 200
_MOST_NAMES = 4


def table(head: Sequence[str], rows: Iterable[Sequence[object]]) -> list[str]:
    """Return the lines of a table. Columns of numbers are right-aligned."""
    cells = [[str(cell) for cell in row] for row in rows]
    left_out = len(cells) - MAX_ROWS
    if left_out > 0:
        cells = cells[:MAX_ROWS]
    widths = [max(len(row[i]) for row in [list(head), *cells]) for i in range(len(head))]
    right = [all(row[i][:1].isdigit() or row[i] in ("", "-") for row in cells) for i in range(len(head))]

    def line(row: Sequence[str]) -> str:
        return "  " + "  ".join(c.rjust(w) if r else c.ljust(w) for c, w, r in zip(row, widths, right)).rstrip()

    more = [f"  … and {left_out} more (--json has them all)"] if left_out > 0 else []
    return [line(list(head)), *map(line, cells), *more]


def size(count: int) -> str:
    """Return bytes with a binary unit, without a fraction if they are whole."""
    for unit, scale in (("MiB", 1024**2), ("KiB", 1024)):
        if count >= scale:
            return f"{count / scale:.4g} {unit}"
    return f"{count} B"


def cpu_list(cpus: Iterable[int]) -> str:
    """Return CPUs as text, `any` if there are none."""
    return ",".join(map(str, cpus)) or "any"


def plan_table(plan: Plan, machine: Machine, target: Target) -> str:
    """Return all decisions of a plan, requested and planned. `target`: the plan's target."""
    d = plan.deployment
    placed = f", placement {d.placement.strategy}" if d.placement else ""
    policy = f", {in_words(asdict(d.scheduling))}" if d.scheduling != Scheduling() else ""
    lines = [
        f"{plan.project}, deployment {d.name}: scheduler {plan.scheduler}{placed}, waits by {plan.wait}{policy}",
        f"on {machine.name or machine.architecture}: {len(machine.allowed_cores)} cores, {len(machine.allowed)} CPUs, "
        f"L1d {size(machine.l1d)}, L2 {size(machine.l2)} a core",
        f"target {target.id}" + " ".join((": built by", *target.words_for(asdict(d.build))) if target.words else ()),
        "", "Workers" + (f": {plan.reason_for_count}" if plan.reason_for_count else "")]
    runs = "runs" if plan.jobs else "runs, in this order"
    differ = any(it.scheduling != d.scheduling for it in plan.workers)
    lines += table(("worker", "cpu requested", "cpu planned", *(("policy",) if differ else ()), runs),
                   _workers(plan, differ))
    lists = [job for job in plan.jobs if job.instances != (job.name,)]
    if lists:
        lines += ["", "Jobs, which move between the workers"]
        lines += table(("job", "runs, in this order"),
                       [row for j in plan.jobs for row in _listed((j.name,), j.instances)])
    lines += ["", f"Blocks (chunk requested: {d.chunk_items})"]
    lines += table(("block", "type", "job" if lists else "worker", "chunk", "rates in:out", "probe every",
                    *(("ns per item",) if plan.profile else ())),
                   [(b.instance, b.type + (f"<{b.item_type}>" if b.item_type else ""),
                     b.job if lists else _worker(plan, b),
                     b.chunk_items,
                     "-" if target.hosts_gnuradio else  # only GNU Radio knows them
                     ",".join(map(str, b.in_rates)) + ":" + ",".join(map(str, b.out_rates)), b.probe_granularity or "-",
                     *_cost(plan, b)) for b in plan.blocks])
    lines += ["", "Streams"]
    placed_at = [("" if s.offset is None else s.offset,) if plan.schedule else () for s in plan.streams]
    lines += table(("stream", "read by", "kind", "items requested", "items planned", "bytes",
                    *(("at",) if plan.schedule else ())),
                   [(s.name, " ".join(s.readers), s.kind, "auto" if s.requested_items is None else s.requested_items,
                     *_room(s), *at)
                    for s, at in zip(plan.streams, placed_at)])
    if plan.schedule:
        lines += ["", "Schedule, computed before the run"]
        lines += schedule_lines(plan.schedule, {name: size(total) for name, total in plan.arenas.items()},
                                plan.replication)
        lines += [f"  in turn, shared by all workers: {', '.join(plan.turns)}"] if plan.turns else []
    trace = plan.trace
    lines += [""] + ([] if target.hosts_gnuradio else prediction_lines(plan))
    lines += [f"Throughput is measured at {', '.join(plan.metered[:8])}{', …' if len(plan.metered) > 8 else ''}; "
              f"{len(plan.pairs)} latency pair{'s' * (len(plan.pairs) != 1)}",
              f"Trace {trace.backend}: an event every {trace.planned_granularity} items (requested: "
              f"{trace.requested_granularity}), predicted cost {100 * trace.predicted_cost:.3g} % of a core",
              f"Plan {plan.hash[:12]}, project {plan.project_hash[:12]}, machine {plan.machine_hash[:12]}"
              + (f", profile {plan.profile.hash[:12]}" if plan.profile else "")]
    return "\n".join(lines) + "\n"


def schedule_lines(schedule: Schedule, arenas: dict[str, str], replication: Replication | None = None) -> list[str]:
    """Return the lines about a schedule. `arenas`: text about the arena, by worker."""
    lines = []
    if replication:
        others = ", ".join(own.worker for own in schedule.worker_schedules[1:])
        lines = [f"  {others + ': like ' if others else ''}{schedule.worker_schedules[0].worker}, each with its own "
                 "stretch of items"]
        if replication.again:
            lines[0] += (f"; each stretch starts with the last {replication.again} repetitions of the stretch before, "
                         "because blocks need these earlier items")
    for own in schedule.worker_schedules[:1 if replication else None]:
        arena = arenas.get(own.worker)
        lines += [f"  {own.worker} repeats" + (f", with an arena of {arena}" if arena else ""),
                  *_steps(own.body, "    ")]
    for it in schedule.stepped:
        more = len(it.varying) - _MOST_NAMES
        names = ", ".join(it.varying[:_MOST_NAMES]) + (f" and {more} more" if more > 0 else "")
        verb = "has" if len(it.varying) == 1 else "have"
        lines.append(f"  {it.worker} has no fixed schedule, because {names} {verb} variable rates: the blocks of this "
                     "worker run when they can")
    left_out = len(lines) - MAX_ROWS
    return lines if left_out <= 0 else [*lines[:MAX_ROWS], f"  … and {left_out} more lines (--json has them all)"]


def _steps(body: Iterable[Step], indent: str) -> Iterator[str]:
    for step in body:
        if isinstance(step, (Fire, Fuse)):
            times = f" × {step.times}" if step.times > 1 else ""
            yield f"{indent}{' '.join(step.instances)}{times}" + (", in one loop" if isinstance(step, Fuse) else "")
        else:
            yield f"{indent}{step.times} times"
            yield from _steps(step.body, indent + "  ")


def _cost(plan: Plan, block: PlannedBlock) -> tuple[str, ...]:
    """Return the measured cost, in plans with a profile."""
    if plan.profile is None:
        return ()
    known = plan.profile.blocks.get(block.block)
    return (f"{known.ns_per_item:.3g}" if known else "assumed",)


def _worker(plan: Plan, block: PlannedBlock) -> str:
    return block.worker or ("in turn" if block.takes_turns else "each" if plan.replication else "any")


def _room(stream: PlannedStream) -> tuple[object, str]:
    """Return items and bytes of a stream; for a ring that grows while it is fast, from its least size."""
    if stream.over:
        return stream.planned_items, f"over {stream.over}"
    if stream.least_items is None:
        return stream.planned_items, size(stream.bytes)
    least = stream.bytes * stream.least_items // stream.planned_items
    return f"{stream.least_items} .. {stream.planned_items}", f"{size(least)} .. {size(stream.bytes)}"


def prediction_lines(plan: Plan) -> list[str]:
    """Return the predicted rate, and an explanation of it."""
    it = plan.predicted
    if it is None:
        return []
    busiest = f", {it.busiest} is always busy" if it.busiest else ""
    how = "as measured on this machine" if it.speeds == "measured" else \
        "assumed: `weir doctor --topology --measure` measures the speeds"
    if it.costs != "assumed" and plan.profile:
        run, other = plan.profile, "" if it.costs == "measured" else ", some of them assumed"
        under = f" under {printable(run.deployment)}" if run.deployment else ""
        measured = (f"; measured: {si(run.items_per_s)} items/s{under}, slowed down by the measurement"
                    if run.items_per_s else "")
        return [f"Predicted: {si(it.items_per_s)} items/s{busiest}{measured};",
                f"  costs of blocks from the profile{other}; costs of steps and crossings from speeds, {how}"]
    auto = plan.deployment.placement is not None and plan.deployment.placement.strategy == "auto"
    return [f"Predicted: at most {si(it.items_per_s)} items/s{busiest}; from steps, caches and crossings alone (speeds "
            f"{how}),",
            "  with each block counted as y = a x + b, because the other costs of blocks are unknown"
            + ("; the placement `auto` also uses assumed costs; --profile replaces them with "
               "measured costs" if auto else "")]


def si(rate: float) -> str:
    """Return a number with three digits and a decimal prefix."""
    for unit, scale in (("G", 1e9), ("M", 1e6), ("k", 1e3)):
        if rate >= scale:
            return f"{rate / scale:.3g} {unit}"
    return f"{rate:.3g}"


def _workers(plan: Plan, differ: bool) -> Iterable[tuple[str, ...]]:
    """Yield the rows of the workers. `differ`: their scheduling by Linux differs."""
    for w in plan.workers:
        requested = "auto" if w.requested is None else cpu_list(w.requested)
        policy = (in_words(asdict(w.scheduling)),) if differ else ()
        yield from _listed((w.name, requested, cpu_list(w.cpus), *policy), w.instances or ("any",))


def _listed(head: tuple[str, ...], instances: Iterable[str]) -> Iterable[tuple[str, ...]]:
    """Yield rows of a table: `head` once, the instances in the last column."""
    first, *more = textwrap.wrap(" ".join(instances), 76, break_on_hyphens=False, break_long_words=False)
    yield *head, first
    for line in more:
        yield *("" for _ in head), line


def speeds_line(machine: Machine) -> str:
    """Return the speeds that plans are made with, and their origin."""
    it = machine.speeds
    origin = "speeds, measured" if machine.measured else \
        "speeds, assumed (measure them with `weir doctor --topology --measure`)"
    return (f"{origin}: a step {it.step:.3g} ns, with varying amounts {it.varying_step:.3g} ns; a KiB of items in L1 "
            f"{it.l1_kib:.3g} ns, in L2 {it.l2_kib:.3g} ns, beyond {it.l3_kib:.3g} ns, from another core "
            f"{it.far_kib:.3g} ns; a cache line between cores {it.line:.3g} ns, a wake-up {it.wake / 1000:.3g} us")


def machine_tree(machine: Machine) -> str:
    """Return the machine as a tree: packages, shared caches, cores, hardware threads."""
    lines = [f"{machine.name or 'machine'} ({machine.architecture}), pages of {size(machine.page_bytes)}"]
    for package in sorted({core.package for core in machine.cores}):
        lines.append(f"package {package}")
        for core in (c for c in machine.cores if c.package == package):
            caches = [f"L{c.level} {size(c.bytes)}" + (" shared" if set(c.cpus) - set(core.cpus) else "")
                      for c in machine.caches if set(core.cpus) <= set(c.cpus)]
            threads = [str(cpu) + ("" if cpu in machine.allowed else " (isolated)" if cpu in machine.isolated
                                   else " (not allowed)") for cpu in core.cpus]
            lines.append(f"  core {core.id}, NUMA node {core.numa}: CPU {', '.join(threads)}; {', '.join(caches)}")
    lines += [speeds_line(machine)]
    lines.append(f"allowed CPUs: {cpu_list(machine.allowed)}")
    if machine.isolated:
        lines.append(f"isolated CPUs: {cpu_list(machine.isolated)}")
    return "\n".join(lines) + "\n"
