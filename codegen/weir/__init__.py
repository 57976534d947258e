"""Weir: from a flowgraph project to a measured, instrumented binary."""

__version__ = "0.1.0"


def load(folder):
    """A pandas.DataFrame of a sweep's runs, or of those in any folder: `weir.sweeping.table.load`."""
    from importlib import import_module  # everything else of Weir imports this module

    return import_module("weir.sweeping.table").load(folder)
