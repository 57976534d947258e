"""Sweeps: measure every point of some axes in rounds of random order. One folder has the runs; a sweep can be resumed.
"""
