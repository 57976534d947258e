"""This machine: its processes and parts, its fitness for measuring, and the isolation of CPUs for a run."""
