"""Test places in arenas: each stream gets the first free one, quickly."""

from __future__ import annotations

import json
import random
import time

import pytest
from planning import deployed, machine, project
from test_schedules import SCHEDULERS
from weir.model.catalog import load_catalog
from weir.model.check import check
from weir.model.planning import schedule_check
from weir.model.planning.dynamic import streams_of, workers_of
from weir.model.planning.layout import lay_out
from weir.model.planning.occupancy import Occupancy
from weir.model.planning.planner import Request
from weir.model.planning.schedule import ALIGNMENT, Fire, Loop, Schedule, WorkerSchedule, length

#: CPU time, so a busy machine matters little. Comparing every two streams takes 20 s.
AT_MOST_S = 5


def _spans(dice: random.Random, moments: int) -> list[tuple[int, int]]:
    ends = sorted(dice.sample(range(moments), 2 * dice.randint(1, min(4, moments // 2))))
    return list(zip(ends[::2], ends[1::2]))


def _is_free(offset: int, size: int, spans: list, others: list) -> bool:
    return not any(offset < at + length and at < offset + size and first <= their_last and their_first <= last
                   for at, length, theirs in others for first, last in spans for their_first, their_last in theirs)


@pytest.mark.parametrize("seed", range(5))
def test_each_gets_the_first_place_that_is_free_in_all_of_its_time(seed: int) -> None:
    """Compare with a search of every place against all other streams."""
    dice = random.Random(seed)
    moments = dice.choice([2, 3, 16, 37, 100])
    occupancy, others = Occupancy(moments), []
    for _ in range(60):
        size, spans = dice.choice([1, 4, 64, 65, 200, 1024]), _spans(dice, moments)
        wanted = next(at for at in range(0, 10**6, ALIGNMENT) if _is_free(at, size, spans, others))
        assert occupancy.place(size, spans) == wanted
        others.append((wanted, size, spans))


def test_long_schedules_are_laid_out_and_checked_in_little_time() -> None:
    """Use a chain with 77 passes per period: two streams hold items at a time, so there are two places."""
    library = load_catalog(scheduler_paths=[SCHEDULERS])
    blocks = [{"id": "source", "type": "counter_source", "parameters": {"item_type": "f32"}},
              {"id": "stage", "type": "copy", "repeat": 998}, {"id": "sink", "type": "digest_sink"}]
    document = deployed(project(blocks, ["source.out > stage.in", "stage.out > sink.in"]), scheduler="looped",
                        workers=1)
    it = check(json.dumps(document), catalog=library)
    request = Request(it.graph, it.rates, it.project.deployment(None), library.schedulers["looped"],
                      machine("two_core"))
    [worker] = workers_of(request)
    steps = tuple(Fire(name, 16) for name in worker.instances)
    schedule = Schedule((WorkerSchedule("w0", (Loop(38, steps), *(steps * 39))),))
    streams = streams_of(request, [worker])
    started = time.process_time()
    placed = lay_out(request, schedule, streams)
    assert schedule_check.faults_of(schedule, placed, it.graph, it.rates) == []
    assert time.process_time() - started < AT_MOST_S
    assert length(schedule.worker_schedules[0].body) == 77_000 and schedule_check.arenas(placed) == {"w0": 128}


