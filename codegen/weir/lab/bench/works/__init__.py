"""What a scheduler is asked in each work: a module each, of the work's name, with `entries(scheduler, cell, site)`.

It gives no entries for a scheduler that has no part in the work.
"""

from __future__ import annotations

import importlib
from collections.abc import Callable, Sequence

from weir.lab.bench.cells import Cell
from weir.lab.bench.contender import Entry, Site


def entries_of(work: str) -> Callable[[str, Cell, Site], Sequence[Entry]]:
    """The function `entries` of a work's module."""
    return importlib.import_module(f"{__name__}.{work}").entries
