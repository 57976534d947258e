"""Whole quanta in circuits, of the size and number of qsdr's benchmark where nobody asks for others."""

from __future__ import annotations

from weir.model.planning import quanta
from weir.model.planning.planner import Arrangement, Request

#: Of a quantum, in qsdr's benchmark.
QUANTUM_BYTES = 16 * 1024


def plan(request: Request) -> Arrangement:
    return quanta.plan(request, QUANTUM_BYTES)
