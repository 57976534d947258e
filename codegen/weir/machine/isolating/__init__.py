"""Isolation of CPUs for one program while it runs: changes to the machine, and their restoration."""
