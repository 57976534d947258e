"""Weir: from a flowgraph project to a measured, instrumented binary."""

__version__ = "0.1.0"
