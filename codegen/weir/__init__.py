"""Weir: from a flowgraph project to a measured, instrumented binary."""

from pathlib import Path

__version__ = "0.1.0"
PACKAGE = Path(__file__).resolve().parent
#: The tree that this package is part of: blocks, schedulers, templates and examples lie there.
ROOT = PACKAGE.parents[1]


def load(folder):
    """A pandas.DataFrame of a sweep's runs, or of those in any folder: `weir.lab.sweeping.table.load`."""
    from importlib import import_module  # everything else of Weir imports this module

    return import_module("weir.lab.sweeping.table").load(folder)
