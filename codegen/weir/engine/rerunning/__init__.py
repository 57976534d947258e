"""Repeat a run from its run directory alone: its request, the permissions it needs, and the differences."""
