"""Test distances between workers whose jobs move."""

from __future__ import annotations

import pytest
from planning import chain, deployed, plan


@pytest.mark.parametrize("on,count,cpus,distances", [
    ("two_core", 2, {}, ()),                                     # there is only one other worker
    ("quad_smt", 3, {}, ()),                                     # all others are one core away
    ("quad_smt", 4, {}, (0, 2, 2, 1)),                           # the fourth has the second thread of w0's core
    ("quad_smt", 3, {"w0": [0], "w1": [1], "w2": [4]}, (0, 2, 1)),
    ("two_packages", 3, {"w0": [0], "w1": [40], "w2": [3]}, (0, 2, 1)),
    ("kria", 4, {}, ()),
])
def test_workers_whose_jobs_move_know_who_is_near(on: str, count: int, cpus: dict, distances: tuple[int, ...]) -> None:
    document = deployed(chain(8), scheduler="work_stealing", workers=count, affinity=cpus)
    planned = plan(document, on).plan
    assert planned.workers[0].distances == distances
    assert all(len(w.distances) == (count if distances else 0) for w in planned.workers)
    assert not any(w.distances for w in plan(deployed(chain(8), workers=count, affinity=cpus), on).plan.workers)
