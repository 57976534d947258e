"""Weir: from a flowgraph project to a measured, instrumented binary."""

from pathlib import Path

__version__ = "0.1.0"
PACKAGE = Path(__file__).resolve().parent
#: The source tree around this package, with blocks, schedulers, templates and examples.
ROOT = PACKAGE.parents[1]


def load(folder):
    """Return a pandas.DataFrame of the runs of a sweep or of any folder: `weir.lab.sweeping.table.load`."""
    from importlib import import_module  # imported here, because all of Weir imports this module

    return import_module("weir.lab.sweeping.table").load(folder)
