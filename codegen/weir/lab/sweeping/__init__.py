"""Sweeps: every point of some axes, in blocks of random order, into one folder of runs that can be gone on with."""
