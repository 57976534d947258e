"""Circulate whole quanta, whose default size and number are those of qsdr's benchmark."""

from __future__ import annotations

from weir.model.planning import quanta
from weir.model.planning.planner import Arrangement, Request

#: Size of a quantum in qsdr's benchmark.
QUANTUM_BYTES = 16 * 1024


def plan(request: Request) -> Arrangement:
    return quanta.plan(request, QUANTUM_BYTES)
