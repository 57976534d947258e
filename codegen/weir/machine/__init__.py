"""This machine: its processes, what it is made of, whether it is fit to measure, and CPUs kept for a run."""
