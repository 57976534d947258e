"""Placement maps: write a planned placement explicitly, so that it no longer depends on the profile."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence

from weir.model.flowgraph.graph import Graph, Instance


def map_of(graph: Graph, worker_of: Mapping[str, str]) -> dict[str, str]:
    """Return pattern -> worker, with few patterns by using whole pipes, whole blocks and ranges of copies."""
    by_pipe: dict[int | None, set[str]] = defaultdict(set)
    for i in graph.instances:
        by_pipe[i.pipe].add(worker_of[i.name])
    if None not in by_pipe and all(len(workers) == 1 for workers in by_pipe.values()):
        alone = {pipe: min(workers) for pipe, workers in by_pipe.items() if pipe is not None}
        return {f"*@p{_span(span)}": worker for span, worker in _spans(alone)}
    found: dict[str, str] = {}
    for block in dict.fromkeys(i.block_id for i in graph.instances):
        own = [i for i in graph.instances if i.block_id == block]
        found.update(_of_block(block, own, worker_of))
    return found


def _of_block(block: str, own: Sequence[Instance], worker_of: Mapping[str, str]) -> Iterator[tuple[str, str]]:
    workers = {worker_of[i.name] for i in own}
    if len(workers) == 1:
        yield block, workers.pop()
        return
    pipes: dict[int | None, list[Instance]] = defaultdict(list)
    for i in own:
        pipes[i.pipe].append(i)
    whole = {pipe: worker_of[some[0].name] for pipe, some in pipes.items()
             if pipe is not None and len({worker_of[i.name] for i in some}) == 1}
    yield from ((f"{block}@p{_span(span)}", worker) for span, worker in _spans(whole))
    for pipe, some in pipes.items():
        if pipe not in whole:
            at = "" if pipe is None else f"@p{pipe}"
            copies = {i.copy: worker_of[i.name] for i in some if i.copy is not None}
            yield from ((f"{block}[{_span(span)}]{at}", worker) for span, worker in _spans(copies))


def _spans(worker_of: Mapping[int, str]) -> Iterator[tuple[tuple[int, int], str]]:
    """Yield (first, last) and worker of consecutive numbers with the same worker."""
    numbers = sorted(worker_of)
    begin = 0
    for at, number in enumerate(numbers):
        last = at + 1 == len(numbers)
        if last or numbers[at + 1] != number + 1 or worker_of[numbers[at + 1]] != worker_of[number]:
            yield (numbers[begin], number), worker_of[number]
            begin = at + 1


def _span(span: tuple[int, int]) -> str:
    return f"{span[0]}" if span[0] == span[1] else f"{span[0]}..{span[1]}"
