"""Worker schedule for a stretch of items, made from the period that one worker alone would repeat."""

from __future__ import annotations

from collections.abc import Iterable, Sequence, Set
from typing import Any

from weir.model.flowgraph.graph import Graph
from weir.model.flowgraph.rates import Rates
from weir.model.planning.planner import NoPlan
from weir.model.planning.replication import Replication, iterations_remembered, remakeable, turns_of
from weir.model.planning.schedule import MAX_CALLS, Call, Fire, Loop, Step, different_calls, firings, length

#: Periods of a stretch, at least. Starting a stretch costs some ten nanoseconds per block. With blocks that take turns,
#: fewer are better, because other workers wait for the whole stretch.
_PASSES, _PASSES_IN_TURN = 64, 4
#: A stretch is at least this many times as long as its repeated part.
_OF_WHAT_IS_DONE_AGAIN = 20


def stretch_of(period: Sequence[Step], graph: Graph, rates: Rates) -> tuple[tuple[Step, ...], Replication]:
    """Make the worker schedule of a stretch from a period. Raises NoPlan if it would be too long.

    A stretch has enough periods to keep the repeated part small. With blocks that take turns it has as few as that
    allows, because their inputs and outputs stay in memory for the whole stretch. Calls that can be repeated come
    first, then the rest, upstream first.
    """
    turns, remade, once = turns_of(graph), remakeable(graph), firings(period)
    early = {call for call in different_calls(period) if remade >= set(call.instances)}
    iterations = min(count // rates.firings[name] for name, count in once.items())
    again = -(-iterations_remembered(graph, rates) // iterations)
    most = MAX_CALLS // 2 // length(period) - again
    passes = min(max(_PASSES_IN_TURN if turns else _PASSES, _OF_WHAT_IS_DONE_AGAIN * again), most)
    if passes < max(again, 1):
        raise NoPlan(f"the history of the blocks covers {again} periods of {length(period)} calls of work each, and a "
                     "worker would have to repeat all of them before each stretch",
                     "use a larger chunk_items, or fewer taps")
    body: list[Any] = [Loop(passes, some)] if (some := _only(period, early)) else []
    together: set[Call] = set()
    for call in _upstream_first(period, graph):
        if call in early:
            continue
        if turns.keys() & set(call.instances):
            body += [Loop(passes, some)] if (some := _only(period, together)) else []
            body += [Fire(name, passes * once[name]) for name in call.instances]
            together = set()
        else:
            together.add(call)
    body += [Loop(passes, some)] if (some := _only(period, together)) else []
    return tuple(body), Replication(again)


def _upstream_first(period: Sequence[Step], graph: Graph) -> list[Call]:
    """Return the different calls of a period, upstream first."""
    place = {name: at for at, name in enumerate(graph.by_name)}
    return sorted(dict.fromkeys(different_calls(period)), key=lambda call: place[call.instances[-1]])


def _only(body: Iterable[Step], calls: Set[Call]) -> tuple[Step, ...]:
    """Return the steps without other calls."""
    found: list[Step] = []
    for step in body:
        if not isinstance(step, Loop):
            found += [step] if step in calls else []
        elif left := _only(step.body, calls):
            found.append(Loop(step.times, left))
    return tuple(found)
