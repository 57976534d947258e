"""Sweeps: every point of some axes, in rounds of random order, into one folder of runs that can be gone on with."""
