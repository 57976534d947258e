"""Nested loops: a worker's blocks are repeatedly cut in two, and each half is repeated as often as its firings divide.

Smaller calls in a loop need smaller streams, which is the purpose of the loops.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from math import gcd

from weir.model.planning.dynamic import streams_of, workers_of
from weir.model.planning.layout import lay_out
from weir.model.planning.planner import Arrangement, Request
from weir.model.planning.schedule import Fire, Loop, Schedule, WorkerSchedule


def plan(request: Request) -> Arrangement:
    workers = workers_of(request)
    firings = _firings_of_a_period(request)
    # In a circle of workers, each waits for whole periods of another.
    passes = 1 if _comes_back(request, workers) else request.deployment.parameters["passes"]
    schedule = Schedule(tuple(WorkerSchedule(w.name, _nest(w.instances, firings, passes)) for w in workers))
    streams = [_for_two_periods(s, request, firings) for s in streams_of(request, workers)]
    return Arrangement(workers, lay_out(request, schedule, streams), schedule=schedule)


def _firings_of_a_period(request: Request) -> dict[str, int]:
    rates, chunk = request.rates, request.deployment.chunk_items
    wanted = request.deployment.parameters["period_items"] if chunk == "auto" else chunk
    busiest = max(rates.firings[name] * max(rates.inputs[name] + rates.outputs[name]) for name in rates.firings)
    return {name: times * max(1, wanted // busiest) for name, times in rates.firings.items()}


def _nest(instances: Sequence[str], firings: Mapping[str, int], passes: int) -> tuple[Fire | Loop, ...]:
    if len(instances) == 1:
        return (Fire(instances[0], firings[instances[0]]),)
    common = gcd(*(firings[name] for name in instances))
    times = max(k for k in range(1, passes + 1) if common % k == 0)
    inner = {name: firings[name] // times for name in instances}
    half = len(instances) // 2
    body = _nest(instances[:half], inner, passes) + _nest(instances[half:], inner, passes)
    return (Loop(times, body),) if times > 1 else body


def _comes_back(request: Request, workers: Sequence) -> bool:
    """Return whether workers feed each other in a circle, even through unrelated blocks."""
    worker_of = {name: worker.name for worker in workers for name in worker.instances}
    feeds = {(worker_of[edge.src], worker_of[edge.dst]) for edge in request.graph.edges}
    feeds = {(src, dst) for src, dst in feeds if src != dst}
    while ends := {dst for _, dst in feeds} - {src for src, _ in feeds}:
        feeds = {(src, dst) for src, dst in feeds if dst not in ends}
    return bool(feeds)


def _for_two_periods(stream, request: Request, firings: Mapping[str, int]):
    """Return room for items written while earlier ones are still being read."""
    if stream.kind == "linear":
        return stream
    ports = request.graph.instance(stream.source).type.outputs
    rate = request.rates.outputs[stream.source][[port.id for port in ports].index(stream.port)]
    wanted = 2 * firings[stream.source] * rate
    return replace(stream, items=stream.items * -(-wanted // stream.items))
